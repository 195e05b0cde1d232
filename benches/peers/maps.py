"""Measures the t-SNE maps of Swissroll, scikit-learn and openTSNE by the same measures.

    target/peers/bin/python benches/peers/maps.py [--orders N] [DATASET:N ...]

All start from principal components, perplexity 30, and make their default
number of iterations. Every map is measured with the same joint probabilities
(scikit-learn's, of the 90 nearest neighbors) and all pairs: its Kullback-Leibler
divergence, the accuracy of its nearest neighbor, and its trustworthiness (k = 12).

The descent is chaotic: the same rows in another order end in another map. Each
program gets the rows in N orders; printed are means and standard deviations.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import openTSNE
from sklearn import manifold, neighbors
from sklearn.manifold._t_sne import _joint_probabilities_nn

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "target" / "release" / "compare"


def divergence(joint, y):
    """Exact, row by row."""
    joint = joint.tocoo()
    z = sum((1.0 / (1.0 + ((y - point) ** 2).sum(1))).sum() - 1.0 for point in y)
    apart = ((y[joint.row] - y[joint.col]) ** 2).sum(1)
    p, q = joint.data, 1.0 / (1.0 + apart) / z
    positive = p > 0
    return float((p[positive] * np.log(p[positive] / q[positive])).sum())


def ours(x, folder):
    data, out = folder / "shuffled.npy", folder / "y.npy"
    np.save(data, x)
    shell = [PROGRAM, "embed", "--method", "tsne", "--input", data, "--output", out]
    subprocess.run(shell, check=True, capture_output=True)
    return np.load(out)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--orders", type=int, default=1)
    parser.add_argument("works", nargs="*", default=["digits:1797", "mnist:10000"], metavar="DATASET:N")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        programs = {
            "swissroll": lambda x: ours(x, folder),
            "scikit-learn": lambda x: manifold.TSNE(init="pca", random_state=0, n_jobs=-1).fit_transform(x).astype(float),
            "opentsne": lambda x: np.asarray(openTSNE.TSNE(n_jobs=-1, random_state=0).fit(x)),
        }
        for work in options.works:
            data_set, n = work.split(":")
            data, labels = folder / "x.npy", folder / "l.npy"
            shell = [PROGRAM, "dataset", data_set, "--n", n, "--output", data, "--labels", labels]
            subprocess.run(shell, check=True, capture_output=True)
            points, classes = np.load(data), np.load(labels).ravel()
            measured = {who: [] for who in programs}
            for seed in range(options.orders):
                order = np.random.default_rng(seed).permutation(len(points)) if seed else np.arange(len(points))
                x, known = points[order], classes[order]
                graph = neighbors.NearestNeighbors(n_neighbors=90, n_jobs=-1).fit(x).kneighbors_graph(mode="distance")
                graph.data **= 2
                joint = _joint_probabilities_nn(graph, 30, 0)
                for who, program in programs.items():
                    y = program(x)
                    index = neighbors.NearestNeighbors(n_neighbors=1).fit(y).kneighbors(return_distance=False)[:, 0]
                    trust = manifold.trustworthiness(x, y, n_neighbors=12)
                    measured[who].append((divergence(joint, y), (known[index] == known).mean(), trust))
            for who, rows in measured.items():
                mean, deviation = np.mean(rows, axis=0), np.std(rows, axis=0, ddof=1 if len(rows) > 1 else 0)
                names = ["divergence", "accuracy", "trustworthiness"]
                said = {m: [round(float(a), 5), round(float(d), 5)] for m, a, d in zip(names, mean, deviation)}
                print(json.dumps({"data": work, "map": who, "orders": len(rows), **said}), flush=True)


if __name__ == "__main__":
    main()
