"""Measures of an embedding, and which of its parts can be trusted."""

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_array
from sklearn.utils.validation import check_is_fitted

from . import _native
from ._base import Estimator
from ._mixed import MIXED
from ._settings import (
    class_numbers,
    flag,
    is_number,
    plain_errors,
    required,
    seed,
    threads,
    whole,
    word,
    words,
)


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


def perturbation(
    estimator: Any,
    X: Any = None,
    *,
    n_neighbors: int = 10,
    rows: int | None = None,
    random_state: Any = 0,
    n_jobs: int | None = None,
) -> dict[str, Any]:
    """Scores which points of a map jump when their data change a little.

    Each row is moved by the distance to its k-th neighbor, and placed in the map without the row
    itself. The score is how far it jumps, in distances to the k-th neighbor in the map. Smooth
    maps have scores of about 1; scores above 8 mark tears, and points between clusters that the
    map separates. Scores say nothing about distances between clusters.

    Parameters
    ----------
    estimator : estimator
        A fitted estimator of this package.
    X : array-like of shape (n_samples, n_features), default=None
        The rows of the fit; None where the estimator keeps them, as all but linear ones do.
    n_neighbors : int, default=10
        Number of neighbors k in data and map.
    rows : int, default=None
        Scores that many random rows, for large data; None for all.
    random_state : int, RandomState or None, default=0
        Seed of that choice.
    n_jobs : int, default=None
        Number of threads; None and -1 for all processors.

    Returns
    -------
    found : dict
        ``scores``: an array of n_samples values, NaN for rows that were not scored;
        ``jumps``: the rows with scores above 8, the largest first; ``sentence``: what they say.

    References
    ----------
    Liu, Ma and Zhong (2025), Assessing and improving reliability of neighbor embedding methods: a
    map-continuity perspective, doi:10.1038/s41467-025-60434-9.

    Examples
    --------
    >>> import swissroll
    >>> X, t = swissroll.datasets.make_swiss_roll(300)
    >>> isomap = swissroll.Isomap(n_neighbors=8).fit(X)
    >>> swissroll.quality.perturbation(isomap)["scores"].shape
    (300,)
    """
    model, points, metric = _fitted(estimator, X)
    rows = whole("rows", rows)
    with plain_errors():
        scored, values, jumps, sentence = _native.perturbation(
            model,
            required("n_neighbors", whole("n_neighbors", n_neighbors), "an integer"),
            points=points,
            metric_name=metric,
            rows=rows,
            seed=seed(random_state),
            threads=threads(n_jobs),
        )
    scores = np.full(_rows(estimator, points), np.nan)
    scores[scored] = values
    return {"scores": scores, "jumps": jumps.astype(np.intp), "sentence": sentence}


def singularity(estimator: Any) -> NDArray[np.float64]:
    """Scores how little the loss of t-SNE or UMAP determines the place of each point.

    The score is the inverse of the smallest curvature of the loss at the place of a point. Many
    large or negative scores mean that a larger neighborhood is needed; few at the rims of
    clusters are usual.

    Parameters
    ----------
    estimator : TSNE or UMAP
        A fitted estimator.

    Returns
    -------
    scores : ndarray of shape (n_samples,)
        The scores; infinite where the curvature is 0.

    Examples
    --------
    >>> import swissroll
    >>> X, t = swissroll.datasets.make_swiss_roll(200)
    >>> swissroll.quality.singularity(swissroll.TSNE().fit(X)).shape
    (200,)
    """
    with plain_errors(), np.errstate(divide="ignore"):
        return 1 / _native.curvatures(_checked(estimator)._model)


