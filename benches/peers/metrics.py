"""Times exact neighbors by metrics against scikit-learn, and compares the lists.

    python metrics.py [--compare PROGRAM] [--n N] [--k K] [--repeat R] POINTS.npy METRIC...

`PROGRAM` is a release build of compare. Seconds are the time of the search without reading,
the fastest of R runs of either program, in turns. Jaccard's metric compares rows with 0.
"""

import argparse
import json
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np
from sklearn.neighbors import NearestNeighbors

parser = argparse.ArgumentParser()
parser.add_argument("--compare", default="target/release/compare")
parser.add_argument("--n", type=int, default=10_000)
parser.add_argument("--k", type=int, default=15)
parser.add_argument("--repeat", type=int, default=2)
parser.add_argument("points")
parser.add_argument("metrics", nargs="+")
given = parser.parse_args()

X = np.load(given.points)[: given.n].astype(np.float64)
folder = Path(tempfile.mkdtemp())
np.save(folder / "x.npy", X)


def ours(metric):
    command = [given.compare, "neighbors", "--input", folder / "x.npy", "--k", given.k, "--metric", metric]
    command += ["--output", folder / "i.npy", "--distances", folder / "d.npy", "--report", folder / "r.json"]
    subprocess.run([str(word) for word in command], check=True, stderr=subprocess.DEVNULL)
    return json.loads((folder / "r.json").read_text())["seconds"], np.load(folder / "d.npy")


def peer(metric):
    name, _, p = metric.partition(":")
    rows = X != 0 if name == "jaccard" else X
    more = {"p": float(p)} if p else {}
    begun = time.perf_counter()
    search = NearestNeighbors(n_neighbors=given.k, algorithm="brute", metric=name, n_jobs=-1, **more)
    distances, _ = search.fit(rows).kneighbors()
    return time.perf_counter() - begun, distances


print("| metric | Swissroll | scikit-learn | largest difference of distances |\n|---|---|---|---|")
for metric in given.metrics:
    runs = [(ours(metric), peer(metric)) for _ in range(given.repeat)]
    own, other = (min(run[side][0] for run in runs) for side in (0, 1))
    gap = np.abs(runs[0][0][1] - runs[0][1][1]).max()
    print(f"| {metric} | {own:.2f} | {other:.2f} | {gap:.1e} |", flush=True)
