"""The figure for notebooks: what it sends, and what a notebook keeps."""

import base64
import gzip
import sys

import numpy as np
import pytest

pytest.importorskip("anywidget")

import swissroll


@pytest.fixture(scope="module")
def roll():
    return swissroll.datasets.make_swiss_roll(700)


@pytest.fixture
def figure(roll):
    X, position = roll
    return swissroll.lab(X, labels=position > 50, methods=["PCA", swissroll.LLE(reg=0.1)], n_neighbors=8)


def answers(figure, message, monkeypatch):
    sent = []
    monkeypatch.setattr(type(figure), "send", lambda self, content, buffers=None: sent.append(content))
    figure._handle_custom_msg(message, [])
    return sent


def test_engine_and_rows_are_sent_when_the_browser_is_ready(figure, roll, monkeypatch):
    (sent,) = answers(figure, {"type": "ready", "engine": True}, monkeypatch)
    assert sent["type"] == "data" and len(sent["engine"]) > 10**6
    packed = gzip.decompress(base64.b64decode(sent["data"]["points"]["f64"]))
    assert np.array_equal(np.sort(np.frombuffer(packed)), np.sort(roll[0].ravel()))
    assert sent["data"]["labels"][0]["classes"] == ["False", "True"]
    (again,) = answers(figure, {"type": "ready", "engine": False}, monkeypatch)
    assert again["engine"] is None
    assert answers(figure, {"type": "other"}, monkeypatch) == []


def test_settings_have_the_parameters_of_estimators(figure):
    # The estimator keeps its 5 neighbors.
    assert figure.settings == "n=700&k=8&dim=2&seed=0&methods=pca,lle~k=5~reg=0.1~components=bridge"
    assert figure.selected == [] and figure.controls == "full"


@pytest.mark.parametrize(
    "method, neighbors, written",
    [
        # Differences between the defaults of Python and of the figure.
        (swissroll.LTSA(n_neighbors=20, n_components=3), "k=20", "ltsa~dim=3~components=bridge"),
        (swissroll.LTSA(), "k=5", "ltsa~components=bridge"),
        ("LTSA", "k=10", "ltsa~components=bridge"),
        ("Isomap", "k=10", "isomap~components=bridge~precision=double"),
        (
            ["LLE", swissroll.Isomap(n_neighbors=7)],
            "k=7",
            "lle~components=bridge,isomap~components=bridge~precision=double",
        ),
        (
            swissroll.TSNE(learning_rate=100, random_state=3),
            "k=10",
            "tsne~learning-rate=400.0~seed=3~iterations=750",
        ),
        (swissroll.PCA(0.3), "k=10", "pca~dim=1"),
        (swissroll.KernelPCA(kernel="rbf", gamma=0.25), "k=10", "kernel-pca~kernel=rbf%3A0.25"),
    ],
    ids=str,
)
def test_the_figure_computes_what_the_estimator_does(roll, method, neighbors, written):
    found = swissroll.lab(roll[0], methods=method)
    assert found.settings == f"n=700&{neighbors}&dim=2&seed=0&methods={written}"


@pytest.mark.parametrize(
    "method, parameter",
    [
        (swissroll.PCA(whiten=True), "whiten=True"),
        (swissroll.LLE(metric="cosine"), "metric='cosine'"),
        (swissroll.KernelPCA(kernel="laplacian"), "kernel='laplacian'"),
        ("SpectralEmbedding", "affinity='nearest_neighbors'"),
    ],
    ids=str,
)
def test_parameters_that_the_figure_lacks_are_refused(roll, method, parameter):
    with pytest.raises(ValueError, match=f"the figure cannot compute .* with {parameter}"):
        swissroll.lab(roll[0], methods=[method])


def test_a_random_state_gives_the_seed_of_its_first_draw(roll):
    found = swissroll.lab(
        roll[0], methods=[swissroll.RandomProjection(random_state=np.random.RandomState(7))]
    )
    seed = np.random.RandomState(7).randint(2**32, dtype=np.uint64)
    assert found.settings.endswith(f"random-projection~seed={seed}")


def test_a_notebook_keeps_a_picture_and_no_data(figure):
    bundle = figure._repr_mimebundle_()
    bundle = bundle[0] if isinstance(bundle, tuple) else bundle
    assert "application/vnd.jupyter.widget-view+json" in bundle
    assert bundle["text/html"].count("<svg") == 2 and len(bundle["text/html"]) < 100_000
    kept = figure.get_state()
    # The script, settings and picture.
    assert len(str({name: value for name, value in kept.items() if name != "_esm"})) < 100_000


def test_selected_rows_are_rows_of_the_data(figure, roll):
    seen = []
    figure.observe(lambda change: seen.append(change.new), "selected")
    figure.set_state({"selected": [3, 5]})
    assert figure.selected == [3, 5] and seen == [[3, 5]]
    assert roll[0][figure.selected].shape == (2, 3)


def test_a_method_that_fails_has_no_picture(roll):
    found = swissroll.lab(roll[0], methods=["PCA", swissroll.TSNE(perplexity=10**6)])
    assert found.picture.count("<svg") == 1


@pytest.mark.parametrize(
    "wrong, sentence",
    [
        (dict(rows="5"), "rows must be an integer"),
        (dict(controls=1), "controls must be text"),
        (dict(methods=["lstm"]), "no method"),
        (dict(methods=3), "methods must be"),
        (dict(labels=[1, 2]), "inconsistent numbers of samples"),
        (dict(methods=["LDA"]), "LDA needs a class per point; give labels"),
    ],
)
def test_arguments_are_checked(roll, wrong, sentence):
    with pytest.raises((TypeError, ValueError), match=sentence):
        swissroll.lab(roll[0], **wrong)


def test_without_anywidget_a_sentence_says_what_to_install(roll, monkeypatch):
    monkeypatch.setitem(sys.modules, "swissroll._figure", None)
    with pytest.raises(ImportError, match=r"pip install 'swissroll-learn\[notebook\]'"):
        swissroll.lab(roll[0])
