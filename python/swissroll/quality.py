"""Measures of an embedding."""

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_array

from . import _native
from ._settings import class_numbers, flag, is_number, plain_errors, required, threads, whole, words


def measures() -> dict[str, list[dict[str, Any]]]:
    """All measures.

    Returns
    -------
    measures : dict
        ``whole``: name, meaning, range, better end and explanation (its sections) of each
        measure of a map; ``points``: name, title, meaning, range and better end of each
        measure per point.
    """
    return json.loads(_native.measures())


def score(
    X: Any,
    embedding: Any,
    *,
    n_neighbors: int = 10,
    truth: Any = None,
    labels: Any = None,
    names: Sequence[str] | None = None,
    rows: int | None = None,
    n_jobs: int | None = None,
) -> dict[str, float]:
    """Measures an embedding against its data.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        The data.
    embedding : array-like of shape (n_samples, n_components)
        Their coordinates.
    n_neighbors : int, default=10
        Neighborhood size of the measures.
    truth : array-like of shape (n_samples, n_dimensions), default=None
        The true coordinates, where known.
    labels : array-like of shape (n_samples,), default=None
        A class per point.
    names : list of str, default=None
        The measures to compute; each must be defined. None for all that apply.
    rows : int, default=None
        Averages over that many evenly spaced rows, for large data; None for all rows. Measures of
        pairs, as the residual variance, need all rows.
    n_jobs : int, default=None
        Number of threads; None and -1 for all processors.

    Returns
    -------
    scores : dict
        The value of each measure that applies, in the order of `measures`.
    """
    X, embedding = _matrix(X, "X"), _matrix(embedding, "embedding")
    if truth is not None:
        truth = _matrix(truth, "truth")
    if labels is not None:
        labels = class_numbers(labels)[0]
    chosen = words("names", names)
    if rows is not None and is_number(rows) and rows < 1:
        raise ValueError(f"rows must be None or at least 1, but is {rows}")
    rows = whole("rows", rows)
    with plain_errors():
        found = _native.score(
            X,
            embedding,
            required("n_neighbors", whole("n_neighbors", n_neighbors), "an integer"),
            truth=truth,
            labels=labels,
            names=chosen,
            rows=rows,
            threads=threads(n_jobs),
        )
    _complete(chosen, found)
    return {
        measure["name"]: found[measure["name"]] for measure in measures()["whole"] if measure["name"] in found
    }


def score_points(
    X: Any,
    embedding: Any,
    *,
    n_neighbors: int = 10,
    names: Sequence[str] | None = None,
    n_jobs: int | None = None,
) -> dict[str, NDArray[np.float64]]:
    """Measures an embedding around every point.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        The data.
    embedding : array-like of shape (n_samples, n_components)
        Their coordinates.
    n_neighbors : int, default=10
        Neighborhood size of the measures.
    names : list of str, default=None
        The measures that are computed; None for all that apply.
    n_jobs : int, default=None
        Number of threads; None and -1 for all processors.

    Returns
    -------
    scores : dict
        An array of n_samples values per measure; NaN where a value is undefined for one
        point alone.
    """
    X, embedding = _matrix(X, "X"), _matrix(embedding, "embedding")
    chosen = words("names", names)
    with plain_errors():
        k = required("n_neighbors", whole("n_neighbors", n_neighbors), "an integer")
        found = _native.score_points(X, embedding, k, names=chosen, threads=threads(n_jobs))
    _complete(chosen, found)
    return {name: np.asarray(values) for name, values in found.items()}


def intrinsic_dimension(
    X: Any, *, n_neighbors: int = 15, per_point: bool = False, n_jobs: int | None = None
) -> dict[str, float] | tuple[dict[str, float], dict[str, NDArray[np.float64]]]:
    """Estimates the intrinsic dimension of data by five estimators.

    ``maximum-likelihood`` and ``two-nn`` read the distances to the neighbors, ``local-pca`` the
    variances of neighborhoods, ``correlation`` the number of close pairs, and
    ``principal-components`` counts the components with 95 % of the variance. Noise raises the
    first two, curvature the last; boundaries lower all but the last.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        The data.
    n_neighbors : int, default=15
        Number of neighbors of each point, 3 to n_samples - 1.
    per_point : bool, default=False
        Whether to return the local estimates, too.
    n_jobs : int, default=None
        Number of threads; None and -1 for all processors.

    Returns
    -------
    estimates : dict
        The estimate of each estimator; NaN where it is undefined, as for equal points.
    local : dict
        Only if `per_point`: an array of n_samples values for each of ``maximum-likelihood`` and
        ``local-pca``; NaN where a value is undefined.

    Examples
    --------
    >>> import swissroll
    >>> X, t = swissroll.datasets.make_swiss_roll(1000)
    >>> round(swissroll.quality.intrinsic_dimension(X)["maximum-likelihood"])
    2
    """
    X = _matrix(X, "X")
    per_point = bool(flag("per_point", per_point))
    with plain_errors():
        k = required("n_neighbors", whole("n_neighbors", n_neighbors), "an integer")
        whole_set, local = _native.dimension(X, k, per_point=per_point, threads=threads(n_jobs))
    if not per_point:
        return whole_set
    return whole_set, {name: np.asarray(values) for name, values in local.items()}


def _complete(names, found):
    """Fails where a measure that was given by name has no value."""
    missing = [name for name in names or () if name not in found]
    if missing:
        raise ValueError(
            f"{', '.join(missing)}: not defined for these data. Some measures need true coordinates or "
            "labels, fewer neighbors (trustworthiness: below n_samples / 2), or all rows"
        )


def _matrix(values, name):
    return check_array(values, dtype=[np.float64, np.float32], order="C", input_name=name)
