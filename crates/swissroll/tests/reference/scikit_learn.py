"""Makes the reference values of tests/scikit_learn.rs.

For each of swiss-roll and s-curve (--n 1000) and digits (--n 1797):
    cargo run -p compare -- dataset NAME --n N --output NAME.npy
then
    python crates/swissroll/tests/reference/scikit_learn.py   (scikit-learn 1.9.1)
"""

from datetime import date
from pathlib import Path

import numpy as np
import sklearn
from sklearn.manifold import Isomap, LocallyLinearEmbedding

for name in ["swiss-roll", "s-curve", "digits"]:
    x = np.load(f"{name}.npy").astype(float)
    if name == "digits":
        # Whole numbers have equal distances, which everybody breaks in his own way.
        x += 1e-3 * (np.arange(1.0, x.size + 1) * 0.7548776662466927 % 1).reshape(x.shape)
    lle = LocallyLinearEmbedding(n_neighbors=12, n_components=2, eigen_solver="dense").fit_transform(x)
    isomap = Isomap(n_neighbors=10, n_components=2, eigen_solver="dense").fit_transform(x)
    rows = np.arange(50) * (len(x) // 50)
    with open(Path(__file__).parent / f"{name}.csv", "w") as f:
        f.write(f"# scikit-learn {sklearn.__version__}, numpy {np.__version__}, {date.today()}: scikit_learn.py\n")
        f.write("# row; locally linear embedding, k = 12, two columns; isomap, k = 10, two columns\n")
        np.savetxt(f, np.column_stack([rows, lle[rows], isomap[rows]]), fmt=["%d"] + 4 * ["%.15e"], delimiter=",")
