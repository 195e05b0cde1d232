"""What PCA has besides a fit: selection of a dimension, whitening, likelihoods."""

import json
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln
from sklearn.utils.validation import check_is_fitted, validate_data

from ._base import DTYPES, Floats
from ._settings import flag, is_number
from ._weights import Weighted


def _likeliest_dimension(variances, n):
    """The dimension of largest evidence (Minka 2000, Automatic choice of dimensionality for PCA),
    of all variances in descending order; 1 where all are equal.

    The evidence of a rank that separates equal variances is infinite, so such a rank is none."""
    count = len(variances)
    # Smaller variances are rounding.
    floor = np.finfo(np.float64).eps * max(n, count) * variances[0]
    best, most = 1, -np.inf
    for rank in range(1, count):
        if variances[rank - 1] <= floor:
            break
        if variances[rank - 1] - variances[rank] <= floor:
            continue
        rest = max(variances[rank:].mean(), floor)
        each = np.arange(1, rank + 1)
        prior = -rank * np.log(2) + np.sum(
            gammaln((count - each + 1) / 2) - np.log(np.pi) * (count - each + 1) / 2
        )
        fit = -n / 2 * (np.log(variances[:rank]).sum() + (count - rank) * np.log(rest))
        free = count * rank - rank * (rank + 1) / 2
        flat = np.concatenate([variances[:rank], np.full(count - rank, rest)])
        i, j = np.triu_indices(rank, 1, count)
        # Equal variances on one side of the rank differ by rounding at most.
        gaps = np.maximum(variances[i] - variances[j], floor)
        curvatures = np.maximum(1 / flat[j] - 1 / flat[i], floor / flat[i] ** 2)
        volume = np.sum(np.log(gaps) + np.log(curvatures) + np.log(n))
        evidence = fit + prior + np.log(2 * np.pi) * (free + rank) / 2 - volume / 2 - rank * np.log(n) / 2
        if evidence > most:
            best, most = rank, evidence
    return best


