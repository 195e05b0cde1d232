"""Methods over the rows of a Spark data frame.

Spark runs the functions of `swissroll.arrow`, each over a part of the
rows: new rows are placed by a model that was fitted on one machine, nearest neighbors are
searched between blocks of rows, and geodesics begin at groups of landmarks. Every result is
the same as in one process, bit for bit, at any number of partitions.

Not offered: eigenproblems distributed over machines, layouts (t-SNE, UMAP) fitted to all
rows, and exact neighbors of 10⁹ rows, which are 10¹⁸ distances. Fit to a sample, or to
landmarks, and place the rest.
"""

import atexit
import math
import os
import shutil
import tempfile
import uuid
from functools import reduce

import numpy as np
import pyarrow as pa
import pyarrow.compute
from pyspark import SparkFiles, StorageLevel
from pyspark.sql import functions as F
from pyspark.sql.types import (
    ArrayType,
    DoubleType,
    IntegerType,
    LongType,
    StructField,
    StructType,
)
from sklearn.base import clone

from . import _native, arrow
from ._lists import Neighbors

#: Bytes of coordinates in one block of a neighbor search.
BLOCK = 64 << 20

#: Vertices in one block of geodesics.
VERTICES = 4096

_LISTS = StructType(
    [
        StructField("id", LongType()),
        StructField("neighbors", ArrayType(LongType())),
        StructField("distances", ArrayType(DoubleType())),
    ]
)

_PIECES = StructType(
    [
        StructField("block", IntegerType()),
        StructField("source", LongType()),
        StructField("distances", ArrayType(DoubleType())),
    ]
)


def _names(columns):
    return [columns] if isinstance(columns, str) else list(columns)


def _places(model):
    """The columns of placed rows."""
    dim = model._model.embedding().shape[1]
    fields = [StructField(f"y{c}", DoubleType()) for c in range(dim)]
    return StructType([StructField("id", LongType()), *fields])


def _packed(spark, model, limit):
    """The model, on its way to every executor once."""
    packed = arrow.pack(model)
    if len(packed) > limit:
        raise ValueError(
            f"the model has {len(packed):,} bytes, more than the limit of {limit:,} that is sent to "
            "every executor; fit to fewer rows, or pass a larger limit"
        )
    return spark.sparkContext.broadcast(packed)


def finite(df, columns):
    """Divides rows by whether all their numbers are finite.

    Parameters
    ----------
    df : pyspark.sql.DataFrame
        Rows.
    columns : list of str, or str
        Numeric columns, or one column of arrays.

    Returns
    -------
    rows, aside : pyspark.sql.DataFrame
        The rows that the other functions accept, and the rows that they refuse;
        ``aside.count()`` is the number of refused rows.
    """

    def is_finite(value):
        value = value.cast("double")
        return value.isNotNull() & ~F.isnan(value) & (F.abs(value) < F.lit(float("inf")))

    def holds(name):
        if isinstance(df.schema[name].dataType, ArrayType):
            return F.coalesce(F.forall(df[name], is_finite), F.lit(False))
        return is_finite(df[name])

    good = reduce(lambda a, b: a & b, (holds(name) for name in _names(columns)))
    return df.filter(good), df.filter(~good)


def transform(df, model, *, columns, id="id", limit=1 << 30):
    """Places all rows by a fitted model.

    Parameters
    ----------
    df : pyspark.sql.DataFrame
        Rows with a column of unique integers, `id`.
    model : estimator
        Fitted, or read by `swissroll.load`; it is sent to every executor once.
    columns : list of str, or str
        The model's features in the order of its fit: numeric columns, or one of arrays.
    id : str, default="id"
        The column of ids.
    limit : int, default=2**30
        Bytes of a model above which it is refused.

    Returns
    -------
    placed : pyspark.sql.DataFrame
        ``id`` and the coordinates ``y0``, ``y1``, …, as ``model.transform`` gives them.
    """
    packed = _packed(df.sparkSession, model, limit)

    def place(batches):
        for batch in batches:
            yield arrow.transform(packed.value, batch, columns, id)

    return df.select(id, *_names(columns)).mapInArrow(place, _places(model))


def sample(df, n, *, columns, id="id", seed=0):
    """Brings a sample of rows to the driver: the rows whose ids have the smallest hashes.

    Parameters
    ----------
    df : pyspark.sql.DataFrame
        Rows.
    n : int
        Number of rows; all where there are fewer.
    columns : list of str, or str
        Numeric columns, or one of arrays.
    id : str, default="id"
        The column of ids.
    seed : int, default=0
        Another seed takes other rows. The partitions of the data do not matter.

    Returns
    -------
    ids : ndarray of shape (n,), int64
        Ascending.
    X : ndarray of shape (n, n_columns), float64
    """
    rows = df.select(id, *_names(columns))
    table = rows.orderBy(F.xxhash64(F.lit(seed), F.col(id)), F.col(id)).limit(n).toArrow()
    known = arrow.ids(table, id)
    order = np.argsort(known)
    return known[order], arrow.matrix(table, columns, id)[order]


