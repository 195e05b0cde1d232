"""Functions from one space to another, learned from examples.

With the places of a map as points and the data as targets they decode places of the map,
whatever the method that made it::

    Y = swissroll.UMAP().fit_transform(X)
    decoder = swissroll.regression.LocalBarycentric().fit(Y, X)
    decoder.predict([[1.0, 2.0]])                       # the data of a place
    swissroll.regression.left_out(decoder, Y, X)        # how well places are decoded
"""

import json
from typing import Any, Self, cast

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, MultiOutputMixin, RegressorMixin
from sklearn.utils.validation import check_is_fitted, check_X_y, validate_data

from . import _native
from ._settings import Seed, check_number, memory_limit, mistyped, required, seed, shown, threads, whole

__all__ = ["KernelRidge", "LocalBarycentric", "left_out"]

_READ = dict(dtype=[np.float64, np.float32], order="C")


class _Regressor(MultiOutputMixin, RegressorMixin, BaseEstimator):
    #: The names that the native module has for parameters; elsewhere they are equal.
    _names: dict[str, str] = {}

    n_jobs: int | None
    n_features_in_: int

    def fit(self, X: Any, y: Any) -> Self:
        """Fits the function.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Points, as the places of a map.
        y : array-like of shape (n_samples,) or (n_samples, n_targets)
            The value at each point, as the data of the map.

        Returns
        -------
        self : object
            The fitted function.
        """
        X, y = validate_data(self, X, y, multi_output=True, y_numeric=True, ensure_min_samples=2, **_READ)
        self._flat = y.ndim == 1
        recipe, limit, jobs = self._recipe(), memory_limit(), threads(self.n_jobs)
        try:
            self._function = _native.Regression.fit(recipe, X, _targets(y), memory=limit, threads=jobs)
        except _native.ParameterError as error:
            raise self._explained(error) from None
        return self

    def predict(self, X: Any) -> NDArray[np.float64]:
        """The function's values.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Points.

        Returns
        -------
        y : ndarray of shape (n_samples,) or (n_samples, n_targets)
            The values, in the shape of the values given to `fit`.
        """
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, **_READ)
        found = self._function.predict(X, threads=threads(self.n_jobs))
        return found[:, 0] if self._flat else found

    def _explained(self, error):
        """The sentence of a parameter error with the name of the parameter here."""
        name, requirement, got = error.args
        return ValueError(f"{self._names.get(name, name)} must be {requirement}, but is {got}")


class LocalBarycentric(_Regressor):
    """Interpolation by barycentric weights among the nearest points.

    The value at a point is the affine combination of the values at its nearest points, with
    the weights that best reconstruct the point from its nearest points: the extension of LLE,
    between any two spaces. It is exact at the points of the fit. Weights may be negative, so that
    values beyond the outermost points can leave the range of the data.

    Parameters
    ----------
    n_neighbors : int, default=10
        Number of nearest points, at least 1; all points where there are fewer.
    regularization : float, default=1e-3
        Regularization of the weights, positive: its multiple of the squared distances is
        added to the diagonal of each local Gram matrix.
    n_jobs : int, default=None
        Number of threads; None and -1 for all processors.

    Attributes
    ----------
    n_features_in_ : int
        Number of columns of the points.

    References
    ----------
    Saul and Roweis, Think globally, fit locally: unsupervised learning of low dimensional
    manifolds, JMLR 4 (2003), 119-155, section 6.1.

    Examples
    --------
    >>> import swissroll
    >>> X, _ = swissroll.datasets.make_swiss_roll(500)
    >>> Y = swissroll.LTSA(n_neighbors=10).fit_transform(X)
    >>> swissroll.regression.LocalBarycentric().fit(Y, X).predict(Y[:2]).shape
    (2, 3)
    """

    _names = {"k": "n_neighbors", "reg": "regularization"}

    def __init__(
        self, n_neighbors: int = 10, *, regularization: float = 1e-3, n_jobs: int | None = None
    ) -> None:
        self.n_neighbors = n_neighbors
        self.regularization = regularization
        self.n_jobs = n_jobs

    def _recipe(self):
        if not (isinstance(self.n_neighbors, (int, np.integer)) and 1 <= self.n_neighbors < 2**63):
            raise ValueError(
                "n_neighbors must be an integer of at least 1 and below 2**63, but is "
                f"{shown(self.n_neighbors)}"
            )
        check_number("regularization", required("regularization", self.regularization, "a number"))
        settings = {"k": int(self.n_neighbors), "regularization": float(self.regularization)}
        return json.dumps({"LocalBarycentric": settings})


