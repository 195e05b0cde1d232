"""Measures the PHATE maps of Swissroll and phate by the same measures.

    target/peers/bin/python benches/peers/phates.py [--seeds N] [--samples N] [--random-landmarks]
        [--set NAME=VALUE ...] [DATASET:N ...]

Both have 5 neighbors, decay 40, the time at the knee of the entropy, and their default
landmarks, and are fitted with each of N seeds (of the landmarks) to each of N samples of the data
set (drawn with the seeds 0, 1, ...). With --random-landmarks, the landmarks of phate are rows instead
of clusters. Every map is measured by its trustworthiness (k = 15), the accuracy of the vote of its
10 nearest neighbors over five folds, and Spearman's correlation between its distances and geodesic
distances of the data (10 neighbors, from 300 points). Printed are means and standard deviations,
and the elapsed and processor seconds of the last fit: for Swissroll the whole command, for phate
the fit after imports. --set passes a parameter to Swissroll.
"""

import argparse
import json
import resource
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np
from scipy.sparse.csgraph import dijkstra
from scipy.stats import spearmanr
from sklearn import manifold, model_selection, neighbors

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "target" / "release" / "compare"
SOURCES = 300


def geodesics_of(x):
    """From every n/300-th point; infinite between components."""
    graph = neighbors.kneighbors_graph(x, 10, mode="distance", n_jobs=-1)
    sources = np.linspace(0, len(x) - 1, SOURCES).astype(int)
    return sources, dijkstra(graph, directed=False, indices=sources)


def correlation(geodesics, y):
    """Of ranks of geodesic distances and distances in the map."""
    sources, rows = geodesics
    mapped = np.linalg.norm(y[sources][:, None] - y[None], axis=-1)
    known = np.isfinite(rows) & (rows > 0)
    return float(spearmanr(rows[known], mapped[known]).statistic)


def accuracy(y, labels):
    """Of 10 neighbors that vote, over five folds."""
    vote = neighbors.KNeighborsClassifier(n_neighbors=10)
    folds = model_selection.StratifiedKFold(5, shuffle=True, random_state=0)
    return float(model_selection.cross_val_score(vote, y, labels, cv=folds).mean())


def clocks():
    """Elapsed seconds, and processor seconds of this process and of ended ones."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return np.array([time.perf_counter(), time.process_time() + children.ru_utime + children.ru_stime])


def ours(program, method, data, seed, settings, folder):
    out = folder / "y.npy"
    start = [f"landmarks=random:2000:{seed}", "components=bridge"] if method == "phate" else []
    flags = [part for setting in [*start, *settings] for part in ("--set", setting)]
    before = clocks()
    shell = [program, "embed", "--method", method, "--input", data, "--output", out, *flags]
    subprocess.run(shell, check=True, capture_output=True)
    return np.load(out), clocks() - before


def theirs(x, seed, random_landmarks):
    import phate

    before = clocks()
    recipe = phate.PHATE(random_state=seed, n_jobs=-1, verbose=0, random_landmarking=random_landmarks)
    y = recipe.fit_transform(x)
    return y, clocks() - before


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--samples", type=int, default=1)
    parser.add_argument("--random-landmarks", action="store_true")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--program", type=Path, default=PROGRAM)
    parser.add_argument("--only", choices=["swissroll", "phate", "pca"])
    parser.add_argument(
        "works", nargs="*", default=["tree:1000", "digits:1797", "mnist:2000", "mnist:10000"], metavar="DATASET:N"
    )
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for work in options.works:
            data_set, n = work.split(":")
            rows = {}
            for sample in range(options.samples):
                data, labels = folder / "x.npy", folder / "l.npy"
                shell = [options.program, "dataset", data_set, "--n", n, "--seed", str(sample)]
                shell += ["--output", data, "--labels", labels]
                subprocess.run(shell, check=True, capture_output=True)
                x, known = np.load(data).astype(float), np.load(labels).ravel()
                geodesics = geodesics_of(x)
                own = lambda method, settings: lambda seed: ours(options.program, method, data, seed, settings, folder)
                programs = {
                    "swissroll": own("phate", options.set),
                    "phate": lambda seed: theirs(x, seed, options.random_landmarks),
                    "pca": own("pca", []),
                }
                for who, program in programs.items():
                    if options.only not in (None, who):
                        continue
                    for seed in range(1 if who == "pca" else options.seeds):
                        y, seconds = program(seed)
                        trust = manifold.trustworthiness(x, y, n_neighbors=15)
                        row = (trust, accuracy(y, known), correlation(geodesics, y))
                        rows.setdefault(who, []).append((row, seconds))
            for who, measured in rows.items():
                values, seconds = [row for row, _ in measured], measured[-1][1]
                mean, deviation = np.mean(values, axis=0), np.std(values, axis=0, ddof=min(1, len(values) - 1))
                names = ["trustworthiness", "accuracy", "geodesic_correlation"]
                said = {m: [round(float(a), 4), round(float(d), 4)] for m, a, d in zip(names, mean, deviation)}
                said |= {"maps": len(values), "seconds": [round(float(s), 1) for s in seconds]}
                print(json.dumps({"data": work, "map": who, **said}), flush=True)


if __name__ == "__main__":
    main()
