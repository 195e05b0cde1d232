"""Maps of annotated data.

`phate`, `densmap`, `pacmap`, `localmap` and `trimap` are called as ``tl.phate(adata, n_pcs=None, *, use_rep=None,
random_state=0, copy=False, **settings)``, with the parameters of their estimator as settings. `embed` does the same
for any estimator.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, clone

from .._drop_in import TSNE
from .._estimators import PHATE, UMAP, DensMAP, LocalMAP, PaCMAP, TriMap
from .._lists import Neighbors
from .._settings import Metric, Seed, mistyped
from ._annotated import copied, represented

__all__ = ["densmap", "embed", "localmap", "pacmap", "phate", "trimap", "tsne", "umap"]


def _graph(adata: Any, neighbors_key: str | None) -> tuple[Neighbors, dict[str, Any]]:
    """The lists that `pp.neighbors`, or scanpy's function, has stored."""
    key = neighbors_key or "neighbors"
    if key not in adata.uns or "distances_key" not in adata.uns[key]:
        raise ValueError(f"uns has no {key!r}; call pp.neighbors first")
    stored = adata.uns[key]
    distances = adata.obsp[stored["distances_key"]].tocsr()
    distances.sort_indices()
    lists = Neighbors.from_sparse(distances.indptr, distances.indices, distances.data)
    return lists, dict(stored.get("params", {}))


def _stored(adata: Any, name: str, key_added: str | None, map: Any, params: dict[str, Any]) -> None:
    key = key_added or f"X_{name}"
    adata.obsm[key] = np.asarray(map)
    adata.uns[key_added or name] = {"params": params}


def umap(
    adata: Any,
    *,
    min_dist: float = 0.5,
    spread: float = 1.0,
    n_components: int = 2,
    maxiter: int | None = None,
    init_pos: str = "spectral",
    random_state: Seed = 0,
    key_added: str | None = None,
    neighbors_key: str | None = None,
    copy: bool = False,
    **settings: Any,
) -> Any:
    """UMAP of the graph of neighbors that `pp.neighbors` has stored.

    Parameters
    ----------
    adata : AnnData
        Annotated data with a graph of neighbors.
    min_dist, spread : float, default=0.5 and 1.0
        Distance of the nearest points of the map, and its scale.
    n_components : int, default=2
        Number of dimensions.
    maxiter : int, default=None
        Number of epochs; None for the default of `swissroll.UMAP`.
    init_pos : str, default="spectral"
        ``"spectral"``, ``"random"``, or the name of an array of ``obsm`` that is the start.
    random_state : int, RandomState, Generator or None, default=0
        Seed.
    key_added : str, default=None
        The name in ``obsm`` and ``uns``; None for ``"X_umap"`` and ``"umap"``.
    neighbors_key : str, default=None
        The name of the graph in ``uns``; None for ``"neighbors"``.
    copy : bool, default=False
        Whether to return a changed copy.
    **settings
        Further parameters of `swissroll.UMAP`.

    Returns
    -------
    adata : AnnData or None
        The copy, with ``copy=True``. ``obsm["X_umap"]`` has the map.
    """
    adata = copied(adata, copy)
    lists, _ = _graph(adata, neighbors_key)
    start = np.asarray(adata.obsm[init_pos]) if init_pos in adata.obsm else init_pos
    fitted = UMAP(
        n_components,
        n_neighbors=lists.k or 1,
        min_dist=min_dist,
        spread=spread,
        epochs="auto" if maxiter is None else maxiter,
        init=start,
        random_state=random_state,
        **settings,
    ).fit(neighbors=lists)
    _stored(adata, "umap", key_added, fitted.embedding_, {word: fitted.facts_[word] for word in ("a", "b")})
    return adata if copy else None


