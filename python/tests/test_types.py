"""Values of wrong types, for every argument of every public function and class."""

import inspect
import re

import numpy as np
import pyarrow as pa
import pytest

import swissroll
from swissroll import arrow, datasets, quality, regression
from swissroll._base import Embedder
from swissroll._loading import estimators

OTHERS = [swissroll.MDS, swissroll.LocallyLinearEmbedding, swissroll.SpectralEmbedding]
CLASSES = [*estimators().values(), *OTHERS, regression.LocalBarycentric, regression.KernelRidge]
#: Values that no argument takes, except arrays where an array is read.
WRONG = {"object": object(), "complex": 1j, "array": np.zeros((3, 3, 3)), "bytes": [b"x"]}
#: Arguments that are read as arrays or tables by scikit-learn, numpy or Arrow, whose sentences
#: need not name them; `y` is not read by methods without classes.
READ = {"X", "y", "embedding", "truth", "labels", "batch", "queries", "base", "lists", "sources"}
#: What bindings and the interpreter say about unchecked arguments.
RAW = (
    r"^argument '|cannot be cast|object is not|object cannot be|unsupported operand|has no attribute|"
    r"not supported between|takes \d+ positional|unhashable|cannot convert|must be real number, not"
)


@pytest.fixture(scope="module")
def roll():
    return datasets.make_swiss_roll(60)[0]


def classes(X):
    return (X[:, 0] > 0).astype(int) + (X[:, 1] > 10)


def refused(call, name, wrong):
    """Calls with one argument of a wrong type; whether it was refused, which must be in words."""
    try:
        call(**{name: wrong})
    except (TypeError, ValueError) as error:
        sentence = str(error)
        assert not re.search(RAW, sentence), f"{name}: {sentence}"
        assert name in READ or re.search(rf"\b{name}\b", sentence), f"{name}: {sentence}"
        assert len(sentence) < 600 and "\n  " not in sentence, sentence
        return True
    return False


def functions(X, folder):
    """Every public function and method, with arguments that it takes."""
    lists, pca = swissroll.neighbors(X, 5), swissroll.PCA().fit(X)
    tsne = swissroll.TSNE(perplexity=10, max_iter=300).fit(X)
    table = folder / "points.csv"
    table.write_text("x,y\n1,2\n3,4\n5,7\n")
    pca.save(folder / "model")
    arrow.write_graph(folder / "graph", lists)
    batch = pa.table({"id": np.arange(60), **{name: X[:, at] for at, name in enumerate("xyz")}})
    near = pa.table(arrow.nearest(batch, batch, 3, ["x", "y", "z"]).to_pydict(), schema=arrow.LISTS)
    pointers, columns, distances = lists.sparse()
    near_rows, near_distances = columns.reshape(60, 5), distances.reshape(60, 5)
    columns_of = ["x", "y", "z"]
    return [
        (swissroll.neighbors, dict(X=X, n_neighbors=5)),
        (swissroll.to_sparse, dict(lists=lists)),
        (swissroll.compare, dict(X=X, methods=["PCA"])),
        (swissroll.lab, dict(X=X, methods=["PCA"])),
        (swissroll.load, dict(path=folder / "model")),
        (swissroll.set_memory_limit, dict(limit=None)),
        (swissroll.methods, {}),
        (datasets.load, dict(name="swiss-roll", n_samples=20)),
        (datasets.read, dict(path=table)),
        (datasets.make_swiss_roll, dict(n_samples=20)),
        (datasets.list_datasets, {}),
        (quality.score, dict(X=X, embedding=X)),
        (quality.score_points, dict(X=X, embedding=X)),
        (quality.intrinsic_dimension, dict(X=X)),
        (quality.measures, {}),
        (quality.perturbation, dict(estimator=pca, X=X)),
        (quality.singularity, dict(estimator=tsne)),
        (quality.drivers, dict(estimator=pca, X=X)),
        (quality.ellipses, dict(X=X, embedding=X[:, :2])),
        (regression.left_out, dict(regressor=regression.LocalBarycentric(), X=X, y=X)),
        (regression.LocalBarycentric().fit, dict(X=X, y=X)),
        (regression.LocalBarycentric().fit(X, X).predict, dict(X=X)),
        (swissroll.Neighbors.from_sparse, dict(pointers=pointers, columns=columns, distances=distances)),
        (lists.truncated, dict(k=3)),
        (lists.bridged, dict(X=X)),
        (lists.geodesics, {}),
        (lists.memberships, {}),
        (swissroll.Neighbors.from_arrays, dict(indices=near_rows, distances=near_distances)),
        (swissroll.LTSA(n_neighbors=8).fit, dict(X=X)),
        (swissroll.LTSA(n_neighbors=8).fit_transform, dict(X=X)),
        (pca.transform, dict(X=X)),
        (pca.inverse_transform, dict(X=X[:, :2])),
        (pca.save, dict(path=folder / "again")),
        (swissroll.SpectralEmbedding().fit, dict(X=X)),
        (arrow.ids, dict(batch=batch)),
        (arrow.matrix, dict(batch=batch, columns=columns_of)),
        (arrow.pack, dict(model=pca)),
        (arrow.transform, dict(model=pca, batch=batch, columns=columns_of)),
        (arrow.nearest, dict(queries=batch, base=batch, k=3, columns=columns_of)),
        (arrow.merge, dict(lists=near, k=3)),
        (arrow.write_graph, dict(path=folder / "other", lists=lists)),
        (arrow.read_graph, dict(path=folder / "graph")),
        (arrow.geodesics, dict(sources=[0], path=folder / "graph")),
    ]


