"""Five million points of a noisy Swiss roll, placed by a model of 20,000 of them.

    pip install './python[spark]' matplotlib
    python python/examples/spark_roll.py [--rows 5000000] [--master 'local[*]'] [--out FOLDER]

Writes the rows as Parquet, fits landmark Isomap to a sample on the driver, places all rows
on Spark, draws where they are, and measures the distance to the true coordinates: the arc
length along the roll and the position across it.
"""

import argparse
import os
import sys
import time
from pathlib import Path

import matplotlib
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import SparkSession

import swissroll
import swissroll.spark

matplotlib.use("Agg")
import matplotlib.pyplot as plt

COLUMNS = ["x", "y", "z"]
PART = 500_000


def roll(rng, n, noise):
    """Points of the roll, and their true coordinates."""
    t = 1.5 * np.pi * (1 + 2 * rng.random(n))
    across = 21 * rng.random(n)
    points = np.column_stack([t * np.cos(t), across, t * np.sin(t)]) + noise * rng.normal(size=(n, 3))
    length = 0.5 * (t * np.sqrt(1 + t**2) + np.arcsinh(t))
    return points, np.column_stack([length, across])


def write(folder, rows, noise):
    """The rows as Parquet files, with the true coordinates next to the points."""
    folder.mkdir(parents=True)
    rng = np.random.default_rng(0)
    for part, start in enumerate(range(0, rows, PART)):
        n = min(PART, rows - start)
        points, truth = roll(rng, n, noise)
        columns = dict(zip(COLUMNS, points.T)) | {"length": truth[:, 0], "across": truth[:, 1]}
        pq.write_table(
            pa.table({"id": np.arange(start, start + n), **columns}), folder / f"{part:05}.parquet"
        )


def moments(placed):
    """Number, means and second moments of map and truth together, file by file."""
    count, total, products = 0, np.zeros(4), np.zeros((4, 4))
    for file in sorted(placed.glob("*.parquet")):
        table = pq.read_table(file)
        values = np.column_stack([table.column(name) for name in ("y0", "y1", "length", "across")])
        count, total, products = count + len(values), total + values.sum(0), products + values.T @ values
    return count, total, products


def residual(count, total, products):
    """The part of the truth's variance that no similarity of the map explains."""
    centered = products - np.outer(total, total) / count
    own, between, truth = centered[:2, :2], centered[:2, 2:], centered[2:, 2:]
    explained = np.linalg.svd(between, compute_uv=False).sum() ** 2 / np.trace(own)
    return 1 - explained / np.trace(truth)


def draw(placed, path):
    """Number of rows in each cell of the map, and their mean arc length."""
    files = [pq.read_table(file) for file in sorted(placed.glob("*.parquet"))]
    y0, y1, length = (np.concatenate([f.column(c) for f in files]) for c in ("y0", "y1", "length"))
    counts, *edges = np.histogram2d(y0, y1, bins=(600, 250))
    sums, *_ = np.histogram2d(y0, y1, bins=edges, weights=length)
    box = [edges[0][0], edges[0][-1], edges[1][0], edges[1][-1]]
    figure, axes = plt.subplots(2, 1, figsize=(9, 5), layout="constrained", sharex=True)
    with np.errstate(invalid="ignore"):
        shown = [(counts, "rows in a cell", "magma"), (sums / counts, "mean arc length", "viridis")]
    for axis, (values, title, colors) in zip(axes, shown):
        values = np.where(counts > 0, values, np.nan)
        image = axis.imshow(values.T, origin="lower", extent=box, cmap=colors, interpolation="none")
        axis.set_title(title)
        figure.colorbar(image, ax=axis)
    figure.savefig(path, dpi=120)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", type=int, default=5_000_000)
    parser.add_argument("--fitted", type=int, default=20_000)
    parser.add_argument("--noise", type=float, default=0.2)
    parser.add_argument("--master", default="local[*]")
    parser.add_argument("--out", type=Path, default=Path("spark_roll"))
    options = parser.parse_args()
    rows, placed = options.out / "rows", options.out / "placed"
    write(rows, options.rows, options.noise)
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.master(options.master).config("spark.ui.enabled", "false")
    spark = builder.getOrCreate()
    df = spark.read.parquet(str(rows))

    start = time.perf_counter()
    recipe = swissroll.LandmarkIsomap(n_neighbors=12)
    model = swissroll.spark.fit_sample(df, recipe, options.fitted, columns=COLUMNS)
    print(f"fitted to {options.fitted:,} rows in {time.perf_counter() - start:.1f} s")

    start = time.perf_counter()
    places = swissroll.spark.transform(df, model, columns=COLUMNS)
    places.join(df.select("id", "length", "across"), "id").write.parquet(str(placed))
    took = time.perf_counter() - start
    print(f"placed {options.rows:,} rows in {took:.1f} s, joined with the truth and written")
    spark.stop()

    count, *sums = moments(placed)
    print(f"{count:,} rows; residual variance to the true coordinates {residual(count, *sums):.2e}")
    draw(placed, options.out / "map.png")
    print(f"wrote {options.out / 'map.png'}")


if __name__ == "__main__":
    main()
