"""Times every method at growing parts of a data set, with its stages, against scikit-learn.

    python profiles.py [--compare PROGRAM] [--most SECONDS] [--peers-most SECONDS] [--methods NAMES] POINTS.npy LABELS N...

`PROGRAM` is a release build of compare; the sizes N are ascending. A method is not run at a size
where the growth of its time so far predicts more than `--most` seconds, or where it needs more
than 12 GB. Seconds are the time of a fit without reading, one run each. scikit-learn runs with the
same parameters, for at most as long, and at larger sizes where its growth predicts at most
`--peers-most` seconds.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

parser = argparse.ArgumentParser()
parser.add_argument("--compare", default="target/release/compare")
parser.add_argument("--most", type=float, default=90)
parser.add_argument("--peers-most", type=float, default=20)
parser.add_argument("--methods", default="all")
parser.add_argument("--peer")
parser.add_argument("points")
parser.add_argument("labels")
parser.add_argument("sizes", nargs="+", type=int)
given = parser.parse_args()

K = 10


def recipes(x):
    from sklearn import decomposition, discriminant_analysis, manifold, random_projection

    def lle(method):
        return manifold.LocallyLinearEmbedding(n_neighbors=K, n_components=2, method=method, n_jobs=-1)

    def gamma():
        return 1 / ((x - x.mean(0)) ** 2).sum(1).mean()

    return {
        "pca": lambda: decomposition.PCA(2),
        "factor-analysis": lambda: decomposition.FactorAnalysis(2, svd_method="lapack"),
        "fast-ica": lambda: decomposition.FastICA(2, random_state=0),
        "kernel-pca": lambda: decomposition.KernelPCA(2, kernel="rbf", gamma=gamma(), eigen_solver="arpack"),
        "lda": lambda: discriminant_analysis.LinearDiscriminantAnalysis(n_components=2),
        "random-projection": lambda: random_projection.GaussianRandomProjection(2, random_state=0),
        "classical-mds": lambda: manifold.ClassicalMDS(2),
        "smacof": lambda: manifold.MDS(2, n_init=1, init="classical_mds", normalized_stress=False),
        "nonmetric-mds": lambda: manifold.MDS(2, n_init=1, init="classical_mds", metric_mds=False),
        "lle": lambda: lle("standard"),
        "modified-lle": lambda: lle("modified"),
        "hessian-lle": lambda: lle("hessian"),
        "ltsa": lambda: lle("ltsa"),
        "isomap": lambda: manifold.Isomap(n_neighbors=K, n_components=2, n_jobs=-1),
        "laplacian-eigenmaps": lambda: manifold.SpectralEmbedding(2, n_neighbors=K, random_state=0, n_jobs=-1),
        "tsne": lambda: manifold.TSNE(2, perplexity=30, init="pca", random_state=0, n_jobs=-1),
    }


if given.peer:
    x, y = np.load(given.points), np.loadtxt(given.labels)
    recipe = recipes(x)[given.peer]()
    begun = time.perf_counter()
    recipe.fit(x, y) if given.peer == "lda" else recipe.fit(x)
    print(time.perf_counter() - begun)
    sys.exit()

folder = Path(tempfile.mkdtemp())
X, y = np.load(given.points), Path(given.labels).read_text().splitlines()
for n in given.sizes:
    np.save(folder / f"{n}.npy", X[:n].astype(np.float64))
    (folder / f"{n}.csv").write_text("\n".join(y[:n]) + "\n")
del X


def ours(method, n):
    report = folder / "r.json"
    command = [given.compare, "embed", "--method", method, "--input", folder / f"{n}.npy", "--output", folder / "y.npy"]
    command += ["--report", report, "--memory-limit", "12GB"]
    if method == "lda":
        command += ["--labels", folder / f"{n}.csv"]
    for more in ([], ["--components", "bridge"]):
        done = subprocess.run([str(word) for word in command + more], capture_output=True, text=True)
        if done.returncode == 0:
            found = json.loads(report.read_text())
            return found["seconds"], found["stages"], found["peak_memory_bytes"]
    return done.stderr.strip().splitlines()[0]


def peer(method, n):
    command = [sys.executable, __file__, "--peer", method, folder / f"{n}.npy", folder / f"{n}.csv", n]
    try:
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=given.most)
    except subprocess.TimeoutExpired:
        return f"> {given.most:.0f}"
    return float(done.stdout) if done.returncode == 0 else f"failed ({done.returncode})"


def predicted(known, n):
    """Seconds at n by the exponent between the last two sizes, 2 after the first."""
    if not known:
        return 0
    (n0, t0), (n1, t1) = known[-1], known[-2] if len(known) > 1 else (None, None)
    slope = 2 if n1 is None else max(1, np.log(t0 / t1) / np.log(n0 / n1))
    return t0 * (n / n0) ** slope


listed = subprocess.run([given.compare, "list", "methods"], capture_output=True, text=True, check=True).stdout
methods = [line.strip() for line in listed.splitlines() if line and line[0].islower()]
methods = [name for name in methods if given.methods == "all" or name in given.methods.split(",")]
peers = recipes(None)
print("| method | n | seconds | longest stages | peak, GB | scikit-learn |\n|---|---|---|---|---|---|")
for method in methods:
    own, other = [], []
    for n in given.sizes:
        if predicted(own, n) > given.most:
            break
        found = ours(method, n)
        if isinstance(found, str):
            print(f"| {method} | {n:,} | {found} | | | |", flush=True)
            break
        seconds, stages, peak = found
        own.append((n, seconds))
        stages = sorted(stages, key=lambda stage: -stage["seconds"])[:3]
        told = ", ".join(f"{stage['name']} {stage['seconds']:.2f}" for stage in stages if stage["seconds"] > 0.05 * seconds)
        beside = ""
        if method in peers and predicted(other, n) <= given.peers_most:
            beside = peer(method, n)
            if isinstance(beside, float):
                other.append((n, beside))
                beside = f"{beside:.2f}"
            else:
                del peers[method]
        print(f"| {method} | {n:,} | {seconds:.2f} | {told} | {peak / 1e9:.2f} | {beside} |", flush=True)
