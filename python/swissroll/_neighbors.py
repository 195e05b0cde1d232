"""The search of neighbor lists that several estimators share."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse
from sklearn.utils import check_array

from . import _native
from ._base import all_distances, registered_metric
from ._lists import Neighbors
from ._mixed import MIXED, MixedTable
from ._progress import reporter
from ._settings import (
    Metric,
    Seed,
    Verbose,
    check_number,
    check_verbose,
    compressed,
    mistyped,
    plain_errors,
    seed,
    threads,
    whole,
)


def neighbors(
    X: Any,
    n_neighbors: int | None = None,
    *,
    radius: float | None = None,
    metric: Metric = "euclidean",
    recall: float | None = None,
    random_state: Seed = None,
    n_jobs: int | None = None,
    verbose: Verbose = False,
) -> Neighbors:
    """Searches the nearest neighbors of every point, exactly unless `recall` is given.

    The lists replace the search of every estimator: ``LTSA(n_neighbors=8).fit(X,
    neighbors=lists)``. Lists of more neighbors than an estimator reads are shortened, which
    gives the same lists as its own search.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n_samples, n_features)
        Points; float32 is searched without a copy in double precision above 8 columns. Sparse
        points are searched without their zeros, by every metric but ``"chebyshev"`` and
        ``"minkowski:P"`` of other exponents than 1 and 2. With ``metric="precomputed"``, distances between all points.
    n_neighbors : int, default=None
        Number of nearest neighbors, 1 to n_samples - 1.
    radius : float, default=None
        All points within this distance, instead of a fixed number.
    metric : str or callable, default="euclidean"
        ``"euclidean"`` (``"l2"``), ``"cosine"``, ``"correlation"``, ``"manhattan"``
        (``"cityblock"``, ``"l1"``), ``"chebyshev"``, ``"minkowski:P"`` with an exponent of at
        least 1 (``"minkowski"``: 2), ``"hamming"``, ``"jaccard"`` (of the
        columns that are not 0), ``"hellinger"`` (of the rows divided by their sums),
        ``"gower"`` (of a data frame or array with numbers, categories and gaps), ``"nan_euclidean"`` (of
        numbers and NaN), ``"precomputed"``, or a function of two rows, whose distances between all points are
        computed first (16 n^2 bytes).
    recall : float, default=None
        Above 0, at most 1: search approximately, until this fraction of the neighbors is right,
        measured on a sample of 256 points; for a number of neighbors, by every metric that has a name.
        Sparse points are searched exactly where this is faster or the approximate search misses the
        goal. None for an exact search.
    random_state : int, RandomState, Generator or None, default=None
        Seed of the approximate search; None for 0.
    n_jobs : int, default=None
        Number of threads; None and -1 for all processors.
    verbose : bool or callable, default=False
        Whether to show progress.

    Returns
    -------
    lists : Neighbors
        For each point its neighbors, nearest first; self is excluded by index. If a recall was requested,
        ``recall`` is the measured fraction of right neighbors (1 where the search was exact,
        see ``found_by``), else None.
    """
    check_number("recall", recall)
    check_verbose(verbose)
    first = seed(random_state)
    if not isinstance(metric, str) and not callable(metric):
        raise mistyped("metric", "the name of a metric or a function of two rows", metric)
    given = metric == "precomputed"
    # A name that scikit-learn does not have is a name of the registry.
    name = registered_metric(metric, {}) or metric
    dense = given or callable(metric)
    if name in MIXED:
        table = MixedTable.of(X, name)
        X = table.rows(X)
    X = check_array(X, accept_sparse=not dense and "csr", dtype=[np.float64, np.float32], order="C")
    if callable(metric):
        # An exact search among all distances; an approximate one needs a metric of the library.
        X, given = all_distances(X, None, metric, {}), True
    if recall is None:
        name = None if given else name
        return _search(X, n_neighbors, radius, given, name, n_jobs, verbose, "neighbors")
    if callable(metric):
        raise ValueError(
            "recall needs a metric of swissroll by its name, but metric is a function; leave it out for an "
            "exact search"
        )
    if n_neighbors is None or radius is not None or given:
        raise ValueError(
            "recall needs n_neighbors and points, not a radius or distances; leave it out for an exact search"
        )
    return _run(
        _native.Neighbors.search_approximately,
        (compressed(X), whole("n_neighbors", n_neighbors), float(recall)),
        {"metric": name, "seed": first},
        n_jobs,
        verbose,
        "neighbors",
    )


def searched(estimator, rows, k, radius, distances):
    """The lists that the fit of an estimator to the given rows or distances searches."""
    title = type(estimator).__name__
    metric = None if distances else estimator._native_metric()
    return _search(rows, k, radius, distances, metric, estimator.n_jobs, estimator.verbose, title)


def _search(rows, k, radius, distances, metric, n_jobs, verbose, title):
    if sparse.issparse(rows):
        search, options = _native.Neighbors.search_sparse, {"metric": metric}
    else:
        search, options = _native.Neighbors.search, {"metric": metric, "distances": distances}
    k = whole("n_neighbors", k)
    check_number("radius", radius)
    return _run(search, (compressed(rows), k, radius), options, n_jobs, verbose, title)


def _run(search, arguments, options, n_jobs, verbose, title):
    progress, end = reporter(verbose, title)
    try:
        with plain_errors():
            return Neighbors(search(*arguments, **options, threads=threads(n_jobs), progress=progress))
    finally:
        end()
