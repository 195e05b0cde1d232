"""Several methods on the same data."""

import html
import time
from difflib import get_close_matches

import numpy as np
from sklearn.base import BaseEstimator, clone
from sklearn.utils import check_array

from . import _native, quality
from ._base import Embedder
from ._settings import seed


class Comparison:
    """The maps and scores of several methods.

    Shown in a notebook as the table and the lab: a page in which the methods run live.

    Attributes
    ----------
    table : pandas.DataFrame
        One row per method: seconds, every measure that applies, and its failure where one
        did not succeed.
    maps : dict
        The coordinates by the name of the method.
    estimators : dict
        The fitted estimators by the name of the method.
    """

    def __init__(self, table, maps, estimators, page):
        self.table, self.maps, self.estimators = table, maps, estimators
        self._page = page

    def page(self):
        """The lab: one self-contained HTML page in which the methods run live.

        Returns
        -------
        html : str
            The text of the page, about 1.5 MB and the data.
        """
        return self._page()

    def _repr_html_(self):
        page = html.escape(self.page())
        frame = f'<iframe srcdoc="{page}" style="width: 100%; height: 800px; border: 0"></iframe>'
        return self.table.to_html(float_format="%.4g", na_rep="") + frame

    def __repr__(self):
        return repr(self.table)


def compare(
    X,
    *,
    labels=None,
    truth=None,
    methods=None,
    n_components=2,
    n_neighbors=10,
    measure_neighbors=10,
    random_state=0,
    rows=None,
    name="data",
):
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
    common = {"n_components": n_components, "n_neighbors": n_neighbors, "random_state": random_state}
    chosen = _chosen(methods, common, labels)
    table, maps, fitted = {}, {}, {}
    for title, estimator in chosen.items():
        row = table[title] = {"seconds": np.nan}
        began = time.perf_counter()
        try:
            estimator.fit(X, labels)
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

    def page():
        classes = None
        if labels is not None:
            names, values = np.unique(labels, return_inverse=True)
            classes = (values.astype(np.uint32), [str(name) for name in names])
        known = [estimator._method for estimator in chosen.values()]
        return _native.page(
            X,
            name=name,
            classes=classes,
            truth=None if truth is None else check_array(truth, dtype=np.float64, order="C"),
            methods=known if len(known) <= 12 else None,
            k=n_neighbors,
            dim=n_components,
            seed=seed(random_state),
        )

    return Comparison(pd.DataFrame.from_dict(table, orient="index"), maps, fitted, page)


def _classes():
    """All classes of methods by name, including the classes with scikit-learn's signatures."""
    from . import _drop_in
    from ._loading import estimators

    classes = {kind.__name__: kind for kind in estimators().values()}
    others = (_drop_in.LocallyLinearEmbedding, _drop_in.MDS, _drop_in.SpectralEmbedding)
    return {**classes, **{kind.__name__: kind for kind in others}}


def _kind(method):
    """The class of a method, given by the method's name, the name of the class, or the class."""
    from ._loading import estimators

    known, classes = estimators(), _classes()
    if isinstance(method, type) and issubclass(method, Embedder):
        return method
    kind = known.get(method) or classes.get(method)
    if kind is not None:
        return kind
    # A name that differs by case, hyphens or a letter.
    names = {_plain(name): kind.__name__ for name, kind in {**known, **classes}.items()}
    near = get_close_matches(_plain(str(method)), names, n=1, cutoff=0.8)
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
    chosen = {}
    for method in methods:
        if isinstance(method, BaseEstimator):
            estimator = clone(method)
        else:
            kind = _kind(method)
            parameters = kind().get_params()
            estimator = kind(**{key: value for key, value in common.items() if key in parameters})
        title, number = type(estimator).__name__, 2
        while title in chosen:
            title, number = f"{type(estimator).__name__} {number}", number + 1
        chosen[title] = estimator
    return chosen
