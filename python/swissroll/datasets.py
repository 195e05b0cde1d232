"""Data sets with known coordinates, bundled data, and readers of files."""

import json
import warnings

import numpy as np
from sklearn.utils import Bunch

from . import _native
from ._settings import check_number, in_python, plain_errors, seed, whole


def list_datasets():
    """All data sets.

    Returns
    -------
    sets : list of dict
        Name, summary, what it shows, default and largest number of points, number of
        columns, intrinsic dimension, source and license of each.
    """
    return json.loads(_native.data_sets())


def load(name, n_samples=None, *, random_state=0, noise=0.0, scale=None, directory=None):
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
    data : sklearn.utils.Bunch
        ``data``, the points; ``truth``, their coordinates on the manifold, or None;
        ``target``, an array of the numbers of their classes, and ``target_names``, or None; ``color``,
        the first of the quantities, else the first true coordinate or the class; ``quantities``, by
        name an array of numbers per point that are no coordinates, NaN where missing; ``row_names``, an
        array of names or None; ``labels``, by name an array of class numbers and the names
        of the classes; ``truth_names``, ``geometry``, ``images``, ``pixels``, ``name`` and ``DESCR``.
    """
    check_number("noise", noise)
    check_number("scale", scale)
    n_samples = whole("n_samples", n_samples)
    options = dict(n=n_samples, seed=seed(random_state), noise=noise, scale=scale, directory=directory)
    with plain_errors():
        return _bunch(_native.data_set(name, **options))


def read(
    path,
    labels=None,
    *,
    header=None,
    label_column=None,
    color_columns=(),
    name_column=None,
    encoding="utf-8",
    decimal=".",
    ignore=(),
    missing=None,
    missing_values=(),
    unknown_label=None,
):
    """Reads points from a file or pictures from a folder.

    Parameters
    ----------
    path : str or path-like
        .csv, .tsv (either also .gz), .npy, .npz, .mtx, IDX, or a folder of PNG or JPEG
        pictures of one size.
    labels : str or path-like, default=None
        A file with one label per row.
    header : bool, default=None
        Whether the first row of a text file has the names of the columns; None where none of its
        cells is a number.
    label_column : str or int, default=None
        The column that holds a class per row, by name or by number from 0; it is no coordinate.
    color_columns : list of str or int, default=()
        Columns of numbers that are no coordinates, for the colors of a plot.
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
    missing : {"drop", "mean"}, default=None
        Leave out rows with missing values, or fill in the mean of the column; None refuses them.
    missing_values : list of str or float, default=()
        Further words and numbers that stand for missing values, in addition to empty cells, ``NA``,
        ``N/A``, ``NaN``, ``null``, ``none``, ``?`` and ``.``. Among labels words only.
    unknown_label : str, default=None
        The label that stands for an unknown class, which is -1 in `target`.

    Returns
    -------
    data : sklearn.utils.Bunch
        As `load` returns; `DESCR` reports changes beyond plain reading.

    Warns
    -----
    UserWarning
        Where columns look like a mistake, such as row numbers as a coordinate.
    """
    if decimal not in (".", ","):
        raise ValueError(f"decimal must be '.' or ',', but is {decimal!r}")

    def columns(given):
        return [str(column) for column in ([given] if isinstance(given, (str, int)) else given)]

    def column(given):
        return None if given is None else str(given)

    values = [missing_values] if np.isscalar(missing_values) else missing_values
    with plain_errors():
        found = _native.read(
            path,
            labels=labels,
            header=header,
            label_column=column(label_column),
            color_columns=columns(color_columns),
            name_column=column(name_column),
            encoding=encoding,
            decimal_comma=decimal == ",",
            ignore=columns(ignore),
            missing=missing,
            missing_values=[str(value) for value in values],
            unknown_label=unknown_label,
        )
    for sentence in found["warnings"]:
        warnings.warn(in_python(sentence), stacklevel=2)
    found["description"] += "".join(f" {in_python(note)}." for note in found["notes"])
    return _bunch(found)


def make_swiss_roll(n_samples=1000, *, noise=0.0, random_state=0):
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
    return roll.data, roll.truth[:, 0]


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
    return Bunch(
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
