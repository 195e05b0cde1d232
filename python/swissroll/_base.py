"""The base classes of all estimators."""

import json
import warnings
from inspect import signature
from os import PathLike
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import pairwise_distances
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_array, check_is_fitted, column_or_1d, validate_data

from . import _native
from ._lists import Neighbors, native_lists
from ._mixed import MIXED, mixed_input, mixed_new_rows
from ._progress import CallbackSupportMixin, Stages, reporter, with_callbacks
from ._settings import (
    a_path,
    check_number,
    check_value,
    check_verbose,
    compressed,
    flag,
    in_python,
    kinds,
    memory_limit,
    mistyped,
    plain_errors,
    python_name,
    required,
    seed,
    shown,
    text,
    threads,
)

#: The precisions of data that are read without a copy.
DTYPES = [np.float64, np.float32]
#: Numbers of the precision of the data.
Floats = NDArray[np.floating[Any]]

#: The registry's names of metrics by scikit-learn's names.
_METRICS = {
    "euclidean": "euclidean",
    "l2": "euclidean",
    "cosine": "cosine",
    "correlation": "correlation",
    "manhattan": "manhattan",
    "cityblock": "manhattan",
    "l1": "manhattan",
    "chebyshev": "chebyshev",
    "hamming": "hamming",
    "jaccard": "jaccard",
    "hellinger": "hellinger",
    "gower": "gower",
    "nan_euclidean": "nan-euclidean",
}


#: Attributes, other than facts, that only some fits of a class have.
_OPTIONAL = (
    "placed_",
    "eigenvalues_",
    "n_iter_",
    "learning_rate_",
    "n_features_in_",
    "components_",
    "mean_",
    "moved_",
)


def _iterations(facts):
    """The numbers of iterations in facts, at any depth."""
    if isinstance(facts, dict):
        for name, value in facts.items():
            if name == "iterations" and isinstance(value, int):
                yield value
            else:
                yield from _iterations(value)


#: What y of supervised layouts has: a class per row, or a number.
TARGETS = ("classes", "continuous")


def _classes(y):
    """A number per class, from 0; -1, an unknown class, stays."""
    given = np.asarray(column_or_1d(y, dtype=object), dtype=object)
    known = given != -1
    values = np.array(given[known].tolist())
    check_classification_targets(values)
    classes = np.full(len(given), -1, dtype=np.int64)
    classes[known] = np.unique(values, return_inverse=True)[1]
    return classes


def _continuous(y):
    """A number per row; NaN, an unknown one, stays."""
    try:
        return np.ascontiguousarray(column_or_1d(y, dtype=np.float64), dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"y must have a number per row, or NaN where it is unknown, with target='continuous': {error}"
        ) from None


def _not_negative(distances):
    least = distances.min(initial=0.0)
    if least < 0:
        raise ValueError(
            f"All distances in X or by the metric given must be positive or 0, but one is {least}"
        )


def registered_metric(metric, given, p=2):
    """The registry's name of a metric with its parameters; None where the registry does not have it."""
    if not isinstance(metric, str):
        return None
    if metric == "minkowski":
        given = dict(given)
        p = given.pop("p", p)
        if not p > 0:
            raise ValueError(f"p must be above 0, and at least 1 for a metric, but is {p}")
        if given or not p >= 1:
            return None
        return "chebyshev" if p == np.inf else f"minkowski:{text(p)}"
    name = _METRICS.get(metric)
    return name if not given or (name in MIXED and set(given) <= {"weights", "asymmetric"}) else None


def given_rows(name, given):
    """Rows that a parameter gives, as an array of booleans or of row numbers."""
    rows = np.asarray(given)
    if rows.ndim != 1 or (rows.size and rows.dtype.kind not in "biu"):
        raise mistyped(name, "a boolean per row, or numbers of rows", given)
    return rows


def mask_of(name, rows, n):
    """Whether each of n rows is among those that a parameter gives, as a list."""
    if rows is None or rows.dtype.kind == "b":
        return None if rows is None else rows.tolist()
    numbers = rows.astype(np.int64)
    wrong = numbers[(numbers < 0) | (numbers >= n)]
    if len(wrong):
        raise ValueError(f"{name} must have numbers of rows, 0 to {n - 1}, but has {wrong[0]}")
    mask = np.zeros(n, dtype=bool)
    mask[numbers] = True
    return mask.tolist()


