"""Small pictures of maps, as SVG."""

import html

import numpy as np

#: Points of all pictures together; maps of more points are drawn from evenly spaced rows.
MOST = 12_000
#: Width and height of a picture, and the empty space around its points.
SIZE, MARGIN = 160, 8
#: Colors of the viridis map.
COLORS = ("#440154", "#46327e", "#365c8d", "#277f8e", "#1fa187", "#4ac16d", "#a0da39", "#fde725")


def pictures(maps, color=None):
    """The first two coordinates of maps as small scatter plots.

    Parameters
    ----------
    maps : dict
        By title, coordinates of shape (n_samples, n_components).
    color : array-like of shape (n_samples,), default=None
        A number per point, for its color.

    Returns
    -------
    page : str
        HTML.
    """
    figures = []
    for title, places in maps.items():
        rows = np.linspace(0, len(places) - 1, min(len(places), max(MOST // len(maps), 100))).astype(int)
        drawn = _plot(places[rows], None if color is None else np.asarray(color)[rows])
        figures.append(
            '<figure style="display: inline-block; margin: 4px; text-align: center">'
            f"{drawn}<figcaption>{html.escape(title)}</figcaption></figure>"
        )
    return "".join(figures)


def _plot(places, color):
    """A scatter plot: both coordinates in one scale, each color a path of dots."""
    flat = np.zeros((len(places), 2))
    flat[:, : min(2, places.shape[1])] = places[:, :2]
    low, high = flat.min(axis=0), flat.max(axis=0)
    scale = (SIZE - 2 * MARGIN) / (np.max(high - low) or 1.0)
    x, y = np.rint((flat - (low + high) / 2) * scale * [1, -1] + SIZE / 2).astype(int).T
    groups = np.zeros(len(flat), dtype=int)
    if color is not None and np.ptp(color) > 0:
        part = (color - np.min(color)) / np.ptp(color)
        groups = np.minimum((part * len(COLORS)).astype(int), len(COLORS) - 1)
    paths = []
    for group in np.unique(groups):
        dots = "".join(f"M{a} {b}h0" for a, b in zip(x[groups == group], y[groups == group]))
        paths.append(f'<path d="{dots}" stroke="{COLORS[group]}"/>')
    return (
        f'<svg width="{SIZE}" height="{SIZE}" viewBox="0 0 {SIZE} {SIZE}" fill="none" stroke-width="3" '
        f'stroke-linecap="round" xmlns="http://www.w3.org/2000/svg">{"".join(paths)}</svg>'
    )
