"""Spark with more data than an executor has memory, and with an executor that ends."""

import os
import shutil
import signal
import threading
import time
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("pyspark")
if shutil.which("java") is None:
    pytest.skip("Java is not installed", allow_module_level=True)

import pyarrow as pa
import pyarrow.parquet as pq
from spark_session import session

import swissroll
import swissroll.spark

pytestmark = pytest.mark.xdist_group("spark")
COLUMNS = ["x0", "x1", "x2"]
MEMORY = 512
FILES, ROWS = 10, 2_200_000


@pytest.fixture(scope="module")
def spark():
    spark = session(MEMORY)
    yield spark
    spark.stop()


@pytest.fixture(scope="module")
def model():
    X, _ = swissroll.datasets.make_swiss_roll(500)
    return swissroll.LandmarkMDS(landmarks=4).fit(X)


@pytest.fixture(scope="module")
def rows(tmp_path_factory, model):
    """A folder of Parquet files, and the sums of the bits of the places of all rows."""
    folder, sums = tmp_path_factory.mktemp("rows"), np.zeros(2, np.uint64)
    rng = np.random.default_rng(0)
    for part in range(FILES):
        X = rng.normal(scale=10, size=(ROWS, 3))
        sums += model.transform(X).view(np.uint64).sum(axis=0)
        columns = {"id": np.arange(part * ROWS, (part + 1) * ROWS)} | {
            n: X[:, c] for c, n in enumerate(COLUMNS)
        }
        pq.write_table(pa.table(columns), folder / f"{part}.parquet")
    size = FILES * ROWS * 4 * 8
    assert size > MEMORY << 20
    yield folder, sums
    shutil.rmtree(folder)


def bits(placed, folder):
    """The sums of the bits of the placed rows, through files."""
    placed.write.mode("overwrite").parquet(str(folder))
    sums, count = np.zeros(2, np.uint64), 0
    for file in Path(folder).glob("*.parquet"):
        table = pq.read_table(file)
        count += len(table)
        sums += [table.column(name).to_numpy().view(np.uint64).sum() for name in ("y0", "y1")]
    assert count == FILES * ROWS
    return sums


def executors(spark):
    """The processes of this session's executors."""
    driver = spark.sparkContext._jvm.java.lang.ProcessHandle.current().pid()
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if (
                not entry.name.isdigit()
                or b"CoarseGrainedExecutorBackend" not in (entry / "cmdline").read_bytes()
            ):
                continue
            if int((entry / "stat").read_text().rpartition(")")[2].split()[1]) == driver:
                found.append(int(entry.name))
        except OSError:
            continue
    return found


def test_data_larger_than_an_executor_are_placed(spark, model, rows, tmp_path):
    folder, sums = rows
    placed = swissroll.spark.transform(spark.read.parquet(str(folder)), model, columns=COLUMNS)
    assert (bits(placed, tmp_path / "placed") == sums).all()


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="processes are found through /proc")
def test_the_end_of_an_executor_changes_nothing(spark, model, rows, tmp_path):
    folder, sums = rows
    before, ended = executors(spark), []

    def end_one():
        # The job runs: files are being written, and not all are complete.
        while not any((tmp_path / "placed" / "_temporary").rglob("*.parquet")):
            time.sleep(0.05)
        os.kill(before[0], signal.SIGKILL)
        ended.append(before[0])

    thread = threading.Thread(target=end_one, daemon=True)
    placed = swissroll.spark.transform(spark.read.parquet(str(folder)), model, columns=COLUMNS)
    thread.start()
    found = bits(placed, tmp_path / "placed")
    thread.join()
    assert ended and ended[0] not in executors(spark)
    assert (found == sums).all()
