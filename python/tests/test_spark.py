"""Spark with executors of their own against one process, bit for bit."""

import shutil

import numpy as np
import pandas as pd
import pytest

pytest.importorskip("pyspark")
if shutil.which("java") is None:
    pytest.skip("Java is not installed", allow_module_level=True)

from pyspark.sql import functions as F
from spark_session import session

import swissroll
import swissroll.spark

pytestmark = pytest.mark.xdist_group("spark")
COLUMNS = ["x0", "x1", "x2"]


@pytest.fixture(scope="module")
def spark():
    spark = session(1024)
    yield spark
    spark.stop()


def data(X, names):
    rows = pd.DataFrame(X, columns=names)
    rows.insert(0, "id", np.arange(len(X)))
    return rows


def frame(spark, X, partitions=2):
    return spark.createDataFrame(data(X, COLUMNS)).repartition(partitions)


def places(df):
    table = df.orderBy("id").toArrow()
    names = [name for name in table.column_names if name != "id"]
    return table.column("id").to_numpy(), np.column_stack([table.column(name) for name in names])


@pytest.fixture(scope="module")
def model():
    X, _ = swissroll.datasets.make_swiss_roll(400)
    return swissroll.Isomap(n_neighbors=8).fit(X)


@pytest.mark.parametrize("partitions", [1, 2, 7])
@pytest.mark.parametrize("rows", [100, 1000, 10000])
def test_places_do_not_depend_on_partitions_and_batches(spark, model, partitions, rows):
    new, _ = swissroll.datasets.make_swiss_roll(3000, random_state=1)
    spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", rows)
    ids, Y = places(swissroll.spark.transform(frame(spark, new, partitions), model, columns=COLUMNS))
    assert (ids == np.arange(3000)).all()
    assert Y.tobytes() == model.transform(new).tobytes()


@pytest.mark.parametrize("blocks", [3, 7])
def test_neighbors_of_blocks_are_those_of_one_search(spark, blocks):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(20000, 50))
    X[rng.integers(20000, size=300)] = X[rng.integers(20000, size=300)]
    _, near, distances = swissroll.neighbors(X, 10).sparse()
    names = [f"x{c}" for c in range(50)]
    df = spark.createDataFrame(data(X, names)).select("id", F.array(*names).alias("x"))
    found = swissroll.spark.neighbors(df, 10, columns="x", blocks=blocks).orderBy("id").toArrow()
    assert (found.column("neighbors").combine_chunks().flatten().to_numpy() == near).all()
    assert found.column("distances").combine_chunks().flatten().to_numpy().tobytes() == distances.tobytes()


def test_landmark_isomap_is_that_of_one_process(spark):
    X, _ = swissroll.datasets.make_swiss_roll(5000)
    placed, scaling = swissroll.spark.landmark_isomap(
        frame(spark, X), 10, n_landmarks=30, columns=COLUMNS, blocks=2
    )
    whole = swissroll.LandmarkIsomap(
        n_neighbors=10, landmarks="random:30:0", precision="double", duplicates="keep"
    ).fit(X)
    ids, Y = places(placed)
    assert (ids == np.arange(5000)).all()
    assert Y.tobytes() == whole.embedding_.tobytes()
    assert scaling.embedding_.shape == (30, 2)


def test_a_sample_does_not_depend_on_partitions(spark):
    X, _ = swissroll.datasets.make_swiss_roll(2000)
    ids, rows = swissroll.spark.sample(frame(spark, X, 1), 150, columns=COLUMNS)
    assert len(ids) == 150 and (X[ids] == rows).all()
    again, _ = swissroll.spark.sample(frame(spark, X, 7), 150, columns=COLUMNS)
    other, _ = swissroll.spark.sample(frame(spark, X, 7), 150, columns=COLUMNS, seed=1)
    assert (ids == again).all() and not (ids == other).all()
    model = swissroll.spark.fit_sample(
        frame(spark, X, 3), swissroll.LandmarkMDS(landmarks=150), 150, columns=COLUMNS
    )
    assert (model.embedding_ == swissroll.LandmarkMDS(landmarks=150).fit(rows).embedding_).all()


def test_rows_that_are_not_finite_are_set_aside_or_refused(spark, model):
    X, _ = swissroll.datasets.make_swiss_roll(100)
    X[[3, 50], 1] = np.nan, np.inf
    df = frame(spark, X)
    rows, aside = swissroll.spark.finite(df, COLUMNS)
    assert (rows.count(), aside.count()) == (98, 2)
    array = df.select("id", F.array(*COLUMNS).alias("x"))
    assert [part.count() for part in swissroll.spark.finite(array, "x")] == [98, 2]
    assert swissroll.spark.transform(rows, model, columns=COLUMNS).count() == 98
    with pytest.raises(Exception, match="values that are not finite"):
        swissroll.spark.transform(df, model, columns=COLUMNS).count()


def test_a_model_above_the_limit_is_refused(spark, model):
    df = spark.range(1)
    with pytest.raises(ValueError, match="more than the limit of 1,000 that is sent to every executor"):
        swissroll.spark.transform(df, model, columns="id", limit=1000)
    with pytest.raises(ValueError, match="must be fitted"):
        swissroll.spark.transform(df, swissroll.Isomap(), columns="id")


def test_a_number_of_neighbors_is_checked_before_the_search(spark):
    with pytest.raises(ValueError, match="k must be 1 to 9, the number of rows - 1, but is 10"):
        swissroll.spark.neighbors(frame(spark, np.eye(10)[:, :3]), 10, columns=COLUMNS)


def test_a_graph_of_several_components_is_refused(spark):
    X = np.vstack([np.random.default_rng(0).normal(size=(60, 3)) + shift for shift in (0, 100)])
    with pytest.raises(swissroll.DisconnectedError, match="has 2 components"):
        swissroll.spark.landmark_isomap(frame(spark, X), 5, n_landmarks=10, columns=COLUMNS)
