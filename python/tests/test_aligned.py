"""Maps of several data sets whose rows have names."""

import numpy as np
import pytest
from sklearn.base import clone

import swissroll


@pytest.fixture(scope="module")
def sets():
    """Two parts of a roll that share rows 60 to 139; the second in reversed order, with its columns reversed."""
    X = swissroll.datasets.make_swiss_roll(200)[0]
    names = np.arange(200)
    return [X[:140], X[60:][::-1, ::-1]], [names[:140], [str(name) for name in names[60:][::-1]]]


def gap(maps, names):
    """The root of the mean squared distance between rows of one name."""
    places = {str(name): place for name, place in zip(names[0], maps[0], strict=True)}
    pairs = [(places[str(n)], y) for n, y in zip(names[1], maps[1], strict=True) if str(n) in places]
    return np.sqrt(np.mean([np.sum((a - b) ** 2) for a, b in pairs]))


@pytest.mark.parametrize(
    "estimator, closer",
    [
        (swissroll.UMAP(epochs=50), 0.5),
        (swissroll.TSNE(perplexity=10, max_iter=300), 0.5),
        (swissroll.MDS(), 0.5),
        (swissroll.LTSA(n_neighbors=8), 0.9),
        (swissroll.LandmarkIsomap(n_neighbors=8), 0.9),
    ],
    ids=lambda value: type(value).__name__ if not isinstance(value, float) else "",
)
def test_rows_of_one_name_are_near(sets, estimator, closer):
    Xs, names = sets
    maps = swissroll.AlignedMaps(estimator).fit(Xs, names)
    alone = [swissroll.AlignedMaps(estimator)._checked().fit(X).embedding_ for X in Xs]
    assert gap(maps.embeddings_, names) < closer * gap(alone, names)
    apart = maps.apart_[0, 1]
    assert apart.related == 80 and 0 <= apart.median <= apart.largest
    for one, X, Y in zip(maps.estimators_, Xs, maps.embeddings_, strict=True):
        assert isinstance(one, type(estimator)) and one.embedding_ is Y and Y.shape == (140, 2)
        np.testing.assert_allclose(one.transform(X), Y, atol=1e-8 * np.abs(Y).max())
    np.testing.assert_array_equal(
        swissroll.AlignedMaps(estimator).fit_transform(Xs, names)[1], maps.embeddings_[1]
    )


def test_a_larger_pull_brings_rows_nearer(sets):
    Xs, names = sets
    near, far = (
        swissroll.AlignedMaps(swissroll.UMAP(epochs=50), pull=pull).fit(Xs, names).embeddings_
        for pull in (100.0, 0.01)
    )
    assert gap(near, names) < 0.5 * gap(far, names)


def test_what_cannot_be_aligned_is_refused(sets):
    Xs, names = sets
    umap = swissroll.UMAP(epochs=10)
    for estimator, wrong, message in (
        (swissroll.PCA(), (Xs, names), "maps of PCA cannot be aligned"),
        (swissroll.Isomap(), (Xs, names), "maps of Isomap cannot be aligned"),
        (swissroll.UMAP(metric="precomputed"), (Xs, names), "must compare points by a metric"),
        (umap, (Xs[:1], names[:1]), "at least 2"),
        (umap, (Xs, names[:1]), "names must have an entry for each of the 2 data sets"),
        (umap, (Xs, [names[0], names[1][1:]]), r"names\[1\] must have a name for each of 140 rows"),
        (umap, (Xs, [names[0], [f"new {name}" for name in names[1]]]), "must share at least"),
        (umap, (Xs, [names[0], [names[1][1], *names[1][1:]]]), "are both named"),
        (swissroll.UMAP(n_neighbors=-1), (Xs, names), "n_neighbors must be"),
    ):
        with pytest.raises(ValueError, match=message):
            swissroll.AlignedMaps(estimator).fit(*wrong)
    with pytest.raises(ValueError, match="leave the pull out"):
        swissroll.AlignedMaps(swissroll.LTSA(), pull=1.0).fit(Xs, names)
    for wrong in (
        lambda: swissroll.AlignedMaps("umap").fit(Xs, names),
        lambda: swissroll.AlignedMaps(umap, pull="1").fit(Xs, names),
        lambda: swissroll.AlignedMaps(umap).fit(Xs, "ab"),
        lambda: swissroll.AlignedMaps(umap).fit(Xs, [names[0], "ab"]),
        lambda: swissroll.AlignedMaps(umap).fit(3, names),
    ):
        with pytest.raises(TypeError, match="must be"):
            wrong()
    with pytest.raises(ValueError, match="relations must be one of 'neighboring', 'all'"):
        swissroll.AlignedMaps(umap, relations="some").fit(Xs, names)


def test_it_is_an_estimator_of_scikit_learn():
    maps = swissroll.AlignedMaps(swissroll.UMAP(epochs=10), pull=1.0)
    again = clone(maps)
    assert again.pull == 1.0 and again.estimator.epochs == 10
    assert again.set_params(estimator__epochs=20).estimator.epochs == 20
    assert "AlignedMaps(estimator=UMAP(" in repr(maps)


def test_names_are_those_of_rows(sets):
    Xs, _ = sets
    umap = swissroll.UMAP(epochs=10)
    numbers = [np.arange(len(Xs[0])), np.arange(60.0, 60.0 + len(Xs[1]))]
    shared = len(np.intersect1d(*numbers))
    assert swissroll.AlignedMaps(umap).fit(Xs, numbers).apart_[0, 1].related == shared
    for missing in (None, float("nan")):
        names = [[*numbers[0][:-1], missing], numbers[1]]
        with pytest.raises(ValueError, match=r"names\[0\] must have a name for each row, but row"):
            swissroll.AlignedMaps(umap).fit(Xs, names)
