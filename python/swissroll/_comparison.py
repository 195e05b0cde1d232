"""Several methods on the same data."""

from __future__ import annotations

import html
import time
import warnings
from collections.abc import Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import BaseEstimator, clone
from sklearn.utils import check_array, check_consistent_length

from . import _native, quality
from ._base import Embedder, Floats
from ._pictures import pictures
from ._settings import Seed, class_numbers, mistyped, required, seed, whole, word

if TYPE_CHECKING:
    import pandas as pd


class Comparison:
    """The maps and scores of several methods.

    Shown in a notebook as the table and a small picture of every map. `lab` is the page in which
    the methods run live. A comparison can be pickled.

    Attributes
    ----------
    table : pandas.DataFrame
        One row per method: seconds, every measure that applies, and its failure where one
        did not succeed.
    maps : dict
        The coordinates by the name of the method.
    estimators : dict
        The fitted estimators by the name of the method.

    Examples
    --------
    >>> import swissroll
    >>> X, position = swissroll.datasets.make_swiss_roll(300)
    >>> found = swissroll.compare(X, methods=["PCA", "LTSA"])
    >>> list(found.table.index), found.maps["LTSA"].shape
    (['PCA', 'LTSA'], (300, 2))
    """

    table: pd.DataFrame
    maps: dict[str, Floats]
    estimators: dict[str, Any]

    def __init__(
        self,
        table: pd.DataFrame,
        maps: dict[str, Floats],
        estimators: dict[str, Any],
        page: dict[str, Any],
    ) -> None:
        self.table, self.maps, self.estimators = table, maps, estimators
        #: The arguments of the page of the lab.
        self._page = page

    def page(self) -> str:
        """The lab: one self-contained HTML page in which the methods run live.

        Returns
        -------
        html : str
            The text of the page, with the engine and the data.
        """
        return _native.page(**self._page)

    def lab(self) -> Lab:
        """The lab for a notebook: as the last expression of a cell it shows the page there.

        The page, with the engine and the data, becomes a part of the notebook's file.

        Returns
        -------
        lab : Lab
            What the notebook shows.
        """
        return Lab(self.page())

    def _repr_html_(self) -> str:
        table = self.table.to_html(float_format="%.4g", na_rep="")
        truth, classes = self._page["truth"], self._page["classes"]
        color = truth[:, 0] if truth is not None else classes[0] if classes is not None else None
        return table + pictures(self.maps, color)

    def __repr__(self) -> str:
        return repr(self.table)


class Lab:
    """The page of the lab, which a notebook shows in a frame."""

    def __init__(self, page: str) -> None:
        self._page = page

    def _repr_html_(self) -> str:
        page = html.escape(self._page)
        return f'<iframe srcdoc="{page}" style="width: 100%; height: 800px; border: 0"></iframe>'


