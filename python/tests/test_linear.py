"""Linear classics and kernel PCA as scikit-learn's users call them, against its classes."""

import pickle
import warnings

import numpy as np
import pytest
from scipy import sparse
from scipy.linalg import hadamard
from sklearn import decomposition, discriminant_analysis
from sklearn.datasets import load_digits, load_iris, load_wine
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import cross_val_score
from sklearn.random_projection import johnson_lindenstrauss_min_dim

import swissroll
from swissroll import _kernels


@pytest.fixture(scope="module")
def iris():
    return load_iris(return_X_y=True)


@pytest.fixture(scope="module")
def digits():
    return load_digits().data[:400]


def normal(*, rows=200, columns=12, rank=5, seed=0):
    """Rows with a few strong directions and noise."""
    random = np.random.default_rng(seed)
    strong = random.normal(size=(rows, rank)) * np.arange(rank, 0, -1) * 3
    return strong @ random.normal(size=(rank, columns)) + random.normal(size=(rows, columns))


def close(found, expected, rtol=1e-8):
    np.testing.assert_allclose(found, expected, rtol=rtol, atol=rtol * np.abs(expected).max())


def same_up_to_signs(found, expected, rtol=1e-7):
    assert found.shape == expected.shape
    signs = np.sign(np.sum(found * expected, axis=0))
    close(found * signs, expected, rtol)


@pytest.mark.parametrize("asked", [0.5, 0.9, 0.95, 0.9999, "mle", None])
def test_the_number_of_components_is_chosen_as_scikit_learn_chooses_it(asked):
    X = normal()
    found, expected = swissroll.PCA(asked).fit(X), decomposition.PCA(asked, svd_solver="full").fit(X)
    assert found.n_components_ == expected.n_components_
    same_up_to_signs(found.embedding_, expected.transform(X))
    # The same model as by that number.
    by_number = swissroll.PCA(found.n_components_).fit(X)
    assert np.array_equal(found.embedding_, by_number.embedding_)


def test_the_evidence_finds_the_rank_of_data_with_noise():
    X = normal(rows=1000, columns=20, rank=4)
    assert swissroll.PCA("mle").fit(X).n_components_ == 4
    # Copies of columns add no dimension.
    assert swissroll.PCA("mle").fit(np.column_stack([X[:, 0], X[:, 0], 2 * X[:, 0]])).n_components_ == 1
    with pytest.raises(ValueError, match="at least as many rows as columns"):
        swissroll.PCA("mle").fit(X[:10])


@pytest.mark.parametrize(
    "variances, rank",
    [([3, 3, 3, 3], 1), ([9, 9, 1, 1], 2), ([9, 1, 1, 1], 1), ([9, 4, 4, 1], 3)],
    ids=["all", "two-pairs", "rest", "middle"],
)
def test_the_evidence_of_equal_variances_is_finite(variances, rank):
    # Where all are equal, scikit-learn fails with a logarithm of 0. Orthogonal columns of mean 0.
    X = hadamard(64)[:, 1:5] * np.sqrt(variances)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert swissroll.PCA("mle").fit(X).n_components_ == rank


@pytest.mark.parametrize("seed", range(5))
def test_the_evidence_of_nearly_equal_variances_is_that_of_scikit_learn(seed):
    X = np.random.default_rng(seed).normal(size=(40, 6))
    expected = decomposition.PCA("mle", svd_solver="full").fit(X).n_components_
    assert swissroll.PCA("mle").fit(X).n_components_ == expected


@pytest.mark.parametrize("components", [1, 3, 11, 12])
def test_the_gaussian_model_of_pca_is_that_of_scikit_learn(components):
    X, new = normal(), normal(seed=1)
    found = swissroll.PCA(components).fit(X)
    expected = decomposition.PCA(components, svd_solver="full").fit(X)
    for name in ("singular_values_", "explained_variance_", "noise_variance_", "mean_"):
        close(getattr(found, name), np.asarray(getattr(expected, name)))
    close(found.get_covariance(), expected.get_covariance())
    close(found.get_precision(), expected.get_precision())
    close(found.get_precision() @ found.get_covariance(), np.eye(12), 1e-9)
    close(found.score_samples(new), expected.score_samples(new))
    close(found.score(new), expected.score(new))