def drivers(
    estimator: Any, X: Any = None, *, n_neighbors: int = 30, n_jobs: int | None = None
) -> dict[str, NDArray[np.float64]]:
    """Which columns drive a map, at each of its points.

    Local regressions of the map on the columns; linear estimators have one exact answer for all
    points.

    Parameters
    ----------
    estimator : estimator
        A fitted estimator of this package.
    X : array-like of shape (n_samples, n_features), default=None
        The rows of the fit; None where the estimator keeps them, as all but linear ones do.
    n_neighbors : int, default=30
        Number of rows of a regression, along the neighbor graph.
    n_jobs : int, default=None
        Number of threads; None and -1 for all processors.

    Returns
    -------
    found : dict
        ``importance`` of shape (n_samples, n_features): how far a point moves when the column
        changes by one standard deviation; ``gradients`` of shape (n_samples, n_components,
        n_features): the change of each coordinate per unit of the column; ``certainty`` of shape
        (n_samples,): R² for neighbors left out, 1 for linear estimators. NaN for rows without a
        place.

    Examples
    --------
    >>> import swissroll
    >>> X, t = swissroll.datasets.make_swiss_roll(300)
    >>> swissroll.quality.drivers(swissroll.Isomap(n_neighbors=8).fit(X))["importance"].shape
    (300, 3)
    """
    model, points, metric = _fitted(estimator, X)
    with plain_errors():
        k = required("n_neighbors", whole("n_neighbors", n_neighbors), "an integer")
        rows, importance, gradients, certainty = _native.drivers(
            model, k, points=points, metric_name=metric, threads=threads(n_jobs)
        )
    columns = importance.shape[1]
    parts = {
        "importance": importance,
        "gradients": gradients.reshape(len(rows), -1, columns),
        "certainty": certainty,
    }
    n = _rows(estimator, points)
    found = {name: np.full((n, *part.shape[1:]), np.nan) for name, part in parts.items()}
    for name, part in parts.items():
        found[name][rows] = part
    return found


def ellipses(
    X: Any,
    embedding: Any,
    *,
    n_neighbors: int = 10,
    metric: str = "euclidean",
    n_jobs: int | None = None,
) -> dict[str, NDArray[np.float64]]:
    """How a map stretches the data around each point: what a small circle of the data becomes.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        The data.
    embedding : array-like of shape (n_samples, n_components)
        Their coordinates.
    n_neighbors : int, default=10
        Number of neighbors of a regression, at least n_components.
    metric : str, default="euclidean"
        The distance between rows.
    n_jobs : int, default=None
        Number of threads; None and -1 for all processors.

    Returns
    -------
    found : dict
        ``axes`` of shape (n_samples, n_components): half axes per unit of length of the data, the
        longest first; ``directions`` of shape (n_samples, n_components, n_components): a unit
        vector per axis. Equal axes mean that angles are right.

    References
    ----------
    Perrault-Joncas and Meilă (2013), Non-linear dimensionality reduction: Riemannian metric
    estimation and the problem of geometric discovery, arXiv:1305.7255.

    Examples
    --------
    >>> import swissroll
    >>> X, t = swissroll.datasets.make_swiss_roll(300)
    >>> swissroll.quality.ellipses(X, swissroll.LTSA().fit_transform(X))["axes"].shape
    (300, 2)
    """
    X, embedding = _matrix(X, "X"), _matrix(embedding, "embedding")
    with plain_errors():
        k = required("n_neighbors", whole("n_neighbors", n_neighbors), "an integer")
        axes, directions = _native.ellipses(
            X, embedding, k, metric_name=word("metric", metric), threads=threads(n_jobs)
        )
    dim = axes.shape[1]
    return {"axes": axes, "directions": directions.reshape(-1, dim, dim)}


def _checked(estimator):
    """A fitted estimator of this package; fails for others."""
    if not isinstance(estimator, Estimator):
        raise TypeError(
            f"estimator must be a fitted estimator of this package, but is a {type(estimator).__name__}"
        )
    check_is_fitted(estimator)
    return estimator


def _fitted(estimator, X):
    """The native model of an estimator of rows, the rows where they are given, and its metric."""
    metric = _checked(estimator)._native_metric()
    if (
        metric is None
        or metric in MIXED
        or estimator._precomputed()
        or estimator._model.lists_among() is not None
    ):
        raise ValueError(
            f"{type(estimator).__name__} must be fitted to rows of numbers by a metric of this package, not to "
            "distances, neighbor lists, or rows with categories or gaps: rows are moved, and columns compared"
        )
    return estimator._model, None if X is None else _matrix(X, "X"), metric


def _rows(estimator, points):
    """The number of rows of a fit."""
    return estimator.embedding_.shape[0] if points is None else points.shape[0]


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
