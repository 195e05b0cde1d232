"""Measures the UMAP or densMAP maps of Swissroll and umap-learn by the same measures.

    target/peers/bin/python benches/peers/umaps.py [--density] [--seeds N] [--set NAME=VALUE ...] [DATASET:N or POINTS.npy,LABELS.npy ...]

Both have 15 neighbors (with the point itself), a spectral start, min_dist 0.1 and
their default number of epochs, and are fitted with each of N seeds. Every map is
measured with the same graph (umap-learn's, of exact neighbors): its cross entropy over
all pairs, with similarities and their differences from 1 taken as at least 1e-4; the
accuracy of the vote of its 10 nearest neighbors; its trustworthiness (k = 15); the
correlation of log local radii in the data and in the map, by the edges of that graph
(`radii`) and by the 15 nearest neighbors in either (`neighbor_radii`). --density fits
densMAP, with the default weight, fraction and shift of both. Printed are means and standard deviations. --set passes a parameter to Swissroll.
"""

import argparse
import json
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import umap
from sklearn import manifold, model_selection, neighbors
from umap.umap_ import find_ab_params, fuzzy_simplicial_set

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "target" / "release" / "compare"
NEIGHBORS = 15
SMALLEST = 1e-4


def graph_of(x):
    """Weights between points, from exact neighbors."""
    search = neighbors.NearestNeighbors(n_neighbors=NEIGHBORS, n_jobs=-1).fit(x)
    distances, indices = search.kneighbors(x)
    state = np.random.RandomState(0)
    graph = fuzzy_simplicial_set(x, NEIGHBORS, state, "euclidean", knn_indices=indices, knn_dists=distances)
    return graph[0].tocsr()


def cross_entropy(graph, y):
    """Over all pairs, row by row."""
    a, b = find_ab_params(1.0, 0.1)
    y, total = y.astype(float), 0.0
    for i in range(1, len(y)):
        w = 1.0 / (1.0 + a * ((y[:i] - y[i]) ** 2).sum(1) ** b)
        apart = np.log(np.maximum(1.0 - w, SMALLEST))
        total -= apart.sum()
        row = graph[i]
        below = row.indices < i
        js, v = row.indices[below], row.data[below]
        total += (v * (apart[js] - np.log(np.maximum(w[js], SMALLEST)))).sum()
    return float(total)


def accuracy(y, labels):
    """Of 10 neighbors that vote, over five folds."""
    vote = neighbors.KNeighborsClassifier(n_neighbors=10)
    folds = model_selection.StratifiedKFold(5, shuffle=True, random_state=0)
    return float(model_selection.cross_val_score(vote, y, labels, cv=folds).mean())


def radii(graph, x, y):
    """Correlation of log mean squared lengths of edges, weighted by graph and similarity."""
    a, b = find_ab_params(1.0, 0.1)
    edges = graph.tocoo()
    length = lambda points: ((points[edges.row] - points[edges.col]).astype(float) ** 2).sum(1)
    own = length(y)
    means = []
    for weights, squares in ((edges.data, length(x)), (1.0 / (1.0 + a * own**b), own)):
        sums = [np.bincount(edges.row, w, len(y)) for w in (weights * squares, weights)]
        means.append(np.log(1e-8 + sums[0] / sums[1]))
    return float(np.corrcoef(means)[0, 1])


def neighbor_radii(x, y):
    """Correlation of log mean squared distances to the nearest neighbors."""
    search = lambda points: neighbors.NearestNeighbors(n_neighbors=NEIGHBORS, n_jobs=-1).fit(points).kneighbors()[0]
    means = [np.log(1e-12 + (search(points).astype(float) ** 2).mean(1)) for points in (x, y)]
    return float(np.corrcoef(means)[0, 1])


def ours(data, seed, method, settings, folder, program):
    out = folder / "y.npy"
    flags = [part for setting in [f"seed={seed}", f"k={NEIGHBORS - 1}", *settings] for part in ("--set", setting)]
    shell = [program, "embed", "--method", method, "--input", data, "--output", out, *flags]
    subprocess.run(shell, check=True, capture_output=True)
    return np.load(out)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--program", type=Path, default=PROGRAM)
    parser.add_argument("--density", action="store_true")
    parser.add_argument("--only", choices=["swissroll", "umap-learn"])
    parser.add_argument("works", nargs="*", default=["digits:1797", "mnist:10000"], metavar="DATASET:N or POINTS.npy,LABELS.npy")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for work in options.works:
            if "," in work:
                data, labels = map(Path, work.split(","))
            else:
                data_set, n = work.split(":")
                data, labels = folder / "x.npy", folder / "l.npy"
                shell = [options.program, "dataset", data_set, "--n", n, "--output", data, "--labels", labels]
                subprocess.run(shell, check=True, capture_output=True)
            x, known = np.load(data), np.load(labels).ravel()
            graph = graph_of(x)
            programs = {
                "swissroll": lambda seed: ours(
                    data, seed, "densmap" if options.density else "umap", options.set, folder, options.program
                ),
                "umap-learn": lambda seed: umap.UMAP(
                    n_neighbors=NEIGHBORS, random_state=seed, n_jobs=1, densmap=options.density
                ).fit_transform(x),
            }
            for who, program in programs.items():
                if options.only not in (None, who):
                    continue
                rows = []
                for seed in range(options.seeds):
                    y = program(seed)
                    trust = manifold.trustworthiness(x, y, n_neighbors=15)
                    of_radii = radii(graph, x, y), neighbor_radii(x, y)
                    rows.append((cross_entropy(graph, y), accuracy(y, known), trust, *of_radii))
                mean, deviation = np.mean(rows, axis=0), np.std(rows, axis=0, ddof=1 if len(rows) > 1 else 0)
                names = ["cross_entropy", "accuracy", "trustworthiness", "radii", "neighbor_radii"]
                said = {m: [round(float(a), 5), round(float(d), 5)] for m, a, d in zip(names, mean, deviation)}
                print(json.dumps({"data": work, "map": who, "seeds": len(rows), **said}), flush=True)


if __name__ == "__main__":
    main()