def test_data_without_variance_along_a_direction_have_no_likelihood():
    X = normal()
    X = np.column_stack([X[:, :4], X[:, 0]])
    for components in (4, 5):
        with pytest.raises(ValueError, match="no variance along some directions"):
            swissroll.PCA(components).fit(X).get_precision()
    close(swissroll.PCA(5).fit(X).get_covariance(), np.cov(X.T))


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_whitened_coordinates_have_variance_one(dtype, tmp_path):
    X, new = normal().astype(dtype), normal(seed=1).astype(dtype)
    found = swissroll.PCA(4, whiten=True).fit(X)
    expected = decomposition.PCA(4, whiten=True, svd_solver="full").fit(X)
    rtol = 1e-8 if dtype == np.float64 else 1e-3
    assert found.embedding_.dtype == found.transform(new).dtype == dtype
    close(found.embedding_.var(axis=0, ddof=1), np.ones(4), rtol)
    same_up_to_signs(found.transform(new), expected.transform(new), rtol)
    close(
        found.inverse_transform(found.transform(new)),
        expected.inverse_transform(expected.transform(new)),
        rtol,
    )
    copy = pickle.loads(pickle.dumps(found))
    assert np.array_equal(copy.transform(new), found.transform(new))
    with pytest.raises(ValueError, match="pickle"):
        found.save(tmp_path / "model")
    # By more directions than the data have, only rounding would be divided.
    with pytest.raises(ValueError, match="only 3 have any; use n_components=3"):
        swissroll.PCA(4, whiten=True).fit(X[:4])


def test_files_of_pca_keep_its_gaussian_model(tmp_path):
    X = normal()
    found = swissroll.PCA(0.9).fit(X)
    found.save(tmp_path / "model")
    loaded = swissroll.load(tmp_path / "model")
    assert loaded.n_components_ == found.n_components_ and loaded.n_samples_ == len(X)
    assert np.array_equal(loaded.score_samples(X), found.score_samples(X))


@pytest.mark.parametrize(
    "given",
    [
        dict(kernel="linear"),
        dict(kernel="rbf", gamma=0.3),
        dict(kernel="rbf"),
        dict(kernel="poly", degree=2, gamma=0.1, coef0=0.5),
        dict(kernel="poly"),
        dict(kernel="cosine"),
        dict(kernel=lambda a, b: np.exp(-0.3 * np.sum((a - b) ** 2))),
    ],
    ids=["linear", "rbf-gamma", "rbf", "poly-all", "poly", "cosine", "function"],
)
def test_kernels_of_scikit_learn(given, iris):
    X, new = iris[0][::2], iris[0][1::2]
    found = swissroll.KernelPCA(3, **given).fit(X)
    expected = decomposition.KernelPCA(3, eigen_solver="dense", **given).fit(X)
    close(found.eigenvalues_, expected.eigenvalues_)
    same_up_to_signs(found.embedding_, expected.transform(X), 1e-6)
    same_up_to_signs(found.transform(new), expected.transform(new), 1e-6)


def test_a_kernel_by_its_values_is_the_kernel(iris):
    X, new = iris[0][::2], iris[0][1::2]
    by_name = swissroll.KernelPCA(2, kernel="rbf", gamma=0.3).fit(X)
    found = swissroll.KernelPCA(2, kernel="precomputed").fit(rbf_kernel(X, gamma=0.3))
    same_up_to_signs(found.embedding_, by_name.embedding_)
    same_up_to_signs(found.transform(rbf_kernel(new, X, gamma=0.3)), by_name.transform(new))
    copy = pickle.loads(pickle.dumps(found))
    assert np.array_equal(copy.embedding_, found.embedding_)
    with pytest.raises(ValueError, match="symmetric"):
        swissroll.KernelPCA(kernel="precomputed").fit(np.arange(16.0).reshape(4, 4))
    with pytest.raises(ValueError, match="positive semidefinite"):
        swissroll.KernelPCA(kernel="precomputed").fit(np.ones((4, 4)) - 2 * np.eye(4))
    # Of this name, no kernel at all for most data.
    with pytest.raises(ValueError, match="positive semidefinite"):
        swissroll.KernelPCA(kernel="sigmoid", gamma=0.01).fit(X)
    with pytest.raises(ValueError, match="square"):
        swissroll.KernelPCA(kernel="precomputed").fit(np.ones((4, 3)))


@pytest.mark.parametrize("given", [{}, dict(kernel="linear"), dict(kernel="rbf"), dict(kernel="rbf:0.5")])
def test_kernels_of_sparse_rows_are_those_of_dense_ones(given, digits):
    X, new = digits[:150] / 16, digits[150:200] / 16
    dense, thin = (
        swissroll.KernelPCA(2, **given).fit(X),
        swissroll.KernelPCA(2, **given).fit(sparse.csr_array(X)),
    )
    close(thin.eigenvalues_, dense.eigenvalues_, 1e-7)
    same_up_to_signs(thin.embedding_, dense.embedding_, 1e-6)
    same_up_to_signs(thin.transform(sparse.csr_array(new)), dense.transform(new), 1e-6)


