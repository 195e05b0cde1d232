"""The package except scikit-learn's contract: registry, inputs, threads, signals, files."""

import importlib.util
import json
import multiprocessing
import os
import pickle
import subprocess
import sys
import threading
import time
import warnings
from pathlib import Path

import joblib
import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from scipy.sparse.csgraph import shortest_path
from sklearn import manifold
from sklearn.base import clone
from sklearn.decomposition import PCA
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier, NearestNeighbors, kneighbors_graph
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import swissroll
from swissroll._loading import estimators

ROOT = Path(__file__).resolve().parents[1]
EVERY = sorted(estimators())


@pytest.fixture(scope="module")
def roll():
    return swissroll.datasets.make_swiss_roll(400)[0]


@pytest.fixture(scope="module")
def classes(roll):
    return (roll[:, 1] > np.median(roll[:, 1])).astype(int) + (roll[:, 0] > 0)


def small(name):
    """A method's estimator that is quick on some hundred points."""
    kind = estimators()[name]
    quick = {
        "tsne": {"perplexity": 10, "max_iter": 300},
        "umap": {"epochs": 60},
        "densmap": {"epochs": 60},
        "pacmap": {"third_iterations": 50},
        "localmap": {"third_iterations": 50},
    }.get(name, {})
    return kind(**quick)


