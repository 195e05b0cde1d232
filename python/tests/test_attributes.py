"""Attributes of fitted estimators: documented, as in scikit-learn, and kept in files."""

import inspect
import re
import warnings

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn import decomposition, discriminant_analysis, manifold, random_projection
from sklearn.datasets import load_iris

import swissroll
from swissroll._loading import estimators

EVERY = sorted(estimators())
OTHERS = [swissroll.MDS, swissroll.LocallyLinearEmbedding, swissroll.SpectralEmbedding]
CLASSES = [*estimators().values(), *OTHERS]
LINEAR = ["pca", "factor-analysis", "fast-ica", "lda", "random-projection", "lpp", "npe", "lltsa"]
QUICK = {"TSNE": {"perplexity": 10, "max_iter": 300}, "UMAP": {"epochs": 30}, "DensMAP": {"epochs": 30}}


@pytest.fixture(scope="module")
def roll():
    return swissroll.datasets.make_swiss_roll(200)[0]


@pytest.fixture(scope="module")
def classes(roll):
    return (roll[:, 1] > np.median(roll[:, 1])).astype(int) + (roll[:, 0] > 0)


@pytest.fixture(scope="module")
def iris():
    return load_iris(return_X_y=True)


def small(kind, **parameters):
    """A quick estimator."""
    return kind(**{**QUICK.get(kind.__name__, {}), **parameters})


def documented(kind):
    """The attributes of a docstring: attributes of every fit, and attributes of some fits."""
    section = re.search(r"\nAttributes\n-+\n(.*?)(\n\n|\Z)", inspect.cleandoc(kind.__doc__), re.DOTALL)[1]
    found = re.findall(r"^(\w+) : .*\n +(\w+)", section, re.MULTILINE)
    some = {name for name, first in found if first == "Only"}
    return {name for name, _ in found} - some, some


def present(fitted):
    """The attributes of a fit by scikit-learn's convention, computed ones included."""
    computed = {name for name, value in vars(type(fitted)).items() if isinstance(value, property)}
    return {name for name in {*vars(fitted), *computed} if name.endswith("_") and not name.startswith("_")}


# Documentation


@pytest.mark.filterwarnings("ignore:The number of connected components")
@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)
def test_documented_attributes_are_those_of_a_fit(kind, roll, classes):
    always, some = documented(kind)
    found = present(small(kind).fit(roll, classes))
    assert always <= found, "documented, but not set"
    assert found <= always | some, "set, but not documented"
    frame = pd.DataFrame(roll, columns=["x", "y", "z"])
    named = small(kind).fit(frame, classes)
    assert list(named.feature_names_in_) == ["x", "y", "z"] and "feature_names_in_" in some
    # Nothing of a fit remains after another one.
    assert present(named.fit(roll, classes)) == found
    apart = np.vstack([roll[:100], roll[100:] + 1000])
    for parameters, X in (
        ({"components": "per-component", "n_neighbors": 8}, apart),
        ({"pipeline": "rank"}, roll),
        ({"metric": "cosine"}, roll),
        ({"metric_mds": False}, roll),
        ({"learning_rate": "by-phase", "perplexity": 10}, roll),
    ):
        if set(parameters) <= set(kind().get_params()):
            found = present(small(kind, **parameters).fit(X, classes))
            assert always <= found <= always | some, parameters


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)
def test_attributes_of_some_fits_are_set_by_these(kind, roll, classes):
    _, some = documented(kind)
    found = set()
    apart = np.vstack([roll[:150], roll[150:] + 1000])
    for parameters, X in (
        ({}, roll),
        ({"components": "largest", "n_neighbors": 8}, apart),
        ({"affinity": "rbf", "gamma": 1e-3}, roll),
        ({"fit_inverse_transform": True}, roll),
    ):
        if set(parameters) <= set(kind().get_params()):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                found |= present(small(kind, **parameters).fit(X, classes))
    assert some - found == {"feature_names_in_"}


def test_components_that_are_fitted_by_themselves_have_a_map_each(roll):
    apart = np.vstack([roll[:100], roll[100:] + 1000])
    for kind in (swissroll.LPP, swissroll.NPE, swissroll.LLTSA):
        whole = kind(n_neighbors=8).fit(roll)
        assert whole.components_.shape == (2, 3)
        each = whole.set_params(components="per-component").fit(apart)
        assert not hasattr(each, "components_") and not hasattr(each, "mean_")


