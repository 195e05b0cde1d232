"""Classes with the signatures of `sklearn.manifold`."""

import numbers
import warnings
from collections.abc import Callable
from os import PathLike
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.neighbors import NearestNeighbors
from sklearn.utils.validation import check_is_fitted, validate_data

from . import _native
from ._base import DTYPES, Embedder, Estimator, Floats
from ._lists import Neighbors, to_sparse
from ._neighbors import searched
from ._settings import (
    Metric,
    Seed,
    Verbose,
    flag,
    is_number,
    one_of,
    required,
    seed,
    text,
    threads,
    whole,
)
from ._weights import Weighted

#: Algorithms of scikit-learn's searches, which are accepted without effect.
_SEARCHES = ("auto", "brute", "kd_tree", "ball_tree")


class Isomap(Estimator):
    """Isomap, with the signature of `sklearn.manifold.Isomap`.

    Measures distances along the neighbor graph, then applies classical scaling.

    Parameters
    ----------
    n_components : int, default=2
        Target dimension d, 1 to n - 1.
    n_neighbors : int or None, default=5
        Number of nearest neighbors; None with a radius.
    radius : float, default=None
        Neighbors are all points within this distance, in input units.
    eigen_solver, path_method, neighbors_algorithm : str, default="auto"
        Accepted as in scikit-learn, without effect: neighbors, paths and eigenvectors are
        exact, and their algorithms are chosen by the size of the data.
    tol : float, default=0
        Residual demanded of the eigenvectors; 0 for 1e-10.
    max_iter : int, default=None
        Accepted as in scikit-learn, without effect: the residual is enforced.
    n_jobs : int, default=None
        Number of threads; None and -1 for all processors. Results do not depend on it.
    metric : str or callable, default="minkowski"
        A metric of `sklearn.metrics.pairwise_distances`, or ``"precomputed"``: X holds
        distances, or is a sparse matrix of distances to neighbors.
    p : float, default=2
        The exponent of the Minkowski metric.
    metric_params : dict, default=None
        Parameters of the metric.
    symmetry : {"union", "mutual"}, default="union"
        Which directed edges make an undirected one.
    components : {"reject", "bridge", "largest", "per-component"}, default="bridge"
        What to do with a disconnected neighbor graph.
    duplicates : {"merge", "keep"}, default="merge"
        What to do with rows that are exact copies of others.
    precision : {"single", "double"}, default="double"
        Precision of the stored distances; single halves the memory.
    verbose : bool or callable, default=False
        Whether to show progress.

    Attributes
    ----------
    embedding_ : ndarray of shape (n_samples, n_components)
        The coordinates.
    placed_ : ndarray of int
        Only where rows were not placed (``components="largest"``): those that were.
    dist_matrix_ : ndarray of shape (n_samples, n_samples)
        The geodesic distances, computed when read.
    eigenvalues_ : ndarray of shape (n_components,)
        Only where all points have one map: the eigenvalues behind the coordinates.
    facts_ : dict
        What the fit reports, such as the residual variance for 1, 2, ... coordinates.
    notes_ : list of str
        What a reader of the result must know.
    n_features_in_ : int
        Only where X was given: its number of columns.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Only where the columns of X have names: these.

    Examples
    --------
    >>> import swissroll
    >>> X, position = swissroll.datasets.make_swiss_roll(300)
    >>> fitted = swissroll.Isomap(n_neighbors=10).fit(X[:250])
    >>> fitted.embedding_.shape, fitted.transform(X[250:]).shape
    ((250, 2), (50, 2))
    """

    _method = "isomap"
    _accepts = ("points", "distances", "neighbors")
    _names = {
        "n_components": "dim",
        "n_neighbors": "k",
        "radius": "radius",
        "symmetry": "symmetry",
        "components": "components",
        "duplicates": "duplicates",
        "precision": "precision",
        "tol": "tolerance",
    }
    _numbers = {"p": "real", "max_iter": "integer"}

    placed_: NDArray[np.uint32]
    eigenvalues_: NDArray[np.float64]

    def __init__(
        self,
        n_components: int = 2,
        *,
        n_neighbors: int | None = 5,
        radius: float | None = None,
        eigen_solver: str | None = "auto",
        tol: float = 0,
        max_iter: int | None = None,
        path_method: str = "auto",
        neighbors_algorithm: str = "auto",
        n_jobs: int | None = None,
        metric: Metric = "minkowski",
        p: float = 2,
        metric_params: dict[str, Any] | None = None,
        symmetry: str = "union",
        components: str = "bridge",
        duplicates: str = "merge",
        precision: str = "double",
        verbose: Verbose = False,
    ) -> None:
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.radius = radius
        self.eigen_solver = eigen_solver
        self.tol = tol
        self.max_iter = max_iter
        self.path_method = path_method
        self.neighbors_algorithm = neighbors_algorithm
        self.n_jobs = n_jobs
        self.metric = metric
        self.p = p
        self.metric_params = metric_params
        self.symmetry = symmetry
        self.components = components
        self.duplicates = duplicates
        self.precision = precision
        self.verbose = verbose

    def _check_types(self):
        super()._check_types()
        one_of("eigen_solver", self.eigen_solver, ("auto", "arpack", "dense"))
        one_of("path_method", self.path_method, ("auto", "FW", "D"))
        one_of("neighbors_algorithm", self.neighbors_algorithm, _SEARCHES)

    def _settings(self):
        return [setting for setting in super()._settings() if setting != ("tolerance", "0")]

    def _run(self, rows, distances, neighbors, labels):
        if neighbors is None:
            radius = self.radius if self.radius != np.inf else np.finfo(np.float64).max
            k = self.n_neighbors if radius is None else None
            neighbors = searched(self, rows, k, radius, distances)
        elif self.radius is None and (neighbors.k or 0) > self.n_neighbors:
            # Longer lists serve fewer neighbors.
            neighbors = neighbors.truncated(self.n_neighbors)
        if rows is None and self.components == "bridge":
            parts = int(neighbors.components().max()) + 1
            if parts > 1:
                raise RuntimeError(
                    f"The number of connected components of the neighbors graph is {parts} > 1, and "
                    "given neighbors hold no distances between them; use more neighbors, give the "
                    "distances between all points, or choose components='largest' or 'per-component'"
                )
        model = super()._run(rows, distances, neighbors, labels)
        bridges = rows is not None and self.components == "bridge"
        metric = None if distances else self._native_metric()
        if bridges:
            neighbors = neighbors.bridged(rows, distances=distances, metric=metric)
        self._graph = neighbors
        return model

    def _fit(self, X, y, neighbors):
        if not self.p > 0:
            raise ValueError(f"p must be above 0, but is {self.p}")
        super()._fit(X, y, neighbors)
        self._single = self.embedding_.dtype == np.float32
        return self

    @property
    def dist_matrix_(self) -> Floats:
        """The geodesic distances; infinite between components that were not joined."""
        check_is_fitted(self)
        if getattr(self, "_graph", None) is None:
            raise AttributeError("dist_matrix_: a model from a file has no neighbor graph; fit it again")
        distances = self._graph.geodesics(self.symmetry, threads=threads(self.n_jobs))
        return distances.astype(np.float32) if self._single else distances

    def reconstruction_error(self) -> float:
        """The norm of the difference between the doubly centered matrix of squared geodesic
        distances and the inner products of the coordinates, divided by n.

        Returns
        -------
        error : float
            The error.
        """
        check_is_fitted(self)
        return float(self.facts_["reconstruction_error"])


