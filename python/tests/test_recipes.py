"""The Python of the book's task pages runs as it is written, with what a reader has already."""

import re
from pathlib import Path

import numpy as np
import pytest

import swissroll

PAGES = Path(__file__).parents[2] / "docs/book/pages/tasks"
# A list of the pages; Spark has tests of its own.
OTHERS = {"index", "spark"}
NAMES = sorted(page.stem for page in PAGES.glob("*.md") if page.stem not in OTHERS)


def rows(n, seed=0):
    return swissroll.datasets.load("s-curve", n, random_state=seed).data


def had(name):
    """The names that the recipe of a page takes from its reader."""
    X = rows(150)
    if name == "new-rows":
        return {"old": X, "new": rows(10, seed=1)}
    if name == "distances":
        return {"distances": np.linalg.norm(X[:, None] - X[None], axis=2)}
    if name == "back-to-data":
        Y = swissroll.PCA(n_components=2).fit_transform(X)
        return {"X": X, "Y": Y, "places": Y[:3] + 0.01}
    return {"X": X}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with the file of a reader."""
    data = swissroll.datasets.load("clusters", 120)
    np.savetxt(tmp_path / "flowers.csv", data.data, delimiter=",", header="a,b,c", comments="")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_every_page_has_a_recipe():
    assert len(NAMES) >= 9
    for name in NAMES:
        text = (PAGES / f"{name}.md").read_text(encoding="utf-8")
        for kind in ("```sh [Command line]", "```python [Python]", f"tasks.rs#{name} [Rust]"):
            assert kind in text, f"{name} lacks {kind}"


@pytest.mark.filterwarnings("ignore:The number of connected components")
@pytest.mark.parametrize("name", NAMES)
def test_recipes_run(name, folder):
    text = (PAGES / f"{name}.md").read_text(encoding="utf-8")
    recipe = re.search(r"```python \[Python\]\n(.*?)```", text, re.DOTALL).group(1)
    names = {"swissroll": swissroll, **had(name)}
    try:
        exec(compile(recipe, name, "exec"), names)
    finally:
        swissroll.set_memory_limit(None)