def generator():
    spec = importlib.util.spec_from_file_location("generate", ROOT / "generate.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


# The registry


def test_every_method_of_the_registry_has_a_class():
    missing = set(swissroll.methods()) - set(estimators())
    assert not missing, f"run python/generate.py and export the classes of {missing}"


def test_the_generated_classes_are_those_of_the_registry():
    written = (ROOT / "swissroll" / "_estimators.py").read_text()
    assert written == generator().source(), "run python/generate.py"


@pytest.mark.parametrize("name", EVERY)
def test_every_parameter_of_the_registry_is_one_of_the_class(name):
    kind = estimators()[name]
    known = {*kind._names.values(), *getattr(kind, "_combined", ())}
    assert known == {parameter["name"] for parameter in swissroll.methods()[name]["parameters"]}
    assert set(kind._names) <= set(kind().get_params())


def test_a_parameter_outside_its_range_is_named_as_in_python(roll):
    with pytest.raises(ValueError, match=r"n_components must be 1 to k - 2 \(here 1 to 3\), but is 60"):
        swissroll.LTSA(n_components=60).fit(roll)
    with pytest.raises(ValueError, match="n_neighbors must be"):
        swissroll.LTSA(n_neighbors=5000).fit(roll)
    with pytest.raises(ValueError, match="Both n_neighbors and radius"):
        swissroll.LTSA(radius=3.0).fit(roll)


# Inputs


@pytest.mark.parametrize("name", EVERY)
def test_training_rows_keep_their_place_and_new_rows_are_placed(name, roll, classes):
    y = classes if swissroll.methods()[name]["about"]["needs_labels"] else None
    fitted = small(name).fit(roll[:300], y[:300] if y is not None else None)
    placed = fitted.transform(roll)
    assert np.array_equal(placed[:300], fitted.embedding_)
    assert placed.shape == (400, 2) and np.isfinite(placed).all()


@pytest.mark.parametrize("name", EVERY)
def test_points_and_their_distances_give_the_same_map(name, roll):
    if "distances" not in swissroll.methods()[name]["about"]["accepts"] or name in ("tsne", "kernel-pca"):
        pytest.skip("not fitted to distances, or sensitive to their last bits")
    rows = roll[:200]
    distances = np.sqrt(((rows[:, None] - rows[None]) ** 2).sum(axis=2))
    # Without points there are no principal components to start from.
    start = {"init": "random"} if name in ("pacmap", "localmap", "trimap") else {}
    of_points = small(name).set_params(**start).fit_transform(rows)
    of_distances = small(name).set_params(metric="precomputed", **start).fit_transform(distances)
    first, second = (coordinates - coordinates.mean(axis=0) for coordinates in (of_points, of_distances))
    gram = first @ first.T
    assert np.abs(gram - second @ second.T).max() < 1e-3 * np.abs(gram).max()


#: Classes that start from given coordinates.
STARTED = "SMACOF NonmetricMDS SammonMapping MDS TSNE UMAP DensMAP PaCMAP LocalMAP TriMap".split()


@pytest.mark.parametrize("name", STARTED)
def test_given_coordinates_are_the_start(name, roll):
    rows, start = roll[:120], np.random.default_rng(1).normal(size=(120, 2))
    kind = getattr(swissroll, name)
    fitted = kind(init=start).fit(rows)
    assert any("the given start was" in note for note in fitted.notes_)
    assert not np.array_equal(fitted.embedding_, kind().fit(rows).embedding_)
    # A layout scales its start.
    if name not in ("SMACOF", "NonmetricMDS", "SammonMapping", "MDS"):
        assert np.array_equal(kind(init=1024 * start).fit(rows).embedding_, fitted.embedding_)
    assert np.array_equal(clone(fitted).fit(rows).embedding_, fitted.embedding_)
    for wrong, words in [
        (start[:50], "rows of the given start must be 120"),
        (np.ones((120, 2)), "rows of the given start are equal"),
        (np.full((120, 2), np.nan), "NaN"),
        (np.ones((120, 3)) * np.arange(120)[:, None], "120 × 2, a row per point"),
    ]:
        with pytest.raises(ValueError, match=words):
            kind(init=wrong).fit(rows)


@pytest.mark.parametrize("name", STARTED)
def test_fixed_rows_keep_their_places(name, roll):
    rows, start = roll[:120], np.random.default_rng(1).normal(size=(120, 2)) + 0.3
    kind = getattr(swissroll, name)
    mask = np.arange(120) % 3 == 0
    by_mask = kind(init=start).fit_transform(rows, fixed=mask)
    assert np.array_equal(by_mask[mask], start[mask])
    assert not np.any(np.all(by_mask[~mask] == start[~mask], axis=1))
    assert np.array_equal(kind(init=start).fit(rows, fixed=np.flatnonzero(mask)).embedding_, by_mask)
    # Without a fixed row the fit is the plain one.
    plain = kind(init=start).fit(rows).embedding_
    assert np.array_equal(kind(init=start).fit(rows, fixed=[]).embedding_, plain)
    for wrong, words in [
        (np.ones(120, dtype=bool), "all 120 rows are fixed"),
        (mask[:50], "which rows are fixed must be 120"),
        ([3, 120], "numbers of rows, 0 to 119, but has 120"),
    ]:
        with pytest.raises(ValueError, match=words):
            kind(init=start).fit(rows, fixed=wrong)
    with pytest.raises(ValueError, match="no start is given"):
        kind().fit(rows, fixed=mask)
    with pytest.raises(TypeError, match="fixed must be a boolean per row"):
        kind(init=start).fit(rows, fixed=["a"])
    # A refused fit leaves nothing for the next one.
    again = kind(init=start)
    with pytest.raises(ValueError):
        again.fit(rows, fixed=np.ones(120, dtype=bool))
    assert np.array_equal(again.fit(rows).embedding_, plain)


@pytest.mark.parametrize("name", ["SMACOF", "NonmetricMDS", "SammonMapping"])
def test_a_warm_start_goes_on_to_the_bit(name, roll):
    rows, kind = roll[:100], getattr(swissroll, name)
    given = dict(tol=0.0, init="random:1:3")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        whole = kind(max_iter=17, **given).fit(rows)
        half = kind(max_iter=5, warm_start=True, **given).fit(rows)
        restored = pickle.loads(pickle.dumps(half))
        for fitted in (half, restored):
            again = fitted.set_params(max_iter=12).fit(rows)
            assert np.array_equal(again.embedding_, whole.embedding_)
        # Without a warm start a second fit is the first one.
        cold = kind(max_iter=17, **given)
        assert np.array_equal(cold.fit(rows).fit(rows).embedding_, whole.embedding_)
    with pytest.raises(ValueError, match="100"):
        half.fit(roll[:50])


def test_a_warm_start_keeps_the_scale_of_a_map(roll):
    rows = roll[:120]
    umap = swissroll.UMAP(epochs=30, warm_start=True).fit(rows)
    first = umap.embedding_
    assert not np.array_equal(umap.fit(rows).embedding_, first)
    assert any("goes on from the given map" in note for note in umap.notes_)
    with pytest.raises(TypeError, match="warm_start"):
        swissroll.UMAP(warm_start="yes").fit(rows)


@pytest.mark.parametrize("name", ["SMACOF", "UMAP", "TriMap", "LTSA", "LaplacianEigenmaps"])
def test_new_rows_update_a_map(name, roll):
    old, new = roll[:120], roll[120:150]
    fitted = getattr(swissroll, name)().fit(old)
    before = fitted.embedding_.copy()
    updated = fitted.update(new)
    assert updated is fitted and fitted.embedding_.shape == (150, 2)
    median, largest = fitted.moved_
    assert 0 <= median <= largest
    iterative = name in ("SMACOF", "UMAP", "TriMap")
    assert np.array_equal(fitted.embedding_[:120], before) == iterative
    assert (largest == 0) == iterative
    assert np.allclose(fitted.transform(roll[:150]), fitted.embedding_, atol=1e-6)
    if iterative:
        kind = getattr(swissroll, name)
        moved = [kind().fit(old).update(new, pull=pull).moved_[0] for pull in (0, 0.1, 100)]
        assert moved[0] > 0 and moved[1] > moved[2] > 0
        with pytest.raises(ValueError, match="pull"):
            fitted.update(new, pull=-1)
        with pytest.raises(TypeError, match="pull"):
            fitted.update(new, pull="inf")
    else:
        with pytest.raises(ValueError, match="pull"):
            fitted.update(new, pull=0)


@pytest.mark.parametrize("name", ["SMACOF", "UMAP", "TriMap", "LTSA"])
def test_rows_leave_a_map(name, roll):
    old, new = roll[:120], roll[120:150]
    kind = getattr(swissroll, name)
    before = kind().fit(old).embedding_
    gone = np.zeros(120, dtype=bool)
    gone[[3, 7, 119]] = True
    fitted = kind().fit(old)
    assert fitted.update(leave=[119, 3, 7]) is fitted and fitted.embedding_.shape == (117, 2)
    assert np.array_equal(fitted.embedding_, before[~gone]) == (name != "LTSA")
    assert np.allclose(fitted.transform(old[~gone]), fitted.embedding_, atol=1e-6)
    both = kind().fit(old).update(new, leave=gone)
    assert both.embedding_.shape == (147, 2)
    # Rows that do not leave are no change, and a row that left is new again.
    none = kind().fit(old).update(new, leave=np.zeros(120, dtype=bool))
    assert np.array_equal(none.embedding_, kind().fit(old).update(new).embedding_)
    assert fitted.update(old[3:4]).embedding_.shape == (118, 2)


def test_rows_that_cannot_leave_are_refused(roll):
    fitted = swissroll.SMACOF().fit(roll[:60])
    for leave, message in [
        (np.ones(60, dtype=bool), "all 60 rows of the model leave"),
        ([60], "leave must have numbers of rows, 0 to 59, but has 60"),
        (np.ones(59, dtype=bool), "which rows leave must be 60"),
        ([], "no row is new and no row of the model leaves"),
        (None, "no row is new and no row of the model leaves"),
    ]:
        with pytest.raises(ValueError, match=message):
            fitted.update(leave=leave)
    with pytest.raises(TypeError, match="leave must be a boolean per row"):
        fitted.update(leave="r3")
    assert fitted.embedding_.shape == (60, 2)


def test_what_cannot_be_updated_is_refused(roll):
    for fitted in (swissroll.PCA().fit(roll[:60]), swissroll.Isomap().fit(roll[:60])):
        with pytest.raises(ValueError, match="does not keep all that an update needs"):
            fitted.update(roll[60:70])
    with pytest.raises(ValueError, match="features"):
        swissroll.SMACOF().fit(roll[:60]).update(roll[60:70, :2])


def documents():
    """Counts of words of two groups of texts, a text without a common word, and an empty one."""
    random = np.random.default_rng(0)
    counts = np.zeros((62, 40))
    for row in range(60):
        counts[row, 15 * (row // 30) + random.integers(15, size=6)] = 1
    counts[60, 35:37] = 1
    return counts


@pytest.mark.parametrize("metric", ["cosine", "hellinger", "jaccard"])
@pytest.mark.parametrize("as_sparse", [False, True])
def test_unrelated_rows_are_left_out_by_choice(metric, as_sparse):
    counts = documents()
    rows = sparse.csr_array(counts) if as_sparse else counts
    umap = swissroll.UMAP(n_neighbors=5, metric=metric)
    with pytest.warns(UserWarning, match="60 of 62 points were placed"):
        found = umap.fit_transform(rows, unrelated="nan")
    assert found.shape == (62, 2) and np.isnan(found[60:]).all()
    alone = swissroll.UMAP(n_neighbors=5, metric=metric).fit_transform(rows[:60])
    assert np.array_equal(found[:60], alone)
    assert np.array_equal(umap.placed_, np.arange(60))
    with pytest.raises(ValueError, match="2 rows are related to no other by .*: 60, 61; unrelated='nan'"):
        umap.fit(rows, unrelated="refuse")
    # Where all rows are related, the fit is the plain one.
    assert np.array_equal(umap.fit_transform(rows[:60], unrelated="nan"), alone)
    with pytest.raises(ValueError, match="unrelated must be"):
        umap.fit(rows, unrelated="drop")


def test_metrics_of_scikit_learn_name_what_is_wrong(roll):
    rows = np.c_[roll[:40], np.ones(40)]
    inverse = {"VI": np.eye(4)}
    assert swissroll.KNeighborsTransformer(3, metric="mahalanobis", metric_params=inverse).fit(rows)
    for wrong, message in (
        (swissroll.UMAP(metric="mahalanobis"), "covariance has an inverse"),
        (swissroll.UMAP(metric="foobar"), "there is no metric 'foobar': metric must be one of .*hellinger"),
        (swissroll.UMAP(metric=lambda a, b: (a, b)), "metric must be a function that returns one number"),
        (swissroll.KNeighborsTransformer(3, p=-1), "p must be above 0"),
    ):
        with pytest.raises(ValueError, match=message):
            wrong.fit(rows)
    with pytest.raises(ValueError, match="recall needs a metric of swissroll"):
        swissroll.neighbors(rows, 3, metric=lambda a, b: float(abs(a - b).sum()), recall=0.9)
    with pytest.raises(TypeError, match="init must be a word or an array"):
        swissroll.UMAP(init=42).fit(rows)


def test_updates_that_cannot_be_say_why(roll):
    labels = (roll[:, 0] > 0).astype(int)[:60]
    supervised = swissroll.UMAP(target_weight=0.5, epochs=10).fit(roll[:60], labels)
    with pytest.raises(ValueError, match="needs y for all rows"):
        supervised.update(roll[60:70])
    by_sparse = swissroll.UMAP(epochs=10).fit(sparse.csr_array(roll[:60]))
    with pytest.raises(ValueError, match="update needs dense ones"):
        by_sparse.update(sparse.csr_array(roll[60:70]))
    of_lists = swissroll.UMAP(epochs=10).fit(neighbors=swissroll.neighbors(roll[:60], 14))
    with pytest.raises(ValueError, match="does not keep all that an update needs"):
        of_lists.update(roll[60:70])
    merged = swissroll.UMAP(duplicates="merge", epochs=10).fit(roll[:60])
    before = merged.embedding_.copy()
    assert np.array_equal(merged.update(roll[:3]).embedding_, np.r_[before, before[:3]])


def test_other_methods_refuse_fixed_rows(roll):
    with pytest.raises(ValueError, match="keeps no rows at given places"):
        swissroll.PCA().fit(roll[:50], fixed=[1])


# Metrics


NATIVE = {
    "cosine": {},
    "correlation": {},
    "cityblock": {},
    "chebyshev": {},
    "minkowski": {"p": 3},
    "hamming": {},
}


@pytest.mark.parametrize("metric", NATIVE)
def test_neighbors_by_metric_are_those_of_scikit_learn(roll, metric):
    rows, given = np.abs(roll[:200]) + 1, NATIVE[metric]
    expected, _ = (
        NearestNeighbors(n_neighbors=6, algorithm="brute", metric=metric, metric_params=given)
        .fit(rows)
        .kneighbors()
    )
    name = {"cityblock": "manhattan", "minkowski": "minkowski:3"}.get(metric, metric)
    found = swissroll.to_sparse(swissroll.neighbors(rows, 6, metric=name)).data.reshape(200, 6)
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("metric", ["cosine", "manhattan", "hellinger"])
@pytest.mark.parametrize("name", ["isomap", "laplacian-eigenmaps", "ltsa", "smacof", "umap"])
def test_metrics_are_native(name, metric, roll):
    rows = np.abs(roll[:200]) + 1
    fitted = small(name).set_params(metric=metric).fit(rows)
    assert fitted.facts_["metric"] == metric and fitted._training is None
    placed = pickle.loads(pickle.dumps(fitted)).transform(rows[:9] * 1.001)
    assert np.array_equal(placed, fitted.transform(rows[:9] * 1.001))
    assert not np.array_equal(fitted.embedding_, small(name).fit_transform(rows))
    with pytest.raises(ValueError, match="row 1" if metric != "manhattan" else "NaN"):
        bad = np.full_like(rows[:3], 0.0 if metric != "manhattan" else np.nan)
        bad[0] = rows[0] * 1.001
        fitted.transform(bad)


def test_metrics_of_scikit_learn_alone_compute_all_distances(roll):
    rows = roll[:150]
    fitted = swissroll.Isomap(n_neighbors=8, metric="canberra").fit(rows)
    assert fitted._training is rows or np.array_equal(fitted._training, rows)
    by_function = swissroll.Isomap(n_neighbors=8, metric=lambda a, b: np.abs(a - b).sum())
    by_name = swissroll.Isomap(n_neighbors=8, metric="manhattan").fit_transform(rows)
    np.testing.assert_allclose(by_function.fit_transform(rows), by_name, atol=1e-6 * np.abs(by_name).max())


# Neighbor lists


def test_sparse_distances_are_neighbor_lists(roll):
    graph = kneighbors_graph(roll, 8, mode="distance")
    of_graph = swissroll.Isomap(n_neighbors=8, metric="precomputed").fit_transform(graph)
    of_points = swissroll.Isomap(n_neighbors=8).fit_transform(roll)
    np.testing.assert_allclose(of_graph, of_points, atol=1e-6 * np.abs(of_points).max())


def test_longer_lists_have_the_geodesics_of_the_neighbors_that_are_used(roll):
    lists = swissroll.neighbors(roll, 20)
    shared, own = (
        swissroll.Isomap(n_neighbors=8).fit(roll, neighbors=lists),
        swissroll.Isomap(n_neighbors=8).fit(roll),
    )
    assert np.array_equal(shared.embedding_, own.embedding_)
    assert np.array_equal(shared.dist_matrix_, own.dist_matrix_)


def test_estimators_share_neighbor_lists(roll):
    lists = swissroll.neighbors(roll, 12)
    for kind in (swissroll.LTSA, swissroll.LLE, swissroll.LaplacianEigenmaps):
        shared = kind(n_neighbors=8).fit_transform(roll, neighbors=lists)
        assert np.array_equal(shared, kind(n_neighbors=8).fit_transform(roll))
    alone = swissroll.LaplacianEigenmaps(n_neighbors=8).fit(neighbors=lists)
    assert np.array_equal(alone.embedding_, shared)
    with pytest.raises(ValueError, match="n_neighbors must be at most 12, the number of the given neighbors"):
        swissroll.LTSA(n_neighbors=13).fit(roll, neighbors=lists)
    again = pickle.loads(pickle.dumps(lists))
    assert again.k == 12 and (swissroll.to_sparse(again) != swissroll.to_sparse(lists)).nnz == 0


def test_neighbors_of_single_precision_are_those_of_the_widened_points():
    X = np.random.default_rng(0).normal(size=(500, 20)).astype(np.float32)
    single, double = swissroll.neighbors(X, 7), swissroll.neighbors(X.astype(np.float64), 7)
    assert (swissroll.to_sparse(single) != swissroll.to_sparse(double)).nnz == 0


def test_a_disconnected_graph_is_joined_with_a_warning_or_refused(roll):
    apart = np.vstack([roll[:100], roll[:100] + 1000])
    with pytest.warns(UserWarning, match="The number of connected components .* is 2 > 1"):
        swissroll.Isomap().fit(apart)
    with pytest.raises(swissroll.DisconnectedError, match="2 components"):
        swissroll.Isomap(components="reject").fit(apart)
    with pytest.warns(UserWarning, match="150 of 200 points were placed"):
        largest = swissroll.LTSA(components="largest", n_neighbors=8).fit(
            np.vstack([roll[:150], roll[150:200] + 1000])
        )
    assert np.array_equal(np.isnan(largest.embedding_).any(axis=1), np.arange(200) >= 150)


def test_geodesic_distances_are_shortest_paths_and_finite_across_bridges(roll):
    fitted = swissroll.Isomap(n_neighbors=8).fit(roll)
    graph = kneighbors_graph(roll, 8, mode="distance")
    paths = shortest_path(graph.maximum(graph.T), directed=False)
    np.testing.assert_allclose(fitted.dist_matrix_, paths, rtol=1e-12)
    again = pickle.loads(pickle.dumps(fitted))
    assert np.array_equal(again.dist_matrix_, fitted.dist_matrix_)
    with pytest.warns(UserWarning, match="connected components"):
        joined = swissroll.Isomap().fit(np.vstack([roll[:100], roll[:100] + 1000]))
    assert np.isfinite(joined.dist_matrix_).all()


def test_a_random_state_is_one_seed(roll):
    def map_of(random_state):
        return swissroll.RandomProjection(random_state=random_state).fit_transform(roll)

    assert np.array_equal(map_of(None), map_of(0)) and not np.array_equal(map_of(0), map_of(1))
    assert np.array_equal(map_of(np.random.RandomState(3)), map_of(np.random.RandomState(3)))
    assert np.array_equal(map_of(np.random.default_rng(3)), map_of(np.random.default_rng(3)))
    np.random.seed(3)
    drawn = map_of(np.random)
    assert np.array_equal(drawn, map_of(np.random.RandomState(3)))
    assert not np.array_equal(drawn, map_of(np.random)), "the global generator goes on"
    for wrong, message in ((-1, "at least 0"), ("one", "must be None, an integer")):
        with pytest.raises(ValueError, match=message):
            map_of(wrong)


def test_spectral_embedding_is_that_of_its_affinities(roll):
    theirs = manifold.SpectralEmbedding(affinity="rbf", gamma=0.004).fit(roll)
    ours = swissroll.SpectralEmbedding(affinity="rbf", gamma=0.004).fit(roll)
    for first, second in zip(theirs.embedding_.T, ours.embedding_.T):
        assert min(np.abs(first - second).max(), np.abs(first + second).max()) < 1e-6 * np.abs(first).max()
    given = swissroll.SpectralEmbedding(affinity="precomputed").fit(ours.affinity_matrix_)
    assert np.array_equal(given.embedding_, ours.embedding_)


def test_a_limit_of_iterations_is_a_warning_where_there_is_a_tolerance(roll, recwarn):
    swissroll.TSNE(max_iter=300).fit(roll)
    assert not recwarn.list
    with pytest.warns(ConvergenceWarning, match="SMACOF did not converge in 3 iterations"):
        assert swissroll.SMACOF(max_iter=3, tol=0).fit(roll).n_iter_ == 3


def test_labels_separate_classes_where_they_have_a_weight(roll, classes):
    free, weighed, unlabeled = (
        swissroll.UMAP(epochs=60, target_weight=weight).fit(roll, y).embedding_
        for weight, y in ((None, classes), (0.8, classes), (None, None))
    )
    assert np.array_equal(free, unlabeled) and not np.array_equal(free, weighed)


def test_an_unknown_class_is_minus_one(roll, classes):
    umap = swissroll.UMAP(epochs=60, target_weight=0.8)
    some = np.where(np.arange(len(classes)) % 3 == 0, -1, classes)
    another_number = np.where(some == -1, 7, some)
    known, partly, class_of_its_own = (umap.fit(roll, y).embedding_ for y in (classes, some, another_number))
    assert not np.array_equal(known, partly) and not np.array_equal(partly, class_of_its_own)
    # Where a class per point is needed, -1 is one.
    lda = swissroll.LDA(n_components=1)
    signs = np.where(classes == classes[0], -1, 1)
    assert np.array_equal(lda.fit(roll, signs).classes_, [-1, 1])


def test_a_continuous_target_may_have_gaps(roll):
    y = roll[:, 1].copy()
    rest = dict(epochs=60, target="continuous")
    weighed = swissroll.UMAP(target_weight=0.5, **rest).fit(roll, y).embedding_
    free, unused = (
        swissroll.UMAP(epochs=60, **given).fit(roll, y).embedding_
        for given in ({"target_weight": None}, {"target_weight": 0, "target": "continuous"})
    )
    assert np.array_equal(free, unused) and not np.array_equal(free, weighed)
    fewer = swissroll.UMAP(target_weight=0.5, target_neighbors=5, **rest).fit(roll, y).embedding_
    assert not np.array_equal(fewer, weighed)
    y[::3] = np.nan
    partly = swissroll.DensMAP(target_weight=0.5, **rest).fit(roll, y)
    assert np.isfinite(partly.embedding_).all()
    with pytest.raises(ValueError, match="target must be 'classes' or 'continuous', but is 'numbers'"):
        swissroll.UMAP(target="numbers").fit(roll, y)
    with pytest.raises(ValueError, match="y must have a number per row, or NaN where it is unknown"):
        swissroll.UMAP(target_weight=0.5, **rest).fit(roll, ["a"] * len(roll))
    with pytest.raises(ValueError, match="finite, or NaN where it is unknown"):
        swissroll.UMAP(target_weight=0.5, **rest).fit(roll, np.full(len(roll), np.inf))
    with pytest.raises(ValueError, match="known values of the target are all equal"):
        swissroll.UMAP(target_weight=0.5, **rest).fit(roll, np.ones(len(roll)))
    with pytest.raises(ValueError, match="the number of target values must be"):
        swissroll.UMAP(target_weight=0.5, **rest).fit(roll, np.arange(len(roll) - 1.0))


@pytest.mark.parametrize("surface, columns", [("sphere", 3), ("torus", 4), ("hyperboloid", 2)])
def test_a_map_may_be_on_a_surface(surface, columns, roll):
    umap = swissroll.UMAP(columns, surface=surface, epochs=60).fit(roll)
    for rows in (umap.embedding_, umap.transform(roll + 0.01)):
        squares = (rows**2).sum(axis=1)
        if surface == "hyperboloid":
            assert (squares < 1).all()
        else:
            np.testing.assert_allclose(squares, columns / 2 if surface == "torus" else 1, atol=1e-12)
    assert umap.facts_["surface"] == surface
    with pytest.raises(ValueError, match=f"n_components must be {columns} with surface={surface}"):
        swissroll.UMAP(5, surface=surface).fit(roll)


def test_a_memory_limit_is_enforced(roll):
    try:
        swissroll.set_memory_limit("10 kB")
        with pytest.raises(MemoryError, match="must take at most 10.0 kB of memory, but would take"):
            swissroll.Isomap().fit(roll)
    finally:
        swissroll.set_memory_limit(None)
    with pytest.raises(ValueError, match="limit must be"):
        swissroll.set_memory_limit("8 bananas")


# scikit-learn's tools


def test_columns_of_pandas_and_polars(roll):
    frame = pd.DataFrame(roll, columns=["x", "y", "z"])
    fitted = swissroll.LTSA(n_neighbors=8).set_output(transform="pandas").fit(frame)
    assert list(fitted.feature_names_in_) == ["x", "y", "z"]
    assert list(fitted.transform(frame).columns) == ["ltsa0", "ltsa1"]
    polar = swissroll.LTSA(n_neighbors=8).set_output(transform="polars")
    assert isinstance(polar.fit_transform(pl.DataFrame(frame.to_dict("list"))), pl.DataFrame)
    with pytest.raises(ValueError, match="feature names"):
        fitted.transform(frame[["z", "y", "x"]])


def test_pipeline_and_grid_search(roll, classes):
    pipeline = make_pipeline(StandardScaler(), swissroll.Isomap(), KNeighborsClassifier())
    search = GridSearchCV(pipeline, {"isomap__n_neighbors": [6, 9]}, cv=3).fit(roll, classes)
    assert search.best_score_ > 0.6


@pytest.mark.parametrize("name", EVERY)
def test_linear_maps_have_an_inverse_and_no_others(name, roll, classes):
    method = small(name).fit(roll, classes)
    if not hasattr(method, "inverse_transform"):
        with pytest.raises(AttributeError, match="inverse_transform") as refused:
            method.inverse_transform(method.embedding_)
        assert "is not linear" in str(refused.value.__cause__)
        return
    back = method.inverse_transform(method.embedding_)
    assert back.shape == roll.shape
    # The points of a pseudo-inverse have the same images.
    span = np.abs(method.embedding_).max()
    np.testing.assert_allclose(method.transform(back), method.embedding_, atol=1e-9 * span)
    assert method.inverse_transform(method.embedding_.astype(np.float32)).dtype == np.float32
    if name == "pca":
        theirs = PCA(2).fit(roll)
        np.testing.assert_allclose(back, theirs.inverse_transform(theirs.transform(roll)), atol=1e-9)


@pytest.mark.parametrize("name", EVERY)
def test_pickles_and_files_keep_the_model(name, roll, classes, tmp_path):
    fitted = small(name).fit(roll[:300], classes[:300])
    again = pickle.loads(pickle.dumps(fitted))
    assert np.array_equal(again.transform(roll[250:]), fitted.transform(roll[250:]))
    fitted.save(tmp_path / "model.bin")
    loaded = swissroll.load(tmp_path / "model.bin")
    assert type(loaded) is type(fitted) and np.array_equal(loaded.embedding_, fitted.embedding_)
    assert np.array_equal(loaded.transform(roll[300:]), fitted.transform(roll[300:]))
    assert not hasattr(clone(fitted), "embedding_")


def test_a_damaged_model_is_refused(roll, tmp_path):
    path = tmp_path / "model.bin"
    swissroll.PCA().fit(roll).save(path)
    damaged = bytearray(path.read_bytes())
    damaged[-3] ^= 1
    path.write_bytes(damaged)
    with pytest.raises(ValueError, match="the saved model cannot be used"):
        swissroll.load(path)


# Threads, processes, signals


@pytest.mark.parametrize("name", EVERY)
def test_the_number_of_threads_changes_no_byte(name, roll, classes):
    one, three = (small(name).set_params(n_jobs=n).fit(roll, classes).embedding_ for n in (1, 3))
    assert one.tobytes() == three.tobytes()


def _fit(X):
    return swissroll.LTSA(n_neighbors=8).fit_transform(X).tobytes()


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_fits_in_other_processes(method, roll):
    if method not in multiprocessing.get_all_start_methods():
        pytest.skip(f"no {method} on this system")
    here = _fit(roll)
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map_async(_fit, [roll, roll]).get(timeout=120) == [here, here]


def test_fits_in_workers_of_joblib(roll):
    here = _fit(roll)
    assert joblib.Parallel(n_jobs=2)(joblib.delayed(_fit)(roll) for _ in range(2)) == [here, here]


def test_other_threads_run_during_a_fit():
    X = swissroll.datasets.make_swiss_roll(2000)[0]
    counted, stop = [0], threading.Event()

    def count():
        while not stop.is_set():
            counted[0] += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    swissroll.SMACOF(max_iter=300).fit(X)
    stop.set()
    thread.join()
    assert counted[0] > 5


def test_progress_is_reported_and_its_exception_ends_the_fit():
    X = swissroll.datasets.make_swiss_roll(2000)[0]
    seen = []
    swissroll.TSNE(verbose=lambda *state: seen.append(state), max_iter=300).fit(X)
    assert any(stage and iteration > 0 for stage, _, _, iteration in seen)

    class Enough(Exception):
        pass

    def stop(*state):
        raise Enough

    with pytest.raises(Enough):
        swissroll.TSNE(verbose=stop, max_iter=100_000).fit(X)


INTERRUPTED = """
import os, signal, sys, threading, time, numpy as np, swissroll
X = np.random.default_rng(0).normal(size=(4000, 40))
fitted = swissroll.{kind}
sent = []
def send():
    time.sleep(0.5)
    sent.append(time.monotonic())
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=send, daemon=True).start()
try:
    fitted.fit(X)
except KeyboardInterrupt:
    print(time.monotonic() - sent[0])
    sys.exit(7)
"""


@pytest.mark.parametrize(
    "kind",
    ["TSNE(max_iter=10**6, n_iter_without_progress=10**6, min_grad_norm=0)", "SMACOF(max_iter=10**6, tol=0)"],
)
def test_an_interruption_ends_a_fit(kind):
    result = subprocess.run(
        [sys.executable, "-c", INTERRUPTED.format(kind=kind)], capture_output=True, text=True, timeout=300
    )
    # Without the interruption the fit takes hours.
    assert result.returncode == 7, result.stderr
    print(f"{float(result.stdout):.2f} s from the signal to the exception")


# Data, measures, the page


def test_data_sets_have_points_truth_and_classes():
    names = [about["name"] for about in swissroll.datasets.list_datasets()]
    assert {"swiss-roll", "digits"} <= set(names)
    digits = swissroll.datasets.load("digits", 200)
    assert digits.data.shape == (200, 64) and len(digits.target_names) == 10
    with pytest.raises(ValueError, match="swiss-roll"):
        swissroll.datasets.load("swissroll")


def test_five_estimators_find_the_two_dimensions_of_a_sheet():
    sheet = np.random.default_rng(0).uniform(size=(1500, 2))
    X = np.column_stack([sheet, np.zeros((1500, 2))])
    estimates, local = swissroll.quality.intrinsic_dimension(X, per_point=True)
    assert len(estimates) == 5 and all(1.7 < value < 2.3 for value in estimates.values()), estimates
    assert set(local) == {"maximum-likelihood", "local-pca"}
    assert np.isclose(local["local-pca"].mean(), estimates["local-pca"])
    assert np.isnan(swissroll.quality.intrinsic_dimension(np.ones((20, 2)), n_neighbors=5)["two-nn"])
    with pytest.raises(ValueError, match="n_neighbors"):
        swissroll.quality.intrinsic_dimension(X[:10], n_neighbors=10)


def test_every_measure_is_computed_and_an_unknown_one_is_named():
    data = swissroll.datasets.load("swiss-roll", 300)
    scores = swissroll.quality.score(data.data, data.truth, truth=data.truth, labels=data.truth[:, 0] > 10)
    assert set(scores) == {measure["name"] for measure in swissroll.quality.measures()["whole"]}
    assert scores["procrustes"] < 1e-12 and scores["trustworthiness"] > 0.99
    assert swissroll.quality.score_points(data.data, data.truth)["trustworthiness"].shape == (300,)
    with pytest.raises(ValueError, match="there is no measure `trust`; known: "):
        swissroll.quality.score(data.data, data.truth, names=["trust"])
    with pytest.raises(ValueError, match="the number of rows of the embedding"):
        swissroll.quality.score(data.data, data.truth[:200])


def test_compare_returns_a_table_maps_and_a_page():
    data, position = swissroll.datasets.make_swiss_roll(1000)
    found = swissroll.compare(
        data, labels=position > 10, methods=["PCA", swissroll.Isomap(n_neighbors=8), "c-isomap"]
    )
    assert list(found.table.index) == ["PCA", "Isomap", "CIsomap"]
    assert found.table.loc["Isomap", "trustworthiness"] > found.table.loc["PCA", "trustworthiness"]
    assert found.maps["Isomap"].shape == (1000, 2)
    shown = found._repr_html_()
    assert "<table" in shown and shown.count("<svg") == 3
    assert len(shown) < 150_000, "a notebook keeps what it shows"
    page = found.lab()._repr_html_()
    assert "<iframe" in page and "srcdoc=" in page and len(page) > 10 * len(shown)
    again = pickle.loads(pickle.dumps(found))
    assert again.table.equals(found.table) and again.page() == found.page()


def test_compare_gives_each_warning_once_with_its_methods(roll, classes):
    apart = np.vstack((roll, roll + 1000))
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        found = swissroll.compare(apart, methods=["Isomap", "LLE", "LDA"])
        swissroll.compare(roll, labels=classes, methods=["UMAP"])
    messages = [str(each.message) for each in said]
    assert len(messages) == 1 and messages[0].endswith("(Isomap, LLE)"), messages
    assert found.table.loc["LDA", "failure"] == "needs a class per point: give labels"


def test_compare_keeps_the_failure_of_one_method(roll):
    found = swissroll.compare(roll, methods=["PCA", swissroll.LTSA(n_components=60)])
    assert "n_components must be" in found.table.loc["LTSA", "failure"]
    with pytest.raises(ValueError, match="no method"):
        swissroll.compare(roll, methods=["lstm"])


# The program


def program():
    given = os.environ.get("SWISSROLL_COMPARE")
    return Path(given) if given else None


@pytest.mark.skipif(program() is None, reason="SWISSROLL_COMPARE names no program `compare`")
@pytest.mark.parametrize("name", EVERY)
def test_the_program_gives_the_same_bytes(name, roll, classes, tmp_path):
    np.save(tmp_path / "points.npy", roll)
    np.save(tmp_path / "labels.npy", classes)
    command = [program(), "embed", "--method", name, "--input", tmp_path / "points.npy"]
    command += ["--labels", tmp_path / "labels.npy", "--output", tmp_path / "map.npy"]
    command += ["--memory-limit", "4GB", "--save", tmp_path / "model.bin"]
    kind = estimators()[name]
    estimator = kind(n_neighbors=8) if "n_neighbors" in kind._names else kind()
    swissroll.set_memory_limit("4 GB")
    try:
        estimator.fit(roll, classes)
    finally:
        swissroll.set_memory_limit(None)
    for registered, value in estimator._settings():
        command += ["--set", f"{registered}={value}"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert np.load(tmp_path / "map.npy").tobytes() == estimator.embedding_.tobytes()
    estimator.save(tmp_path / "own.bin")
    assert (tmp_path / "own.bin").read_bytes() == (tmp_path / "model.bin").read_bytes()


@pytest.mark.skipif(program() is None, reason="SWISSROLL_COMPARE names no program `compare`")
def test_a_model_of_named_columns_is_read(roll, tmp_path):
    np.savetxt(tmp_path / "points.csv", roll, delimiter=",", header="a,b,c", comments="")
    command = [program(), "embed", "--method", "pca", "--input", tmp_path / "points.csv"]
    command += ["--output", tmp_path / "map.npy", "--save", tmp_path / "model.bin"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    loaded = swissroll.load(tmp_path / "model.bin")
    assert np.array_equal(loaded.embedding_, np.load(tmp_path / "map.npy"))
    assert list(loaded.feature_names_in_) == ["a", "b", "c"]


@pytest.mark.skipif(program() is None, reason="SWISSROLL_COMPARE names no program `compare`")
def test_the_program_reads_the_names_of_columns(roll, tmp_path):
    frame = pd.DataFrame(roll, columns=["a", "b", "c"])
    fitted = swissroll.PCA().fit(frame)
    fitted.save(tmp_path / "model.bin")

    def placed(frame):
        frame.to_csv(tmp_path / "new.csv", index=False)
        command = [program(), "transform", "--model", tmp_path / "model.bin", "--input", tmp_path / "new.csv"]
        return subprocess.run([*command, "--output", tmp_path / "map.npy"], capture_output=True, text=True)

    done = placed(frame + 0.1)
    assert done.returncode == 0, done.stderr
    assert np.array_equal(np.load(tmp_path / "map.npy"), fitted.transform(frame + 0.1))
    # They are found in any order, among others.
    done = placed((frame + 0.1).assign(kind="x")[["c", "kind", "b", "a"]])
    assert done.returncode == 0 and "put into the order of the model" in done.stderr, done.stderr
    assert np.array_equal(np.load(tmp_path / "map.npy"), fitted.transform(frame + 0.1))


@pytest.mark.skipif(program() is None, reason="SWISSROLL_COMPARE names no program `compare`")
def test_models_of_standardized_columns_are_read(roll, tmp_path):
    x = roll * [1.0, 100.0, 0.01] + [5.0, 0.0, -3.0]
    np.save(tmp_path / "x.npy", x)
    subprocess.run(
        [
            program(),
            "embed",
            "--method",
            "pca",
            "--standardize",
            "--input",
            "x.npy",
            "--output",
            "y.npy",
            "--save",
            "m",
        ],
        cwd=tmp_path,
        check=True,
        capture_output=True,
    )
    model = swissroll.load(tmp_path / "m")
    np.testing.assert_array_equal(model.transform(x), np.load(tmp_path / "y.npy"))
    assert model.n_features_in_ == 3
    np.testing.assert_allclose(model.mean_, x.mean(axis=0), rtol=1e-10)
    places = (x - model.mean_) @ model.components_.T
    np.testing.assert_allclose(places, model.transform(x), atol=1e-9)


@pytest.mark.skipif(program() is None, reason="SWISSROLL_COMPARE names no program `compare`")
def test_the_program_decodes_the_same_bytes_with_the_same_error(roll, tmp_path):
    places = swissroll.LTSA(n_neighbors=10).fit_transform(roll)
    for name, values in (("data", roll), ("map", places), ("places", places[:-1] + 0.01)):
        np.save(tmp_path / f"{name}.npy", values)
    for inverse, decoder in (
        ("barycentric", swissroll.regression.LocalBarycentric()),
        ("kernel-ridge", swissroll.regression.KernelRidge(spacing=2, ridge=0.1)),
    ):
        command = [program(), "invert", "--inverse", inverse, "--input", tmp_path / "data.npy"]
        command += ["--embedding", tmp_path / "map.npy", "--places", tmp_path / "places.npy"]
        command += ["--output", tmp_path / "found.npy", "--report", tmp_path / "report.json"]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        found = decoder.fit(places, roll).predict(places[:-1] + 0.01)
        assert np.load(tmp_path / "found.npy").tobytes() == found.tobytes()
        report = json.loads((tmp_path / "report.json").read_text())["left_out"]
        errors = swissroll.regression.left_out(decoder, places, roll)
        assert [errors[of] for of in ("root_mean_square", "unexplained")] == [
            report[of] for of in ("root_mean_square", "unexplained")
        ]
        assert errors["folds"] == [fold["root_mean_square"] for fold in report["folds"]]


def test_facts_and_notes_are_plain_data(roll):
    fitted = swissroll.ConformalEigenmaps(n_neighbors=8).fit(roll)
    assert json.loads(json.dumps(fitted.facts_)) == fitted.facts_
    assert fitted.notes_ and all(isinstance(note, str) for note in fitted.notes_)


class Recorded:
    """A callback of scikit-learn that keeps the order of its calls."""

    def __init__(self):
        self.calls = []

    def setup(self, estimator, context):
        self.calls.append("setup")

    def teardown(self, estimator, context):
        self.calls.append("teardown")

    def on_fit_task_begin(self, estimator, context):
        self.calls.append(("begin", context.task_name))

    def on_fit_task_end(self, estimator, context):
        self.calls.append(("end", context.task_name))


def test_stages_are_tasks_of_callbacks(roll):
    pytest.importorskip("sklearn.callback")
    callback = Recorded()
    # 3,000 epochs take longer than the interval of progress.
    swissroll.UMAP(epochs=3000).set_callbacks(callback).fit(roll)
    calls = callback.calls
    assert calls[:2] == ["setup", ("begin", "fit")] and calls[-2:] == [("end", "fit"), "teardown"]
    stages = calls[2:-2]
    assert ("begin", "optimization") in stages
    assert [(end, name) for _, name in stages[::2] for end in ("begin", "end")] == stages


def test_callbacks_are_told_the_end_of_a_fit_that_fails(roll):
    pytest.importorskip("sklearn.callback")
    callback = Recorded()
    with pytest.raises(ValueError):
        swissroll.Isomap(n_neighbors=10**6).set_callbacks(callback).fit(roll)
    assert callback.calls == ["setup", ("begin", "fit"), "teardown"]


def test_a_bar_of_progress_leaves_nothing_of_a_fit_that_ends_before_its_first_report(capsys):
    pytest.importorskip("tqdm")
    rows = np.random.default_rng(0).normal(size=(30, 3))
    swissroll.PCA(verbose=1).fit(rows)
    assert "0it" not in "".join(capsys.readouterr())


def test_only_linear_maps_offer_an_inverse_before_and_after_the_fit(roll, classes):
    for name, kind in estimators().items():
        fitted = small(name).fit(roll, classes)
        assert hasattr(kind(), "inverse_transform") == hasattr(fitted, "inverse_transform"), name
    distances = np.sqrt(((roll[:, None] - roll[None]) ** 2).sum(axis=2))
    of_distances = swissroll.ClassicalMDS(metric="precomputed")
    assert not hasattr(of_distances, "inverse_transform")
    assert not hasattr(of_distances.fit(distances), "inverse_transform")


def test_former_parameters_of_scaling_are_accepted_with_the_warning_of_scikit_learn(roll):
    rows = roll[:60]
    distances = np.sqrt(((rows[:, None] - rows[None]) ** 2).sum(axis=2))
    expected = swissroll.MDS(metric="precomputed").fit_transform(distances)
    with pytest.warns(FutureWarning, match="Use metric='precomputed' instead of dissimilarity='precomputed'"):
        found = swissroll.MDS(dissimilarity="precomputed").fit_transform(distances)
    assert np.array_equal(found, expected)
    with pytest.warns(FutureWarning, match="Use metric_mds=False instead of metric=False"):
        found = swissroll.MDS(metric=False).fit(rows)
    assert found._method == "nonmetric-mds"
    assert np.array_equal(found.embedding_, swissroll.MDS(metric_mds=False).fit_transform(rows))
    with pytest.raises(ValueError, match="You provided both `dissimilarity` and `metric`"):
        swissroll.MDS(dissimilarity="precomputed", metric="cosine").fit(distances)


def test_targets_are_arrays():
    digits = swissroll.datasets.load("digits", 200, random_state=None)
    assert digits.data[digits.target == 3].shape == ((digits.target == 3).sum(), 64)
    numbers, names = next(iter(digits.labels.values()))
    assert np.array_equal(numbers, digits.target) and len(names) == 10


def test_rates_and_kernels_of_tsne_are_those_of_scikit_learn():
    X = swissroll.datasets.load("digits", 200).data
    theirs = manifold.TSNE(max_iter=250).fit(X)
    assert swissroll.TSNE(max_iter=250).fit(X).learning_rate_ == theirs.learning_rate_ == 50.0

    def setting(name, **parameters):
        return float(dict(swissroll.TSNE(**parameters)._settings())[name])

    # The library steps along a fourth of the gradient.
    assert setting("learning-rate", learning_rate=100.0) == 400.0
    # scikit-learn has one degree of freedom less than dimensions, and at least one.
    assert [setting("degrees-of-freedom", n_components=d) for d in (1, 2, 3, 4)] == [1, 1, 2, 3]
    assert setting("degrees-of-freedom", n_components=3, degrees_of_freedom=0.5) == 0.5


def test_a_second_fit_keeps_nothing_of_the_first(roll):
    apart = np.vstack([roll[:50], roll[:50] + 1000])
    isomap = swissroll.Isomap(components="largest", n_neighbors=8)
    with pytest.warns(UserWarning, match="were placed"):
        isomap.fit(apart)
    assert len(isomap.placed_) == 50
    assert not hasattr(isomap.fit(roll), "placed_")


@pytest.mark.parametrize(
    "call, sentence",
    [
        (lambda X: swissroll.quality.score(X, X[:, :2], n_neighbors=len(X)), "n_neighbors must be 1 to"),
        (lambda X: swissroll.quality.score(X, X[:, :2], names=["procrustes"]), "procrustes: not defined"),
        (lambda X: swissroll.quality.score(X, X[:, :2], rows=0), "rows must be None or at least 1"),
        (lambda X: swissroll.datasets.load("digits", 10**7), "n_samples must be from 1 to"),
        (lambda X: swissroll.datasets.load("bogus"), "the data set must be one of"),
        (lambda X: swissroll.LPP(n_components=None).fit(X), "n_components must have a value, 2 by default"),
        (lambda X: swissroll.TSNE(learning_rate=-3.0).fit(X), "learning_rate must be above 0, but is -3.0"),
        (lambda X: swissroll.set_memory_limit(-5), "limit must be None, bytes, or text"),
        (lambda X: swissroll.set_memory_limit("1 KX"), "limit must be None, bytes, or text"),
        (lambda X: swissroll.UMAP(target_weight=0.5).fit(X, X[:, 0]), "Unknown label type"),
        (lambda X: swissroll.UMAP(metric="canberra").fit(X).save("no.model"), "pickle or joblib"),
        (lambda X: swissroll.SpectralEmbedding().fit(X).save("no.model"), "pickle or joblib"),
    ],
)
def test_errors_are_sentences(roll, call, sentence):
    with pytest.raises(ValueError, match=sentence) as raised:
        call(roll)
    assert len(raised.value.args) == 1


def test_limits_of_memory_are_read():
    try:
        for limit, number in [
            ("8GB", 8 * 10**9),
            ("8 GiB", 8 * 2**30),
            (2e9, 2 * 10**9),
            ("1.5 kb", 1500),
            ("7", 7),
        ]:
            swissroll.set_memory_limit(limit)
            assert swissroll._settings.memory_limit() == number
    finally:
        swissroll.set_memory_limit(None)


@pytest.mark.parametrize("metric", ["seuclidean", "mahalanobis"])
def test_metrics_with_parameters_of_the_training_data_place_new_points(roll, metric):
    isomap = swissroll.Isomap(metric=metric).fit(roll)
    moved = isomap.transform(roll[:5] + 1e-9)
    assert np.allclose(moved, isomap.embedding_[:5], atol=1e-2 * np.ptp(isomap.embedding_))


def test_affinities_that_are_raised_are_said(roll):
    with pytest.warns(UserWarning, match="affinities are below 0.0001 of the largest"):
        swissroll.SpectralEmbedding(affinity="rbf", gamma=1.0).fit(roll)
