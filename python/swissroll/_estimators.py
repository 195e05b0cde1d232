"""One class per method of the registry. Written by generate.py; change that instead."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._base import Estimator, Floats
from ._discriminant import DiscriminantAnalysis
from ._kernels import KernelComponents
from ._principal import PrincipalComponents
from ._projections import IndependentComponents, RandomDirections
from ._settings import Metric, Seed, Verbose

__all__ = [
    "PCA",
    "FactorAnalysis",
    "FastICA",
    "KernelPCA",
    "LDA",
    "RandomProjection",
    "LandmarkMDS",
    "SMACOF",
    "NonmetricMDS",
    "SammonMapping",
    "LLE",
    "ModifiedLLE",
    "HessianLLE",
    "LTSA",
    "LandmarkIsomap",
    "CIsomap",
    "LaplacianEigenmaps",
    "DiffusionMaps",
    "LPP",
    "NPE",
    "LLTSA",
    "ConformalEigenmaps",
    "MaximumVarianceUnfolding",
    "UMAP",
    "DensMAP",
    "PaCMAP",
    "LocalMAP",
    "TriMap",
    "PHATE",
]


class PCA(PrincipalComponents):
    """Projects on the directions of largest variance.

    Preserves variance; large distances along flat directions.
    Cost: time n D min(n, D), memory min(n, D)^2.
    New points: the same projection; interpolates: near a training row it tends to the row's
    position.

    The attributes and functions of ``sklearn.decomposition.PCA``; by default two components
    instead of all, and no choice of solvers.

    Parameters
    ----------
    n_components : int, float, "mle" or None, default=2
        Number of components; between 0 and 1 the least number that explains more than this
        fraction of the variance; "mle" by Minka's evidence; None for all, min(n_samples,
        n_features).
    tol : float, default=1e-10
        Residual demanded of the eigenvectors, relative to the operator's norm. Legal: above 0.
    whiten : bool, default=False
        Whether coordinates have variance one each. Such models are saved by pickle.
    n_jobs : int, default=None
        Number of threads; None and -1 for all processors. Results do not depend on it.
    verbose : bool or callable, default=False
        Whether to show progress, by tqdm where it is installed; or a function of stage, steps
        done, all steps and iteration.

    Attributes
    ----------
    embedding_ : ndarray of shape (n_samples, n_components)
        The coordinates.
    components_ : ndarray of shape (n_components, n_features_in_)
        The principal directions, of length one.
    mean_ : ndarray of shape (n_features_in_,)
        The means of the columns.
    eigenvalues_ : ndarray of shape (n_components,)
        The same as ``explained_variance_``.
    explained_variance_ : ndarray of shape (n_components,)
        Variance along each direction.
    explained_variance_ratio_ : ndarray of shape (n_components,)
        The same as fractions of the total.
    n_components_ : int
        The number of components.
    n_samples_ : int
        The number of rows.
    singular_values_ : ndarray of shape (n_components,)
        The singular values of the centered rows along the directions.
    noise_variance_ : float
        Mean variance along all other directions.
    facts_ : dict
        What the fit reports:
        ``explained_variance``: variance along each direction.
        ``explained_variance_ratio``: the same as fractions of the total.
        ``total_variance``: variance of the data in all directions together.
    notes_ : list of str
        What a reader of the result must know.
    n_features_in_ : int
        The number of columns of X.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Only where the columns of X have names: these.

    Notes
    -----
    A curved manifold is projected, not unrolled: a Swiss roll is seen from the side, as a
    spiral, or, where its axis has the larger variance, with its layers on each other. A column
    in large units dominates all others; standardize the columns first where units differ. A few
    far outliers determine the directions.

    References
    ----------
    Pearson (1901), On lines and planes of closest fit to systems of points in space,
    doi:10.1080/14786440109462720; Hotelling (1933), doi:10.1037/h0071325.

    Examples
    --------
    >>> import swissroll
    >>> X, position = swissroll.datasets.make_swiss_roll(300)
    >>> fitted = swissroll.PCA().fit(X[:250])
    >>> fitted.embedding_.shape, fitted.transform(X[250:]).shape
    ((250, 2), (50, 2))
    """

    _method = "pca"
    _accepts = ("points",)
    _reads_entries = True
    _facts = ("explained_variance", "explained_variance_ratio",)
    _map = ("components_", "mean_",)
    _linear = True
    components_: Floats
    mean_: Floats
    eigenvalues_: NDArray[np.float64]
    explained_variance_: NDArray[np.float64]
    explained_variance_ratio_: NDArray[np.float64]

    def __init__(
        self,
        n_components: int | float | str | None = 2,
        *,
        tol: float = 1e-10,
        whiten: bool = False,
        n_jobs: int | None = None,
        verbose: Verbose = False,
    ):
        self.n_components = n_components
        self.tol = tol
        self.whiten = whiten
        self.n_jobs = n_jobs
        self.verbose = verbose


class FactorAnalysis(Estimator):
    """Explains the covariance of the columns by a few factors, with noise of its own for each column.

    Preserves the covariance of different columns.
    Cost: time n D^2, then D^2 d to D^3 per iteration; memory D^2.
    New points: the mean of the factors given the point, a projection; interpolates: near a
    training row it tends to the row's position.

    Parameters
    ----------
    n_components : int, default=2
        Target dimension d. Legal: 1 to min(n - 1, D).
    rotation : {"none", "varimax", "quartimax"}, default=None
        Rotation of the factors to a simple structure.
    tol : float, default=0.01
        Converged when an iteration increases the log-likelihood by less. Legal: above 0.
    max_iter : int, default=1000
        Largest number of iterations. Legal: at least 1.
    n_jobs : int, default=None
        Number of threads; None and -1 for all processors. Results do not depend on it.
    verbose : bool or callable, default=False
        Whether to show progress, by tqdm where it is installed; or a function of stage, steps
        done, all steps and iteration.

    Attributes
    ----------
    embedding_ : ndarray of shape (n_samples, n_components)
        The coordinates.
    components_ : ndarray of shape (n_components, n_features_in_)
        The loadings of the factors, in units of X.
    mean_ : ndarray of shape (n_features_in_,)
        The means of the columns.
    eigenvalues_ : ndarray of shape (n_components,)
        As ``facts_["explained_variance"]``.
    n_iter_ : int
        Number of iterations.
    facts_ : dict
        What the fit reports:
        ``log_likelihood``: log-likelihood of all points under the model.
        ``noise_variance``: noise variance of each column.
        ``explained_variance``: variance of the columns that each factor explains, in units of
        their own variances.
        ``status``: how the iteration ended.
    notes_ : list of str
        What a reader of the result must know.
    n_features_in_ : int
        The number of columns of X.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Only where the columns of X have names: these.

    Notes
    -----
    The likelihood may be largest where a noise variance is zero (a Heywood case); it stays at
    its lower bound, which is reported. With d near D the model has more parameters than the
    covariance and is not unique. A curved manifold is projected, not unrolled. Different
    columns with equal noise give the directions of PCA.

    References
    ----------
    Rubin and Thayer (1982), EM algorithms for ML factor analysis, doi:10.1007/BF02293851; steps
    2 and 3: Barber (2012), Bayesian Reasoning and Machine Learning, section 21.2,
    doi:10.1017/CBO9780511804779.

    Examples
    --------
    >>> import swissroll
    >>> X, position = swissroll.datasets.make_swiss_roll(300)
    >>> fitted = swissroll.FactorAnalysis().fit(X[:250])
    >>> fitted.embedding_.shape, fitted.transform(X[250:]).shape
    ((250, 2), (50, 2))
    """

    _method = "factor-analysis"
    _accepts = ("points",)
    _map = ("components_", "mean_",)
    _linear = True
    components_: Floats
    mean_: Floats
    eigenvalues_: NDArray[np.float64]
    n_iter_: int

    def __init__(
        self,
        n_components: int = 2,
        *,
        rotation: str | None = None,
        tol: float = 0.01,
        max_iter: int = 1000,
        n_jobs: int | None = None,
        verbose: Verbose = False,
    ):
        self.n_components = n_components
        self.rotation = rotation
        self.tol = tol
        self.max_iter = max_iter
        self.n_jobs = n_jobs
        self.verbose = verbose


class FastICA(IndependentComponents):
    """Projects on directions that are as independent, and as far from normal distributions, as possible.

    Preserves independent sources, up to order and sign; scale is lost.
    Cost: time n D min(n, D), then n d^2 per iteration; memory n D.
    New points: the same projection; interpolates: near a training row it tends to the row's
    position.

    Another interface than ``sklearn.decomposition.FastICA``: always whitened, with other names
    of parameters and two components by default; `components_`, `mixing_` and `mean_` are the
    same.

    Parameters
    ----------
    n_components : int, default=2
        Target dimension d. Legal: 1 to min(n - 1, D).
    contrast : {"logcosh", "exp", "cube"}, default="logcosh"
        Function that measures the distance from a normal distribution.
    algorithm : {"parallel", "deflation"}, default="parallel"
        Whether components are found together or one after the other.
    tol : float, default=0.0001
        Converged when no direction changes by more, as 1 - |cosine|. Legal: above 0.
    max_iter : int, default=200
        Largest number of iterations. Legal: at least 1.
    random_state : int, RandomState, Generator or None, default=None
        Seed of all random choices.
    n_jobs : int, default=None
        Number of threads; None and -1 for all processors. Results do not depend on it.
    verbose : bool or callable, default=False
        Whether to show progress, by tqdm where it is installed; or a function of stage, steps
        done, all steps and iteration.

    Attributes
    ----------
    embedding_ : ndarray of shape (n_samples, n_components)
        The coordinates.
    components_ : ndarray of shape (n_components, n_features_in_)
        The unmixing matrix.
    mean_ : ndarray of shape (n_features_in_,)
        The means of the columns.
    eigenvalues_ : ndarray of shape (n_components,)
        As ``facts_["distances_from_normal"]``.
    n_iter_ : int
        Number of iterations.
    mixing_ : ndarray of shape (n_features_in_, n_components)
        The pseudo-inverse of `components_`.
    facts_ : dict
        What the fit reports:
        ``distances_from_normal``: how far each component is from a normal distribution, by the
        contrast function.
        ``status``: how the iteration ended.
        ``change``: largest change of a direction in the last iteration, as 1 - |cosine|.
    notes_ : list of str
        What a reader of the result must know.
    n_features_in_ : int
        The number of columns of X.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Only where the columns of X have names: these.

    Notes
    -----
    At most one source may be normal: among normal sources every rotation is as good as another,
    and the iteration does not converge, which is reported. Signs and scales of sources cannot
    be known. With two dimensions the map is a rotation of the whitened PCA, and a curved
    manifold is projected, not unrolled. Outliers attract the components of contrast=cube.

    References
    ----------
    Hyvärinen (1999), Fast and robust fixed-point algorithms for independent component analysis,
    doi:10.1109/72.761722; Hyvärinen and Oja (2000), Independent component analysis: algorithms
    and applications, doi:10.1016/S0893-6080(00)00026-5.

    Examples
    --------
    >>> import swissroll
    >>> X, position = swissroll.datasets.make_swiss_roll(300)
    >>> fitted = swissroll.FastICA().fit(X[:250])
    >>> fitted.embedding_.shape, fitted.transform(X[250:]).shape
    ((250, 2), (50, 2))
    """

    _method = "fast-ica"
    _accepts = ("points",)
    _map = ("components_", "mean_",)
    _linear = True
    components_: Floats
    mean_: Floats
    eigenvalues_: NDArray[np.float64]
    n_iter_: int

    def __init__(
        self,
        n_components: int = 2,
        *,
        contrast: str = "logcosh",
        algorithm: str = "parallel",
        tol: float = 0.0001,
        max_iter: int = 200,
        random_state: Seed = None,
        n_jobs: int | None = None,
        verbose: Verbose = False,
    ):
        self.n_components = n_components
        self.contrast = contrast
        self.algorithm = algorithm
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class KernelPCA(KernelComponents):
    """PCA in the feature space of a kernel.

    Preserves variance in feature space: similarity within the kernel's width.
    Cost: time n^2 (D + d), memory n^2.
    New points: the kernel's values to the training points, projected; interpolates: near a
    training row it tends to the row's position.

    The kernels of ``sklearn.decomposition.KernelPCA`` by the same parameters; other defaults
    (two components, a width by the data), and no choice of solvers. Kernels by function, by
    matrix, of other names than here, and of sparse rows compute an n × n matrix first; their
    models are saved by pickle.

    Parameters
    ----------
    n_components : int or None, default=2
        Target dimension d, 1 to n - 1; None for all with an eigenvalue above rounding.
    kernel : str or callable, default="auto"
        The inner product; auto is rbf with GAMMA = 1 / (mean squared distance to the mean).
        Legal: auto, rbf:GAMMA or polynomial:DEGREE:GAMMA:OFFSET; linear, cosine, rbf, poly,
        sigmoid and the other names of `sklearn.metrics.pairwise.pairwise_kernels`; precomputed,
        where X holds the kernel's values; or a function of two rows.
    tol : float, default=1e-10
        Residual demanded of the eigenvectors, relative to the operator's norm. Legal: above 0.
    gamma : float or None, default=None
        Width of the kernels of scikit-learn's names; None for 1 / n_features. Legal: above 0.
    degree : float, default=3
        Exponent of ``kernel="poly"``. Legal: at least 1.
    coef0 : float, default=1
        Number added to inner products by ``kernel="poly"`` and ``"sigmoid"``. Legal: finite.
    kernel_params : dict or None, default=None
        Parameters of a kernel that is a function; other kernels refuse them.
    fit_inverse_transform : bool, default=False
        Whether to learn an inverse from the map, by ridge regression with the kernel.
    alpha : float, default=1.0
        Ridge of the inverse. Legal: at least 0.
    metric : str or callable, default="euclidean"
        ``"euclidean"``, ``"cosine"``, ``"correlation"``, ``"manhattan"``, ``"chebyshev"``,
        ``"minkowski"``, ``"hamming"``, ``"jaccard"``, ``"hellinger"``, ``"gower"`` (of numbers, categories
        and gaps) or ``"nan_euclidean"`` (of numbers and NaN); another metric of
        `sklearn.metrics.pairwise_distances`, whose distances between all points are computed
        first (16 n^2 bytes); or ``"precomputed"``: X holds distances.
    metric_params : dict, default=None
        Parameters of the metric, such as ``{"weights": …}`` with a weight per column of ``"gower"``, or
        ``{"asymmetric": …}`` with the names of columns of 0 and 1 whose common zeros do not count.
    n_jobs : int, default=None
        Number of threads; None and -1 for all processors. Results do not depend on it.
    verbose : bool or callable, default=False
        Whether to show progress, by tqdm where it is installed; or a function of stage, steps
        done, all steps and iteration.

    Attributes
    ----------
    embedding_ : ndarray of shape (n_samples, n_components)
        The coordinates.
    eigenvalues_ : ndarray of shape (n_components,)
        The eigenvalues behind the coordinates, in the method's order.
    X_fit_ : array or sparse matrix
        Only where new points or the inverse need them: the training rows.
    dual_coef_ : ndarray of shape (n_samples, n_features_in_)
        Only with ``fit_inverse_transform=True``: the weights of the inverse.
    facts_ : dict
        What the fit reports:
        ``metric``: the distance between points, where it is not euclidean.
        ``eigenvalues``: the eigenvalues behind the coordinates, in the method's order.
        ``trace``: the sum of all eigenvalues.
        ``kernel``: the kernel with the parameters used.
    notes_ : list of str
        What a reader of the result must know.
    n_features_in_ : int
        Only where X was given: its number of columns.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Only where the columns of X have names: these.

    Notes
    -----
    The kernel and its width decide the result. With a narrow RBF kernel every point is similar
    to itself alone, all eigenvalues are alike, and the map shows nothing; with a very wide one
    the result equals the result of PCA. It does not unroll a Swiss roll: opposite layers that
    are near in space are similar. It needs n × n numbers.

    References
    ----------
    Schölkopf, Smola and Müller (1998), Nonlinear component analysis as a kernel eigenvalue
    problem, doi:10.1162/089976698300017467.

    Examples
    --------
    >>> import swissroll
    >>> X, position = swissroll.datasets.make_swiss_roll(300)
    >>> fitted = swissroll.KernelPCA().fit(X[:250])
    >>> fitted.embedding_.shape, fitted.transform(X[250:]).shape
    ((250, 2), (50, 2))
    """

    _method = "kernel-pca"
    _accepts = ("points", "distances",)
    _reads_entries = True
    eigenvalues_: NDArray[np.float64]

    def __init__(
        self,
        n_components: int | None = 2,
        *,
        kernel: str | Callable[..., Any] = "auto",
        tol: float = 1e-10,
        gamma: float | None = None,
        degree: float = 3,
        coef0: float = 1,
        kernel_params: dict[str, Any] | None = None,
        fit_inverse_transform: bool = False,
        alpha: float = 1.0,
        metric: Metric = "euclidean",
        metric_params: dict[str, Any] | None = None,
        n_jobs: int | None = None,
        verbose: Verbose = False,
    ):
        self.n_components = n_components
        self.kernel = kernel
        self.tol = tol
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.fit_inverse_transform = fit_inverse_transform
        self.alpha = alpha
        self.metric = metric
        self.metric_params = metric_params
        self.n_jobs = n_jobs
        self.verbose = verbose


class LDA(DiscriminantAnalysis):
    """Projects on the directions that separate known classes best.

    Preserves the separation of the given classes.
    Cost: time n D min(n, D), memory D min(n, D).
    New points: the same projection; interpolates: near a training row it tends to the row's
    position.

    The predictions of ``sklearn.discriminant_analysis.LinearDiscriminantAnalysis`` with its
    default solver, by the covariance of largest likelihood; no shrinkage and no choice of
    solvers.

    Parameters
    ----------
    n_components : int or None, default=None
        Target dimension d, 1 to min(classes - 1, D); None for as many as the means of the
        classes span.
    rank_tolerance : float, default=0.0001
        Directions of smaller relative standard deviation within the classes are left out.
        Legal: above 0 and below 1.
    priors : array-like of shape (n_classes,) or None, default=None
        Probabilities of the classes for predictions; None for their fractions of the rows.
    n_jobs : int, default=None
        Number of threads; None and -1 for all processors. Results do not depend on it.
    verbose : bool or callable, default=False
        Whether to show progress, by tqdm where it is installed; or a function of stage, steps
        done, all steps and iteration.

    Attributes
    ----------
    embedding_ : ndarray of shape (n_samples, n_components)
        The coordinates.
    components_ : ndarray of shape (n_components, n_features_in_)
        The discriminant directions, along which the pooled variance within the classes, divisor
        n_samples - n_classes, is one (scikit-learn's `scalings_` have the divisor n_samples).
    mean_ : ndarray of shape (n_features_in_,)
        The means of the columns.
    eigenvalues_ : ndarray of shape (n_components,)
        The same as ``explained_variance_ratio_``.
    explained_variance_ratio_ : ndarray of shape (n_components,)
        Fraction of the variance between the classes along each direction.
    classes_ : ndarray of shape (n_classes,)
        The classes of y.
    means_ : ndarray of shape (n_classes, n_features_in_)
        The means of the classes.
    priors_ : ndarray of shape (n_classes,)
        The probabilities of the classes.
    coef_ : ndarray of shape (n_classes, n_features_in_)
        Weights of the columns in the decision function; one row for two classes.
    intercept_ : ndarray of shape (n_classes,)
        Constants of the decision function.
    facts_ : dict
        What the fit reports:
        ``explained_variance_ratio``: fraction of the variance between the classes along each
        direction.
    notes_ : list of str
        What a reader of the result must know.
    n_features_in_ : int
        The number of columns of X.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Only where the columns of X have names: these.

    Notes
    -----
    C classes give at most C − 1 dimensions. Classes with equal means are not separated, however
    different their shapes. With nearly as many columns as points the directions fit noise, and
    the classes of the training points look better separated than the classes of new points;
    apply PCA first. A good separation in the map is no evidence of clusters, since the labels
    were used to make it.

    References
    ----------
    Fisher (1936), The use of multiple measurements in taxonomic problems,
    doi:10.1111/j.1469-1809.1936.tb02137.x; Rao (1948), doi:10.1111/j.2517-6161.1948.tb00008.x.

    Examples
    --------
    >>> import swissroll
    >>> X, position = swissroll.datasets.make_swiss_roll(300)
    >>> y = (position // 3).astype(int)
    >>> fitted = swissroll.LDA(n_components=2).fit(X[:250], y[:250])
    >>> fitted.embedding_.shape, fitted.transform(X[250:]).shape
    ((250, 2), (50, 2))
    """

    _method = "lda"
    _accepts = ("points",)
    _needs_labels = True
    _facts = ("explained_variance_ratio",)
    _map = ("components_", "mean_",)
    _linear = True
    components_: Floats
    mean_: Floats
    eigenvalues_: NDArray[np.float64]
    explained_variance_ratio_: NDArray[np.float64]
    classes_: NDArray[Any]

    def __init__(
        self,
        n_components: int | None = None,
        *,
        rank_tolerance: float = 0.0001,
        priors: Any = None,
        n_jobs: int | None = None,
        verbose: Verbose = False,
    ):
        self.n_components = n_components
        self.rank_tolerance = rank_tolerance
        self.priors = priors
        self.n_jobs = n_jobs
        self.verbose = verbose


class RandomProjection(RandomDirections):
    """Projects on random directions: the baseline that is independent of the data.

    Preserves distances on average, within an error that shrinks as d grows.
    Cost: time n D d, memory D d.
    New points: the same projection; interpolates: near a training row it tends to the row's
    position.

    Both random projections of ``sklearn.random_projection`` in one class, by `distribution`;
    two components by default.

    Parameters
    ----------
    n_components : int or "auto", default=2
        Target dimension d, at least 1; "auto" by the lemma of Johnson and Lindenstrauss for
        `eps`, at most n_features.
    distribution : {"gaussian", "sparse"}, default="gaussian"
        Distribution of the matrix entries.
    random_state : int, RandomState, Generator or None, default=None
        Seed of all random choices.
    eps : float, default=0.1
        Relative error of distances accepted by ``n_components="auto"``. Legal: above 0 and
        below 1.
    n_jobs : int, default=None
        Number of threads; None and -1 for all processors. Results do not depend on it.
    verbose : bool or callable, default=False
        Whether to show progress, by tqdm where it is installed; or a function of stage, steps
        done, all steps and iteration.

    Attributes
    ----------
    embedding_ : ndarray of shape (n_samples, n_components)
        The coordinates.
    components_ : ndarray of shape (n_components, n_features_in_)
        The random directions.
    n_components_ : int
        The number of components.
    facts_ : dict
        What the fit reports:
    notes_ : list of str
        What a reader of the result must know.
    n_features_in_ : int
        The number of columns of X.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Only where the columns of X have names: these.

    Notes
    -----
    In two dimensions the error of a distance is about as large as the distance. How many
    dimensions suffice depends on the logarithm of n and on the accepted error, not on D; it is
    in the hundreds for an error of 20 %.

    References
    ----------
    Johnson and Lindenstrauss (1984), Extensions of Lipschitz mappings into a Hilbert space,
    doi:10.1090/conm/026/737400; sparse entries: Li, Hastie and Church (2006),
    doi:10.1145/1150402.1150436.

    Examples
    --------
    >>> import swissroll
    >>> X, position = swissroll.datasets.make_swiss_roll(300)
    >>> fitted = swissroll.RandomProjection().fit(X[:250])
    >>> fitted.embedding_.shape, fitted.transform(X[250:]).shape
    ((250, 2), (50, 2))
    """

    _method = "random-projection"
    _accepts = ("points",)
    _reads_entries = True
    _map = ("components_",)
    _linear = True
    components_: Floats

    def __init__(
        self,
        n_components: int | str = 2,
        *,
        distribution: str = "gaussian",
        random_state: Seed = None,
        eps: float = 0.1,
        n_jobs: int | None = None,
        verbose: Verbose = False,
    ):
        self.n_components = n_components
        self.distribution = distribution
        self.random_state = random_state
        self.eps = eps
        self.n_jobs = n_jobs
        self.verbose = verbose


class LandmarkMDS(Estimator):
    """Classical scaling of a few landmarks; the other points are placed by their distances to them.

    Preserves Euclidean distances, the large ones best.
    Cost: time n l D + l^2 d, memory 8 l^2 bytes, l landmarks.
    New points: distances to the landmarks; interpolates: near a training row it tends to the
    row's position.

    Parameters
    ----------
    n_components : int, default=2
        Target dimension d. Legal: 1 to landmarks - 1.
    landmarks : str or number, default=200
        Number and choice of landmarks. Legal: COUNT (each the farthest from those before) or
        random:COUNT:SEED; the number at least d + 1.
    tol : float, default=1e-10
        Residual demanded of the eigenvectors, relative to the operator's norm. Legal: above 0.
    metric : str or callable, default="euclidean"
        ``"euclidean"``, ``"cosine"``, ``"correlation"``, ``"manhattan"``, ``"chebyshev"``,
        ``"minkowski"``, ``"hamming"``, ``"jaccard"``, ``"hellinger"``, ``"gower"`` (of numbers, categories
        and gaps) or ``"nan_euclidean"`` (of numbers and NaN); another metric of
        `sklearn.metrics.pairwise_distances`, whose distances between all points are computed
        first (16 n^2 bytes); or ``"precomputed"``: X holds distances.
    metric_params : dict, default=None
        Parameters of the metric, such as ``{"weights": …}`` with a weight per column of ``"gower"``, or
        ``{"asymmetric": …}`` with the names of columns of 0 and 1 whose common zeros do not count.
    n_jobs : int, default=None
        Number of threads; None and -1 for all processors. Results do not depend on it.
    verbose : bool or callable, default=False
        Whether to show progress, by tqdm where it is installed; or a function of stage, steps
        done, all steps and iteration.

    Attributes
    ----------
    embedding_ : ndarray of shape (n_samples, n_components)
        The coordinates.
    eigenvalues_ : ndarray of shape (n_components,)
        The eigenvalues behind the coordinates, in the method's order.
    reconstruction_error_ : float
        Norm of the difference between the doubly centered matrix and the inner products of the
        coordinates, divided by n.
    facts_ : dict
        What the fit reports:
        ``eigenvalues``: the eigenvalues behind the coordinates, in the method's order.
        ``residuals``: the relative residual |A v - lambda v| / |A| of each eigenvector v of
        norm one.
        ``trace``: the sum of all eigenvalues.
        ``reconstruction_error``: norm of the difference between the doubly centered matrix and
        the inner products of the coordinates, divided by n.
        ``negative_eigenvalues``: number of negative eigenvalues: the distances are not
        Euclidean.
        ``negative_mass``: the sum of their magnitudes.
        ``negative_mass_at_least``: the same where not all eigenvalues are known: a lower bound.
        ``metric``: the distance between points, where it is not euclidean.
        ``landmarks``: the rows of the landmarks.
    notes_ : list of str
        What a reader of the result must know.
    n_features_in_ : int
        Only where X was given: its number of columns.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Only where the columns of X have names: these.

    Notes
    -----
    At least d + 1 landmarks are necessary, and several times as many are advisable. Random
    landmarks may miss a thin part of the data; landmarks that are nearly in one plane amplify
    errors across it. In other respects it fails where classical scaling fails.

    References
    ----------
    de Silva and Tenenbaum (2004), Sparse multidimensional scaling using landmark points,
    Stanford University technical report (no DOI).

    Examples
    --------
    >>> import swissroll
    >>> X, position = swissroll.datasets.make_swiss_roll(300)
    >>> fitted = swissroll.LandmarkMDS().fit(X[:250])
    >>> fitted.embedding_.shape, fitted.transform(X[250:]).shape
    ((250, 2), (50, 2))
    """

    _method = "landmark-mds"
    _accepts = ("points", "distances",)
    _facts = ("reconstruction_error",)
    eigenvalues_: NDArray[np.float64]
    reconstruction_error_: float

    def __init__(
        self,
        n_components: int = 2,
        *,
        landmarks: str | float = 200,
        tol: float = 1e-10,
        metric: Metric = "euclidean",
        metric_params: dict[str, Any] | None = None,
        n_jobs: int | None = None,
        verbose: Verbose = False,
    ):
        self.n_components = n_components
        self.landmarks = landmarks
        self.tol = tol
        self.metric = metric
        self.metric_params = metric_params
        self.n_jobs = n_jobs
        self.verbose = verbose


class SMACOF(Estimator):
    """Minimizes the squared errors of the distances, by majorization of the stress.

    Preserves Euclidean distances, all alike.
    Cost: time n^2 (D + d per iteration), memory 12 n^2 bytes.
    New points: majorization of the stress of the new point alone; does not interpolate: near a
    training row, up to 1.4 % of the map's extent from its position in the median of 13 trials,
    and 24 % in the worst; more where classes overlap (300 digits or points of a roll).

    Parameters
    ----------
    n_components : int, default=2
        Target dimension d. Legal: 1 to n - 1.
    init : str or number or array of shape (n_samples, n_components), default="classical"
        Initial coordinates; of several random runs the best is kept. Legal: classical or
        random:RUNS:SEED; the number 1 to 1000.
    tol : float, default=1e-06
        Converged when two steps in a row lower the stress by less, relative to the weighted sum
        of squared dissimilarities. Legal: at least 0.
    max_iter : int, default=300
        Largest number of iterations of a run. Legal: at least 1.
    warm_start : bool, default=False
        Whether a further fit goes on from the map of the last one, of the same rows, with as
        many more iterations. The phases that only lead from a small start to a map are left
        out.
    metric : str or callable, default="euclidean"
        ``"euclidean"``, ``"cosine"``, ``"correlation"``, ``"manhattan"``, ``"chebyshev"``,
        ``"minkowski"``, ``"hamming"``, ``"jaccard"``, ``"hellinger"``, ``"gower"`` (of numbers, categories
        and gaps) or ``"nan_euclidean"`` (of numbers and NaN); another metric of
        `sklearn.metrics.pairwise_distances`, whose distances between all points are computed
        first (16 n^2 bytes); or ``"precomputed"``: X holds distances.
    metric_params : dict, default=None
        Parameters of the metric, such as ``{"weights": …}`` with a weight per column of ``"gower"``, or
        ``{"asymmetric": …}`` with the names of columns of 0 and 1 whose common zeros do not count.
    n_jobs : int, default=None
        Number of threads; None and -1 for all processors. Results do not depend on it.
    verbose : bool or callable, default=False
        Whether to show progress, by tqdm where it is installed; or a function of stage, steps
        done, all steps and iteration.

    Attributes
    ----------
    embedding_ : ndarray of shape (n_samples, n_components)
        The coordinates.
    stress_ : float
        Raw stress: squared differences between distances of data and embedding, of Sammon's
        mapping each divided by the distance of the data.
    n_iter_ : int
        Number of iterations.
    facts_ : dict
        What the fit reports:
        ``metric``: the distance between points, where it is not euclidean.
        ``stress``: raw stress: squared differences between distances of data and embedding, of
        Sammon's mapping each divided by the distance of the data.
        ``stress_1``: Kruskal's stress-1: the root of the sum of all squared differences,
        undivided, relative to the root of the sum of the embedding's squared distances.
        ``stress_scale_normalized``: the same after the best rescaling, relative to the data's;
        compare methods by it.
        ``stress_history``: raw stress after each iteration.
        ``status``: how the iteration ended.
    notes_ : list of str
        What a reader of the result must know.
    n_features_in_ : int
        Only where X was given: its number of columns.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Only where the columns of X have names: these.

    Notes
    -----
    The stress has local minima, the more the smaller d is; in one dimension the order of the
    points hardly changes. The classical start is good for distances that are nearly Euclidean;
    compare several random starts otherwise. Distances are those in the data space: a roll is
    flattened, not unrolled.

    References
    ----------
    de Leeuw (1977), Applications of convex analysis to multidimensional scaling (no DOI); Borg
    and Groenen (2005), Modern multidimensional scaling, chapter 8, doi:10.1007/0-387-28981-X;
    the learned steps: Liu and Nocedal (1989), doi:10.1007/BF01589116.

    Examples
    --------
    >>> import swissroll
    >>> X, position = swissroll.datasets.make_swiss_roll(300)
    >>> fitted = swissroll.SMACOF().fit(X[:250])
    >>> fitted.embedding_.shape, fitted.transform(X[250:]).shape
    ((250, 2), (50, 2))
    """

    _method = "smacof"
    _accepts = ("points", "distances",)
    _facts = ("stress",)
    stress_: float
    n_iter_: int

    def __init__(
        self,
        n_components: int = 2,
        *,
        init: str | float | Floats = "classical",
        tol: float = 1e-06,
        max_iter: int = 300,
        warm_start: bool = False,
        metric: Metric = "euclidean",
        metric_params: dict[str, Any] | None = None,
        n_jobs: int | None = None,
        verbose: Verbose = False,
    ):
        self.n_components = n_components
        self.init = init
        self.tol = tol
        self.max_iter = max_iter
        self.warm_start = warm_start
        self.metric = metric
        self.metric_params = metric_params
        self.n_jobs = n_jobs
        self.verbose = verbose


class NonmetricMDS(Estimator):
    """Fits the order of the distances in the map to their order in the data.

    Preserves the order of Euclidean distances.
    Cost: time n^2 log n, then n^2 d per iteration, memory 40 n^2 bytes.
    New points: majorization of the stress of the new point alone; does not interpolate: near a
    training row, up to 0.6 % of the map's extent from its position in the median of 13 trials,
    and 10 % in the worst; more where classes overlap (300 digits or points of a roll).

    Parameters
    ----------
    n_components : int, default=2
        Target dimension d. Legal: 1 to n - 1.
    init : str or number or array of shape (n_samples, n_components), default="classical"
        Initial coordinates; of several random runs the best is kept. Legal: classical or
        random:RUNS:SEED; the number 1 to 1000.
    ties : {"primary", "secondary"}, default="primary"
        Whether equal dissimilarities may get different distances.
    tol : float, default=1e-06
        Converged when two steps in a row lower the stress by less, relative to the weighted sum
        of squared dissimilarities. Legal: at least 0.
    max_iter : int, default=300
        Largest number of iterations of a run. Legal: at least 1.
    warm_start : bool, default=False
        Whether a further fit goes on from the map of the last one, of the same rows, with as
        many more iterations. The phases that only lead from a small start to a map are left
        out.
    metric : str or callable, default="euclidean"
        ``"euclidean"``, ``"cosine"``, ``"correlation"``, ``"manhattan"``, ``"chebyshev"``,
        ``"minkowski"``, ``"hamming"``, ``"jaccard"``, ``"hellinger"``, ``"gower"`` (of numbers, categories
        and gaps) or ``"nan_euclidean"`` (of numbers and NaN); another metric of
        `sklearn.metrics.pairwise_distances`, whose distances between all points are computed
        first (16 n^2 bytes); or ``"precomputed"``: X holds distances.
    metric_params : dict, default=None
        Parameters of the metric, such as ``{"weights": …}`` with a weight per column of ``"gower"``, or
        ``{"asymmetric": …}`` with the names of columns of 0 and 1 whose common zeros do not count.
    n_jobs : int, default=None
        Number of threads; None and -1 for all processors. Results do not depend on it.
    verbose : bool or callable, default=False
        Whether to show progress, by tqdm where it is installed; or a function of stage, steps
        done, all steps and iteration.

    Attributes
    ----------
    embedding_ : ndarray of shape (n_samples, n_components)
        The coordinates.
    stress_ : float
        Raw stress: squared differences between distances of data and embedding, of Sammon's
        mapping each divided by the distance of the data.
    n_iter_ : int
        Number of iterations.
    facts_ : dict
        What the fit reports:
        ``metric``: the distance between points, where it is not euclidean.
        ``stress``: raw stress: squared differences between distances of data and embedding, of
        Sammon's mapping each divided by the distance of the data.
        ``stress_1``: Kruskal's stress-1: the root of the sum of all squared differences,
        undivided, relative to the root of the sum of the embedding's squared distances.
        ``stress_scale_normalized``: the same after the best rescaling, relative to the data's;
        compare methods by it.
        ``stress_history``: raw stress after each iteration.
        ``status``: how the iteration ended.
    notes_ : list of str
        What a reader of the result must know.
    n_features_in_ : int
        Only where X was given: its number of columns.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Only where the columns of X have names: these.

    Notes
    -----
    It has the local minima of metric scaling. With well separated clusters, or few points in
    many dimensions, a map with almost no structure meets the order exactly and the stress goes
    to zero (degeneration): a small stress alone is no evidence of a good map.

    References
    ----------
    Kruskal (1964), Multidimensional scaling by optimizing goodness of fit to a nonmetric
    hypothesis, doi:10.1007/BF02289565, and doi:10.1007/BF02289694; Borg and Groenen (2005),
    chapter 9, doi:10.1007/0-387-28981-X.

    Examples
    --------
    >>> import swissroll
    >>> X, position = swissroll.datasets.make_swiss_roll(300)
    >>> fitted = swissroll.NonmetricMDS().fit(X[:250])
    >>> fitted.embedding_.shape, fitted.transform(X[250:]).shape
    ((250, 2), (50, 2))
    """

    _method = "nonmetric-mds"
    _accepts = ("points", "distances",)
    _facts = ("stress",)
    stress_: float
    n_iter_: int

    def __init__(
        self,
        n_components: int = 2,
        *,
        init: str | float | Floats = "classical",
        ties: str = "primary",
        tol: float = 1e-06,
        max_iter: int = 300,
        warm_start: bool = False,
        metric: Metric = "euclidean",
        metric_params: dict[str, Any] | None = None,
        n_jobs: int | None = None,
        verbose: Verbose = False,
    ):
        self.n_components = n_components
        self.init = init
        self.ties = ties
        self.tol = tol
        self.max_iter = max_iter
        self.warm_start = warm_start
        self.metric = metric
        self.metric_params = metric_params
        self.n_jobs = n_jobs
        self.verbose = verbose


class SammonMapping(Estimator):
    """Minimizes the squared errors of the distances, each relative to its distance.

    Preserves Euclidean distances, small ones as well as large ones.
    Cost: time n^3 once, then n^2 d per iteration, memory 56 n^2 bytes.
    New points: majorization of the stress of the new point alone; interpolates: near a training
    row it tends to the row's position.

    Parameters
    ----------
    n_components : int, default=2
        Target dimension d. Legal: 1 to n - 1.
    init : str or number or array of shape (n_samples, n_components), default="classical"
        Initial coordinates; of several random runs the best is kept. Legal: classical or
        random:RUNS:SEED; the number 1 to 1000.
    tol : float, default=1e-06
        Converged when two steps in a row lower the stress by less, relative to the weighted sum
        of squared dissimilarities. Legal: at least 0.
    max_iter : int, default=300
        Largest number of iterations of a run. Legal: at least 1.
    warm_start : bool, default=False
        Whether a further fit goes on from the map of the last one, of the same rows, with as
        many more iterations. The phases that only lead from a small start to a map are left
        out.
    metric : str or callable, default="euclidean"
        ``"euclidean"``, ``"cosine"``, ``"correlation"``, ``"manhattan"``, ``"chebyshev"``,
        ``"minkowski"``, ``"hamming"``, ``"jaccard"``, ``"hellinger"``, ``"gower"`` (of numbers, categories
        and gaps) or ``"nan_euclidean"`` (of numbers and NaN); another metric of
        `sklearn.metrics.pairwise_distances`, whose distances between all points are computed
        first (16 n^2 bytes); or ``"precomputed"``: X holds distances.
    metric_params : dict, default=None
        Parameters of the metric, such as ``{"weights": …}`` with a weight per column of ``"gower"``, or
        ``{"asymmetric": …}`` with the names of columns of 0 and 1 whose common zeros do not count.
    n_jobs : int, default=None
        Number of threads; None and -1 for all processors. Results do not depend on it.
    verbose : bool or callable, default=False
        Whether to show progress, by tqdm where it is installed; or a function of stage, steps
        done, all steps and iteration.

    Attributes
    ----------
    embedding_ : ndarray of shape (n_samples, n_components)
        The coordinates.
    stress_ : float
        Raw stress: squared differences between distances of data and embedding, of Sammon's
        mapping each divided by the distance of the data.
    n_iter_ : int
        Number of iterations.
    facts_ : dict
        What the fit reports:
        ``metric``: the distance between points, where it is not euclidean.
        ``stress``: raw stress: squared differences between distances of data and embedding, of
        Sammon's mapping each divided by the distance of the data.
        ``stress_1``: Kruskal's stress-1: the root of the sum of all squared differences,
        undivided, relative to the root of the sum of the embedding's squared distances.
        ``stress_scale_normalized``: the same after the best rescaling, relative to the data's;
        compare methods by it.
        ``stress_history``: raw stress after each iteration.
        ``status``: how the iteration ended.
    notes_ : list of str
        What a reader of the result must know.
    n_features_in_ : int
        Only where X was given: its number of columns.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Only where the columns of X have names: these.

    Notes
    -----
    It has the local minima of metric scaling. Noise in the smallest distances is amplified.
    Points that coincide start together and stay together. A roll is flattened, not unrolled.
    Its weights take 56 n² bytes of memory and n³ operations.

    References
    ----------
    Sammon (1969), A nonlinear mapping for data structure analysis, doi:10.1109/T-C.1969.222678.

    Examples
    --------
    >>> import swissroll
    >>> X, position = swissroll.datasets.make_swiss_roll(300)
    >>> fitted = swissroll.SammonMapping().fit(X[:250])
    >>> fitted.embedding_.shape, fitted.transform(X[250:]).shape
    ((250, 2), (50, 2))
    """

    _method = "sammon"
    _accepts = ("points", "distances",)
    _facts = ("stress",)
    stress_: float
    n_iter_: int

    def __init__(
        self,
        n_components: int = 2,
        *,
        init: str | float | Floats = "classical",
        tol: float = 1e-06,
        max_iter: int = 300,
        warm_start: bool = False,
        metric: Metric = "euclidean",
        metric_params: dict[str, Any] | None = None,
        n_jobs: int | None = None,
        verbose: Verbose = False,
    ):
        self.n_components = n_components
        self.init = init
        self.tol = tol
        self.max_iter = max_iter
        self.warm_start = warm_start
        self.metric = metric
        self.metric_params = metric_params
        self.n_jobs = n_jobs
        self.verbose = verbose


class LLE(Estimator):
    """Reconstructs each point from its neighbors, and finds coordinates that the same weights reconstruct.

    Preserves the weights that reconstruct each point from its neighbors; scale is lost.
    Cost: time n k^2 (D + k) for the weights, then a sparse eigenproblem; memory n k^2, of
    distances 4 n^2 bytes.
    New points: the weights that reconstruct the new point from its neighbors; interpolates:
    near a training row it tends to the row's position.

    Parameters
    ----------
    n_components : int, default=2
        Target dimension d. Legal: 1 to n - 1.
    n_neighbors : int, default=5
        Number of nearest neighbors. Legal: 1 to n - 1.
    radius : float or None, default=None
        Neighbors are all points within this distance, in input units; replaces k. Legal: above
        0.
    reg : float, default=0.001
        Added to the diagonal of each local Gram matrix, relative to its trace. Legal: above 0.
    scale : {"unit-covariance", "unit-norm"}, default="unit-covariance"
        Length of a coordinate column.
    components : {"reject", "bridge", "largest", "per-component"}, default="bridge"
        What to do with a disconnected neighbor graph.
    duplicates : {"merge", "keep"}, default="merge"
        What to do with rows that are exact copies of others.
    tol : float, default=1e-10
        Residual demanded of the eigenvectors, relative to the operator's norm. Legal: above 0.
    metric : str or callable, default="euclidean"
        ``"euclidean"``, ``"cosine"``, ``"correlation"``, ``"manhattan"``, ``"chebyshev"``,
        ``"minkowski"``, ``"hamming"``, ``"jaccard"``, ``"hellinger"``, ``"gower"`` (of numbers, categories
        and gaps) or ``"nan_euclidean"`` (of numbers and NaN); another metric of
        `sklearn.metrics.pairwise_distances`, whose distances between all points are computed
        first (16 n^2 bytes); or ``"precomputed"``: X holds distances.
    metric_params : dict, default=None
        Parameters of the metric, such as ``{"weights": …}`` with a weight per column of ``"gower"``, or
        ``{"asymmetric": …}`` with the names of columns of 0 and 1 whose common zeros do not count.
    n_jobs : int, default=None
        Number of threads; None and -1 for all processors. Results do not depend on it.
    verbose : bool or callable, default=False
        Whether to show progress, by tqdm where it is installed; or a function of stage, steps
        done, all steps and iteration.

    Attributes
    ----------
    embedding_ : ndarray of shape (n_samples, n_components)
        The coordinates.
    placed_ : ndarray of int
        Only where rows were not placed (``components="largest"``): those that were.
    eigenvalues_ : ndarray of shape (n_components,)
        Only where all points have one map: the eigenvalues behind the coordinates, in the
        method's order.
    reconstruction_error_ : float
        Only where all points have one map: what the embedding leaves unexplained: the sum of
        the eigenvalues.
    facts_ : dict
        What the fit reports:
        ``eigenvalues``: the eigenvalues behind the coordinates, in the method's order.
        ``residuals``: the relative residual |A v - lambda v| / |A| of each eigenvector v of
        norm one.
        ``reconstruction_error``: what the embedding leaves unexplained: the sum of the
        eigenvalues.
        ``metric``: the distance between points, where it is not euclidean.
        ``rows``: input rows that were placed, where some were not.
        ``pieces``: points per separately embedded component, where there are several.
        ``copies``: rows that are copies of an earlier row, whose place they share.
        ``bridges``: edges that were added to connect the graph.
    notes_ : list of str
        What a reader of the result must know.
    n_features_in_ : int
        Only where X was given: its number of columns.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Only where the columns of X have names: these.

    Notes
    -----
    Every column has variance one, so that the proportions of the sheet are lost. The neighbor
    graph must be connected. The second coordinate can be a function of the first. With k larger
    than D and a tiny regularization the weights reconstruct the surface in space, and a
    projection of the data is a solution. Neighbors from another layer of a roll fold the map.

    References
    ----------
    Roweis and Saul (2000), Nonlinear dimensionality reduction by locally linear embedding,
    doi:10.1126/science.290.5500.2323.

    Examples
    --------
    >>> import swissroll
    >>> X, position = swissroll.datasets.make_swiss_roll(300)
    >>> fitted = swissroll.LLE(n_neighbors=10).fit(X[:250])
    >>> fitted.embedding_.shape, fitted.transform(X[250:]).shape
    ((250, 2), (50, 2))
    """

    _method = "lle"
    _accepts = ("points", "distances",)
    _facts = ("reconstruction_error",)
    placed_: NDArray[np.uint32]
    eigenvalues_: NDArray[np.float64]
    reconstruction_error_: float

    def __init__(
        self,
        n_components: int = 2,
        *,
        n_neighbors: int = 5,
        radius: float | None = None,
        reg: float = 0.001,
        scale: str = "unit-covariance",
        components: str = "bridge",
        duplicates: str = "merge",
        tol: float = 1e-10,
        metric: Metric = "euclidean",
        metric_params: dict[str, Any] | None = None,
        n_jobs: int | None = None,
        verbose: Verbose = False,
    ):
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.radius = radius
        self.reg = reg
        self.scale = scale
        self.components = components
        self.duplicates = duplicates
        self.tol = tol
        self.metric = metric
        self.metric_params = metric_params
        self.n_jobs = n_jobs
        self.verbose = verbose


class ModifiedLLE(Estimator):
    """LLE with several weight vectors per point, which removes its folds.

    Preserves all weights that reconstruct each point well; scale is lost.
    Cost: time n k^3 + n k^2 D, then a sparse eigenproblem; memory n k^2, of distances 4 n^2
    bytes.
    New points: the weights that reconstruct the new point from its neighbors; interpolates:
    near a training row it tends to the row's position.

    Parameters
    ----------
    n_components : int, default=2
        Target dimension d. Legal: 1 to k - 1.
    n_neighbors : int, default=5
        Number of nearest neighbors. Legal: 1 to n - 1.
    radius : float or None, default=None
        Neighbors are all points within this distance, in input units; replaces k. Legal: above
        0.
    reg : float, default=0.001
        Added to the diagonal of each local Gram matrix, relative to its trace. Legal: above 0.
    scale : {"unit-covariance", "unit-norm"}, default="unit-covariance"
        Length of a coordinate column.
    components : {"reject", "bridge", "largest", "per-component"}, default="bridge"
        What to do with a disconnected neighbor graph.
    duplicates : {"merge", "keep"}, default="merge"
        What to do with rows that are exact copies of others.
    tol : float, default=1e-10
        Residual demanded of the eigenvectors, relative to the operator's norm. Legal: above 0.
    metric : str or callable, default="euclidean"
        ``"euclidean"``, ``"cosine"``, ``"correlation"``, ``"manhattan"``, ``"chebyshev"``,
        ``"minkowski"``, ``"hamming"``, ``"jaccard"``, ``"hellinger"``, ``"gower"`` (of numbers, categories
        and gaps) or ``"nan_euclidean"`` (of numbers and NaN); another metric of
        `sklearn.metrics.pairwise_distances`, whose distances between all points are computed
        first (16 n^2 bytes); or ``"precomputed"``: X holds distances.
    metric_params : dict, default=None
        Parameters of the metric, such as ``{"weights": …}`` with a weight per column of ``"gower"``, or
        ``{"asymmetric": …}`` with the names of columns of 0 and 1 whose common zeros do not count.
    n_jobs : int, default=None
        Number of threads; None and -1 for all processors. Results do not depend on it.
    verbose : bool or callable, default=False
        Whether to show progress, by tqdm where it is installed; or a function of stage, steps
        done, all steps and iteration.

    Attributes
    ----------
    embedding_ : ndarray of shape (n_samples, n_components)
        The coordinates.
    placed_ : ndarray of int
        Only where rows were not placed (``components="largest"``): those that were.
    eigenvalues_ : ndarray of shape (n_components,)
        Only where all points have one map: the eigenvalues behind the coordinates, in the
        method's order.
    reconstruction_error_ : float
        Only where all points have one map: what the embedding leaves unexplained: the sum of
        the eigenvalues.
    facts_ : dict
        What the fit reports:
        ``eigenvalues``: the eigenvalues behind the coordinates, in the method's order.
        ``residuals``: the relative residual |A v - lambda v| / |A| of each eigenvector v of
        norm one.
        ``reconstruction_error``: what the embedding leaves unexplained: the sum of the
        eigenvalues.
        ``metric``: the distance between points, where it is not euclidean.
        ``rows``: input rows that were placed, where some were not.
        ``pieces``: points per separately embedded component, where there are several.
        ``copies``: rows that are copies of an earlier row, whose place they share.
        ``bridges``: edges that were added to connect the graph.
    notes_ : list of str
        What a reader of the result must know.
    n_features_in_ : int
        Only where X was given: its number of columns.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Only where the columns of X have names: these.

    Notes
    -----
    Every point needs at least d + 1 neighbors, and the graph must be connected. Copies of rows
    are merged; where they are kept, and where rows differ by rounding alone, the neighborhoods
    with them have weights that reconstruct their points without an error of regularization, or
    none where no weights do. Every column has variance one, so that the proportions of the
    sheet are lost. Neighbors from another layer of a roll fold the map.

    References
    ----------
    Zhang and Wang (2006), MLLE: Modified locally linear embedding using multiple weights,
    Advances in Neural Information Processing Systems 19,
    https://papers.nips.cc/paper/2006/hash/fb2606a5068901da92473666256e6e5b-Abstract.html.

    Examples
    --------
    >>> import swissroll
    >>> X, position = swissroll.datasets.make_swiss_roll(300)
    >>> fitted = swissroll.ModifiedLLE(n_neighbors=10).fit(X[:250])
    >>> fitted.embedding_.shape, fitted.transform(X[250:]).shape
    ((250, 2), (50, 2))
    """

    _method = "modified-lle"
    _accepts = ("points", "distances",)
    _facts = ("reconstruction_error",)
    placed_: NDArray[np.uint32]
    eigenvalues_: NDArray[np.float64]
    reconstruction_error_: float

    def __init__(
        self,
        n_components: int = 2,
        *,
        n_neighbors: int = 5,
        radius: float | None = None,
        reg: float = 0.001,
        scale: str = "unit-covariance",
        components: str = "bridge",
        duplicates: str = "merge",
        tol: float = 1e-10,
        metric: Metric = "euclidean",
        metric_params: dict[str, Any] | None = None,
        n_jobs: int | None = None,
        verbose: Verbose = False,
    ):
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.radius = radius
        self.reg = reg
        self.scale = scale
        self.components = components
        self.duplicates = duplicates
        self.tol = tol
        self.metric = metric
        self.metric_params = metric_params
        self.n_jobs = n_jobs
        self.verbose = verbose


class HessianLLE(Estimator):
    """Coordinates whose second derivatives vanish on the tangent spaces.

    Preserves local isometry, up to an affine map.
    Cost: time n (k^2 D + k d^4), then a sparse eigenproblem; memory n k^2, of distances 4 n^2
    bytes.
    New points: an affine map of the nearest training points, plus its residuals at them by
    inverse distance; interpolates: near a training row it tends to the row's position.

    Parameters
    ----------
    n_components : int, default=2
        Target dimension d. Legal: 1 to the largest d with (d + 1) (d + 2) / 2 <= k.
    n_neighbors : int, default=6
        Number of nearest neighbors. Legal: 1 to n - 1.
    radius : float or None, default=None
        Neighbors are all points within this distance, in input units; replaces k. Legal: above
        0.
    scale : {"unit-covariance", "unit-norm"}, default="unit-covariance"
        Length of a coordinate column.
    normalization : {"none", "diagonal"}, default=None
        Weights of the points in the eigenproblem.
    components : {"reject", "bridge", "largest", "per-component"}, default="bridge"
        What to do with a disconnected neighbor graph.
    duplicates : {"merge", "keep"}, default="merge"
        What to do with rows that are exact copies of others.
    tol : float, default=1e-10
        Residual demanded of the eigenvectors, relative to the operator's norm. Legal: above 0.
    metric : str or callable, default="euclidean"
        ``"euclidean"``, ``"cosine"``, ``"correlation"``, ``"manhattan"``, ``"chebyshev"``,
        ``"minkowski"``, ``"hamming"``, ``"jaccard"``, ``"hellinger"``, ``"gower"`` (of numbers, categories
        and gaps) or ``"nan_euclidean"`` (of numbers and NaN); another metric of
        `sklearn.metrics.pairwise_distances`, whose distances between all points are computed
        first (16 n^2 bytes); or ``"precomputed"``: X holds distances.
    metric_params : dict, default=None
        Parameters of the metric, such as ``{"weights": …}`` with a weight per column of ``"gower"``, or
        ``{"asymmetric": …}`` with the names of columns of 0 and 1 whose common zeros do not count.
    n_jobs : int, default=None
        Number of threads; None and -1 for all processors. Results do not depend on it.
    verbose : bool or callable, default=False
        Whether to show progress, by tqdm where it is installed; or a function of stage, steps
        done, all steps and iteration.

    Attributes
    ----------
    embedding_ : ndarray of shape (n_samples, n_components)
        The coordinates.
    placed_ : ndarray of int
        Only where rows were not placed (``components="largest"``): those that were.
    eigenvalues_ : ndarray of shape (n_components,)
        Only where all points have one map: the eigenvalues behind the coordinates, in the
        method's order.
    reconstruction_error_ : float
        Only where all points have one map: what the embedding leaves unexplained: the sum of
        the eigenvalues.
    facts_ : dict
        What the fit reports:
        ``eigenvalues``: the eigenvalues behind the coordinates, in the method's order.
        ``residuals``: the relative residual |A v - lambda v| / |A| of each eigenvector v of
        norm one.
        ``reconstruction_error``: what the embedding leaves unexplained: the sum of the
        eigenvalues.
        ``metric``: the distance between points, where it is not euclidean.
        ``rows``: input rows that were placed, where some were not.
        ``pieces``: points per separately embedded component, where there are several.
        ``copies``: rows that are copies of an earlier row, whose place they share.
        ``bridges``: edges that were added to connect the graph.
    notes_ : list of str
        What a reader of the result must know.
    n_features_in_ : int
        Only where X was given: its number of columns.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Only where the columns of X have names: these.

    Notes
    -----
    Every point needs at least 1 + d + d (d + 1) / 2 neighbors, 6 for d = 2, and more under
    noise; the graph must be connected. Every column has variance one, so that the proportions
    of the sheet are lost. On data that are not a surface of d dimensions, as many collections
    of pictures, the map can collapse onto a few points that are in few neighborhoods;
    normalization=diagonal prevents it.

    References
    ----------
    Donoho and Grimes (2003), Hessian eigenmaps: locally linear embedding techniques for
    high-dimensional data, doi:10.1073/pnas.1031596100.

    Examples
    --------
    >>> import swissroll
    >>> X, position = swissroll.datasets.make_swiss_roll(300)
    >>> fitted = swissroll.HessianLLE(n_neighbors=10).fit(X[:250])
    >>> fitted.embedding_.shape, fitted.transform(X[250:]).shape
    ((250, 2), (50, 2))
    """

    _method = "hessian-lle"
    _accepts = ("points", "distances",)
    _facts = ("reconstruction_error",)
    placed_: NDArray[np.uint32]
    eigenvalues_: NDArray[np.float64]
    reconstruction_error_: float

    def __init__(
        self,
        n_components: int = 2,
        *,
        n_neighbors: int = 6,
        radius: float | None = None,
        scale: str = "unit-covariance",
        normalization: str | None = None,
        components: str = "bridge",
        duplicates: str = "merge",
        tol: float = 1e-10,
        metric: Metric = "euclidean",
        metric_params: dict[str, Any] | None = None,
        n_jobs: int | None = None,
        verbose: Verbose = False,
    ):
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.radius = radius
        self.scale = scale
        self.normalization = normalization
        self.components = components
        self.duplicates = duplicates
        self.tol = tol
        self.metric = metric
        self.metric_params = metric_params
        self.n_jobs = n_jobs
        self.verbose = verbose


class LTSA(Estimator):
    """Estimates a tangent space at each point and aligns them.

    Preserves tangent coordinates of each neighborhood, up to an affine map.
    Cost: time n k^2 D, then a sparse eigenproblem; memory n k^2, of distances 4 n^2 bytes.
    New points: an affine map of the nearest training points, plus its residuals at them by
    inverse distance; interpolates: near a training row it tends to the row's position.

    Parameters
    ----------
    n_components : int, default=2
        Target dimension d. Legal: 1 to k - 2.
    n_neighbors : int, default=5
        Number of nearest neighbors. Legal: 1 to n - 1.
    radius : float or None, default=None
        Neighbors are all points within this distance, in input units; replaces k. Legal: above
        0.
    scale : {"unit-covariance", "unit-norm"}, default="unit-covariance"
        Length of a coordinate column.
    normalization : {"none", "diagonal"}, default=None
        Weights of the points in the eigenproblem.
    components : {"reject", "bridge", "largest", "per-component"}, default="bridge"
        What to do with a disconnected neighbor graph.
    duplicates : {"merge", "keep"}, default="merge"
        What to do with rows that are exact copies of others.
    tol : float, default=1e-10
        Residual demanded of the eigenvectors, relative to the operator's norm. Legal: above 0.
    metric : str or callable, default="euclidean"
        ``"euclidean"``, ``"cosine"``, ``"correlation"``, ``"manhattan"``, ``"chebyshev"``,
        ``"minkowski"``, ``"hamming"``, ``"jaccard"``, ``"hellinger"``, ``"gower"`` (of numbers, categories
        and gaps) or ``"nan_euclidean"`` (of numbers and NaN); another metric of
        `sklearn.metrics.pairwise_distances`, whose distances between all points are computed
        first (16 n^2 bytes); or ``"precomputed"``: X holds distances.
    metric_params : dict, default=None
        Parameters of the metric, such as ``{"weights": …}`` with a weight per column of ``"gower"``, or
        ``{"asymmetric": …}`` with the names of columns of 0 and 1 whose common zeros do not count.
    n_jobs : int, default=None
        Number of threads; None and -1 for all processors. Results do not depend on it.
    verbose : bool or callable, default=False
        Whether to show progress, by tqdm where it is installed; or a function of stage, steps
        done, all steps and iteration.

    Attributes
    ----------
    embedding_ : ndarray of shape (n_samples, n_components)
        The coordinates.
    placed_ : ndarray of int
        Only where rows were not placed (``components="largest"``): those that were.
    eigenvalues_ : ndarray of shape (n_components,)
        Only where all points have one map: the eigenvalues behind the coordinates, in the
        method's order.
    reconstruction_error_ : float
        Only where all points have one map: what the embedding leaves unexplained: the sum of
        the eigenvalues.
    facts_ : dict
        What the fit reports:
        ``eigenvalues``: the eigenvalues behind the coordinates, in the method's order.
        ``residuals``: the relative residual |A v - lambda v| / |A| of each eigenvector v of
        norm one.
        ``reconstruction_error``: what the embedding leaves unexplained: the sum of the
        eigenvalues.
        ``metric``: the distance between points, where it is not euclidean.
        ``rows``: input rows that were placed, where some were not.
        ``pieces``: points per separately embedded component, where there are several.
        ``copies``: rows that are copies of an earlier row, whose place they share.
        ``bridges``: edges that were added to connect the graph.
    notes_ : list of str
        What a reader of the result must know.
    n_features_in_ : int
        Only where X was given: its number of columns.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Only where the columns of X have names: these.

    Notes
    -----
    Every point needs at least d + 2 neighbors, and the graph must be connected. Every column
    has variance one, so that the proportions of the sheet are lost. Noise off the surface
    perturbs the tangent spaces. On data that are not a surface of d dimensions the map can
    collapse onto a few points that are in few neighborhoods; normalization=diagonal prevents
    it.

    References
    ----------
    Zhang and Zha (2004), Principal manifolds and nonlinear dimensionality reduction via tangent
    space alignment, doi:10.1137/S1064827502419154.

    Examples
    --------
    >>> import swissroll
    >>> X, position = swissroll.datasets.make_swiss_roll(300)
    >>> fitted = swissroll.LTSA(n_neighbors=10).fit(X[:250])
    >>> fitted.embedding_.shape, fitted.transform(X[250:]).shape
    ((250, 2), (50, 2))
    """

    _method = "ltsa"
    _accepts = ("points", "distances",)
    _facts = ("reconstruction_error",)
    placed_: NDArray[np.uint32]
    eigenvalues_: NDArray[np.float64]
    reconstruction_error_: float

    def __init__(
        self,
        n_components: int = 2,
        *,
        n_neighbors: int = 5,
        radius: float | None = None,
        scale: str = "unit-covariance",
        normalization: str | None = None,
        components: str = "bridge",
        duplicates: str = "merge",
        tol: float = 1e-10,
        metric: Metric = "euclidean",
        metric_params: dict[str, Any] | None = None,
        n_jobs: int | None = None,
        verbose: Verbose = False,
    ):
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.radius = radius
        self.scale = scale
        self.normalization = normalization
        self.components = components
        self.duplicates = duplicates
        self.tol = tol
        self.metric = metric
        self.metric_params = metric_params
        self.n_jobs = n_jobs
        self.verbose = verbose


class LandmarkIsomap(Estimator):
    """Isomap of a few landmarks; the other points are placed by their geodesics to them.

    Preserves distances along the manifold, large and small.
    Cost: time l n (k + log n), memory (4 l + 1000) n bytes, l landmarks.
    New points: geodesics to the landmarks through the nearest training points; interpolates:
    near a training row it tends to the row's position, but with mutual edges it was up to 54 %
    of the map's extent from it in trials (300 points of a roll).

    Parameters
    ----------
    n_components : int, default=2
        Target dimension d. Legal: 1 to landmarks - 1.
    n_neighbors : int, default=5
        Number of nearest neighbors. Legal: 1 to n - 1.
    radius : float or None, default=None
        Neighbors are all points within this distance, in input units; replaces k. Legal: above
        0.
    symmetry : {"union", "mutual"}, default="union"
        Which directed edges make an undirected one.
    landmarks : str or number, default=200
        Number and choice of landmarks. Legal: COUNT (each the farthest from those before) or
        random:COUNT:SEED; the number at least d + 1.
    components : {"reject", "bridge", "largest", "per-component"}, default="bridge"
        What to do with a disconnected neighbor graph.
    duplicates : {"merge", "keep"}, default="merge"
        What to do with rows that are exact copies of others.
    precision : {"single", "double"}, default="single"
        Precision of the stored distances.
    tol : float, default=1e-10
        Residual demanded of the eigenvectors, relative to the operator's norm. Legal: above 0.
    metric : str or callable, default="euclidean"
        ``"euclidean"``, ``"cosine"``, ``"correlation"``, ``"manhattan"``, ``"chebyshev"``,
        ``"minkowski"``, ``"hamming"``, ``"jaccard"``, ``"hellinger"``, ``"gower"`` (of numbers, categories
        and gaps) or ``"nan_euclidean"`` (of numbers and NaN); another metric of
        `sklearn.metrics.pairwise_distances`, whose distances between all points are computed
        first (16 n^2 bytes); or ``"precomputed"``: X holds distances.
    metric_params : dict, default=None
        Parameters of the metric, such as ``{"weights": …}`` with a weight per column of ``"gower"``, or
        ``{"asymmetric": …}`` with the names of columns of 0 and 1 whose common zeros do not count.
    n_jobs : int, default=None
        Number of threads; None and -1 for all processors. Results do not depend on it.
    verbose : bool or callable, default=False
        Whether to show progress, by tqdm where it is installed; or a function of stage, steps
        done, all steps and iteration.

    Attributes
    ----------
    embedding_ : ndarray of shape (n_samples, n_components)
        The coordinates.
    placed_ : ndarray of int
        Only where rows were not placed (``components="largest"``): those that were.
    eigenvalues_ : ndarray of shape (n_components,)
        Only where all points have one map: the eigenvalues behind the coordinates, in the
        method's order.
    reconstruction_error_ : float
        Only where all points have one map: norm of the difference between the doubly centered
        matrix and the inner products of the coordinates, divided by n.
    facts_ : dict
        What the fit reports:
        ``eigenvalues``: the eigenvalues behind the coordinates, in the method's order.
        ``residuals``: the relative residual |A v - lambda v| / |A| of each eigenvector v of
        norm one.
        ``trace``: the sum of all eigenvalues.
        ``reconstruction_error``: norm of the difference between the doubly centered matrix and
        the inner products of the coordinates, divided by n.
        ``negative_eigenvalues``: number of negative eigenvalues: the distances are not
        Euclidean.
        ``negative_mass``: the sum of their magnitudes.
        ``negative_mass_at_least``: the same where not all eigenvalues are known: a lower bound.
        ``landmarks``: the landmarks, as numbers of embedded points.
        ``metric``: the distance between points, where it is not euclidean.
        ``rows``: input rows that were placed, where some were not.
        ``pieces``: points per separately embedded component, where there are several.
        ``copies``: rows that are copies of an earlier row, whose place they share.
        ``bridges``: edges that were added to connect the graph.
    notes_ : list of str
        What a reader of the result must know.
    n_features_in_ : int
        Only where X was given: its number of columns.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Only where the columns of X have names: these.

    Notes
    -----
    It fails where Isomap fails. At least d + 1 landmarks are necessary; too few, or landmarks
    that miss a part of the data, distort that part. With all points as landmarks the result
    equals the result of Isomap.

    References
    ----------
    de Silva and Tenenbaum (2003), Global versus local methods in nonlinear dimensionality
    reduction, Advances in Neural Information Processing Systems 15 (no DOI).

    Examples
    --------
    >>> import swissroll
    >>> X, position = swissroll.datasets.make_swiss_roll(300)
    >>> fitted = swissroll.LandmarkIsomap(n_neighbors=10).fit(X[:250])
    >>> fitted.embedding_.shape, fitted.transform(X[250:]).shape
    ((250, 2), (50, 2))
    """

    _method = "landmark-isomap"
    _accepts = ("points", "distances", "neighbors",)
    _facts = ("reconstruction_error",)
    placed_: NDArray[np.uint32]
    eigenvalues_: NDArray[np.float64]
    reconstruction_error_: float

    def __init__(
        self,
        n_components: int = 2,
        *,
        n_neighbors: int = 5,
        radius: float | None = None,
        symmetry: str = "union",
        landmarks: str | float = 200,
        components: str = "bridge",
        duplicates: str = "merge",
        precision: str = "single",
        tol: float = 1e-10,
        metric: Metric = "euclidean",
        metric_params: dict[str, Any] | None = None,
        n_jobs: int | None = None,
        verbose: Verbose = False,
    ):
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.radius = radius
        self.symmetry = symmetry
        self.landmarks = landmarks
        self.components = components
        self.duplicates = duplicates
        self.precision = precision
        self.tol = tol
        self.metric = metric
        self.metric_params = metric_params
        self.n_jobs = n_jobs
        self.verbose = verbose


class CIsomap(Estimator):
    """Isomap with edges measured in units of the local spacing of points.

    Preserves angles, where the density of points follows the conformal factor.
    Cost: as isomap.
    New points: geodesics through the nearest training points, then Gower's formula;
    interpolates: near a training row it tends to the row's position, but with mutual edges it
    was up to 55 % of the map's extent from it in trials (300 points of a roll).

    Parameters
    ----------
    n_components : int, default=2
        Target dimension d. Legal: 1 to n - 1.
    n_neighbors : int, default=5
        Number of nearest neighbors. Legal: 1 to n - 1.
    radius : float or None, default=None
        Neighbors are all points within this distance, in input units; replaces k. Legal: above
        0.
    symmetry : {"union", "mutual"}, default="union"
        Which directed edges make an undirected one.
    components : {"reject", "bridge", "largest", "per-component"}, default="bridge"
        What to do with a disconnected neighbor graph.
    duplicates : {"merge", "keep"}, default="merge"
        What to do with rows that are exact copies of others.
    precision : {"single", "double"}, default="single"
        Precision of the stored distances.
    tol : float, default=1e-10
        Residual demanded of the eigenvectors, relative to the operator's norm. Legal: above 0.
    metric : str or callable, default="euclidean"
        ``"euclidean"``, ``"cosine"``, ``"correlation"``, ``"manhattan"``, ``"chebyshev"``,
        ``"minkowski"``, ``"hamming"``, ``"jaccard"``, ``"hellinger"``, ``"gower"`` (of numbers, categories
        and gaps) or ``"nan_euclidean"`` (of numbers and NaN); another metric of
        `sklearn.metrics.pairwise_distances`, whose distances between all points are computed
        first (16 n^2 bytes); or ``"precomputed"``: X holds distances.
    metric_params : dict, default=None
        Parameters of the metric, such as ``{"weights": …}`` with a weight per column of ``"gower"``, or
        ``{"asymmetric": …}`` with the names of columns of 0 and 1 whose common zeros do not count.
    n_jobs : int, default=None
        Number of threads; None and -1 for all processors. Results do not depend on it.
    verbose : bool or callable, default=False
        Whether to show progress, by tqdm where it is installed; or a function of stage, steps
        done, all steps and iteration.

    Attributes
    ----------
    embedding_ : ndarray of shape (n_samples, n_components)
        The coordinates.
    placed_ : ndarray of int
        Only where rows were not placed (``components="largest"``): those that were.
    eigenvalues_ : ndarray of shape (n_components,)
        Only where all points have one map: the eigenvalues behind the coordinates, in the
        method's order.
    reconstruction_error_ : float
        Only where all points have one map: norm of the difference between the doubly centered
        matrix and the inner products of the coordinates, divided by n.
    facts_ : dict
        What the fit reports:
        ``eigenvalues``: the eigenvalues behind the coordinates, in the method's order.
        ``residuals``: the relative residual |A v - lambda v| / |A| of each eigenvector v of
        norm one.
        ``trace``: the sum of all eigenvalues.
        ``reconstruction_error``: norm of the difference between the doubly centered matrix and
        the inner products of the coordinates, divided by n.
        ``negative_eigenvalues``: number of negative eigenvalues: the distances are not
        Euclidean.
        ``negative_mass``: the sum of their magnitudes.
        ``negative_mass_at_least``: the same where not all eigenvalues are known: a lower bound.
        ``residual_variances``: residual variance with the first 1, 2, ... coordinates; its
        elbow suggests the dimension.
        ``metric``: the distance between points, where it is not euclidean.
        ``rows``: input rows that were placed, where some were not.
        ``pieces``: points per separately embedded component, where there are several.
        ``copies``: rows that are copies of an earlier row, whose place they share.
        ``bridges``: edges that were added to connect the graph.
    notes_ : list of str
        What a reader of the result must know.
    n_features_in_ : int
        Only where X was given: its number of columns.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Only where the columns of X have names: these.

    Notes
    -----
    It fails where Isomap fails. Where the density varies for another reason than the
    stretching, the map shrinks dense parts and stretches sparse ones wrongly. The spacing of
    few neighbors is noisy: use more neighbors than for Isomap. A point whose neighbors all
    coincide with it has no spacing and is refused.

    References
    ----------
    de Silva and Tenenbaum (2003), Global versus local methods in nonlinear dimensionality
    reduction, Advances in Neural Information Processing Systems 15 (no DOI).

    Examples
    --------
    >>> import swissroll
    >>> X, position = swissroll.datasets.make_swiss_roll(300)
    >>> fitted = swissroll.CIsomap(n_neighbors=10).fit(X[:250])
    >>> fitted.embedding_.shape, fitted.transform(X[250:]).shape
    ((250, 2), (50, 2))
    """

    _method = "c-isomap"
    _accepts = ("points", "distances", "neighbors",)
    _facts = ("reconstruction_error",)
    placed_: NDArray[np.uint32]
    eigenvalues_: NDArray[np.float64]
    reconstruction_error_: float

    def __init__(
        self,
        n_components: int = 2,
        *,
        n_neighbors: int = 5,
        radius: float | None = None,
        symmetry: str = "union",
        components: str = "bridge",
        duplicates: str = "merge",
        precision: str = "single",
        tol: float = 1e-10,
        metric: Metric = "euclidean",
        metric_params: dict[str, Any] | None = None,
        n_jobs: int | None = None,
        verbose: Verbose = False,
    ):
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.radius = radius
        self.symmetry = symmetry
        self.components = components
        self.duplicates = duplicates
        self.precision = precision
        self.tol = tol
        self.metric = metric
        self.metric_params = metric_params
        self.n_jobs = n_jobs
        self.verbose = verbose


class LaplacianEigenmaps(Estimator):
    """The smoothest functions on the neighbor graph as coordinates.

    Preserves nearness: neighbors stay together, distances are not preserved.
    Cost: neighbors, then a sparse eigenproblem: time about n k^2, more for data of high
    intrinsic dimension.
    New points: Nystrom's formula over the nearest training points; does not interpolate: near a
    training row, up to 4.1 % of the map's extent from its position in the median of 13 trials,
    and 6.8 % in the worst; more where classes overlap (300 digits or points of a roll).

    Parameters
    ----------
    n_components : int, default=2
        Target dimension d. Legal: 1 to n - 1.
    n_neighbors : int, default=5
        Number of nearest neighbors. Legal: 1 to n - 1.
    radius : float or None, default=None
        Neighbors are all points within this distance, in input units; replaces k. Legal: above
        0.
    symmetry : {"union", "mutual"}, default="union"
        Which directed edges make an undirected one.
    weights : str or number, default="heat"
        Affinity of neighbors; heat without a width uses the mean distance to the last neighbor.
        Legal: connectivity, heat, or heat:WIDTH; the number above 0.
    form : {"generalized", "normalized"}, default="generalized"
        The eigenproblem of the Laplacian that is solved.
    components : {"reject", "bridge", "largest", "per-component"}, default="bridge"
        What to do with a disconnected neighbor graph.
    duplicates : {"merge", "keep"}, default="merge"
        What to do with rows that are exact copies of others.
    tol : float, default=1e-10
        Residual demanded of the eigenvectors, relative to the operator's norm. Legal: above 0.
    metric : str or callable, default="euclidean"
        ``"euclidean"``, ``"cosine"``, ``"correlation"``, ``"manhattan"``, ``"chebyshev"``,
        ``"minkowski"``, ``"hamming"``, ``"jaccard"``, ``"hellinger"``, ``"gower"`` (of numbers, categories
        and gaps) or ``"nan_euclidean"`` (of numbers and NaN); another metric of
        `sklearn.metrics.pairwise_distances`, whose distances between all points are computed
        first (16 n^2 bytes); or ``"precomputed"``: X holds distances.
    metric_params : dict, default=None
        Parameters of the metric, such as ``{"weights": …}`` with a weight per column of ``"gower"``, or
        ``{"asymmetric": …}`` with the names of columns of 0 and 1 whose common zeros do not count.
    n_jobs : int, default=None
        Number of threads; None and -1 for all processors. Results do not depend on it.
    verbose : bool or callable, default=False
        Whether to show progress, by tqdm where it is installed; or a function of stage, steps
        done, all steps and iteration.

    Attributes
    ----------
    embedding_ : ndarray of shape (n_samples, n_components)
        The coordinates.
    placed_ : ndarray of int
        Only where rows were not placed (``components="largest"``): those that were.
    eigenvalues_ : ndarray of shape (n_components,)
        Only where all points have one map: the eigenvalues behind the coordinates, in the
        method's order.
    facts_ : dict
        What the fit reports:
        ``eigenvalues``: the eigenvalues behind the coordinates, in the method's order.
        ``residuals``: the relative residual |A v - lambda v| / |A| of each eigenvector v of
        norm one.
        ``width``: width of the kernel of the weights, in input units, where they have one.
        ``metric``: the distance between points, where it is not euclidean.
        ``rows``: input rows that were placed, where some were not.
        ``pieces``: points per separately embedded component, where there are several.
        ``copies``: rows that are copies of an earlier row, whose place they share.
        ``bridges``: edges that were added to connect the graph.
    notes_ : list of str
        What a reader of the result must know.
    n_features_in_ : int
        Only where X was given: its number of columns.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Only where the columns of X have names: these.

    Notes
    -----
    The coordinates are vibration modes of the surface, not lengths on it: on a long strip the
    second one is a function of the first, cos 2x next to cos x, and the width does not appear.
    Points crowd together at the boundary. The graph must be connected.

    References
    ----------
    Belkin and Niyogi (2003), Laplacian eigenmaps for dimensionality reduction and data
    representation, doi:10.1162/089976603321780317.

    Examples
    --------
    >>> import swissroll
    >>> X, position = swissroll.datasets.make_swiss_roll(300)
    >>> fitted = swissroll.LaplacianEigenmaps(n_neighbors=10).fit(X[:250])
    >>> fitted.embedding_.shape, fitted.transform(X[250:]).shape
    ((250, 2), (50, 2))
    """

    _method = "laplacian-eigenmaps"
    _accepts = ("points", "distances", "neighbors",)
    placed_: NDArray[np.uint32]
    eigenvalues_: NDArray[np.float64]

    def __init__(
        self,
        n_components: int = 2,
        *,
        n_neighbors: int = 5,
        radius: float | None = None,
        symmetry: str = "union",
        weights: str | float = "heat",
        form: str = "generalized",
        components: str = "bridge",
        duplicates: str = "merge",
        tol: float = 1e-10,
        metric: Metric = "euclidean",
        metric_params: dict[str, Any] | None = None,
        n_jobs: int | None = None,
        verbose: Verbose = False,
    ):
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.radius = radius
        self.symmetry = symmetry
        self.weights = weights
        self.form = form
        self.components = components
        self.duplicates = duplicates
        self.tol = tol
        self.metric = metric
        self.metric_params = metric_params
        self.n_jobs = n_jobs
        self.verbose = verbose


class DiffusionMaps(Estimator):
    """The transition probabilities of a random walk after a time t, as coordinates.

    Preserves diffusion distance: the number of short paths that join two points.
    Cost: neighbors, then a sparse eigenproblem: time about n k^2, more for data of high
    intrinsic dimension.
    New points: Nystrom's formula over the nearest training points; does not interpolate: near a
    training row, up to 5.6 % of the map's extent from its position in the median of 13 trials,
    and 12.5 % in the worst; more where classes overlap (300 digits or points of a roll).

    Parameters
    ----------
    n_components : int, default=2
        Target dimension d. Legal: 1 to n - 1.
    n_neighbors : int, default=5
        Number of nearest neighbors. Legal: 1 to n - 1.
    radius : float or None, default=None
        Neighbors are all points within this distance, in input units; replaces k. Legal: above
        0.
    width : str or number, default="auto"
        Width of the kernel in input units. Legal: auto, or above 0.
    alpha : float, default=1
        Exponent of the sampling density that is divided out. Legal: 0 to 1.
    time : float, default=1
        Diffusion time t. Legal: at least 0.
    components : {"reject", "bridge", "largest", "per-component"}, default="bridge"
        What to do with a disconnected neighbor graph.
    duplicates : {"merge", "keep"}, default="merge"
        What to do with rows that are exact copies of others.
    tol : float, default=1e-10
        Residual demanded of the eigenvectors, relative to the operator's norm. Legal: above 0.
    metric : str or callable, default="euclidean"
        ``"euclidean"``, ``"cosine"``, ``"correlation"``, ``"manhattan"``, ``"chebyshev"``,
        ``"minkowski"``, ``"hamming"``, ``"jaccard"``, ``"hellinger"``, ``"gower"`` (of numbers, categories
        and gaps) or ``"nan_euclidean"`` (of numbers and NaN); another metric of
        `sklearn.metrics.pairwise_distances`, whose distances between all points are computed
        first (16 n^2 bytes); or ``"precomputed"``: X holds distances.
    metric_params : dict, default=None
        Parameters of the metric, such as ``{"weights": …}`` with a weight per column of ``"gower"``, or
        ``{"asymmetric": …}`` with the names of columns of 0 and 1 whose common zeros do not count.
    n_jobs : int, default=None
        Number of threads; None and -1 for all processors. Results do not depend on it.
    verbose : bool or callable, default=False
        Whether to show progress, by tqdm where it is installed; or a function of stage, steps
        done, all steps and iteration.

    Attributes
    ----------
    embedding_ : ndarray of shape (n_samples, n_components)
        The coordinates.
    placed_ : ndarray of int
        Only where rows were not placed (``components="largest"``): those that were.
    eigenvalues_ : ndarray of shape (n_components,)
        Only where all points have one map: the eigenvalues behind the coordinates, in the
        method's order.
    facts_ : dict
        What the fit reports:
        ``eigenvalues``: the eigenvalues behind the coordinates, in the method's order.
        ``residuals``: the relative residual |A v - lambda v| / |A| of each eigenvector v of
        norm one.
        ``width``: width of the kernel, in input units.
        ``metric``: the distance between points, where it is not euclidean.
        ``rows``: input rows that were placed, where some were not.
        ``pieces``: points per separately embedded component, where there are several.
        ``copies``: rows that are copies of an earlier row, whose place they share.
        ``bridges``: edges that were added to connect the graph.
    notes_ : list of str
        What a reader of the result must know.
    n_features_in_ : int
        Only where X was given: its number of columns.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Only where the columns of X have names: these.

    Notes
    -----
    As with Laplacian eigenmaps, the second coordinate of a long strip is a function of the
    first. The affinity of neighbors is at least 10⁻⁴, so that edges longer than three widths,
    such as bridges between components, still join: a width far below the spacing of the points
    gives nearly all edges that affinity, and their lengths no longer count; a very large one
    smooths the shape out. A large t leaves one coordinate that matters, and a very large one
    none, which is an error. The graph must be connected.

    References
    ----------
    Coifman and Lafon (2006), Diffusion maps, doi:10.1016/j.acha.2006.04.006.

    Examples
    --------
    >>> import swissroll
    >>> X, position = swissroll.datasets.make_swiss_roll(300)
    >>> fitted = swissroll.DiffusionMaps(n_neighbors=10).fit(X[:250])
    >>> fitted.embedding_.shape, fitted.transform(X[250:]).shape
    ((250, 2), (50, 2))
    """

    _method = "diffusion-maps"
    _accepts = ("points", "distances", "neighbors",)
    placed_: NDArray[np.uint32]
    eigenvalues_: NDArray[np.float64]

    def __init__(
        self,
        n_components: int = 2,
        *,
        n_neighbors: int = 5,
        radius: float | None = None,
        width: str | float = "auto",
        alpha: float = 1,
        time: float = 1,
        components: str = "bridge",
        duplicates: str = "merge",
        tol: float = 1e-10,
        metric: Metric = "euclidean",
        metric_params: dict[str, Any] | None = None,
        n_jobs: int | None = None,
        verbose: Verbose = False,
    ):
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.radius = radius
        self.width = width
        self.alpha = alpha
        self.time = time
        self.components = components
        self.duplicates = duplicates
        self.tol = tol
        self.metric = metric
        self.metric_params = metric_params
        self.n_jobs = n_jobs
        self.verbose = verbose


class LPP(Estimator):
    """Projects on the directions along which neighbors are closest: linear Laplacian eigenmaps.

    Preserves nearness of neighbors, as far as a linear map can.
    Cost: neighbors, then time n D min(n, D), memory n D.
    New points: the same projection; interpolates: near a training row it tends to the row's
    position.

    Parameters
    ----------
    n_components : int, default=2
        Target dimension d. Legal: 1 to min(n - 1, D).
    n_neighbors : int, default=5
        Number of nearest neighbors. Legal: 1 to n - 1.
    radius : float or None, default=None
        Neighbors are all points within this distance, in input units; replaces k. Legal: above
        0.
    symmetry : {"union", "mutual"}, default="union"
        Which directed edges make an undirected one.
    weights : str or number, default="heat"
        Affinity of neighbors; heat without a width uses the mean distance to the last neighbor.
        Legal: connectivity, heat, or heat:WIDTH; the number above 0.
    principal : str or number, default="auto"
        Principal directions of the data that the map is made of; auto for all that the data
        span. Legal: auto, or at least 1.
    components : {"reject", "bridge", "largest", "per-component"}, default="bridge"
        What to do with a disconnected neighbor graph.
    duplicates : {"merge", "keep"}, default="merge"
        What to do with rows that are exact copies of others.
    n_jobs : int, default=None
        Number of threads; None and -1 for all processors. Results do not depend on it.
    verbose : bool or callable, default=False
        Whether to show progress, by tqdm where it is installed; or a function of stage, steps
        done, all steps and iteration.

    Attributes
    ----------
    embedding_ : ndarray of shape (n_samples, n_components)
        The coordinates.
    placed_ : ndarray of int
        Only where rows were not placed (``components="largest"``): those that were.
    components_ : ndarray of shape (n_components, n_features_in_)
        Only where all points have one map: the directions of the map.
    mean_ : ndarray of shape (n_features_in_,)
        Only where all points have one map: the means of the columns, weighted by the degrees.
    eigenvalues_ : ndarray of shape (n_components,)
        Only where all points have one map: the eigenvalues behind the coordinates, in the
        method's order.
    facts_ : dict
        What the fit reports:
        ``eigenvalues``: the eigenvalues behind the coordinates, in the method's order.
        ``residuals``: the relative residual |A v - lambda v| / |A| of each eigenvector v of
        norm one.
        ``rank``: directions of the data that the map is made of.
        ``metric``: the distance between points, where it is not euclidean.
        ``rows``: input rows that were placed, where some were not.
        ``pieces``: points per separately embedded component, where there are several.
        ``copies``: rows that are copies of an earlier row, whose place they share.
        ``bridges``: edges that were added to connect the graph.
    notes_ : list of str
        What a reader of the result must know.
    n_features_in_ : int
        The number of columns of X.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Only where the columns of X have names: these.

    Notes
    -----
    A curved manifold is projected, not unrolled. With nearly as many directions as points every
    function of the points is linear, the result equals the result of Laplacian eigenmaps, and
    it does not apply to new points; keep fewer principal directions. A direction in which the
    data vary little counts as much as any other. The graph must be connected.

    References
    ----------
    He and Niyogi (2003), Locality preserving projections, Advances in Neural Information
    Processing Systems 16; step 3: He, Yan, Hu, Niyogi and Zhang (2005), Face recognition using
    Laplacianfaces, doi:10.1109/TPAMI.2005.55.

    Examples
    --------
    >>> import swissroll
    >>> X, position = swissroll.datasets.make_swiss_roll(300)
    >>> fitted = swissroll.LPP(n_neighbors=10).fit(X[:250])
    >>> fitted.embedding_.shape, fitted.transform(X[250:]).shape
    ((250, 2), (50, 2))
    """

    _method = "lpp"
    _accepts = ("points",)
    _map = ("components_", "mean_",)
    _linear = True
    placed_: NDArray[np.uint32]
    components_: Floats
    mean_: Floats
    eigenvalues_: NDArray[np.float64]

    def __init__(
        self,
        n_components: int = 2,
        *,
        n_neighbors: int = 5,
        radius: float | None = None,
        symmetry: str = "union",
        weights: str | float = "heat",
        principal: str | float = "auto",
        components: str = "bridge",
        duplicates: str = "merge",
        n_jobs: int | None = None,
        verbose: Verbose = False,
    ):
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.radius = radius
        self.symmetry = symmetry
        self.weights = weights
        self.principal = principal
        self.components = components
        self.duplicates = duplicates
        self.n_jobs = n_jobs
        self.verbose = verbose


class NPE(Estimator):
    """Projects on the directions that the reconstruction weights of the data keep: linear LLE.

    Preserves the weights that reconstruct each point from its neighbors, as far as a linear map
    can.
    Cost: neighbors, time n k^2 (D + k) for the weights, then n D min(n, D); memory n (D + k).
    New points: the same projection; interpolates: near a training row it tends to the row's
    position.

    Parameters
    ----------
    n_components : int, default=2
        Target dimension d. Legal: 1 to min(n - 1, D).
    n_neighbors : int, default=5
        Number of nearest neighbors. Legal: 1 to n - 1.
    radius : float or None, default=None
        Neighbors are all points within this distance, in input units; replaces k. Legal: above
        0.
    reg : float, default=0.001
        Added to the diagonal of each local Gram matrix, relative to its trace. Legal: above 0.
    principal : str or number, default="auto"
        Principal directions of the data that the map is made of; auto for all that the data
        span. Legal: auto, or at least 1.
    components : {"reject", "bridge", "largest", "per-component"}, default="bridge"
        What to do with a disconnected neighbor graph.
    duplicates : {"merge", "keep"}, default="merge"
        What to do with rows that are exact copies of others.
    n_jobs : int, default=None
        Number of threads; None and -1 for all processors. Results do not depend on it.
    verbose : bool or callable, default=False
        Whether to show progress, by tqdm where it is installed; or a function of stage, steps
        done, all steps and iteration.

    Attributes
    ----------
    embedding_ : ndarray of shape (n_samples, n_components)
        The coordinates.
    placed_ : ndarray of int
        Only where rows were not placed (``components="largest"``): those that were.
    components_ : ndarray of shape (n_components, n_features_in_)
        Only where all points have one map: the directions of the map.
    mean_ : ndarray of shape (n_features_in_,)
        Only where all points have one map: the means of the columns, with
        ``duplicates="merge"`` the means of distinct rows.
    eigenvalues_ : ndarray of shape (n_components,)
        Only where all points have one map: the eigenvalues behind the coordinates, in the
        method's order.
    facts_ : dict
        What the fit reports:
        ``eigenvalues``: the eigenvalues behind the coordinates, in the method's order.
        ``residuals``: the relative residual |A v - lambda v| / |A| of each eigenvector v of
        norm one.
        ``rank``: directions of the data that the map is made of.
        ``metric``: the distance between points, where it is not euclidean.
        ``rows``: input rows that were placed, where some were not.
        ``pieces``: points per separately embedded component, where there are several.
        ``copies``: rows that are copies of an earlier row, whose place they share.
        ``bridges``: edges that were added to connect the graph.
    notes_ : list of str
        What a reader of the result must know.
    n_features_in_ : int
        The number of columns of X.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Only where the columns of X have names: these.

    Notes
    -----
    A curved manifold is projected, not unrolled. With nearly as many directions as points every
    function of the points is linear, the result equals the result of locally linear embedding,
    and it does not apply to new points; keep fewer principal directions. A direction in which
    the data vary little counts as much as any other. The graph must be connected.

    References
    ----------
    He, Cai, Yan and Zhang (2005), Neighborhood preserving embedding, doi:10.1109/ICCV.2005.167.

    Examples
    --------
    >>> import swissroll
    >>> X, position = swissroll.datasets.make_swiss_roll(300)
    >>> fitted = swissroll.NPE(n_neighbors=10).fit(X[:250])
    >>> fitted.embedding_.shape, fitted.transform(X[250:]).shape
    ((250, 2), (50, 2))
    """

    _method = "npe"
    _accepts = ("points",)
    _map = ("components_", "mean_",)
    _linear = True
    placed_: NDArray[np.uint32]
    components_: Floats
    mean_: Floats
    eigenvalues_: NDArray[np.float64]

    def __init__(
        self,
        n_components: int = 2,
        *,
        n_neighbors: int = 5,
        radius: float | None = None,
        reg: float = 0.001,
        principal: str | float = "auto",
        components: str = "bridge",
        duplicates: str = "merge",
        n_jobs: int | None = None,
        verbose: Verbose = False,
    ):
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.radius = radius
        self.reg = reg
        self.principal = principal
        self.components = components
        self.duplicates = duplicates
        self.n_jobs = n_jobs
        self.verbose = verbose


class LLTSA(Estimator):
    """Projects on the directions that are closest to affine on every tangent space: linear LTSA.

    Preserves tangent coordinates of each neighborhood, as far as a linear map can.
    Cost: neighbors, time n k D min(k, D) + n k^2 d for the tangents, then n D min(n, D); memory
    n (D + k^2).
    New points: the same projection; interpolates: near a training row it tends to the row's
    position.

    Parameters
    ----------
    n_components : int, default=2
        Target dimension d. Legal: 1 to min(n - 1, D, k - 2).
    n_neighbors : int, default=5
        Number of nearest neighbors. Legal: 1 to n - 1.
    radius : float or None, default=None
        Neighbors are all points within this distance, in input units; replaces k. Legal: above
        0.
    principal : str or number, default="auto"
        Principal directions of the data that the map is made of; auto for all that the data
        span. Legal: auto, or at least 1.
    components : {"reject", "bridge", "largest", "per-component"}, default="bridge"
        What to do with a disconnected neighbor graph.
    duplicates : {"merge", "keep"}, default="merge"
        What to do with rows that are exact copies of others.
    n_jobs : int, default=None
        Number of threads; None and -1 for all processors. Results do not depend on it.
    verbose : bool or callable, default=False
        Whether to show progress, by tqdm where it is installed; or a function of stage, steps
        done, all steps and iteration.

    Attributes
    ----------
    embedding_ : ndarray of shape (n_samples, n_components)
        The coordinates.
    placed_ : ndarray of int
        Only where rows were not placed (``components="largest"``): those that were.
    components_ : ndarray of shape (n_components, n_features_in_)
        Only where all points have one map: the directions of the map.
    mean_ : ndarray of shape (n_features_in_,)
        Only where all points have one map: the means of the columns, with
        ``duplicates="merge"`` the means of distinct rows.
    eigenvalues_ : ndarray of shape (n_components,)
        Only where all points have one map: the eigenvalues behind the coordinates, in the
        method's order.
    facts_ : dict
        What the fit reports:
        ``eigenvalues``: the eigenvalues behind the coordinates, in the method's order.
        ``residuals``: the relative residual |A v - lambda v| / |A| of each eigenvector v of
        norm one.
        ``rank``: directions of the data that the map is made of.
        ``metric``: the distance between points, where it is not euclidean.
        ``rows``: input rows that were placed, where some were not.
        ``pieces``: points per separately embedded component, where there are several.
        ``copies``: rows that are copies of an earlier row, whose place they share.
        ``bridges``: edges that were added to connect the graph.
    notes_ : list of str
        What a reader of the result must know.
    n_features_in_ : int
        The number of columns of X.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Only where the columns of X have names: these.

    Notes
    -----
    A curved manifold is projected, not unrolled; data in a flat subspace of d dimensions are
    reproduced up to an affine map. A point that is in few neighborhoods costs little wherever
    it lies: with many directions the map can be confined to such points; keep fewer principal
    directions. d must be the dimension of the manifold. The graph must be connected.

    References
    ----------
    Zhang, Yang, Zhao and Ge (2007), Linear local tangent space alignment and application to
    face recognition, doi:10.1016/j.neucom.2006.11.007.

    Examples
    --------
    >>> import swissroll
    >>> X, position = swissroll.datasets.make_swiss_roll(300)
    >>> fitted = swissroll.LLTSA(n_neighbors=10).fit(X[:250])
    >>> fitted.embedding_.shape, fitted.transform(X[250:]).shape
    ((250, 2), (50, 2))
    """

    _method = "lltsa"
    _accepts = ("points",)
    _map = ("components_", "mean_",)
    _linear = True
    placed_: NDArray[np.uint32]
    components_: Floats
    mean_: Floats
    eigenvalues_: NDArray[np.float64]

    def __init__(
        self,
        n_components: int = 2,
        *,
        n_neighbors: int = 5,
        radius: float | None = None,
        principal: str | float = "auto",
        components: str = "bridge",
        duplicates: str = "merge",
        n_jobs: int | None = None,
        verbose: Verbose = False,
    ):
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.radius = radius
        self.principal = principal
        self.components = components
        self.duplicates = duplicates
        self.n_jobs = n_jobs
        self.verbose = verbose


class ConformalEigenmaps(Estimator):
    """Rotates and scales LLE's eigenvectors to preserve the angles inside neighborhoods.

    Preserves angles, and lengths up to a local factor; in the unit of the input.
    Cost: as lle with m vectors, then n k^2 m^4 once and some 50 small problems, whatever n is.
    New points: the weights that reconstruct the new point from its neighbors, then the map;
    interpolates: near a training row it tends to the row's position.

    Parameters
    ----------
    n_components : int, default=2
        Target dimension d. Legal: 1 to basis.
    n_neighbors : int, default=5
        Number of nearest neighbors. Legal: 2 to n - 2.
    radius : float or None, default=None
        Neighbors are all points within this distance, in input units; replaces k. Legal: above
        0.
    basis : str or number, default="auto"
        Number m of spectral vectors. Legal: auto, or dim to n - 1, at most 30.
    reg : float, default=0.001
        Added to the diagonal of each local Gram matrix, relative to its trace. Legal: above 0.
    pairs : {"clique", "neighbors", "path"}, default="clique"
        Which pairs of a neighborhood count.
    weight : {"paper", "patch", "sqrt"}, default="paper"
        How much a neighborhood counts.
    pipeline : {"convex-then-rank", "convex", "rank"}, default="convex-then-rank"
        Which solutions are computed.
    restarts : int, default=0
        Random starts in addition to the deterministic ones. Legal: 0 to 1000.
    random_state : int, RandomState, Generator or None, default=None
        Seed of all random choices.
    units : {"input", "unit-trace"}, default="input"
        Unit of length of the result.
    gap : float, default=1e-06
        Certified distance to the convex optimum that counts as solved. Legal: at least 0 and
        below 1.
    max_iter : int, default=500
        Largest number of iterations of each alternation. Legal: at least 1.
    components : {"reject", "bridge", "largest", "per-component"}, default="bridge"
        What to do with a disconnected neighbor graph.
    duplicates : {"merge", "keep"}, default="merge"
        What to do with rows that are exact copies of others.
    tol : float, default=1e-10
        Residual demanded of the eigenvectors, relative to the operator's norm. Legal: above 0.
    metric : str or callable, default="euclidean"
        ``"euclidean"``, ``"cosine"``, ``"correlation"``, ``"manhattan"``, ``"chebyshev"``,
        ``"minkowski"``, ``"hamming"``, ``"jaccard"``, ``"hellinger"``, ``"gower"`` (of numbers, categories
        and gaps) or ``"nan_euclidean"`` (of numbers and NaN); another metric of
        `sklearn.metrics.pairwise_distances`, whose distances between all points are computed
        first (16 n^2 bytes); or ``"precomputed"``: X holds distances.
    metric_params : dict, default=None
        Parameters of the metric, such as ``{"weights": …}`` with a weight per column of ``"gower"``, or
        ``{"asymmetric": …}`` with the names of columns of 0 and 1 whose common zeros do not count.
    n_jobs : int, default=None
        Number of threads; None and -1 for all processors. Results do not depend on it.
    verbose : bool or callable, default=False
        Whether to show progress, by tqdm where it is installed; or a function of stage, steps
        done, all steps and iteration.

    Attributes
    ----------
    embedding_ : ndarray of shape (n_samples, n_components)
        The coordinates.
    placed_ : ndarray of int
        Only where rows were not placed (``components="largest"``): those that were.
    eigenvalues_ : ndarray of shape (n_components,)
        Only where all points have one map: the eigenvalues behind the coordinates, in the
        method's order.
    n_iter_ : int
        Only where all points have one map: number of iterations; not with ``pipeline="rank"``,
        which has none.
    facts_ : dict
        What the fit reports:
        ``eigenvalues``: the eigenvalues behind the coordinates, in the method's order.
        ``residuals``: the relative residual |A v - lambda v| / |A| of each eigenvector v of
        norm one.
        ``angle_error_before``: mean change of triangle angles in LLE's own coordinates, in
        degrees.
        ``angle_error_after``: the same in the result.
        ``angle_error_refined``: the same in the refined map, where LLE's own coordinates are
        better and were kept.
        ``angle_error_truncated``: the same in the leading directions of the convex solution.
        ``conformal_spectrum``: variance along the axes of the convex solution, sum 1; a drop
        suggests the dimension.
        ``rank_profile``: the smallest loss at rank 1, 2, .
        ``scale_variation``: standard deviation of the local scale divided by its mean; below
        0.2 nearly isometric.
        ``loss_of_basis``: the loss of angles of LLE's first d vectors.
        ``loss``: the loss of angles of the result; the basis scores 1 on average over
        directions.
        ``certificate``: the convex optimum: its loss, the proven lower bound, and how the
        iteration ended.
        ``convergence``: the states of the alternation on the convex problem and of plain loops
        on the same, by name.
        ``metric``: the distance between points, where it is not euclidean.
        ``rows``: input rows that were placed, where some were not.
        ``pieces``: points per separately embedded component, where there are several.
        ``copies``: rows that are copies of an earlier row, whose place they share.
        ``bridges``: edges that were added to connect the graph.
    notes_ : list of str
        What a reader of the result must know.
    n_features_in_ : int
        Only where X was given: its number of columns.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Only where the columns of X have names: these.

    Notes
    -----
    Conformal is not isometric: where the density varies, angles are right and lengths need not
    be. Data without a conformal picture in d dimensions gain little. With k so large, or a
    regularization so small, that the weights reconstruct the surface in space, that surface
    itself keeps all angles and nothing is unrolled; k from 8 to 15 suits most surfaces. With k
    of at most 6 the eigenvectors are too noisy. The graph must be connected.

    References
    ----------
    Sha and Saul (2005), Analysis and extension of spectral methods for nonlinear dimensionality
    reduction, doi:10.1145/1102351.1102450; the alternation: Salawa, Synowiec and Wójcik,
    lecture slides, AGH Kraków (2016).

    Examples
    --------
    >>> import swissroll
    >>> X, position = swissroll.datasets.make_swiss_roll(300)
    >>> fitted = swissroll.ConformalEigenmaps(n_neighbors=10).fit(X[:250])
    >>> fitted.embedding_.shape, fitted.transform(X[250:]).shape
    ((250, 2), (50, 2))
    """

    _method = "conformal-eigenmaps"
    _accepts = ("points", "distances",)
    placed_: NDArray[np.uint32]
    eigenvalues_: NDArray[np.float64]
    n_iter_: int

    def __init__(
        self,
        n_components: int = 2,
        *,
        n_neighbors: int = 5,
        radius: float | None = None,
        basis: str | float = "auto",
        reg: float = 0.001,
        pairs: str = "clique",
        weight: str = "paper",
        pipeline: str = "convex-then-rank",
        restarts: int = 0,
        random_state: Seed = None,
        units: str = "input",
        gap: float = 1e-06,
        max_iter: int = 500,
        components: str = "bridge",
        duplicates: str = "merge",
        tol: float = 1e-10,
        metric: Metric = "euclidean",
        metric_params: dict[str, Any] | None = None,
        n_jobs: int | None = None,
        verbose: Verbose = False,
    ):
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.radius = radius
        self.basis = basis
        self.reg = reg
        self.pairs = pairs
        self.weight = weight
        self.pipeline = pipeline
        self.restarts = restarts
        self.random_state = random_state
        self.units = units
        self.gap = gap
        self.max_iter = max_iter
        self.components = components
        self.duplicates = duplicates
        self.tol = tol
        self.metric = metric
        self.metric_params = metric_params
        self.n_jobs = n_jobs
        self.verbose = verbose


class MaximumVarianceUnfolding(Estimator):
    """Stretches LLE's eigenvectors as far as neighbor distances allow.

    Preserves distances between neighbors, in the unit of the input.
    Cost: as lle with m vectors, then n k^2 m^4 once and some 40 small problems, whatever n is.
    New points: the weights that reconstruct the new point from its neighbors, then the map;
    interpolates: near a training row it tends to the row's position.

    Parameters
    ----------
    n_components : int, default=2
        Target dimension d. Legal: 1 to basis.
    n_neighbors : int, default=5
        Number of nearest neighbors. Legal: 2 to n - 2.
    radius : float or None, default=None
        Neighbors are all points within this distance, in input units; replaces k. Legal: above
        0.
    basis : str or number, default="auto"
        Number m of spectral vectors. Legal: auto, or dim to n - 1, at most 30.
    reg : float, default=0.001
        Added to the diagonal of each local Gram matrix, relative to its trace. Legal: above 0.
    stiffness : float, default=1000.0
        How much lengths count against variance. Legal: at least 1e-6.
    pairs : {"clique", "neighbors", "path"}, default="clique"
        Which pairs of a neighborhood count.
    gap : float, default=1e-08
        Certified distance to the optimum that counts as solved. Legal: above 0.
    components : {"reject", "bridge", "largest", "per-component"}, default="bridge"
        What to do with a disconnected neighbor graph.
    duplicates : {"merge", "keep"}, default="merge"
        What to do with rows that are exact copies of others.
    tol : float, default=1e-10
        Residual demanded of the eigenvectors, relative to the operator's norm. Legal: above 0.
    metric : str or callable, default="euclidean"
        ``"euclidean"``, ``"cosine"``, ``"correlation"``, ``"manhattan"``, ``"chebyshev"``,
        ``"minkowski"``, ``"hamming"``, ``"jaccard"``, ``"hellinger"``, ``"gower"`` (of numbers, categories
        and gaps) or ``"nan_euclidean"`` (of numbers and NaN); another metric of
        `sklearn.metrics.pairwise_distances`, whose distances between all points are computed
        first (16 n^2 bytes); or ``"precomputed"``: X holds distances.
    metric_params : dict, default=None
        Parameters of the metric, such as ``{"weights": …}`` with a weight per column of ``"gower"``, or
        ``{"asymmetric": …}`` with the names of columns of 0 and 1 whose common zeros do not count.
    n_jobs : int, default=None
        Number of threads; None and -1 for all processors. Results do not depend on it.
    verbose : bool or callable, default=False
        Whether to show progress, by tqdm where it is installed; or a function of stage, steps
        done, all steps and iteration.

    Attributes
    ----------
    embedding_ : ndarray of shape (n_samples, n_components)
        The coordinates.
    placed_ : ndarray of int
        Only where rows were not placed (``components="largest"``): those that were.
    eigenvalues_ : ndarray of shape (n_components,)
        Only where all points have one map: the same as ``explained_variance_``.
    explained_variance_ : ndarray of shape (n_components,)
        Only where all points have one map: variance along each axis of the solution in all m
        dimensions.
    explained_variance_ratio_ : ndarray of shape (n_components,)
        Only where all points have one map: the same as fractions of the total.
    n_iter_ : int
        Only where all points have one map: number of iterations.
    facts_ : dict
        What the fit reports:
        ``residuals``: the relative residual |A v - lambda v| / |A| of each eigenvector v of
        norm one.
        ``certificate``: the optimum: its objective, the proven lower bound, and how the
        iteration ended.
        ``explained_variance``: variance along each axis of the solution in all m dimensions.
        ``explained_variance_ratio``: the same as fractions of the total.
        ``total_variance``: variance of that solution.
        ``length_error_before``: error of squared lengths between neighbors relative to their
        size, in root mean square, of LLE's first d vectors at their best scale.
        ``length_error_unfolded``: the same of the convex solution in all m dimensions.
        ``length_error_after``: the same in the result.
        ``angle_error_before``: mean change of triangle angles in LLE's own coordinates, in
        degrees.
        ``angle_error_after``: the same in the result.
        ``metric``: the distance between points, where it is not euclidean.
        ``rows``: input rows that were placed, where some were not.
        ``pieces``: points per separately embedded component, where there are several.
        ``copies``: rows that are copies of an earlier row, whose place they share.
        ``bridges``: edges that were added to connect the graph.
    notes_ : list of str
        What a reader of the result must know.
    n_features_in_ : int
        Only where X was given: its number of columns.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Only where the columns of X have names: these.

    Notes
    -----
    A surface that cannot be flattened without stretching, as a sphere, keeps its lengths in
    more than d dimensions, and the cut to d loses them. With m too small the coordinates of the
    sheet are not a combination of the eigenvectors. One edge between two layers of a roll ties
    them to each other. The graph must be connected.

    References
    ----------
    Weinberger and Saul (2006), Unsupervised learning of image manifolds by semidefinite
    programming, doi:10.1007/s11263-005-4939-z; in the span of eigenvectors: Weinberger, Sha,
    Zhu and Saul (2006), Advances in Neural Information Processing Systems 19 (no DOI).

    Examples
    --------
    >>> import swissroll
    >>> X, position = swissroll.datasets.make_swiss_roll(300)
    >>> fitted = swissroll.MaximumVarianceUnfolding(n_neighbors=10).fit(X[:250])
    >>> fitted.embedding_.shape, fitted.transform(X[250:]).shape
    ((250, 2), (50, 2))
    """

    _method = "mvu"
    _accepts = ("points", "distances",)
    _facts = ("explained_variance", "explained_variance_ratio",)
    placed_: NDArray[np.uint32]
    eigenvalues_: NDArray[np.float64]
    explained_variance_: NDArray[np.float64]
    explained_variance_ratio_: NDArray[np.float64]
    n_iter_: int

    def __init__(
        self,
        n_components: int = 2,
        *,
        n_neighbors: int = 5,
        radius: float | None = None,
        basis: str | float = "auto",
        reg: float = 0.001,
        stiffness: float = 1000.0,
        pairs: str = "clique",
        gap: float = 1e-08,
        components: str = "bridge",
        duplicates: str = "merge",
        tol: float = 1e-10,
        metric: Metric = "euclidean",
        metric_params: dict[str, Any] | None = None,
        n_jobs: int | None = None,
        verbose: Verbose = False,
    ):
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.radius = radius
        self.basis = basis
        self.reg = reg
        self.stiffness = stiffness
        self.pairs = pairs
        self.gap = gap
        self.components = components
        self.duplicates = duplicates
        self.tol = tol
        self.metric = metric
        self.metric_params = metric_params
        self.n_jobs = n_jobs
        self.verbose = verbose


class UMAP(Estimator):
    """Draws the edges of a weighted neighbor graph short and other pairs apart.

    Preserves neighborhoods and clusters; neither distances nor densities.
    Cost: k neighbors per point, a sparse eigenproblem, then time n k per epoch, memory n k.
    New points: optimization of each new point alone in the fixed map; does not interpolate:
    near a training row, up to 3.7 % of the map's extent from its position in the median of 13
    trials, and 21 % in the worst; more where classes overlap (300 digits or points of a roll).

    Parameters
    ----------
    n_components : int, default=2
        Target dimension d. Legal: at least 1.
    n_neighbors : int, default=14
        Number of nearest neighbors. Legal: 1 to n - 1.
    radius : float or None, default=None
        Neighbors are all points within this distance, in input units; replaces k. Legal: above
        0.
    min_dist : float, default=0.1
        Distance up to which points of the map are fully similar; at most the spread. Legal: at
        least 0.
    spread : float, default=1
        Distance over which the similarity in the map decays. Legal: above 0.
    epochs : str or number, default="auto"
        Passes over the edges; auto is 1000 for up to 10,000 points, 200 for more, and 200 in
        addition for densmap. Legal: auto, or at least 1.
    surface : {"plane", "sphere", "torus", "hyperboloid"}, default="plane"
        The surface of the map: plane; sphere, whose d = 3 coordinates are unit vectors; torus,
        whose d = 4 are cosines and sines of two angles; or hyperboloid, whose d = 2 are places
        in the Poincaré disk.
    init : {"spectral", "pca", "random"} or array of shape (n_samples, n_components), default="spectral"
        Initial coordinates.
    learning_rate : float, default=0.25
        Step length relative to the gradient at first; it decreases linearly to 0. Legal: above
        0.
    negatives : int, default=5
        Random points that repel a point, per visit of an edge. Legal: 0 to 10000.
    repulsion : float, default=1
        Weight of the repulsion by each random point. Legal: at least 0.
    local_connectivity : float, default=1
        Number of nearest neighbors of full membership. Legal: at least 0.
    mix : float, default=1
        1 for the union of the directed edges, 0 for their intersection. Legal: 0 to 1.
    target_weight : str or number or None, default=None
        Weight of the labels or of a continuous target, which separates classes or values; none
        uses neither. 0 uses labels least, and a continuous target not at all. Legal: none, or 0
        to 1.
    target_neighbors : str or number, default="auto"
        Number of neighbors of each value of a continuous target, at most the known values less
        one; auto is k (14 with a radius). Legal: auto, or at least 1.
    placing_epochs : int, default=100
        Epochs of a new point. Legal: 1 to 1000000.
    placing_learning_rate : float, default=0.25
        Step length of a new point at first. Legal: above 0.
    duplicates : {"merge", "keep"}, default="keep"
        What to do with rows that are exact copies of others.
    random_state : int, RandomState, Generator or None, default=None
        Seed of all random choices.
    warm_start : bool, default=False
        Whether a further fit goes on from the map of the last one, of the same rows, with as
        many more iterations. The phases that only lead from a small start to a map are left
        out.
    target : {"classes", "continuous"}, default="classes"
        What y has where `target_weight` is set: a class per row, -1 where it is unknown, or a
        number, NaN where it is unknown.
    metric : str or callable, default="euclidean"
        ``"euclidean"``, ``"cosine"``, ``"correlation"``, ``"manhattan"``, ``"chebyshev"``,
        ``"minkowski"``, ``"hamming"``, ``"jaccard"``, ``"hellinger"``, ``"gower"`` (of numbers, categories
        and gaps) or ``"nan_euclidean"`` (of numbers and NaN); another metric of
        `sklearn.metrics.pairwise_distances`, whose distances between all points are computed
        first (16 n^2 bytes); or ``"precomputed"``: X holds distances.
    metric_params : dict, default=None
        Parameters of the metric, such as ``{"weights": …}`` with a weight per column of ``"gower"``, or
        ``{"asymmetric": …}`` with the names of columns of 0 and 1 whose common zeros do not count.
    n_jobs : int, default=None
        Number of threads; None and -1 for all processors. Results do not depend on it.
    verbose : bool or callable, default=False
        Whether to show progress, by tqdm where it is installed; or a function of stage, steps
        done, all steps and iteration.

    Attributes
    ----------
    embedding_ : ndarray of shape (n_samples, n_components)
        The coordinates.
    n_iter_ : int
        Number of iterations.
    facts_ : dict
        What the fit reports:
        ``metric``: the distance between points, where it is not euclidean.
        ``cross_entropy``: the cross entropy of graph and map, summed over all pairs of points,
        in nats.
        ``cross_entropy_exact``: whether every pair was computed.
        ``cross_entropies``: epoch and cross entropy every 50 epochs, estimated from a sample of
        pairs.
        ``radius_correlation``: the correlation of the logarithms of local radii in the data and
        in the map.
        ``a``: factor of the similarity 1 / (1 + a x^(2b)) in the map.
        ``b``: half the exponent of that similarity.
        ``surface``: the surface of the map, where it is not the plane.
        ``edges``: number of edges of the graph that are visited.
        ``graph_components``: number of connected components of the graph.
        ``status``: how the iteration ended.
        ``copies``: rows that are copies of an earlier row, whose place they share.
    notes_ : list of str
        What a reader of the result must know.
    n_features_in_ : int
        Only where X was given: its number of columns.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Only where the columns of X have names: these.

    Notes
    -----
    Sizes of clusters and distances between them mean little. Connected data can be torn, and
    noise shows clusters where k is small. A supervised map agrees with any target, even with
    random numbers. Sphere and torus have a fixed size: clusters overlap where the spread is
    large for it. Other seeds and starts end in other maps.

    References
    ----------
    McInnes, Healy and Melville (2018), UMAP: Uniform manifold approximation and projection for
    dimension reduction, doi:10.48550/arXiv.1802.03426; the sampled loss: Damrich and Hamprecht
    (2021), On UMAP's true loss function, doi:10.48550/arXiv.2103.14608.

    Examples
    --------
    >>> import swissroll
    >>> X, position = swissroll.datasets.make_swiss_roll(300)
    >>> fitted = swissroll.UMAP().fit(X[:250])
    >>> fitted.embedding_.shape, fitted.transform(X[250:]).shape
    ((250, 2), (50, 2))
    """

    _method = "umap"
    _accepts = ("points", "distances", "neighbors",)
    _reads_labels = True
    n_iter_: int

    def __init__(
        self,
        n_components: int = 2,
        *,
        n_neighbors: int = 14,
        radius: float | None = None,
        min_dist: float = 0.1,
        spread: float = 1,
        epochs: str | float = "auto",
        surface: str = "plane",
        init: str | Floats = "spectral",
        learning_rate: float = 0.25,
        negatives: int = 5,
        repulsion: float = 1,
        local_connectivity: float = 1,
        mix: float = 1,
        target_weight: str | float | None = None,
        target_neighbors: str | float = "auto",
        placing_epochs: int = 100,
        placing_learning_rate: float = 0.25,
        duplicates: str = "keep",
        random_state: Seed = None,
        warm_start: bool = False,
        target: str = "classes",
        metric: Metric = "euclidean",
        metric_params: dict[str, Any] | None = None,
        n_jobs: int | None = None,
        verbose: Verbose = False,
    ):
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.radius = radius
        self.min_dist = min_dist
        self.spread = spread
        self.epochs = epochs
        self.surface = surface
        self.init = init
        self.learning_rate = learning_rate
        self.negatives = negatives
        self.repulsion = repulsion
        self.local_connectivity = local_connectivity
        self.mix = mix
        self.target_weight = target_weight
        self.target_neighbors = target_neighbors
        self.placing_epochs = placing_epochs
        self.placing_learning_rate = placing_learning_rate
        self.duplicates = duplicates
        self.random_state = random_state
        self.warm_start = warm_start
        self.target = target
        self.metric = metric
        self.metric_params = metric_params
        self.n_jobs = n_jobs
        self.verbose = verbose


class DensMAP(Estimator):
    """UMAP with local radii in the map that follow the local radii in the data.

    Preserves neighborhoods, clusters and local density; no distances.
    Cost: as UMAP, and time n k for each of the last epochs.
    New points: as by UMAP, without regard to density; does not interpolate: near a training
    row, up to 6 % of the map's extent from its position in the median of 13 trials, and 28 % in
    the worst; more where classes overlap (300 digits or points of a roll).

    Parameters
    ----------
    n_components : int, default=2
        Target dimension d. Legal: at least 1.
    n_neighbors : int, default=14
        Number of nearest neighbors. Legal: 1 to n - 1.
    radius : float or None, default=None
        Neighbors are all points within this distance, in input units; replaces k. Legal: above
        0.
    min_dist : float, default=0.1
        Distance up to which points of the map are fully similar; at most the spread. Legal: at
        least 0.
    spread : float, default=1
        Distance over which the similarity in the map decays. Legal: above 0.
    epochs : str or number, default="auto"
        Passes over the edges; auto is 1000 for up to 10,000 points, 200 for more, and 200 in
        addition for densmap. Legal: auto, or at least 1.
    surface : {"plane", "sphere", "torus", "hyperboloid"}, default="plane"
        The surface of the map: plane; sphere, whose d = 3 coordinates are unit vectors; torus,
        whose d = 4 are cosines and sines of two angles; or hyperboloid, whose d = 2 are places
        in the Poincaré disk.
    init : {"spectral", "pca", "random"} or array of shape (n_samples, n_components), default="spectral"
        Initial coordinates.
    learning_rate : float, default=0.25
        Step length relative to the gradient at first; it decreases linearly to 0. Legal: above
        0.
    negatives : int, default=5
        Random points that repel a point, per visit of an edge. Legal: 0 to 10000.
    repulsion : float, default=1
        Weight of the repulsion by each random point. Legal: at least 0.
    local_connectivity : float, default=1
        Number of nearest neighbors of full membership. Legal: at least 0.
    mix : float, default=1
        1 for the union of the directed edges, 0 for their intersection. Legal: 0 to 1.
    target_weight : str or number or None, default=None
        Weight of the labels or of a continuous target, which separates classes or values; none
        uses neither. 0 uses labels least, and a continuous target not at all. Legal: none, or 0
        to 1.
    target_neighbors : str or number, default="auto"
        Number of neighbors of each value of a continuous target, at most the known values less
        one; auto is k (14 with a radius). Legal: auto, or at least 1.
    placing_epochs : int, default=100
        Epochs of a new point. Legal: 1 to 1000000.
    placing_learning_rate : float, default=0.25
        Step length of a new point at first. Legal: above 0.
    duplicates : {"merge", "keep"}, default="keep"
        What to do with rows that are exact copies of others.
    random_state : int, RandomState, Generator or None, default=None
        Seed of all random choices.
    density_weight : float, default=2
        Weight of the correlation of local radii in data and map. Legal: 0 to 1e6.
    density_fraction : float, default=0.3
        Fraction of the epochs that have this term, the last ones. Legal: 0 to 1.
    density_shift : float, default=0.1
        Added to the variance of log radii of the map in the correlation. Legal: at least 0.
    warm_start : bool, default=False
        Whether a further fit goes on from the map of the last one, of the same rows, with as
        many more iterations. The phases that only lead from a small start to a map are left
        out.
    target : {"classes", "continuous"}, default="classes"
        What y has where `target_weight` is set: a class per row, -1 where it is unknown, or a
        number, NaN where it is unknown.
    metric : str or callable, default="euclidean"
        ``"euclidean"``, ``"cosine"``, ``"correlation"``, ``"manhattan"``, ``"chebyshev"``,
        ``"minkowski"``, ``"hamming"``, ``"jaccard"``, ``"hellinger"``, ``"gower"`` (of numbers, categories
        and gaps) or ``"nan_euclidean"`` (of numbers and NaN); another metric of
        `sklearn.metrics.pairwise_distances`, whose distances between all points are computed
        first (16 n^2 bytes); or ``"precomputed"``: X holds distances.
    metric_params : dict, default=None
        Parameters of the metric, such as ``{"weights": …}`` with a weight per column of ``"gower"``, or
        ``{"asymmetric": …}`` with the names of columns of 0 and 1 whose common zeros do not count.
    n_jobs : int, default=None
        Number of threads; None and -1 for all processors. Results do not depend on it.
    verbose : bool or callable, default=False
        Whether to show progress, by tqdm where it is installed; or a function of stage, steps
        done, all steps and iteration.

    Attributes
    ----------
    embedding_ : ndarray of shape (n_samples, n_components)
        The coordinates.
    n_iter_ : int
        Number of iterations.
    facts_ : dict
        What the fit reports:
        ``metric``: the distance between points, where it is not euclidean.
        ``cross_entropy``: the cross entropy of graph and map, summed over all pairs of points,
        in nats.
        ``cross_entropy_exact``: whether every pair was computed.
        ``cross_entropies``: epoch and cross entropy every 50 epochs, estimated from a sample of
        pairs.
        ``radius_correlation``: the correlation of the logarithms of local radii in the data and
        in the map.
        ``a``: factor of the similarity 1 / (1 + a x^(2b)) in the map.
        ``b``: half the exponent of that similarity.
        ``surface``: the surface of the map, where it is not the plane.
        ``edges``: number of edges of the graph that are visited.
        ``graph_components``: number of connected components of the graph.
        ``status``: how the iteration ended.
        ``copies``: rows that are copies of an earlier row, whose place they share.
    notes_ : list of str
        What a reader of the result must know.
    n_features_in_ : int
        Only where X was given: its number of columns.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Only where the columns of X have names: these.

    Notes
    -----
    As UMAP; places of clusters mean as little. Where the radii of the data are the same for all
    points there is no correlation, and the map is UMAP's. Neighbors that are duplicates make a
    radius small.

    References
    ----------
    Narayan, Berger and Cho (2021), Assessing single-cell transcriptomic variability through
    density-preserving data visualization, doi:10.1038/s41587-020-00801-7.

    Examples
    --------
    >>> import swissroll
    >>> X, position = swissroll.datasets.make_swiss_roll(300)
    >>> fitted = swissroll.DensMAP().fit(X[:250])
    >>> fitted.embedding_.shape, fitted.transform(X[250:]).shape
    ((250, 2), (50, 2))
    """

    _method = "densmap"
    _accepts = ("points", "distances", "neighbors",)
    _reads_labels = True
    n_iter_: int

    def __init__(
        self,
        n_components: int = 2,
        *,
        n_neighbors: int = 14,
        radius: float | None = None,
        min_dist: float = 0.1,
        spread: float = 1,
        epochs: str | float = "auto",
        surface: str = "plane",
        init: str | Floats = "spectral",
        learning_rate: float = 0.25,
        negatives: int = 5,
        repulsion: float = 1,
        local_connectivity: float = 1,
        mix: float = 1,
        target_weight: str | float | None = None,
        target_neighbors: str | float = "auto",
        placing_epochs: int = 100,
        placing_learning_rate: float = 0.25,
        duplicates: str = "keep",
        random_state: Seed = None,
        density_weight: float = 2,
        density_fraction: float = 0.3,
        density_shift: float = 0.1,
        warm_start: bool = False,
        target: str = "classes",
        metric: Metric = "euclidean",
        metric_params: dict[str, Any] | None = None,
        n_jobs: int | None = None,
        verbose: Verbose = False,
    ):
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.radius = radius
        self.min_dist = min_dist
        self.spread = spread
        self.epochs = epochs
        self.surface = surface
        self.init = init
        self.learning_rate = learning_rate
        self.negatives = negatives
        self.repulsion = repulsion
        self.local_connectivity = local_connectivity
        self.mix = mix
        self.target_weight = target_weight
        self.target_neighbors = target_neighbors
        self.placing_epochs = placing_epochs
        self.placing_learning_rate = placing_learning_rate
        self.duplicates = duplicates
        self.random_state = random_state
        self.density_weight = density_weight
        self.density_fraction = density_fraction
        self.density_shift = density_shift
        self.warm_start = warm_start
        self.target = target
        self.metric = metric
        self.metric_params = metric_params
        self.n_jobs = n_jobs
        self.verbose = verbose


class PaCMAP(Estimator):
    """Draws near and mid-near pairs close and further pairs apart, in three phases.

    Preserves neighborhoods and clusters, and roughly their arrangement; no distances.
    Cost: k + 50 neighbors per point, then time and memory n k per iteration.
    New points: the loss of near pairs of each new point alone, divided by their scaled
    distances, in the fixed map; interpolates: near a training row it tends to the row's
    position.

    Parameters
    ----------
    n_components : int, default=2
        Target dimension d. Legal: at least 1.
    n_neighbors : str or number, default="auto"
        Near pairs of each point; auto is 10 for up to 10,000 points, then 15 more for ten times
        as many, but at most a third of the other points. Legal: auto, or 1 to n - 1.
    mid_near_ratio : float, default=0.5
        Mid-near pairs per near pair. Legal: 0 to 1000.
    further_ratio : float, default=2
        Further pairs per near pair. Legal: 0 to 1000.
    extra_neighbors : int, default=50
        Nearest neighbors beyond k among which near pairs are selected. Legal: at least 0.
    mid_near_draws : int, default=6
        Number of random points; the second nearest becomes a mid-near pair. Legal: at least 2.
    columns : int, default=100
        Largest number of columns; points with more, and sparse points, are reduced to as many
        principal components. Legal: at least 1.
    recall : float, default=1
        Fraction of the true neighbors that the search must find; 1 is exact, as is the search
        by given distances. Legal: 0.01 to 1.
    first_iterations : int, default=100
        Iterations of the first phase. Legal: 0 to 1000000.
    first_near : float, default=2
        Weight of near pairs in the first phase. Legal: 0 to 1e12.
    first_mid_near : float, default=1000.0
        Weight of mid-near pairs at the start of the first phase; it changes linearly to their
        weight in the second phase. Legal: 0 to 1e12.
    first_further : float, default=1
        Weight of further pairs in the first phase. Legal: 0 to 1e12.
    second_iterations : int, default=100
        Iterations of the second phase. Legal: 0 to 1000000.
    second_near : float, default=3
        Weight of near pairs in the second phase. Legal: 0 to 1e12.
    second_mid_near : float, default=3
        Weight of mid-near pairs in the second phase. Legal: 0 to 1e12.
    second_further : float, default=1
        Weight of further pairs in the second phase. Legal: 0 to 1e12.
    third_iterations : int, default=250
        Iterations of the third phase. Legal: 0 to 1000000.
    third_near : float, default=1
        Weight of near pairs in the third phase. Legal: 0 to 1e12.
    third_mid_near : float, default=0
        Weight of mid-near pairs in the third phase. Legal: 0 to 1e12.
    third_further : float, default=1
        Weight of further pairs in the third phase. Legal: 0 to 1e12.
    near_saturation : float, default=10
        1 + squared distance at which the term of a near pair is a half. Legal: 1e-6 to 1e12.
    mid_near_saturation : float, default=10000.0
        1 + squared distance at which the term of a mid-near pair is a half. Legal: 1e-6 to
        1e12.
    further_saturation : float, default=1
        1 + squared distance at which the term of a further pair is a half. Legal: 1e-6 to 1e12.
    learning_rate : float, default=1
        Length of a step. Legal: above 0.
    gradient_decay : float, default=0.9
        Decay of the mean of gradients in Adam. Legal: at least 0 and below 1.
    square_decay : float, default=0.999
        Decay of the mean of squared gradients in Adam. Legal: at least 0 and below 1.
    init : {"pca", "random"} or array of shape (n_samples, n_components), default="pca"
        Initial coordinates.
    placing_steps : int, default=100
        Largest number of steps of a new point. Legal: 1 to 1000000.
    duplicates : {"merge", "keep"}, default="keep"
        What to do with rows that are exact copies of others.
    random_state : int, RandomState, Generator or None, default=None
        Seed of all random choices.
    warm_start : bool, default=False
        Whether a further fit goes on from the map of the last one, of the same rows, with as
        many more iterations. The phases that only lead from a small start to a map are left
        out.
    metric : str or callable, default="euclidean"
        ``"euclidean"``, ``"cosine"``, ``"correlation"``, ``"manhattan"``, ``"chebyshev"``,
        ``"minkowski"``, ``"hamming"``, ``"jaccard"``, ``"hellinger"``, ``"gower"`` (of numbers, categories
        and gaps) or ``"nan_euclidean"`` (of numbers and NaN); another metric of
        `sklearn.metrics.pairwise_distances`, whose distances between all points are computed
        first (16 n^2 bytes); or ``"precomputed"``: X holds distances.
    metric_params : dict, default=None
        Parameters of the metric, such as ``{"weights": …}`` with a weight per column of ``"gower"``, or
        ``{"asymmetric": …}`` with the names of columns of 0 and 1 whose common zeros do not count.
    n_jobs : int, default=None
        Number of threads; None and -1 for all processors. Results do not depend on it.
    verbose : bool or callable, default=False
        Whether to show progress, by tqdm where it is installed; or a function of stage, steps
        done, all steps and iteration.

    Attributes
    ----------
    embedding_ : ndarray of shape (n_samples, n_components)
        The coordinates.
    n_iter_ : int
        Number of iterations.
    facts_ : dict
        What the fit reports:
        ``metric``: the distance between points, where it is not euclidean.
        ``loss``: the loss of the final map with the weights of the third phase.
        ``losses``: iteration, and loss with the weights of that iteration, every 50 iterations.
        ``near_pairs``: number of near pairs.
        ``mid_near_pairs``: number of mid-near pairs.
        ``further_pairs``: number of further pairs.
        ``neighbor_recall``: fraction of the true neighbors that the search found, in a sample;
        1 where it was exact.
        ``status``: how the iteration ended.
        ``copies``: rows that are copies of an earlier row, whose place they share.
    notes_ : list of str
        What a reader of the result must know.
    n_features_in_ : int
        Only where X was given: its number of columns.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Only where the columns of X have names: these.

    Notes
    -----
    Sizes of clusters and distances between them mean little. A Swiss roll is unrolled only in
    part: mid-near pairs are chosen by distances in space, not along the surface, so that the
    sheet stays bent, and its width varies by a factor of 2 or more. Other seeds end in other
    maps, some with a connected surface in two pieces.

    References
    ----------
    Wang, Huang, Rudin and Shaposhnik (2021), Understanding how dimension reduction tools work:
    an empirical approach to deciphering t-SNE, UMAP, TriMap, and PaCMAP for data visualization,
    Journal of Machine Learning Research 22(201), doi:10.48550/arXiv.2012.04456.

    Examples
    --------
    >>> import swissroll
    >>> X, position = swissroll.datasets.make_swiss_roll(300)
    >>> fitted = swissroll.PaCMAP().fit(X[:250])
    >>> fitted.embedding_.shape, fitted.transform(X[250:]).shape
    ((250, 2), (50, 2))
    """

    _method = "pacmap"
    _accepts = ("points", "distances",)
    _reads_entries = True
    n_iter_: int

    def __init__(
        self,
        n_components: int = 2,
        *,
        n_neighbors: str | float = "auto",
        mid_near_ratio: float = 0.5,
        further_ratio: float = 2,
        extra_neighbors: int = 50,
        mid_near_draws: int = 6,
        columns: int = 100,
        recall: float = 1,
        first_iterations: int = 100,
        first_near: float = 2,
        first_mid_near: float = 1000.0,
        first_further: float = 1,
        second_iterations: int = 100,
        second_near: float = 3,
        second_mid_near: float = 3,
        second_further: float = 1,
        third_iterations: int = 250,
        third_near: float = 1,
        third_mid_near: float = 0,
        third_further: float = 1,
        near_saturation: float = 10,
        mid_near_saturation: float = 10000.0,
        further_saturation: float = 1,
        learning_rate: float = 1,
        gradient_decay: float = 0.9,
        square_decay: float = 0.999,
        init: str | Floats = "pca",
        placing_steps: int = 100,
        duplicates: str = "keep",
        random_state: Seed = None,
        warm_start: bool = False,
        metric: Metric = "euclidean",
        metric_params: dict[str, Any] | None = None,
        n_jobs: int | None = None,
        verbose: Verbose = False,
    ):
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.mid_near_ratio = mid_near_ratio
        self.further_ratio = further_ratio
        self.extra_neighbors = extra_neighbors
        self.mid_near_draws = mid_near_draws
        self.columns = columns
        self.recall = recall
        self.first_iterations = first_iterations
        self.first_near = first_near
        self.first_mid_near = first_mid_near
        self.first_further = first_further
        self.second_iterations = second_iterations
        self.second_near = second_near
        self.second_mid_near = second_mid_near
        self.second_further = second_further
        self.third_iterations = third_iterations
        self.third_near = third_near
        self.third_mid_near = third_mid_near
        self.third_further = third_further
        self.near_saturation = near_saturation
        self.mid_near_saturation = mid_near_saturation
        self.further_saturation = further_saturation
        self.learning_rate = learning_rate
        self.gradient_decay = gradient_decay
        self.square_decay = square_decay
        self.init = init
        self.placing_steps = placing_steps
        self.duplicates = duplicates
        self.random_state = random_state
        self.warm_start = warm_start
        self.metric = metric
        self.metric_params = metric_params
        self.n_jobs = n_jobs
        self.verbose = verbose


class LocalMAP(Estimator):
    """PaCMAP with near pairs reweighted and further pairs drawn nearby, which separates clusters.

    Preserves clusters and neighborhoods in them; no distances.
    Cost: as PaCMAP, and draws of further pairs.
    New points: the loss of near pairs of each new point alone, divided by their scaled
    distances, in the fixed map; interpolates: near a training row it tends to the row's
    position.

    Parameters
    ----------
    n_components : int, default=2
        Target dimension d. Legal: at least 1.
    n_neighbors : str or number, default="auto"
        Near pairs of each point; auto is 10 for up to 10,000 points, then 15 more for ten times
        as many, but at most a third of the other points. Legal: auto, or 1 to n - 1.
    mid_near_ratio : float, default=0.5
        Mid-near pairs per near pair. Legal: 0 to 1000.
    further_ratio : float, default=2
        Further pairs per near pair. Legal: 0 to 1000.
    extra_neighbors : int, default=50
        Nearest neighbors beyond k among which near pairs are selected. Legal: at least 0.
    mid_near_draws : int, default=6
        Number of random points; the second nearest becomes a mid-near pair. Legal: at least 2.
    columns : int, default=100
        Largest number of columns; points with more, and sparse points, are reduced to as many
        principal components. Legal: at least 1.
    recall : float, default=1
        Fraction of the true neighbors that the search must find; 1 is exact, as is the search
        by given distances. Legal: 0.01 to 1.
    first_iterations : int, default=100
        Iterations of the first phase. Legal: 0 to 1000000.
    first_near : float, default=2
        Weight of near pairs in the first phase. Legal: 0 to 1e12.
    first_mid_near : float, default=1000.0
        Weight of mid-near pairs at the start of the first phase; it changes linearly to their
        weight in the second phase. Legal: 0 to 1e12.
    first_further : float, default=1
        Weight of further pairs in the first phase. Legal: 0 to 1e12.
    second_iterations : int, default=100
        Iterations of the second phase. Legal: 0 to 1000000.
    second_near : float, default=3
        Weight of near pairs in the second phase. Legal: 0 to 1e12.
    second_mid_near : float, default=3
        Weight of mid-near pairs in the second phase. Legal: 0 to 1e12.
    second_further : float, default=1
        Weight of further pairs in the second phase. Legal: 0 to 1e12.
    third_iterations : int, default=250
        Iterations of the third phase. Legal: 0 to 1000000.
    third_near : float, default=1
        Weight of near pairs in the third phase. Legal: 0 to 1e12.
    third_mid_near : float, default=0
        Weight of mid-near pairs in the third phase. Legal: 0 to 1e12.
    third_further : float, default=1
        Weight of further pairs in the third phase. Legal: 0 to 1e12.
    near_saturation : float, default=10
        1 + squared distance at which the term of a near pair is a half. Legal: 1e-6 to 1e12.
    mid_near_saturation : float, default=10000.0
        1 + squared distance at which the term of a mid-near pair is a half. Legal: 1e-6 to
        1e12.
    further_saturation : float, default=1
        1 + squared distance at which the term of a further pair is a half. Legal: 1e-6 to 1e12.
    learning_rate : float, default=1
        Length of a step. Legal: above 0.
    gradient_decay : float, default=0.9
        Decay of the mean of gradients in Adam. Legal: at least 0 and below 1.
    square_decay : float, default=0.999
        Decay of the mean of squared gradients in Adam. Legal: at least 0 and below 1.
    init : {"pca", "random"} or array of shape (n_samples, n_components), default="pca"
        Initial coordinates.
    placing_steps : int, default=100
        Largest number of steps of a new point. Legal: 1 to 1000000.
    duplicates : {"merge", "keep"}, default="keep"
        What to do with rows that are exact copies of others.
    random_state : int, RandomState, Generator or None, default=None
        Seed of all random choices.
    distance : float, default=10
        Distance in the map within which further pairs are drawn again; near pairs are weighted
        by its half over their distance. Legal: 1e-6 to 1e12.
    every : int, default=10
        Iterations of the third phase between draws of further pairs. Legal: at least 1.
    tries : int, default=100
        Random points that are tried for a further pair, before it is kept. Legal: 0 to 1000000.
    warm_start : bool, default=False
        Whether a further fit goes on from the map of the last one, of the same rows, with as
        many more iterations. The phases that only lead from a small start to a map are left
        out.
    metric : str or callable, default="euclidean"
        ``"euclidean"``, ``"cosine"``, ``"correlation"``, ``"manhattan"``, ``"chebyshev"``,
        ``"minkowski"``, ``"hamming"``, ``"jaccard"``, ``"hellinger"``, ``"gower"`` (of numbers, categories
        and gaps) or ``"nan_euclidean"`` (of numbers and NaN); another metric of
        `sklearn.metrics.pairwise_distances`, whose distances between all points are computed
        first (16 n^2 bytes); or ``"precomputed"``: X holds distances.
    metric_params : dict, default=None
        Parameters of the metric, such as ``{"weights": …}`` with a weight per column of ``"gower"``, or
        ``{"asymmetric": …}`` with the names of columns of 0 and 1 whose common zeros do not count.
    n_jobs : int, default=None
        Number of threads; None and -1 for all processors. Results do not depend on it.
    verbose : bool or callable, default=False
        Whether to show progress, by tqdm where it is installed; or a function of stage, steps
        done, all steps and iteration.

    Attributes
    ----------
    embedding_ : ndarray of shape (n_samples, n_components)
        The coordinates.
    n_iter_ : int
        Number of iterations.
    facts_ : dict
        What the fit reports:
        ``metric``: the distance between points, where it is not euclidean.
        ``loss``: the loss of the final map with the weights of the third phase.
        ``losses``: iteration, and loss with the weights of that iteration, every 50 iterations.
        ``near_pairs``: number of near pairs.
        ``mid_near_pairs``: number of mid-near pairs.
        ``further_pairs``: number of further pairs.
        ``neighbor_recall``: fraction of the true neighbors that the search found, in a sample;
        1 where it was exact.
        ``status``: how the iteration ended.
        ``copies``: rows that are copies of an earlier row, whose place they share.
    notes_ : list of str
        What a reader of the result must know.
    n_features_in_ : int
        Only where X was given: its number of columns.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Only where the columns of X have names: these.

    Notes
    -----
    Connected data are torn: a Swiss roll becomes several strands, and round clusters become
    long ones. Gaps between pieces mean little. The distance t is absolute, in units of the map.

    References
    ----------
    Wang, Sun, Huang and Rudin (2025), Dimension reduction with locally adjusted graphs,
    Proceedings of the AAAI Conference on Artificial Intelligence 39,
    doi:10.48550/arXiv.2412.15426.

    Examples
    --------
    >>> import swissroll
    >>> X, position = swissroll.datasets.make_swiss_roll(300)
    >>> fitted = swissroll.LocalMAP().fit(X[:250])
    >>> fitted.embedding_.shape, fitted.transform(X[250:]).shape
    ((250, 2), (50, 2))
    """

    _method = "localmap"
    _accepts = ("points", "distances",)
    _reads_entries = True
    n_iter_: int

    def __init__(
        self,
        n_components: int = 2,
        *,
        n_neighbors: str | float = "auto",
        mid_near_ratio: float = 0.5,
        further_ratio: float = 2,
        extra_neighbors: int = 50,
        mid_near_draws: int = 6,
        columns: int = 100,
        recall: float = 1,
        first_iterations: int = 100,
        first_near: float = 2,
        first_mid_near: float = 1000.0,
        first_further: float = 1,
        second_iterations: int = 100,
        second_near: float = 3,
        second_mid_near: float = 3,
        second_further: float = 1,
        third_iterations: int = 250,
        third_near: float = 1,
        third_mid_near: float = 0,
        third_further: float = 1,
        near_saturation: float = 10,
        mid_near_saturation: float = 10000.0,
        further_saturation: float = 1,
        learning_rate: float = 1,
        gradient_decay: float = 0.9,
        square_decay: float = 0.999,
        init: str | Floats = "pca",
        placing_steps: int = 100,
        duplicates: str = "keep",
        random_state: Seed = None,
        distance: float = 10,
        every: int = 10,
        tries: int = 100,
        warm_start: bool = False,
        metric: Metric = "euclidean",
        metric_params: dict[str, Any] | None = None,
        n_jobs: int | None = None,
        verbose: Verbose = False,
    ):
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.mid_near_ratio = mid_near_ratio
        self.further_ratio = further_ratio
        self.extra_neighbors = extra_neighbors
        self.mid_near_draws = mid_near_draws
        self.columns = columns
        self.recall = recall
        self.first_iterations = first_iterations
        self.first_near = first_near
        self.first_mid_near = first_mid_near
        self.first_further = first_further
        self.second_iterations = second_iterations
        self.second_near = second_near
        self.second_mid_near = second_mid_near
        self.second_further = second_further
        self.third_iterations = third_iterations
        self.third_near = third_near
        self.third_mid_near = third_mid_near
        self.third_further = third_further
        self.near_saturation = near_saturation
        self.mid_near_saturation = mid_near_saturation
        self.further_saturation = further_saturation
        self.learning_rate = learning_rate
        self.gradient_decay = gradient_decay
        self.square_decay = square_decay
        self.init = init
        self.placing_steps = placing_steps
        self.duplicates = duplicates
        self.random_state = random_state
        self.distance = distance
        self.every = every
        self.tries = tries
        self.warm_start = warm_start
        self.metric = metric
        self.metric_params = metric_params
        self.n_jobs = n_jobs
        self.verbose = verbose


class TriMap(Estimator):
    """Satisfies weighted triplets: a point is closer to its inlier than to its outlier.

    Preserves the order of distances in triplets: clusters and roughly their arrangement; no
    distances.
    Cost: k + 50 neighbors per point, then time and memory n k per iteration.
    New points: the loss of triplets of each new point alone, in the fixed map; does not
    interpolate: near a training row, up to 4.4 % of the map's extent from its position in the
    median of 13 trials, and 26 % in the worst; more where classes overlap (300 digits or points
    of a roll).

    Parameters
    ----------
    n_components : int, default=2
        Target dimension d. Legal: at least 1.
    n_neighbors : str or number, default="auto"
        Inliers of each point; auto is 12, n - 2 for fewer than 14 points. Legal: auto, or 1 to
        n - 2.
    outliers : int, default=4
        Random outliers of each inlier. Legal: 1 to 1000000.
    random : int, default=3
        Triplets of each point with two random points. Legal: 0 to 1000000.
    random_weight : float, default=0.1
        Factor of the margins of triplets with two random points. Legal: 0 to 1e6.
    temperature : float, default=0.5
        Temperature of the logarithm of weights; 0 is none, 1 the natural one. Legal: 0 to 10.
    extra_neighbors : int, default=50
        Nearest neighbors beyond k among which inliers are selected. Legal: at least 0.
    least_scale : float, default=0.001
        Smallest scale of a point in weights, relative to the mean scale. Legal: 1e-9 to 1.
    columns : int, default=100
        Largest number of columns; points with more, and sparse points, are reduced to as many
        principal components. Legal: at least 1.
    recall : float, default=1
        Fraction of the true neighbors that the search must find; 1 is exact, as is the search
        by given distances. Legal: 0.01 to 1.
    max_iter : int, default=400
        Steps of the optimization. Legal: 0 to 1000000.
    learning_rate : float, default=0.1
        Length of a step. Legal: above 0.
    first_momentum : float, default=0.5
        Momentum at first. Legal: at least 0 and below 1.
    last_momentum : float, default=0.8
        Momentum after the switch. Legal: at least 0 and below 1.
    switch : int, default=250
        Iterations with the first momentum. Legal: at least 0.
    gain_increase : float, default=0.2
        Added to the gain of a coordinate whose velocity opposes its gradient. Legal: 0 to 1e3.
    gain_decay : float, default=0.8
        Factor of the gain of every other coordinate. Legal: 0 to 1.
    least_gain : float, default=0.01
        Smallest gain of a coordinate. Legal: 0 to 1.
    init : {"pca", "random"} or array of shape (n_samples, n_components), default="pca"
        Initial coordinates.
    placing_outliers : int, default=50
        Training points that are the outliers of every new point. Legal: at least 1.
    placing_steps : int, default=100
        Largest number of steps of a new point. Legal: 1 to 1000000.
    duplicates : {"merge", "keep"}, default="keep"
        What to do with rows that are exact copies of others.
    random_state : int, RandomState, Generator or None, default=None
        Seed of all random choices.
    warm_start : bool, default=False
        Whether a further fit goes on from the map of the last one, of the same rows, with as
        many more iterations. The phases that only lead from a small start to a map are left
        out.
    metric : str or callable, default="euclidean"
        ``"euclidean"``, ``"cosine"``, ``"correlation"``, ``"manhattan"``, ``"chebyshev"``,
        ``"minkowski"``, ``"hamming"``, ``"jaccard"``, ``"hellinger"``, ``"gower"`` (of numbers, categories
        and gaps) or ``"nan_euclidean"`` (of numbers and NaN); another metric of
        `sklearn.metrics.pairwise_distances`, whose distances between all points are computed
        first (16 n^2 bytes); or ``"precomputed"``: X holds distances.
    metric_params : dict, default=None
        Parameters of the metric, such as ``{"weights": …}`` with a weight per column of ``"gower"``, or
        ``{"asymmetric": …}`` with the names of columns of 0 and 1 whose common zeros do not count.
    n_jobs : int, default=None
        Number of threads; None and -1 for all processors. Results do not depend on it.
    verbose : bool or callable, default=False
        Whether to show progress, by tqdm where it is installed; or a function of stage, steps
        done, all steps and iteration.

    Attributes
    ----------
    embedding_ : ndarray of shape (n_samples, n_components)
        The coordinates.
    n_iter_ : int
        Number of iterations.
    facts_ : dict
        What the fit reports:
        ``metric``: the distance between points, where it is not euclidean.
        ``loss``: the mean loss of a triplet in the final map.
        ``losses``: iteration and mean loss of a triplet, every 50 iterations.
        ``violated_triplets``: fraction of the triplets whose inlier is farther than their
        outlier in the map.
        ``neighbor_triplets``: number of triplets of neighbors.
        ``random_triplets``: number of triplets of random points.
        ``neighbor_recall``: fraction of the true neighbors that the search found, in a sample;
        1 where it was exact.
        ``status``: how the iteration ended.
        ``copies``: rows that are copies of an earlier row, whose place they share.
    notes_ : list of str
        What a reader of the result must know.
    n_features_in_ : int
        Only where X was given: its number of columns.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Only where the columns of X have names: these.

    Notes
    -----
    Sizes of clusters and distances between them mean little. Neighborhoods are often kept less
    exactly than by PaCMAP, since a triplet is satisfied as soon as its inlier is the closer
    one. A Swiss roll is unrolled only in part: outliers are weighted by distances in space, not
    along the surface, so that the sheet stays curled, and is drawn narrow in one place. Other
    seeds end in other maps.

    References
    ----------
    Amid and Warmuth (2019), TriMap: Large-scale dimensionality reduction using triplets, arXiv,
    doi:10.48550/arXiv.1910.00204.

    Examples
    --------
    >>> import swissroll
    >>> X, position = swissroll.datasets.make_swiss_roll(300)
    >>> fitted = swissroll.TriMap().fit(X[:250])
    >>> fitted.embedding_.shape, fitted.transform(X[250:]).shape
    ((250, 2), (50, 2))
    """

    _method = "trimap"
    _accepts = ("points", "distances",)
    _reads_entries = True
    n_iter_: int

    def __init__(
        self,
        n_components: int = 2,
        *,
        n_neighbors: str | float = "auto",
        outliers: int = 4,
        random: int = 3,
        random_weight: float = 0.1,
        temperature: float = 0.5,
        extra_neighbors: int = 50,
        least_scale: float = 0.001,
        columns: int = 100,
        recall: float = 1,
        max_iter: int = 400,
        learning_rate: float = 0.1,
        first_momentum: float = 0.5,
        last_momentum: float = 0.8,
        switch: int = 250,
        gain_increase: float = 0.2,
        gain_decay: float = 0.8,
        least_gain: float = 0.01,
        init: str | Floats = "pca",
        placing_outliers: int = 50,
        placing_steps: int = 100,
        duplicates: str = "keep",
        random_state: Seed = None,
        warm_start: bool = False,
        metric: Metric = "euclidean",
        metric_params: dict[str, Any] | None = None,
        n_jobs: int | None = None,
        verbose: Verbose = False,
    ):
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.outliers = outliers
        self.random = random
        self.random_weight = random_weight
        self.temperature = temperature
        self.extra_neighbors = extra_neighbors
        self.least_scale = least_scale
        self.columns = columns
        self.recall = recall
        self.max_iter = max_iter
        self.learning_rate = learning_rate
        self.first_momentum = first_momentum
        self.last_momentum = last_momentum
        self.switch = switch
        self.gain_increase = gain_increase
        self.gain_decay = gain_decay
        self.least_gain = least_gain
        self.init = init
        self.placing_outliers = placing_outliers
        self.placing_steps = placing_steps
        self.duplicates = duplicates
        self.random_state = random_state
        self.warm_start = warm_start
        self.metric = metric
        self.metric_params = metric_params
        self.n_jobs = n_jobs
        self.verbose = verbose


class PHATE(Estimator):
    """Scales the distances between logarithms of diffused probabilities.

    Preserves potential distance: branches and the transitions between them.
    Cost: neighbors, then time m^3 and memory 23 m^2 bytes, m = at most 2000 landmarks.
    New points: the kernel's mean of the places of training points; does not interpolate: near a
    training row, up to 7.9 % of the map's extent from its position in the median of 13 trials,
    and 23 % in the worst; more where classes overlap (300 digits or points of a roll).

    Parameters
    ----------
    n_components : int, default=2
        Target dimension d. Legal: 1 to landmarks - 1.
    n_neighbors : int, default=5
        Number of nearest neighbors. Legal: 1 to n - 1.
    radius : float or None, default=None
        Neighbors are all points within this distance, in input units; replaces k. Legal: above
        0.
    decay : float, default=40
        Exponent of the kernel; the larger, the sharper its end. Legal: above 0.
    threshold : float, default=0.0001
        Affinity below which a pair of points has none. Legal: above 0 and below 0.3.
    time : str or number, default="auto"
        Steps of the diffusion; auto is the knee of the von Neumann entropy. Legal: auto, or at
        least 1.
    gamma : float, default=1
        Potential: 1 for logarithms of probabilities, -1 for probabilities. Legal: -1 to 1.
    landmarks : str or number, default="random:2000:0"
        Number and choice of landmarks. Legal: COUNT (each the farthest from those before) or
        random:COUNT:SEED; the number at least d + 1.
    tol : float, default=1e-06
        Converged when two steps in a row lower the stress by less, relative to the weighted sum
        of squared dissimilarities. Legal: at least 0.
    max_iter : int, default=300
        Largest number of steps of the scaling. Legal: at least 1.
    components : {"reject", "bridge", "largest", "per-component"}, default="bridge"
        What to do with a disconnected neighbor graph.
    duplicates : {"merge", "keep"}, default="merge"
        What to do with rows that are exact copies of others.
    warm_start : bool, default=False
        Whether a further fit goes on from the map of the last one, of the same rows, with as
        many more iterations. The phases that only lead from a small start to a map are left
        out.
    metric : str or callable, default="euclidean"
        ``"euclidean"``, ``"cosine"``, ``"correlation"``, ``"manhattan"``, ``"chebyshev"``,
        ``"minkowski"``, ``"hamming"``, ``"jaccard"``, ``"hellinger"``, ``"gower"`` (of numbers, categories
        and gaps) or ``"nan_euclidean"`` (of numbers and NaN); another metric of
        `sklearn.metrics.pairwise_distances`, whose distances between all points are computed
        first (16 n^2 bytes); or ``"precomputed"``: X holds distances.
    metric_params : dict, default=None
        Parameters of the metric, such as ``{"weights": …}`` with a weight per column of ``"gower"``, or
        ``{"asymmetric": …}`` with the names of columns of 0 and 1 whose common zeros do not count.
    n_jobs : int, default=None
        Number of threads; None and -1 for all processors. Results do not depend on it.
    verbose : bool or callable, default=False
        Whether to show progress, by tqdm where it is installed; or a function of stage, steps
        done, all steps and iteration.

    Attributes
    ----------
    embedding_ : ndarray of shape (n_samples, n_components)
        The coordinates.
    placed_ : ndarray of int
        Only where rows were not placed (``components="largest"``): those that were.
    stress_ : float
        Only where all points have one map: raw stress: squared differences between distances of
        data and embedding, of Sammon's mapping each divided by the distance of the data.
    n_iter_ : int
        Only where all points have one map: number of iterations.
    facts_ : dict
        What the fit reports:
        ``time``: number of steps of the diffusion, t.
        ``entropies``: von Neumann entropy after 1, 2, ... steps, in nats; the time is at its
        knee.
        ``affinities``: number of nonzero affinities of the kernel.
        ``landmarks``: the rows of the landmarks, where there are some.
        ``stress``: raw stress: squared differences between distances of data and embedding, of
        Sammon's mapping each divided by the distance of the data.
        ``stress_1``: Kruskal's stress-1: the root of the sum of all squared differences,
        undivided, relative to the root of the sum of the embedding's squared distances.
        ``stress_scale_normalized``: the same after the best rescaling, relative to the data's;
        compare methods by it.
        ``stress_history``: raw stress after each iteration.
        ``status``: how the iteration ended.
        ``metric``: the distance between points, where it is not euclidean.
        ``rows``: input rows that were placed, where some were not.
        ``pieces``: points per separately embedded component, where there are several.
        ``copies``: rows that are copies of an earlier row, whose place they share.
        ``bridges``: edges that were added to connect the graph.
    notes_ : list of str
        What a reader of the result must know.
    n_features_in_ : int
        Only where X was given: its number of columns.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Only where the columns of X have names: these.

    Notes
    -----
    A large t merges branches, a small one draws noise. Potentials of points in different
    components do not depend on where these are, so that a disconnected graph is refused unless
    another policy is chosen. Loops and surfaces are bent: potential distances grow slower than
    geodesic ones. So are trees of long branches: 2,000 points of ten branches come to lie on a
    ring and inside it. Structure smaller than the cell of a landmark is not drawn.

    References
    ----------
    Moon et al. (2019), Visualizing structure and transitions in high-dimensional biological
    data, doi:10.1038/s41587-019-0336-3.

    Examples
    --------
    >>> import swissroll
    >>> X, position = swissroll.datasets.make_swiss_roll(300)
    >>> fitted = swissroll.PHATE(n_neighbors=10).fit(X[:250])
    >>> fitted.embedding_.shape, fitted.transform(X[250:]).shape
    ((250, 2), (50, 2))
    """

    _method = "phate"
    _accepts = ("points", "distances",)
    _reads_entries = True
    _facts = ("stress",)
    placed_: NDArray[np.uint32]
    stress_: float
    n_iter_: int

    def __init__(
        self,
        n_components: int = 2,
        *,
        n_neighbors: int = 5,
        radius: float | None = None,
        decay: float = 40,
        threshold: float = 0.0001,
        time: str | float = "auto",
        gamma: float = 1,
        landmarks: str | float = "random:2000:0",
        tol: float = 1e-06,
        max_iter: int = 300,
        components: str = "bridge",
        duplicates: str = "merge",
        warm_start: bool = False,
        metric: Metric = "euclidean",
        metric_params: dict[str, Any] | None = None,
        n_jobs: int | None = None,
        verbose: Verbose = False,
    ):
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.radius = radius
        self.decay = decay
        self.threshold = threshold
        self.time = time
        self.gamma = gamma
        self.landmarks = landmarks
        self.tol = tol
        self.max_iter = max_iter
        self.components = components
        self.duplicates = duplicates
        self.warm_start = warm_start
        self.metric = metric
        self.metric_params = metric_params
        self.n_jobs = n_jobs
        self.verbose = verbose
