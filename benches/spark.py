"""Rows placed per second, and the additional cost of Spark.

    pip install './python[spark]'
    python benches/spark.py methods     # every method's transform, one thread, no Spark
    python benches/spark.py engine      # Spark with one and two executors against one process

Models are fitted to 2,000 rows: of a Swiss roll, and of MNIST (70,000 rows, repeated with
noise of one gray level). `methods` places as many rows as take about 3 s, 10,000,000 × 3 and
100,000 × 784 at most, and prints the number with the rate. `engine` reads and writes Parquet in
all forms; the rate of one process without files is `methods`'.
"""

import argparse
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import swissroll

FITTED = 2000
SECONDS = 3.0
NAMES = ["x0", "x1", "x2"]


def data():
    """Name, rows to fit, and a function that returns a given number of rows to place."""
    rng = np.random.default_rng(0)
    roll = lambda n: swissroll.datasets.make_swiss_roll(n, random_state=int(rng.integers(2**31)))[0]
    digits = swissroll.datasets.load("mnist").data

    def written(n):
        rows = digits[rng.integers(len(digits), size=n)]
        return rows + rng.normal(size=rows.shape)

    yield "roll, 3 columns", roll(FITTED), roll, 10_000_000
    yield "MNIST, 784 columns", digits[:FITTED], written, 100_000


def methods():
    from swissroll._loading import estimators

    print("| method | data | rows placed | rows per second |\n|---|---|---|---|")
    for name, fitted, rows, most in data():
        labels = np.arange(FITTED) % 5
        for method, kind in sorted(estimators().items()):
            if not hasattr(kind, "transform"):
                continue
            model = kind(n_neighbors=12) if "n_neighbors" in kind().get_params() else kind()
            try:
                model.fit(fitted, labels)
            except Exception as error:
                print(f"| {method} | {name} | – | not fitted: {str(error)[:60]} |", flush=True)
                continue
            count, took = 500, 0.0
            while True:
                new = rows(count)
                start = time.perf_counter()
                model._model.transform(new, threads=1)
                took = time.perf_counter() - start
                if took > SECONDS / 4 or count == most:
                    break
                count = min(most, int(count * max(2, SECONDS / 2 / max(took, 1e-3))))
            print(f"| {method} | {name} | {count:,} | {count / took:,.0f} |", flush=True)


def write(folder, rows, part=500_000):
    for at in range(0, rows, part):
        X, _ = swissroll.datasets.make_swiss_roll(min(part, rows - at), random_state=at)
        columns = {"id": np.arange(at, at + len(X))} | {n: X[:, c] for c, n in enumerate(NAMES)}
        pq.write_table(pa.table(columns), folder / f"{at:09}.parquet")


def alone(model, source, target):
    """One thread, file by file."""
    from swissroll import arrow

    packed = arrow.pack(model)
    for file in sorted(source.glob("*.parquet")):
        pq.write_table(pa.Table.from_batches([arrow.transform(packed, pq.read_table(file), NAMES)]), target / file.name)


def engine(rows):
    import swissroll.spark
    from pyspark.sql import SparkSession

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    X, _ = swissroll.datasets.make_swiss_roll(FITTED)
    models = {
        "landmark MDS, 50 landmarks": swissroll.LandmarkMDS(landmarks=50).fit(X),
        "landmark Isomap, 200 landmarks": swissroll.LandmarkIsomap(n_neighbors=12).fit(X),
    }
    folder = Path(tempfile.mkdtemp())
    try:
        source = folder / "rows"
        source.mkdir()
        write(source, rows)
        print("| model | one process | Spark, 1 executor | Spark, 2 executors |\n|---|---|---|---|")
        took = {}
        for name, model in models.items():
            target = folder / "alone"
            target.mkdir()
            start = time.perf_counter()
            alone(model, source, target)
            took[name] = [time.perf_counter() - start]
            shutil.rmtree(target)
        for executors in (1, 2):
            builder = SparkSession.builder.master(f"local-cluster[{executors},1,2048]")
            for key, value in {
                "spark.executor.memory": "2048m",
                "spark.ui.enabled": "false",
                "spark.ui.showConsoleProgress": "false",
                "spark.driver.host": "127.0.0.1",
            }.items():
                builder = builder.config(key, value)
            spark = builder.getOrCreate()
            spark.range(1000).repartition(2).count()  # executors and their workers are up

            for name, model in models.items():
                start = time.perf_counter()
                df = spark.read.parquet(str(source))
                placed = swissroll.spark.transform(df, model, columns=NAMES)
                placed.write.mode("overwrite").parquet(str(folder / "placed"))
                took[name].append(time.perf_counter() - start)
            spark.stop()
        for name, seconds in took.items():
            print(f"| {name} | " + " | ".join(f"{s:.1f} s, {rows / s:,.0f} rows/s" for s in seconds) + " |")
    finally:
        shutil.rmtree(folder)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["methods", "engine"])
    parser.add_argument("--rows", type=int, default=10_000_000)
    options = parser.parse_args()
    methods() if options.what == "methods" else engine(options.rows)


if __name__ == "__main__":
    main()
