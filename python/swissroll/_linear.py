"""What classes of linear maps and of kernel PCA have besides a fit: selection of a dimension, whitening,
likelihoods, kernels by name or function, classification, unmixing."""

import json
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import linalg, sparse
from scipy.special import expit, gammaln, log_softmax, softmax
from sklearn.base import ClassifierMixin
from sklearn.metrics.pairwise import PAIRWISE_KERNEL_FUNCTIONS, pairwise_kernels
from sklearn.random_projection import johnson_lindenstrauss_min_dim
from sklearn.utils.validation import check_is_fitted, validate_data

from ._base import Estimator, Floats
from ._settings import flag, is_number, mistyped, one_of, shown, text

_DTYPES = [np.float64, np.float32]


def _likeliest_dimension(variances, n):
    """The dimension of largest evidence (Minka 2000, Automatic choice of dimensionality for PCA),
    of all variances in descending order."""
    count = len(variances)
    # Smaller variances are rounding.
    floor = np.finfo(np.float64).eps * max(n, count) * variances[0]
    best, most = 1, -np.inf
    for rank in range(1, count):
        if variances[rank - 1] <= floor:
            break
        rest = max(variances[rank:].mean(), floor)
        each = np.arange(1, rank + 1)
        prior = -rank * np.log(2) + np.sum(
            gammaln((count - each + 1) / 2) - np.log(np.pi) * (count - each + 1) / 2
        )
        fit = -n / 2 * (np.log(variances[:rank]).sum() + (count - rank) * np.log(rest))
        free = count * rank - rank * (rank + 1) / 2
        flat = np.concatenate([variances[:rank], np.full(count - rank, rest)])
        i, j = np.triu_indices(rank, 1, count)
        volume = np.sum(np.log(variances[i] - variances[j]) + np.log(1 / flat[j] - 1 / flat[i]) + np.log(n))
        evidence = fit + prior + np.log(2 * np.pi) * (free + rank) / 2 - volume / 2 - rank * np.log(n) / 2
        if evidence > most:
            best, most = rank, evidence
    return best


class PrincipalComponents(Estimator):
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
                number = _likeliest_dimension(variances, rows.shape[0])
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
        self.singular_values_ = np.sqrt(variances * (n - 1))
        rest = min(n, self.components_.shape[1]) - len(variances)
        unexplained = max(self.facts_["total_variance"] - variances.sum(), 0.0)
        self.noise_variance_ = float(unexplained / rest) if rest else 0.0
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
        X = validate_data(self, X, dtype=_DTYPES, reset=False).astype(np.float64)
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


class IndependentComponents(Estimator):
    """FastICA with the inverse of its unmixing matrix."""

    components_: Floats
    mixing_: Floats

    def _keep(self, model, n, dtype):
        super()._keep(model, n, dtype)
        self.mixing_ = linalg.pinv(self.components_)


