"""Which points of a map can be trusted, what drives it, and how it stretches the data."""

import numpy as np
import pandas as pd
import pytest

import swissroll
from swissroll import quality


@pytest.fixture(scope="module")
def roll():
    return swissroll.datasets.make_swiss_roll(400)[0]


def test_tears_jump_and_intact_sheets_do_not(roll):
    torn = quality.perturbation(swissroll.TSNE().fit(roll))
    assert torn["scores"].shape == (400,) and np.isfinite(torn["scores"]).all()
    assert len(torn["jumps"]) > 0 and (torn["scores"][torn["jumps"]] > 8).all()
    assert torn["sentence"].startswith("Be careful with")
    assert torn["jumps"][0] == np.argmax(torn["scores"])
    intact = quality.perturbation(swissroll.Isomap().fit(swissroll.datasets.make_swiss_roll(1000)[0]))
    assert len(intact["jumps"]) == 0 and intact["sentence"].startswith("No point jumps")


def test_a_sample_has_scores_of_its_rows(roll):
    isomap = swissroll.Isomap(n_neighbors=8).fit(roll)
    whole = quality.perturbation(isomap)["scores"]
    some = quality.perturbation(isomap, rows=50, random_state=3)["scores"]
    scored = np.isfinite(some)
    assert scored.sum() == 50
    np.testing.assert_array_equal(some[scored], whole[scored])
    np.testing.assert_array_equal(quality.perturbation(isomap, roll, n_jobs=1)["scores"], whole)


def test_estimators_without_their_rows_ask_for_them(roll):
    pca = swissroll.PCA().fit(roll)
    for function in (quality.perturbation, quality.drivers):
        with pytest.raises(ValueError, match="does not keep the points .* give them as X"):
            function(pca)
        with pytest.raises(TypeError, match="estimator must be a fitted estimator"):
            function("pca")
    with pytest.raises(ValueError, match="fit TSNE or UMAP"):
        quality.singularity(pca)
    assert quality.perturbation(pca, roll)["scores"].shape == (400,)


def test_estimators_of_no_rows_are_refused(roll):
    distances = np.linalg.norm(roll[:, None] - roll[None], axis=2)
    table = pd.DataFrame({"x": roll[:, 0], "word": np.where(roll[:, 1] > 10, "high", "low")})
    for estimator, X in (
        (swissroll.Isomap(n_neighbors=8, metric="precomputed").fit(distances), distances),
        (swissroll.Isomap(n_neighbors=8, metric=lambda a, b: abs(a - b).sum()).fit(roll), roll),
        (swissroll.UMAP(metric="gower").fit(table), table),
    ):
        for function in (quality.perturbation, quality.drivers):
            with pytest.raises(ValueError, match="must be fitted to rows of numbers"):
                function(estimator, X)


def test_drivers_of_a_linear_map_are_its_directions(roll):
    pca = swissroll.PCA().fit(roll)
    found = quality.drivers(pca, roll)
    expected = np.broadcast_to(pca.components_, (400, 2, 3))
    np.testing.assert_allclose(found["gradients"], expected, atol=1e-12)
    lengths = np.linalg.norm(pca.components_, axis=0) * roll.std(axis=0)
    np.testing.assert_allclose(found["importance"], np.broadcast_to(lengths, (400, 3)), rtol=1e-2)
    assert (found["certainty"] == 1).all()
    assert quality.drivers(swissroll.UMAP().fit(roll))["gradients"].shape == (400, 2, 3)


def test_an_isometric_map_has_circles():
    plane = np.random.default_rng(0).normal(size=(200, 2)) @ np.array([[0.6, 0, 0.8], [0, 1, 0]])
    found = quality.ellipses(plane, swissroll.PCA().fit_transform(plane))
    np.testing.assert_allclose(found["axes"], 1, atol=1e-9)
    lengths = np.linalg.norm(found["directions"], axis=2)
    np.testing.assert_allclose(lengths, 1, atol=1e-12)


def test_singularity_is_an_inverse_curvature(roll):
    scores = quality.singularity(swissroll.TSNE().fit(roll))
    assert scores.shape == (400,) and np.isfinite(scores).all() and np.median(scores) > 0