class ClassicalMDS(Weighted):
    """Classical multidimensional scaling, with the signature of
    `sklearn.manifold.ClassicalMDS`.

    Parameters
    ----------
    n_components : int, default=2
        Target dimension d, 1 to n - 1.
    metric : str or callable, default="euclidean"
        A metric of `sklearn.metrics.pairwise_distances`, or ``"precomputed"``: X holds
        distances.
    metric_params : dict, default=None
        Parameters of the metric.
    tol : float, default=1e-10
        Residual demanded of the eigenvectors, relative to the operator's norm.
    precision : {"single", "double"}, default="double"
        Precision of the stored distances; single halves the memory.
    n_jobs : int, default=None
        Number of threads; None and -1 for all processors. Results do not depend on it.
    verbose : bool or callable, default=False
        Whether to show progress.

    Attributes
    ----------
    embedding_ : ndarray of shape (n_samples, n_components)
        The coordinates.
    eigenvalues_ : ndarray of shape (n_components,)
        The eigenvalues of the matrix of inner products.
    facts_ : dict
        What the fit reports.
    notes_ : list of str
        What a reader of the result must know.
    n_features_in_ : int
        Only where X was given: its number of columns.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Only where the columns of X have names: these.

    Examples
    --------
    >>> import swissroll
    >>> X, position = swissroll.datasets.make_swiss_roll(300)
    >>> fitted = swissroll.ClassicalMDS().fit(X[:250])
    >>> fitted.embedding_.shape, fitted.transform(X[250:]).shape
    ((250, 2), (50, 2))
    """

    _method = "classical-mds"
    _accepts = ("points", "distances")
    _names = {"n_components": "dim", "tol": "tolerance", "precision": "precision"}
    _linear = True

    eigenvalues_: NDArray[np.float64]

    def __init__(
        self,
        n_components: int = 2,
        *,
        metric: Metric = "euclidean",
        metric_params: dict[str, Any] | None = None,
        tol: float = 1e-10,
        precision: str = "double",
        n_jobs: int | None = None,
        verbose: Verbose = False,
    ) -> None:
        self.n_components = n_components
        self.metric = metric
        self.metric_params = metric_params
        self.tol = tol
        self.precision = precision
        self.n_jobs = n_jobs
        self.verbose = verbose


