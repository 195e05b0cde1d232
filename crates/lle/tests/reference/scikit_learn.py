"""Makes the reference values of tests/scikit_learn.rs: python scikit_learn.py (scikit-learn 1.9.1)."""

from datetime import date
from pathlib import Path

import numpy as np
import sklearn
from sklearn.manifold import LocallyLinearEmbedding
from sklearn.manifold._locally_linear import barycenter_kneighbors_graph

N, K = 200, 10
i = np.arange(1.0, N + 1)
u, v = i * 0.7548776662466927 % 1, i * i * 0.5698402909980532 % 1
t, s = 1.5 * np.pi * (1 + 2 * u), 3 * np.pi * (u - 0.5)
data = {
    "swiss_roll": np.column_stack([t * np.cos(t), 21 * v, t * np.sin(t)]),
    "s_curve": np.column_stack([np.sin(s), 2 * v, np.sign(s) * (np.cos(s) - 1)]),
}
for name, x in data.items():
    columns, errors = [], []
    for method in ["standard", "modified", "ltsa", "hessian"]:
        model = LocallyLinearEmbedding(n_neighbors=K, n_components=2, method=method, eigen_solver="dense")
        columns.append(model.fit_transform(x))
        errors.append(f"{model.reconstruction_error_:.15e}")
    w = barycenter_kneighbors_graph(x, K, reg=1e-3)[7]
    with open(Path(__file__).parent / f"{name}.csv", "w") as f:
        f.write(f"# scikit-learn {sklearn.__version__}, numpy {np.__version__}, {date.today()}: scikit_learn.py\n")
        f.write("# two columns each: standard, modified, ltsa, hessian; then their reconstruction errors\n")
        f.write(",".join(errors) + "\n")
        f.write("# weights of point 7 at its neighbors, ascending\n")
        order = np.argsort(w.indices)
        f.write(",".join(str(j) for j in w.indices[order]) + "\n")
        f.write(",".join(f"{value:.15e}" for value in w.data[order]) + "\n")
        np.savetxt(f, np.column_stack(columns), fmt="%.13f", delimiter=",")
