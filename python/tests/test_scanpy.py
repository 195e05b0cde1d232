"""Methods on AnnData by the conventions of scanpy."""

import numpy as np
import pytest
from scipy import sparse

anndata = pytest.importorskip("anndata")

import swissroll
import swissroll.scanpy as ss


@pytest.fixture
def cells():
    """The 700 blood cells that scanpy ships, with their 50 principal components."""
    cells = swissroll.datasets.load("pbmc")
    adata = anndata.AnnData(np.asarray(cells.data))
    adata.obs["louvain"] = np.asarray(cells.target).astype(str)
    return adata


def test_results_are_where_scanpy_has_them(cells, tmp_path):
    ss.pp.pca(cells, 20)
    ss.pp.neighbors(cells, n_neighbors=12, n_pcs=10)
    assert cells.obsm["X_pca"].shape == (cells.n_obs, 20)
    assert cells.varm["PCs"].shape == (cells.n_vars, 20)
    assert cells.uns["neighbors"]["params"] == {
        "n_neighbors": 12,
        "method": "umap",
        "metric": "euclidean",
        "use_rep": "X_pca",
        "n_pcs": 10,
    }
    distances, weights = cells.obsp["distances"], cells.obsp["connectivities"]
    assert (np.diff(distances.indptr) == 11).all()
    assert abs(weights - weights.T).max() == 0
    ss.tl.umap(cells, maxiter=50)
    ss.tl.tsne(cells, n_pcs=10, perplexity=20, max_iter=250)
    ss.tl.phate(cells, n_pcs=10)
    ss.tl.pacmap(cells, n_pcs=10, random_state=1)
    ss.tl.embed(cells, swissroll.LTSA(n_neighbors=20), "ltsa", 10)
    names = ["X_umap", "X_tsne", "X_phate", "X_pacmap", "X_ltsa"]
    for name in names:
        assert cells.obsm[name].shape == (cells.n_obs, 2) and np.isfinite(cells.obsm[name]).all()
    assert set(cells.uns["umap"]["params"]) == {"a", "b"}
    # The maps are the estimators' own.
    lists = swissroll.neighbors(cells.obsm["X_pca"][:, :10], 11)
    umap = swissroll.UMAP(n_neighbors=11, min_dist=0.5, epochs=50, random_state=0).fit(neighbors=lists)
    np.testing.assert_array_equal(cells.obsm["X_umap"], umap.embedding_)
    tsne = swissroll.TSNE(perplexity=20, max_iter=250, random_state=0)
    np.testing.assert_array_equal(
        cells.obsm["X_tsne"], tsne.fit_transform(np.ascontiguousarray(cells.obsm["X_pca"][:, :10]))
    )
    cells.write_h5ad(tmp_path / "cells.h5ad")
    again = anndata.read_h5ad(tmp_path / "cells.h5ad")
    for name in names:
        np.testing.assert_array_equal(again.obsm[name], cells.obsm[name])
    ss.tl.umap(again, maxiter=50, key_added="second")
    np.testing.assert_array_equal(again.obsm["second"], cells.obsm["X_umap"])


def test_copies_leave_the_data_unchanged(cells):
    changed = ss.pp.neighbors(cells, n_pcs=0, copy=True, key_added="of_genes", metric="cosine")
    assert not cells.obsp and not cells.uns
    assert set(changed.obsp) == {"of_genes_distances", "of_genes_connectivities"}
    ss.tl.umap(changed, maxiter=20, neighbors_key="of_genes", init_pos="random")
    started = ss.tl.umap(changed, maxiter=20, neighbors_key="of_genes", init_pos="X_umap", copy=True)
    assert not np.array_equal(started.obsm["X_umap"], changed.obsm["X_umap"])


def test_sparse_counts_are_read_without_their_zeros():
    counts = sparse.random(90, 300, 0.1, format="csr", random_state=0)
    adata = anndata.AnnData(counts)
    ss.pp.pca(adata, 8)
    ss.pp.neighbors(adata, 10)
    assert adata.uns["neighbors"]["params"]["use_rep"] == "X_pca"
    ss.tl.umap(adata, maxiter=20)
    expected = swissroll.PCA(8).fit(counts)
    np.testing.assert_array_equal(adata.obsm["X_pca"], expected.embedding_)


def test_what_is_missing_is_named(cells):
    with pytest.raises(ValueError, match="obsm has no 'X_pca'; call pp.pca first"):
        ss.pp.neighbors(cells)
    with pytest.raises(ValueError, match="uns has no 'neighbors'; call pp.neighbors first"):
        ss.tl.umap(cells)
    ss.pp.pca(cells, 5)
    with pytest.raises(ValueError, match="n_pcs must be at most 5"):
        ss.pp.neighbors(cells, n_pcs=6)
    with pytest.raises(ValueError, match="use_rep must be 'X' or an array of obsm, which has 'X_pca'"):
        ss.tl.tsne(cells, use_rep="X_scvi")
    with pytest.raises(TypeError, match="adata must be an object of annotated data"):
        ss.pp.neighbors(np.zeros((5, 3)))
    with pytest.raises(TypeError, match="estimator must be an estimator"):
        ss.tl.embed(cells, swissroll.LTSA, "ltsa")
