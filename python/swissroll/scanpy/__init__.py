"""Methods on AnnData by the conventions of scanpy.

`pp` prepares (`pp.pca`, `pp.neighbors`) and `tl` embeds (`tl.umap`, `tl.tsne`, `tl.phate`, …), with the names and
the places in the object that scanpy has: ``obsm``, ``obsp``, ``varm`` and ``uns``. scanpy's plots and its
clustering then read them::

    import scanpy as sc
    import swissroll.scanpy as ss

    adata = sc.datasets.pbmc68k_reduced()
    ss.pp.neighbors(adata, n_neighbors=15)
    ss.tl.umap(adata)
    sc.tl.leiden(adata)
    sc.pl.umap(adata, color="leiden")

Neither scanpy nor anndata is imported: any object with the attributes of AnnData serves.
"""

from . import pp, tl

__all__ = ["pp", "tl"]
