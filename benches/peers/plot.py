"""Draws time and memory against n from the newest record under benches/runs that has curves.

    target/peers/bin/python benches/peers/plot.py [RECORD.json]

Writes benches/plots/METHOD.svg, for each method that `run.py --works curves`
has measured, and prints the slopes between the two largest sizes.
"""

import json
import math
import sys
from pathlib import Path

import matplotlib

matplotlib.use("svg")
# The same picture gives the same bytes.
matplotlib.rcParams["svg.hashsalt"] = "swissroll"
import matplotlib.pyplot as plt

BENCHES = Path(__file__).resolve().parents[1]
COLORS = {"swissroll": "#c0392b", "scikit-learn": "#2a6f97", "tapkee": "#6a994e", "opentsne": "#7b5ea7"}


def main():
    sources = [Path(sys.argv[1])] if len(sys.argv) > 1 else sorted((BENCHES / "runs").glob("*.json"))
    records = [json.loads(source.read_text()) for source in sources]
    record = next((r for r in reversed(records) if any(name.startswith("curve-") for name in r)), None)
    if record is None:
        sys.exit("no record has curves; run.py --works curves measures them")
    curves = {}
    for name, entry in record.items():
        if name.startswith("curve-"):
            for who, found in entry["medians"].items():
                if "failure" not in found:
                    point = (entry["n"], found["seconds"], found["peak_bytes"])
                    curves.setdefault(entry["method"], {}).setdefault(who, []).append(point)
    folder = BENCHES / "plots"
    folder.mkdir(exist_ok=True)
    for method, lines in curves.items():
        figure, axes = plt.subplots(1, 2, figsize=(9, 3.6))
        for who, points in lines.items():
            points.sort()
            ns, seconds, peaks = zip(*points)
            style = {"color": COLORS[who], "marker": "o", "markersize": 4, "label": who}
            axes[0].loglog(ns, seconds, **style)
            axes[1].loglog(ns, [peak / 1e6 for peak in peaks], **style)
            if len(points) > 1:
                slope = math.log(seconds[-1] / seconds[-2]) / math.log(ns[-1] / ns[-2])
                print(f"{method}: {who}: {slope:.2f} from n = {ns[-2]:,} to {ns[-1]:,}")
        for axis, title in zip(axes, ["seconds of the fit", "peak memory of the process, MB"]):
            axis.set_title(title, fontsize=10)
            axis.set_xlabel("n")
            axis.grid(True, which="major", color="#dddddd", linewidth=0.6)
            axis.spines[["top", "right"]].set_visible(False)
        axes[0].legend(fontsize=8, frameon=False)
        figure.suptitle(method, fontsize=12)
        figure.tight_layout()
        figure.savefig(folder / f"{method}.svg", metadata={"Date": None})
        plt.close(figure)


if __name__ == "__main__":
    main()