def allow(stage, bytes_needed):
    """Fails where a stage needs more memory than a fit may allocate."""
    with plain_errors({}):
        _native.allow(stage, bytes_needed, memory=memory_limit())


def _inverse_covariance(rows):
    """The inverse covariance of the columns, for Mahalanobis' distance."""
    try:
        inverse = np.linalg.inv(np.atleast_2d(np.cov(rows.T))).T
    except np.linalg.LinAlgError:
        inverse = np.full(1, np.nan)
    if not np.isfinite(inverse).all() or rows.shape[0] <= rows.shape[1]:
        raise ValueError(
            f"the metric 'mahalanobis' needs columns whose covariance has an inverse, and more rows than columns, "
            f"but the {rows.shape[0]} × {rows.shape[1]} values have none; give an inverse as "
            "metric_params={'VI': ...}, or leave out columns that others determine"
        )
    return inverse


def all_distances(X, Y, metric, given):
    """The distances between all rows of X and Y, or of X alone, by a metric of scikit-learn or a
    function."""
    # Parameters of the metric that are computed from the training data, as in scipy.
    training = np.asarray(X if Y is None else Y, dtype=np.float64)
    if metric == "seuclidean":
        given.setdefault("V", np.var(training, axis=0, ddof=1))
    if metric == "mahalanobis" and "VI" not in given:
        given["VI"] = _inverse_covariance(training)
    if Y is None:
        # The distances, and their transpose added.
        allow("the distances between all points", 16 * X.shape[0] ** 2)
    try:
        distances = pairwise_distances(X, Y, metric=metric, **given)
    except (TypeError, ValueError) as error:
        if callable(metric) and "array element with a sequence" in str(error):
            raise ValueError("metric must be a function that returns one number for two rows") from error
        if "Unknown metric" in str(error) or "The 'metric' parameter" in str(error):
            known = ", ".join(sorted({*_METRICS, "minkowski"}))
            raise ValueError(
                f"there is no metric {metric!r}: metric must be one of {known}, another one of scikit-learn, such as "
                "'canberra', or a function of two rows"
            ) from error
        raise
    wrong = np.argwhere(~np.isfinite(distances))
    if len(wrong):
        row, other = wrong[0]
        name = repr(metric) if isinstance(metric, str) else getattr(metric, "__name__", "given")
        raise ValueError(
            f"the metric {name} must give finite distances, but gives {distances[row, other]} between row {row} "
            f"and {'row' if Y is None else 'training row'} {other}; use another metric, or leave these rows out"
        )
    _not_negative(distances)
    if Y is None:
        # Equal to rounding for every metric; equal to the bit, as the library requires.
        distances = distances + distances.T
        distances /= 2
        np.fill_diagonal(distances, 0.0)
    return np.ascontiguousarray(distances, dtype=np.float64)


class _Registered:
    """The registry's name of each parameter of a class, by the parameter's name in the class."""

    def __get__(self, estimator, kind):
        # The target dimension first, as the positional argument.
        names = sorted(kinds().get(kind._method, ()), key=lambda name: name != "dim")
        return {python_name(name): name for name in names}


