"""Writes swissroll/_estimators.py, one class per method of the registry.

Names, defaults and documentation come from the registry of the native module, which must be
built and importable: `python python/generate.py`. A test fails where the committed file
differs. Methods whose class has scikit-learn's own signature are in swissroll/_drop_in.py.
"""

import sys
import textwrap
import types
from pathlib import Path

PACKAGE = Path(__file__).parent / "swissroll"

if __name__ == "__main__":
    # The package without its __init__, which imports the file that is written here.
    sys.modules["swissroll"] = types.ModuleType("swissroll")
    sys.modules["swissroll"].__path__ = [str(PACKAGE)]

from swissroll._settings import DROP_IN, class_name, methods, python_name  # noqa: E402

#: Defaults that differ from the registry's, and why.
DEFAULTS = {
    # As scikit-learn: a graph that falls into components is completed, with a warning.
    ("*", "components"): "bridge",
    # As scikit-learn, of methods with a component policy; the least that Hessian LLE can
    # read for two coordinates.
    ("components", "n_neighbors"): 5,
    ("hessian-lle", "n_neighbors"): 6,
    # As many as the classes allow.
    ("lda", "n_components"): None,
    ("*", "random_state"): None,
}

#: The parameter of methods that read labels where they are given.
LABELS = "target-weight"

#: Facts that are attributes too, and their types.
FACTS = {
    "explained_variance": "ndarray of shape (n_components,)",
    "explained_variance_ratio": "ndarray of shape (n_components,)",
    "reconstruction_error": "float",
    "stress": "float",
    "kl_divergence": "float",
}

#: What the eigenvalues are where the facts do not have them by that name.
EIGENVALUES = {
    "pca": "The same as ``explained_variance_``.",
    "factor-analysis": 'As ``facts_["explained_variance"]``.',
    "fast-ica": 'As ``facts_["distances_from_normal"]``.',
    "lda": "The same as ``explained_variance_ratio_``.",
    "mvu": "The same as ``explained_variance_``.",
}

#: Methods whose iterations are in facts of other names than `status`, and what is counted.
ITERATIVE = {
    "conformal-eigenmaps": 'Number of iterations; not with ``pipeline="rank"``, which has none.',
    "mvu": "Number of iterations.",
}

#: Linear methods: what the rows of `components_` are, and what `mean_` is, if anything.
COLUMN_MEANS = "The means of the columns."
DISTINCT_MEANS = 'The means of the columns, with ``duplicates="merge"`` the means of distinct rows.'
LINEAR = {
    "pca": ("The principal directions, of length one.", COLUMN_MEANS),
    "factor-analysis": ("The loadings of the factors, in units of X.", COLUMN_MEANS),
    "fast-ica": ("The unmixing matrix.", COLUMN_MEANS),
    "lda": (
        "The discriminant directions, along which the pooled variance within the classes, divisor "
        "n_samples - n_classes, is one (scikit-learn's `scalings_` have the divisor n_samples).",
        COLUMN_MEANS,
    ),
    "random-projection": ("The random directions.", None),
    "lpp": ("The directions of the map.", "The means of the columns, weighted by the degrees."),
    "npe": ("The directions of the map.", DISTINCT_MEANS),
    "lltsa": ("The directions of the map.", DISTINCT_MEANS),
}

#: Base classes, each in a file of its kind, of methods that do more than the registry describes.
BASES = {
    "pca": "PrincipalComponents",
    "fast-ica": "IndependentComponents",
    "kernel-pca": "KernelComponents",
    "lda": "DiscriminantAnalysis",
    "random-projection": "RandomDirections",
}

#: How these classes compare with scikit-learn's.
INTERFACES = {
    "pca": "The attributes and functions of ``sklearn.decomposition.PCA``; by default two components "
    "instead of all, and no choice of solvers.",
    "fast-ica": "Another interface than ``sklearn.decomposition.FastICA``: always whitened, with other names of "
    "parameters and two components by default; `components_`, `mixing_` and `mean_` are the same.",
    "kernel-pca": "The kernels of ``sklearn.decomposition.KernelPCA`` by the same parameters; other defaults "
    "(two components, a width by the data), and no choice of solvers. Kernels by function, by matrix, of other "
    "names than here, and of sparse rows compute an n × n matrix first; their models are saved by pickle.",
    "lda": "The predictions of ``sklearn.discriminant_analysis.LinearDiscriminantAnalysis`` with its default "
    "solver, by the covariance of largest likelihood; no shrinkage and no choice of solvers.",
    "random-projection": "Both random projections of ``sklearn.random_projection`` in one class, by "
    "`distribution`; two components by default.",
}

