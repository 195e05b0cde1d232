"""Saved models."""

import json
from os import PathLike
from typing import Any

import numpy as np

from . import _drop_in, _estimators, _native
from ._mixed import MixedTable
from ._settings import DROP_IN, a_path, plain_errors, required


def estimators():
    """The class of each method of the registry, by the method's name."""
    classes = [getattr(_estimators, name) for name in _estimators.__all__]
    classes += [getattr(_drop_in, name) for name in DROP_IN.values()]
    return {kind._method: kind for kind in classes}


def load(path: str | PathLike[str]) -> Any:
    """Reads a model that an estimator's ``save`` or ``compare embed --save`` wrote.

    Parameters
    ----------
    path : str or path-like
        The file. Another kind of file, or a damaged one, raises ``ValueError``.

    Returns
    -------
    estimator : object
        A fitted estimator of the model's method: its embedding, facts and ``transform``.
        The file has the model and the names of the columns where they were known, but not the
        parameters: the estimator has the defaults.
    """
    with open(a_path("path", required("path", path, "a path")), "rb") as file:
        saved = file.read()
    with plain_errors():
        model, names = _native.load(saved), _native.column_names(saved)
    estimator = estimators()[model.method]()
    estimator._training = None
    embedding = model.embedding()
    placed = model.rows()
    n = len(embedding) if placed is None else int(placed[-1]) + 1
    columns = model.columns()
    metric = json.loads(model.report())["facts"].get("metric")
    estimator._table = MixedTable.saved(saved, metric)
    if estimator._table is not None:
        columns = len(estimator._table)
    if columns is not None:
        estimator.n_features_in_ = columns
    if names is not None and len(names) == columns:
        estimator.feature_names_in_ = np.asarray(names, dtype=object)
    estimator._keep(model, n, np.float64)
    return estimator