class Embedder(CallbackSupportMixin, BaseEstimator):
    """A method of the registry as an estimator that embeds the rows it is fitted to.

    A subclass names the method (``_method``) and what it can be fitted to (``_accepts``). One whose
    parameters have other names than in the registry also has the registry's name of each (``_names``).
    """

    _method = ""
    _accepts: tuple[str, ...] = ("points",)
    #: Whether a fit to sparse points reads their entries rather than their neighbors.
    _reads_entries = False
    _needs_labels = False
    _reads_labels = False
    _names: Any = _Registered()
    #: Facts that are attributes too, with an underscore at the end.
    _facts: tuple[str, ...] = ()
    #: The attributes of directions and origin of a linear map, or of the directions alone.
    _map: tuple[str, ...] = ()
    #: Whether the map of points by Euclidean distances has a pseudo-inverse.
    _linear = False
    #: Parameters that are numbers and not in the registry: their kinds.
    _numbers: dict[str, str] = {}
    #: Values of parameters that the registry does not have: None and words.
    _special: dict[str, tuple[str | None, ...]] = {}

    embedding_: Floats
    facts_: dict[str, Any]
    moved_: tuple[float, float]
    notes_: list[str]
    n_features_in_: int
    feature_names_in_: NDArray[Any]

    def fit(
        self,
        X: Any = None,
        y: Any = None,
        *,
        neighbors: Neighbors | None = None,
        fixed: Any = None,
        unrelated: str = "keep",
    ) -> Self:
        """Fits the model.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Points, one per row; with ``metric="precomputed"`` distances between all of
            them, (n_samples, n_samples), or a sparse matrix of the distances to neighbors.
            C-contiguous float64 is read without a copy. With ``metric="gower"`` a data frame, or an array of
            objects, with numbers, categories and gaps; with ``metric="nan_euclidean"`` numbers and NaN.
            Methods that read neighbor lists alone, PCA, PHATE and layouts take sparse points, without their
            zeros, and place new ones.
        y : array-like of shape (n_samples,), default=None
            A class per point for methods that need it or have a `target_weight`; with that, -1
            is an unknown class, as in scikit-learn. With ``target="continuous"`` of these methods a number per
            point, NaN where it is unknown. Without a `target_weight`, a warning says that y is not used. Ignored by
            all others.
        neighbors : swissroll.Neighbors, default=None
            Neighbor lists that replace the search; alone where the method needs no points.
        fixed : array-like, default=None
            The rows that keep their places in an array given as ``init`` while the others move: a
            boolean per row, or the numbers of the rows. The start is then used unchanged, the map
            is neither centered nor rotated, and the rows are there to the bit. For SMACOF,
            NonmetricMDS, SammonMapping, MDS, TSNE, UMAP, DensMAP, PaCMAP, LocalMAP and TriMap.
        unrelated : {"keep", "nan", "refuse"}, default="keep"
            Rows that have nothing in common with any other row by the metrics cosine, correlation, jaccard or
            hellinger, or no distance to it, such as empty documents. "nan" fits the other rows, and the
            map has NaN for these; "refuse" raises an error that names them. "keep" places them
            arbitrarily, and refuses rows without a distance. The search for them costs one more search,
            of one neighbor.

        Returns
        -------
        self : object
            The fitted estimator.
        """
        self._check_types()
        native_lists(neighbors)
        if not isinstance(unrelated, str) or unrelated not in ("keep", "nan", "refuse"):
            raise ValueError(f"unrelated must be 'keep', 'nan' or 'refuse', but is {shown(unrelated)}")
        self._fixed = None if fixed is None else given_rows("fixed", fixed)
        self._unrelated = unrelated
        self._targets = None
        try:
            self._fit(X, y, neighbors)
        finally:
            del self._fixed, self._unrelated, self._targets
        return self

    def save(self, path: str | PathLike[str]) -> None:
        """Writes the fitted model as versioned bytes that `swissroll.load` and the program
        ``compare transform`` read.

        Parameters
        ----------
        path : str or path-like
            The file, which is replaced.
        """
        check_is_fitted(self)
        if getattr(self, "_training", None) is not None:
            raise ValueError(
                f"a model by the metric {self._metric()[0]!r}, which only scikit-learn has, cannot place "
                "points from a file of its own; save the estimator by pickle or joblib"
            )
        names = getattr(self, "feature_names_in_", None)
        table = getattr(self, "_table", None)
        mixed = None if table is None else table.columns()
        with open(a_path("path", required("path", path, "a path")), "wb") as file:
            file.write(self._model.save(None if names is None else list(names), mixed))

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self._precomputed()
        tags.input_tags.sparse = self._reads_sparse()
        tags.input_tags.allow_nan = self._native_metric() in MIXED
        tags.input_tags.categorical = self._native_metric() == "gower"
        tags.target_tags.required = self._needs_labels
        return tags

    def _jobs(self):
        return getattr(self, "n_jobs", None)

    def _metric(self):
        """The metric, with its parameters."""
        given = dict(getattr(self, "metric_params", None) or {})
        return getattr(self, "metric", "euclidean"), given

    def _precomputed(self):
        return self._metric()[0] == "precomputed"

    def _outside_registry(self):
        """The name of a parameter whose value the registry's method does not have, if any."""
        name, _, exponent = (self._native_metric() or "none").partition(":")
        euclidean = name == "euclidean" or (name == "minkowski" and float(exponent) == 2)
        return None if euclidean else "metric"

    def _reads_sparse(self):
        """Whether X may be sparse: points, or the distances to neighbors."""
        if self._reads_entries and not hasattr(self, "metric"):
            return True
        name, _, exponent = (self._native_metric() or "chebyshev").partition(":")
        by_lists = name not in ("chebyshev", *MIXED) and float(exponent or 2) in (1, 2)
        by_lists = by_lists and (self._reads_entries or "neighbors" in self._accepts)
        return by_lists or ("neighbors" in self._accepts and self._precomputed())

    def _check_types(self):
        """Fails where a parameter has the wrong type."""
        known = kinds()[self._method]
        defaults = {name: given.default for name, given in signature(type(self)).parameters.items()}
        if getattr(self, "radius", None) is not None:
            defaults["n_neighbors"] = None
        own = {name: known[registered] for name, registered in self._names.items() if registered != "seed"}
        for name, kind in {**own, **self._numbers}.items():
            value = getattr(self, name)
            if isinstance(value, (str, type(None))) and value in self._special.get(name, ()):
                continue
            if name == "init" and not isinstance(value, (str, type(None))):
                if np.ndim(value) == 0:
                    raise mistyped("init", "a word or an array of shape (n_samples, n_components)", value)
                continue
            if value is None and defaults[name] is not None:
                raise ValueError(f"{name} must have a value, {defaults[name]!r} by default, but is None")
            check_value(name, value, kind)
        flag("warm_start", getattr(self, "warm_start", False))
        target = getattr(self, "target", TARGETS[0])
        if self._reads_labels and (not isinstance(target, str) or target not in TARGETS):
            raise ValueError(f"target must be 'classes' or 'continuous', but is {shown(target)}")
        given = getattr(self, "metric_params", None)
        if not isinstance(given, (dict, type(None))):
            raise mistyped("metric_params", "a dict or None", given)
        metric = self._metric()[0]
        if not isinstance(metric, str) and not callable(metric):
            raise mistyped("metric", "the name of a metric or a function of two rows", metric)
        check_verbose(getattr(self, "verbose", None))
        threads(self._jobs())

    def _settings(self):
        """The settings of the method: names in the registry, and values as text."""
        settings = []
        for name, registered in self._names.items():
            value = self._target() if registered == "dim" else getattr(self, name)
            if registered == "seed":
                value = seed(value)
            if registered == "radius" and value == np.inf:
                # All other points: the largest number that is a radius.
                value = np.finfo(np.float64).max
            # Given coordinates are no setting.
            if value is not None and not (registered == "start" and np.ndim(value) > 0):
                settings.append((registered, text(value)))
        return settings

    def _start(self):
        """The coordinates that are given as ``init``, if any."""
        init = getattr(self, "init", None)
        if np.ndim(init) == 0:
            return None
        if np.ndim(init) != 2:
            raise ValueError(
                f"init must be a word or an array of shape (n_samples, n_components), but is {shown(init)}"
            )
        return check_array(init, dtype=DTYPES, order="C", input_name="init")

    def _earlier(self):
        """The model whose fit goes on with ``warm_start=True``, if any."""
        return getattr(self, "_model", None) if getattr(self, "warm_start", False) else None

    def _target(self):
        """The target dimension."""
        return self.n_components

    def _exclusive(self):
        if getattr(self, "radius", None) is not None and self.n_neighbors is not None:
            name = type(self).__name__
            raise ValueError(
                f"Both n_neighbors and radius are provided. Use {name}(radius={self.radius}, "
                "n_neighbors=None) if intended to use radius-based neighbors"
            )

    def _distances(self, X, Y=None):
        metric, given = self._metric()
        if metric == "minkowski":
            given.setdefault("p", getattr(self, "p", 2))
        return all_distances(X, Y, metric, given)

    def _native_metric(self):
        """The registry's name of the metric; None where only scikit-learn has it."""
        metric, given = self._metric()
        return registered_metric(metric, given, getattr(self, "p", 2))

    def _input(self, X, y, neighbors):
        """The input of the fit: rows, whether they are distances, and neighbor lists."""
        if X is None:
            if neighbors is None:
                raise ValueError("fit needs X, or neighbors where the method needs no points")
            self._training = None
            return None, False, neighbors, None
        if self._native_metric() in MIXED:
            self._training = None
            given = self._metric()[1]
            self._table, rows = mixed_input(
                self, X, self._native_metric(), given.get("weights"), given.get("asymmetric", ())
            )
            known = y is not None and self._reads_labels and self.target_weight is not None
            return rows, False, neighbors, self._supervised(y) if known else None
        precomputed = self._precomputed()
        check = dict(
            dtype=DTYPES,
            order="C",
            accept_sparse="csr" if self._reads_sparse() else False,
            ensure_min_samples=2,
        )
        labels = None
        if self._needs_labels:
            X, y = validate_data(self, X, y, **check)
            check_classification_targets(y)
            self.classes_, labels = np.unique(y, return_inverse=True)
            labels = labels.astype(np.int64)
            if len(self.classes_) < 2:
                raise ValueError(f"{type(self).__name__} needs at least 2 classes, but y has 1 class")
        else:
            X = validate_data(self, X, **check)
            if y is not None and self._reads_labels:
                if self.target_weight is None:
                    warnings.warn(
                        f"y is not used: {type(self).__name__} is supervised where target_weight is set, 0 to 1",
                        UserWarning,
                        stacklevel=4,
                    )
                else:
                    labels = self._supervised(y)
        self._training = None
        if sparse.issparse(X):
            return (None, False, self._lists(X), labels) if precomputed else (X, False, neighbors, labels)
        if precomputed:
            if X.shape[0] != X.shape[1]:
                raise ValueError(
                    "X must be a square distance matrix with metric='precomputed': the array must be "
                    f"2-dimensional and square, but has shape {X.shape}"
                )
            _not_negative(X)
            return X, True, neighbors, labels
        if self._native_metric() is None and neighbors is None:
            self._training = X
            return self._distances(X), True, None, labels
        return X, False, neighbors, labels

    def _supervised(self, y):
        """The classes of y; None where it is a continuous target, which the fit then has."""
        if self.target == "classes":
            return _classes(y)
        self._targets = _continuous(y)
        return None

    def _lists(self, graph):
        """The neighbor lists of a sparse matrix of distances."""
        if graph.shape[0] != graph.shape[1]:
            raise ValueError(
                f"X must be a square distance matrix with metric='precomputed', but has shape {graph.shape}"
            )
        _not_negative(graph.data)
        parts, radius = self._entries(graph)
        return Neighbors(_native.Neighbors.from_sparse(*parts, radius=radius))

    def _entries(self, graph):
        """Row pointers, columns and distances of a sparse matrix, within the radius, and the radius."""
        radius = getattr(self, "radius", None)
        if radius is not None:
            graph = graph.copy()
            graph.data[graph.data > radius] = np.inf
            kept = np.isfinite(graph.data)
            pointers = np.concatenate([[0], np.cumsum(kept)])[graph.indptr]
            parts = pointers, graph.indices[kept], graph.data[kept]
        else:
            parts = graph.indptr, graph.indices, graph.data
        kinds = (np.int64, np.int64, np.float64)
        return [np.ascontiguousarray(part, dtype=kind) for part, kind in zip(parts, kinds)], radius

    @with_callbacks
    def _fit(self, X, y, neighbors):
        context = None
        if getattr(self, "_skl_callbacks", None):
            context = self._init_callback_context(max_subtasks=None)
            context.call_on_fit_task_begin(estimator=self, X=X, y=y)
        self._exclusive()
        # Attributes of the previous fit that the new fit may not have.
        for name in (*_OPTIONAL, *(f"{fact}_" for fact in self._facts)):
            self.__dict__.pop(name, None)
        self._table = None
        rows, distances, neighbors, labels = self._input(X, y, neighbors)
        single = np.float32 in (getattr(X, "dtype", None), getattr(rows, "dtype", None))
        n = len(neighbors) if rows is None else rows.shape[0]
        related = self._related(rows, distances, neighbors)
        if related is not None:
            rows, labels = rows[related], None if labels is None else labels[related]
            self._targets = None if self._targets is None else self._targets[related]
            if getattr(self, "_weights", None) is not None:
                self._weights = self._weights[related]
        model = self._run(rows, distances, neighbors, labels)
        self._kept = related
        self._keep(model, n, np.float32 if single else np.float64)
        if context is not None:
            context.call_on_fit_task_end(estimator=self, X=X, y=y)
        return self

    def _related(self, rows, distances, neighbors):
        """The rows that are fitted, where unrelated ones are left out; None where all are."""
        policy = getattr(self, "_unrelated", "keep")
        if policy == "keep" or rows is None or distances or self._native_metric() in MIXED:
            return None
        if neighbors is not None:
            raise ValueError(f"unrelated={policy!r} needs points without neighbors; leave one of them out")
        given = compressed(rows) if sparse.issparse(rows) else rows
        threaded = threads(self._jobs())
        with plain_errors({}, ""):
            related = _native.related(given, metric=self._native_metric(), threads=threaded)
        if related is None:
            return None
        others = np.setdiff1d(np.arange(rows.shape[0]), related)
        first = ", ".join(str(row) for row in others[:5]) + (", …" if len(others) > 5 else "")
        are = "1 row is" if len(others) == 1 else f"{len(others):,} rows are"
        found = f"{are} related to no other by {self._metric()[0]}: {first}"
        if policy == "refuse":
            raise ValueError(f"{found}; unrelated='nan' leaves them out")
        if len(related) < 2:
            raise ValueError(f"{found}; no row is related to another")
        if self._fixed is not None or self._start() is not None or self._earlier() is not None:
            raise ValueError(f"{found}; leave them out of X and of the start, which has a row for each")
        return related

    def _run(self, rows, distances, neighbors, labels, settings=None, lower=False):
        # The model was fitted before, together with the maps of other data sets.
        ready = self.__dict__.pop("_ready", None)
        if ready is not None:
            return ready
        progress, end = reporter(getattr(self, "verbose", False), type(self).__name__)
        stages = None
        if getattr(self, "_callback_fit_ctx", None) is not None:
            progress = stages = Stages(self, self._callback_fit_ctx, progress)
        names = {registered: own for own, registered in self._names.items()}
        n = len(neighbors) if rows is None else rows.shape[0]
        features = None if rows is None else rows.shape[1] if self._table is None else len(self._table)
        sizes = "" if rows is None else f" (n_samples = {rows.shape[0]}, n_features = {features})"
        settings = self._settings() if settings is None else settings
        try:
            with plain_errors(names, sizes):
                return _native.fit(
                    self._method,
                    settings,
                    None if sparse.issparse(rows) else rows,
                    sparse=compressed(rows) if sparse.issparse(rows) else None,
                    distances=distances,
                    neighbors=native_lists(neighbors),
                    labels=labels,
                    targets=getattr(self, "_targets", None),
                    start=None if self._earlier() else self._start(),
                    earlier=self._earlier(),
                    fixed=mask_of("fixed", getattr(self, "_fixed", None), n),
                    weights=getattr(self, "_weights", None),
                    metric=None if rows is None or distances else self._native_metric(),
                    memory=memory_limit(),
                    threads=threads(self._jobs()),
                    progress=progress,
                    lower=lower,
                )
        finally:
            if stages is not None:
                stages.end()
            end()

    def _keep(self, model, n, dtype):
        """Sets the attributes of a fitted estimator."""
        self._model = model
        report = json.loads(model.report())
        own = {registered: name for name, registered in self._names.items()}
        self.facts_, self.notes_ = report["facts"], [in_python(note, own) for note in report["notes"]]
        self.embedding_ = model.embedding().astype(dtype, copy=False)
        placed = model.rows()
        kept = self.__dict__.pop("_kept", None)
        if kept is not None:
            placed = kept if placed is None else kept[placed]
        if placed is not None:
            self.placed_ = placed
            whole = np.full((n, self.embedding_.shape[1]), np.nan, dtype)
            whole[placed] = self.embedding_
            self.embedding_ = whole
            warnings.warn(
                f"{len(placed)} of {n} points were placed, the rows of placed_; the others are NaN",
                UserWarning,
                stacklevel=5,
            )
        spectrum = model.spectrum()
        if len(spectrum):
            self.eigenvalues_ = spectrum
        for fact in self._facts:
            if fact not in self.facts_:
                continue
            value = self.facts_[fact]
            setattr(self, f"{fact}_", np.asarray(value) if isinstance(value, list) else value)
        for name, value in zip(self._map, self._linear_map(model)):
            setattr(self, name, value.astype(dtype, copy=False))
        self._warn()

    def _linear_map(self, model):
        """Directions and origin of a linear map."""
        if not self._map:
            return ()
        # Separately fitted components have a map each.
        origin, directions, loadings = model.linear_map() or (None, None, None)
        if origin is None:
            return ()
        return (directions if loadings is None else loadings), origin

    def _warn(self):
        bridges = len(self.facts_.get("bridges") or ())
        if bridges:
            warnings.warn(
                f"The number of connected components of the neighbors graph is {bridges + 1} > 1. "
                f"The {bridges} shortest edges between them were added; use more neighbors, or "
                "choose components='reject', 'largest' or 'per-component'.",
                UserWarning,
                stacklevel=5,
            )
        iterations = list(_iterations(self.facts_))
        if not iterations:
            return
        self.n_iter_ = max(iterations)
        status = self.facts_.get("status")
        # Methods without a tolerance follow a schedule to its end.
        tolerant = "tolerance" in self._names.values()
        if tolerant and isinstance(status, dict) and "IterationLimit" in status:
            own = {registered: name for name, registered in self._names.items()}
            warnings.warn(
                f"{type(self).__name__} did not converge in {self.n_iter_} iterations; increase "
                f"{own['iterations']} or {own['tolerance']}",
                ConvergenceWarning,
                stacklevel=5,
            )