#: Methods whose base class reads sparse rows, although the registry's method does not.
READS_ENTRIES = ("random-projection", "kernel-pca")

#: Parameters that are not in the registry: type in words, annotation, default, meaning.
ADDED = {
    "pca": {
        "whiten": (
            "bool",
            "bool",
            False,
            "Whether coordinates have variance one each. Such models are saved by pickle.",
        )
    },
    "kernel-pca": {
        "gamma": (
            "float or None",
            "float | None",
            None,
            "Width of the kernels of scikit-learn's names; None for 1 / n_features. Legal: above 0.",
        ),
        "degree": ("float", "float", 3, 'Exponent of ``kernel="poly"``. Legal: at least 1.'),
        "coef0": (
            "float",
            "float",
            1,
            'Number added to inner products by ``kernel="poly"`` and ``"sigmoid"``. Legal: finite.',
        ),
        "kernel_params": (
            "dict or None",
            "dict[str, Any] | None",
            None,
            "Parameters of a kernel that is a function; other kernels refuse them.",
        ),
        "fit_inverse_transform": (
            "bool",
            "bool",
            False,
            "Whether to learn an inverse from the map, by ridge regression with the kernel.",
        ),
        "alpha": ("float", "float", 1.0, "Ridge of the inverse. Legal: at least 0."),
    },
    "lda": {
        "priors": (
            "array-like of shape (n_classes,) or None",
            "Any",
            None,
            "Probabilities of the classes for predictions; None for their fractions of the rows.",
        )
    },
    "random-projection": {
        "eps": (
            "float",
            "float",
            0.1,
            'Relative error of distances accepted by ``n_components="auto"``. Legal: above 0 and below 1.',
        )
    },
}

#: Methods whose fits go on from the map of the last one.
GOING_ON = "smacof nonmetric-mds sammon umap densmap pacmap localmap trimap phate".split()
for _name in GOING_ON:
    ADDED[_name] = {
        "warm_start": (
            "bool",
            "bool",
            False,
            "Whether a further fit goes on from the map of the last one, of the same rows, with as many more "
            "iterations. The phases that only lead from a small start to a map are left out.",
        )
    }

for _name in ("umap", "densmap"):
    ADDED[_name]["target"] = (
        '{"classes", "continuous"}',
        "str",
        "classes",
        "What y has where `target_weight` is set: a class per row, -1 where it is unknown, or a number, NaN where it "
        "is unknown.",
    )

#: Parameters of the registry that have more values here: type in words, annotation, what they mean.
WIDENED = {
    ("pca", "n_components"): (
        'int, float, "mle" or None',
        "int | float | str | None",
        "Number of components; between 0 and 1 the least number that explains more than this fraction of "
        'the variance; "mle" by Minka\'s evidence; None for all, min(n_samples, n_features).',
    ),
    ("kernel-pca", "n_components"): (
        "int or None",
        "int | None",
        "Target dimension d, 1 to n - 1; None for all with an eigenvalue above rounding.",
    ),
    ("kernel-pca", "kernel"): (
        "str or callable",
        "str | Callable[..., Any]",
        "The inner product; auto is rbf with GAMMA = 1 / (mean squared distance to the mean). Legal: auto, "
        "rbf:GAMMA or polynomial:DEGREE:GAMMA:OFFSET; linear, cosine, rbf, poly, sigmoid and the other names of "
        "`sklearn.metrics.pairwise.pairwise_kernels`; precomputed, where X holds the kernel's values; or a "
        "function of two rows.",
    ),
    ("lda", "n_components"): (
        "int or None",
        "int | None",
        "Target dimension d, 1 to min(classes - 1, D); None for as many as the means of the classes span.",
    ),
    ("random-projection", "n_components"): (
        'int or "auto"',
        "int | str",
        'Target dimension d, at least 1; "auto" by the lemma of Johnson and Lindenstrauss for `eps`, at most '
        "n_features.",
    ),
}

