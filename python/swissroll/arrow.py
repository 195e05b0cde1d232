"""Parts of computations over data in blocks, each a function of Arrow record batches.

No engine is needed: every function gives for its rows the same result as one process
for all rows, bit for bit, however the rows are divided. `swissroll.spark` runs them on Spark.

Rows have an integer ``id``, which is unique, and columns of numbers: several of them, or
one column of lists of equal length. Nulls and values that are not finite are refused.
"""

from __future__ import annotations

import os
import pickle
import tempfile
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from . import _native
from ._base import Embedder
from ._lists import Neighbors
from ._settings import a_path, mistyped, one_of, required, whole, word, words

if TYPE_CHECKING:
    from os import PathLike

    from numpy.typing import ArrayLike, NDArray

_MAGIC = b"SWGRAPH1"

#: The columns of neighbor lists.
LISTS = pa.schema(
    [("id", pa.int64()), ("neighbors", pa.list_(pa.int64())), ("distances", pa.list_(pa.float64()))]
)


def _columns(columns):
    return [columns] if isinstance(columns, str) else required("columns", words("columns", columns), "names")


def _table(name, batch):
    if not isinstance(batch, (pa.RecordBatch, pa.Table)):
        raise mistyped(name, "a record batch or a table of Arrow", batch)
    return batch


def _threads(threads):
    return required("threads", whole("threads", threads, least=0), "an integer")


def ids(batch: Any, id: str = "id") -> NDArray[np.int64]:
    """The ids of a batch.

    Parameters
    ----------
    batch : pyarrow.RecordBatch or pyarrow.Table
        Rows.
    id : str, default="id"
        The column of ids.

    Returns
    -------
    ids : ndarray of shape (n_rows,), int64
    """
    column = _table("batch", batch).column(required("id", word("id", id), "text"))
    if column.null_count or not pa.types.is_integer(column.type):
        raise ValueError(f"the column {id!r} must hold integers without nulls")
    return np.asarray(column, dtype=np.int64)


def matrix(batch: Any, columns: str | Sequence[str], id: str = "id") -> NDArray[np.float64]:
    """The numbers of a batch.

    Parameters
    ----------
    batch : pyarrow.RecordBatch or pyarrow.Table
        Rows.
    columns : list of str, or str
        Names of numeric columns, or the name of one column of lists.
    id : str, default="id"
        The column that names a row in messages.

    Returns
    -------
    X : ndarray of shape (n_rows, n_columns), float64
    """
    _table("batch", batch)
    required("id", word("id", id), "text")
    parts = []
    for name in _columns(columns):
        column = batch.column(name)
        if isinstance(column, pa.ChunkedArray):
            column = column.combine_chunks()
        if pa.types.is_list(column.type) or pa.types.is_fixed_size_list(column.type):
            values = column.flatten()
            width = len(values) // max(len(column), 1)
            lengths = column.value_lengths().to_numpy(zero_copy_only=False)
            if column.null_count or values.null_count or (lengths != width).any():
                raise ValueError(f"the lists of the column {name!r} must be of one length, without nulls")
            parts.append(values.to_numpy(zero_copy_only=False).astype(np.float64).reshape(-1, width))
        else:
            values = column.cast(pa.float64()).to_numpy(zero_copy_only=False)
            parts.append(values.reshape(-1, 1))
    X = np.ascontiguousarray(np.hstack(parts), dtype=np.float64)
    wrong = ~np.isfinite(X).all(axis=1)
    if wrong.any():
        first = ids(batch, id)[np.argmax(wrong)] if id in batch.schema.names else int(np.argmax(wrong))
        raise ValueError(
            f"{int(wrong.sum())} of {len(X)} rows hold nulls or values that are not finite, the first of "
            f"them with id {first}; leave these rows out"
        )
    return X


def pack(model: Any) -> bytes:
    """A fitted estimator as the bytes that `transform` reads.

    Parameters
    ----------
    model : estimator
        Fitted; its method must place new points.

    Returns
    -------
    packed : bytes
    """
    if not isinstance(model, Embedder):
        raise mistyped("model", "a fitted estimator", model)
    if not hasattr(model, "_model"):
        raise ValueError("the model must be fitted; call fit before, or swissroll.load a saved one")
    return pickle.dumps(model._model)