class TSNE(Estimator):
    """t-SNE, with the signature of `sklearn.manifold.TSNE`.

    Matches neighbor probabilities of data and map, using a heavy-tailed kernel in the map.
    New points are placed one by one in the fixed map.

    Parameters
    ----------
    n_components : int, default=2
        Target dimension d.
    perplexity : float, default=30.0
        Effective number of neighbors of a point, below n_samples.
    early_exaggeration : float, default=12.0
        Factor on the attraction at first.
    learning_rate : float or {"auto", "by-phase"}, default="auto"
        Step length in scikit-learn's unit, a fourth of openTSNE's and of the program ``compare``;
        ``"auto"`` is max(n / 48, 50), ``"by-phase"`` max(n / exaggeration, 200) / 4.
    max_iter : int, default=1000
        Largest number of all iterations, at least ``early_iterations``.
    n_iter_without_progress : int, default=300
        Converged when the divergence has not decreased for this many iterations.
    min_grad_norm : float, default=1e-7
        Converged when the norm of the gradient is at most this.
    metric : str or callable, default="euclidean"
        A metric of `sklearn.metrics.pairwise_distances`, or ``"precomputed"``: X holds
        distances, or is a sparse matrix of distances to neighbors.
    metric_params : dict, default=None
        Parameters of the metric.
    init : {"pca", "spectral", "random"} or array of shape (n_samples, n_components), default="pca"
        Initial coordinates. An array is centered and multiplied by one factor, unless its widest
        column has a standard deviation of 1e-4; scikit-learn uses it unchanged.
    verbose : bool or callable, default=False
        Whether to show progress.
    random_state : int, RandomState, Generator or None, default=None
        Seed; None for 0.
    method : {"auto", "barnes_hut", "exact", "interpolation"}, default="auto"
        How the forces between all pairs are computed: ``"auto"`` interpolates in one or two
        dimensions and is exact or by trees elsewhere.
    angle : float, default=0.5
        Accuracy of ``"barnes_hut"``.
    n_jobs : int, default=None
        Number of threads; None and -1 for all processors. Results do not depend on it.
    early_iterations : int, default=250
        Iterations with early exaggeration.
    late_exaggeration : float, default=1.0
        Factor on the attraction afterwards.
    check_every : int, default=50
        Iterations between evaluations of divergence and gradient.
    degrees_of_freedom : float, default=None
        Of the kernel in the map; below 1 clusters separate into finer ones. None for
        max(n_components - 1, 1), as in scikit-learn.
    placing_perplexity, placing_iterations, placing_learning_rate, placing_exaggeration, \
placing_longest_gradient : float
        Perplexity, steps, step length, factor on the attraction and longest gradient of a
        new point.
    duplicates : {"keep", "merge"}, default="keep"
        What to do with rows that are exact copies of others.
    warm_start : bool, default=False
        Whether a further fit goes on from the map of the last one, of the same rows, with
        max_iter - early_iterations more iterations and without early exaggeration.

    Attributes
    ----------
    embedding_ : ndarray of shape (n_samples, n_components)
        The coordinates.
    kl_divergence_ : float
        The divergence of the map's neighbor probabilities from the data's, in nats.
    n_iter_ : int
        Iterations done, early exaggeration included.
    learning_rate_ : float
        Only where it is one in all phases: the step length in scikit-learn's unit.
    facts_ : dict
        What the fit reports.
    notes_ : list of str
        What a reader of the result must know.
    n_features_in_ : int
        Only where X was given: its number of columns.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Only where the columns of X have names: these.

    Examples
    --------
    >>> import swissroll
    >>> X, position = swissroll.datasets.make_swiss_roll(300)
    >>> fitted = swissroll.TSNE().fit(X[:250])
    >>> fitted.embedding_.shape, fitted.transform(X[250:]).shape
    ((250, 2), (50, 2))
    """

    _method = "tsne"
    _accepts = ("points", "distances", "neighbors")
    _names = {
        "n_components": "dim",
        "perplexity": "perplexity",
        "early_exaggeration": "early-exaggeration",
        "early_iterations": "early-iterations",
        "late_exaggeration": "late-exaggeration",
        "learning_rate": "learning-rate",
        "n_iter_without_progress": "patience",
        "min_grad_norm": "smallest-gradient",
        "init": "start",
        "random_state": "seed",
        "check_every": "check-every",
        "degrees_of_freedom": "degrees-of-freedom",
        "placing_perplexity": "placing-perplexity",
        "placing_iterations": "placing-iterations",
        "placing_learning_rate": "placing-learning-rate",
        "placing_exaggeration": "placing-exaggeration",
        "placing_longest_gradient": "placing-longest-gradient",
        "duplicates": "duplicates",
    }
    #: Parameters of the method that several parameters here determine together.
    _combined = ("gradient", "iterations")
    _facts = ("kl_divergence",)
    _numbers = {"max_iter": "integer", "angle": "real"}

    kl_divergence_: float
    n_iter_: int
    learning_rate_: float

    def __init__(
        self,
        n_components: int = 2,
        *,
        perplexity: float = 30.0,
        early_exaggeration: float = 12.0,
        learning_rate: float | str = "auto",
        max_iter: int | None = 1000,
        n_iter_without_progress: int = 300,
        min_grad_norm: float = 1e-7,
        metric: Metric = "euclidean",
        metric_params: dict[str, Any] | None = None,
        init: str | Floats = "pca",
        verbose: Verbose = False,
        random_state: Seed = None,
        method: str = "auto",
        angle: float = 0.5,
        n_jobs: int | None = None,
        early_iterations: int = 250,
        late_exaggeration: float = 1.0,
        check_every: int = 50,
        degrees_of_freedom: float | None = None,
        placing_perplexity: float = 5.0,
        placing_iterations: int = 250,
        placing_learning_rate: float = 0.1,
        placing_exaggeration: float = 1.5,
        placing_longest_gradient: float = 0.25,
        duplicates: str = "keep",
        warm_start: bool = False,
    ) -> None:
        self.n_components = n_components
        self.perplexity = perplexity
        self.early_exaggeration = early_exaggeration
        self.learning_rate = learning_rate
        self.max_iter = max_iter
        self.n_iter_without_progress = n_iter_without_progress
        self.min_grad_norm = min_grad_norm
        self.metric = metric
        self.metric_params = metric_params
        self.init = init
        self.verbose = verbose
        self.random_state = random_state
        self.method = method
        self.angle = angle
        self.n_jobs = n_jobs
        self.early_iterations = early_iterations
        self.late_exaggeration = late_exaggeration
        self.check_every = check_every
        self.degrees_of_freedom = degrees_of_freedom
        self.placing_perplexity = placing_perplexity
        self.placing_iterations = placing_iterations
        self.placing_learning_rate = placing_learning_rate
        self.placing_exaggeration = placing_exaggeration
        self.placing_longest_gradient = placing_longest_gradient
        self.duplicates = duplicates
        self.warm_start = warm_start

    def _check_types(self):
        super()._check_types()
        one_of("method", self.method, ("auto", "barnes_hut", "exact", "interpolation"))

    def _settings(self):
        most = max(self.n_components, 1) ** -0.5
        if self.method == "barnes_hut" and not 0 <= self.angle < most:
            raise ValueError(
                f"angle must be at least 0 and below {most:.3f} in {self.n_components} dimensions, but is "
                f"{self.angle}"
            )
        if self.max_iter < self.early_iterations:
            raise ValueError(
                f"max_iter must be at least early_iterations = {self.early_iterations}, "
                f"but is {self.max_iter}"
            )
        gradient = f"barnes-hut:{text(self.angle)}" if self.method == "barnes_hut" else self.method
        later = whole("max_iter", self.max_iter) - self.early_iterations
        settings = dict(super()._settings(), gradient=gradient, iterations=text(later))
        if self.degrees_of_freedom is None:
            settings["degrees-of-freedom"] = text(float(max(self.n_components - 1, 1)))
        if isinstance(self.learning_rate, numbers.Real):
            if not self.learning_rate > 0:
                raise ValueError(f"learning_rate must be above 0, but is {self.learning_rate}")
            # Of a fourth of the gradient.
            settings["learning-rate"] = text(4.0 * self.learning_rate)
        return list(settings.items())

    def _fit(self, X, y, neighbors):
        if self._precomputed() and isinstance(self.init, str) and self.init == "pca":
            raise ValueError('The parameter init="pca" cannot be used with metric="precomputed".')
        if self.method == "barnes_hut" and self.n_components > 3:
            raise ValueError(
                "'n_components' should be at most 3 with method='barnes_hut', but is "
                f"{self.n_components}; use 'exact' or 'auto'"
            )
        if self.method == "exact" and self._precomputed() and sparse.issparse(X):
            raise TypeError("method='exact' reads all distances, but X is sparse; use 'auto'")
        return super()._fit(X, y, neighbors)

    def _run(self, rows, distances, neighbors, labels):
        n = len(neighbors) if rows is None else rows.shape[0]
        if self.perplexity >= n:
            raise ValueError(f"perplexity ({self.perplexity}) must be less than n_samples ({n})")
        given = None if neighbors is None else neighbors.k
        if given is not None and given < n - 1 and given <= 3 * self.perplexity - 1:
            raise ValueError(
                f"perplexity must be at most {given / 3:.4g} with lists of {given} neighbors, but is "
                f"{self.perplexity}: t-SNE reads three times as many neighbors; give longer lists or a smaller "
                "perplexity"
            )
        if self.learning_rate == "auto":
            self.learning_rate_ = max(n / 48, 50.0)
        elif self.learning_rate != "by-phase":
            self.learning_rate_ = self.learning_rate
        return super()._run(rows, distances, neighbors, labels)