def tsne(
    adata: Any,
    n_pcs: int | None = None,
    *,
    use_rep: str | None = None,
    perplexity: float = 30,
    metric: Metric = "euclidean",
    early_exaggeration: float = 12,
    learning_rate: float | str = "auto",
    random_state: Seed = 0,
    key_added: str | None = None,
    n_jobs: int | None = None,
    copy: bool = False,
    **settings: Any,
) -> Any:
    """t-SNE of the observations.

    Parameters
    ----------
    adata : AnnData
        Annotated data.
    n_pcs : int, default=None
        Number of principal components; None for all, 0 for the variables themselves.
    use_rep : str, default=None
        The array of ``obsm`` that represents the observations, or ``"X"``; as in `pp.neighbors`.
    perplexity : float, default=30
        Effective number of neighbors.
    metric : str or callable, default="euclidean"
        As in `swissroll.TSNE`.
    early_exaggeration : float, default=12
        Factor of attraction in the first iterations.
    learning_rate : float or "auto", default="auto"
        Length of a step. scanpy's default of 1000 is not used.
    random_state : int, RandomState, Generator or None, default=0
        Seed.
    key_added : str, default=None
        The name in ``obsm`` and ``uns``; None for ``"X_tsne"`` and ``"tsne"``.
    n_jobs : int, default=None
        Number of threads; None and -1 for all processors.
    copy : bool, default=False
        Whether to return a changed copy.
    **settings
        Further parameters of `swissroll.TSNE`.

    Returns
    -------
    adata : AnnData or None
        The copy, with ``copy=True``. ``obsm["X_tsne"]`` has the map.
    """
    adata = copied(adata, copy)
    X, chosen = represented(adata, use_rep, n_pcs)
    params: dict[str, Any] = {
        "perplexity": perplexity,
        "early_exaggeration": early_exaggeration,
        "learning_rate": learning_rate,
        "metric": metric,
    }
    fitted = TSNE(random_state=random_state, n_jobs=n_jobs, **params, **settings).fit(X)
    _stored(adata, "tsne", key_added, fitted.embedding_, {**params, **chosen})
    return adata if copy else None


def embed(
    adata: Any,
    estimator: BaseEstimator,
    name: str,
    n_pcs: int | None = None,
    *,
    use_rep: str | None = None,
    copy: bool = False,
) -> Any:
    """A map of the observations by any estimator.

    Parameters
    ----------
    adata : AnnData
        Annotated data.
    estimator : estimator
        Such as ``swissroll.LTSA(n_neighbors=20)``; a clone of it is fitted.
    name : str
        The map is ``obsm["X_" + name]``, its parameters ``uns[name]``.
    n_pcs : int, default=None
        Number of principal components; None for all, 0 for the variables themselves.
    use_rep : str, default=None
        The array of ``obsm`` that represents the observations, or ``"X"``; as in `pp.neighbors`.
    copy : bool, default=False
        Whether to return a changed copy.

    Returns
    -------
    adata : AnnData or None
        The copy, with ``copy=True``.
    """
    if not hasattr(estimator, "fit_transform") or isinstance(estimator, type):
        raise mistyped("estimator", "an estimator, such as swissroll.LTSA(n_neighbors=20)", estimator)
    if not isinstance(name, str) or not name:
        raise mistyped("name", "a word", name)
    adata = copied(adata, copy)
    X, chosen = represented(adata, use_rep, n_pcs)
    plain = (str, int, float, bool, np.number)
    given = estimator.get_params(deep=False).items()
    params = {parameter: value for parameter, value in given if isinstance(value, plain)}
    _stored(adata, name, None, clone(estimator).fit_transform(X), {**params, **chosen})
    return adata if copy else None


def _layout(kind: type[BaseEstimator], name: str, title: str) -> Any:
    def layout(
        adata: Any,
        n_pcs: int | None = None,
        *,
        use_rep: str | None = None,
        random_state: Seed = 0,
        copy: bool = False,
        **settings: Any,
    ) -> Any:
        if "random_state" in kind().get_params():
            settings["random_state"] = random_state
        return embed(adata, kind(**settings), name, n_pcs, use_rep=use_rep, copy=copy)

    layout.__name__ = layout.__qualname__ = name
    layout.__doc__ = f"""{title} of the observations, in ``obsm["X_{name}"]``.

    Parameters
    ----------
    adata : AnnData
        Annotated data.
    n_pcs : int, default=None
        Number of principal components; None for all, 0 for the variables themselves.
    use_rep : str, default=None
        The array of ``obsm`` that represents the observations, or ``"X"``; as in `pp.neighbors`.
    random_state : int, RandomState, Generator or None, default=0
        Seed, where the method has one.
    copy : bool, default=False
        Whether to return a changed copy.
    **settings
        Further parameters of `swissroll.{kind.__name__}`.

    Returns
    -------
    adata : AnnData or None
        The copy, with ``copy=True``.
    """
    return layout


phate = _layout(PHATE, "phate", "PHATE")
densmap = _layout(DensMAP, "densmap", "densMAP")
pacmap = _layout(PaCMAP, "pacmap", "PaCMAP")
localmap = _layout(LocalMAP, "localmap", "LocalMAP")
trimap = _layout(TriMap, "trimap", "TriMap")
