"""Makes the reference values of tests/dense.rs: dense generalized eigenproblems of scipy.

    python crates/linear-projections/tests/reference/dense.py   (scipy 1.17.1)
"""

from datetime import date
from pathlib import Path

import numpy as np
import scipy
from scipy.linalg import eigh
from scipy.spatial.distance import cdist

N, K, DIM = 300, 9, 2


def fraction(prime):
    return np.arange(1.0, N + 1) * np.sqrt(float(prime)) % 1.0


u, v, w, q = (fraction(prime) for prime in (2, 3, 5, 7))
X = np.column_stack([np.cos(3 * u), np.sin(3 * u), v, 0.2 * w, 0.3 * u + 0.1 * q])
distances = cdist(X, X)
np.fill_diagonal(distances, np.inf)
lists = np.argsort(distances, axis=1, kind="stable")[:, :K]


def lpp():
    width = np.mean([distances[i, lists[i, -1]] for i in range(N)])
    affinities = np.zeros((N, N))
    for i in range(N):
        for j in lists[i]:
            affinities[i, j] = affinities[j, i] = max(np.exp(-((distances[i, j] / width) ** 2)), 1e-4)
    return np.diag(affinities.sum(axis=1)) - affinities, affinities.sum(axis=1)


def npe():
    residual = np.eye(N)
    for i in range(N):
        z = X[lists[i]] - X[i]
        gram = z @ z.T
        gram += 1e-3 * np.trace(gram) * np.eye(K)
        weights = np.linalg.solve(gram, np.ones(K))
        residual[i, lists[i]] -= weights / weights.sum()
    return residual.T @ residual, np.ones(N)


def lltsa():
    named = set(lists.ravel().tolist())
    alignment = np.zeros((N, N))
    for i in range(N):
        members = list(lists[i]) + ([] if i in named else [i])
        z = X[members] - X[members].mean(axis=0)
        basis = np.column_stack([np.ones(len(members)) / np.sqrt(len(members)), np.linalg.svd(z)[0][:, :DIM]])
        alignment[np.ix_(members, members)] += np.eye(len(members)) - basis @ basis.T
    return alignment, np.ones(N)


with open(Path(__file__).parent / "dense.csv", "w") as file:
    file.write(f"# scipy {scipy.__version__}, numpy {np.__version__}, {date.today()}: dense.py\n")
    file.write("# method; two eigenvalues; two directions of five coefficients with y' D y = tr D\n")
    for method in (lpp, npe, lltsa):
        form, weights = method()
        centered = X - weights @ X / weights.sum()
        values, vectors = eigh(centered.T @ form @ centered, centered.T @ (weights[:, None] * centered))
        vectors = np.sqrt(weights.sum()) * vectors[:, :DIM]
        numbers = [*values[:DIM], *vectors.T.ravel()]
        file.write(",".join([method.__name__, *(f"{number:.15e}" for number in numbers)]) + "\n")
