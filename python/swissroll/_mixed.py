"""Tables with categories and gaps, as the metrics gower and nan_euclidean compare them."""

import warnings

import numpy as np
from sklearn.utils.validation import validate_data

from . import _native
from ._settings import plain_errors

#: The registry's names of metrics over the columns that both rows have.
MIXED = ("gower", "nan-euclidean")

#: Nanoseconds of a day.
_DAY = 86_400e9


class MixedTable:
    """The columns of training rows, by which new rows are encoded alike.

    Each column is of numbers, of ranks (ordered categories) or of categories; the last two have names.
    """

    def __init__(self, metric, kinds, columns):
        self._metric, self._kinds, self._columns = metric, kinds, columns

    @classmethod
    def of(cls, X, metric, weights=None, asymmetric=()):
        """The columns of training rows; ``weights`` has a weight per column, ``asymmetric`` names or numbers."""
        kinds = [_kind(*column, metric) for column in _columns(X)]
        values, _ = _values(X, kinds)
        names = [list(names) if kind == "categories" else [] for kind, names in kinds]
        weights = None if weights is None else [float(weight) for weight in np.ravel(weights)]
        asymmetric = _places(X, asymmetric, metric)
        with plain_errors({}):
            return cls(metric, kinds, _native.mixed_columns(values, names, weights, asymmetric))

    @classmethod
    def saved(cls, saved, metric):
        """The columns of a saved model; None of a model without them."""
        with plain_errors({}):
            found = _native.saved_columns(saved)
        if found is None:
            return None
        columns, names = found
        return cls(metric, [("categories", each) if each else ("numbers", []) for each in names], columns)

    def __len__(self):
        return len(self._kinds)

    def rows(self, X):
        """Rows as the metric reads them."""
        values, unknown = _values(X, self._kinds)
        for name, words in unknown.items():
            more = f" and {len(words) - 1} other values" if len(words) > 1 else ""
            warnings.warn(
                f"{words[0]!r}{more} in column {name!r} are no categories of the training data, and differ "
                "from all of them",
                UserWarning,
                stacklevel=5,
            )
        with plain_errors({}):
            return _native.mixed_rows(self._columns, self._metric, values)

    def columns(self):
        """The columns as a saved model has them."""
        if any(kind == "ranks" for kind, _ in self._kinds):
            raise ValueError(
                "a file of a model has no ordered categories; save the estimator by pickle or joblib"
            )
        return self._columns


def mixed_input(estimator, X, metric, weights, asymmetric=()):
    """The columns of training rows of an estimator, and the rows as the metric reads them."""
    X = _table(X)
    validate_data(estimator, X, skip_check_array=True)
    table = MixedTable.of(X, metric, weights, asymmetric)
    rows = table.rows(X)
    if len(rows) < 2:
        raise ValueError("Found array with 1 sample(s) while a minimum of 2 is required.")
    return table, rows


def mixed_new_rows(estimator, X):
    """New rows as the metric of a fitted estimator reads them."""
    X = _table(X)
    validate_data(estimator, X, reset=False, skip_check_array=True)
    return estimator._table.rows(X)


def _table(X):
    """A data frame of pandas as it is or from another library, or an array of numbers or objects."""
    if hasattr(X, "iloc"):
        return X
    if hasattr(X, "to_pandas"):
        return X.to_pandas()
    array = np.asarray(X)
    if array.dtype.kind not in "biuf":
        array = np.asarray(X, dtype=object)
    if array.ndim != 2:
        raise ValueError(f"Expected 2D array, but X has {array.ndim} dimension(s). Reshape your data.")
    return array


def _columns(X):
    """The name, the values and the data type of each column of a table."""
    if hasattr(X, "iloc"):
        for at, name in enumerate(X.columns):
            column = X.iloc[:, at]
            yield name, column, column.dtype
    else:
        for at in range(X.shape[1]):
            yield at, X[:, at], X.dtype


def _places(X, columns, metric):
    """The numbers of columns of a table that are given by name or number."""
    if len(columns) and metric != "gower":
        raise ValueError(f"asymmetric columns need metric='gower', but it is {metric.replace('-', '_')!r}")
    names = [name for name, _, _ in _columns(X)]
    for column in columns:
        if column not in names:
            raise ValueError(f"the asymmetric columns must be of X, but {column!r} is none of {names}")
    return [names.index(column) for column in columns]


def _missing(column):
    """Which values of a column are missing."""
    if hasattr(column, "isna"):
        return column.isna().to_numpy(dtype=bool)
    if column.dtype.kind in "biuf":
        return np.isnan(column.astype(np.float64))
    return np.array([value is None or value != value for value in column], dtype=bool)


def _is_number(value):
    return isinstance(value, (bool, int, float, np.bool_, np.number))


def _kind(name, column, dtype, metric):
    """What the values of a column of training rows are: numbers, ranks or categories with their names."""
    levels = getattr(dtype, "categories", None)
    if levels is not None:
        kind, names = "ranks" if dtype.ordered else "categories", [str(level) for level in levels]
    elif getattr(dtype, "kind", "O") in "biufM":
        kind, names = "numbers", []
    else:
        present = [value for value, gap in zip(column, _missing(column)) if not gap]
        if all(map(_is_number, present)):
            kind, names = "numbers", []
        else:
            kind, names = "categories", sorted({str(value) for value in present})
    if kind == "categories" and metric != "gower":
        raise ValueError(
            f"column {name!r} holds categories, but metric={metric.replace('-', '_')!r} compares numbers; choose "
            "metric='gower', leave the column out, or encode it (sklearn.preprocessing.OneHotEncoder)"
        )
    return kind, names


def _values(X, kinds):
    """A number per cell, NaN in gaps, and the words that are no categories by the name of their column."""
    table = _table(X)
    columns = list(_columns(table))
    values, unknown = np.empty((len(table), len(kinds))), {}
    for at, ((name, column, dtype), (kind, names)) in enumerate(zip(columns, kinds)):
        if kind == "numbers":
            values[:, at] = _numbers(name, column, dtype)
            continue
        position = {word: at for at, word in enumerate(names)}
        gaps = _missing(column)
        words = ["" if gap else str(value) for value, gap in zip(column, gaps)]
        values[:, at] = [np.nan if gap else position.get(word, len(names)) for word, gap in zip(words, gaps)]
        others = sorted({word for word, gap in zip(words, gaps) if not gap and word not in position})
        if others and kind == "ranks":
            raise ValueError(
                f"column {name!r} holds ordered categories, but {others[0]!r} is none of them: {names}"
            )
        if others:
            unknown[name] = others
    return values, unknown


def _numbers(name, column, dtype):
    """The numbers of a column, NaN in gaps; of dates the days since 1970-01-01."""
    if getattr(dtype, "kind", "O") == "M":
        moments = np.asarray(column, dtype="datetime64[ns]")
        return np.where(np.isnat(moments), np.nan, moments.astype(np.int64) / _DAY)
    if getattr(dtype, "kind", "O") in "biuf":
        if hasattr(column, "to_numpy"):
            return column.to_numpy(dtype=np.float64, na_value=np.nan)
        return column.astype(np.float64)
    gaps = _missing(column)
    try:
        return np.array([np.nan if gap else float(value) for value, gap in zip(column, gaps)])
    except (TypeError, ValueError) as error:
        raise ValueError(f"column {name!r} must hold numbers, as in the training data: {error}") from None
