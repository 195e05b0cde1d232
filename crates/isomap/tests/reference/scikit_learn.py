"""Makes the reference values of tests/scikit_learn.rs: python scikit_learn.py (scikit-learn 1.9.1)."""

from datetime import date
from pathlib import Path

import numpy as np
import sklearn
from sklearn.manifold import Isomap

N, NEW, K = 200, 20, 10
i = np.arange(1.0, N + NEW + 1)
u, v = i * 0.7548776662466927 % 1, i * i * 0.5698402909980532 % 1
t, s = 1.5 * np.pi * (1 + 2 * u), 3 * np.pi * (u - 0.5)
data = {
    "swiss_roll": np.column_stack([t * np.cos(t), 21 * v, t * np.sin(t)]),
    "s_curve": np.column_stack([np.sin(s), 2 * v, np.sign(s) * (np.cos(s) - 1)]),
}
for name, x in data.items():
    model = Isomap(n_neighbors=K, n_components=2, eigen_solver="dense", path_method="D")
    y = model.fit_transform(x[:N])
    y = np.vstack([y, model.transform(x[N:])])
    with open(Path(__file__).parent / f"{name}.csv", "w") as f:
        f.write(f"# scikit-learn {sklearn.__version__}, numpy {np.__version__}, {date.today()}: scikit_learn.py\n")
        f.write("# reconstruction error; then the coordinates of 200 points, then of 20 new ones\n")
        f.write(f"{model.reconstruction_error():.15e}\n")
        f.writelines(",".join(f"{c:.15e}" for c in row) + "\n" for row in y)
