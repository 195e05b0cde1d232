"""Prints the reference values of tests/iterative.rs: python scikit_learn.py (scikit-learn 1.9.1)."""

import numpy as np
from sklearn.isotonic import IsotonicRegression
from sklearn.manifold import ClassicalMDS, smacof

i = np.arange(1.0, 61)
x = np.column_stack([3 * (i * np.sqrt(2) % 1), 2 * (i * np.sqrt(3) % 1), i * np.sqrt(5) % 1])
d = np.linalg.norm(x[:, None] - x[None, :], axis=2)
start = ClassicalMDS(n_components=2).fit_transform(x)
for metric in [True, False]:
    y, stress = smacof(
        d, metric=metric, n_components=2, init=start, n_init=1, max_iter=100000, eps=1e-15, normalized_stress=not metric
    )
    print("metric raw stress" if metric else "its own non-metric stress-1", f"{stress:.15e}")
pairs = np.triu_indices(len(x), 1)
distances = np.linalg.norm(y[:, None] - y[None, :], axis=2)[pairs][np.argsort(d[pairs])]
missed = distances - IsotonicRegression().fit_transform(np.arange(len(distances)), distances)
print("Kruskal's stress-1 of that map", f"{np.sqrt((missed**2).sum() / (distances**2).sum()):.15e}")