@pytest.mark.parametrize("wrong", WRONG)
def test_arguments_of_functions_are_checked(roll, tmp_path, wrong):
    for function, arguments in functions(roll, tmp_path):
        for name in inspect.signature(function).parameters:

            def call(function=function, arguments=arguments, **own):
                return function(**{**arguments, **own})

            # A fit without classes does not read y.
            ignored = name == "y" and isinstance(getattr(function, "__self__", None), Embedder)
            assert refused(call, name, WRONG[wrong]) != ignored, f"{function}: {name}={wrong}"


def test_every_public_function_is_checked(roll, tmp_path):
    checked = {function.__name__ for function, _ in functions(roll, tmp_path)}
    own = [getattr(swissroll, name) for name in swissroll.__all__] + list(vars(swissroll.Neighbors).values())
    for module in (datasets, quality, regression, arrow):
        own += [
            member for member in vars(module).values() if getattr(member, "__module__", "") == module.__name__
        ]
    named = {member.__name__ for member in own if inspect.isfunction(member) and member.__name__[0] != "_"}
    # They have no parameters.
    assert named - checked == {"components", "sparse"}


@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)
def test_parameters_of_classes_are_checked(kind, wrong, roll):
    y = roll if kind.__module__ == "swissroll.regression" else classes(roll)
    for name in kind().get_params():
        assert refused(lambda **own: kind(**own).fit(roll, y), name, WRONG[wrong]), f"{name}={wrong}"


def test_lists_are_made_of_the_parts_of_a_matrix_of_scipy(roll):
    graph = swissroll.to_sparse(swissroll.neighbors(roll, 5))
    parts = graph.indptr.astype(np.int32), graph.indices.astype(np.int32), graph.data
    lists = swissroll.Neighbors.from_sparse(*parts)
    assert lists.k == 5 and (swissroll.to_sparse(lists) != graph).nnz == 0
    assert repr(lists) == "<swissroll.Neighbors of 60 points, k=5, found_by=None>"
    assert repr(swissroll.neighbors(roll, radius=3.0)).startswith(
        "<swissroll.Neighbors of 60 points, radius=3,"
    )
    single = swissroll.Neighbors.from_sparse(graph.indptr, graph.indices, graph.data.astype(np.float32))
    assert np.allclose(single.sparse()[2], graph.data)
    for wrong, message in (
        ((parts[0][:-1], parts[1], parts[2]), "agree on the number of entries"),
        ((parts[0], parts[1] + 60, parts[2]), "columns must be numbers of points, 0 to 59"),
        ((parts[0][::-1], parts[1], parts[2]), "pointers must start with 0"),
    ):
        with pytest.raises(ValueError, match=message):
            swissroll.Neighbors.from_sparse(*wrong)


@pytest.mark.parametrize(
    "call, sentence",
    [
        (lambda X: swissroll.neighbors(X, 5, metric=3), "metric must be the name of a metric or a function"),
        (
            lambda X: swissroll.LTSA().fit(X, neighbors=(X, X)),
            "neighbors must be lists that swissroll.neighbors",
        ),
        (lambda X: swissroll.compare(X, n_components="23"), "n_components must be an integer, but is '23'"),
        (lambda X: swissroll.UMAP(init=X).fit(X), "60 × 2, a row per point and a column per dimension"),
        (lambda X: swissroll.TSNE(init=X[0]).fit(X), r"init must be a word or an array of shape \(n_samples"),
        (lambda X: swissroll.datasets.load(3), "name must be text, but is 3"),
    ],
)
def test_wrong_types_are_named(roll, call, sentence):
    with pytest.raises((TypeError, ValueError), match=sentence):
        call(roll)


# Sentences that name what the caller has


def test_t_sne_speaks_of_its_perplexity(roll):
    lists = swissroll.neighbors(roll, 15)
    with pytest.raises(
        ValueError, match="perplexity must be at most 5 with lists of 15 neighbors, but is 10"
    ):
        swissroll.TSNE(perplexity=10).fit(roll, neighbors=lists)
    fitted = swissroll.TSNE(perplexity=5, max_iter=260).fit(roll, neighbors=lists)
    assert np.isfinite(fitted.embedding_).all()


def test_all_points_as_neighbors_are_no_copies():
    X = np.random.default_rng(0).normal(size=(150, 3))
    with pytest.raises(ValueError, match=r"n_neighbors must be 1 to n_samples - 1 \(here 149\), but is 150"):
        swissroll.SpectralEmbedding(n_neighbors=150).fit(X)
    # On a circle all edges are mutual, and all affinities equal.
    angles = 2 * np.pi * np.arange(12) / 12
    circle = np.column_stack([np.cos(angles), np.sin(angles)])
    fitted = swissroll.SpectralEmbedding(n_neighbors=3).fit(circle)
    np.testing.assert_allclose(fitted.eigenvalues_, 1 - np.cos(2 * np.pi / 12), atol=1e-9)


def test_distances_that_are_no_numbers_name_the_metric_and_the_rows(roll):
    def distance(a, b):
        return np.nan if a[0] + b[0] == roll[3, 0] + roll[5, 0] else abs(a - b).sum()

    for call in (
        lambda: swissroll.Isomap(metric=distance).fit(roll),
        lambda: swissroll.neighbors(roll, 5, metric=distance),
    ):
        with pytest.raises(ValueError, match="the metric distance must .* gives nan between row 3 and row 5"):
            call()


def test_neighbors_by_a_function_are_those_of_its_name(roll):
    found = swissroll.neighbors(roll, 5, metric=lambda a, b: np.abs(a - b).sum())
    named = swissroll.neighbors(roll, 5, metric="manhattan")
    assert np.array_equal(found.sparse()[1], named.sparse()[1])
    with pytest.raises(ValueError, match="leave it out for an exact search"):
        swissroll.neighbors(roll, 5, metric=lambda a, b: 1.0 * (a != b).any(), recall=0.9)
