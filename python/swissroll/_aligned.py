"""Maps of several data sets whose rows are related by names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Self

import numpy as np
from sklearn.base import BaseEstimator, clone
from sklearn.utils.validation import validate_data

from . import _native
from ._base import DTYPES, Estimator, Floats
from ._drop_in import Isomap
from ._mixed import MIXED
from ._progress import reporter
from ._settings import (
    check_number,
    check_verbose,
    memory_limit,
    mistyped,
    one_of,
    plain_errors,
    threads,
)


class Apart(NamedTuple):
    """How far the rows of one name are apart in the maps of a data set and the next one."""

    related: int
    """The number of pairs of rows with one name."""
    median: float
    """Their median distance, in units of the distance of neighbors: the median distance from a row to its tenth
    neighbor in its map, in the map where that is smaller."""
    largest: float
    """The largest distance, in the same units."""


class AlignedMaps(BaseEstimator):
    """Maps of several data sets, such as weeks or cohorts, in which rows of one name are near each other.

    Iterative methods draw such rows together while they fit, by λ/2 times the squares of their distances. Maps
    of other methods are rotated onto the maps of the sets before. Data sets may have different columns, and
    rows in any order.

    Parameters
    ----------
    estimator : estimator of swissroll
        The method of all maps; it is cloned. Neither a linear map, nor the class Isomap (LandmarkIsomap and
        CIsomap are possible), and without ``metric="precomputed"``, given coordinates or a metric of another
        package.
    pull : float, default=None
        λ, how strongly rows of one name are drawn to each other by iterative methods; None for 2. Legal: above 0.
    relations : {"neighboring", "all"}, default="neighboring"
        Whether rows of one name are related in each data set and the next one, or in all pairs.
    verbose : bool or callable, default=False
        Whether to show progress.

    Attributes
    ----------
    estimators_ : list of estimators
        A fitted estimator for each data set, which places new rows of it.
    embeddings_ : list of ndarray of shape (n_samples, n_components)
        The maps.
    apart_ : dict of tuple to Apart
        For each pair of neighboring data sets that share names, how far their rows of one name are apart.

    Examples
    --------
    >>> import swissroll
    >>> X, _ = swissroll.datasets.make_swiss_roll(400)
    >>> names = [f"row {i}" for i in range(400)]
    >>> maps = swissroll.AlignedMaps(swissroll.LTSA(n_neighbors=10))
    >>> maps = maps.fit([X[:250], X[150:]], [names[:250], names[150:]])
    >>> [Y.shape for Y in maps.embeddings_], maps.apart_[0, 1].related
    ([(250, 2), (250, 2)], 100)
    """

    estimators_: list[Estimator]
    embeddings_: list[Floats]
    apart_: dict[tuple[int, int], Apart]

    def __init__(
        self,
        estimator: Estimator,
        *,
        pull: float | None = None,
        relations: str = "neighboring",
        verbose: Any = False,
    ) -> None:
        self.estimator = estimator
        self.pull = pull
        self.relations = relations
        self.verbose = verbose

    def fit(self, Xs: Sequence[Any], names: Sequence[Sequence[Any]]) -> Self:
        """Fits a map of each data set.

        Parameters
        ----------
        Xs : sequence of array-like, each of shape (n_samples, n_features)
            The data sets, at least two.
        names : sequence of sequences
            A name for each row of each data set, text or numbers; 1 and 1.0 are one name. The names of a set
            differ, and none is missing.

        Returns
        -------
        self : object
            The fitted object.
        """
        check_number("pull", self.pull)
        one_of("relations", self.relations, ("neighboring", "all"))
        check_verbose(self.verbose)
        first = self._checked()
        for name, value in (("Xs", Xs), ("names", names)):
            if isinstance(value, str) or not hasattr(value, "__len__") or not hasattr(value, "__iter__"):
                raise mistyped(name, "a list with an entry for each data set", value)
        if len(Xs) != len(names):
            raise ValueError(
                f"names must have an entry for each of the {len(Xs)} data sets, but has {len(names)}"
            )
        fitted = [clone(first) for _ in Xs]
        rows = [
            validate_data(one, X, dtype=DTYPES, order="C", ensure_min_samples=2)
            for one, X in zip(fitted, Xs, strict=True)
        ]
        texts = [_texts(at, named, len(X)) for at, (named, X) in enumerate(zip(names, rows, strict=True))]
        progress, end = reporter(self.verbose, type(self).__name__)
        own = {registered: name for name, registered in first._names.items()}
        try:
            with plain_errors(own):
                models, apart = _native.align(
                    first._method,
                    first._settings(),
                    rows,
                    texts,
                    pull=self.pull,
                    relations=self.relations,
                    metric=first._native_metric(),
                    memory=memory_limit(),
                    threads=threads(first._jobs()),
                    progress=progress,
                )
        finally:
            end()
        for one, X, model in zip(fitted, Xs, models, strict=True):
            one._ready = model
            one.fit(X)
        self.estimators_ = fitted
        self.embeddings_ = [one.embedding_ for one in fitted]
        self.apart_ = {
            (at, at + 1): Apart(related, median, largest) for at, related, median, largest in apart
        }
        return self

    def fit_transform(self, Xs: Sequence[Any], names: Sequence[Sequence[Any]]) -> list[Floats]:
        """Fits a map of each data set and returns the maps; the parameters are the same as for `fit`.

        Returns
        -------
        embeddings : list of ndarray of shape (n_samples, n_components)
            The coordinates of the rows of each data set.
        """
        return self.fit(Xs, names).embeddings_

    def _checked(self):
        """A clone of the estimator, where its maps can be aligned."""
        if not isinstance(self.estimator, Estimator):
            raise mistyped("estimator", "an estimator of swissroll that places new points", self.estimator)
        first = clone(self.estimator)
        first._check_types()
        name = type(first).__name__
        if first._map or first._needs_labels or isinstance(first, Isomap):
            raise ValueError(
                f"maps of {name} cannot be aligned: linear maps and the class Isomap keep their axes"
            )
        metric = None if first._precomputed() else first._native_metric()
        given = np.ndim(getattr(first, "init", None)) > 0 or getattr(first, "warm_start", False)
        if metric is None or metric in MIXED or given:
            raise ValueError(
                f"{name} must compare points by a metric of numbers of swissroll, and start by itself, so that "
                "its maps can be aligned"
            )
        return first


def _texts(at, names, n):
    """The names of a data set as text."""
    if isinstance(names, str) or not hasattr(names, "__len__") or not hasattr(names, "__iter__"):
        raise mistyped(f"names[{at}]", "a list with a name for each row", names)
    if len(names) != n:
        raise ValueError(f"names[{at}] must have a name for each of {n} rows, but has {len(names)}")
    return [_text(at, row, name) for row, name in enumerate(names)]


def _text(at, row, name):
    """A name as text, whole numbers alike whatever their type."""
    if name is None or name != name:
        raise ValueError(
            f"names[{at}] must have a name for each row, but row {row} has {name}; leave the row out"
        )
    whole = isinstance(name, (float, np.floating)) and float(name).is_integer()
    return str(int(name)) if whole else str(name)