class LocallyLinearEmbedding(Estimator):
    """Locally linear embedding and its variants, with the signature of
    `sklearn.manifold.LocallyLinearEmbedding`.

    Parameters
    ----------
    n_components : int, default=2
        Target dimension d.
    n_neighbors : int, default=5
        Number of nearest neighbors.
    reg : float, default=1e-3
        Added to the diagonal of each local Gram matrix, relative to its trace.
    eigen_solver, neighbors_algorithm : str, default="auto"
        Accepted as in scikit-learn, without effect.
    tol, max_iter, hessian_tol, modified_tol : float
        Accepted as in scikit-learn, without effect: residuals of 1e-10 are enforced.
    method : {"standard", "modified", "hessian", "ltsa"}, default="standard"
        The variant; `LLE`, `ModifiedLLE`, `HessianLLE` and `LTSA` have all parameters.
    random_state : int, default=None
        Accepted as in scikit-learn, without effect: nothing is random.
    n_jobs : int, default=None
        Number of threads; None and -1 for all processors. Results do not depend on it.
    components : {"reject", "bridge", "largest", "per-component"}, default="bridge"
        What to do with a disconnected neighbor graph.
    verbose : bool or callable, default=False
        Whether to show progress.

    Attributes
    ----------
    embedding_ : ndarray of shape (n_samples, n_components)
        The coordinates, in columns of norm one.
    placed_ : ndarray of int
        Only where rows were not placed (``components="largest"``): those that were.
    eigenvalues_ : ndarray of shape (n_components,)
        Only where all points have one map: the eigenvalues behind the coordinates.
    reconstruction_error_ : float
        Only where all points have one map: the sum of the eigenvalues.
    facts_ : dict
        What the fit reports.
    notes_ : list of str
        What a reader of the result must know.
    n_features_in_ : int
        Only where X was given: its number of columns.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Only where the columns of X have names: these.

    Examples
    --------
    >>> import swissroll
    >>> X, position = swissroll.datasets.make_swiss_roll(300)
    >>> fitted = swissroll.LocallyLinearEmbedding(n_neighbors=10, method="ltsa").fit(X[:250])
    >>> fitted.embedding_.shape, fitted.transform(X[250:]).shape
    ((250, 2), (50, 2))
    """

    _variants = {
        "standard": "lle",
        "modified": "modified-lle",
        "hessian": "hessian-lle",
        "ltsa": "ltsa",
    }
    _names = {"n_components": "dim", "n_neighbors": "k", "components": "components"}
    _facts = ("reconstruction_error",)
    _numbers = {
        "reg": "real",
        "tol": "real",
        "max_iter": "integer",
        "hessian_tol": "real",
        "modified_tol": "real",
    }

    placed_: NDArray[np.uint32]
    eigenvalues_: NDArray[np.float64]
    reconstruction_error_: float

    def __init__(
        self,
        n_components: int = 2,
        *,
        n_neighbors: int | None = 5,
        reg: float = 1e-3,
        eigen_solver: str | None = "auto",
        tol: float = 1e-6,
        max_iter: int | None = 100,
        method: str = "standard",
        hessian_tol: float = 1e-4,
        modified_tol: float = 1e-12,
        neighbors_algorithm: str = "auto",
        random_state: Seed = None,
        n_jobs: int | None = None,
        components: str = "bridge",
        verbose: Verbose = False,
    ) -> None:
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.reg = reg
        self.eigen_solver = eigen_solver
        self.tol = tol
        self.max_iter = max_iter
        self.method = method
        self.hessian_tol = hessian_tol
        self.modified_tol = modified_tol
        self.neighbors_algorithm = neighbors_algorithm
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.components = components
        self.verbose = verbose

    @property
    def _method(self):
        one_of("method", self.method, tuple(self._variants))
        return self._variants[self.method]

    def _check_types(self):
        super()._check_types()
        one_of("eigen_solver", self.eigen_solver, ("auto", "arpack", "dense"))
        one_of("neighbors_algorithm", self.neighbors_algorithm, _SEARCHES)
        seed(self.random_state)

    def _settings(self):
        settings = [*super()._settings(), ("scale", "unit-norm")]
        if self.method in ("standard", "modified"):
            settings.append(("reg", text(self.reg)))
        return settings


