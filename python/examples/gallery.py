"""Draws every method on one Swiss roll: `python gallery.py [FILE.png]`."""

import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

import swissroll

data = swissroll.datasets.load("swiss-roll", 1000)
found = swissroll.compare(data.data, truth=data.truth, n_neighbors=10)
for name, failure in found.table.get("failure", {}).items():
    if isinstance(failure, str):
        print(f"{name}: {failure}")

columns = 5
rows = -(-len(found.maps) // columns)
figure, axes = plt.subplots(rows, columns, figsize=(2.4 * columns, 2.6 * rows))
for axis in axes.flat:
    axis.set_axis_off()
for axis, (name, embedding) in zip(axes.flat, found.maps.items()):
    axis.scatter(*embedding.T, c=data.color, s=4, cmap="viridis")
    axis.set_title(f"{name}\ntrustworthiness {found.table.loc[name, 'trustworthiness']:.3f}", fontsize=8)
    axis.set_aspect("equal", adjustable="datalim")
figure.tight_layout()
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "gallery.png", dpi=64)
print(found.table[["seconds", "trustworthiness", "procrustes"]].to_string(float_format="%.3g"))
