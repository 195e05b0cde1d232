"""Measures the t-SNE maps of Swissroll, scikit-learn and openTSNE by one yardstick.

    target/peers/bin/python benches/peers/maps.py [DATASET:N ...]

All start from principal components, perplexity 30, and make their default
number of iterations. Every map is measured with the same joint probabilities
(scikit-learn's, of the 90 nearest neighbors) and all pairs: its Kullback-Leibler
divergence, the accuracy of its nearest neighbor, and its trustworthiness (k = 12).
"""

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


def main():
    works = sys.argv[1:] or ["digits:1797", "mnist:10000"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for work in works:
            data_set, n = work.split(":")
            data, labels, ours = folder / "x.npy", folder / "l.npy", folder / "y.npy"
            shell = [PROGRAM, "dataset", data_set, "--n", n, "--output", data, "--labels", labels]
            subprocess.run(shell, check=True, capture_output=True)
            x, classes = np.load(data), np.load(labels).ravel()
            shell = [PROGRAM, "embed", "--method", "tsne", "--input", data, "--output", ours]
            subprocess.run(shell, check=True, capture_output=True)
            maps = {
                "swissroll": np.load(ours),
                "scikit-learn": manifold.TSNE(init="pca", random_state=0, n_jobs=-1).fit_transform(x).astype(float),
                "opentsne": np.asarray(openTSNE.TSNE(n_jobs=-1, random_state=0).fit(x)),
            }
            graph = neighbors.NearestNeighbors(n_neighbors=90, n_jobs=-1).fit(x).kneighbors_graph(mode="distance")
            graph.data **= 2
            joint = _joint_probabilities_nn(graph, 30, 0)
            for who, y in maps.items():
                index = neighbors.NearestNeighbors(n_neighbors=1).fit(y).kneighbors(return_distance=False)[:, 0]
                print(json.dumps({
                    "data": work,
                    "map": who,
                    "divergence": round(divergence(joint, y), 4),
                    "accuracy": round(float((classes[index] == classes).mean()), 4),
                    "trustworthiness": round(float(manifold.trustworthiness(x, y, n_neighbors=12)), 4),
                }), flush=True)


if __name__ == "__main__":
    main()