class Estimator(ClassNamePrefixFeaturesOutMixin, TransformerMixin, Embedder):
    """A method of the registry as an estimator that places new points too."""

    def fit_transform(
        self,
        X: Any = None,
        y: Any = None,
        *,
        neighbors: Neighbors | None = None,
        fixed: Any = None,
        unrelated: str = "keep",
    ) -> Floats:
        """Fits the model and returns the embedding; the parameters are the same as for `fit`.

        Returns
        -------
        embedding : ndarray of shape (n_samples, n_components)
            The coordinates of the points.
        """
        return self.fit(X, y, neighbors=neighbors, fixed=fixed, unrelated=unrelated).embedding_

    def transform(self, X: Any) -> Floats:
        """Places new points in the fitted map.

        A row equal to a training row is placed where that one is.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            New points; of a model of distances, the distances to all training points. Sparse ones
            of a method that is fitted to sparse points, whatever this model was fitted to. Of a model
            of neighbor lists a sparse matrix of the distances to training points that are neighbors,
            as `KNeighborsTransformer.transform` returns it; stored zeros are distances of 0.

        Returns
        -------
        embedding : ndarray of shape (n_samples, n_components)
            The coordinates of the new points.
        """
        check_is_fitted(self)
        if getattr(self, "_table", None) is not None:
            return self._place(mixed_new_rows(self, X))
        count = self._model.lists_among()
        if count is not None:
            return self._place_lists(X, count)
        by_sparse = self._reads_sparse() and not self._precomputed()
        check = dict(dtype=DTYPES, order="C", accept_sparse="csr" if by_sparse else False)
        X = validate_data(self, X, reset=False, **check)
        rows = X
        if getattr(self, "_training", None) is not None:
            rows = self._distances(X, self._training)
        return self._place(rows).astype(X.dtype, copy=False)

    def _place_lists(self, X, count):
        """The places of rows by their distances to neighbors among the training points."""
        if not sparse.issparse(X):
            raise ValueError(
                f"this {type(self).__name__} was fitted to neighbor lists: X must be a sparse matrix of distances "
                f"from new points to their neighbors among the {count} training points, as "
                "KNeighborsTransformer.transform returns it"
            )
        X = validate_data(self, X, reset=False, dtype=DTYPES, accept_sparse="csr")
        parts, _ = self._entries(X)
        with plain_errors({}):
            placed = self._model.transform_lists(*parts, X.shape[1], threads=threads(self._jobs()))
        return placed.astype(X.dtype, copy=False)

    def _place(self, rows):
        """The places of rows, or of their distances to the training rows."""
        with plain_errors({}):
            return self._model.transform(compressed(rows), threads=threads(self._jobs()))

    def update(self, X: Any = None, *, leave: Any = None, pull: float | None = None) -> Self:
        """Fits the rows of the model and new ones, without rows that leave, with a map near the old one.

        Iterative methods, except PHATE, start at the old map, with new rows where `transform` places
        them. Other methods are fitted anew, and their map is rotated onto the old one. `embedding_` has
        the old rows that remain first; `moved_` is the median and the largest distance that they moved, in units of
        the median distance to the tenth neighbor in the old map.

        Parameters
        ----------
        X : array-like of shape (n_new, n_features), default=None
            New rows; None for no new rows, where others leave.
        leave : array-like, default=None
            The old rows that are in neither the new map nor the new model: a boolean per row of
            `embedding_`, or the numbers of the rows.
        pull : float, default=None
            For iterative methods, how strongly old rows are drawn to their old places: ``inf``, they stay
            there to the bit; 0, they only start there. None for ``inf``. Legal: at least 0.

        Returns
        -------
        self : object
            The estimator, fitted to all rows.
        """
        check_is_fitted(self)
        check_number("pull", pull)
        leave = mask_of("leave", None if leave is None else given_rows("leave", leave), len(self.embedding_))
        name = type(self).__name__
        kept = (
            self._training is None and getattr(self, "_table", None) is None and not hasattr(self, "_graph")
        )
        if self._reads_labels and self.target_weight:
            raise ValueError(
                f"{name} with a target_weight needs y for all rows, which update has not: fit all rows"
            )
        if sparse.issparse(X):
            raise ValueError(
                f"{name} keeps dense rows, and update needs dense ones: fit all rows, which may be sparse"
            )
        if self._precomputed() or not kept or self._map or self._model.lists_among() is not None:
            raise ValueError(
                f"{name} does not keep all that an update needs: fit all rows. Models of numbers by a metric "
                "of swissroll are updated, except linear maps and the class Isomap"
            )
        if X is not None:
            X = validate_data(self, X, reset=False, dtype=DTYPES, order="C")
        progress, end = reporter(getattr(self, "verbose", False), name)
        names = {registered: own for own, registered in self._names.items()}
        try:
            with plain_errors(names):
                model, moved = self._model.update(
                    X,
                    leave=leave,
                    pull=pull,
                    memory=memory_limit(),
                    threads=threads(self._jobs()),
                    progress=progress,
                )
        finally:
            end()
        # All rows have places: a model of some rows is not updated.
        self._keep(model, len(model.embedding()), self.embedding_.dtype)
        self.moved_ = moved
        return self

    def _is_linear(self):
        """Whether the map has a pseudo-inverse: by the fit, and before it by method and metric."""
        model = getattr(self, "_model", None)
        if model is not None:
            linear = model.invert(np.zeros((1, self._n_features_out))) is not None
        else:
            linear = self._linear and self._native_metric() == "euclidean"
        if not linear:
            raise AttributeError(
                f"the map of {type(self).__name__} is not linear; learn its inverse from examples: "
                "swissroll.regression.LocalBarycentric().fit(embedding, X).predict(places)"
            )
        return True

    def _inverse_transform(self, X: Any) -> Floats:
        """The points that a linear map takes to given places: of all such points the nearest to the
        origin of the map, by its pseudo-inverse. Available for linear maps.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_components)
            Places in the map.

        Returns
        -------
        points : ndarray of shape (n_samples, n_features)
            The points.
        """
        check_is_fitted(self)
        X = check_array(X, dtype=DTYPES, order="C")
        return self._invert(X).astype(X.dtype, copy=False)

    def _invert(self, places):
        """The points of places."""
        with plain_errors({}):
            return self._model.invert(places, threads=threads(self._jobs()))

    if TYPE_CHECKING:
        # The decorator of scikit-learn has no types.
        def inverse_transform(self, X: Any) -> Floats: ...
    else:
        _inverse_transform.__name__ = "inverse_transform"
        inverse_transform = available_if(lambda self: self._is_linear())(_inverse_transform)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags

    @property
    def _n_features_out(self):
        return self.embedding_.shape[1]
