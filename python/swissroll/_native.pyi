"""The native module; the package's own functions and classes are documented there."""

from collections.abc import Callable
from os import PathLike
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

_Matrix = NDArray[np.float64] | NDArray[np.float32]
_Sparse = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64], int]
_Progress = Callable[[str, int, int, int], object] | None

__version__: str

class ParameterError(ValueError): ...
class ConvergenceError(RuntimeError): ...
class DisconnectedError(ValueError): ...

@final
class FittedModel:
    method: str
    def embedding(self) -> NDArray[np.float64]: ...
    def rows(self) -> NDArray[np.uint32] | None: ...
    def spectrum(self) -> NDArray[np.float64]: ...
    def columns(self) -> int | None: ...
    def linear_map(
        self,
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64] | None] | None: ...
    def report(self) -> str: ...
    def transform(self, values: _Matrix | _Sparse, *, threads: int = 0) -> NDArray[np.float64]: ...
    def lists_among(self) -> int | None: ...
    def transform_lists(
        self,
        pointers: NDArray[np.int64],
        columns: NDArray[np.int64],
        distances: NDArray[np.float64],
        count: int,
        *,
        threads: int = 0,
    ) -> NDArray[np.float64]: ...
    def invert(self, places: _Matrix, *, threads: int = 0) -> NDArray[np.float64] | None: ...
    def update(
        self,
        values: _Matrix | None = None,
        *,
        leave: list[bool] | None = None,
        pull: float | None = None,
        memory: int | None = None,
        threads: int = 0,
        progress: _Progress = None,
    ) -> tuple[FittedModel, tuple[float, float]]: ...
    def save(self, columns: list[str] | None = None, mixed: bytes | None = None) -> bytes: ...

@final
class Neighbors:
    @staticmethod
    def search(
        values: _Matrix,
        k: int | None = None,
        radius: float | None = None,
        *,
        distances: bool = False,
        metric: str | None = None,
        threads: int = 0,
        progress: _Progress = None,
    ) -> Neighbors: ...
    @staticmethod
    def search_approximately(
        rows: _Matrix | _Sparse,
        k: int,
        recall: float,
        *,
        metric: str | None = None,
        seed: int = 0,
        threads: int = 0,
        progress: _Progress = None,
    ) -> Neighbors: ...
    @staticmethod
    def search_sparse(
        values: _Sparse,
        k: int | None = None,
        radius: float | None = None,
        *,
        metric: str | None = None,
        threads: int = 0,
        progress: _Progress = None,
    ) -> Neighbors: ...
    @staticmethod
    def from_sparse(
        pointers: NDArray[np.int64],
        columns: NDArray[np.int64],
        distances: NDArray[np.float64],
        k: int | None = None,
        radius: float | None = None,
        recall: float | None = None,
        found_by: str | None = None,
    ) -> Neighbors: ...
    def truncated(self, k: int) -> Neighbors: ...
    def bridged(
        self, values: _Matrix | _Sparse, *, distances: bool = False, metric: str | None = None
    ) -> Neighbors: ...
    def geodesics(self, symmetry: str, *, threads: int = 0) -> NDArray[np.float64]: ...
    def components(self) -> NDArray[np.uint32]: ...
    def memberships(
        self, connectivity: float, mix: float, *, threads: int = 0
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]: ...
    def sparse(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]: ...
    @property
    def recall(self) -> float | None: ...
    @property
    def found_by(self) -> str | None: ...
    @property
    def k(self) -> int | None: ...
    @property
    def radius(self) -> float | None: ...
    def __len__(self) -> int: ...

@final
class Regression:
    @staticmethod
    def fit(
        recipe: str, points: _Matrix, targets: _Matrix, *, memory: int | None = None, threads: int = 0
    ) -> Regression: ...
    def predict(self, points: _Matrix, *, threads: int = 0) -> NDArray[np.float64]: ...
    def width(self) -> float | None: ...
    def save(self) -> bytes: ...
    @staticmethod
    def load(saved: bytes) -> Regression: ...

