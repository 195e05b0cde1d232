"""Names and values of parameters between scikit-learn and the registry."""

import json
import numbers
import os
import re
from contextlib import contextmanager

import numpy as np
from scipy import sparse

from . import _native

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


def methods():
    """The registry: what is said about each method, its parameters and facts.

    Returns
    -------
    dict
        By the registry's name: a dictionary with ``about``, ``parameters``, ``facts``.
    """
    return {method["about"]["name"]: method for method in json.loads(_native.methods())}


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
    if isinstance(random_state, numbers.Integral):
        if random_state < 0:
            raise ValueError(f"random_state must be at least 0, but is {random_state}")
        return int(random_state)
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**32))
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(2**32, dtype=np.uint64))
    raise ValueError(
        "random_state must be None, an integer, a RandomState or a Generator, "
        f"but is {random_state!r}"
    )


def threads(n_jobs):
    """The number of threads of an ``n_jobs``; 0 stands for all processors."""
    if n_jobs is None or n_jobs == -1:
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


def explained(error, names=None, sizes=""):
    """The sentence of a parameter error of the native module, with the names used here."""
    name, requirement, got = error.args
    return ValueError(f"{(names or {}).get(name, name)} must be {requirement}, but is {got}{sizes}")


@contextmanager
def plain_errors():
    """Raises parameter errors of the native module as sentences."""
    try:
        yield
    except _native.ParameterError as error:
        raise explained(error, {"k": "n_neighbors", "n": "n_samples"}) from None


_memory = None
_UNITS = {"": 1, "b": 1, **{f"{unit}b": 1000**at for at, unit in enumerate("kmgt", 1)}}
_UNITS.update({f"{unit}ib": 1024**at for at, unit in enumerate("kmgt", 1)})


def set_memory_limit(limit):
    """Sets the memory that one stage of a fit may allocate.

    A fit that needs more raises ``MemoryError`` before it allocates anything. Eigenproblems
    choose their algorithm by a limit that is set, so that results can differ in the last
    digits; the default, the memory that is free, changes no result.

    Parameters
    ----------
    limit : int, str or None
        Bytes, or text as ``"8 GB"`` or ``"8 GiB"``; None for 70 % of the memory that is available when a
        fit begins, as in the program ``compare``. It holds in this process alone: other processes,
        as those of joblib, set their own.
    """
    global _memory
    given = limit
    if isinstance(limit, str):
        found = re.fullmatch(r"\s*(\d+(?:\.\d*)?)\s*([A-Za-z]*)\s*", limit)
        factor = found and _UNITS.get(found[2].lower())
        limit = float(found[1]) * factor if factor else np.nan
    number = isinstance(limit, numbers.Real) and not isinstance(limit, bool)
    if limit is not None and not (number and 0 <= limit < 2**63):
        raise ValueError(f"limit must be None, bytes, or text as '8 GB', but is {given!r}")
    _memory = None if limit is None else int(limit)


def memory_limit():
    """The limit that was set in bytes; None for the default."""
    return _memory