# Linear maps


@pytest.mark.filterwarnings("ignore:The number of connected components")
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("name", LINEAR)
def test_linear_maps_have_components(name, dtype, iris):
    X, y = iris[0].astype(dtype), iris[1]
    fitted = estimators()[name]().fit(X, y)
    assert fitted.components_.shape == (2, 4) and fitted.components_.dtype == dtype
    if name == "random-projection":
        assert not hasattr(fitted, "mean_")
    else:
        assert fitted.mean_.shape == (4,) and fitted.mean_.dtype == dtype
        # Methods of neighbors merge copies, and in LPP points have the weights of their degrees.
        rows = np.unique(X, axis=0) if name in ("lpp", "npe", "lltsa") else X
        assert np.allclose(fitted.mean_, rows.mean(axis=0), rtol=1e-5) == (name != "lpp")
    if name == "factor-analysis":
        return
    image = (X[:9] + dtype(1) / 3 - getattr(fitted, "mean_", 0)) @ fitted.components_.T
    tolerance = 100 * np.finfo(dtype).eps * np.abs(fitted.components_).sum() * np.abs(X).max()
    np.testing.assert_allclose(fitted.transform(X[:9] + dtype(1) / 3), image, rtol=0, atol=tolerance)


def test_attributes_of_pca_are_those_of_scikit_learn(iris):
    X = iris[0]
    ours, theirs = swissroll.PCA(n_components=3).fit(X), decomposition.PCA(3).fit(X)
    for name in ("components_", "mean_", "explained_variance_", "explained_variance_ratio_"):
        np.testing.assert_allclose(getattr(ours, name), getattr(theirs, name), rtol=1e-10, atol=1e-12)
    assert np.array_equal(ours.explained_variance_, ours.eigenvalues_)


def test_components_of_factor_analysis_are_the_loadings_of_scikit_learn():
    random = np.random.default_rng(0)
    loadings = [[2.0, 1.0, -1.0, 0.5, 0.0, 1.5], [0.0, 1.0, 1.0, -2.0, 0.7, 0.5]]
    X = 3 + random.normal(size=(800, 2)) @ loadings + 0.5 * random.normal(size=(800, 6))
    theirs = decomposition.FactorAnalysis(2, tol=1e-9, max_iter=10_000, svd_method="lapack").fit(X)
    ours = swissroll.FactorAnalysis(tol=1e-9, max_iter=10_000).fit(X)
    signs = np.sign((ours.components_ * theirs.components_).sum(axis=1))
    np.testing.assert_allclose(ours.components_, signs[:, None] * theirs.components_, atol=1e-4)
    np.testing.assert_allclose(ours.mean_, theirs.mean_, rtol=1e-12)
    explained = ours.components_.T @ ours.components_ + np.diag(ours.facts_["noise_variance"])
    np.testing.assert_allclose(explained, theirs.get_covariance(), atol=1e-4)


def test_components_of_fast_ica_unmix_as_those_of_scikit_learn(iris):
    X = iris[0]
    theirs = decomposition.FastICA(2, whiten="unit-variance", tol=1e-10, max_iter=2000, random_state=0).fit(X)
    ours = swissroll.FastICA(tol=1e-10, max_iter=2000).fit(X)
    np.testing.assert_allclose(ours.mean_, theirs.mean_, rtol=1e-12)
    # Independent components have no order and no sign.
    matches = ours.components_ @ np.linalg.pinv(theirs.components_)
    np.testing.assert_allclose(np.sort(np.abs(matches), axis=1), [[0, 1], [0, 1]], atol=1e-4)
    sources = (X - ours.mean_) @ ours.components_.T
    np.testing.assert_allclose(np.cov(sources, rowvar=False, ddof=0), np.eye(2), atol=1e-9)


