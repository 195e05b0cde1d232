# %% text
# # Isomap from shortest paths and double centering
#
# You write Isomap (Tenenbaum, de Silva and Langford 2000) with two functions of SciPy and ten lines, compare it
# with `swissroll.Isomap`, and then break it with one wrong edge.
# %%
import matplotlib.pyplot as plt
import numpy as np
import swissroll
from scipy.sparse.csgraph import dijkstra
from sklearn.neighbors import kneighbors_graph

n, k = 1000, 10
X, position = swissroll.datasets.make_swiss_roll(n)
# %% text
# **Step 1.** The neighbor graph, with distances as lengths. An edge exists where one of both points is a neighbor
# of the other.
# %%
# gap: a symmetric sparse matrix `graph`
lists = kneighbors_graph(X, k, mode="distance")
graph = lists.maximum(lists.T)
# end
assert abs(graph - graph.T).max() == 0
# %% text
# **Step 2.** The lengths of shortest paths.
# %%
# gap: an array `geodesics` of shape (n, n)
geodesics = dijkstra(graph, directed=False)
# end
assert np.isfinite(geodesics).all(), "the graph is connected"
straight = np.linalg.norm(X[:, None] - X, axis=2)
# No path is shorter than the straight line.
assert (geodesics >= straight - 1e-9).all()
# %% text
# **Predict first.** For which pairs is the ratio of both lengths large? Compute the largest one.
# %%
# gap: the largest ratio, and its pair
ratio = np.divide(geodesics, straight, out=np.ones_like(geodesics), where=straight > 0)
first, second = np.unravel_index(ratio.argmax(), ratio.shape)
print(ratio.max(), "at positions", position[first], position[second])
# end
# %% text
# **Step 3.** Classical scaling: double centering of −d²/2 gives inner products, and its leading eigenvectors times
# the roots of the eigenvalues are the coordinates.
# %%
def classical_scaling(distances, dim=2):
    # gap: the coordinates
    squared = distances**2
    centered = squared - squared.mean(axis=0) - squared.mean(axis=1, keepdims=True) + squared.mean()
    values, vectors = np.linalg.eigh(-centered / 2)
    return vectors[:, ::-1][:, :dim] * np.sqrt(values[::-1][:dim])
    # end


Y = classical_scaling(geodesics)
# %%
ours = swissroll.Isomap(n_neighbors=k).fit(X).embedding_
signs = np.sign(np.sum(Y * ours, axis=0))
print("largest difference:", np.abs(Y * signs - ours).max(), "of", np.ptp(ours))
assert np.allclose(Y * signs, ours, atol=1e-6 * np.ptp(ours))
# %% text
# **One wrong edge.** Join two points of different layers that are near in space, and repeat the last two steps.
# Say before: which points move?
# %%
far = np.abs(position[:, None] - position) > 20
# gap: the pair of such points with the smallest straight distance, an edge between them, and the map
i, j = np.unravel_index(np.where(far, straight, np.inf).argmin(), straight.shape)
broken = graph.tolil()
broken[i, j] = broken[j, i] = straight[i, j]
closed = classical_scaling(dijkstra(broken.tocsr(), directed=False))
# end
kept, lost = (abs(np.corrcoef(places[:, 0], position)[0, 1]) for places in (Y, closed))
print(f"correlation with the position along the sheet: {kept:.3f}, then {lost:.3f}")
assert kept > 0.99 and lost < kept
# %%
figure, axes = plt.subplots(1, 2, figsize=(9, 4))
for axis, (title, places) in zip(axes, {"Isomap": Y, "one wrong edge": closed}.items()):
    axis.scatter(*places.T, c=position, s=4)
    axis.set_title(title)
    axis.set_aspect("equal")
