"""The search of neighbors as a transformer of scikit-learn's interface."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from . import _native
from ._base import all_distances, allow, registered_metric
from ._lists import Neighbors, to_sparse
from ._mixed import MIXED
from ._neighbors import neighbors
from ._settings import (
    Metric,
    Seed,
    Verbose,
    check_number,
    check_verbose,
    compressed,
    flag,
    one_of,
    plain_errors,
    required,
    threads,
    whole,
)

_MODES = ("distance", "connectivity")


class KNeighborsTransformer(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Turns points into a sparse matrix of the distances to their nearest neighbors.

    The interface of `sklearn.neighbors.KNeighborsTransformer`, for pipelines whose estimators have
    ``metric="precomputed"``, and for scanpy: ``sc.pp.neighbors(adata, transformer=KNeighborsTransformer(15))``.
    The search is exact unless `recall` is given. Neighbors at the same distance are ordered by row.

    Parameters
    ----------
    n_neighbors : int, default=5
        Number of neighbors, without the point itself; at least 1 and below n_samples.
    mode : {"distance", "connectivity"}, default="distance"
        Whether entries are distances or 1. The matrix of distances also has an explicit 0 for each training
        point itself, as scikit-learn's; the matrix of ones counts the point among its neighbors.
    metric : str or callable, default="minkowski"
        As in `swissroll.neighbors`, or any metric of scikit-learn, whose distances between all points are
        computed.
    p : float, default=2
        Exponent of ``"minkowski"``, at least 1.
    metric_params : dict, default=None
        Further parameters of the metric.
    recall : float, default=None
        The fraction of right neighbors, above 0 and at most 1, until which the training points are searched
        approximately; see `swissroll.neighbors`. New points are always searched exactly.
    random_state : int, RandomState, Generator or None, default=None
        Seed of the approximate search; None for 0.
    n_jobs : int, default=None
        Number of threads; None and -1 for all processors.
    verbose : bool or callable, default=False
        Whether to show progress.

    Attributes
    ----------
    neighbors_ : Neighbors
        The lists of the training points, without the points themselves.
    n_samples_fit_ : int
        The number of training points.
    effective_metric_ : str or callable
        The metric.
    n_features_in_ : int
        The number of columns.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Only where the columns of X have names: these.

    Examples
    --------
    >>> import swissroll
    >>> from sklearn.pipeline import make_pipeline
    >>> X, _ = swissroll.datasets.make_swiss_roll(300)
    >>> search = swissroll.KNeighborsTransformer(n_neighbors=12)
    >>> search.fit_transform(X).nnz
    3900
    >>> pipeline = make_pipeline(search, swissroll.Isomap(n_neighbors=12, metric="precomputed"))
    >>> pipeline.fit_transform(X).shape
    (300, 2)
    """

    neighbors_: Neighbors
    n_samples_fit_: int
    effective_metric_: Metric
    n_features_in_: int
    feature_names_in_: NDArray[Any]

    def __init__(
        self,
        n_neighbors: int = 5,
        *,
        mode: str = "distance",
        metric: Metric = "minkowski",
        p: float = 2,
        metric_params: dict[str, Any] | None = None,
        recall: float | None = None,
        random_state: Seed = None,
        n_jobs: int | None = None,
        verbose: Verbose = False,
    ):
        self.n_neighbors = n_neighbors
        self.mode = mode
        self.metric = metric
        self.p = p
        self.metric_params = metric_params
        self.recall = recall
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def fit(self, X: Any, y: Any = None) -> Self:
        """Searches the neighbors of all training points.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Points; with ``metric="precomputed"`` distances between all of them.
        y : None
            Not used.

        Returns
        -------
        self : KNeighborsTransformer
            The transformer.
        """
        one_of("mode", self.mode, _MODES)
        check_number("p", self.p)
        check_verbose(self.verbose)
        k = required("n_neighbors", whole("n_neighbors", self.n_neighbors), "an integer")
        name = self._name()
        if name in MIXED:
            raise ValueError(
                f"metric={self.metric!r} has no matrix of new rows; swissroll.neighbors(X, k, metric={self.metric!r}) "
                "searches such tables"
            )
        X = self._rows(X, reset=True)
        if self.metric == "precomputed" and X.shape[0] != X.shape[1]:
            raise ValueError(
                f"X must be a square distance matrix with metric='precomputed', but has shape {X.shape}"
            )
        if name is not None or self.metric == "precomputed":
            searched, metric = X, name or "precomputed"
        else:
            searched, metric = self._distances(X, None), "precomputed"
        self.neighbors_ = neighbors(
            searched,
            k,
            metric=metric,
            recall=self.recall,
            random_state=self.random_state,
            n_jobs=self.n_jobs,
            verbose=self.verbose,
        )
        self._fit_X = X
        self.n_samples_fit_ = X.shape[0]
        plain = {"minkowski:2": "euclidean", "minkowski:2.0": "euclidean"}
        self.effective_metric_ = self.metric if name is None else plain.get(name, name)
        return self

    def fit_transform(self, X: Any, y: Any = None) -> sparse.csr_matrix:
        """Searches the neighbors of all training points, and returns their matrix.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Points, or distances.
        y : None
            Not used.

        Returns
        -------
        graph : scipy.sparse.csr_matrix of shape (n_samples, n_samples)
            As `transform` returns for the training points; neighbors of an approximate search where
            `recall` is given.
        """
        self.fit(X)
        own = self.mode == "connectivity"
        lists = self.neighbors_
        if own and self.n_neighbors > 1:
            lists = lists.truncated(self.n_neighbors - 1)
        graph, n = to_sparse(lists), self.n_samples_fit_
        if own and self.n_neighbors == 1:
            return sparse.csr_matrix(sparse.identity(n, format="csr"))
        # The point itself first.
        pointers = graph.indptr + np.arange(n + 1)
        at = np.delete(np.arange(pointers[-1]), pointers[:-1])
        columns, values = np.empty(pointers[-1], dtype=np.int32), np.zeros(pointers[-1])
        columns[pointers[:-1]], columns[at] = np.arange(n), graph.indices
        values[at] = graph.data
        if own:
            values[:] = 1.0
        return sparse.csr_matrix((values, columns, pointers), shape=(n, n))

    def transform(self, X: Any) -> sparse.csr_matrix:
        """The matrix of the distances from new points to their nearest training points.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_queries, n_features)
            New points; with ``metric="precomputed"`` their distances to all training points.

        Returns
        -------
        graph : scipy.sparse.csr_matrix of shape (n_queries, n_samples)
            With ``mode="distance"``, n_neighbors + 1 entries a row, so that a training point has n_neighbors
            others; with ``"connectivity"``, n_neighbors.
        """
        check_is_fitted(self)
        k = self.n_neighbors + (self.mode == "distance")
        return self.kneighbors_graph(X, min(k, self.n_samples_fit_), self.mode)

    def kneighbors(
        self, X: Any = None, n_neighbors: int | None = None, return_distance: bool = True
    ) -> tuple[NDArray[np.float64], NDArray[np.int64]] | NDArray[np.int64]:
        """The nearest training points of points, nearest first.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_queries, n_features), default=None
            New points; None for the training points, which are then no neighbors of themselves.
        n_neighbors : int, default=None
            Number of neighbors; None for the number of the fit.
        return_distance : bool, default=True
            Whether to return distances, too.

        Returns
        -------
        distances : ndarray of shape (n_queries, n_neighbors)
            The distances; not returned without `return_distance`.
        indices : ndarray of shape (n_queries, n_neighbors)
            Rows of the training points.
        """
        check_is_fitted(self)
        k = whole("n_neighbors", self.n_neighbors if n_neighbors is None else n_neighbors)
        with_distances = required(
            "return_distance", flag("return_distance", return_distance), "True or False"
        )
        if X is None:
            distances, indices = self._of_training(k)
        else:
            distances, indices = self._of_new(self._rows(X, reset=False), k)
        return (distances, indices) if with_distances else indices

    def kneighbors_graph(
        self, X: Any = None, n_neighbors: int | None = None, mode: str = "connectivity"
    ) -> sparse.csr_matrix:
        """The matrix of the nearest training points of points.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_queries, n_features), default=None
            New points; None for the training points, which are then no neighbors of themselves.
        n_neighbors : int, default=None
            Number of neighbors; None for the number of the fit.
        mode : {"connectivity", "distance"}, default="connectivity"
            Whether entries are 1 or distances.

        Returns
        -------
        graph : scipy.sparse.csr_matrix of shape (n_queries, n_samples)
            The matrix.
        """
        one_of("mode", mode, _MODES)
        distances, indices = self.kneighbors(X, n_neighbors)
        rows, k = indices.shape
        values = distances.ravel() if mode == "distance" else np.ones(rows * k)
        pointers = np.arange(0, rows * k + 1, k)
        return sparse.csr_matrix((values, indices.ravel(), pointers), shape=(rows, self.n_samples_fit_))

    def _name(self):
        """The registry's name of the metric; None where only scikit-learn has it."""
        return registered_metric(self.metric, self.metric_params or {}, self.p)

    def _rows(self, X, reset):
        dense = self.metric == "precomputed" or self._name() is None
        kinds = dict(dtype=[np.float64, np.float32], order="C")
        least = 2 if reset else 1
        accepted = False if dense else "csr"
        return validate_data(self, X, reset=reset, accept_sparse=accepted, ensure_min_samples=least, **kinds)

    def _distances(self, X, training):
        given = dict(self.metric_params or {})
        if self.metric == "minkowski":
            given.setdefault("p", self.p)
        return all_distances(X, training, self.metric, given)

    def _of_training(self, k):
        lists = self.neighbors_
        if k > lists.k:
            raise ValueError(
                f"n_neighbors must be at most {lists.k}, the number of the fit, for the training points, but is {k}"
            )
        _, columns, distances = lists.truncated(k).sparse()
        return distances.reshape(-1, k), columns.reshape(-1, k)

    def _of_new(self, X, k):
        name = self._name()
        if name is not None:
            with plain_errors():
                indices, distances = _native.nearest(
                    compressed(X), compressed(self._fit_X), k, metric=name, threads=threads(self.n_jobs)
                )
            return distances, indices.astype(np.int64)
        if not 1 <= k <= self.n_samples_fit_:
            raise ValueError(f"n_neighbors must be 1 to {self.n_samples_fit_}, but is {k}")
        given = self.metric == "precomputed"
        if not given:
            allow("the distances to all training points", 16 * X.shape[0] * self.n_samples_fit_)
        distances = X if given else self._distances(X, self._fit_X)
        indices = np.argsort(distances, axis=1, kind="stable")[:, :k]
        return np.take_along_axis(distances, indices, axis=1).astype(np.float64), indices

    @property
    def _n_features_out(self):
        return self.n_samples_fit_

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.metric == "precomputed"
        tags.input_tags.sparse = self.metric != "precomputed" and self._name() is not None
        return tags
