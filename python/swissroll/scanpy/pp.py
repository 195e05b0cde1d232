"""Preparation: principal components and the graph of neighbors."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from .._lists import to_sparse
from .._neighbors import neighbors as search
from .._settings import Metric, Seed, whole
from ._annotated import copied, principal, represented

__all__ = ["neighbors", "pca"]


def pca(adata: Any, n_comps: int | None = None, *, key_added: str | None = None, copy: bool = False) -> Any:
    """Principal components of the variables, centered and not scaled.

    Parameters
    ----------
    adata : AnnData
        Annotated data; X may be sparse.
    n_comps : int, default=None
        Number of components; None for 50, or one less than observations or variables where there are fewer.
    key_added : str, default=None
        The name in ``obsm``, ``varm`` and ``uns``; None for ``"X_pca"``, ``"PCs"`` and ``"pca"``.
    copy : bool, default=False
        Whether to return a changed copy.

    Returns
    -------
    adata : AnnData or None
        The copy, with ``copy=True``. ``obsm["X_pca"]`` has the coordinates, ``varm["PCs"]`` the directions,
        ``uns["pca"]`` the variances and their ratios.
    """
    adata = copied(adata, copy)
    fitted = principal(adata, n_comps)
    adata.obsm[key_added or "X_pca"] = fitted.embedding_
    adata.varm[key_added or "PCs"] = np.ascontiguousarray(fitted.components_.T)
    adata.uns[key_added or "pca"] = {
        "params": {"zero_center": True, "use_highly_variable": False, "mask_var": None},
        "variance": np.asarray(fitted.explained_variance_),
        "variance_ratio": np.asarray(fitted.explained_variance_ratio_),
    }
    return adata if copy else None


def neighbors(
    adata: Any,
    n_neighbors: int = 15,
    n_pcs: int | None = None,
    *,
    use_rep: str | None = None,
    metric: Metric = "euclidean",
    recall: float | None = None,
    random_state: Seed = 0,
    key_added: str | None = None,
    n_jobs: int | None = None,
    copy: bool = False,
) -> Any:
    """The graph of neighbors, with the weights of UMAP.

    Parameters
    ----------
    adata : AnnData
        Annotated data.
    n_neighbors : int, default=15
        Number of neighbors, the observation itself included, as scanpy counts; at least 2.
    n_pcs : int, default=None
        Number of principal components; None for all, 0 for the variables themselves.
    use_rep : str, default=None
        The array of ``obsm`` that represents the observations, or ``"X"``. None for X with up to 50 variables,
        else ``"X_pca"``.
    metric : str or callable, default="euclidean"
        As in `swissroll.neighbors`.
    recall : float, default=None
        The fraction of right neighbors that suffices; None for an exact search.
    random_state : int, RandomState, Generator or None, default=0
        Seed of a search that is not exact.
    key_added : str, default=None
        The name in ``uns``, and before ``_distances`` and ``_connectivities`` in ``obsp``; None for
        ``"neighbors"``, ``"distances"`` and ``"connectivities"``.
    n_jobs : int, default=None
        Number of threads; None and -1 for all processors.
    copy : bool, default=False
        Whether to return a changed copy.

    Returns
    -------
    adata : AnnData or None
        The copy, with ``copy=True``. ``obsp`` has the distances and UMAP's weights of the graph as sparse
        matrices, ``uns`` their names and the parameters.
    """
    adata = copied(adata, copy)
    k = whole("n_neighbors", n_neighbors, least=2)
    X, chosen = represented(adata, use_rep, n_pcs)
    lists = search(X, k - 1, metric=metric, recall=recall, random_state=random_state, n_jobs=n_jobs)
    names = [f"{key_added}_{word}" if key_added else word for word in ("distances", "connectivities")]
    adata.obsp[names[0]] = sparse.csr_matrix(to_sparse(lists))
    adata.obsp[names[1]] = sparse.csr_matrix(lists.memberships())
    params = {"n_neighbors": k, "method": "umap", "metric": metric, **chosen}
    if lists.recall is not None:
        params.update(recall=lists.recall, random_state=0 if random_state is None else random_state)
    adata.uns[key_added or "neighbors"] = {
        "connectivities_key": names[1],
        "distances_key": names[0],
        "params": params,
    }
    return adata if copy else None
