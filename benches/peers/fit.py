"""Times one fit of one peer in a process of its own; prints seconds and peak memory as JSON.

    python fit.py PEER METHOD INPUT.npy K OUTPUT.npy
"""

import json
import resource
import sys
import time

import numpy as np

peer, method, path, k, output = sys.argv[1:]
k = int(k)
x = np.load(path).astype(np.float64, copy=False)


def scikit_learn(manifold=None):
    """The call of scikit-learn's manual, of its own classes or of those with the same signatures."""
    from sklearn import neighbors

    if manifold is None:
        from sklearn import manifold

    family = {"lle": "standard", "modified-lle": "modified", "hessian-lle": "hessian", "ltsa": "ltsa"}
    if method in family:
        # The direct solver where the iteration would be dense is its own choice.
        recipe = manifold.LocallyLinearEmbedding(n_neighbors=k, n_components=2, method=family[method], n_jobs=-1)
    elif method == "isomap":
        recipe = manifold.Isomap(n_neighbors=k, n_components=2, n_jobs=-1)
    elif method == "classical-mds":
        recipe = manifold.ClassicalMDS(n_components=2)
    elif method == "classical-mds-distances":
        recipe = manifold.ClassicalMDS(n_components=2, metric="precomputed")
    elif method == "smacof":
        recipe = manifold.MDS(n_components=2, n_init=1, max_iter=300, init="classical_mds", normalized_stress=False)
    elif method == "tsne":
        recipe = manifold.TSNE(n_components=2, perplexity=30, init="pca", max_iter=750, random_state=0, n_jobs=-1)
    elif method == "neighbors":
        algorithm = "kd_tree" if x.shape[1] <= 8 else "brute"
        search = neighbors.NearestNeighbors(n_neighbors=k, algorithm=algorithm, n_jobs=-1)
        return lambda: search.fit(x).kneighbors(return_distance=True)[1], lambda: {}
    else:
        sys.exit(f"no {method}")

    def report():
        return {name: float(getattr(recipe, name)) for name in ["stress_", "kl_divergence_"] if hasattr(recipe, name)}

    return lambda: recipe.fit_transform(x), report


def swissroll_python():
    import swissroll

    return scikit_learn(swissroll)


def tapkee():
    import tapkee

    name = {"lle": "lle", "hessian-lle": "hlle", "ltsa": "ltsa", "isomap": "isomap"}[method]
    columns = np.asfortranarray(x.T)
    return lambda: tapkee.embed(columns, method=name, num_neighbors=k, target_dimension=2), lambda: {}


def open_tsne():
    import openTSNE

    kept = {}

    def run():
        kept["map"] = openTSNE.TSNE(perplexity=30, n_jobs=-1, random_state=0).fit(x)
        return np.asarray(kept["map"])

    return run, lambda: {"kl_divergence_": float(kept["map"].kl_divergence)}


def umap_learn(seed=None):
    import umap

    # Compiles.
    umap.UMAP(n_neighbors=k + 1, random_state=seed, n_epochs=5).fit_transform(np.random.default_rng(0).normal(size=(5000, 10)))
    return lambda: umap.UMAP(n_neighbors=k + 1, random_state=seed).fit_transform(x), lambda: {}


PEERS = {
    "scikit-learn": scikit_learn,
    "swissroll-python": swissroll_python,
    "tapkee": tapkee,
    "opentsne": open_tsne,
    "umap-learn": umap_learn,
    "umap-learn-seeded": lambda: umap_learn(0),
}
run, report = PEERS[peer]()
begin = time.perf_counter()
y = run()
seconds = time.perf_counter() - begin
np.save(output, y)
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
print(json.dumps({"seconds": seconds, "peak_bytes": peak, **report()}))
