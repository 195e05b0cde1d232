"""scikit-learn's own checks of estimators, for every class."""

import pytest
from sklearn.base import BaseEstimator
from sklearn.utils.estimator_checks import parametrize_with_checks

import swissroll

#: Parameters for data of ten points; scikit-learn gives its own TSNE the same.
SMALL = {"TSNE": {"perplexity": 2}, "UMAP": {"n_neighbors": 4}, "DensMAP": {"n_neighbors": 4}}

#: By class, the checks that fail, with a reason each.
EXPECTED = {
    name: {f"check_sample_weight_equivalence_on_{kind}_data": "weights of 0 are refused" for kind in kinds}
    for name, kinds in {
        "PCA": ("dense", "sparse"),
        "KernelPCA": ("dense", "sparse"),
        "LDA": ("dense",),
        "ClassicalMDS": ("dense",),
    }.items()
}


def classes():
    found = [getattr(swissroll, name) for name in swissroll.__all__]
    # It is fitted to several data sets.
    found.remove(swissroll.AlignedMaps)
    found += [getattr(swissroll.regression, name) for name in swissroll.regression.__all__]
    return [kind for kind in found if isinstance(kind, type) and issubclass(kind, BaseEstimator)]


def expected(estimator):
    return EXPECTED.get(type(estimator).__name__, {})


@pytest.mark.filterwarnings("ignore::UserWarning")
@parametrize_with_checks(
    [kind(**SMALL.get(kind.__name__, {})) for kind in classes()],
    expected_failed_checks=expected,
    xfail_strict=True,
)
def test_check_estimator(estimator, check):
    check(estimator)