#: Attributes of these classes: type in words and meaning.
GAINED = {
    "pca": {
        "n_components_": ("int", "The number of components."),
        "n_samples_": ("int", "The number of rows."),
        "singular_values_": (
            "ndarray of shape (n_components,)",
            "The singular values of the centered rows along the directions.",
        ),
        "noise_variance_": ("float", "Mean variance along all other directions."),
    },
    "fast-ica": {
        "mixing_": (
            "ndarray of shape (n_features_in_, n_components)",
            "The pseudo-inverse of `components_`.",
        ),
    },
    "kernel-pca": {
        "X_fit_": (
            "array or sparse matrix",
            "Only where new points or the inverse need them: the training rows.",
        ),
        "dual_coef_": (
            "ndarray of shape (n_samples, n_features_in_)",
            "Only with ``fit_inverse_transform=True``: the weights of the inverse.",
        ),
    },
    "lda": {
        "means_": ("ndarray of shape (n_classes, n_features_in_)", "The means of the classes."),
        "priors_": ("ndarray of shape (n_classes,)", "The probabilities of the classes."),
        "coef_": (
            "ndarray of shape (n_classes, n_features_in_)",
            "Weights of the columns in the decision function; one row for two classes.",
        ),
        "intercept_": ("ndarray of shape (n_classes,)", "Constants of the decision function."),
    },
    "random-projection": {"n_components_": ("int", "The number of components.")},
}

#: Types of the attributes that only some classes have, besides numbers of the precision of the data.
ATTRIBUTES = {
    "placed_": "NDArray[np.uint32]",
    "eigenvalues_": "NDArray[np.float64]",
    "explained_variance_": "NDArray[np.float64]",
    "explained_variance_ratio_": "NDArray[np.float64]",
    "reconstruction_error_": "float",
    "stress_": "float",
    "kl_divergence_": "float",
    "n_iter_": "int",
    "classes_": "NDArray[Any]",
}

METRIC = """\
metric : str or callable, default="euclidean"
    ``"euclidean"``, ``"cosine"``, ``"correlation"``, ``"manhattan"``, ``"chebyshev"``,
    ``"minkowski"``, ``"hamming"``, ``"jaccard"``, ``"hellinger"``, ``"gower"`` (of numbers, categories
    and gaps) or ``"nan_euclidean"`` (of numbers and NaN); another metric of
    `sklearn.metrics.pairwise_distances`, whose distances between all points are computed
    first (16 n^2 bytes); or ``"precomputed"``: X holds distances.
metric_params : dict, default=None
    Parameters of the metric, such as ``{"weights": …}`` with a weight per column of ``"gower"``, or
    ``{"asymmetric": …}`` with the names of columns of 0 and 1 whose common zeros do not count."""

COMMON = """\
n_jobs : int, default=None
    Number of threads; None and -1 for all processors. Results do not depend on it.
verbose : bool or callable, default=False
    Whether to show progress, by tqdm where it is installed; or a function of stage, steps
    done, all steps and iteration."""


def default(method, parameter):
    """The default of a parameter as a value of Python."""
    name, keys = python_name(parameter["name"]), [method["about"]["name"], "*"]
    if any(other["name"] == "components" for other in method["parameters"]):
        keys.insert(1, "components")
    for key in ((key, name) for key in keys):
        if key in DEFAULTS:
            return DEFAULTS[key]
    return value(parameter["default"], parameter["kind"])


def value(text, kind):
    """Text of the registry as a value of Python."""
    if text == "none":
        return None
    if kind == "flag":
        return text == "true"
    for number in (int, float):
        try:
            return number(text)
        except ValueError:
            pass
    return text


def typed(method, parameter):
    """The type of a parameter in words."""
    kind, name = parameter["kind"], python_name(parameter["name"])
    if (method["about"]["name"], name) in WIDENED:
        return WIDENED[method["about"]["name"], name][0]
    if name == "random_state":
        return "int, RandomState, Generator or None"
    words = {"integer": "int", "real": "float", "flag": "bool", "words": "str", "text": "str or number"}[kind]
    if parameter["default"] == "none" or default(method, parameter) is None:
        words += " or None"
    if kind == "words":
        words = "{" + ", ".join(f'"{word}"' for word in parameter["words"]) + "}"
    if name == "init":
        words += " or array of shape (n_samples, n_components)"
    return words


def annotation(method, parameter):
    """The type of a parameter as an annotation."""
    kind, name = parameter["kind"], python_name(parameter["name"])
    if (method["about"]["name"], name) in WIDENED:
        return WIDENED[method["about"]["name"], name][1]
    if name == "random_state":
        return "Seed"
    known = {"integer": "int", "real": "float", "flag": "bool", "words": "str", "text": "str | float"}[kind]
    optional = parameter["default"] == "none" or default(method, parameter) is None
    if name == "init":
        known += " | Floats"
    return f"{known} | None" if optional else known


def wrapped(text, indent):
    """Text in lines of at most 96 characters."""
    pad = " " * indent
    return textwrap.fill(
        text, 96, initial_indent=pad, subsequent_indent=pad, break_on_hyphens=False, break_long_words=False
    )


