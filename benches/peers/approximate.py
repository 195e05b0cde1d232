"""Times approximate Euclidean neighbors against pynndescent, and measures the recall of both.

    python approximate.py [--compare PROGRAM] [--k K] [--goals R,...] [--iterations I,...] POINTS

`POINTS` is an .npy file, or sheet:N:D for N rows of D columns in single precision: tanh of a
Gaussian of four dimensions times a random matrix. `PROGRAM` is a release build of compare.
Seconds are the time of the search without reading; pynndescent is timed after it was compiled. The
recall is the fraction of the exact K nearest neighbors of 1,000 rows that their lists contain. `--goals` are
values of --neighbor-recall, `--iterations` values of pynndescent's n_iters (0: its default).
"""

import argparse
import json
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np
from pynndescent import NNDescent

parser = argparse.ArgumentParser()
parser.add_argument("--compare", default="target/release/compare")
parser.add_argument("--k", type=int, default=15)
parser.add_argument("--goals", default="0.95,0.989")
parser.add_argument("--iterations", default="0")
parser.add_argument("points")
given = parser.parse_args()
k = given.k
folder = Path(tempfile.mkdtemp())


def sheet(n, d):
    random = np.random.default_rng(0)
    return np.tanh(random.normal(size=(n, 4)) @ random.normal(size=(4, d))).astype(np.float32)


if given.points.startswith("sheet:"):
    X = sheet(*map(int, given.points.split(":")[1:]))
    file = folder / "x.npy"
    np.save(file, X)
else:
    file = Path(given.points)
    X = np.load(file)
single = X.astype(np.float32, copy=False)

chosen = np.random.default_rng(1).choice(len(X), min(1000, len(X)), replace=False)
exact = []
squares = np.concatenate([(part.astype(np.float64) ** 2).sum(1) for part in np.array_split(X, 50)])
for row in np.array_split(chosen, 20):
    own = X[row].astype(np.float64)
    products = np.concatenate([own @ part.astype(np.float64).T for part in np.array_split(X, 50)], axis=1)
    distances = squares - 2 * products
    distances[np.arange(len(row)), row] = np.inf
    exact.extend(np.argpartition(distances, k, axis=1)[:, :k])


def recall(lists):
    return np.mean([len(np.intersect1d(lists[row], own)) / k for row, own in zip(chosen, exact)])


print(f"{len(X):,} × {X.shape[1]}, k = {k}\n\n| program | seconds | recall | peak, GB |\n|---|---|---|---|", flush=True)
for goal in given.goals.split(","):
    command = [given.compare, "neighbors", "--input", file, "--k", k, "--neighbor-recall", goal]
    command += ["--output", folder / "i.npy", "--report", folder / "r.json"]
    subprocess.run([str(word) for word in command], check=True, stderr=subprocess.DEVNULL)
    report = json.loads((folder / "r.json").read_text())
    seconds, peak = report["seconds"], report["peak_memory_bytes"] / 1e9
    print(f"| Swissroll, goal {goal} | {seconds:.1f} | {recall(np.load(folder / 'i.npy')):.3f} | {peak:.1f} |", flush=True)

NNDescent(single[:2000], n_neighbors=k + 1, random_state=0)
for iterations in map(int, given.iterations.split(",")):
    begun = time.perf_counter()
    index = NNDescent(single, n_neighbors=k + 1, random_state=0, n_iters=iterations or None)
    seconds = time.perf_counter() - begun
    # A row is its own first neighbor.
    lists = index.neighbor_graph[0][:, 1:]
    name = f"{iterations} iterations" if iterations else "default"
    print(f"| pynndescent, {name} | {seconds:.1f} | {recall(lists):.3f} | |", flush=True)
