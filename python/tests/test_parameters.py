"""Parameters that are refused, in words of Python, and names that scikit-learn has for the same."""

import re
import warnings

import numpy as np
import pytest

import swissroll
from swissroll._loading import estimators
from swissroll._settings import in_python, kinds

OTHERS = [swissroll.MDS, swissroll.LocallyLinearEmbedding, swissroll.SpectralEmbedding]
CLASSES = [*estimators().values(), *OTHERS]
#: Names that only the registry and the program have.
FOREIGN = {name for names in kinds().values() for name in names if "-" in name} | {"dim"}


@pytest.fixture(scope="module")
def roll():
    return swissroll.datasets.make_swiss_roll(60)[0]


def classes(X):
    return (X[:, 0] > 0).astype(int) + (X[:, 1] > 10)


def plain(sentence):
    """Whether a sentence has no name of the command line."""
    words = "|".join(map(re.escape, FOREIGN))
    return "--" not in sentence and re.search(rf"(?<![\w-])({words})(?![\w-])", sentence) is None


def numbers(kind):
    """The parameters of a class that are numbers, or numbers or words."""
    known, default = kinds()[kind()._method], kind()
    own = {name: known[registered] for name, registered in kind._names.items()}
    return [name for name, what in {**own, **default._numbers}.items() if what in ("integer", "real", "text")]


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)
def test_refusals_name_parameters_as_python_does(kind, roll):
    refused = 0
    for name in kind().get_params():
        for value in (-1, np.nan, "bogus", [1], "random:0:0"):
            if name in ("verbose", "metric", "metric_params", "affinity") and value != [1]:
                continue
            try:
                kind(**{name: value}).fit(roll, classes(roll))
            except (ValueError, TypeError) as error:
                refused += 1
                assert plain(str(error)), error
                if not (name == "radius" and "Both" in str(error)):
                    assert re.search(rf"\b{name}\b", str(error)), f"{name}={value!r}: {error}"
    assert refused >= 5


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)
def test_text_is_no_number(kind, roll):
    for name in numbers(kind):
        for text in ("2", "1e-3", "nan"):
            with pytest.raises((TypeError, ValueError)) as refused:
                kind(**{name: text}).fit(roll, classes(roll))
            sentence = str(refused.value)
            assert re.match(rf"{name} must be", sentence) and repr(text) in sentence, sentence


@pytest.mark.parametrize(
    "call, name",
    [
        (lambda X: swissroll.neighbors(X, "5"), "n_neighbors"),
        (lambda X: swissroll.neighbors(X, 2.5), "n_neighbors"),
        (lambda X: swissroll.neighbors(X, radius="5"), "radius"),
        (lambda X: swissroll.neighbors(X, 5, recall="0.9"), "recall"),
        (lambda X: swissroll.neighbors(X, 5, n_jobs="2"), "n_jobs"),
        (lambda X: swissroll.PCA(n_jobs=2.0).fit(X), "n_jobs"),
        (lambda X: swissroll.PCA(n_components=True).fit(X), "n_components"),
        (lambda X: swissroll.Isomap(metric_params="p").fit(X), "metric_params"),
        (lambda X: swissroll.quality.score(X, X, n_neighbors="5"), "n_neighbors"),
        (lambda X: swissroll.quality.score(X, X, rows="5"), "rows"),
        (lambda X: swissroll.quality.score_points(X, X, n_neighbors="5"), "n_neighbors"),
        (lambda X: swissroll.datasets.load("swiss-roll", "50"), "n_samples"),
        (lambda X: swissroll.datasets.load("swiss-roll", noise="1"), "noise"),
        (lambda X: swissroll.regression.LocalBarycentric(regularization="1e-3").fit(X, X), "regularization"),
        (lambda X: swissroll.regression.KernelRidge(width="1").fit(X, X), "width"),
        (lambda X: swissroll.regression.KernelRidge(ridge="1").fit(X, X), "ridge"),
    ],
)
def test_functions_refuse_text_for_numbers(roll, call, name):
    with pytest.raises(TypeError, match=rf"^{name} must be (an integer|a number|a dict)[^']*, but is"):
        call(roll)


def test_numbers_below_their_range_are_refused_by_name(roll):
    for call in (
        lambda: swissroll.Isomap(n_neighbors=-1).fit(roll),
        lambda: swissroll.neighbors(roll, -1),
        lambda: swissroll.quality.score(roll, roll, n_neighbors=-1),
    ):
        with pytest.raises(ValueError, match="n_neighbors must be at least 1"):
            call()


