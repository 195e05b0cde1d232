"""Measures the PaCMAP, LocalMAP and TriMap maps of Swissroll, pacmap and trimap by the same measures.

    python benches/peers/pacmaps.py [--seeds N] [--set NAME=VALUE ...] [DATASET:N ...]

needs numpy, scikit-learn, pacmap 0.9.1 and trimap 1.2.0. All programs have their default parameters,
except that pacmap gets the number of near pairs by its rule for n_neighbors=None. Each is fitted with
each of N seeds; trimap, which takes no seed, is fitted N times. Every map is measured with the same
data: the accuracy of the vote of its 10 nearest neighbors; its trustworthiness (k = 15); the fraction
of random triplets of points whose distances have the same order as in the data. Printed are means and
standard deviations, and the seconds of the fastest fit. A peer is timed after a first fit for its
compilation, without reading a file; the time of Swissroll is the one its program reports. --set passes a parameter to
Swissroll.
"""

import argparse
import json
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np
from sklearn import manifold, model_selection, neighbors

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "target" / "release" / "compare"
TRIPLETS = 200_000
# Largest number of points for trustworthiness, which takes much memory; of more points a sample is taken.
SAMPLE = 10_000


def accuracy(y, labels):
    """Of 10 neighbors that vote, over five folds."""
    vote = neighbors.KNeighborsClassifier(n_neighbors=10)
    folds = model_selection.StratifiedKFold(5, shuffle=True, random_state=0)
    return float(model_selection.cross_val_score(vote, y, labels, cv=folds).mean())


def triplets(x, y):
    """The fraction of triplets (i, j, k) with d_ij < d_ik in data and map alike."""
    i, j, k = np.random.RandomState(0).randint(len(x), size=(3, TRIPLETS))

    def nearer(points):
        points = points.astype(float)
        return ((points[i] - points[j]) ** 2).sum(1) < ((points[i] - points[k]) ** 2).sum(1)

    different = (i != j) & (j != k) & (i != k)
    return float((nearer(x) == nearer(y))[different].mean())


def measures(x, labels, y):
    part = np.random.RandomState(0).permutation(len(x))[:SAMPLE]
    trust = manifold.trustworthiness(x[part], y[part], n_neighbors=15)
    return accuracy(y, labels), trust, triplets(x, y)


def ours(method, data, seed, settings, folder, program):
    out, report = folder / "y.npy", folder / "r.json"
    flags = [part for setting in [f"seed={seed}", *settings] for part in ("--set", setting)]
    shell = [program, "embed", "--method", method, "--input", data, "--output", out, "--report", report, *flags]
    subprocess.run(shell, check=True, capture_output=True)
    return np.load(out), json.loads(report.read_text())["seconds"]


def peer_of(method):
    """The peer's name, and the map of points and a seed."""
    if method == "trimap":
        import trimap

        return "trimap", lambda x, seed: trimap.TRIMAP(verbose=False).fit_transform(x)
    import pacmap

    kind = {"pacmap": pacmap.PaCMAP, "localmap": pacmap.LocalMAP}[method]
    # As many near pairs as Swissroll: the rule of the paper, not 10 for every number of points.
    return "pacmap", lambda x, seed: kind(n_neighbors=None, random_state=seed).fit_transform(x)


def timed(fit, x, seed):
    start = time.perf_counter()
    y = fit(x, seed)
    return y, time.perf_counter() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--program", type=Path, default=PROGRAM)
    parser.add_argument("--only", choices=["swissroll", "peer"])
    parser.add_argument("--methods", default="pacmap,localmap,trimap")
    parser.add_argument("works", nargs="*", default=["digits:1797", "mnist:10000"], metavar="DATASET:N")
    options = parser.parse_args()
    peers = {}
    for method in options.methods.split(",") if options.only != "swissroll" else []:
        peers[method] = peer_of(method)
        peers[method][1](np.random.RandomState(0).rand(500, 110).astype(np.float32), 0)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for work in options.works:
            data_set, n = work.split(":")
            data, labels = folder / "x.npy", folder / "l.npy"
            shell = [options.program, "dataset", data_set, "--n", n, "--output", data, "--labels", labels]
            subprocess.run(shell, check=True, capture_output=True)
            x, known = np.load(data), np.load(labels).ravel()
            for method in options.methods.split(","):
                programs = {}
                if options.only != "peer":
                    programs["swissroll"] = lambda seed: ours(
                        method, data, seed, options.set, folder, options.program
                    )
                if method in peers:
                    who, fit = peers[method]
                    programs[who] = lambda seed: timed(fit, x.astype(np.float32), seed)
                for who, program in programs.items():
                    rows, times = [], []
                    for seed in range(options.seeds):
                        y, seconds = program(seed)
                        rows.append(measures(x, known, y))
                        times.append(seconds)
                    mean, deviation = np.mean(rows, axis=0), np.std(rows, axis=0, ddof=1 if len(rows) > 1 else 0)
                    names = ["accuracy", "trustworthiness", "triplets"]
                    said = {m: [round(float(a), 4), round(float(d), 4)] for m, a, d in zip(names, mean, deviation)}
                    head = {"data": work, "method": method, "program": who, "seeds": len(rows)}
                    print(json.dumps({**head, **said, "seconds": round(min(times), 2)}), flush=True)


if __name__ == "__main__":
    main()
