"""Neighbor lists."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse
from sklearn.utils import check_array

from . import _native
from ._settings import (
    check_number,
    compressed,
    flag,
    mistyped,
    one_of,
    plain_errors,
    required,
    whole,
    word,
)

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


class Neighbors:
    """For each point its neighbors, nearest first, as `swissroll.neighbors` finds them.

    ``LTSA(n_neighbors=10).fit(X, neighbors=lists)`` reads the lists instead of searching. They can
    be pickled.

    Attributes
    ----------
    k : int or None
        The number of neighbors, where the search had one.
    radius : float or None
        The radius, where the search had one.
    recall : float or None
        The fraction of right neighbors that an approximate search measured; None of other lists.
    found_by : str or None
        The algorithm of the search; None of given lists.

    Examples
    --------
    >>> import swissroll
    >>> X, _ = swissroll.datasets.make_swiss_roll(300)
    >>> lists = swissroll.neighbors(X, 12)
    >>> len(lists), lists.k
    (300, 12)
    >>> swissroll.LTSA(n_neighbors=10).fit_transform(X, neighbors=lists).shape
    (300, 2)
    """

    def __init__(self, native: _native.Neighbors) -> None:
        if not isinstance(native, _native.Neighbors):
            raise TypeError("swissroll.neighbors(X, k) and swissroll.Neighbors.from_sparse create lists")
        self._native = native

    @classmethod
    def from_sparse(
        cls,
        pointers: ArrayLike,
        columns: ArrayLike,
        distances: ArrayLike,
        k: int | None = None,
        radius: float | None = None,
        recall: float | None = None,
        found_by: str | None = None,
    ) -> Neighbors:
        """Lists from the parts of a sparse matrix of distances in compressed rows.

        Entries of a point to itself are left out.

        Parameters
        ----------
        pointers, columns : array-like of int
            As ``indptr`` and ``indices`` of `scipy.sparse.csr_array`: row i has the entries
            ``pointers[i]`` to ``pointers[i + 1] - 1``.
        distances : array-like of float
            As ``data`` of the matrix: the distance of each entry.
        k : int, default=None
            The number of neighbors; None for the length of the longest list.
        radius : float, default=None
            The radius, where the lists have all points within it.
        recall : float, default=None
            The fraction of right neighbors, where it is known.
        found_by : str, default=None
            The algorithm of the search that found the lists; None of given lists.

        Returns
        -------
        lists : Neighbors
            The lists.
        """
        starts = _integers("pointers", pointers)
        others = _integers("columns", columns)
        lengths = np.asarray(distances)
        if lengths.ndim != 1 or lengths.dtype.kind not in "fiu":
            raise mistyped("distances", "a list or an array of numbers", distances)
        if len(starts) < 2 or starts[0] != 0 or (np.diff(starts) < 0).any():
            raise ValueError(
                "pointers must start with 0, must not decrease, and must be one more than the points"
            )
        if not starts[-1] == len(others) == len(lengths):
            raise ValueError(
                f"pointers, columns and distances must agree on the number of entries, but it is {starts[-1]}, "
                f"{len(others)} and {len(lengths)}"
            )
        n = len(starts) - 1
        if len(others) and not 0 <= others.min() <= others.max() < n:
            raise ValueError(f"columns must be numbers of points, 0 to {n - 1}")
        for name, value in (("radius", radius), ("recall", recall)):
            check_number(name, value)
        if recall is not None and not 0 <= recall <= 1:
            raise ValueError(f"recall must be 0 to 1, but is {recall}")
        lengths = np.ascontiguousarray(lengths, dtype=np.float64)
        rule = whole("k", k), radius, recall, word("found_by", found_by)
        with plain_errors({}):
            return cls(_native.Neighbors.from_sparse(starts, others, lengths, *rule))

    @classmethod
    def from_arrays(cls, indices: ArrayLike, distances: ArrayLike) -> Neighbors:
        """Lists from the arrays that FAISS, pynndescent, hnswlib and scikit-learn return.

        Entries of a point to itself are left out, as are places without a neighbor, -1 in the indices. A
        search that returns the point itself may miss it in some lists; their farthest neighbor is left out, so
        that no list is longer than the others.

        Parameters
        ----------
        indices : array-like of int of shape (n_samples, k)
            The rows of the neighbors of each point.
        distances : array-like of float of shape (n_samples, k)
            The distances to them, at least 0; take the root where the program returns squares.

        Returns
        -------
        lists : Neighbors
            The lists, nearest first.

        Examples
        --------
        >>> import swissroll
        >>> from sklearn.neighbors import NearestNeighbors
        >>> X, _ = swissroll.datasets.make_swiss_roll(300)
        >>> distances, indices = NearestNeighbors(n_neighbors=13).fit(X).kneighbors(X)
        >>> swissroll.Neighbors.from_arrays(indices, distances).k
        12
        """
        others, lengths = np.asarray(indices), np.asarray(distances)
        if others.dtype.kind not in "iu" or others.ndim != 2:
            raise mistyped("indices", "an array of integers, n_samples x k", indices)
        if lengths.dtype.kind not in "fiu" or lengths.ndim != 2:
            raise mistyped("distances", "an array of numbers, n_samples x k", distances)
        if others.shape != lengths.shape:
            raise ValueError(
                f"indices and distances must have the same shape, but have {others.shape} and {lengths.shape}"
            )
        n = len(others)
        others, lengths = others.astype(np.int64), lengths.astype(np.float64)
        wrong = np.argwhere((others < -1) | (others >= n))
        if len(wrong):
            row, place = wrong[0]
            raise ValueError(
                f"indices must be rows of the points, 0 to {n - 1} (or -1 for no neighbor), but row {row} has "
                f"{others[row, place]}; lists of new points to training points are no neighbor graph"
            )
        known = others >= 0
        wrong = np.argwhere(known & ~((lengths >= 0) & np.isfinite(lengths)))
        if len(wrong):
            row, place = wrong[0]
            raise ValueError(
                f"distances must be finite and at least 0, but row {row} has {lengths[row, place]}; inner "
                "products and cosines are similarities, which must become distances first"
            )
        rows = np.broadcast_to(np.arange(n)[:, None], others.shape)
        known &= others != rows
        counts = known.sum(axis=1)
        # A list without the point itself has a neighbor more than the others.
        if counts.size and counts.max() == others.shape[1] and counts.min() < counts.max():
            order = np.argsort(np.where(known, lengths, np.inf), axis=1, kind="stable")
            longest = np.flatnonzero(counts == counts.max())
            known[longest, order[longest, -1]] = False
            counts = known.sum(axis=1)
        pointers = np.concatenate([[0], np.cumsum(counts)])
        return cls.from_sparse(pointers, others[known], lengths[known])

    def memberships(
        self, local_connectivity: float = 1.0, mix: float = 1.0, *, threads: int = 0
    ) -> sparse.csr_array:
        """The weighted graph that UMAP makes of the lists.

        The membership of neighbor j of point i at distance d is exp(-max(0, d - rho_i) / sigma_i); an edge
        joins the memberships of both ends. scanpy calls the matrix `connectivities`.

        Parameters
        ----------
        local_connectivity : float, default=1.0
            Number of nearest neighbors of full membership, at least 0.
        mix : float, default=1.0
            1 for the union of the directed edges, 0 for their intersection.
        threads : int, default=0
            Number of threads; 0 for all processors.

        Returns
        -------
        graph : scipy.sparse.csr_array of shape (n_samples, n_samples)
            The weights, 0 to 1, symmetric.
        """
        for name, value in (("local_connectivity", local_connectivity), ("mix", mix)):
            check_number(name, required(name, value, "a number"))
        count = required("threads", whole("threads", threads, least=0), "an integer")
        with plain_errors({"local-connectivity": "local_connectivity"}):
            pointers, columns, weights = self._native.memberships(
                float(local_connectivity), float(mix), threads=count
            )
        n = len(self)
        graph = sparse.csr_array((weights, columns, pointers), shape=(n, n))
        graph.eliminate_zeros()
        return graph

    def truncated(self, k: int) -> Neighbors:
        """The lists for a smaller number of neighbors.

        Parameters
        ----------
        k : int
            The number, 1 to the number of neighbors of these lists.

        Returns
        -------
        lists : Neighbors
            The shortened lists.
        """
        count = required("k", whole("k", k), "an integer")
        with plain_errors({}):
            return Neighbors(self._native.truncated(count))

    def bridged(self, X: Any, *, distances: bool = False, metric: str | None = None) -> Neighbors:
        """The lists with the shortest edges that join the components of their graph.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The points, or the distances between all of them.
        distances : bool, default=False
            Whether X holds distances.
        metric : str, default=None
            The metric between points, as in `swissroll.neighbors`; None for Euclidean distances.

        Returns
        -------
        lists : Neighbors
            The joined lists.
        """
        rows = compressed(check_array(X, accept_sparse="csr", dtype=[np.float64, np.float32], order="C"))
        given = word("metric", metric)
        by_distances = required("distances", flag("distances", distances), "True or False")
        with plain_errors({}):
            return Neighbors(self._native.bridged(rows, distances=by_distances, metric=given))

    def geodesics(self, symmetry: str = "union", *, threads: int = 0) -> NDArray[np.float64]:
        """Distances along the graph between all pairs; infinite between components.

        Parameters
        ----------
        symmetry : {"union", "mutual"}, default="union"
            Which directed edges make an undirected one.
        threads : int, default=0
            Number of threads; 0 for all processors.

        Returns
        -------
        distances : ndarray of shape (n_samples, n_samples)
            The distances.
        """
        one_of("symmetry", symmetry, ("union", "mutual"))
        count = required("threads", whole("threads", threads, least=0), "an integer")
        return self._native.geodesics(symmetry, threads=count)

    def components(self) -> NDArray[np.uint32]:
        """The component of the graph that each point is in, counted from 0.

        Returns
        -------
        components : ndarray of shape (n_samples,)
            The components.
        """
        return self._native.components()

    def sparse(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
        """The parts of a sparse matrix of the distances, which `from_sparse` reads.

        Returns
        -------
        pointers, columns, distances : ndarray
            ``indptr``, ``indices`` and ``data`` of `scipy.sparse.csr_array`.
        """
        return self._native.sparse()

    @property
    def k(self) -> int | None:
        """The number of neighbors, where the search had one."""
        return self._native.k

    @property
    def radius(self) -> float | None:
        """The radius, where the search had one."""
        return self._native.radius

    @property
    def recall(self) -> float | None:
        """The fraction of right neighbors that an approximate search measured."""
        return self._native.recall

    @property
    def found_by(self) -> str | None:
        """The algorithm of the search; None of given lists."""
        return self._native.found_by

    def __len__(self) -> int:
        return len(self._native)

    def __repr__(self) -> str:
        rule = f"k={self.k}" if self.k is not None else f"radius={self.radius:g}"
        recall = "" if self.recall is None else f", recall={self.recall:.3g}"
        return f"<swissroll.Neighbors of {len(self)} points, {rule}{recall}, found_by={self.found_by!r}>"


def _integers(name: str, values: Any) -> NDArray[np.int64]:
    """A list of integers of any width."""
    given = np.asarray(values)
    if given.ndim != 1 or (given.dtype.kind not in "iu" and given.size):
        raise mistyped(name, "a list or an array of integers", values)
    return np.ascontiguousarray(given, dtype=np.int64)


def native_lists(neighbors: Any) -> _native.Neighbors | None:
    """Lists as the native module takes them; fails for anything else."""
    if neighbors is None:
        return None
    if not isinstance(neighbors, Neighbors):
        raise TypeError(
            "neighbors must be lists that swissroll.neighbors(X, k) or swissroll.Neighbors.from_sparse "
            f"returns, but is of type {type(neighbors).__name__}"
        )
    return neighbors._native


def to_sparse(lists: Neighbors) -> sparse.csr_array:
    """Neighbor lists as a sparse matrix of distances.

    Parameters
    ----------
    lists : Neighbors
        The lists.

    Returns
    -------
    graph : scipy.sparse.csr_array of shape (n_samples, n_samples)
        Row i holds the distances to the neighbors of point i.
    """
    if not isinstance(lists, Neighbors):
        raise mistyped("lists", "swissroll.Neighbors", lists)
    pointers, columns, distances = lists.sparse()
    return sparse.csr_array((distances, columns, pointers), shape=(len(lists), len(lists)))