def test_numbers_of_numpy_and_words_are_taken(roll):
    expected = swissroll.LTSA(n_neighbors=8, n_components=1).fit_transform(roll)
    found = swissroll.LTSA(n_neighbors=np.int32(8), n_components=np.uint8(1), tol=np.float32(1e-8)).fit(roll)
    np.testing.assert_allclose(found.embedding_, expected, atol=1e-6)
    swissroll.LandmarkMDS(landmarks="random:20:1").fit(roll)
    swissroll.KernelPCA(kernel="rbf:0.01").fit(roll)


def test_sentences_of_the_program_are_those_of_python():
    for sentence, expected in (
        ("leave it out by --ignore id", 'leave it out by ignore=["id"]'),
        ("leave it out by --ignore 3", "leave it out by ignore=[3]"),
        ("the other columns of words: --ignore day,3", 'the other columns of words: ignore=["day", 3]'),
        ("decimal commas, say --decimal-comma", 'decimal commas, say decimal=","'),
        ("is a title, say --skip-rows 2", "is a title, say skip_rows=2"),
        ("3 rows, say --header-rows 3", "3 rows, say header_rows=3"),
        ("their coordinates, say --transpose", "their coordinates, say transpose=True"),
        (
            "in days by --dates-as-days --date-order day-first",
            'in days by dates_as_days=True, date_order="day-first"',
        ),
        (
            "compared as words by run and embed: --metric gower; missing values: --missing drop or mean",
            'compared as words by an estimator with metric="gower", fitted to a data frame; '
            'missing values: missing="drop" or missing="mean"',
        ),
        ("--color-column 2 is", "color_columns=[2] is"),
        ("one of names by --name-column kind,", 'one of names by name_column="kind",'),
        ("--label-column kind: there is no such column", 'label_column="kind": there is no such column'),
        ("say --header yes, or --header no if", "say header=True, or header=False if"),
        ("fill in (--missing mean) or (--ignore)", 'fill in (missing="mean") or (ignore)'),
        ("or leave target-weight at none", "or leave target_weight at none"),
        ("use landmark-isomap, fewer points", "use LandmarkIsomap, fewer points"),
    ):
        assert in_python(sentence) == expected
    assert in_python("smallest-gradient", {"smallest-gradient": "min_grad_norm"}) == "min_grad_norm"


def test_messages_about_memory_name_classes(roll):
    try:
        swissroll.set_memory_limit(1000)
        with pytest.raises(MemoryError, match="use RandomProjection first"):
            swissroll.PCA().fit(roll)
        with pytest.raises(MemoryError, match="or PCA first"):
            swissroll.FactorAnalysis().fit(roll)
        with pytest.raises(MemoryError, match="use LandmarkIsomap"):
            swissroll.CIsomap().fit(roll)
    finally:
        swissroll.set_memory_limit(None)


def test_columns_of_names_and_numbers_are_no_coordinates(tmp_path):
    path = tmp_path / "points.csv"
    path.write_text("country,x,income\nChad,0.5,2\nMali,1.5,\nNiger,2.5,4\n")
    data = swissroll.datasets.read(path, name_column="country", color_columns="income")
    assert np.array_equal(data.data, [[0.5], [1.5], [2.5]])
    assert np.array_equal(data.quantities["income"], [2, np.nan, 4], equal_nan=True)
    assert np.array_equal(data.color, data.quantities["income"], equal_nan=True)
    assert list(data.row_names) == ["Chad", "Mali", "Niger"]
    again = swissroll.datasets.read(path, name_column=0, color_columns=[2])
    assert list(again.row_names) == list(data.row_names) and list(again.quantities) == ["income"]
    assert swissroll.datasets.load("digits", 50).row_names is None
    with pytest.raises(OSError, match='label_column="country"'):
        swissroll.datasets.read(path, color_columns=["country"])


