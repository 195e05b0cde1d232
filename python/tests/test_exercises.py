"""The notebooks of the exercises are what their sources give, and the gaps are open."""

import importlib.util
import json
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "exercises"


def writer():
    known = importlib.util.spec_from_file_location("notebooks", FOLDER / "notebooks.py")
    module = importlib.util.module_from_spec(known)
    known.loader.exec_module(module)
    return module


def test_committed_notebooks_are_written_from_their_sources():
    written = dict(writer().files())
    assert len(written) == 12
    for path, text in written.items():
        assert path.read_text() == text, f"{path.name}: run docs/exercises/notebooks.py write"


@pytest.mark.parametrize("path", sorted((FOLDER / "source").glob("*.py")), ids=lambda path: path.stem)
def test_every_exercise_has_gaps_and_solutions_that_compile(path):
    code = {}
    for folder in (FOLDER, FOLDER / "solutions"):
        cells = json.loads((folder / f"{path.stem}.ipynb").read_text())["cells"]
        code[folder] = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
        for text in code[folder]:
            compile(text, path.name, "exec")
    gaps = sum(text.count("# Your part: ") for text in code[FOLDER])
    assert gaps == path.read_text().count("# gap: ") >= 3
    assert not any("# Your part" in text or "# gap" in text for text in code[FOLDER / "solutions"])
