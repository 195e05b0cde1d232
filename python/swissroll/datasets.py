"""Data sets with known coordinates, bundled data, and readers of files."""

import json
import warnings
from collections.abc import Sequence
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import Bunch

from . import _native
from ._settings import (
    Seed,
    a_path,
    check_number,
    flag,
    in_python,
    is_number,
    mistyped,
    plain_errors,
    required,
    seed,
    shown,
    whole,
    word,
)


class DataSet(Bunch):
    """Points and what is known about them: a dictionary whose entries are attributes too.

    Attributes
    ----------
    data : ndarray of shape (n_samples, n_features)
        The points.
    truth : ndarray of shape (n_samples, n_dimensions) or None
        Their coordinates on the manifold, where known.
    truth_names : list of str
        The names of the columns of `truth`.
    target : ndarray of shape (n_samples,) or None
        The number of the class of each point; -1 for an unknown one.
    target_names : list of str or None
        The names of the classes.
    color : ndarray of shape (n_samples,) or None
        The first of the quantities, else the first true coordinate or the class.
    labels : dict
        By name an array of class numbers and the names of the classes.
    quantities : dict
        By name an array of numbers per point that are no coordinates, NaN where missing.
    row_names : ndarray of shape (n_samples,) or None
        A name per point.
    pixels : ndarray or None
        The pictures behind the points.
    geometry, images : object
        The geometry of `truth`, and the size of the pictures.
    name : str
        The name of the set.
    DESCR : str
        A description.

    Examples
    --------
    >>> import swissroll
    >>> digits = swissroll.datasets.load("digits", 200)
    >>> digits.data.shape, len(digits.target_names)
    ((200, 64), 10)
    """

    data: NDArray[np.float64]
    truth: NDArray[np.float64] | None
    truth_names: list[str]
    target: NDArray[np.int64] | None
    target_names: list[str] | None
    color: NDArray[Any] | None
    labels: dict[str, tuple[NDArray[np.int64], list[str]]]
    quantities: dict[str, NDArray[np.float64]]
    row_names: NDArray[np.str_] | None
    pixels: NDArray[np.float64] | None
    geometry: Any
    images: Any
    name: str
    DESCR: str


def list_datasets() -> list[dict[str, Any]]:
    """All data sets.

    Returns
    -------
    sets : list of dict
        Name, summary, what it shows, default and largest number of points, number of
        columns, intrinsic dimension, source and license of each.
    """
    return json.loads(_native.data_sets())


def load(
    name: str,
    n_samples: int | None = None,
    *,
    random_state: Seed = 0,
    noise: float = 0.0,
    scale: float | None = None,
    directory: str | PathLike[str] | None = None,
) -> DataSet:
    """Creates or reads a data set by name.

    Parameters
    ----------
    name : str
        One of `list_datasets`, such as ``"swiss-roll"`` or ``"digits"``.
    n_samples : int, default=None
        Number of points; None for the set's own.
    random_state : int, RandomState, Generator or None, default=0
        Seed of all random choices; None for 0.
    noise : float, default=0.0
        Standard deviation of Gaussian noise added to every value.
    scale : float, default=None
        Scale of rendered images, 0.05 to 4; None for the set's own.
    directory : str or path-like, default=None
        Folder with files that are not part of the package.

    Returns
    -------
    data : DataSet
        The points ``data``, their true coordinates ``truth``, classes ``target`` and other attributes.
    """
    required("name", word("name", name), "text")
    check_number("noise", required("noise", noise, "a number"))
    a_path("directory", directory)
    check_number("scale", scale)
    n_samples = whole("n_samples", n_samples)
    options = dict(n=n_samples, seed=seed(random_state), noise=noise, scale=scale, directory=directory)
    with plain_errors():
        return _bunch(_native.data_set(name, **options))