class PrincipalComponents(Weighted):
    """PCA with a dimension by explained variance, whitening, and the Gaussian model of the data."""

    _special = {"n_components": (None, "mle")}

    n_components: int | float | str | None
    whiten: bool
    n_components_: int
    n_samples_: int
    noise_variance_: float
    singular_values_: NDArray[np.float64]
    components_: Floats
    mean_: Floats
    explained_variance_: NDArray[np.float64]

    def _check_types(self):
        super()._check_types()
        flag("whiten", self.whiten)

    def _outside_registry(self):
        return "whiten" if self.whiten else super()._outside_registry()

    def _by_fraction(self):
        asked = self.n_components
        return is_number(asked) and not isinstance(asked, (int, np.integer)) and 0 < asked < 1

    def _target(self):
        return self._dimension

    def _run(self, rows, distances, neighbors, labels, settings=None):
        asked, whole = self.n_components, min(rows.shape)
        if asked == "mle" and rows.shape[0] < rows.shape[1]:
            raise ValueError(
                "n_components='mle' needs at least as many rows as columns, but X has "
                f"{rows.shape[0]} rows and {rows.shape[1]} columns; use a number or a fraction of variance"
            )
        chosen = asked == "mle" or self._by_fraction()
        self._dimension = whole if chosen or asked is None else asked
        model = super()._run(rows, distances, neighbors, labels)
        if chosen:
            facts = json.loads(model.report())["facts"]
            variances = np.asarray(facts["explained_variance"])
            if asked == "mle":
                number = _likeliest_dimension(variances, self._count(rows.shape[0]))
            else:
                enough = asked * facts["total_variance"]
                number = min(int(np.searchsorted(np.cumsum(variances), enough, side="right")) + 1, whole)
            if number != whole:
                # The same numbers as by a fit with this dimension.
                self._dimension = number
                model = super()._run(rows, distances, neighbors, labels)
        return model

    def _keep(self, model, n, dtype):
        super()._keep(model, n, dtype)
        self.n_samples_, self.n_components_ = self.embedding_.shape
        variances = self.explained_variance_
        count = self._count(n)
        self.singular_values_ = np.sqrt(variances * (count - 1))
        rest = int(min(count, self.components_.shape[1])) - len(variances)
        unexplained = max(self.facts_["total_variance"] - variances.sum(), 0.0)
        self.noise_variance_ = float(unexplained / rest) if rest > 0 else 0.0
        if self.whiten:
            self._require_variance(n)
            self.embedding_ = (self.embedding_ / np.sqrt(variances)).astype(dtype, copy=False)

    def _require_variance(self, n):
        """Whitening divides by the standard deviations, which rounding alone must not determine."""
        least = np.finfo(np.float64).eps * max(n, self.components_.shape[1]) * self.facts_["total_variance"]
        rank = int(np.sum(self.explained_variance_ > least))
        if rank < self.n_components_:
            raise ValueError(
                f"whiten=True needs variance along all {self.n_components_} directions, but only {rank} have any; "
                f"{f'use n_components={rank}' if rank else 'all rows are equal'}"
            )

    def _place(self, rows):
        placed = super()._place(rows)
        return placed / np.sqrt(self.explained_variance_) if self.whiten else placed

    def _invert(self, places):
        return super()._invert(places * np.sqrt(self.explained_variance_) if self.whiten else places)

    def save(self, path: str | PathLike[str]) -> None:
        """Writes the fitted model for `swissroll.load` and the program; a whitened map has no such file.

        Parameters
        ----------
        path : str or path-like
            The file, which is replaced.
        """
        if self.whiten:
            raise ValueError("a whitened map has no model file; save the estimator by pickle or joblib")
        super().save(path)

    def get_covariance(self) -> NDArray[np.float64]:
        """The covariance of the model: the explained variances along the directions, and the noise
        variance along all others.

        Returns
        -------
        covariance : ndarray of shape (n_features, n_features)
            The covariance.
        """
        check_is_fitted(self)
        directions, noise = self.components_.astype(np.float64), self.noise_variance_
        along = np.maximum(self.explained_variance_ - noise, 0.0)
        return (directions.T * along) @ directions + noise * np.eye(directions.shape[1])

    def get_precision(self) -> NDArray[np.float64]:
        """The inverse of `get_covariance`.

        Returns
        -------
        precision : ndarray of shape (n_features, n_features)
            The inverse. Data without variance outside of the directions have none.
        """
        check_is_fitted(self)
        directions = self.components_.astype(np.float64)
        variances = self._variances()
        every = directions.shape[1]
        if len(variances) == every:
            return (directions.T / variances) @ directions
        weights = 1 - self.noise_variance_ / variances
        return (np.eye(every) - (directions.T * weights) @ directions) / self.noise_variance_

    def _variances(self):
        """The explained variances, where the covariance has an inverse."""
        every = self.components_.shape[1]
        least = np.finfo(np.float64).eps * every * self.facts_["total_variance"]
        variances = np.maximum(self.explained_variance_, self.noise_variance_)
        missing = len(variances) < every and self.noise_variance_ <= least
        if missing or variances.min() <= least:
            raise ValueError(
                "the covariance has no inverse, since the data have no variance along some directions; "
                "use fewer components or leave out columns that others determine"
            )
        return variances

    def score_samples(self, X: Any) -> NDArray[np.float64]:
        """The logarithm of the likelihood of each row by the Gaussian model (Tipping and Bishop 1999).

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        likelihoods : ndarray of shape (n_samples,)
            The logarithms.
        """
        check_is_fitted(self)
        X = validate_data(self, X, dtype=DTYPES, reset=False).astype(np.float64)
        variances, every = self._variances(), self.components_.shape[1]
        outside = (every - len(variances)) * np.log(self.noise_variance_) if len(variances) < every else 0.0
        centered = X - self.mean_
        squares = np.einsum("ij,ij->i", centered @ self.get_precision(), centered)
        return -(squares + every * np.log(2 * np.pi) + np.log(variances).sum() + outside) / 2

    def score(self, X: Any, y: Any = None) -> float:
        """The mean of `score_samples`.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows.
        y : ignored
            For pipelines.

        Returns
        -------
        likelihood : float
            The mean logarithm of the likelihood.
        """
        return float(self.score_samples(X).mean())