def fit_sample(df, estimator, n, *, columns, id="id", seed=0):
    """Fits an estimator to a sample of the rows, on the driver.

    With ``LandmarkMDS(landmarks=n)`` this is landmark MDS of all rows; with any other
    method that places new points it is that method for data of any size.

    Parameters
    ----------
    df, n, columns, id, seed
        As for `sample`.
    estimator : estimator
        Not fitted; it is cloned.

    Returns
    -------
    model : estimator
        Fitted, for `transform`.
    """
    return clone(estimator).fit(sample(df, n, columns=columns, id=id, seed=seed)[1])


def neighbors(df, k, *, columns, id="id", blocks=None):
    """The exact nearest neighbors of every row, by comparing all pairs of blocks of rows.

    Parameters
    ----------
    df : pyspark.sql.DataFrame
        Rows with a column of unique integers, `id`.
    k : int
        Number of neighbors, 1 to the number of rows - 1.
    columns : list of str, or str
        The coordinates: numeric columns, or one of arrays.
    id : str, default="id"
        The column of ids.
    blocks : int, default=None
        Number of blocks; None for blocks of 64 MB of coordinates. A task holds two blocks.
        The data are copied as many times as there are blocks, on disk where memory is full.

    Returns
    -------
    lists : pyspark.sql.DataFrame
        For every row its ``id``, the ids ``neighbors``, nearest first, ties by id, and the
        ``distances``: the lists of ``swissroll.neighbors`` where ids are row numbers.
    """
    names = _names(columns)
    n = df.count()
    if not 1 <= k < n:
        raise ValueError(f"k must be 1 to {n - 1}, the number of rows - 1, but is {k}")
    if blocks is None:
        first = arrow.matrix(df.select(id, *names).limit(1).toArrow(), columns, id)
        blocks = math.ceil(n * first.shape[1] * 8 / BLOCK)
    if blocks < 1:
        raise ValueError(f"blocks must be at least 1, but is {blocks}")
    block = F.pmod(F.xxhash64(F.col(id)), F.lit(blocks)).cast("int")
    each = F.explode(F.sequence(F.lit(0), F.lit(blocks - 1)))
    rows = df.select(id, *names)
    queries = rows.select("*", block.alias("_query"), each.alias("_base"), F.lit(True).alias("_asks"))
    bases = rows.select("*", each.alias("_query"), block.alias("_base"), F.lit(False).alias("_asks"))

    def search(pair):
        asks = pair.column("_asks")
        queries, base = pair.filter(asks), pair.filter(pa.compute.invert(asks))
        return pa.Table.from_batches([arrow.nearest(queries, base, k, columns, id)])

    def merge(lists):
        return pa.Table.from_batches([arrow.merge(lists, k)])

    found = queries.unionAll(bases).groupBy("_query", "_base").applyInArrow(search, _LISTS)
    part = F.pmod(F.xxhash64(F.col("id")), F.lit(blocks)).cast("int")
    return found.groupBy(part).applyInArrow(merge, _LISTS)


def _graph_lists(lists, k):
    """Ids in ascending order, and the lists by rows."""
    table = lists.toArrow()
    known = arrow.ids(table)
    order = np.argsort(known)
    known = known[order]
    columns = (table.column(name).combine_chunks() for name in ("neighbors", "distances"))
    near, distances = (c.flatten().to_numpy().reshape(-1, k)[order].ravel() for c in columns)
    pointers = np.arange(len(known) + 1, dtype=np.int64) * k
    rows = np.searchsorted(known, near).astype(np.int64)
    return known, Neighbors.from_sparse(pointers, rows, distances, k)


def _shared(spark, graph, symmetry):
    """The name under which every executor finds the file of the graph."""
    folder = tempfile.mkdtemp(prefix="swissroll-")
    # Executors that are started later fetch it from here.
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    path = os.path.join(folder, f"graph-{uuid.uuid4().hex}")
    arrow.write_graph(path, graph, symmetry)
    spark.sparkContext.addFile(path)
    return os.path.basename(path)


