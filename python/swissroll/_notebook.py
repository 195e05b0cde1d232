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
from ._settings import Seed, class_numbers, mistyped, required, seed, shown, text, whole, word
from ._settings import methods as methods_of_registry

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
    n_neighbors: int | None = None,
    random_state: Seed = 0,
    rows: int = 2000,
    controls: str = "full",
    name: str = "data",
) -> Figure:
    """Shows data and maps of them in a notebook, computed live in the browser.

    Works in Jupyter, VS Code and marimo, and needs anywidget: ``pip install 'swissroll-learn[notebook]'``.
    Points that are selected in the figure (Shift and drag) are rows in Python: ``figure.selected``. Engine and
    rows are sent to the browser, and are not stored in the file of the notebook. That file keeps a static
    picture, which viewers without scripts show.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Points, one per row.
    labels : array-like of shape (n_samples,), default=None
        A class per point, for colors, for methods that need classes, and for measures.
    truth : array-like of shape (n_samples, n_dimensions), default=None
        The true coordinates, where known.
    methods : str, class, estimator, or a list, default=("Isomap", "LLE")
        Names of classes (``"LTSA"``) or of the registry (``"ltsa"``), classes, or estimators, with whose
        parameters the figure begins. A parameter that the figure lacks, such as another metric, is an error.
    n_components, n_neighbors, random_state : int
        Shared by all methods that are given by name or class and have the parameter. By default 2, the
        neighbors of the first estimator that has some or else 10, and 0.
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
    for title, value in (("n_components", n_components), ("rows", rows)):
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
    number = seed(random_state)
    if whole("n_neighbors", n_neighbors) is None:
        own = (getattr(each, "n_neighbors", None) for each in methods if isinstance(each, Embedder))
        n_neighbors = next((k for k in own if k is not None), 10)
    shared = {"n_components": n_components, "n_neighbors": n_neighbors, "random_state": number}
    chosen = [_configured(each, shared, classes) for each in methods]
    try:
        from ._figure import Figure
    except ImportError:
        raise ImportError(
            "swissroll.lab needs anywidget: pip install 'swissroll-learn[notebook]'; "
            "swissroll.compare(X).lab() shows the lab without it"
        ) from None
    page = _native.page(X, name=name, classes=classes, truth=truth)
    color = truth[:, 0] if truth is not None else classes[0] if classes is not None else None
    attempted, picture = _still(X, labels, color, chosen)
    common = {"k": text(n_neighbors), "dim": text(n_components), "seed": text(number)}
    settings = {
        "n": min(rows, len(X)),
        **common,
        "methods": ",".join(_written(*each, common) for each in zip(chosen, attempted)),
    }
    return Figure(
        page,
        settings="&".join(f"{key}={value}" for key, value in settings.items()),
        controls=controls,
        picture=picture,
    )


def _configured(method, shared, classes):
    """An estimator as it is, or a class with the shared parameters, if the figure can compute its map."""
    if isinstance(method, Embedder):
        estimator = clone(method)
    else:
        kind = named_class(method)
        known = kind().get_params()
        estimator = kind(**{key: value for key, value in shared.items() if key in known})
    name = type(estimator).__name__
    estimator._check_types()
    if estimator._needs_labels and classes is None:
        raise ValueError(f"{name} needs a class per point; give labels")
    lacking = estimator._outside_registry()
    if lacking:
        raise ValueError(
            f"the figure cannot compute {name} with {lacking}={shown(getattr(estimator, lacking))}; "
            "choose another value or method, or compare maps by swissroll.compare"
        )
    return estimator


def _written(estimator, attempted, common):
    """A method and the settings that differ from the registry's defaults and from the shared values."""
    # Random states as before the fit.
    settings = attempted.set_params(**clone(estimator).get_params())._settings()
    described = methods_of_registry()[estimator._method]["parameters"]
    usual = {parameter["name"]: parameter["default"] for parameter in described} | common
    changed = [f"{key}={quote(value, safe='')}" for key, value in settings if not _same(value, usual[key])]
    return "~".join([estimator._method, *changed])


def _same(one, other):
    """Whether two texts have one value: 1e-3 is 0.001."""
    try:
        return float(one) == float(other)
    except ValueError:
        return one == other


def _still(X, labels, color, chosen):
    """Estimators after a fit to evenly spaced rows, and a picture of their maps; a method that fails on these
    rows has none."""
    kept = np.linspace(0, len(X) - 1, min(len(X), DRAWN)).astype(int)
    attempted, maps = [clone(each) for each in chosen], {}
    for estimator in attempted:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                estimator.fit(X[kept], None if labels is None else np.asarray(labels)[kept])
        except (TypeError, ValueError, MemoryError, _native.ConvergenceError):
            continue
        title = type(estimator).__name__
        maps[f"{title} {len(maps) + 1}" if title in maps else title] = np.nan_to_num(estimator.embedding_)
    return attempted, pictures(maps, None if color is None else np.asarray(color)[kept])