def test_components_of_lda_are_the_scalings_of_scikit_learn(iris):
    X, y = iris
    theirs = discriminant_analysis.LinearDiscriminantAnalysis().fit(X, y)
    ours = swissroll.LDA().fit(X, y)
    signs = np.sign((ours.components_ * theirs.scalings_.T).sum(axis=1))
    # The variance within the classes is one with divisor n - 3; scikit-learn has divisor n.
    factor = signs[:, None] * np.sqrt((len(X) - 3) / len(X))
    np.testing.assert_allclose(ours.components_, factor * theirs.scalings_.T, rtol=1e-8)
    np.testing.assert_allclose(ours.mean_, theirs.xbar_, rtol=1e-12)
    residuals = X - np.array([X[y == label].mean(axis=0) for label in range(3)])[y]
    within = residuals.T @ residuals / (len(X) - 3)
    np.testing.assert_allclose(ours.components_ @ within @ ours.components_.T, np.eye(2), atol=1e-9)


def test_components_of_a_random_projection_have_the_variance_of_scikit_learn(iris):
    X = np.zeros((2, 4000))
    X[0, 0] = 1
    theirs = random_projection.GaussianRandomProjection(2, random_state=0).fit(X)
    ours = swissroll.RandomProjection().fit(X)
    for projection in (theirs, ours):
        assert abs(projection.components_.var() - 0.5) < 0.05


# Files


@pytest.mark.parametrize("name", EVERY)
def test_models_from_files_have_the_columns_of_their_data(name, roll, classes, tmp_path):
    path = tmp_path / "model.bin"
    fitted = small(estimators()[name]).fit(roll, classes)
    fitted.save(path)
    loaded = swissroll.load(path)
    assert loaded.n_features_in_ == 3 and not hasattr(loaded, "feature_names_in_")
    with pytest.raises(ValueError, match="X has 2 features, but .* is expecting 3 features"):
        loaded.transform(roll[:, :2])
    if name in LINEAR:
        assert np.array_equal(loaded.components_, fitted.components_)
    frame = pd.DataFrame(roll, columns=["x", "y", "z"])
    fitted.fit(frame, classes).save(path)
    loaded = swissroll.load(path)
    assert list(loaded.feature_names_in_) == ["x", "y", "z"] and loaded.n_features_in_ == 3
    assert loaded.feature_names_in_.dtype == fitted.feature_names_in_.dtype == object
    assert np.array_equal(loaded.transform(frame + 0.1), fitted.transform(frame + 0.1))
    with pytest.raises(ValueError, match="feature names"):
        loaded.transform(frame[["z", "y", "x"]])


@pytest.mark.parametrize("name", [name for name in EVERY if "distances" in estimators()[name]._accepts])
def test_models_of_distances_from_files_have_a_column_per_point(name, roll, tmp_path):
    path = tmp_path / "model.bin"
    distances = np.sqrt(((roll[:, None] - roll[None]) ** 2).sum(axis=2))
    kind = estimators()[name]
    start = {"init": "random"} if getattr(kind(), "init", None) == "pca" else {}
    fitted = small(kind, metric="precomputed", **start).fit(distances)
    fitted.save(path)
    assert swissroll.load(path).n_features_in_ == fitted.n_features_in_ == len(roll)


def test_models_of_one_column_sparse_points_and_lists_from_files(roll, tmp_path):
    path = tmp_path / "model.bin"
    swissroll.PCA(n_components=1).fit(roll[:, :1]).save(path)
    assert swissroll.load(path).n_features_in_ == 1
    swissroll.LaplacianEigenmaps().fit(sparse.csr_array(roll)).save(path)
    assert swissroll.load(path).n_features_in_ == 3
    swissroll.LaplacianEigenmaps().fit(neighbors=swissroll.neighbors(roll, 8)).save(path)
    assert not hasattr(swissroll.load(path), "n_features_in_")


def test_stress_of_scaling_is_that_of_scikit_learn():
    # Kruskal's stress-1, the fact of the same name, is 0.14 % lower here.
    i = np.arange(1.0, 61)
    X = np.column_stack([3 * (i * np.sqrt(2) % 1), 2 * (i * np.sqrt(3) % 1), i * np.sqrt(5) % 1])
    d = np.linalg.norm(X[:, None] - X[None, :], axis=2)
    start = manifold.ClassicalMDS(n_components=2).fit_transform(X)
    given = dict(n_components=2, init=start, n_init=1, max_iter=10000, eps=1e-12)
    for metric in [True, False]:
        ours = swissroll.MDS(metric_mds=metric, max_iter=10000, eps=1e-12, normalized_stress=True).fit(X)
        _, theirs = manifold.smacof(d, metric=metric, normalized_stress=True, **given)
        assert abs(ours.stress_ / theirs - 1) < 5e-4