class MDS(Estimator):
    """Metric and non-metric scaling, with the signature of `sklearn.manifold.MDS`.

    Parameters
    ----------
    n_components : int, default=2
        Target dimension d, 1 to n - 1.
    metric_mds : bool, default=True
        Whether distances are fitted, or their order.
    n_init : int, default=1
        Number of random starts; the best result is kept.
    init : {"classical_mds", "random"} or array of shape (n_samples, n_components), default="classical_mds"
        Initial coordinates. An array is used unchanged, in the unit of the distances, in one run.
    max_iter : int, default=300
        Largest number of iterations of a run.
    verbose : bool or callable, default=False
        Whether to show progress.
    eps : float, default=1e-6
        Converged when two steps in a row lower the stress by less, relative to the weighted sum
        of squared dissimilarities.
    n_jobs : int, default=None
        Number of threads; None and -1 for all processors. Results do not depend on it.
    random_state : int, RandomState, Generator or None, default=None
        Seed of the random starts; None for 0.
    dissimilarity : {"euclidean", "precomputed"}, default="deprecated"
        The former name of `metric`, accepted with a ``FutureWarning`` as in scikit-learn 1.9.
    metric : str or callable, default="euclidean"
        A metric of `sklearn.metrics.pairwise_distances`, or ``"precomputed"``: X holds
        distances. True and False are the former values of `metric_mds`, accepted with a
        ``FutureWarning`` as in scikit-learn 1.9.
    metric_params : dict, default=None
        Parameters of the metric.
    normalized_stress : bool or "auto", default="auto"
        Whether `stress_` is Kruskal's stress-1; ``"auto"``: for non-metric scaling.
    warm_start : bool, default=False
        Whether a further fit goes on from the map of the last one, of the same rows, with max_iter
        more iterations.

    Attributes
    ----------
    embedding_ : ndarray of shape (n_samples, n_components)
        The coordinates.
    stress_ : float
        Raw stress, the squared differences between distances of data and embedding, or
        stress-1.
    n_iter_ : int
        Iterations of the best run.
    facts_ : dict
        What the fit reports.
    notes_ : list of str
        What a reader of the result must know.
    n_features_in_ : int
        Only where X was given: its number of columns.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Only where the columns of X have names: these.

    Examples
    --------
    >>> import swissroll
    >>> X, position = swissroll.datasets.make_swiss_roll(300)
    >>> fitted = swissroll.MDS().fit(X[:250])
    >>> fitted.embedding_.shape, fitted.transform(X[250:]).shape
    ((250, 2), (50, 2))
    """

    _accepts = ("points", "distances")
    _names = {"n_components": "dim", "eps": "tolerance", "max_iter": "iterations"}
    _numbers = {"n_init": "integer"}

    stress_: float
    n_iter_: int

    def __init__(
        self,
        n_components: int = 2,
        *,
        metric_mds: bool = True,
        n_init: int = 1,
        init: str | Floats = "classical_mds",
        max_iter: int | None = 300,
        verbose: Verbose = False,
        eps: float = 1e-6,
        n_jobs: int | None = None,
        random_state: Seed = None,
        dissimilarity: str = "deprecated",
        metric: Metric | bool = "euclidean",
        metric_params: dict[str, Any] | None = None,
        normalized_stress: bool | str = "auto",
        warm_start: bool = False,
    ) -> None:
        self.n_components = n_components
        self.metric_mds = metric_mds
        self.n_init = n_init
        self.init = init
        self.max_iter = max_iter
        self.verbose = verbose
        self.eps = eps
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.dissimilarity = dissimilarity
        self.metric = metric
        self.metric_params = metric_params
        self.normalized_stress = normalized_stress
        self.warm_start = warm_start

    @property
    def _method(self):
        return "smacof" if self._of_distances() else "nonmetric-mds"

    def _of_distances(self):
        """Whether distances are fitted, rather than their order."""
        return self.metric if isinstance(self.metric, bool) else self.metric_mds

    def _metric(self):
        metric, given = super()._metric()
        metric = "euclidean" if isinstance(metric, bool) else metric
        return metric if self.dissimilarity == "deprecated" else self.dissimilarity, given

    def _check_types(self):
        one_of("dissimilarity", self.dissimilarity, ("euclidean", "precomputed", "deprecated"))
        required("metric_mds", flag("metric_mds", self.metric_mds), "True or False")
        super()._check_types()
        if self.dissimilarity != "deprecated":
            if self.metric != "euclidean" and not isinstance(self.metric, bool):
                raise ValueError("You provided both `dissimilarity` and `metric`. Please use only `metric`.")
            self._deprecated(f"dissimilarity={self.dissimilarity!r}", f"metric={self.dissimilarity!r}")
        if isinstance(self.metric, bool):
            self._deprecated(f"metric={self.metric}", f"metric_mds={self.metric}")
        if np.ndim(self.init) == 0:
            one_of("init", self.init, ("classical_mds", "random"))
        if not 1 <= whole("n_init", self.n_init) <= 1000:
            raise ValueError(f"n_init must be 1 to 1000, but is {self.n_init}")
        one_of("normalized_stress", self.normalized_stress, (True, False, "auto"))
        seed(self.random_state)

    def _deprecated(self, old, new):
        name = old.partition("=")[0]
        warnings.warn(
            f"The `{name}` parameter is deprecated as {old} in scikit-learn and will be removed in 1.10. "
            f"Use {new} instead of {old}.",
            FutureWarning,
            stacklevel=5,
        )

    def _settings(self):
        random = f"random:{text(self.n_init)}:{seed(self.random_state)}"
        at_random = isinstance(self.init, str) and self.init == "random"
        return [*super()._settings(), ("start", random if at_random else "classical")]

    def _keep(self, model, n, dtype):
        super()._keep(model, n, dtype)
        normalized = not self._of_distances() if self.normalized_stress == "auto" else self.normalized_stress
        self.stress_ = self.facts_["stress"]
        if normalized:
            # As scikit-learn divides; the fact stress_1 is Kruskal's also where metric_mds is False.
            places = self.embedding_.astype(float)
            places -= places.mean(axis=0)
            self.stress_ = float(np.sqrt(self.stress_ / (len(places) * (places**2).sum())))


