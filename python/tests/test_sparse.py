"""Sparse points and approximate neighbors."""

import pickle

import numpy as np
import pytest
from scipy import sparse
from sklearn import decomposition

import swissroll

#: Estimators that read neighbor lists alone.
BY_LISTS = {
    "Isomap": {"n_neighbors": 6},
    "LandmarkIsomap": {"n_neighbors": 6},
    "CIsomap": {"n_neighbors": 6},
    "LaplacianEigenmaps": {"n_neighbors": 6},
    "DiffusionMaps": {"n_neighbors": 6},
    "TSNE": {"perplexity": 8, "max_iter": 260, "init": "random"},
    "UMAP": {"n_neighbors": 6},
    "DensMAP": {"n_neighbors": 6},
}

METRICS = ["euclidean", "cosine", "manhattan", "hamming", "jaccard", "hellinger"]


@pytest.fixture(scope="module")
def words():
    """150 rows of 40 columns, every tenth row a copy of the one before it."""
    random = np.random.default_rng(3)
    X = random.random((150, 40)) * (random.random((150, 40)) < 0.15)
    X[np.arange(150), np.arange(150) % 40] += 0.5
    X[10::10] = X[9:-1:10]
    return X


def listed(lists):
    pointers, columns, distances = lists.sparse()
    return pointers.tolist(), columns.tolist(), distances.tolist()


@pytest.mark.parametrize("metric", METRICS)
def test_sparse_points_have_the_lists_of_dense_ones(words, metric):
    expected = listed(swissroll.neighbors(words, 7, metric=metric))
    for kind in (sparse.csr_array, sparse.csr_matrix, sparse.coo_array):
        assert listed(swissroll.neighbors(kind(words), 7, metric=metric)) == expected
    single = swissroll.neighbors(sparse.csr_array(words.astype(np.float32)), 7, metric=metric)
    assert listed(single) == listed(swissroll.neighbors(words.astype(np.float32), 7, metric=metric))


def test_entries_in_any_order_are_added(words):
    order = sparse.csr_array(words)
    parts = [np.arange(a, b)[::-1] for a, b in zip(order.indptr, order.indptr[1:])]
    at = np.concatenate(parts)
    halves = np.repeat(order.data[at] / 2, 2), np.repeat(order.indices[at], 2), 2 * order.indptr
    split = sparse.csr_array(halves, shape=words.shape)
    assert listed(swissroll.neighbors(split, 5)) == listed(swissroll.neighbors(words, 5))


@pytest.mark.parametrize("name", BY_LISTS)
def test_estimators_of_neighbor_lists_are_fitted_to_sparse_points(words, name):
    kind = getattr(swissroll, name)
    estimator = kind(**BY_LISTS[name], metric="cosine")
    assert estimator.__sklearn_tags__().input_tags.sparse
    Y = estimator.fit_transform(sparse.csr_array(words))
    assert Y.shape == (150, 2) and np.isfinite(Y).all()
    if name not in ("LandmarkIsomap", "TSNE"):
        np.testing.assert_array_equal(Y, kind(**BY_LISTS[name], metric="cosine").fit_transform(words))
    new = words[:60] * np.linspace(0.5, 1.5, 40)
    placed = estimator.transform(sparse.csr_array(new))
    assert placed.shape == (60, 2) and np.isfinite(placed).all()
    np.testing.assert_array_equal(estimator.transform(new), placed)
    np.testing.assert_array_equal(estimator.transform(sparse.csr_array(new[7:9])), placed[7:9])
    # A method that keeps copies apart returns the place of the first of them.
    first = [row for row in range(len(words)) if row == 0 or (words[row] != words[row - 1]).any()]
    stored = estimator.transform(sparse.csr_array(words))
    np.testing.assert_allclose(stored[first], Y[first], atol=1e-6 * np.abs(Y).max())
    again = pickle.loads(pickle.dumps(estimator))
    assert np.array_equal(again.embedding_, Y)
    np.testing.assert_array_equal(again.transform(sparse.csr_array(new)), placed)
    if name not in ("LandmarkIsomap", "TSNE"):
        dense = kind(**BY_LISTS[name], metric="cosine").fit(words)
        np.testing.assert_array_equal(dense.transform(new), placed)
        np.testing.assert_array_equal(dense.transform(sparse.csr_array(new)), placed)
    with pytest.raises(ValueError, match="features"):
        estimator.transform(sparse.csr_array(new[:, :30]))


#: Estimators that read distances beyond those to neighbors.
BY_ENTRIES = {
    "PaCMAP": {"init": "random"},
    "LocalMAP": {"init": "random"},
    "TriMap": {"init": "random", "max_iter": 60},
    "PHATE": {},
}