class KernelRidge(_Regressor):
    """Kernel ridge regression with a Gaussian kernel, whose width follows the points.

    The function is smooth, and near the mean of the values far from all points.

    Parameters
    ----------
    width : float, default=None
        Width of the kernel exp(-d² / (2 width²)), in the units of the points. None: half the
        root mean square distance of the points from their mean, or the width that `spacing` gives.
    spacing : float, default=None
        The width as a multiple of the median distance to the tenth nearest point, which
        follows the details of a map. ``spacing=2, ridge=0.1`` are the values of the program
        ``compare invert``.
    ridge : float, default=1e-3
        Added to the diagonal of the kernel matrix; at least 0.
    n_jobs : int, default=None
        Number of threads; None and -1 for all processors.

    Attributes
    ----------
    width_ : float
        The width that was used.
    n_features_in_ : int
        Number of columns of the points.

    Notes
    -----
    O(n³) time and 24 n² bytes: for some thousand points.

    References
    ----------
    Saunders, Gammerman and Vovk, Ridge regression learning algorithm in dual variables,
    ICML 1998.

    Examples
    --------
    >>> import swissroll
    >>> X, _ = swissroll.datasets.make_swiss_roll(500)
    >>> Y = swissroll.LTSA(n_neighbors=10).fit_transform(X)
    >>> decoder = swissroll.regression.KernelRidge(spacing=2, ridge=0.1).fit(Y, X)
    >>> decoder.predict(Y[:2]).shape
    (2, 3)
    """

    width_: float

    def __init__(
        self,
        width: float | None = None,
        *,
        spacing: float | None = None,
        ridge: float = 1e-3,
        n_jobs: int | None = None,
    ) -> None:
        self.width = width
        self.spacing = spacing
        self.ridge = ridge
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any) -> Self:
        super().fit(X, y)
        self.width_ = cast("float", self._function.width())
        return self

    fit.__doc__ = _Regressor.fit.__doc__

    def _recipe(self):
        if self.width is not None and self.spacing is not None:
            raise ValueError(
                f"width={self.width} and spacing={self.spacing} both say how wide the kernel is; "
                "leave one of them None"
            )
        # Values that JSON does not have are refused as the native module would.
        for name in ("width", "spacing", "ridge"):
            value = getattr(self, name)
            check_number(name, required(name, value, "a number") if name == "ridge" else value)
            if value is not None and not np.isfinite(value):
                raise ValueError(f"{name} must be finite, but is {value}")
        # The native module names it as the width, which it determines.
        if self.spacing is not None and self.spacing <= 0:
            raise ValueError(f"spacing must be positive, but is {self.spacing}")
        width = "Auto"
        if self.width is not None:
            width = {"Fixed": float(self.width)}
        elif self.spacing is not None:
            width = {"Spacing": float(self.spacing)}
        return json.dumps({"KernelRidge": {"width": width, "ridge": float(self.ridge)}})


def left_out(
    regressor: LocalBarycentric | KernelRidge, X: Any, y: Any, *, folds: int = 5, random_state: Seed = 0
) -> dict[str, Any]:
    """The error of a regressor on points left out of its fit.

    The points are dealt to folds in random order, and the values of each fold are predicted
    by a fit to all others. Of the way from a map back to its data this is the error of
    decoding: the map itself stays as it is.

    Parameters
    ----------
    regressor : LocalBarycentric or KernelRidge
        The regressor; its fit, if there is one, stays as it is.
    X : array-like of shape (n_samples, n_features)
        Points, as the places of a map.
    y : array-like of shape (n_samples,) or (n_samples, n_targets)
        The value at each point, as the data of the map.
    folds : int, default=5
        Number of folds, 2 to n_samples.
    random_state : int, RandomState, Generator or None, default=0
        Seed of the order.

    Returns
    -------
    errors : dict
        ``root_mean_square``, the root mean square distance between values and predictions;
        ``unexplained``, the fraction of the squared distances to the mean that is left (0 is
        perfect, 1 no better than the mean); ``folds``, the root mean square in every fold.
    """
    if not isinstance(regressor, _Regressor):
        raise mistyped("regressor", "LocalBarycentric or KernelRidge", regressor)
    X, y = check_X_y(X, y, multi_output=True, y_numeric=True, **_READ)
    folds = required("folds", whole("folds", folds, least=0), "an integer")
    try:
        total, unexplained, each = _native.left_out(
            regressor._recipe(),
            X,
            _targets(y),
            folds=folds,
            seed=seed(random_state),
            memory=memory_limit(),
            threads=threads(regressor.n_jobs),
        )
    except _native.ParameterError as error:
        raise regressor._explained(error) from None
    return {"root_mean_square": total, "unexplained": unexplained, "folds": each}


def _targets(y):
    """Values as a matrix of numbers."""
    return np.ascontiguousarray(y if y.ndim == 2 else y[:, np.newaxis], dtype=np.float64)