class SpectralEmbedding(Embedder):
    """Laplacian eigenmaps of an affinity, with the signature of
    `sklearn.manifold.SpectralEmbedding`.

    New points are not placed; `LaplacianEigenmaps` places them. Affinities below 1e-4 of the
    largest are raised to it; affinities of 0 are no edges.

    Parameters
    ----------
    n_components : int, default=2
        Target dimension d.
    affinity : str or callable, default="nearest_neighbors"
        ``"nearest_neighbors"``, ``"rbf"``, ``"precomputed"`` (X holds affinities),
        ``"precomputed_nearest_neighbors"`` (X is a sparse matrix of distances), or a
        function that returns the affinities of X.
    gamma : float, default=None
        Factor of the squared distance in ``"rbf"``; None for 1 / n_features.
    random_state : int, default=None
        Accepted as in scikit-learn, without effect: nothing is random.
    eigen_solver, eigen_tol : str
        Accepted as in scikit-learn, without effect: residuals of 1e-10 are enforced.
    n_neighbors : int, default=None
        Number of nearest neighbors, each point among its own; None for
        max(n_samples / 10, 1).
    n_jobs : int, default=None
        Number of threads; None and -1 for all processors. Results do not depend on it.
    verbose : bool or callable, default=False
        Whether to show progress.

    Attributes
    ----------
    embedding_ : ndarray of shape (n_samples, n_components)
        The coordinates, of norm one with the degrees as weights.
    affinity_matrix_ : ndarray or sparse matrix of shape (n_samples, n_samples)
        The affinities.
    eigenvalues_ : ndarray of shape (n_components,)
        The eigenvalues behind the coordinates.
    n_neighbors_ : int
        Only with ``affinity="nearest_neighbors"``: the number of neighbors.
    gamma_ : float
        Only with ``affinity="rbf"``: the factor of the squared distance.
    facts_ : dict
        What the fit reports.
    notes_ : list of str
        What a reader of the result must know.
    n_features_in_ : int
        The number of columns of X.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Only where the columns of X have names: these.

    Examples
    --------
    >>> import swissroll
    >>> X, position = swissroll.datasets.make_swiss_roll(300)
    >>> swissroll.SpectralEmbedding(n_neighbors=10).fit_transform(X).shape
    (300, 2)
    """

    _method = "laplacian-eigenmaps"
    _names = {"n_components": "dim"}
    _numbers = {"n_neighbors": "integer", "gamma": "real"}

    affinity_matrix_: Any
    eigenvalues_: NDArray[np.float64]
    n_neighbors_: int
    gamma_: float

    def __init__(
        self,
        n_components: int = 2,
        *,
        affinity: str | Callable[[Any], Any] = "nearest_neighbors",
        gamma: float | None = None,
        random_state: Seed = None,
        eigen_solver: str | None = None,
        eigen_tol: float | str = "auto",
        n_neighbors: int | None = None,
        n_jobs: int | None = None,
        verbose: Verbose = False,
    ) -> None:
        self.n_components = n_components
        self.affinity = affinity
        self.gamma = gamma
        self.random_state = random_state
        self.eigen_solver = eigen_solver
        self.eigen_tol = eigen_tol
        self.n_neighbors = n_neighbors
        self.n_jobs = n_jobs
        self.verbose = verbose

    def save(self, path: str | PathLike[str]) -> None:
        """Raises ``ValueError``: the files hold models of `LaplacianEigenmaps`, in other units. Save the
        estimator by pickle or joblib."""
        raise ValueError(
            "SpectralEmbedding has no file of its own; save the estimator by pickle or joblib, or fit "
            "LaplacianEigenmaps"
        )

    def _outside_registry(self):
        # The registry's method computes other weights.
        return "affinity"

    def fit_transform(self, X: Any, y: Any = None) -> Floats:
        """Fits the model and returns the embedding.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Points, or the input that `affinity` names.
        y : ignored

        Returns
        -------
        embedding : ndarray of shape (n_samples, n_components)
            The coordinates of the points.
        """
        return self.fit(X, y).embedding_

    def fit(self, X: Any, y: Any = None) -> Self:  # type: ignore[override]
        """Fits the model.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Points, or the input that `affinity` names.
        y : ignored

        Returns
        -------
        self : object
            The fitted estimator.
        """
        self._check_types()
        known = ("nearest_neighbors", "rbf", "precomputed", "precomputed_nearest_neighbors")
        if not callable(self.affinity):
            one_of("affinity", self.affinity, known)
        one_of("eigen_solver", self.eigen_solver, (None, "arpack", "lobpcg", "amg"))
        if not is_number(self.eigen_tol):
            one_of("eigen_tol", self.eigen_tol, ("auto",))
        seed(self.random_state)
        for name in ("gamma_", "n_neighbors_"):
            self.__dict__.pop(name, None)
        given = self.affinity in ("precomputed", "precomputed_nearest_neighbors")
        X = validate_data(
            self,
            X,
            accept_sparse=False if self.affinity == "nearest_neighbors" else "csr",
            ensure_min_samples=2,
            dtype=DTYPES,
            order="C",
        )
        if given and X.shape[0] != X.shape[1]:
            raise ValueError(f"affinities must be square, but have shape {X.shape}")
        self.affinity_matrix_ = affinity = self._affinities(X)
        lists, width = heat_lists(affinity)
        raised = np.mean(lists.sparse()[2] > np.sqrt(-np.log(_WEAKEST)))
        if raised > 0:
            warnings.warn(
                f"{100 * raised:.1f} % of the affinities are below {_WEAKEST} of the largest and raised to "
                "that, so that eigenvectors differ from the eigenvectors of scikit-learn; use a smaller gamma, or a "
                "graph of neighbors",
                UserWarning,
                stacklevel=2,
            )
        settings = [*self._settings(), ("k", text(lists.k)), ("weights", f"heat:{width!r}")]
        model = self._run(None, False, lists, None, settings)
        self._keep(model, len(lists), X.dtype)
        degrees = off_diagonal(affinity).sum(axis=1).ravel()
        norms = np.sqrt(np.asarray(degrees) @ self.embedding_.astype(np.float64) ** 2)
        self.embedding_ = fixed_signs(self.embedding_ / norms).astype(X.dtype, copy=False)
        return self

    def _affinities(self, X):
        if callable(self.affinity):
            return self.affinity(X)
        if self.affinity == "precomputed":
            return X
        if self.affinity == "rbf":
            self.gamma_ = 1.0 / X.shape[1] if self.gamma is None else self.gamma
            return rbf_kernel(X, gamma=self.gamma_)
        if self.affinity == "precomputed_nearest_neighbors":
            nearest = NearestNeighbors(n_neighbors=self.n_neighbors, n_jobs=self.n_jobs, metric="precomputed")
            near = nearest.fit(X).kneighbors_graph(X=X, mode="connectivity")
        else:
            near = self._near(X)
        return 0.5 * (near + near.T)

    def _near(self, X):
        """Which points are neighbors, each of itself too, with the edges that connect them."""
        n = X.shape[0]
        self.n_neighbors_ = whole("n_neighbors", self.n_neighbors) or max(int(n / 10), 1)
        if self.n_neighbors_ >= n:
            raise ValueError(
                f"n_neighbors must be 1 to n_samples - 1 (here {n - 1}), but is {self.n_neighbors_}: with all "
                "points as neighbors all affinities are equal and determine no map"
            )
        lists = searched(self, X, max(self.n_neighbors_ - 1, 1), None, False)
        parts = int(lists.components().max()) + 1
        if parts > 1:
            warnings.warn(
                f"The number of connected components of the neighbors graph is {parts} > 1. The "
                f"{parts - 1} shortest edges between them were added; use more neighbors.",
                UserWarning,
                stacklevel=4,
            )
            lists = lists.bridged(X)
        near = to_sparse(lists)
        near.data[:] = 1.0
        diagonal = sparse.csr_array((np.ones(n), np.arange(n), np.arange(n + 1)), shape=(n, n))
        return near + diagonal

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        given = self.affinity in ("precomputed", "precomputed_nearest_neighbors")
        tags.input_tags.sparse = self.affinity != "nearest_neighbors"
        tags.input_tags.pairwise = given
        return tags


