"""The way from places of a map back to data."""

import pickle

import numpy as np
import pytest
import sklearn.kernel_ridge
from sklearn.model_selection import KFold, cross_val_predict

import swissroll


@pytest.fixture(scope="module")
def roll():
    return swissroll.datasets.make_swiss_roll(1000)[0]


def test_places_of_a_map_are_decoded_by_barycentric_weights_and_by_kernels(roll):
    places = swissroll.LTSA(n_neighbors=10).fit_transform(roll)
    spread = np.sqrt(((roll - roll.mean(axis=0)) ** 2).sum(axis=1).mean())
    for decoder in (
        swissroll.regression.LocalBarycentric(),
        swissroll.regression.KernelRidge(spacing=2, ridge=1e-3),
    ):
        errors = swissroll.regression.left_out(decoder, places, roll, folds=4)
        assert len(errors["folds"]) == 4 and errors["root_mean_square"] < 0.05 * spread
        by_scikit_learn = cross_val_predict(decoder, places, roll, cv=KFold(4, shuffle=True, random_state=0))
        theirs = np.sqrt(((by_scikit_learn - roll) ** 2).sum(axis=1).mean())
        assert theirs == pytest.approx(errors["root_mean_square"], rel=0.5)
        decoder.fit(places, roll)
        again = pickle.loads(pickle.dumps(decoder))
        between = (places[:-1] + places[1:]) / 2
        assert np.array_equal(again.predict(between), decoder.predict(between))
    exact = swissroll.regression.LocalBarycentric().fit(places, roll)
    assert np.array_equal(exact.predict(places), roll)
    one = swissroll.regression.LocalBarycentric().fit(places, roll[:, 0])
    assert np.array_equal(one.predict(places), roll[:, 0])


def test_kernel_ridge_is_that_of_scikit_learn(roll):
    centered = roll - roll.mean(axis=0)
    ours = swissroll.regression.KernelRidge(width=3.0, ridge=0.01).fit(roll, centered)
    theirs = sklearn.kernel_ridge.KernelRidge(alpha=0.01, kernel="rbf", gamma=1 / 18).fit(roll, centered)
    np.testing.assert_allclose(ours.predict(roll + 0.1), theirs.predict(roll + 0.1), atol=1e-8)
    assert ours.width_ == 3.0


@pytest.mark.parametrize(
    "regressor, message",
    [
        (swissroll.regression.LocalBarycentric(0), "n_neighbors must be an integer of at least 1"),
        (swissroll.regression.LocalBarycentric(10**20), "n_neighbors must be an integer of at least 1"),
        (swissroll.regression.LocalBarycentric(regularization=-1.0), "regularization must be"),
        (swissroll.regression.KernelRidge(width=-1.0), "width must be finite and positive"),
        (swissroll.regression.KernelRidge(spacing=np.nan), "spacing must be finite"),
        (swissroll.regression.KernelRidge(spacing=0), "spacing must be positive"),
        (swissroll.regression.KernelRidge(ridge=-1.0), "ridge must be finite and at least 0"),
        (swissroll.regression.KernelRidge(1.0, spacing=2.0), "leave one of them None"),
    ],
)
def test_wrong_parameters_of_regressors_are_named(regressor, message, roll):
    with pytest.raises(ValueError, match=message):
        regressor.fit(roll, roll)
    with pytest.raises(ValueError, match=message):
        swissroll.regression.left_out(regressor, roll, roll)


def test_errors_of_leaving_out_say_what_folds_must_be(roll):
    decoder = swissroll.regression.LocalBarycentric()
    with pytest.raises(ValueError, match="folds must be 2 to"):
        swissroll.regression.left_out(decoder, roll, roll, folds=1)
