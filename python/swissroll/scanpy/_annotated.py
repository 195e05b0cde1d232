"""Reading and writing objects of annotated data."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from .._estimators import PCA
from .._settings import mistyped, whole

#: Number of columns above which principal components represent the data, and their number, as in scanpy.
FEW = 50


def copied(adata: Any, copy: bool) -> Any:
    """The object, or a copy of it."""
    for name in ("X", "obsm", "obsp", "uns", "n_obs", "n_vars"):
        if not hasattr(adata, name):
            raise mistyped("adata", "an object of annotated data, such as anndata.AnnData", adata)
    return adata.copy() if copy else adata


def rows(X: Any) -> Any:
    """Rows in memory, dense or compressed."""
    if hasattr(X, "to_memory"):
        X = X.to_memory()
    return sparse.csr_matrix(X) if sparse.issparse(X) else np.asarray(X)


def represented(adata: Any, use_rep: str | None, n_pcs: int | None) -> tuple[Any, dict[str, Any]]:
    """The rows that represent the observations, and how they were chosen.

    ``use_rep`` names an array of ``obsm``, or ``"X"``. Without it, up to 50 variables represent themselves, and
    more are represented by ``obsm["X_pca"]``. With ``n_pcs=0`` it is X, otherwise its first ``n_pcs`` columns.
    """
    n_pcs = whole("n_pcs", n_pcs, least=0)
    if use_rep is None:
        if n_pcs == 0 or (adata.n_vars <= FEW and n_pcs is None):
            return rows(adata.X), {"n_pcs": 0} if n_pcs == 0 else {}
        use_rep = "X_pca"
        if use_rep not in adata.obsm:
            raise ValueError(
                f"{adata.n_vars} variables are represented by principal components, and obsm has no 'X_pca'; call "
                "pp.pca first, name another array by use_rep, or use the variables by n_pcs=0"
            )
    if use_rep == "X":
        return rows(adata.X), {"use_rep": "X"}
    if use_rep not in adata.obsm:
        known = ", ".join(map(repr, adata.obsm)) or "no array"
        raise ValueError(f"use_rep must be 'X' or an array of obsm, which has {known}, but is {use_rep!r}")
    chosen = rows(adata.obsm[use_rep])
    if n_pcs is None:
        return chosen, {"use_rep": use_rep}
    if n_pcs > chosen.shape[1]:
        raise ValueError(
            f"n_pcs must be at most {chosen.shape[1]}, the columns of obsm[{use_rep!r}], but is {n_pcs}"
        )
    return np.ascontiguousarray(chosen[:, :n_pcs]), {"use_rep": use_rep, "n_pcs": n_pcs}


def principal(adata: Any, n_comps: int | None) -> PCA:
    """The fitted principal components of the variables."""
    X = rows(adata.X)
    most = min(X.shape) - 1
    count = min(FEW, most) if n_comps is None else whole("n_comps", n_comps)
    return PCA(count).fit(X)