def sentence(text):
    """Text with a capital letter and a full stop."""
    return text[0].upper() + text[1:].rstrip(".") + "."


def written(method):
    """The class of a method."""
    about, parameters = method["about"], method["parameters"]
    # The target dimension first, as scikit-learn's positional argument.
    parameters = sorted(parameters, key=lambda parameter: parameter["name"] != "dim")
    metric = "distances" in about["accepts"]
    added = ADDED.get(about["name"], {})
    lines = [f"class {class_name(about['name'])}({BASES.get(about['name'], 'Estimator')}):"]
    lines += [f'    """{sentence(about["summary"])}', ""]
    for text in (
        f"Preserves {about['preserves']}.",
        f"Cost: {about['cost']}.",
        f"New points: {about['new_points']}.",
    ):
        lines.append(wrapped(text, 4))
    if about["name"] in INTERFACES:
        lines += ["", wrapped(INTERFACES[about["name"]], 4)]
    lines += ["", "    Parameters", "    ----------"]
    for parameter in parameters:
        shown = default(method, parameter)
        shown = f'"{shown}"' if isinstance(shown, str) else shown
        lines.append(f"    {python_name(parameter['name'])} : {typed(method, parameter)}, default={shown}")
        meaning = sentence(parameter["about"])
        if parameter["kind"] != "words" and parameter["name"] != "seed":
            meaning += f" Legal: {parameter['legal'].rstrip('.')}."
        widened = WIDENED.get((about["name"], python_name(parameter["name"])))
        lines.append(wrapped(widened[2] if widened else meaning, 8))
    for name, (words, _, value, meaning) in added.items():
        shown = f'"{value}"' if isinstance(value, str) else value
        lines += [f"    {name} : {words}, default={shown}", wrapped(meaning, 8)]
    common = METRIC + "\n" + COMMON if metric else COMMON
    lines.append(textwrap.indent(common, "    "))
    lines += ["", "    Attributes", "    ----------"]
    lines += attributes(method)
    lines += ["    facts_ : dict", "        What the fit reports:"]
    for fact in method["facts"]:
        lines.append(wrapped(f"``{fact['name']}``: {fact['meaning'].rstrip('.')}.", 8))
    lines += ["    notes_ : list of str", "        What a reader of the result must know."]
    if metric:
        lines += ["    n_features_in_ : int", "        Only where X was given: its number of columns."]
    else:
        lines += ["    n_features_in_ : int", "        The number of columns of X."]
    lines += ["    feature_names_in_ : ndarray of shape (n_features_in_,)"]
    lines += ["        Only where the columns of X have names: these."]
    lines += explained(about.get("explanation", []))
    lines += example(method)
    lines += ['    """', ""]
    lines.append(f'    _method = "{about["name"]}"')
    lines.append(f"    _accepts = ({', '.join(repr_of(data) for data in about['accepts'])},)")
    if (method["sparse"] or about["name"] in READS_ENTRIES) and "neighbors" not in about["accepts"]:
        lines.append("    _reads_entries = True")
    if any(parameter["name"] == LABELS for parameter in parameters):
        lines.append("    _reads_labels = True")
    if about["needs_labels"]:
        lines.append("    _needs_labels = True")
    if facts(method):
        lines.append(f"    _facts = ({', '.join(map(repr_of, facts(method)))},)")
    if about["name"] in LINEAR:
        lines.append(f"    _map = ({', '.join(map(repr_of, mapped(method)))},)")
        lines.append("    _linear = True")
    lines += declared(method)
    lines += ["", "    def __init__(", "        self,"]
    names = []
    for position, parameter in enumerate(parameters):
        name = python_name(parameter["name"])
        names.append(name)
        shown = repr_of(default(method, parameter))
        lines.append(f"        {name}: {annotation(method, parameter)} = {shown},")
        if position == 0:
            lines.append("        *,")
    for name, (_, known, value, _) in added.items():
        names.append(name)
        lines.append(f"        {name}: {known} = {repr_of(value)},")
    if metric:
        lines += [
            '        metric: Metric = "euclidean",',
            "        metric_params: dict[str, Any] | None = None,",
        ]
        names += ["metric", "metric_params"]
    lines += ["        n_jobs: int | None = None,", "        verbose: Verbose = False,", "    ):"]
    names += ["n_jobs", "verbose"]
    lines += [f"        self.{name} = {name}" for name in names]
    return "\n".join(lines)


