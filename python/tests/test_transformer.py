"""The search of neighbors as a transformer, and lists of other programs."""

import pickle

import numpy as np
import pytest
from scipy import sparse
from sklearn import neighbors as reference
from sklearn.base import clone
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import check_estimator

import swissroll
from swissroll import KNeighborsTransformer


@pytest.fixture(scope="module")
def cloud():
    random = np.random.default_rng(5)
    return random.normal(size=(120, 12)), random.normal(size=(40, 12))


def city_block(x, y):
    return np.abs(x - y).sum()


@pytest.mark.parametrize("mode", ["distance", "connectivity"])
@pytest.mark.parametrize(
    "metric",
    [
        {},
        {"metric": "minkowski", "p": 3},
        {"metric": "cosine"},
        {"metric": "manhattan"},
        {"metric": "braycurtis"},
        {"metric": city_block},
    ],
    ids=["default", "p", "cosine", "manhattan", "of scikit-learn", "function"],
)
def test_matrices_are_those_of_scikit_learn(cloud, mode, metric):
    X, new = (np.abs(rows) for rows in cloud)
    own = KNeighborsTransformer(7, mode=mode, **metric)
    other = reference.KNeighborsTransformer(n_neighbors=7, mode=mode, **metric)
    for found, expected in (
        (own.fit_transform(X), other.fit_transform(X)),
        (own.transform(new), other.transform(new)),
        (own.kneighbors_graph(new, 3), other.kneighbors_graph(new, 3)),
        (own.kneighbors_graph(), other.kneighbors_graph()),
        (own.kneighbors_graph(None, 4, "distance"), other.kneighbors_graph(None, 4, "distance")),
    ):
        assert found.shape == expected.shape and found.nnz == expected.nnz
        np.testing.assert_allclose(found.toarray(), expected.toarray(), atol=1e-12)
    for arguments in ((), (new,), (new, 5)):
        (d, i), (e, j) = own.kneighbors(*arguments), other.kneighbors(*arguments)
        np.testing.assert_array_equal(i, j)
        np.testing.assert_allclose(d, e, atol=1e-12)
    np.testing.assert_array_equal(own.kneighbors(new, return_distance=False), other.kneighbors(new)[1])
    again = pickle.loads(pickle.dumps(own))
    np.testing.assert_array_equal(again.transform(new).toarray(), own.transform(new).toarray())
    assert own.get_feature_names_out().tolist() == [f"kneighborstransformer{i}" for i in range(120)]


def test_sparse_rows_and_distances_are_searched_too(cloud):
    X, new = (np.maximum(rows, 0) for rows in cloud)
    for metric in ("euclidean", "cosine", "jaccard"):
        dense = KNeighborsTransformer(6, metric=metric).fit(X)
        of_sparse = KNeighborsTransformer(6, metric=metric).fit(sparse.csr_array(X))
        for rows in (new, sparse.csr_array(new)):
            np.testing.assert_array_equal(of_sparse.transform(rows).toarray(), dense.transform(new).toarray())
    distances = reference.KNeighborsTransformer(n_neighbors=119).fit_transform(X).toarray()
    distances = (distances + distances.T) / 2
    given = KNeighborsTransformer(6, metric="precomputed").fit(distances)
    direct = KNeighborsTransformer(6).fit(X)
    np.testing.assert_array_equal(given.kneighbors()[1], direct.kneighbors()[1])
    np.testing.assert_array_equal(given.kneighbors(distances[:9])[1], direct.kneighbors(X[:9])[1])


def test_an_estimator_reads_the_matrix_in_a_pipeline(cloud):
    X, new = cloud
    pipeline = make_pipeline(
        KNeighborsTransformer(8, metric="cosine"), swissroll.Isomap(n_neighbors=8, metric="precomputed")
    )
    direct = swissroll.Isomap(n_neighbors=8, metric="cosine")
    np.testing.assert_array_equal(pipeline.fit_transform(X), direct.fit_transform(X))


@pytest.mark.parametrize(
    "name", ["Isomap", "LandmarkIsomap", "CIsomap", "LaplacianEigenmaps", "UMAP", "TSNE"]
)
def test_new_points_are_placed_by_their_lists(cloud, name):
    X, new = cloud
    new = np.concatenate([new, X[3:5]])
    # Starts and landmarks that lists have, too.
    own = {"TSNE": dict(perplexity=8, init="spectral"), "LandmarkIsomap": dict(landmarks="random:30:1")}
    own = own.get(name, dict(n_neighbors=8))
    kind, lists = getattr(swissroll, name), KNeighborsTransformer(24 if name == "TSNE" else 8).fit(X)
    of_lists = kind(metric="precomputed", **own).fit(lists.fit_transform(X))
    of_points = kind(**own).fit(X, neighbors=lists.neighbors_)
    np.testing.assert_array_equal(of_lists.embedding_, of_points.embedding_)
    wide = KNeighborsTransformer(24).fit(X)
    placed = of_lists.transform(wide.transform(new))
    np.testing.assert_allclose(placed, of_points.transform(new), rtol=0, atol=1e-12)
    np.testing.assert_allclose(placed[-2:], of_lists.embedding_[3:5], rtol=0, atol=1e-12)
    other = reference.KNeighborsTransformer(n_neighbors=24).fit(X)
    np.testing.assert_allclose(of_lists.transform(other.transform(new)), placed, atol=1e-9)
    with pytest.raises(ValueError, match="fitted to neighbor lists: X must be a sparse matrix"):
        of_lists.transform(new)
    with pytest.raises(ValueError, match="120"):
        of_lists.transform(sparse.csr_array(new))
    with pytest.raises(ValueError, match="at least one training point"):
        of_lists.transform(sparse.csr_array((2, 120)))


