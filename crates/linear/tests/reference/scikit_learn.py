"""Makes the reference values of tests/scikit_learn.rs.

    python crates/linear/tests/reference/scikit_learn.py   (scikit-learn 1.9.1)
"""

from datetime import date
from itertools import product
from pathlib import Path

import numpy as np
import sklearn
from sklearn.datasets import load_digits
from sklearn.decomposition import FactorAnalysis, FastICA


def fraction(n, j):
    """The additive recurrence of the j-th prime, in [0, 1)."""
    primes = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47]
    return np.arange(1.0, n + 1) * np.sqrt(float(primes[j])) % 1.0


def sources(n=2000):
    """Uniform, two-valued, heavy-tailed."""
    u = fraction(n, 2) - 0.5
    return np.column_stack([fraction(n, 0) - 0.5, np.where(fraction(n, 1) < 0.3, 1.0, -1.0), u**5])


MIXING = np.array([[1.0, 0.5, 2.0], [-0.5, 1.0, 1.0], [0.25, -0.75, 3.0], [2.0, 0.25, -1.0]])

with open(Path(__file__).parent / "fast_ica.csv", "w") as file:
    file.write(f"# scikit-learn {sklearn.__version__}, numpy {np.__version__}, {date.today()}: scikit_learn.py\n")
    file.write("# contrast, algorithm, component by component its four coefficients\n")
    x = sources() @ MIXING.T
    for fun, algorithm in product(["logcosh", "exp", "cube"], ["parallel", "deflation"]):
        recipe = FastICA(3, algorithm=algorithm, fun=fun, tol=1e-13, max_iter=5000, random_state=0)
        components = recipe.fit(x).components_
        file.write(",".join([fun, algorithm] + [f"{v:.15e}" for v in components.ravel()]) + "\n")

with open(Path(__file__).parent / "factor_analysis.csv", "w") as file:
    file.write(f"# scikit-learn {sklearn.__version__}, numpy {np.__version__}, {date.today()}: scikit_learn.py\n")
    file.write("# data, factors, log-likelihood; digits without constant columns\n")
    digits = load_digits().data
    digits = digits[:, digits.std(axis=0) > 0]
    noisy = np.column_stack([fraction(500, j) for j in range(3)]) - 0.5
    loadings = np.array([[np.sin(1.0 + j * (1 + c)) for c in range(3)] for j in range(12)])
    noise = np.column_stack([(0.2 + 0.05 * j) * (fraction(500, 3 + j) - 0.5) for j in range(12)])
    for name, x, d in [("noisy", noisy @ loadings.T + noise, 3), ("noisy", noisy @ loadings.T + noise, 1),
                       ("digits", digits, 2), ("digits", digits, 5)]:
        recipe = FactorAnalysis(d, svd_method="lapack", tol=1e-9, max_iter=20000).fit(x)
        assert recipe.n_iter_ < 20000, name
        file.write(f"{name},{d},{recipe.loglike_[-1]:.15e}\n")
