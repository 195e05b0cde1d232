"""Writes the Euclidean distances of the points of a file as a full matrix, a strip of rows at a time.

    python distances.py INPUT.npy OUTPUT.npy
"""

import sys

import numpy as np

# Rows at a time.
STRIP = 256

points, output = sys.argv[1:]
x = np.load(points).astype(np.float64)
n = len(x)
d = np.lib.format.open_memmap(output, mode="w+", dtype=np.float64, shape=(n, n))
for start in range(0, n, STRIP):
    strip = x[start : start + STRIP]
    squares = np.zeros((len(strip), n))
    for column in range(x.shape[1]):
        # Differences, not products: symmetric to the bit, zero on the diagonal.
        squares += (strip[:, column, None] - x[None, :, column]) ** 2
    d[start : start + STRIP] = np.sqrt(squares)
d.flush()