def compare(
    X: Any,
    *,
    labels: Any = None,
    truth: Any = None,
    methods: str | type | BaseEstimator | Sequence[str | type | BaseEstimator] | None = None,
    n_components: int = 2,
    n_neighbors: int = 10,
    measure_neighbors: int = 10,
    random_state: Seed = 0,
    rows: int | None = None,
    name: str = "data",
) -> Comparison:
    """Fits several methods to the same data, and measures their maps.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Points, one per row.
    labels : array-like of shape (n_samples,), default=None
        A class per point; methods that need classes are left out without.
    truth : array-like of shape (n_samples, n_dimensions), default=None
        The true coordinates, where known.
    methods : list of str, class or estimator, default=None
        Names of classes (``"LTSA"``) or of the registry (``"ltsa"``), classes, or estimators; None
        for every method.
    n_components, n_neighbors, random_state : int
        Set in all methods that are given by name and have the parameter.
    measure_neighbors : int, default=10
        Neighborhood size of the measures.
    rows : int, default=None
        Measures average over that many evenly spaced rows; None for all.
    name : str, default="data"
        The name of the data on the page.

    Returns
    -------
    comparison : Comparison
        Table, maps, estimators and page. Needs pandas.
    """
    import pandas as pd

    X = check_array(X, dtype=[np.float64, np.float32], order="C")
    for title, value in (
        ("n_components", n_components),
        ("n_neighbors", n_neighbors),
        ("measure_neighbors", measure_neighbors),
    ):
        required(title, whole(title, value), "an integer")
    rows = whole("rows", rows)
    required("name", word("name", name), "text")
    classes = None
    if labels is not None:
        numbers, names = class_numbers(labels)
        classes = numbers, [str(each) for each in names]
    if truth is not None:
        truth = check_array(truth, dtype=np.float64, order="C", input_name="truth")
    check_consistent_length(X, labels, truth)
    common = {"n_components": n_components, "n_neighbors": n_neighbors, "random_state": random_state}
    chosen = _chosen(methods, common, labels)
    table: dict[str, dict[str, Any]] = {}
    maps: dict[str, Floats] = {}
    fitted: dict[str, Any] = {}
    said: dict[tuple[str, type[Warning]], list[str]] = {}
    for title, estimator in chosen.items():
        row = table[title] = {"seconds": np.nan}
        if estimator._needs_labels and labels is None:
            row["failure"] = "needs a class per point: give labels"
            continue
        began = time.perf_counter()
        try:
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                estimator.fit(X, labels if _uses_labels(estimator) else None)
            for warning in caught:
                said.setdefault((str(warning.message), warning.category), []).append(title)
            row["seconds"] = time.perf_counter() - began
            embedding = estimator.embedding_
            if not np.isfinite(embedding).all():
                raise ValueError("not every point was placed")
            row.update(
                quality.score(
                    X, embedding, n_neighbors=measure_neighbors, truth=truth, labels=labels, rows=rows
                )
            )
            maps[title], fitted[title] = embedding, estimator
        except (TypeError, ValueError, MemoryError, _native.ConvergenceError) as failure:
            row["failure"] = str(failure)
    # Each warning once, with the methods whose fits give it.
    for (message, category), titles in said.items():
        warnings.warn(f"{message} ({', '.join(titles)})", category, stacklevel=2)

    known = [estimator._method for estimator in chosen.values()]
    page = dict(
        points=X,
        name=name,
        classes=classes,
        truth=truth,
        methods=known if len(known) <= 12 else None,
        k=n_neighbors,
        dim=n_components,
        seed=seed(random_state),
    )
    return Comparison(pd.DataFrame.from_dict(table, orient="index"), maps, fitted, page)


def _uses_labels(estimator):
    """Whether the fit of an estimator depends on classes."""
    return estimator._needs_labels or (estimator._reads_labels and estimator.target_weight is not None)


def _classes():
    """All classes of methods by name, including the classes with scikit-learn's signatures."""
    from . import _drop_in
    from ._loading import estimators

    classes = {kind.__name__: kind for kind in estimators().values()}
    others = (_drop_in.LocallyLinearEmbedding, _drop_in.MDS, _drop_in.SpectralEmbedding)
    return {**classes, **{kind.__name__: kind for kind in others}}


def named_class(method):
    """The class of a method, given by the method's name, the name of the class, or the class."""
    from ._loading import estimators

    known, classes = estimators(), _classes()
    if isinstance(method, type) and issubclass(method, Embedder):
        return method
    if not isinstance(method, str):
        raise mistyped("each of methods", "a name, or a class or an estimator of swissroll", method)
    kind = known.get(method) or classes.get(method)
    if kind is not None:
        return kind
    # A name that differs by case, hyphens or a letter.
    names = {_plain(name): kind.__name__ for name, kind in {**known, **classes}.items()}
    near = get_close_matches(_plain(method), names, n=1, cutoff=0.8)
    hint = f"did you mean {names[near[0]]!r}? " if near else ""
    raise ValueError(f"there is no method {method!r}; {hint}known: {', '.join(classes)}")


def _plain(name):
    return name.replace("-", "").replace("_", "").replace(" ", "").lower()


def _chosen(methods, common, labels):
    """Estimators by their titles."""
    from ._loading import estimators

    if methods is None:
        every = estimators().items()
        methods = [name for name, kind in every if labels is not None or not kind._needs_labels]
    elif isinstance(methods, (str, type, BaseEstimator)):
        methods = [methods]
    elif not np.iterable(methods):
        raise mistyped("methods", "a list of names, classes or estimators", methods)
    chosen = {}
    for method in methods:
        if isinstance(method, Embedder):
            estimator = clone(method)
        else:
            kind = named_class(method)
            parameters = kind().get_params()
            estimator = kind(**{key: value for key, value in common.items() if key in parameters})
        title, number = type(estimator).__name__, 2
        while title in chosen:
            title, number = f"{type(estimator).__name__} {number}", number + 1
        chosen[title] = estimator
    return chosen
