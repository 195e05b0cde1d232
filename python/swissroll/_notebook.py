"""The figure of data and methods in a notebook."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import numpy as np
from sklearn.base import BaseEstimator, clone
from sklearn.utils import check_array, check_consistent_length

from . import _native
from ._base import Embedder
from ._comparison import named_class
from ._pictures import pictures
from ._settings import Seed, class_numbers, mistyped, required, seed, text, whole, word

if TYPE_CHECKING:
    from ._figure import Figure

#: Most rows of the static picture, whose maps are computed when the figure is made.
DRAWN = 500


def lab(
    X: Any,
    *,
    labels: Any = None,
    truth: Any = None,
    methods: str | type | BaseEstimator | Sequence[str | type | BaseEstimator] = ("Isomap", "LLE"),
    n_components: int = 2,
    n_neighbors: int = 10,
    random_state: Seed = 0,
    rows: int = 2000,
    controls: str = "full",
    name: str = "data",
) -> Figure:
    """Shows data and maps of them in a notebook, computed live in the browser.

    Works in Jupyter, VS Code and marimo, and needs anywidget: ``pip install 'swissroll-learn[notebook]'``.
    Points that are selected in the figure (Shift and drag) are rows in Python: ``figure.selected``. Engine and
    rows (1.2 MB and the data) are sent to the browser, and are not stored in the file of the notebook. That
    file keeps a static picture, which viewers without scripts show.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Points, one per row.
    labels : array-like of shape (n_samples,), default=None
        A class per point, for colors, for methods that need classes, and for measures.
    truth : array-like of shape (n_samples, n_dimensions), default=None
        The true coordinates, where known.
    methods : str, class, estimator, or a list, default=("Isomap", "LLE")
        Names of classes (``"LTSA"``) or of the registry (``"ltsa"``), classes, or estimators, whose parameters
        the figure begins with.
    n_components, n_neighbors, random_state : int
        Shared by all methods that have the parameter.
    rows : int, default=2000
        The size of the sample that is shown first; it is a control of the figure.
    controls : str, default="full"
        ``"full"``, or names separated by commas: ``"k,noise"``, or parameters of methods; ``""`` for none.
    name : str, default="data"
        The name of the data in the figure.

    Returns
    -------
    figure : Figure
        A widget with ``selected``, a list of rows, and ``settings``, a text.
    """
    X = check_array(X, dtype=[np.float64, np.float32], order="C")
    given = (("n_components", n_components), ("n_neighbors", n_neighbors), ("rows", rows))
    for title, value in given:
        required(title, whole(title, value), "an integer")
    for title, words in (("controls", controls), ("name", name)):
        required(title, word(title, words), "text")
    classes = None
    if labels is not None:
        numbers, names = class_numbers(labels)
        classes = numbers, [str(each) for each in names]
    if truth is not None:
        truth = check_array(truth, dtype=np.float64, order="C", input_name="truth")
    check_consistent_length(X, labels, truth)
    if isinstance(methods, (str, type, BaseEstimator)):
        methods = [methods]
    elif not np.iterable(methods):
        raise mistyped("methods", "a list of names, classes or estimators", methods)
    chosen = [each if isinstance(each, Embedder) else named_class(each)() for each in methods]
    number = seed(random_state)
    try:
        from ._figure import Figure
    except ImportError:
        raise ImportError(
            "swissroll.lab needs anywidget: pip install 'swissroll-learn[notebook]'; "
            "swissroll.compare(X).lab() shows the lab without it"
        ) from None
    page = _native.page(X, name=name, classes=classes, truth=truth)
    settings = {
        "n": min(rows, len(X)),
        "k": n_neighbors,
        "dim": n_components,
        "seed": number,
        "methods": ",".join(_written(each) for each in chosen),
    }
    color = truth[:, 0] if truth is not None else classes[0] if classes is not None else None
    return Figure(
        page,
        settings="&".join(f"{key}={value}" for key, value in settings.items()),
        controls=controls,
        picture=_still(X, labels, color, chosen, n_components, n_neighbors, number),
    )


def _written(estimator):
    """A method and the parameters that differ from the defaults, as the figure's settings have them."""
    usual = type(estimator)()
    changed = {
        registered: getattr(estimator, own)
        for own, registered in estimator._names.items()
        if registered not in ("k", "dim", "seed") and getattr(estimator, own) != getattr(usual, own)
    }
    parts = [f"{key}={quote(text(value), safe='')}" for key, value in changed.items() if value is not None]
    return "~".join([estimator._method, *parts])


def _still(X, labels, color, chosen, n_components, n_neighbors, number):
    """A picture of the maps of evenly spaced rows; a method that fails on them has none."""
    kept = np.linspace(0, len(X) - 1, min(len(X), DRAWN)).astype(int)
    maps = {}
    for each in chosen:
        shared = {"n_components": n_components, "n_neighbors": n_neighbors, "random_state": number}
        known = each.get_params()
        estimator = clone(each).set_params(**{key: value for key, value in shared.items() if key in known})
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                estimator.fit(X[kept], None if labels is None else np.asarray(labels)[kept])
        except (TypeError, ValueError, MemoryError, _native.ConvergenceError):
            continue
        title = type(each).__name__
        maps[f"{title} {len(maps) + 1}" if title in maps else title] = np.nan_to_num(estimator.embedding_)
    return pictures(maps, None if color is None else np.asarray(color)[kept])
