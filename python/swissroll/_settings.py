"""Names of classes, names and values of parameters, between scikit-learn and the registry."""

import json
import numbers
import os
import re
from collections.abc import Callable
from contextlib import contextmanager
from functools import lru_cache
from types import ModuleType
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.utils.validation import column_or_1d

from . import _native

#: A metric by name, or a function of two rows.
Metric = str | Callable[[Any, Any], float]
#: A seed as scikit-learn takes it; the module is `numpy.random`.
Seed = int | np.integer[Any] | np.random.RandomState | np.random.Generator | ModuleType | None
#: Whether to show progress, or a function of stage, steps done, all steps and iteration.
Verbose = bool | int | Callable[[str, int, int, int], object]

#: The registry's names that have other names here; elsewhere hyphens become underscores.
RENAMED = {
    "k": "n_neighbors",
    "dim": "n_components",
    "seed": "random_state",
    "tolerance": "tol",
    "iterations": "max_iter",
    "start": "init",
}


def python_name(name):
    """The parameter of an estimator for a parameter of the registry."""
    return RENAMED.get(name, name.replace("-", "_"))


#: Methods with a class of scikit-learn's signature, and that class.
DROP_IN = {"classical-mds": "ClassicalMDS", "isomap": "Isomap", "tsne": "TSNE"}

#: Class names that are not the words of the registry's name.
CLASSES = {
    "pca": "PCA",
    "fast-ica": "FastICA",
    "kernel-pca": "KernelPCA",
    "lda": "LDA",
    "landmark-mds": "LandmarkMDS",
    "smacof": "SMACOF",
    "nonmetric-mds": "NonmetricMDS",
    "sammon": "SammonMapping",
    "lle": "LLE",
    "modified-lle": "ModifiedLLE",
    "hessian-lle": "HessianLLE",
    "ltsa": "LTSA",
    "c-isomap": "CIsomap",
    "lpp": "LPP",
    "npe": "NPE",
    "lltsa": "LLTSA",
    "mvu": "MaximumVarianceUnfolding",
    "umap": "UMAP",
    "densmap": "DensMAP",
    "pacmap": "PaCMAP",
    "localmap": "LocalMAP",
    "trimap": "TriMap",
    "phate": "PHATE",
}


def class_name(method):
    """The class of a method of the registry."""
    known = {**DROP_IN, **CLASSES}
    return known.get(method, "".join(word.capitalize() for word in method.split("-")))


def methods() -> dict[str, dict[str, Any]]:
    """The registry: the description of each method, its parameters and facts.

    Returns
    -------
    dict
        By the registry's name: a dictionary with ``about``, ``parameters``, ``facts``.
    """
    return {method["about"]["name"]: method for method in json.loads(_native.methods())}


@lru_cache(maxsize=1)
def kinds():
    """The kind of each parameter of each method: integer, real, flag, words or text."""
    return {
        name: {parameter["name"]: parameter["kind"] for parameter in method["parameters"]}
        for name, method in methods().items()
    }


#: What a number of a kind is called.
_NUMBERS = {"integer": "an integer", "real": "a number"}

#: The longest text of a value in a message.
_LONGEST = 80


def shown(value):
    """A value as messages show it: of an array or a frame the shape, of others a short text."""
    shape = getattr(value, "shape", None)
    if isinstance(shape, tuple) and shape:
        return f"an array of shape {shape}"
    text = repr(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def mistyped(name, words, value):
    """The error of a value of a wrong type."""
    return TypeError(f"{name} must be {words}, but is {shown(value)}, of type {type(value).__name__}")


def is_number(value):
    """Whether a value is a real number; True and False are none."""
    return isinstance(value, numbers.Real) and not isinstance(value, (bool, np.bool_))


def check_number(name, value, kind="real"):
    """Fails unless a value is a number or None; whether it is an integer belongs to its range."""
    if value is not None and not is_number(value):
        raise mistyped(name, _NUMBERS[kind], value)


def whole(name, value, least=1):
    """An integer of at least this, or None; fails for all others."""
    if value is None:
        return None
    if not isinstance(value, numbers.Integral) or isinstance(value, (bool, np.bool_)):
        raise mistyped(name, "an integer", value)
    if not least <= value < 2**63:
        raise ValueError(f"{name} must be at least {least} and below 2**63, but is {value}")
    return int(value)


def required(name, value, what):
    """A value, which must not be None."""
    if value is None:
        raise TypeError(f"{name} must be {what}, but is None")
    return value


def word(name, value):
    """A text, or None; fails for all others."""
    if value is not None and not isinstance(value, str):
        raise mistyped(name, "text", value)
    return value


def words(name, values):
    """A list of texts, or None; fails for all others."""
    if values is None:
        return None
    if isinstance(values, str) or not np.iterable(values):
        raise mistyped(name, "a list of text", values)
    return [required(f"each of {name}", word(f"each of {name}", value), "text") for value in values]


def flag(name, value):
    """True, False or None; fails for all others."""
    if not isinstance(value, (bool, np.bool_, type(None))):
        raise mistyped(name, "True or False", value)
    return None if value is None else bool(value)


def a_path(name, value):
    """The path of a file or folder, or None; fails for all others."""
    if value is not None and not isinstance(value, (str, os.PathLike)):
        raise mistyped(name, "a path, as text or pathlib.Path", value)
    return value


def class_numbers(labels):
    """A number per class, from 0, and the classes."""
    given = column_or_1d(labels, input_name="labels")
    try:
        classes, numbers = np.unique(given, return_inverse=True)
    except TypeError:
        raise TypeError("labels must be of one kind, such as all text or all integers") from None
    return numbers.astype(np.uint32), classes


def one_of(name, value, known):
    """A value that must be one of some words or numbers."""
    # Arrays are not compared.
    if not isinstance(value, (str, numbers.Number, type(None))) or value not in known:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, known))}, but is {shown(value)}")
    return value