def read(
    path: str | PathLike[str],
    labels: str | PathLike[str] | None = None,
    *,
    header: bool | None = None,
    label_column: str | int | None = None,
    color_columns: str | int | Sequence[str | int] = (),
    name_column: str | int | None = None,
    encoding: str = "utf-8",
    decimal: str = ".",
    ignore: str | int | Sequence[str | int] = (),
    missing: str | None = None,
    missing_values: str | float | Sequence[str | float] = (),
    unknown_label: str | None = None,
    categories: str | None = None,
    transpose: bool = False,
    skip_rows: int = 0,
    header_rows: int | None = None,
    dates_as_days: bool = False,
    date_order: str = "year-first",
    given: str = "points",
    thousands: str | None = None,
) -> DataSet:
    """Reads points from a file or pictures from a folder.

    Parameters
    ----------
    path : str or path-like
        .csv, .tsv, .tab, .txt, .dat, .data, .jsonl (each also .gz), .npy, .npz, .mtx, IDX, or a
        folder of PNG or JPEG pictures of one size.
    labels : str or path-like, default=None
        A file with one label per row.
    header : bool, default=None
        Whether the first row of a text file has the names of the columns; None where none of its
        cells is a number.
    label_column : str or int, default=None
        The column that holds a class per row, by name or by number from 0; it is no coordinate.
    color_columns : list of str or int, default=()
        Columns of numbers or dates that are no coordinates, for the colors of a plot.
    name_column : str or int, default=None
        The column that holds a name per row; it is no coordinate.
    encoding : {"utf-8", "windows-1252"}, default="utf-8"
        The encoding of text files. After a byte-order mark it is UTF-8 or UTF-16, whatever is
        given here.
    decimal : {".", ","}, default="."
        The decimal sign of the numbers of a text file. With commas, cells have semicolons or tabs
        between them.
    ignore : list of str or int, default=()
        Columns that are no coordinates.
    missing : {"drop", "mean", "median", "zero"}, default=None
        Leave out rows with missing values, or fill in the mean or the median of the column or 0;
        None refuses them.
    missing_values : list of str or float, default=()
        Further words and numbers that stand for missing values, in addition to empty cells, ``NA``,
        ``N/A``, ``NaN``, ``null``, ``none``, ``?`` and ``.``. Among labels words only.
    unknown_label : str, default=None
        The label that stands for an unknown class, which is -1 in `target`.
    categories : {"ignore", "indicators"}, default=None
        Leave out columns of words that have no other use, or replace each by a column per
        category, which is 1 in its rows and 0 in others; None refuses them.
    transpose : bool, default=False
        Whether the file has a column per point and a row per coordinate.
    skip_rows : int, default=0
        How many lines at the start of a text file are left out, such as titles.
    header_rows : int, default=None
        How many rows the header of a text file has: the first names the columns, the others, such
        as units, are left out. None: one, or the three of a file of Orange.
    dates_as_days : bool, default=False
        Whether columns of dates are coordinates, in days since 1970-01-01.
    date_order : {"year-first", "day-first", "month-first"}, default="year-first"
        The order of the numbers of dates: 2021-03-04, 04.03.2021 or 03/04/2021.
    given : {"points", "distances", "similarities"}, default="points"
        What the file holds. Distances are a square matrix, or text in another form: a triangle,
        PHYLIP (.phy), Orange (.dst), or a list of pairs of names; `data` is the square matrix for
        ``metric="precomputed"``, `row_names` has the names. Similarities s are read in the same
        forms and become the distances sqrt(s_ii + s_jj - 2 s_ij) [1]_.
    thousands : {",", ".", " ", "'", "_"}, default=None
        The sign between the thousands of numbers, as in 1,234. None: signs that cannot be decimal
        signs are left out, which `DESCR` reports.

    Returns
    -------
    data : DataSet
        As `load` returns; `DESCR` reports changes beyond plain reading.

    Warns
    -----
    UserWarning
        Where columns look like a mistake, such as row numbers as a coordinate.

    References
    ----------
    .. [1] J. C. Gower, "Some distance properties of latent root and vector methods used in
       multivariate analysis", Biometrika 53, 1966. https://doi.org/10.1093/biomet/53.3-4.325
    """
    if not isinstance(decimal, str) or decimal not in (".", ","):
        raise ValueError(f"decimal must be '.' or ',', but is {shown(decimal)}")
    values = [missing_values] if np.isscalar(missing_values) else missing_values
    if not np.iterable(values):
        raise mistyped("missing_values", "a list of text or numbers", missing_values)
    for value in values:
        if not (isinstance(value, str) or is_number(value)):
            raise mistyped("each of missing_values", "text or a number", value)
    with plain_errors():
        found = _native.read(
            a_path("path", required("path", path, "a path")),
            labels=a_path("labels", labels),
            header=flag("header", header),
            label_column=_column("label_column", label_column),
            color_columns=_columns("color_columns", color_columns),
            name_column=_column("name_column", name_column),
            encoding=required("encoding", word("encoding", encoding), "text"),
            decimal_comma=decimal == ",",
            ignore=_columns("ignore", ignore),
            missing=word("missing", missing),
            missing_values=[str(value) for value in values],
            unknown_label=word("unknown_label", unknown_label),
            categories=word("categories", categories),
            transpose=bool(flag("transpose", transpose)),
            skip_rows=required("skip_rows", whole("skip_rows", skip_rows, 0), "an integer"),
            header_rows=0 if header_rows is None else whole("header_rows", header_rows),
            dates_as_days=bool(flag("dates_as_days", dates_as_days)),
            date_order=required("date_order", word("date_order", date_order), "text"),
            given=required("given", word("given", given), "text"),
            thousands=word("thousands", thousands),
        )
    for sentence in found["warnings"]:
        warnings.warn(in_python(sentence), stacklevel=2)
    found["description"] += "".join(f" {in_python(note)}." for note in found["notes"])
    return _bunch(found)