def mixed_columns(
    values: NDArray[np.float64],
    names: list[list[str]],
    weights: list[float] | None = None,
    asymmetric: list[int] = ...,
) -> bytes: ...
def mixed_rows(columns: bytes, metric: str, values: NDArray[np.float64]) -> NDArray[np.float64]: ...
def saved_columns(saved: bytes) -> tuple[bytes, list[list[str]]] | None: ...
def nearest(
    queries: _Matrix | _Sparse,
    base: _Matrix | _Sparse,
    k: int,
    *,
    metric: str | None = None,
    threads: int = 0,
) -> tuple[NDArray[np.uint32], NDArray[np.float64]]: ...
def graph(
    lists: Neighbors, symmetry: str
) -> tuple[NDArray[np.uintp], NDArray[np.uint32], NDArray[np.float64]]: ...
def geodesics(
    sources: list[int],
    offsets: NDArray[np.uintp],
    indices: NDArray[np.uint32],
    weights: NDArray[np.float64],
    *,
    threads: int = 0,
) -> NDArray[np.float64]: ...
def random_landmarks(n: int, count: int, seed: int) -> NDArray[np.uint32]: ...
def methods() -> str: ...
def measures() -> str: ...
def data_sets() -> str: ...
def related(
    rows: _Matrix | _Sparse, *, metric: str | None = None, threads: int = 0, progress: _Progress = None
) -> NDArray[np.uint32] | None: ...
def fit(
    method: str,
    settings: list[tuple[str, str]],
    values: _Matrix | None,
    *,
    distances: bool = False,
    neighbors: Neighbors | None = None,
    sparse: _Sparse | None = None,
    labels: NDArray[np.int64] | None = None,
    weights: NDArray[np.float64] | None = None,
    targets: NDArray[np.float64] | None = None,
    start: _Matrix | None = None,
    fixed: list[bool] | None = None,
    earlier: FittedModel | None = None,
    memory: int | None = None,
    metric: str | None = None,
    threads: int = 0,
    progress: _Progress = None,
    lower: bool = False,
) -> FittedModel: ...
def align(
    method: str,
    settings: list[tuple[str, str]],
    sets: list[_Matrix],
    names: list[list[str]],
    *,
    pull: float | None = None,
    relations: str = "neighboring",
    metric: str | None = None,
    memory: int | None = None,
    threads: int = 0,
    progress: _Progress = None,
) -> tuple[list[FittedModel], list[tuple[int, int, float, float]]]: ...
def allow(stage: str, bytes: int, *, memory: int | None = None) -> None: ...
def load(saved: bytes, places: bytes | None = None) -> FittedModel: ...
def column_names(saved: bytes) -> list[str] | None: ...
def data_set(
    name: str,
    *,
    n: int | None = None,
    seed: int = 0,
    noise: float = 0.0,
    scale: float | None = None,
    directory: str | PathLike[str] | None = None,
) -> dict[str, Any]: ...
def read(
    path: str | PathLike[str],
    *,
    labels: str | PathLike[str] | None = None,
    header: bool | None = None,
    label_column: str | None = None,
    color_columns: list[str] = ...,
    name_column: str | None = None,
    encoding: str | None = None,
    decimal_comma: bool = False,
    ignore: list[str] = ...,
    missing: str | None = None,
    missing_values: list[str] = ...,
    unknown_label: str | None = None,
    categories: str | None = None,
    transpose: bool = False,
    skip_rows: int = 0,
    header_rows: int = 0,
    dates_as_days: bool = False,
    date_order: str | None = None,
    given: str = "points",
    thousands: str | None = None,
) -> dict[str, Any]: ...
def score(
    points: _Matrix,
    map: _Matrix,
    k: int,
    *,
    truth: _Matrix | None = None,
    labels: NDArray[np.uint32] | None = None,
    names: list[str] | None = None,
    rows: int | None = None,
    threads: int = 0,
) -> dict[str, float]: ...
def score_points(
    points: _Matrix, map: _Matrix, k: int, *, names: list[str] | None = None, threads: int = 0
) -> dict[str, list[float]]: ...
def perturbation(
    model: FittedModel,
    k: int,
    *,
    points: _Matrix | None = None,
    metric_name: str | None = None,
    rows: int | None = None,
    seed: int = 0,
    threads: int = 0,
) -> tuple[NDArray[np.uint32], NDArray[np.float64], NDArray[np.uint32], str]: ...
def curvatures(model: FittedModel) -> NDArray[np.float64]: ...
def drivers(
    model: FittedModel,
    k: int,
    *,
    points: _Matrix | None = None,
    metric_name: str | None = None,
    threads: int = 0,
) -> tuple[NDArray[np.uint32], NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]: ...
def ellipses(
    points: _Matrix, map: _Matrix, k: int, *, metric_name: str | None = None, threads: int = 0
) -> tuple[NDArray[np.float64], NDArray[np.float64]]: ...
def dimension(
    points: _Matrix, k: int, *, per_point: bool = False, threads: int = 0
) -> tuple[dict[str, float], dict[str, list[float]]]: ...
def left_out(
    recipe: str,
    points: _Matrix,
    targets: _Matrix,
    *,
    folds: int,
    seed: int = 0,
    memory: int | None = None,
    threads: int = 0,
) -> tuple[float, float, list[float]]: ...
def page(
    points: _Matrix,
    *,
    name: str = "data",
    classes: tuple[NDArray[np.uint32], list[str]] | None = None,
    truth: _Matrix | None = None,
    methods: list[str] | None = None,
    k: int | None = None,
    dim: int | None = None,
    seed: int | None = None,
) -> str: ...