def check_verbose(verbose):
    """Fails unless progress can be shown as this says."""
    if not (callable(verbose) or isinstance(verbose, (bool, np.bool_, numbers.Integral, type(None)))):
        raise mistyped("verbose", "True, False, an integer or a function", verbose)


def check_value(name, value, kind):
    """Fails unless a value has the type of a parameter of this kind: text is never a number."""
    if value is None:
        return
    if kind in _NUMBERS:
        check_number(name, value, kind)
    elif kind == "flag":
        flag(name, value)
    elif kind == "words":
        word(name, value)
    elif isinstance(value, str):
        if _is_number(value):
            raise mistyped(name, "a number or a word", value)
    elif not is_number(value):
        raise mistyped(name, "a number or a word", value)


def _is_number(value):
    try:
        float(value)
    except ValueError:
        return False
    return True


def text(value):
    """The value of a parameter as the registry reads it."""
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, numbers.Real):
        return repr(float(value))
    return str(value)


def seed(random_state):
    """One seed of a ``random_state``: an integer as given, None as 0, else one draw."""
    if random_state is None:
        return 0
    if random_state is np.random:
        # numpy's global generator, as in scikit-learn.
        random_state = np.random.mtrand._rand
    if isinstance(random_state, numbers.Integral):
        if not 0 <= random_state < 2**64:
            raise ValueError(f"random_state must be at least 0 and below 2**64, but is {random_state}")
        return int(random_state)
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**32))
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(2**32, dtype=np.uint64))
    raise ValueError(
        f"random_state must be None, an integer, a RandomState or a Generator, but is {shown(random_state)}"
    )


def threads(n_jobs):
    """The number of threads of an ``n_jobs``; 0 stands for all processors."""
    if n_jobs is None:
        return 0
    n_jobs = whole("n_jobs", n_jobs, least=-(2**63))
    if n_jobs == -1:
        return 0
    if n_jobs == 0:
        raise ValueError("n_jobs must be None, at least 1, or negative, but is 0")
    return n_jobs if n_jobs > 0 else max(1, (os.cpu_count() or 1) + 1 + n_jobs)


def compressed(rows):
    """Rows as the native module takes them: sparse ones as the parts of a matrix in compressed
    rows with its number of columns, all others unchanged."""
    if not sparse.issparse(rows):
        return rows
    kinds = (np.int64, np.int64, np.float64)
    parts = zip((rows.indptr, rows.indices, rows.data), kinds)
    return *(np.ascontiguousarray(part, dtype=kind) for part, kind in parts), rows.shape[1]


def _columns(words):
    """The columns of a list that the program writes: names, or numbers."""
    return [int(word) if word.isdecimal() else word for word in words.split(",")]


#: Options of the program that have a value, as the arguments of `datasets.read` that they are here.
_OPTIONS = (
    (r"--header yes\b", "header=True"),
    (r"--header no\b", "header=False"),
    (r"--missing drop or mean\b", 'missing="drop" or missing="mean"'),
    (r"--missing (drop|mean|median|zero)\b", r'missing="\1"'),
    (
        r"compared as words by run and embed: --metric gower",
        'compared as words by an estimator with metric="gower", fitted to a data frame',
    ),
    (r"--categories (ignore|indicators)\b", r'categories="\1"'),
    (r"--transpose\b", "transpose=True"),
    (r"--skip-rows (\d+)", r"skip_rows=\1"),
    (r"--header-rows (\d+)", r"header_rows=\1"),
    (r" --date-order (year-first|day-first|month-first)", r', date_order="\1"'),
    (r"--date-order (year-first|day-first|month-first)", r'date_order="\1"'),
    (r"--dates-as-days", "dates_as_days=True"),
    (
        r"--missing-values ('[^']*'|[^\s,;:)]+)",
        lambda found: f"missing_values=[{json.dumps(found[1].strip(chr(39)))}]",
    ),
    (r"--label-column (\d+)(?=[,;:. ]|$)", r"label_column=\1"),
    (r"--label-column ([^\s,;:]+)", r'label_column="\1"'),
    (r"--encoding windows-1252", 'encoding="windows-1252"'),
    (r"--decimal-comma", 'decimal=","'),
    (r"--thousands comma", 'thousands=","'),
    (r"--set given=distances of embed, --given distances of measure", 'given="distances"'),
    (r"--name-column (\d+)(?=[,;:. ]|$)", r"name_column=\1"),
    (r"--name-column ([^\s,;:]+)", r'name_column="\1"'),
    (r"--color-column (\d+)(?=[,;:. ]|$)", r"color_columns=[\1]"),
    (r"--color-column ([^\s,;:]+)", r'color_columns=["\1"]'),
    (
        r"--ignore ([^\s,;:]+(?:,[^\s,;:]+)+)",
        lambda found: f"ignore={json.dumps(_columns(found[1]), ensure_ascii=False)}",
    ),
    (r"--ignore (\d+)(?=[,;:. ]|$)", r"ignore=[\1]"),
    (r"--ignore ([^\s,;:]+)", r'ignore=["\1"]'),
    (r"(--unknown-label), of commands that read classes for a fit or a measure", r"\1"),
)