def make_swiss_roll(
    n_samples: int = 1000, *, noise: float = 0.0, random_state: Seed = 0
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The Swiss roll, in scikit-learn's form.

    Parameters
    ----------
    n_samples : int, default=1000
        Number of points.
    noise : float, default=0.0
        Standard deviation of Gaussian noise added to every value.
    random_state : int, RandomState, Generator or None, default=0
        Seed of all random choices; None for 0.

    Returns
    -------
    X : ndarray of shape (n_samples, 3)
        The points.
    t : ndarray of shape (n_samples,)
        Their position along the roll.
    """
    roll = load("swiss-roll", n_samples, noise=noise, random_state=random_state)
    return roll.data, roll["truth"][:, 0]


def _column(name, given):
    """A column by name or number, as text; None without one."""
    if given is None:
        return None
    if not (isinstance(given, str) or (is_number(given) and isinstance(given, (int, np.integer)))):
        raise mistyped(name, "the name or the number of a column", given)
    return str(given)


def _columns(name, given):
    """Columns by names or numbers, as text."""
    if isinstance(given, str) or is_number(given):
        return [_column(name, given)]
    if not np.iterable(given):
        raise mistyped(name, "a list of names or numbers of columns", given)
    return [_column(f"each of {name}", required(f"each of {name}", column, "a column")) for column in given]


def _bunch(found):
    about = json.loads(found["about"])
    labels = {
        name: (np.asarray(values, dtype=np.int64), classes) for name, classes, values in found["labels"]
    }
    target, classes = next(iter(labels.values()), (None, None))
    truth = found["truth"]
    quantities = {name: np.asarray(values) for name, values in found["quantities"]}
    color = target if truth is None else truth[:, 0]
    color = next(iter(quantities.values()), color)
    names = found["row_names"]
    return DataSet(
        data=found["points"],
        truth=truth,
        truth_names=found["truth_names"],
        target=target,
        target_names=classes,
        color=color,
        labels=labels,
        quantities=quantities,
        row_names=None if names is None else np.asarray(names),
        pixels=found["pixels"],
        geometry=about["geometry"],
        images=about["images"],
        name=found["name"],
        DESCR=found["description"],
    )
