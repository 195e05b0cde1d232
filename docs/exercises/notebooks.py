"""Writes the notebooks of the exercises, and runs their solutions.

    python docs/exercises/notebooks.py write          # NAME.ipynb and solutions/NAME.ipynb from source/NAME.py
    python docs/exercises/notebooks.py run [NAME …]   # every cell of the solutions, with their checks

A source consists of cells that begin with ``# %%``; cells of text begin with ``# %% text``. Lines between
``# gap: HINT`` and ``# end`` are the solution; the notebook with gaps has the hint instead.
"""

import json
import re
import sys
import time
from pathlib import Path

HERE = Path(__file__).parent
SOURCES = sorted((HERE / "source").glob("*.py"))


def cells(source):
    """The kind and the text of each cell."""
    for part in re.split(r"^# %%", source, flags=re.MULTILINE)[1:]:
        kind, body = part.split("\n", 1)
        if kind.strip() == "text":
            yield "markdown", re.sub(r"^# ?", "", body, flags=re.MULTILINE).strip()
        else:
            yield "code", body.strip()


def with_gaps(code):
    return re.sub(r"^( *)# gap: (.*)\n(?:.*\n)*?\1# end$", r"\1# Your part: \2\n\1...", code, flags=re.MULTILINE)


def solved(code):
    return re.sub(r"^ *# (gap: .*|end)\n?", "", code, flags=re.MULTILINE).strip()


def notebook(source, change):
    """The text of a notebook without outputs."""
    written = []
    for number, (kind, text) in enumerate(cells(source)):
        cell = {"cell_type": kind, "id": f"cell-{number}", "metadata": {}}
        if kind == "code":
            cell |= {"execution_count": None, "outputs": []}
            text = change(text)
        written.append(cell | {"source": text.splitlines(keepends=True)})
    about = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    whole = {"cells": written, "metadata": about, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"


def files():
    """Every notebook by its path."""
    for path in SOURCES:
        source, name = path.read_text(), f"{path.stem}.ipynb"
        yield HERE / name, notebook(source, with_gaps)
        yield HERE / "solutions" / name, notebook(source, solved)


def run(path):
    """Runs the solution of an exercise in one namespace, as a notebook does."""
    namespace = {"__name__": "__main__"}
    for number, (kind, text) in enumerate(cells(path.read_text())):
        if kind == "code":
            exec(compile(solved(text), f"{path.name}, cell {number}", "exec"), namespace)


if __name__ == "__main__":
    if sys.argv[1:2] == ["write"]:
        for path, text in files():
            path.write_text(text)
    elif sys.argv[1:2] == ["run"]:
        import matplotlib

        matplotlib.use("Agg")
        for path in SOURCES:
            if not sys.argv[2:] or path.stem in sys.argv[2:]:
                began = time.perf_counter()
                run(path)
                print(f"{path.stem}: {time.perf_counter() - began:.1f} s")
    else:
        sys.exit(__doc__)