def transform(
    model: Any, batch: Any, columns: str | Sequence[str], id: str = "id", threads: int = 1
) -> pa.RecordBatch:
    """Places the rows of a batch by a fitted model.

    Parameters
    ----------
    model : bytes or estimator
        What `pack` returns, or a fitted estimator.
    batch : pyarrow.RecordBatch or pyarrow.Table
        Rows.
    columns : list of str, or str
        The columns of the model's features, in the order of its fit.
    id : str, default="id"
        The column of ids.
    threads : int, default=1
        Number of threads; 0 for all processors.

    Returns
    -------
    placed : pyarrow.RecordBatch
        The ids, and a column ``y0``, ``y1``, … for each coordinate.
    """
    if not isinstance(model, (bytes, Embedder)):
        raise mistyped("model", "a fitted estimator, or the bytes of pack", model)
    native = pickle.loads(model) if isinstance(model, bytes) else model._model
    threads = _threads(threads)
    X = matrix(batch, columns, id)
    # Without rows to place, the model still determines the number of coordinates.
    Y = native.transform(X, threads=threads) if len(X) else native.embedding()[:0]
    placed = {"id": ids(batch, id)} | {f"y{c}": Y[:, c] for c in range(Y.shape[1])}
    return pa.RecordBatch.from_pydict(placed)


def _lists(ids, neighbors, distances, counts):
    offsets = pa.array(np.concatenate([[0], np.cumsum(counts)]), type=pa.int32())
    return pa.RecordBatch.from_arrays(
        [
            pa.array(ids),
            pa.ListArray.from_arrays(offsets, pa.array(neighbors)),
            pa.ListArray.from_arrays(offsets, pa.array(distances)),
        ],
        schema=LISTS,
    )


def nearest(
    queries: Any, base: Any, k: int, columns: str | Sequence[str], id: str = "id", threads: int = 1
) -> pa.RecordBatch:
    """For each query its nearest rows of the base; a row with the id of the query is left out.

    Parameters
    ----------
    queries, base : pyarrow.RecordBatch or pyarrow.Table
        Rows of two blocks, which may be the same.
    k : int
        Number of neighbors, at least 1; all rows where the base has fewer.
    columns : list of str, or str
        The columns of coordinates.
    id : str, default="id"
        The column of ids.
    threads : int, default=1
        Number of threads; 0 for all processors.

    Returns
    -------
    lists : pyarrow.RecordBatch
        For each query its ``id``, the ids ``neighbors``, nearest first, ties by id, and the
        ``distances``. `merge` joins the lists of several bases.
    """
    k, threads = required("k", whole("k", k), "an integer"), _threads(threads)
    own, other = ids(_table("queries", queries), id), ids(_table("base", base), id)
    _columns(columns)
    order = np.argsort(other, kind="stable")
    other = other[order]
    if not len(own) or not len(other):
        return _lists(own, np.empty(0, np.int64), np.empty(0), np.zeros(len(own), np.int64))
    wanted = min(k + 1, len(other))
    rows, distances = _native.nearest(
        matrix(queries, columns, id), matrix(base, columns, id)[order], wanted, threads=threads
    )
    found = other[rows]
    kept = found != own[:, None]
    # Among the first k + 1 there are k others.
    kept &= np.cumsum(kept, axis=1) <= k
    return _lists(own, found[kept], distances[kept], kept.sum(axis=1))


def merge(lists: Any, k: int) -> pa.RecordBatch:
    """Joins the lists that the queries found in several bases.

    Parameters
    ----------
    lists : pyarrow.RecordBatch or pyarrow.Table
        Columns ``id``, ``neighbors``, ``distances``; several rows for an id.
    k : int
        Number of neighbors.

    Returns
    -------
    lists : pyarrow.RecordBatch
        One row for each id, ascending: the k nearest of all, ties by id.
    """
    k = required("k", whole("k", k), "an integer")
    own = ids(_table("lists", lists))
    columns = [lists.column(name) for name in ("neighbors", "distances")]
    columns = [c.combine_chunks() if isinstance(c, pa.ChunkedArray) else c for c in columns]
    counts = columns[0].value_lengths().to_numpy(zero_copy_only=False)
    neighbors, distances = (c.flatten().to_numpy(zero_copy_only=False) for c in columns)
    owners = np.repeat(own, counts)
    order = np.lexsort((neighbors, distances, owners))
    owners, neighbors, distances = owners[order], neighbors[order], distances[order]
    again = (owners[1:] == owners[:-1]) & (neighbors[1:] == neighbors[:-1])
    if again.any():
        raise ValueError(f"the id {neighbors[1:][again][0]} occurs more than once; ids must be unique")
    known, starts, lengths = np.unique(owners, return_index=True, return_counts=True)
    kept = np.arange(len(owners)) - np.repeat(starts, lengths) < k
    return _lists(known, neighbors[kept], distances[kept], np.minimum(lengths, k))