def test_the_inverse_of_kernel_pca_is_that_of_scikit_learn(iris):
    X, new = iris[0][::2], iris[0][1::2]
    given = dict(kernel="rbf", gamma=0.3, fit_inverse_transform=True, alpha=0.1)
    found = swissroll.KernelPCA(3, **given).fit(X)
    expected = decomposition.KernelPCA(3, eigen_solver="dense", **given).fit(X)
    close(
        found.inverse_transform(found.transform(new)),
        expected.inverse_transform(expected.transform(new)),
        1e-6,
    )
    assert not hasattr(swissroll.KernelPCA(), "inverse_transform")


def manhattan(one, other):
    return np.abs(one - other).sum()


@pytest.mark.parametrize("kernel", ["auto", "rbf", "linear"])
def test_the_inverse_by_a_metric_function_learns_rows(kernel, iris):
    X, new = iris[0][::3], iris[0][1::3]
    given = dict(kernel=kernel, fit_inverse_transform=True, alpha=0.01)
    # The distances of a function are read from a matrix, the distances by name from rows.
    by_name = swissroll.KernelPCA(3, metric="manhattan", **given).fit(X)
    found = swissroll.KernelPCA(3, metric=manhattan, **given).fit(X)
    assert np.array_equal(found.X_fit_, X)
    expected = by_name.inverse_transform(by_name.transform(new))
    restored = found.inverse_transform(found.transform(new))
    assert restored.shape == new.shape
    if kernel != "auto":
        # The width of `auto` is by the rows there, by the distances here.
        close(restored, expected, 1e-6)
    if kernel != "linear":
        # The linear kernel has no constant.
        assert np.abs(restored - new).mean() < 0.3


def test_an_inverse_without_rows_is_refused(iris):
    for given in (dict(metric="precomputed"), dict(kernel="precomputed")):
        with pytest.raises(ValueError, match="fit_inverse_transform needs rows, but .* alone; fit to rows"):
            swissroll.KernelPCA(fit_inverse_transform=True, **given).fit(np.eye(5))


@pytest.mark.parametrize("kernel", ["auto", "rbf", "laplacian", "rbf:0.5"])
def test_kernel_params_belong_to_functions(kernel, iris):
    with pytest.raises(ValueError, match="kernel_params belong to a kernel that is a function"):
        swissroll.KernelPCA(kernel=kernel, kernel_params={"gamma": 3}).fit(iris[0])
    by_name = swissroll.KernelPCA(kernel=kernel, kernel_params={}).fit(iris[0])
    assert np.array_equal(by_name.embedding_, swissroll.KernelPCA(kernel=kernel).fit(iris[0]).embedding_)
    found = swissroll.KernelPCA(kernel=rbf, kernel_params={"gamma": 0.3}).fit(iris[0][::2])
    expected = swissroll.KernelPCA(kernel="rbf", gamma=0.3).fit(iris[0][::2])
    same_up_to_signs(found.embedding_, expected.embedding_)


def rbf(one, other, gamma):
    return np.exp(-gamma * np.sum((one - other) ** 2))


def test_the_kernel_matrix_obeys_the_memory_limit(iris, monkeypatch):
    X, called = iris[0][:100], []
    monkeypatch.setattr(_kernels, "pairwise_kernels", lambda *_, **__: called.append(1))
    swissroll.set_memory_limit(16 * 100**2 - 1)
    try:
        with pytest.raises(
            MemoryError, match="the kernel matrix must take at most .* of memory, but would take 160"
        ):
            swissroll.KernelPCA(kernel="laplacian").fit(X)
        with pytest.raises(MemoryError, match="the distances between all points"):
            swissroll.KernelPCA(metric=manhattan).fit(X)
        assert called == []
    finally:
        swissroll.set_memory_limit(None)


def test_all_components_of_a_kernel_are_those_with_an_eigenvalue(iris):
    X = iris[0][::2]
    found = swissroll.KernelPCA(None, kernel="linear").fit(X)
    assert found.embedding_.shape == found.transform(X).shape == (75, 4)
    same_up_to_signs(found.embedding_, swissroll.KernelPCA(4, kernel="linear").fit(X).embedding_)


@pytest.mark.parametrize("load", [load_iris, load_wine, load_digits])
def test_lda_predicts_as_scikit_learn(load):
    X, y = load(return_X_y=True)
    kept = X.std(axis=0) > 0.5 if load is load_digits else slice(None)
    X = X[:, kept]
    expected = discriminant_analysis.LinearDiscriminantAnalysis().fit(X[::2], y[::2])
    for components in (None, 1):
        # The map of one dimension classifies by all of them.
        found = swissroll.LDA(components).fit(X[::2], y[::2])
        close(found.decision_function(X), expected.decision_function(X), 1e-6)
        close(found.predict_proba(X), expected.predict_proba(X), 1e-6)
        close(found.predict_log_proba(X[::2]), expected.predict_log_proba(X[::2]), 1e-6)
        assert np.array_equal(found.predict(X), expected.predict(X))
        assert found.score(X, y) == expected.score(X, y)


