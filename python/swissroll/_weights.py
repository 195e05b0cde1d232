"""Weights of rows."""

from typing import Any, Self

import numpy as np

from ._base import Estimator, Floats
from ._lists import Neighbors


class Weighted(Estimator):
    """An estimator of a method whose rows can have weights."""

    def fit(
        self,
        X: Any = None,
        y: Any = None,
        *,
        neighbors: Neighbors | None = None,
        fixed: Any = None,
        unrelated: str = "keep",
        sample_weight: Any = None,
    ) -> Self:
        """Fits the model.

        Parameters
        ----------
        X, y, neighbors, fixed, unrelated
            As for all estimators.
        sample_weight : array-like of shape (n_samples,), default=None
            A weight per row, above 0, which counts as a number of copies of the row: for whole
            numbers the map is the map of the repeated rows. The sum must be above 1. None for 1 each.

        Returns
        -------
        self : object
            The fitted estimator.
        """
        self._weights = None if sample_weight is None else _checked(sample_weight)
        try:
            return super().fit(X, y, neighbors=neighbors, fixed=fixed, unrelated=unrelated)
        finally:
            del self._weights

    def fit_transform(
        self,
        X: Any = None,
        y: Any = None,
        *,
        neighbors: Neighbors | None = None,
        fixed: Any = None,
        unrelated: str = "keep",
        sample_weight: Any = None,
    ) -> Floats:
        """Fits the model and returns the embedding; the parameters are the same as for `fit`.

        Returns
        -------
        embedding : ndarray of shape (n_samples, n_components)
            The coordinates of the points.
        """
        given = {"neighbors": neighbors, "fixed": fixed, "unrelated": unrelated}
        return self.fit(X, y, **given, sample_weight=sample_weight).embedding_

    def _count(self, n):
        """The number of rows, or the sum of their weights."""
        weights = getattr(self, "_weights", None)
        return n if weights is None else float(weights.sum())


def _checked(sample_weight):
    """Weights as an array without zeros; the fit checks their number and their values."""
    weights = np.asarray(sample_weight)
    if weights.ndim != 1 or weights.dtype.kind not in "biuf":
        raise ValueError(
            f"sample_weight must be one number per row, but has shape {weights.shape}, {weights.dtype}"
        )
    zero = np.flatnonzero(weights == 0)
    if len(zero):
        raise ValueError(
            f"sample_weight must be above zero, but is 0 in row {zero[0]}: leave out rows of weight zero, and with "
            "them classes that have no other rows"
        )
    return weights.astype(np.float64)