def off_diagonal(affinity):
    """Affinities as a sparse matrix without its diagonal and without zeros."""
    graph = sparse.coo_array(affinity)
    kept = (graph.row != graph.col) & (graph.data != 0)
    parts = graph.data[kept].astype(np.float64), (graph.row[kept], graph.col[kept])
    return sparse.csr_array(parts, shape=graph.shape)


#: The least affinity, relative to the largest, of the method.
_WEAKEST = 1e-4


def heat_lists(affinity):
    """Neighbor lists, and the width of the heat kernel that makes these affinities of them.

    The kernel exp(-(d / w)^2) is inverted; a common factor of all affinities has no
    effect on the coordinates.
    """
    graph = off_diagonal(affinity)
    if graph.nnz == 0 or graph.data.min() < 0:
        raise ValueError("affinities must be at least 0, and some above 0")
    graph = (graph + graph.T) / 2
    distances = np.sqrt(-np.log(np.minimum(graph.data / graph.data.max(), 1.0)))
    if not distances.any():
        # Equal affinities are distances of any one length; 0 would be the distance of copies.
        distances[:] = 1.0
    kinds = np.int64, np.int64, np.float64
    parts = graph.indptr, graph.indices, distances
    parts = [np.ascontiguousarray(part, dtype=kind) for part, kind in zip(parts, kinds)]
    return Neighbors(_native.Neighbors.from_sparse(*parts)), 1.0


def fixed_signs(columns):
    """Columns whose entry of largest magnitude is positive."""
    largest = np.abs(columns).argmax(axis=0)
    return columns * np.sign(columns[largest, np.arange(columns.shape[1])])