@pytest.mark.parametrize("name", BY_ENTRIES)
def test_layouts_of_sparse_points_are_those_of_dense_ones(words, name):
    kind = getattr(swissroll, name)
    X = sparse.csr_array(words)
    estimator = kind(**BY_ENTRIES[name], metric="cosine")
    assert estimator.__sklearn_tags__().input_tags.sparse
    Y = estimator.fit_transform(X)
    dense = kind(**BY_ENTRIES[name], metric="cosine").fit(words)
    np.testing.assert_array_equal(Y, dense.embedding_)
    new = words[:60] * np.linspace(0.5, 1.5, 40)
    placed = estimator.transform(sparse.csr_array(new))
    for other in (estimator, dense, pickle.loads(pickle.dumps(estimator))):
        np.testing.assert_array_equal(other.transform(new), placed)
    assert np.isfinite(kind(n_neighbors=6).fit_transform(X)).all()
    for metric in ("chebyshev", "precomputed"):
        assert not kind(metric=metric).__sklearn_tags__().input_tags.sparse
        with pytest.raises(TypeError, match="[Ss]parse"):
            kind(metric=metric).fit(X)


def test_principal_components_of_sparse_points_are_those_of_scikit_learn(words):
    X = sparse.csr_array(words)
    assert swissroll.PCA().__sklearn_tags__().input_tags.sparse
    found, expected = (
        swissroll.PCA(3).fit(X),
        decomposition.PCA(3, svd_solver="arpack", random_state=0).fit(X),
    )
    np.testing.assert_allclose(found.explained_variance_, expected.explained_variance_, rtol=1e-9)
    ratios = expected.explained_variance_ratio_
    np.testing.assert_allclose(found.explained_variance_ratio_, ratios, rtol=1e-9)
    np.testing.assert_allclose(found.mean_, expected.mean_, atol=1e-12)
    cosines = np.abs(np.sum(found.components_ * expected.components_, axis=1))
    np.testing.assert_allclose(cosines, 1, atol=1e-9)
    places = found.transform(X)
    np.testing.assert_allclose(places, found.embedding_, atol=1e-10)
    np.testing.assert_array_equal(places, found.transform(words))
    assert found.inverse_transform(places).shape == words.shape
    with pytest.raises(ValueError, match="NaN"):
        swissroll.PCA().fit(sparse.csr_array(np.where(words > 1, np.nan, words)))


def test_sparse_points_are_refused_where_zeros_are_read(words):
    X = sparse.csr_array(words)
    for kind in (swissroll.FactorAnalysis, swissroll.LLE, swissroll.ClassicalMDS):
        assert not kind().__sklearn_tags__().input_tags.sparse
        with pytest.raises(TypeError, match="[Ss]parse"):
            kind().fit(X)
    with pytest.raises(TypeError, match="[Ss]parse"):
        swissroll.Isomap(metric="chebyshev").fit(X)
    with pytest.raises(ValueError, match="sparse points"):
        swissroll.neighbors(X, 4, metric="chebyshev")
    # In contrast to scikit-learn's, the start is the principal components of the entries.
    assert np.isfinite(swissroll.TSNE(perplexity=8, max_iter=260, init="pca").fit_transform(X)).all()
    empty = words.copy()
    empty[3] = 0
    with pytest.raises(ValueError, match=r"row 3 \(counted from 0\) is zero"):
        swissroll.neighbors(sparse.csr_array(empty), 4, metric="cosine")
    with pytest.raises(ValueError, match="NaN"):
        swissroll.neighbors(sparse.csr_array(np.where(words > 1, np.nan, words)), 4)


def test_components_of_sparse_points_are_joined_with_a_warning(words):
    apart = np.zeros((150, 80))
    apart[:75, :40], apart[75:, 40:] = words[:75], words[75:]
    with pytest.warns(UserWarning, match="is 2 > 1"):
        fitted = swissroll.Isomap(n_neighbors=6, metric="cosine").fit(sparse.csr_array(apart))
    with pytest.warns(UserWarning):
        expected = swissroll.Isomap(n_neighbors=6, metric="cosine").fit(apart)
    np.testing.assert_array_equal(fitted.embedding_, expected.embedding_)
    np.testing.assert_array_equal(fitted.dist_matrix_, expected.dist_matrix_)


def test_reviews_by_cosine():
    reviews = swissroll.datasets.load("reviews").data
    words = sparse.csr_array(reviews)
    assert words.nnz < 0.03 * reviews.size
    Y = swissroll.UMAP(n_neighbors=15, metric="cosine").fit_transform(words)
    np.testing.assert_array_equal(Y, swissroll.UMAP(n_neighbors=15, metric="cosine").fit_transform(reviews))


