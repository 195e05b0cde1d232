"""Compares the forecasts of `compare plan` with the fits that they are about.

    cargo build --release -p compare && python3 benches/plan.py [--largest N] [METHOD...]

Every task is forecast from a sample of at most a quarter of its rows, then fitted. Prints a table
with the ratios of expected to measured time and peak memory, and fails where a time is off by more
than a factor of 2 or a memory by more than 25 %.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PROGRAM = ROOT / "target" / "release" / "compare"

# The tasks of benches/README.md, and more methods: data set, rows, method, settings. No task is of PCA, factor
# analysis, FastICA, LDA, random projection, classical MDS, LPP or densMAP.
TASKS = [
    ("swiss-roll", 100_000, "lle", ["k=12"]),
    ("swiss-roll", 100_000, "ltsa", ["k=12"]),
    ("swiss-roll", 20_000, "modified-lle", ["k=12"]),
    ("swiss-roll", 50_000, "hessian-lle", ["k=12"]),
    ("swiss-roll", 10_000, "isomap", ["k=10"]),
    ("swiss-roll", 200_000, "landmark-isomap", ["k=10"]),
    ("swiss-roll", 20_000, "c-isomap", ["k=10"]),
    ("swiss-roll", 4_000, "smacof", []),
    ("swiss-roll", 4_000, "nonmetric-mds", []),
    ("swiss-roll", 4_000, "sammon", []),
    ("swiss-roll", 8_000, "kernel-pca", []),
    ("swiss-roll", 400_000, "landmark-mds", []),
    ("swiss-roll", 100_000, "laplacian-eigenmaps", ["k=10"]),
    ("swiss-roll", 100_000, "diffusion-maps", ["k=10"]),
    ("swiss-roll", 100_000, "conformal-eigenmaps", ["k=10"]),
    ("swiss-roll", 100_000, "mvu", ["k=10"]),
    ("swiss-roll", 100_000, "npe", ["k=10"]),
    ("swiss-roll", 100_000, "lltsa", ["k=10"]),
    ("swiss-roll", 100_000, "phate", []),
    ("mnist", 10_000, "lle", ["k=12"]),
    ("mnist", 10_000, "tsne", []),
    ("mnist", 10_000, "umap", ["k=14"]),
    ("mnist", 10_000, "pacmap", []),
    ("mnist", 10_000, "localmap", []),
    ("mnist", 10_000, "trimap", []),
    ("mnist", 70_000, "tsne", []),
    ("mnist", 70_000, "umap", ["k=14"]),
    ("mnist", 70_000, "pacmap", []),
    ("mnist", 70_000, "trimap", []),
    ("mnist", 70_000, "lle", ["k=12"]),
]


def run(*words):
    done = subprocess.run([PROGRAM, *words], capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("methods", nargs="*")
    parser.add_argument("--largest", type=int, default=100_000, help="rows of the largest task")
    parser.add_argument("--seconds", default="10", help="time for the small fits of each task")
    parser.add_argument("--mnist", type=Path, help="a file of 70,000 images; without it their tasks are left out")
    options = parser.parse_args()
    wrong = 0
    print("| task | largest small fit | expected, s | measured, s | ratio | expected, MB | measured, MB | ratio |")
    print("|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for data, n, method, settings in TASKS:
            if n > options.largest or options.methods and method not in options.methods:
                continue
            if data == "mnist" and not options.mnist:
                continue
            whole, part = folder / f"{data}-{n}.npy", folder / f"{data}-{n}-part.npy"
            if not whole.exists():
                write(options, data, n, whole)
                write(options, data, n // 4, part)
            # The forecast reads a quarter of the rows, so that it cannot measure the fit itself.
            plan = ["plan", "--input", part, "--methods", method, "--n", str(n), "--seconds", options.seconds]
            report = folder / "report.json"
            sets = [word for setting in settings for word in ("--set", f"{method}.{setting}")]
            run(*plan, *sets, "--report", report)
            plan = json.loads(report.read_text())["methods"][0]
            run("embed", "--method", method, "--input", whole, "--output", folder / "y.npy", *sets, "--report", report)
            fit = json.loads(report.read_text())
            time = plan["seconds"] / fit["seconds"]
            memory = plan["peak_memory_bytes"] / fit["peak_memory_bytes"]
            off = not 0.5 <= time <= 2 or not 0.75 <= memory <= 1.25
            wrong += off
            megabytes = [x["peak_memory_bytes"] / 1e6 for x in (plan, fit)]
            print(
                f"| {method}, {data} {n:,} | {plan['calibration'][-1]['n']:,} | {plan['seconds']:.2f} | {fit['seconds']:.2f} "
                f"| {time:.2f} | {megabytes[0]:,.0f} | {megabytes[1]:,.0f} | {memory:.2f}{' OFF' if off else ''} |",
                flush=True,
            )
    sys.exit(f"{wrong} forecasts are off" if wrong else 0)


def write(options, data, n, out):
    """Writes the first n rows of the images, or a data set of n points."""
    if data != "mnist":
        run("dataset", data, "--n", str(n), "--output", out)
        return
    import numpy

    numpy.save(out, numpy.load(options.mnist, mmap_mode="r")[:n].astype(float))


if __name__ == "__main__":
    main()
