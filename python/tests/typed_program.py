"""A program as a user writes it: `mypy --strict` and pyright accept it, and it runs."""

from typing import Any, assert_type

import numpy as np
from numpy.typing import NDArray

import swissroll
from swissroll.datasets import DataSet
from swissroll.regression import KernelRidge, left_out

roll, position = swissroll.datasets.make_swiss_roll(300, random_state=1)
assert_type(roll, NDArray[np.float64])
lists = swissroll.neighbors(roll, 12, metric="euclidean")
assert_type(lists.k, int | None)
fitted = swissroll.LTSA(n_components=2, n_neighbors=10).fit(roll, neighbors=lists)
assert_type(fitted, swissroll.LTSA)
assert_type(fitted.embedding_, NDArray[np.floating[Any]])
assert_type(fitted.facts_, dict[str, Any])
places = fitted.transform(roll[:5] + 0.01)
error: float = swissroll.TSNE(perplexity=10.0, max_iter=300).fit(roll).kl_divergence_
back = swissroll.PCA(n_components=2).fit(roll).inverse_transform(places)
directions = swissroll.PCA(2).fit(roll).components_
iterations: int = swissroll.UMAP(2, epochs=30, random_state=np.random.default_rng(0)).fit(roll).n_iter_
digits: DataSet = swissroll.datasets.load("digits", 100)
assert digits.target is not None
scores = swissroll.quality.score(roll, fitted.embedding_, names=["trustworthiness"])
assert_type(scores["trustworthiness"], float)
errors = left_out(KernelRidge(spacing=2, ridge=0.1), fitted.embedding_, roll, folds=3)
found = swissroll.compare(roll, methods=["PCA", swissroll.Isomap(n_neighbors=8)], n_neighbors=8)
print(found.table, error, back.shape, directions.shape, iterations, digits.target.shape, errors["folds"])
