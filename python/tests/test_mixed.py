"""Tables with categories and gaps: `metric="gower"` and `metric="nan_euclidean"`."""

import pickle

import numpy as np
import pytest
from scipy import sparse
from sklearn.metrics.pairwise import nan_euclidean_distances

import swissroll

pd = pytest.importorskip("pandas")

METHODS = ["Isomap", "UMAP", "TSNE", "SMACOF", "LaplacianEigenmaps", "KernelPCA"]


def table(n=60, first=0):
    """Numbers, truth values, ordered and unordered categories, and gaps."""
    at = np.arange(first, first + n)
    u, v = (at * 0.754877666 + 0.3) % 1, (at * 0.569840291 + 0.3) % 1
    return pd.DataFrame(
        {
            "height": np.where(at % 7 == 3, np.nan, u),
            "member": u + v > 1,
            "size": pd.Categorical(
                np.array(["small", "middle", "large"])[(3 * v).astype(int)],
                categories=["small", "middle", "large"],
                ordered=True,
            ),
            "color": [None if i % 11 == 5 else "red" if w < 0.5 else "blue" for i, w in zip(at, u)],
        }
    )


def by_definition(data, weights=(1, 1, 1, 1)):
    """Gower's coefficient of all pairs."""
    columns = [
        data["height"].to_numpy(float),
        data["member"].to_numpy(float),
        data["size"].cat.codes.to_numpy(float),
        data["color"].map({"red": 0.0, "blue": 1.0}).to_numpy(float),
    ]
    total = both = 0.0
    for column, weight in zip(columns, weights):
        apart = np.abs(column[:, None] - column) / (np.nanmax(column) - np.nanmin(column))
        common = ~np.isnan(apart)
        total, both = total + weight * np.where(common, apart, 0.0), both + weight * common
    return total / both


def all_distances(lists, n):
    pointers, columns, distances = lists.sparse()
    return sparse.csr_matrix((distances, columns, pointers), shape=(n, n)).toarray()


def test_neighbors_are_those_of_the_definition():
    data = table()
    lists = swissroll.neighbors(data, len(data) - 1, metric="gower")
    found = all_distances(lists, len(data))
    assert np.allclose(found, by_definition(data), rtol=0, atol=1e-12)


def test_nan_euclidean_distances_are_those_of_scikit_learn():
    X = np.random.default_rng(0).normal(size=(40, 9))
    X[np.random.default_rng(1).random(X.shape) < 0.2] = np.nan
    X[:, 0] = 1.0 + np.arange(40)
    found = all_distances(swissroll.neighbors(X, 39, metric="nan_euclidean"), 40)
    assert np.allclose(found, nan_euclidean_distances(X), rtol=1e-12, atol=1e-12)


@pytest.mark.filterwarnings("ignore:The number of connected components")
@pytest.mark.parametrize("name", METHODS)
def test_rows_are_fitted_as_their_distances(name):
    data, new = table(), table(9, 200)
    model = getattr(swissroll, name)(metric="gower").fit(data)
    again = getattr(swissroll, name)(metric="gower").fit(data.to_numpy(dtype=object)[:, [0, 1, 3]])
    assert model.embedding_.shape == again.embedding_.shape == (60, model.n_components)
    assert model.n_features_in_ == 4 and again.n_features_in_ == 3
    assert list(model.feature_names_in_) == list(data.columns)
    placed = model.transform(new)
    assert placed.shape == (9, model.n_components) and np.isfinite(placed).all()
    assert np.array_equal(pickle.loads(pickle.dumps(model)).transform(new), placed)


def test_weights_change_the_distances():
    data = table()
    weights = [1.0, 4.0, 0.5, 2.0]
    by_weights = swissroll.SMACOF(metric="gower", metric_params={"weights": weights})
    by_distances = swissroll.SMACOF(metric="precomputed")
    found = by_weights.fit_transform(data)
    expected = by_distances.fit_transform(by_definition(data, weights))
    assert np.allclose(found, expected, atol=1e-6 * np.abs(expected).max())
    plain = swissroll.SMACOF(metric="gower").fit_transform(data)
    assert not np.allclose(found, plain, atol=1e-3)


def test_common_zeros_of_asymmetric_columns_do_not_count():
    data = table()[["height", "member"]].dropna()
    member = data["member"].to_numpy(float)
    common = np.maximum(member[:, None], member)
    apart = np.abs(member[:, None] - member)
    height = data["height"].to_numpy()
    height = np.abs(height[:, None] - height) / np.ptp(height)
    expected = swissroll.SMACOF(metric="precomputed").fit_transform((height + apart) / (1 + common))
    smacof = swissroll.SMACOF(metric="gower", metric_params={"asymmetric": ["member"]})
    found = smacof.fit_transform(data)
    assert np.allclose(found, expected, atol=1e-6 * np.abs(expected).max())
    for metric, params, match in [
        ("gower", {"asymmetric": ["absent"]}, "'absent' is none of"),
        ("gower", {"asymmetric": ["color"]}, "a column of 0 and 1"),
        ("nan_euclidean", {"asymmetric": ["member"]}, "need metric='gower'"),
    ]:
        with pytest.raises(ValueError, match=match):
            data = table()[["height", "member", "color"][: 3 if metric == "gower" else 2]]
            swissroll.SMACOF(metric=metric, metric_params=params).fit(data)


@pytest.mark.filterwarnings("ignore:The number of connected components")
def test_models_keep_ranges_and_categories(tmp_path):
    data, new = table()[["height", "member", "color"]], table(9, 200)[["height", "member", "color"]]
    model = swissroll.Isomap(metric="gower").fit(data)
    path = tmp_path / "isomap.model"
    model.save(path)
    loaded = swissroll.load(path)
    assert loaded.n_features_in_ == 3
    np.testing.assert_allclose(loaded.transform(new), model.transform(new), atol=1e-14)
    other = new.assign(color="green")
    with pytest.warns(UserWarning, match="'green' in column 'color' are no categories"):
        model.transform(other)
    with pytest.raises(ValueError, match="feature names"):
        model.transform(new[["color", "height", "member"]])
    with pytest.raises(ValueError, match="ordered categories"):
        swissroll.Isomap(metric="gower").fit(table()).save(path)


def test_what_does_not_fit_is_refused():
    data = table()
    with pytest.raises(ValueError, match="reads coordinates"):
        swissroll.LTSA(metric="gower").fit(data)
    with pytest.raises(ValueError, match="compares numbers"):
        swissroll.UMAP(metric="nan_euclidean").fit(data)
    with pytest.raises(ValueError, match="rows 0 and 1 .* have no column"):
        swissroll.Isomap(metric="nan_euclidean", n_neighbors=1).fit(
            [[1.0, np.nan], [np.nan, 2.0], [3.0, 4.0]]
        )
    with pytest.raises(ValueError, match="NaN"):
        swissroll.Isomap().fit(data[["height"]])
    with pytest.raises(ValueError, match="above 0"):
        swissroll.SMACOF(metric="gower", metric_params={"weights": [0, 1, 1, 1]}).fit(data)
    with pytest.raises(ValueError, match="fit_inverse_transform"):
        swissroll.KernelPCA(metric="gower", fit_inverse_transform=True).fit(data)
