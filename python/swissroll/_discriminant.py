"""What LDA has besides a fit: classification."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_softmax
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from ._base import DTYPES
from ._settings import mistyped, shown, text
from ._weights import Weighted


class DiscriminantAnalysis(ClassifierMixin, Weighted):
    """LDA that also classifies, by normal distributions of one covariance."""

    classes_: NDArray[Any]
    priors: Any
    priors_: NDArray[np.float64]
    means_: NDArray[np.float64]
    coef_: NDArray[np.float64]
    intercept_: NDArray[np.float64]

    def _target(self):
        if self.n_components is not None:
            return self.n_components
        return min(len(self.classes_) - 1, self.n_features_in_)

    def _run(self, rows, distances, neighbors, labels, settings=None, lower=False):
        settings = self._settings()
        widest = min(len(self.classes_) - 1, rows.shape[1])
        chosen = self.n_components is not None
        model = super()._run(rows, distances, neighbors, labels, settings, lower=not chosen)
        whole = model
        if chosen and self.n_components != widest:
            # Classes are predicted by all dimensions that their means span.
            settings = [(name, text(widest) if name == "dim" else value) for name, value in settings]
            whole = super()._run(rows, distances, neighbors, labels, settings, lower=True)
        self._classify(whole, rows, labels)
        return model

    def _classify(self, model, rows, labels):
        """Sets the linear functions of the classes."""
        count = len(self.classes_)
        weights, total = getattr(self, "_weights", None), self._count(len(labels))
        sizes = np.bincount(labels, weights, minlength=count)
        if self.priors is None:
            self.priors_ = sizes / total
        else:
            self.priors_ = self._given_priors(count)
        sums = np.zeros((count, rows.shape[1]))
        np.add.at(sums, labels, rows if weights is None else rows * weights[:, None])
        self.means_ = sums / sizes[:, None]
        origin, directions, _ = model.linear_map()
        # The covariance of largest likelihood, as in scikit-learn: divisor n.
        directions = directions * np.sqrt(total / max(total - count, 1))
        places = (self.means_ - origin) @ directions.T
        with np.errstate(divide="ignore"):
            levels = np.log(self.priors_) - np.einsum("ij,ij->i", places, places) / 2
        coefficients = places @ directions
        intercepts = levels - coefficients @ origin
        if count == 2:
            coefficients, intercepts = np.diff(coefficients, axis=0), np.diff(intercepts)
        self.coef_, self.intercept_ = coefficients, intercepts

    def _given_priors(self, count):
        words = f"{count} numbers of at least 0 with sum 1, one per class"
        try:
            priors = np.asarray(self.priors)
            priors = priors.astype(np.float64, casting="same_kind" if priors.dtype.kind == "f" else "safe")
        except (TypeError, ValueError):
            raise mistyped("priors", words, self.priors) from None
        if priors.shape != (count,) or not (priors >= 0).all() or not np.isclose(priors.sum(), 1):
            raise ValueError(f"priors must be {words}, but is {shown(self.priors)}")
        return priors

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """The logarithm of the probability of each class, up to a number per row; of two classes, the
        logarithm of their ratio.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        values : ndarray of shape (n_samples, n_classes) or (n_samples,)
            The values.
        """
        check_is_fitted(self, "coef_", msg="a model from a file has no means of classes; fit %(name)s first")
        X = validate_data(self, X, dtype=DTYPES, reset=False).astype(np.float64)
        values = X @ self.coef_.T + self.intercept_
        return values[:, 0] if len(self.classes_) == 2 else values

    def predict(self, X: Any) -> NDArray[Any]:
        """The likeliest class of each row.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        y : ndarray of shape (n_samples,)
            The classes.
        """
        values = self.decision_function(X)
        return self.classes_[(values > 0).astype(int) if values.ndim == 1 else values.argmax(axis=1)]

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """The probability of each class.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        probabilities : ndarray of shape (n_samples, n_classes)
            The probabilities, in the order of `classes_`.
        """
        return np.exp(self.predict_log_proba(X))

    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:
        """The logarithm of the probability of each class.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        logarithms : ndarray of shape (n_samples, n_classes)
            The logarithms, in the order of `classes_`.
        """
        values = self.decision_function(X)
        if values.ndim == 1:
            return np.stack([-np.logaddexp(0, values), -np.logaddexp(0, -values)], axis=1)
        return log_softmax(values, axis=1)