def test_distances_are_read_in_forms_of_other_programs(tmp_path):
    matrix = [[0, 1, 2], [1, 0, 3], [2, 3, 0]]
    path = tmp_path / "d.phy"
    path.write_text("3\nhuman\nchimp 1\norang 2 3\n")
    data = swissroll.datasets.read(path, given="distances")
    assert np.array_equal(data.data, matrix) and list(data.row_names) == ["human", "chimp", "orang"]
    assert "read as a lower triangle of PHYLIP of 3 points" in data.DESCR
    assert swissroll.SMACOF(metric="precomputed").fit_transform(data.data).shape == (3, 2)
    with pytest.raises(OSError, match='give them as such .given="distances".'):
        swissroll.datasets.read(path)
    path = tmp_path / "d.csv"
    path.write_text("a,b,1\na,c,2\nb,c,3\n")
    assert np.array_equal(swissroll.datasets.read(path, given="distances").data, matrix)
    path.write_text("1,0.5\n0.5,1\n")
    data = swissroll.datasets.read(path, given="similarities")
    assert np.allclose(data.data, [[0, 1], [1, 0]], atol=1e-15)
    with pytest.raises(ValueError, match="given must be"):
        swissroll.datasets.read(path, given="lists")


def test_files_are_read_as_their_messages_say(tmp_path):
    path = tmp_path / "points.csv"
    path.write_text("id,x,y,kind\n1,0.5,2,a\n2,1.5,,b\n3,2.5,4,?\n")
    with pytest.raises(OSError, match=r'named by label_column="kind", .* left out by ignore=\["kind"\]'):
        swissroll.datasets.read(path)
    given = dict(label_column="kind", ignore=["id"], unknown_label="?")
    with pytest.raises(OSError, match=r'\(missing="drop"\) or fill in .* \(missing="mean"\)'):
        swissroll.datasets.read(path, **given)
    data = swissroll.datasets.read(path, missing="mean", **given)
    assert np.array_equal(data.data, [[0.5, 2], [1.5, 3], [2.5, 4]])
    assert np.array_equal(data.target, [0, 1, -1]) and data.target_names[:2] == ["a", "b"]
    dropped = swissroll.datasets.read(path, missing="drop", **{**given, "ignore": "id"})
    assert np.array_equal(dropped.data, [[0.5, 2], [2.5, 4]])
    with pytest.raises(OSError, match='label_column="species": there is no such column'):
        swissroll.datasets.read(path, label_column="species")
    with pytest.raises(ValueError, match="missing must be None, `drop`, `mean`, `median` or `zero`, but is"):
        swissroll.datasets.read(path, missing="none")
    path.write_text("x,y\n1,2\n-999,4\n5,not known\n7,9\n")
    with pytest.raises(OSError, match=r'say so \(missing_values=\["not known"\]\), and leave out'):
        swissroll.datasets.read(path)
    known = swissroll.datasets.read(path, missing="drop", missing_values=[-999, "Not known"])
    assert np.array_equal(known.data, [[1, 2], [7, 9]])
    path.write_text("x;y\n1,5;2\n3;4\n")
    with pytest.raises(OSError, match='say decimal=","'):
        swissroll.datasets.read(path)
    path.write_text("x;y\n1,234;2\n3,000;4\n")
    with pytest.raises(OSError, match='say decimal=",".*say thousands=","'):
        swissroll.datasets.read(path)
    assert np.array_equal(swissroll.datasets.read(path, thousands=",").data, [[1234, 2], [3000, 4]])
    with pytest.raises(ValueError, match="thousands must be None"):
        swissroll.datasets.read(path, thousands="x")
    path.write_text("x;y\n1,5;2\n3;4\n")
    assert np.array_equal(swissroll.datasets.read(path, decimal=",").data, [[1.5, 2], [3, 4]])
    with pytest.raises(ValueError, match="decimal must be '.' or ','"):
        swissroll.datasets.read(path, decimal=";")
    path.write_bytes("größe,x\n1,2\n3,4\n".encode("cp1252"))
    with pytest.raises(OSError, match='say encoding="windows-1252"'):
        swissroll.datasets.read(path)
    for encoding in ("windows-1252", "cp1252"):
        assert np.array_equal(swissroll.datasets.read(path, encoding=encoding).data, [[1, 2], [3, 4]])
    with pytest.raises(ValueError, match="encoding must be `utf-8` or `windows-1252`, but is `koi8-r`"):
        swissroll.datasets.read(path, encoding="koi8-r")
    path.write_text("1,2\n3,4\n5,6\n")
    assert swissroll.datasets.read(path, header=True).data.shape == (2, 2)
    assert swissroll.datasets.read(path, header=False, label_column=1).data.shape == (3, 1)