def test_lda_of_two_classes_with_priors_and_names(iris):
    X, y = iris[0][50:], np.array(["versicolor", "virginica"])[iris[1][50:] - 1]
    given = dict(priors=[0.2, 0.8])
    found, expected = (
        kind(**given).fit(X, y) for kind in (swissroll.LDA, discriminant_analysis.LinearDiscriminantAnalysis)
    )
    close(found.decision_function(X), expected.decision_function(X), 1e-7)
    close(found.predict_proba(X), expected.predict_proba(X), 1e-7)
    close(found.coef_, expected.coef_, 1e-7)
    close(found.intercept_, expected.intercept_, 1e-7)
    assert found.predict(X).dtype == y.dtype and (found.predict(X) == expected.predict(X)).all()
    assert cross_val_score(swissroll.LDA(), X, y).mean() > 0.9
    for wrong in ([0.5, 0.6], [1.0], [-0.5, 1.5]):
        with pytest.raises(ValueError, match="priors must be 2 numbers"):
            swissroll.LDA(priors=wrong).fit(X, y)


def test_lda_keeps_as_many_dimensions_as_the_means_span():
    corners = np.vstack([np.zeros(3), np.eye(3)])
    X, y = np.vstack([corners + [3 * at, 0, 0] for at in range(4)]), np.repeat(range(4), 4)
    found = swissroll.LDA().fit(X, y)
    assert found.embedding_.shape == (16, 1)
    expected = discriminant_analysis.LinearDiscriminantAnalysis().fit(X, y)
    close(found.predict_proba(X), expected.predict_proba(X), 1e-7)
    # A given number is never lowered.
    with pytest.raises(ValueError, match="span 1 of the 2 dimensions"):
        swissroll.LDA(2).fit(X, y)
    # Predictions are by all dimensions that the means span.
    close(swissroll.LDA(1).fit(X, y).predict_proba(X), expected.predict_proba(X), 1e-7)


def test_lda_refuses_data_for_other_reasons_at_once():
    X, y = np.repeat(np.eye(4), 3, axis=0), np.repeat(range(4), 3)
    with pytest.raises(ValueError, match="the points of each class coincide"):
        swissroll.LDA().fit(X, y)


def test_models_of_lda_from_files_do_not_classify(iris, tmp_path):
    X, y = iris
    swissroll.LDA().fit(X, y).save(tmp_path / "model")
    loaded = swissroll.load(tmp_path / "model")
    assert loaded.transform(X).shape == (150, 2)
    with pytest.raises(ValueError, match="no means of classes"):
        loaded.predict(X)


def test_mixing_is_the_inverse_of_unmixing(iris):
    found = swissroll.FastICA(3, random_state=0).fit(iris[0])
    assert found.mixing_.shape == (4, 3)
    close(found.components_ @ found.mixing_, np.eye(3))
    close(found.embedding_ @ found.mixing_.T + found.mean_, found.inverse_transform(found.embedding_), 1e-7)


@pytest.mark.parametrize("distribution", ["gaussian", "sparse"])
def test_random_projections_of_sparse_rows_are_those_of_dense_ones(distribution, digits, monkeypatch):
    dense = swissroll.RandomProjection(10, distribution=distribution, random_state=3).fit(digits)
    # More than one block of rows.
    monkeypatch.setattr(swissroll.RandomProjection, "_BLOCK", 64 * 150)
    thin = swissroll.RandomProjection(10, distribution=distribution, random_state=3).fit(
        sparse.csr_array(digits)
    )
    assert np.array_equal(thin.embedding_, dense.embedding_)
    assert np.array_equal(thin.components_, dense.components_)
    assert np.array_equal(thin.transform(sparse.csr_array(digits)), dense.transform(digits))


def test_the_dimension_of_a_random_projection_by_its_error():
    X = np.random.default_rng(0).normal(size=(50, 400))
    found = swissroll.RandomProjection("auto", eps=0.5).fit(X)
    assert found.n_components_ == johnson_lindenstrauss_min_dim(50, eps=0.5) == found.embedding_.shape[1]
    with pytest.raises(ValueError, match="use a larger eps"):
        swissroll.RandomProjection("auto").fit(X)
    with pytest.raises(ValueError, match="eps must be above 0"):
        swissroll.RandomProjection("auto", eps=1.0).fit(X)
