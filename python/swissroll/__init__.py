"""Manifold learning, made to be compared.

Every method is an estimator of scikit-learn's interface::

    import swissroll
    X, t = swissroll.datasets.make_swiss_roll(1500)
    Y = swissroll.LTSA(n_neighbors=10).fit_transform(X)

Same input and seed give the same bytes at any number of threads; every method places new
points by ``transform``. `datasets` has data with known coordinates, `quality` the measures,
`regression` the way from places of a map back to data.
"""

from . import _estimators, datasets, quality, regression
from ._aligned import AlignedMaps
from ._comparison import Comparison, compare
from ._drop_in import (
    MDS,
    TSNE,
    ClassicalMDS,
    Isomap,
    LocallyLinearEmbedding,
    SpectralEmbedding,
)
from ._estimators import *  # noqa: F403
from ._lists import Neighbors, to_sparse
from ._loading import load
from ._native import ConvergenceError, DisconnectedError, __version__
from ._neighbors import neighbors
from ._notebook import lab
from ._settings import methods, set_memory_limit
from ._transformer import KNeighborsTransformer

__all__ = [
    "AlignedMaps",
    "MDS",
    "TSNE",
    "ClassicalMDS",
    "Comparison",
    "ConvergenceError",
    "DisconnectedError",
    "Isomap",
    "KNeighborsTransformer",
    "LocallyLinearEmbedding",
    "Neighbors",
    "SpectralEmbedding",
    "__version__",
    "compare",
    "datasets",
    "lab",
    "load",
    "methods",
    "neighbors",
    "quality",
    "regression",
    "set_memory_limit",
    "to_sparse",
]
__all__ += _estimators.__all__