@lru_cache(maxsize=1)
def _registered():
    """The names of the registry that are not plain words, with their names in Python."""
    names = {name: python_name(name) for parameters in kinds().values() for name in parameters}
    names.update({name: class_name(name) for name in kinds()})
    return {name: own for name, own in names.items() if "-" in name or name == "dim"}


def _renamed(sentence, names):
    """A sentence with whole words replaced by other names."""
    words = "|".join(sorted(map(re.escape, names), key=len, reverse=True))
    return re.sub(rf"(?<![\w-])({words})(?![\w-])", lambda found: names[found[1]], sentence)


def in_python(sentence, names=None):
    """A sentence of the library with the names of Python: parameters as attributes, methods as
    classes, options of the program as arguments. `names` has an estimator's names of parameters.
    """
    known = _registered()
    known = {**known, **{name: own for name, own in (names or {}).items() if name in known}}
    for option, argument in _OPTIONS:
        sentence = re.sub(option, argument, sentence)
    sentence = re.sub(r"--([a-z][a-z-]*)", lambda found: found[1].replace("-", "_"), sentence)
    return _renamed(sentence, known)


def explained(error, names=None, sizes=""):
    """The sentence of a parameter error of the native module, with the names used here."""
    name, requirement, got = error.args
    own = (names or {}).get(name) or in_python(name)
    return ValueError(f"{own} must be {in_python(requirement, names)}, but is {got}{sizes}")


#: Errors of the native module that consist of one sentence.
_SENTENCES = (ValueError, MemoryError, OSError, _native.ConvergenceError, _native.DisconnectedError)


@contextmanager
def plain_errors(names=None, sizes=""):
    """Raises errors of the native module as sentences with the names used here."""
    try:
        yield
    except _native.ParameterError as error:
        known = {"k": "n_neighbors", "n": "n_samples"} if names is None else names
        raise explained(error, known, sizes) from None
    except (ValueError, MemoryError, OSError, _native.ConvergenceError) as error:
        # Errors of Python itself have other classes or other arguments.
        if type(error) not in _SENTENCES or len(error.args) != 1:
            raise
        sentence = in_python(error.args[0], names)
        if isinstance(error, MemoryError):
            # The name of a method to use instead; in other sentences "pca" is a value.
            sentence = _renamed(sentence, {"pca": "PCA"})
        raise type(error)(sentence) from None


_memory = None
_UNITS = {"": 1, "b": 1, **{f"{unit}b": 1000**at for at, unit in enumerate("kmgt", 1)}}
_UNITS.update({f"{unit}ib": 1024**at for at, unit in enumerate("kmgt", 1)})


def set_memory_limit(limit: float | str | None) -> None:
    """Sets the memory that one stage of a fit may allocate.

    A fit that needs more raises ``MemoryError`` before it allocates anything. Eigenproblems
    choose their algorithm by a limit that is set, so that results can differ in the last
    digits; the default, the memory that is free, changes no result.

    Parameters
    ----------
    limit : int, str or None
        Bytes, or text as ``"8 GB"`` or ``"8 GiB"``; None for 70 % of the memory that is available when a
        fit begins, as in the program ``compare``. It applies to this process alone: other processes,
        such as the workers of joblib, set their own limit.
    """
    global _memory
    given = limit
    if isinstance(limit, str):
        found = re.fullmatch(r"\s*(\d+(?:\.\d*)?)\s*([A-Za-z]*)\s*", limit)
        factor = _UNITS.get(found[2].lower()) if found else None
        limit = float(found[1]) * factor if found and factor else np.nan
    number = isinstance(limit, numbers.Real) and not isinstance(limit, bool)
    if limit is not None and not (number and 0 <= limit < 2**63):
        raise ValueError(f"limit must be None, bytes, or text as '8 GB', but is {shown(given)}")
    _memory = None if limit is None else int(limit)


def memory_limit():
    """The limit that was set in bytes; None for the default."""
    return _memory