def test_tables_of_other_programs_are_read(tmp_path):
    path = tmp_path / "x.txt"
    path.write_text("A title\n\nx y\n1 2\n3 5\n4 9\n")
    found = swissroll.datasets.read(path, skip_rows=2)
    assert np.array_equal(found.data, [[1, 2], [3, 5], [4, 9]])
    path.write_text("x,y\nm,s\n1,2\n3,5\n4,9\n")
    found = swissroll.datasets.read(path, header_rows=2)
    assert np.array_equal(found.data, [[1, 2], [3, 5], [4, 9]])
    path.write_text("1 2 3\n4 5 6\n")
    assert np.array_equal(swissroll.datasets.read(path, transpose=True).data, [[1, 4], [2, 5], [3, 6]])
    path = tmp_path / "x.csv"
    path.write_text("day,x\n02.01.1970,1\n03.01.1970,\n05.01.1970,4\n")
    found = swissroll.datasets.read(path, missing="median", dates_as_days=True, date_order="day-first")
    assert np.array_equal(found.data, [[1, 1], [2, 2.5], [4, 4]])
    with pytest.raises(OSError, match='in days by dates_as_days=True, date_order="day-first"'):
        swissroll.datasets.read(path)
    with pytest.raises(ValueError, match="`year-first`, `day-first` or `month-first`"):
        swissroll.datasets.read(path, date_order="none")
    with pytest.raises(TypeError, match="skip_rows must be an integer"):
        swissroll.datasets.read(path, skip_rows=None)
    path = tmp_path / "rows.jsonl"
    path.write_text('{"v": [1, 2]}\n{"v": [3, 4]}\n')
    assert np.array_equal(swissroll.datasets.read(path).data, [[1, 2], [3, 4]])


def test_reading_warns_of_columns_that_look_like_mistakes_and_describes_the_rest(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("id,x,on\n7,1.5,true\n8,1,false\n9,4,true\n")
    with pytest.warns(UserWarning, match=r'column 0 `id` .* leave it out by ignore=\["id"\]'):
        data = swissroll.datasets.read(path)
    assert "Points of " in data.DESCR and "true" in data.DESCR and "--" not in data.DESCR
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        swissroll.datasets.read(path, ignore=["id"])


# Names


@pytest.mark.parametrize(
    "alias, name",
    [
        ("l1", "manhattan"),
        ("cityblock", "manhattan"),
        ("l2", "euclidean"),
        ("minkowski", "euclidean"),
        ("minkowski:3", "minkowski:3"),
    ],
)
def test_neighbors_take_the_metrics_of_scikit_learn(roll, alias, name):
    for options in ({}, {"recall": 0.9}):
        found, expected = (swissroll.neighbors(roll, 5, metric=metric, **options) for metric in (alias, name))
        assert (swissroll.to_sparse(found) != swissroll.to_sparse(expected)).nnz == 0
    with pytest.raises(ValueError, match="metric must be euclidean, .*, but is `l3`"):
        swissroll.neighbors(roll, 5, metric="l3")


def test_compare_takes_names_of_all_classes(roll):
    methods = ["MDS", "LocallyLinearEmbedding", "SpectralEmbedding", "smacof", swissroll.PCA]
    methods.append(swissroll.LTSA(n_neighbors=8))
    found = swissroll.compare(roll, methods=methods, n_neighbors=8, measure_neighbors=5)
    titles = ["MDS", "LocallyLinearEmbedding", "SpectralEmbedding", "SMACOF", "PCA", "LTSA"]
    assert list(found.table.index) == titles and list(found.maps) == titles
    assert list(swissroll.compare(roll, methods="PCA", measure_neighbors=5).maps) == ["PCA"]
    for wrong, right in (
        ("isomaps", "Isomap"),
        ("t-SNE", "TSNE"),
        ("Kernel PCA", "KernelPCA"),
        ("pca ", "PCA"),
    ):
        with pytest.raises(ValueError, match=f"there is no method '{wrong}'; did you mean '{right}'"):
            swissroll.compare(roll, methods=[wrong])
    failed = swissroll.compare(
        roll, methods=[swissroll.PCA, swissroll.LTSA(n_neighbors="8")], measure_neighbors=5
    )
    assert "n_neighbors must be an integer" in failed.table.loc["LTSA", "failure"]
