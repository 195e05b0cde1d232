"""What kernel PCA has besides a fit: kernels by name, function or matrix, and a learned inverse."""

from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import linalg, sparse
from sklearn.metrics.pairwise import PAIRWISE_KERNEL_FUNCTIONS, pairwise_kernels
from sklearn.utils.validation import check_is_fitted, validate_data

from ._base import DTYPES, allow
from ._settings import flag, is_number, mistyped, one_of, text
from ._weights import Weighted

#: Numbers of a block of rows of the kernel matrix.
_BLOCK = 2**17


def _inverse_variance(rows):
    """1 / the mean squared distance of rows to their mean, the gamma of kernel='auto'."""
    if sparse.issparse(rows):
        mean = np.asarray(rows.mean(axis=0)).ravel()
        variance = np.asarray(rows.multiply(rows).sum(axis=1)).mean() - mean @ mean
    else:
        variance = np.var(rows, axis=0, dtype=np.float64).sum()
    return 1 / max(variance, np.finfo(np.float64).tiny)


def _inverse_spread(distances):
    """The same by the distances between all rows, whose mean square is twice the variance."""
    squares = np.vdot(distances, distances)
    return 2 * distances.size / max(squares, np.finfo(np.float64).tiny)


class KernelComponents(Weighted):
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
        if self.kernel_params and not callable(kernel):
            raise ValueError(
                f"kernel_params belong to a kernel that is a function, but kernel is {kernel!r}; "
                "set gamma, degree or coef0"
            )
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
        if self.fit_inverse_transform and "precomputed" in (self.kernel, self._metric()[0]):
            by_kernel = self.kernel == "precomputed"
            given = (
                "kernel='precomputed' gives products" if by_kernel else "metric='precomputed' gives distances"
            )
            raise ValueError(f"fit_inverse_transform needs rows, but {given} alone; fit to rows")

    def _outside_registry(self):
        return "kernel" if self._by_matrix(None) else super()._outside_registry()

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
        name = self.kernel
        if callable(name):
            return pairwise_kernels(X, Y, metric=name, **(self.kernel_params or {}))
        if isinstance(name, str) and ":" in name:
            name, *numbers = name.split(":")
            given = dict(
                zip(("gamma",) if name == "rbf" else ("degree", "gamma", "coef0"), map(float, numbers))
            )
        elif name == "auto":
            name, given = "rbf", {"gamma": self._width}
        elif name in PAIRWISE_KERNEL_FUNCTIONS:
            gamma = 1 / self.n_features_in_ if self.gamma is None else self.gamma
            given = {"gamma": gamma, "degree": self.degree, "coef0": self.coef0}
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
        if getattr(self, "_weights", None) is not None and (self._by_matrix(X) or self.fit_inverse_transform):
            raise ValueError(
                "sample_weight needs dense rows and a kernel that the library computes ('auto', 'linear', 'rbf', "
                f"'poly' or 'cosine'), and no inverse, but kernel is {self.kernel!r}"
            )
        if not self._by_matrix(X):
            found = super()._input(X, y, neighbors)
            # By a metric of scikit-learn or a function, the fit reads distances, the inverse rows.
            given = found[0] if self._training is None else self._training
            if self._table is not None and self.fit_inverse_transform:
                raise ValueError(
                    "fit_inverse_transform needs coordinates, which rows with categories and gaps do not have"
                )
            if found[0] is not None and self.kernel == "auto" and self._table is None:
                self._width = _inverse_spread(found[0]) if found[1] else _inverse_variance(given)
        else:
            one_of("metric", self._metric()[0], ("euclidean",))
            given = validate_data(
                self,
                X,
                dtype=DTYPES,
                order="C",
                ensure_min_samples=2,
                accept_sparse="csr" if self._reads_sparse() else False,
            )
            self._width = _inverse_variance(given) if self.kernel == "auto" else None
            found = self._distances_of(given), True, None, None
        if given is not None and (self.fit_inverse_transform or self._centers is not None):
            self.X_fit_ = given
        self._dimension = self.n_components
        if self.n_components is None:
            # Without rows, the fit says what it needs.
            self._dimension = 1 if found[0] is None else found[0].shape[0] - 1
        return found

    def _distances_of(self, rows):
        """The distances in the feature space, whose classical scaling is kernel PCA."""
        self._training = None
        n = rows.shape[0]
        # The kernel's values and the distances.
        allow("the kernel matrix", 16 * n * n)
        products = rows if self.kernel == "precomputed" else self._products(rows)
        products = np.asarray(products, dtype=np.float64)
        if products.shape[0] != products.shape[1]:
            raise ValueError(f"X must be square with kernel='precomputed', but has shape {products.shape}")
        diagonal = np.diag(products)
        distances = np.empty_like(products)
        # Blocks of rows, so that two matrices are the largest memory.
        step = max(_BLOCK // n, 1)
        size = off = 0.0
        for block in (slice(first, first + step) for first in range(0, n, step)):
            size = max(size, np.abs(products[block]).max())
            off = max(off, np.abs(products[block] - products[:, block].T).max())
            sums = products[block] + products[:, block].T
            distances[block] = diagonal[block, None] + diagonal - sums
        # What the rounding of products of many columns leaves, in the precision of the data.
        slack = np.sqrt(np.finfo(rows.dtype).eps) * size
        if off > slack:
            raise ValueError(f"the kernel must be symmetric, but values of the same pair differ by {off}")
        if distances.min() < -slack:
            i, j = np.unravel_index(distances.argmin(), distances.shape)
            raise ValueError(
                f"the kernel must be positive semidefinite, but k(x, x) + k(y, y) - 2 k(x, y) is {distances[i, j]} "
                f"for rows {i} and {j}; use another kernel or other parameters"
            )
        self._centers = products.mean(axis=0), products.mean()
        np.maximum(distances, 0.0, out=distances)
        np.sqrt(distances, out=distances)
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
            # The kernel's values, and their factors.
            allow("the inverse of kernel PCA", 16 * n * n)
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
