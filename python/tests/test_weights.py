"""Weights of rows: a weight is a number of copies."""

import pickle

import numpy as np
import pytest
from sklearn.datasets import load_iris

import swissroll

IRIS, CLASSES = load_iris(return_X_y=True)
WEIGHTS = 1 + np.arange(len(IRIS)) * 7 % 4
FIRST = np.concatenate([[0], np.cumsum(WEIGHTS)[:-1]])


@pytest.mark.parametrize("name", ["PCA", "KernelPCA", "LDA", "ClassicalMDS"])
def test_a_weight_is_a_number_of_copies(name):
    kind = getattr(swissroll, name)
    weighted = kind().fit(IRIS, CLASSES, sample_weight=WEIGHTS)
    repeated = kind().fit(np.repeat(IRIS, WEIGHTS, axis=0), np.repeat(CLASSES, WEIGHTS))
    scale = np.abs(repeated.embedding_).max()
    np.testing.assert_allclose(weighted.embedding_, repeated.embedding_[FIRST], atol=1e-9 * scale)
    new = IRIS[::7] + 0.01
    np.testing.assert_allclose(weighted.transform(new), repeated.transform(new), atol=1e-9 * scale)
    again = pickle.loads(pickle.dumps(weighted))
    assert np.array_equal(again.transform(new), weighted.transform(new))
    plain = kind().fit(IRIS, CLASSES)
    assert not np.allclose(plain.embedding_, weighted.embedding_, atol=1e-3 * scale)
    for name in ("singular_values_", "noise_variance_", "means_", "priors_", "coef_", "eigenvalues_"):
        if hasattr(repeated, name):
            np.testing.assert_allclose(getattr(weighted, name), getattr(repeated, name), rtol=1e-7, atol=1e-9)


def test_weights_do_not_stay_for_the_next_fit():
    pca = swissroll.PCA()
    first = pca.fit_transform(IRIS)
    pca.fit(IRIS, sample_weight=WEIGHTS)
    assert np.array_equal(pca.fit_transform(IRIS), first)


def test_what_is_no_weight_is_refused():
    for weights, match in [
        (np.ones((150, 2)), "one number per row"),
        (["a"] * 150, "one number per row"),
        (np.ones(149), "150, one per point"),
        (np.zeros(150), "above zero"),
        (np.full(150, 1e-3), "multiply all by a constant"),
    ]:
        with pytest.raises(ValueError, match=match):
            swissroll.PCA().fit(IRIS, sample_weight=weights)
    with pytest.raises(ValueError, match="a kernel that the library computes"):
        swissroll.KernelPCA(kernel="sigmoid").fit(IRIS, sample_weight=WEIGHTS)
    with pytest.raises(ValueError, match="KernelPCA with the linear kernel"):
        swissroll.ClassicalMDS(metric="manhattan").fit(IRIS, sample_weight=WEIGHTS)
    with pytest.raises(TypeError):
        swissroll.Isomap().fit(IRIS, sample_weight=WEIGHTS)
