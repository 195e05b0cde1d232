# %% text
# # LLE from its three steps
#
# A Swiss roll of 2,500 points, 20 neighbors, regularization α = 0.1. You write locally linear embedding from
# the definition of Roweis and Saul (2000) and compare it with `swissroll.LLE`.
# %%
import matplotlib.pyplot as plt
import numpy as np
import swissroll
from scipy import sparse
from scipy.sparse.linalg import eigsh
from sklearn.neighbors import NearestNeighbors

n, k, alpha = 2500, 20, 0.1
X, position = swissroll.datasets.make_swiss_roll(n)
# %% text
# **Predict first.** A projection shows the roll from the side. Which pairs of points of the spiral are near in
# the picture, but far along the sheet? Will 20 neighbors of a point ever lie in another layer?
# %% text
# **Step 1.** The k nearest neighbors of each point, without the point itself.
# %%
# gap: an array `neighbors` of shape (n, k)
search = NearestNeighbors(n_neighbors=k).fit(X)
neighbors = search.kneighbors(return_distance=False)
# end
assert neighbors.shape == (n, k) and not (neighbors == np.arange(n)[:, None]).any()
# %% text
# **Step 2.** The weights of each point sum to one and minimize |x − Σ wⱼ xⱼ|² + R Σ wⱼ². With the local Gram
# matrix G of the differences xⱼ − x, and R = α tr G, they solve (G + R I) w = 1, up to a factor.
# %%
W = np.zeros((n, k))
for i in range(n):
    # gap: the weights `W[i]`
    differences = X[neighbors[i]] - X[i]
    gram = differences @ differences.T
    w = np.linalg.solve(gram + alpha * np.trace(gram) * np.eye(k), np.ones(k))
    W[i] = w / w.sum()
    # end
assert np.allclose(W.sum(axis=1), 1)
# %% text
# Without R the system has no unique solution here. Why? (Compare k with the number of columns.)
# %% text
# **Step 3.** The coordinates are the eigenvectors of M = (I − W)ᵀ (I − W) with the smallest eigenvalues,
# without the constant one. Scale each column to variance one.
# %%
rows = np.repeat(np.arange(n), k)
# gap: M as a sparse matrix, then `Y` of shape (n, 2)
sparse_W = sparse.csr_array((W.ravel(), (rows, neighbors.ravel())), shape=(n, n))
difference = sparse.identity(n) - sparse_W
M = sparse.csc_array(difference.T @ difference)
values, vectors = eigsh(M, 3, sigma=-1e-10, v0=np.random.default_rng(0).normal(size=n))
Y = vectors[:, np.argsort(values)[1:]] * np.sqrt(n)
# end
assert Y.shape == (n, 2)
# %% text
# **Ours.** Signs of eigenvectors are arbitrary: compare absolute correlations of the columns.
# %%
ours = swissroll.LLE(n_neighbors=k, reg=alpha).fit(X).embedding_
same = [float(abs(np.corrcoef(Y[:, j], ours[:, j])[0, 1])) for j in range(2)]
print("correlations of the columns:", same)
assert min(same) > 0.9999
# %%
figure, axes = plt.subplots(1, 2, figsize=(9, 4))
for axis, (title, places) in zip(axes, {"three steps": Y, "swissroll.LLE": ours}.items()):
    axis.scatter(*places.T, c=position, s=3)
    axis.set_title(title)
# %% text
# **Look again.** Is the sheet a rectangle of the right proportions? `swissroll.quality.score(X, Y)` gives
# trustworthiness and continuity. Repeat with α = 0.001 and with k = 8, and say what changed and why.
# %%
# gap: scores of both maps, and of a map with another α
scores = swissroll.quality.score(X, Y, n_neighbors=10, rows=500)
other = swissroll.LLE(n_neighbors=k, reg=1e-3).fit(X).embedding_
changed = swissroll.quality.score(X, other, n_neighbors=10, rows=500)
print(scores["trustworthiness"], changed["trustworthiness"])
# end
