"""Measures how time grows with the number of points, and memory against its estimate.

    cargo build --release -p compare && python3 benches/scaling.py [METHOD...]

Swiss rolls at three sizes, each twice as large as the one before; the minimum of
two runs. The exponent is the slope of log time against log n. If a method
estimates its memory before allocation, the estimate is printed with the growth
of the process measured at the largest size. Prints a table.
"""

import json
import math
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PROGRAM = ROOT / "target" / "release" / "compare"

# method: largest size
WORKS = {
    "pca": 800_000, "factor-analysis": 800_000, "fast-ica": 800_000, "kernel-pca": 8_000, "random-projection": 800_000,
    "classical-mds": 800_000, "landmark-mds": 400_000, "smacof": 8_000, "nonmetric-mds": 4_000, "sammon": 4_000,
    "isomap": 20_000, "landmark-isomap": 200_000, "c-isomap": 20_000,
    "lle": 100_000, "modified-lle": 100_000, "hessian-lle": 100_000, "ltsa": 100_000,
    "laplacian-eigenmaps": 100_000, "diffusion-maps": 100_000, "lpp": 100_000, "npe": 100_000, "lltsa": 100_000,
    "conformal-eigenmaps": 100_000, "mvu": 100_000, "tsne": 80_000,
    "umap": 100_000, "densmap": 100_000, "pacmap": 200_000, "localmap": 200_000, "trimap": 200_000, "phate": 100_000,
}

# Methods whose memory grows faster than their input: they allocate all of it at once.
ASKING = ["kernel-pca", "smacof", "nonmetric-mds", "sammon", "isomap", "landmark-isomap", "c-isomap", "tsne",
          "umap", "densmap", "pacmap", "localmap", "trimap", "phate"]


def embed(method, data, folder, *settings):
    report = folder / "report.json"
    report.unlink(missing_ok=True)
    command = [PROGRAM, "embed", "--method", method, "--input", data, "--output", folder / "y.npy", "--report", report]
    command += [word for setting in settings for word in ("--set", setting)]
    done = subprocess.run(command, capture_output=True, text=True)
    return (json.loads(report.read_text()) if report.exists() else None), done.stderr


def main():
    print("| method | n | seconds | exponent | estimated memory, MB | measured, MB |\n|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for method, largest in WORKS.items():
            if method not in (sys.argv[1:] or WORKS):
                continue
            sizes, seconds = [largest // 4, largest // 2, largest], []
            for n in sizes:
                data = folder / f"{n}.npy"
                if not data.exists():
                    subprocess.run([PROGRAM, "dataset", "swiss-roll", "--n", str(n), "--output", data], check=True, capture_output=True)
                runs = [embed(method, data, folder)[0] for _ in range(2)]
                seconds.append(min(run["seconds"] for run in runs))
                peak = min(run["peak_memory_bytes"] for run in runs)
            # The slope of the least-squares line through three equidistant points.
            exponent = math.log(seconds[2] / seconds[0]) / math.log(4)
            idle = embed("random-projection", data, folder)[0]["peak_memory_bytes"]
            refusal = embed(method, data, folder, "memory-limit=1kB")[1] if method in ASKING else ""
            asked = re.search(r"would take ([\d.]+) (\w+)", refusal)
            said = f"{float(asked[1]) * {'kB': 1e-3, 'MB': 1.0, 'GB': 1e3}[asked[2]]:,.0f}" if asked else ""
            print(f"| {method} | {largest:,} | {seconds[2]:.2f} | {exponent:.2f} | {said} | {(peak - idle) / 1e6:,.0f} |", flush=True)


if __name__ == "__main__":
    main()