def _geodesics(spark, name, landmarks, sources):
    """Distances from every landmark to the vertices of every block; the block -1 has the
    distances to the landmarks."""
    groups = [landmarks[at : at + sources].tolist() for at in range(0, len(landmarks), sources)]

    def search(batches):
        for batch in batches:
            for group in batch.column("sources").to_pylist():
                distances = arrow.geodesics(group, SparkFiles.get(name))
                starts = range(0, distances.shape[1], VERTICES)
                parts = [distances[:, landmarks], *(distances[:, at : at + VERTICES] for at in starts)]
                for block, part in enumerate(parts, -1):
                    columns = {
                        "block": pa.array([block] * len(group), pa.int32()),
                        "source": pa.array(group, pa.int64()),
                        "distances": pa.array(list(part), pa.list_(pa.float64())),
                    }
                    yield pa.RecordBatch.from_pydict(columns)

    tasks = spark.sparkContext.parallelize([(group,) for group in groups], len(groups))
    tasks = tasks.toDF(StructType([StructField("sources", ArrayType(LongType()))]))
    return tasks.mapInArrow(search, _PIECES)


def _rows(pieces):
    """The landmarks of the pieces of a block, and their distances, a row for each."""
    lists = pieces.column("distances").combine_chunks()
    values = lists.flatten().to_numpy(zero_copy_only=False)
    return np.asarray(pieces.column("source")), values.reshape(len(lists), -1)


def landmark_isomap(
    df,
    n_neighbors=10,
    n_components=2,
    *,
    n_landmarks=200,
    seed=0,
    columns,
    id="id",
    symmetry="union",
    blocks=None,
    sources=8,
):
    """Landmark Isomap of all rows: `neighbors`, geodesics from random landmarks, triangulation.

    The graph must fit into the memory of the driver and of one executor (12 bytes for each
    direction of an edge), the distances between landmarks into the memory of the driver.

    Parameters
    ----------
    df, columns, id, blocks
        As for `neighbors`.
    n_neighbors : int, default=10
        Number of neighbors.
    n_components : int, default=2
        Target dimension, 1 to n_landmarks - 1.
    n_landmarks : int, default=200
        Number of landmarks, drawn at random among the rows in the order of their ids.
    seed : int, default=0
        Seed of the draw.
    symmetry : {"union", "mutual"}, default="union"
        Which directed edges of the graph count.
    sources : int, default=8
        Landmarks of one task.

    Returns
    -------
    placed : pyspark.sql.DataFrame
        ``id``, ``y0``, ``y1``, …: the same coordinates, for rows in the order of their ids, as
        ``LandmarkIsomap(landmarks="random:200:0", precision="double", duplicates="keep")``
        gives.
    model : LandmarkMDS
        The scaling of the landmarks, fitted to the geodesics between them.
    """
    from . import DisconnectedError, LandmarkMDS

    spark = df.sparkSession
    lists = neighbors(df, n_neighbors, columns=columns, id=id, blocks=blocks)
    known, graph = _graph_lists(lists, n_neighbors)
    components = len(np.unique(graph.components()))
    if components > 1:
        raise DisconnectedError(
            f"the graph of {n_neighbors} neighbors has {components} components; use more neighbors, or "
            "embed the components apart"
        )
    landmarks = _native.random_landmarks(len(known), n_landmarks, seed)
    name = _shared(spark, graph, symmetry)
    pieces = _geodesics(spark, name, landmarks, sources).persist(StorageLevel.DISK_ONLY)
    found, rows = _rows(pieces.filter("block = -1").toArrow())
    # A path is rounded from its source on: as in the library, the earlier of two landmarks.
    square = np.triu(rows[np.argsort(found)])
    square += np.triu(square, 1).T
    if not np.isfinite(square).all():
        raise DisconnectedError(
            f"the {symmetry} graph of {n_neighbors} neighbors has several components; use more neighbors"
        )
    model = LandmarkMDS(n_components, landmarks=len(landmarks), metric="precomputed").fit(square)
    packed = _packed(spark, model, 1 << 30)
    all_ids = spark.sparkContext.broadcast(known)

    def place(pieces):
        found, rows = _rows(pieces)
        distances = np.ascontiguousarray(rows[np.argsort(found)].T)
        first = pieces.column("block")[0].as_py() * VERTICES
        batch = pa.RecordBatch.from_pydict(
            {
                "id": all_ids.value[first : first + len(distances)],
                "distances": pa.FixedSizeListArray.from_arrays(distances.ravel(), distances.shape[1]),
            }
        )
        return pa.Table.from_batches([arrow.transform(packed.value, batch, "distances")])

    placed = pieces.filter("block >= 0").groupBy("block").applyInArrow(place, _places(model))
    return placed, model