def facts(method):
    """The facts that are attributes too."""
    known = [fact["name"] for fact in method["facts"]]
    own = [name for name in FACTS if name in known]
    # Of factors, in another unit.
    return [name for name in own if name != "explained_variance" or "explained_variance_ratio" in own]


def mapped(method):
    """The attributes of a linear map."""
    return ["components_", "mean_"] if LINEAR[method["about"]["name"]][1] else ["components_"]


def declared(method):
    """The types of the attributes that not every class has."""
    own = ("embedding_", *GAINED.get(method["about"]["name"], {}))
    names = [line.split(" : ")[0].strip() for line in attributes(method) if " : " in line[:60]]
    return [f"    {name}: {ATTRIBUTES.get(name, 'Floats')}" for name in names if name not in own]


def example(method):
    """A fit to some points, and the places of others."""
    kind = class_name(method["about"]["name"])
    near = [parameter for parameter in method["parameters"] if parameter["name"] == "k"]
    given = "n_neighbors=10" if near and default(method, near[0]) in (5, 6) else ""
    lines = [">>> import swissroll", ">>> X, position = swissroll.datasets.make_swiss_roll(300)"]
    y = ""
    if method["about"]["needs_labels"]:
        lines.append(">>> y = (position // 3).astype(int)")
        given, y = "n_components=2", ", y[:250]"
    lines += [
        f">>> fitted = swissroll.{kind}({given}).fit(X[:250]{y})",
        ">>> fitted.embedding_.shape, fitted.transform(X[250:]).shape",
        "((250, 2), (50, 2))",
    ]
    return ["", "    Examples", "    --------", *(f"    {line}" for line in lines)]


def attributes(method):
    """The documentation of the attributes of a fit, except facts, notes and names of columns."""
    name, known = method["about"]["name"], {fact["name"]: fact["meaning"] for fact in method["facts"]}
    directions = "ndarray of shape (n_components, n_features_in_)"
    origin = "ndarray of shape (n_features_in_,)"
    listed = zip(("components_", "mean_"), (directions, origin), LINEAR.get(name, ()))
    listed = [attribute for attribute in listed if attribute[2]]
    if "eigenvalues" in known or name in EIGENVALUES:
        meaning = EIGENVALUES.get(name) or sentence(known["eigenvalues"])
        listed.append(("eigenvalues_", "ndarray of shape (n_components,)", meaning))
    listed += [(f"{fact}_", FACTS[fact], sentence(known[fact])) for fact in facts(method)]
    if "status" in known or name in ITERATIVE:
        listed.append(("n_iter_", "int", ITERATIVE.get(name, "Number of iterations.")))
    if method["about"]["needs_labels"]:
        listed.append(("classes_", "ndarray of shape (n_classes,)", "The classes of y."))
    listed += [(attribute, *known) for attribute, known in GAINED.get(name, {}).items()]
    lines = ["    embedding_ : ndarray of shape (n_samples, n_components)", "        The coordinates."]
    parts = any(parameter["name"] == "components" for parameter in method["parameters"])
    if parts:
        lines += ["    placed_ : ndarray of int"]
        lines += ['        Only where rows were not placed (``components="largest"``): those that were.']
    for attribute, kind, meaning in listed:
        if parts:
            # Components that are fitted by themselves have facts of their own.
            meaning = f"Only where all points have one map: {meaning[0].lower()}{meaning[1:]}"
        lines += [f"    {attribute} : {kind}", wrapped(meaning, 8)]
    return lines


def explained(sections):
    """When a method fails, and where it comes from."""
    texts = {section["title"]: section["parts"] for section in sections}
    lines = []
    for title, heading in (("When it fails", "Notes"), ("Reference", "References")):
        paragraphs = [part["text"] for part in texts.get(title, []) if "text" in part]
        if paragraphs:
            lines += ["", f"    {heading}", f"    {'-' * len(heading)}"]
            lines += [wrapped(paragraph, 4) for paragraph in paragraphs]
    return lines


def repr_of(value):
    """A value as Python code, text in double quotes."""
    return f'"{value}"' if isinstance(value, str) else repr(value)


def source():
    """The text of the file."""
    every = [method for name, method in methods().items() if name not in DROP_IN]
    head = '''"""One class per method of the registry. Written by generate.py; change that instead."""

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
'''
    names = ",\n".join(f'    "{class_name(method["about"]["name"])}"' for method in every)
    classes = "\n\n\n".join(written(method) for method in every)
    return f"{head}\n__all__ = [\n{names},\n]\n\n\n{classes}\n"


if __name__ == "__main__":
    path = PACKAGE / "_estimators.py"
    path.write_text(source())
    print(f"wrote {path}")