class RandomDirections(Estimator):
    """A random projection with a dimension by the lemma of Johnson and Lindenstrauss, and sparse rows."""

    #: Numbers of a block of rows whose zeros are filled in.
    _BLOCK = 2**22

    _special = {"n_components": ("auto",)}
    _numbers = {"eps": "real"}

    n_components: int | str
    eps: float
    n_components_: int

    def _check_types(self):
        super()._check_types()
        if not 0 < self.eps < 1:
            raise ValueError(f"eps must be above 0 and below 1, but is {self.eps}")

    def _target(self):
        return self._dimension

    def _blocks(self, rows):
        """Sparse rows as dense blocks."""
        step = max(self._BLOCK // rows.shape[1], 2)
        return (rows[first : first + step].toarray() for first in range(0, rows.shape[0], step))

    def _run(self, rows, distances, neighbors, labels, settings=None):
        n, columns = rows.shape
        self._dimension = self.n_components
        if self.n_components == "auto":
            self._dimension = int(johnson_lindenstrauss_min_dim(n, eps=self.eps))
            if self._dimension > columns:
                raise ValueError(
                    f"n_components='auto' needs {self._dimension} dimensions for {n} rows and eps={self.eps}, "
                    f"but X has {columns} columns; use a larger eps or a number"
                )
        self._later = None
        if not sparse.issparse(rows):
            return super()._run(rows, distances, neighbors, labels)
        # The directions depend on the number of columns alone.
        blocks = self._blocks(rows)
        model = super()._run(next(blocks), distances, neighbors, labels)
        self._later = blocks
        return model

    def _keep(self, model, n, dtype):
        super()._keep(model, n, dtype)
        self.n_components_ = self.embedding_.shape[1]
        later, self._later = getattr(self, "_later", None), None
        if later is not None:
            parts = [self.embedding_, *(super(RandomDirections, self)._place(block) for block in later)]
            self.embedding_ = np.concatenate(parts).astype(dtype, copy=False)

    def _place(self, rows):
        if not sparse.issparse(rows):
            return super()._place(rows)
        return np.concatenate([super(RandomDirections, self)._place(block) for block in self._blocks(rows)])


class DiscriminantAnalysis(ClassifierMixin, Estimator):
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

    def _run(self, rows, distances, neighbors, labels, settings=None):
        settings = self._settings()
        widest = min(len(self.classes_) - 1, rows.shape[1])

        def fitted(number):
            given = [(name, text(number) if name == "dim" else value) for name, value in settings]
            return super(DiscriminantAnalysis, self)._run(rows, distances, neighbors, labels, given)

        model = fitted(self.n_components) if self.n_components is not None else None
        whole = model if self.n_components == widest else self._widest(fitted, widest)
        self._classify(whole, rows, labels)
        return whole if model is None else model

    @staticmethod
    def _widest(fitted, widest):
        """The model of the most dimensions that the means of the classes span."""
        try:
            return fitted(widest)
        except ValueError as error:
            if widest == 1:
                raise
            model, most, least = None, widest, 0
            while most - least > 1:
                middle = (most + least) // 2
                try:
                    model, least = fitted(middle), middle
                except ValueError:
                    most = middle
            if model is None:
                raise error
            return model

    def _classify(self, model, rows, labels):
        """Sets the linear functions of the classes."""
        count = len(self.classes_)
        sizes = np.bincount(labels, minlength=count)
        if self.priors is None:
            self.priors_ = sizes / len(labels)
        else:
            self.priors_ = self._given_priors(count)
        sums = np.zeros((count, rows.shape[1]))
        np.add.at(sums, labels, rows)
        self.means_ = sums / sizes[:, None]
        origin, directions, _ = model.linear_map()
        # The covariance of largest likelihood, as in scikit-learn: divisor n.
        directions = directions * np.sqrt(len(labels) / max(len(labels) - count, 1))
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
        X = validate_data(self, X, dtype=_DTYPES, reset=False).astype(np.float64)
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
        values = self.decision_function(X)
        return (
            np.stack([expit(-values), expit(values)], axis=1) if values.ndim == 1 else softmax(values, axis=1)
        )

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


def _inverse_variance(rows):
    """1 / the mean squared distance of rows to their mean, the gamma of kernel='auto'."""
    if sparse.issparse(rows):
        mean = np.asarray(rows.mean(axis=0)).ravel()
        variance = np.asarray(rows.multiply(rows).sum(axis=1)).mean() - mean @ mean
    else:
        variance = np.var(rows, axis=0, dtype=np.float64).sum()
    return 1 / max(variance, np.finfo(np.float64).tiny)


class KernelComponents(Estimator):
    """Kernel PCA with the kernels of scikit-learn, and an inverse that is learned."""

    _special = {"n_components": (None,)}
    _numbers = {"gamma": "real", "degree": "real", "coef0": "real", "alpha": "real"}

    n_components: int | None
    kernel: Any
    gamma: float | None
    degree: float
    coef0: float
    kernel_params: dict[str, Any] | None
    fit_inverse_transform: bool
    alpha: float
    eigenvalues_: NDArray[np.float64]
    X_fit_: Any
    dual_coef_: NDArray[np.float64]

    def _check_types(self):
        kernel = self.kernel
        if callable(kernel):
            # A function is no text of the registry.
            self.kernel = "auto"
        try:
            super()._check_types()
        finally:
            self.kernel = kernel
        if not (self.kernel_params is None or isinstance(self.kernel_params, dict)):
            raise mistyped("kernel_params", "a dict or None", self.kernel_params)
        flag("fit_inverse_transform", self.fit_inverse_transform)
        for name, least in (("gamma", 0), ("degree", 1), ("alpha", 0)):
            value = getattr(self, name)
            if value is not None and not (
                np.isfinite(value) and value >= least and (value > 0 or name == "alpha")
            ):
                bound = "above 0" if name == "gamma" else f"at least {least}"
                raise ValueError(f"{name} must be {bound}, but is {value}")
        if not np.isfinite(self.coef0):
            raise ValueError(f"coef0 must be finite, but is {self.coef0}")
        if self.fit_inverse_transform and self.kernel == "precomputed":
            raise ValueError(
                "fit_inverse_transform needs rows, but kernel='precomputed' gives products alone"
            )

    def _reads_sparse(self):
        return self._metric()[0] == "euclidean" and self.kernel != "precomputed"

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise |= self.kernel == "precomputed"
        return tags

    def _by_matrix(self, X):
        """Whether the fit reads a matrix of products, rather than rows or distances."""
        of_text = isinstance(self.kernel, str) and self.kernel not in PAIRWISE_KERNEL_FUNCTIONS
        known = self.kernel in ("linear", "cosine", "rbf") or (
            self.kernel in ("poly", "polynomial") and self.coef0 >= 0
        )
        own = is_number(self.kernel) or (of_text and self.kernel != "precomputed") or known
        return not own or (sparse.issparse(X) and self._metric()[0] == "euclidean")

    def _registered(self):
        """The kernel as the registry reads it."""
        if self.kernel not in ("rbf", "poly", "polynomial"):
            return self.kernel
        if self.gamma is None and self._precomputed():
            raise ValueError(
                f"gamma must have a value with kernel={self.kernel!r} and distances, but is None"
            )
        gamma = text(self.gamma if self.gamma is not None else 1 / self.n_features_in_)
        return (
            f"rbf:{gamma}"
            if self.kernel == "rbf"
            else f"polynomial:{text(self.degree)}:{gamma}:{text(self.coef0)}"
        )

    def _products(self, X, Y=None):
        """The kernel's values between rows."""
        name, given = self.kernel, dict(self.kernel_params or {})
        if callable(name):
            return pairwise_kernels(X, Y, metric=name, **given)
        if isinstance(name, str) and ":" in name:
            name, *numbers = name.split(":")
            given = dict(
                zip(("gamma",) if name == "rbf" else ("degree", "gamma", "coef0"), map(float, numbers))
            )
        elif name == "auto":
            name, given = "rbf", {"gamma": self._width}
        elif name in PAIRWISE_KERNEL_FUNCTIONS:
            gamma = 1 / self.n_features_in_ if self.gamma is None else self.gamma
            given = {"gamma": gamma, "degree": self.degree, "coef0": self.coef0, **given}
        else:
            known = ", ".join(map(repr, sorted(PAIRWISE_KERNEL_FUNCTIONS)))
            raise ValueError(
                f"kernel must be a function, 'auto', 'precomputed' or one of {known}, but is {name!r}"
            )
        return pairwise_kernels(X, Y, metric=name, filter_params=True, **given)

    def _target(self):
        return self._dimension

    def _settings(self):
        kernel = "linear" if self._centers is not None else self._registered()
        return [(name, text(kernel) if name == "kernel" else value) for name, value in super()._settings()]

    def _input(self, X, y, neighbors):
        self._centers = None
        for name in ("X_fit_", "dual_coef_"):
            self.__dict__.pop(name, None)
        given = X
        if not self._by_matrix(X):
            found = super()._input(X, y, neighbors)
            given = found[0]
            if given is not None and self.kernel == "auto":
                self._width = _inverse_variance(given)
        else:
            one_of("metric", self._metric()[0], ("euclidean",))
            given = validate_data(
                self,
                X,
                dtype=_DTYPES,
                order="C",
                ensure_min_samples=2,
                accept_sparse="csr" if self._reads_sparse() else False,
            )
            self._width = _inverse_variance(given) if self.kernel == "auto" else None
            found = self._distances_of(given), True, None, None
        if given is not None and (self.fit_inverse_transform or self._centers is not None):
            self.X_fit_ = given
        self._dimension = found[0].shape[0] - 1 if self.n_components is None else self.n_components
        return found

    def _distances_of(self, rows):
        """The distances in the feature space, whose classical scaling is kernel PCA."""
        self._training = None
        products = rows if self.kernel == "precomputed" else self._products(rows)
        products = np.array(products, dtype=np.float64)
        if products.shape[0] != products.shape[1]:
            raise ValueError(f"X must be square with kernel='precomputed', but has shape {products.shape}")
        size = np.abs(products).max(initial=0.0)
        off = np.abs(products - products.T).max(initial=0.0)
        # What the rounding of products of many columns leaves, in the precision of the data.
        slack = np.sqrt(np.finfo(rows.dtype).eps) * size
        if off > slack:
            raise ValueError(f"the kernel must be symmetric, but values of the same pair differ by {off}")
        squared = np.diag(products)[:, None] + np.diag(products) - (products + products.T)
        if squared.min() < -slack:
            i, j = np.unravel_index(squared.argmin(), squared.shape)
            raise ValueError(
                f"the kernel must be positive semidefinite, but k(x, x) + k(y, y) - 2 k(x, y) is {squared.min()} "
                f"for rows {i} and {j}; use another kernel or other parameters"
            )
        self._centers = products.mean(axis=0), products.mean()
        distances = np.sqrt(np.maximum(squared, 0.0))
        np.fill_diagonal(distances, 0.0)
        return distances

    def _keep(self, model, n, dtype):
        self._centers = getattr(self, "_centers", None)
        super()._keep(model, n, dtype)
        if self._centers is not None:
            self.facts_["kernel"] = str(getattr(self.kernel, "__name__", self.kernel))
        if self.n_components is None:
            # Directions that rounding alone determines are left out.
            largest = self.eigenvalues_[0] if len(self.eigenvalues_) else 0.0
            kept = self.eigenvalues_ > np.finfo(np.float64).eps * n * largest
            self._kept = int(max(np.sum(kept), 1))
            self.eigenvalues_ = self.eigenvalues_[: self._kept]
            self.embedding_ = np.ascontiguousarray(self.embedding_[:, : self._kept])
        if getattr(self, "fit_inverse_transform", False) and hasattr(self, "X_fit_"):
            products = self._products(self.embedding_)
            products.flat[:: n + 1] += self.alpha
            rows = self.X_fit_.toarray() if sparse.issparse(self.X_fit_) else self.X_fit_
            self.dual_coef_ = linalg.solve(products, rows, assume_a="pos")

    def _place(self, rows):
        if self._centers is None:
            placed = super()._place(rows)
            return placed[:, : self.embedding_.shape[1]]
        columns, every = self._centers
        products = rows if self.kernel == "precomputed" else self._products(rows, self.X_fit_)
        products = np.asarray(products, dtype=np.float64)
        centered = products - columns - products.mean(axis=1, keepdims=True) + every
        inverse = np.divide(
            1.0, self.eigenvalues_, where=self.eigenvalues_ > 0, out=np.zeros_like(self.eigenvalues_)
        )
        return centered @ (self.embedding_ * inverse)

    def _is_linear(self):
        if self.fit_inverse_transform:
            return True
        raise AttributeError(
            "the map of KernelPCA is not linear; fit_inverse_transform=True learns an inverse with the map, "
            "swissroll.regression from examples"
        )

    def _invert(self, places):
        return self._products(places, self.embedding_) @ self.dual_coef_

    def save(self, path: str | PathLike[str]) -> None:
        """Writes the fitted model for `swissroll.load` and the program. Kernels by function or by
        matrix, an inverse, and all dimensions (``n_components=None``) have no such file.

        Parameters
        ----------
        path : str or path-like
            The file, which is replaced.
        """
        check_is_fitted(self)
        if self._centers is not None or self.fit_inverse_transform or self.n_components is None:
            raise ValueError("this model of kernel PCA has no file; save the estimator by pickle or joblib")
        super().save(path)
