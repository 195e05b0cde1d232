"""The live figure for notebooks, a widget of anywidget."""

import json
import re
from pathlib import Path
from typing import Any

import anywidget
import traitlets


def parts(page):
    """The engine and the data that a page of the lab carries."""
    found = {
        name: re.search(rf'<script type="[^"]*" id="{name}">(.*?)</script>', page, re.DOTALL)
        for name in ("engine", "data")
    }
    return found["engine"][1], json.loads(found["data"][1])


class Figure(anywidget.AnyWidget):
    """Data and maps of them, computed live in a notebook.

    As the last expression of a cell it shows the figure. Where scripts are not run, such as on GitHub,
    it is a static picture of the maps.

    Attributes
    ----------
    selected : list of int
        The rows that are selected in the figure, none while it shows other data than X; `observe` calls a
        function when they change.
    settings : str
        The settings of the figure, as in the address of the lab.

    Examples
    --------
    >>> import swissroll
    >>> X, position = swissroll.datasets.make_swiss_roll(300)
    >>> figure = swissroll.lab(X, methods=["PCA", "Isomap"])  # doctest: +SKIP
    >>> X[figure.selected]  # doctest: +SKIP
    """

    _esm = Path(__file__).with_name("figure.js")
    selected = traitlets.List(traitlets.Int()).tag(sync=True)
    settings = traitlets.Unicode("").tag(sync=True)
    controls = traitlets.Unicode("full").tag(sync=True)
    picture = traitlets.Unicode("").tag(sync=True)

    def __init__(self, page: str, *, settings: str, controls: str, picture: str) -> None:
        self._engine, self._data = parts(page)
        super().__init__(settings=settings, controls=controls, picture=picture)
        self.on_msg(self._answer)

    def _answer(self, _: Any, message: Any, buffers: Any) -> None:
        """Sends rows, and the engine where the notebook does not have it yet."""
        if message.get("type") == "ready":
            (data,) = self._data["datasets"]
            engine = self._engine if message.get("engine") else None
            self.send({"type": "data", "engine": engine, "data": data})

    def _repr_mimebundle_(self, **given: Any) -> Any:
        shown = super()._repr_mimebundle_(**given)
        bundle = shown[0] if isinstance(shown, tuple) else shown
        if bundle is not None:
            # Where scripts are not run.
            bundle["text/html"] = self.picture
        return shown