def test_approximate_lists_reach_their_recall():
    X = np.random.default_rng(0).normal(size=(6000, 12))
    found = clone(KNeighborsTransformer(10, recall=0.9, random_state=3)).fit(X)
    assert 0.9 <= found.neighbors_.recall < 1
    # New points are searched exactly.
    exact = KNeighborsTransformer(10).fit(X)
    np.testing.assert_array_equal(found.kneighbors(X[:50] + 0.1)[1], exact.kneighbors(X[:50] + 0.1)[1])


def test_the_transformer_passes_the_checks_of_scikit_learn():
    check_estimator(KNeighborsTransformer(2))


@pytest.mark.parametrize(
    "settings, problem",
    [
        ({"n_neighbors": 0}, "n_neighbors must be"),
        ({"n_neighbors": 120}, "n_neighbors must be"),
        ({"n_neighbors": "5"}, "n_neighbors must be"),
        ({"mode": "graph"}, "mode must be one of"),
        ({"metric": "euclid"}, "euclid"),
        ({"recall": 2.0}, "recall must be"),
    ],
)
def test_wrong_settings_are_named(cloud, settings, problem):
    with pytest.raises((ValueError, TypeError), match=problem):
        KNeighborsTransformer(**settings).fit(cloud[0])


def test_more_neighbors_than_the_fit_or_the_data_have_are_refused(cloud):
    found = KNeighborsTransformer(5).fit(cloud[0])
    with pytest.raises(ValueError, match="at most 5"):
        found.kneighbors(None, 6)
    with pytest.raises(ValueError, match="121"):
        found.kneighbors(cloud[1], 121)
    with pytest.raises(ValueError, match="features"):
        found.transform(cloud[1][:, :4])


def test_lists_of_other_programs_are_read(cloud):
    X, _ = cloud
    expected = swissroll.neighbors(X, 9)
    distances, indices = reference.NearestNeighbors(n_neighbors=10).fit(X).kneighbors(X)
    found = swissroll.Neighbors.from_arrays(indices, distances)
    assert found.k == 9
    np.testing.assert_array_equal(found.sparse()[1], expected.sparse()[1])
    # Without the points themselves, in single precision, with places without a neighbor, in any order.
    wide = np.column_stack([indices[:, 1:][:, ::-1], np.full(120, -1)]).astype(np.int32)
    lengths = np.column_stack([distances[:, 1:][:, ::-1], np.full(120, np.nan)]).astype(np.float32)
    found = swissroll.Neighbors.from_arrays(wide, lengths)
    np.testing.assert_array_equal(found.sparse()[1], expected.sparse()[1])
    # A search that misses some points themselves.
    missed, lengths = indices.copy(), distances.copy()
    more, farther = reference.NearestNeighbors(n_neighbors=11).fit(X).kneighbors(X)[::-1]
    missed[7], lengths[7] = more[7, 1:], farther[7, 1:]
    found = swissroll.Neighbors.from_arrays(missed, lengths)
    np.testing.assert_array_equal(found.sparse()[1], expected.sparse()[1])


@pytest.mark.parametrize(
    "indices, distances, problem",
    [
        ([[1], [0]], [[1.0, 2.0], [1.0, 2.0]], "same shape"),
        ([[1], [2]], [[1.0], [1.0]], "row 1 has 2"),
        ([[1], [0]], [[1.0], [-0.5]], "row 1 has -0.5"),
        ([[1], [0]], [[1.0], [np.inf]], "finite"),
        ([[1.0], [0.0]], [[1.0], [1.0]], "integers"),
        ([1, 0], [1.0, 1.0], "n_samples x k"),
    ],
)
def test_wrong_lists_are_named(indices, distances, problem):
    with pytest.raises((ValueError, TypeError), match=problem):
        swissroll.Neighbors.from_arrays(indices, distances)


def test_memberships_are_the_graph_of_umap(cloud):
    lists = swissroll.neighbors(cloud[0], 14)
    distances = swissroll.to_sparse(lists).toarray()
    directed = np.zeros_like(distances)
    for row, members in zip(distances, directed):
        known = row > 0
        beyond = row[known] - row[known].min()
        low, high = 0.0, 1e3
        for _ in range(200):
            width = (low + high) / 2
            low, high = (width, high) if np.exp(-beyond / width).sum() < np.log2(15) else (low, width)
        members[known] = np.exp(-beyond / width)
    union = directed + directed.T - directed * directed.T
    graph = lists.memberships()
    assert abs(graph - graph.T).max() == 0
    np.testing.assert_allclose(graph.toarray(), union, atol=1e-4)
    np.testing.assert_allclose(lists.memberships(mix=0).toarray(), directed * directed.T, atol=1e-4)
    with pytest.raises(ValueError, match="mix must be 0 to 1"):
        lists.memberships(mix=2.0)


def test_labels_that_are_not_used_are_named(cloud):
    X, _ = cloud
    y = np.arange(120) % 3
    with pytest.warns(UserWarning, match="y is not used: UMAP is supervised where target_weight is set"):
        swissroll.UMAP(epochs=20).fit(X, y)