def write_graph(path: str | PathLike[str], lists: Neighbors, symmetry: str = "union") -> None:
    """Writes the undirected graph of neighbor lists as a file that `geodesics` maps into memory.

    Parameters
    ----------
    path : str or path-like
        The file, which is replaced.
    lists : swissroll.Neighbors
        The lists.
    symmetry : {"union", "mutual"}, default="union"
        Which directed edges make an undirected one.
    """
    required("path", a_path("path", path), "a path")
    one_of("symmetry", symmetry, ("union", "mutual"))
    if not isinstance(lists, Neighbors):
        raise mistyped("lists", "swissroll.Neighbors", lists)
    offsets, indices, weights = _native.graph(lists._native, symmetry)
    folder, name = os.path.split(os.path.abspath(path))
    with tempfile.NamedTemporaryFile(dir=folder, prefix=name, delete=False) as file:
        try:
            file.write(_MAGIC)
            file.write(np.array([len(lists), len(indices)], np.uint64).tobytes())
            for part in (offsets, weights, indices):
                file.write(part.data)
            file.close()
            os.replace(file.name, path)
        except BaseException:
            os.unlink(file.name)
            raise


def read_graph(
    path: str | PathLike[str],
) -> tuple[NDArray[np.uintp], NDArray[np.uint32], NDArray[np.float64]]:
    """Maps a file of `write_graph` into memory.

    Parameters
    ----------
    path : str or path-like
        The file. One of another kind, or a damaged one, raises ``ValueError``.

    Returns
    -------
    offsets, indices, weights : memmap
        The neighbors of vertex i are ``indices[offsets[i]:offsets[i + 1]]``.
    """
    required("path", a_path("path", path), "a path")
    size = os.path.getsize(path)
    with open(path, "rb") as file:
        head = file.read(24)
    n, entries = (int(number) for number in np.frombuffer(head[8:].ljust(16, b"\0"), np.uint64))
    if head[:8] != _MAGIC or size != 24 + 8 * (n + 1) + 12 * entries:
        raise ValueError(f"{os.fspath(path)!r} is not a complete file of swissroll.arrow.write_graph")

    def part(dtype, start, length):
        return np.memmap(path, dtype, "r", start, (length,)) if length else np.empty(0, dtype)

    weights = 24 + 8 * (n + 1)
    return (
        part(np.uintp, 24, n + 1),
        part(np.uint32, weights + 8 * entries, entries),
        part(np.float64, weights, entries),
    )


def geodesics(sources: ArrayLike, path: str | PathLike[str], threads: int = 1) -> NDArray[np.float64]:
    """Distances along a graph from some vertices to all.

    Parameters
    ----------
    sources : array-like of shape (n_sources,)
        Vertices, numbers of rows of the lists.
    path : str or path-like
        A file of `write_graph`; it is mapped into memory, which the processes of a machine
        share.
    threads : int, default=1
        Number of threads; 0 for all processors.

    Returns
    -------
    distances : ndarray of shape (n_sources, n_vertices)
        Infinite between components.
    """
    offsets, indices, weights = read_graph(path)
    vertices = np.asarray(sources)
    if vertices.ndim != 1 or (vertices.dtype.kind not in "iu" and vertices.size):
        raise mistyped("sources", "a list of integers", sources)
    least = int(vertices.min(initial=0))
    if least < 0:
        raise ValueError(f"sources must be at least 0, but one is {least}")
    return _native.geodesics(vertices.tolist(), offsets, indices, weights, threads=_threads(threads))