def test_approximate_neighbors_have_their_recall_measured():
    X = np.random.default_rng(0).normal(size=(6000, 12)).astype(np.float32)
    exact = swissroll.neighbors(X, 10)
    assert exact.recall is None and exact.found_by != "approximate"
    lists = swissroll.neighbors(X, 10, recall=0.9)
    assert lists.found_by == "approximate" and 0.9 <= lists.recall < 1
    near, true = (found.sparse()[1].reshape(6000, 10) for found in (lists, exact))
    right = np.mean([len(np.intersect1d(a, b)) for a, b in zip(near, true)]) / 10
    assert abs(right - lists.recall) < 0.04
    assert listed(swissroll.neighbors(X, 10, recall=0.9, n_jobs=1)) == listed(lists)
    assert listed(swissroll.neighbors(X, 10, recall=0.9, random_state=1)) != listed(lists)
    # Few points are searched exactly, which is reported.
    assert swissroll.neighbors(X[:500], 10, recall=0.9).recall == 1
    assert pickle.loads(pickle.dumps(lists)).recall == lists.truncated(5).recall == lists.recall
    apart = np.vstack([X[:3000], X[3000:] + 100])
    joined = swissroll.neighbors(apart, 10, recall=0.9).bridged(apart)
    assert np.ptp(joined.components()) == 0 and 0.9 <= joined.recall <= 1
    for metric in ("cosine", "manhattan"):
        near, true = (
            swissroll.neighbors(X[:5000], 10, metric=metric, **recall) for recall in ({"recall": 0.9}, {})
        )
        assert near.found_by == "approximate" and 0.9 <= near.recall < 1
        near, true = (found.sparse()[1].reshape(5000, 10) for found in (near, true))
        assert np.mean([len(np.intersect1d(a, b)) for a, b in zip(near, true)]) > 8.6
    for wrong in ({"metric": "precomputed"}, {"radius": 1.0}):
        with pytest.raises(ValueError, match="leave it out for an exact search"):
            swissroll.neighbors(X, 10, recall=0.9, **wrong)
    with pytest.raises(ValueError, match="recall must be above 0 and at most 1"):
        swissroll.neighbors(X, 10, recall=1.5)


@pytest.fixture(scope="module")
def texts():
    """5,000 rows of 400 columns; 50 consecutive ones have most of their values in the same 12 columns."""
    random = np.random.default_rng(5)
    themes = random.integers(0, 400, (100, 12))
    rows = np.repeat(np.arange(5000), 8)
    own = themes[rows // 50, random.integers(0, 12, 40000)]
    columns = np.where(random.random(40000) < 0.9, own, random.integers(0, 400, 40000))
    return sparse.csr_array((random.random(40000) + 0.5, (rows, columns)), shape=(5000, 400))


@pytest.mark.parametrize("metric", METRICS)
def test_approximate_neighbors_of_sparse_points_have_their_recall_measured(texts, metric):
    exact = swissroll.neighbors(texts, 8, metric=metric)
    lists = swissroll.neighbors(texts, 8, metric=metric, recall=0.9)
    assert lists.found_by == "approximate" and 0.9 <= lists.recall <= 1
    near, true = (found.sparse()[2].reshape(5000, 8) for found in (lists, exact))
    assert abs((near <= true.max(axis=1, keepdims=True)).mean() - lists.recall) < 0.04
    assert listed(swissroll.neighbors(texts, 8, metric=metric, recall=0.9, n_jobs=1)) == listed(lists)


def test_an_approximate_search_of_sparse_points_can_be_exact_and_says_what_it_needs(texts):
    few = swissroll.neighbors(texts[:500], 8, recall=0.9)
    assert few.recall == 1 and few.found_by != "approximate"
    assert listed(few) == listed(swissroll.neighbors(texts[:500], 8))
    other = swissroll.neighbors(texts, 8, metric="cosine", recall=0.9, random_state=1)
    assert listed(other) != listed(swissroll.neighbors(texts, 8, metric="cosine", recall=0.9))
    found = swissroll.KNeighborsTransformer(8, metric="cosine", recall=0.9).fit(texts)
    assert found.neighbors_.found_by == "approximate" and found.neighbors_.recall >= 0.9
    # New points are searched exactly.
    exact = swissroll.KNeighborsTransformer(8, metric="cosine").fit(texts)
    np.testing.assert_array_equal(found.kneighbors(texts[:50])[1], exact.kneighbors(texts[:50])[1])
    with pytest.raises(ValueError, match="leave it out for an exact search"):
        swissroll.neighbors(texts, radius=0.5, recall=0.9)
    with pytest.raises(ValueError, match="chebyshev"):
        swissroll.neighbors(texts, 8, metric="chebyshev", recall=0.9)
    empty = texts.tolil()
    empty[3] = 0
    with pytest.raises(ValueError, match="row 3"):
        swissroll.neighbors(empty.tocsr(), 8, metric="cosine", recall=0.9)


def test_lists_stay_those_of_their_search_when_they_are_pickled(words):
    """Where rows are copies, lists of a search are searched again among the distinct points, and
    given ones are merged."""
    lists = swissroll.neighbors(words, 6)
    again = pickle.loads(pickle.dumps(lists))
    assert again.found_by == lists.found_by is not None and listed(again) == listed(lists)
    given = swissroll.Neighbors.from_sparse(*lists.sparse(), 6)
    assert given.found_by is None and listed(given) == listed(lists)
    maps = [swissroll.Isomap(n_neighbors=6).fit(words, neighbors=n).embedding_ for n in (lists, again, given)]
    np.testing.assert_array_equal(maps[0], maps[1])
    assert not np.array_equal(maps[0], maps[2])
    with pytest.raises(ValueError, match="no search named"):
        swissroll.Neighbors.from_sparse(*lists.sparse(), 6, found_by="guess")
