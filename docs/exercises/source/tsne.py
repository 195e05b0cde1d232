# %% text
# # t-SNE misread
#
# Three readings of a t-SNE map that are wrong: sizes of clusters, gaps between clusters, clusters at all.
# %%
import matplotlib.pyplot as plt
import numpy as np
import swissroll

random = np.random.default_rng(0)


def tsne(X, perplexity=30.0):
    return swissroll.TSNE(perplexity=perplexity, random_state=0).fit(X).embedding_


def spread(places):
    """The mean distance of points to their mean."""
    return np.linalg.norm(places - places.mean(axis=0), axis=1).mean()


# %% text
# **Sizes.** Two clusters of 150 points in 10 dimensions; the second is ten times as wide.
# Predict the ratio of their sizes in the map.
# %%
narrow, wide = random.normal(size=(150, 10)), 10 * random.normal(size=(150, 10)) + 100
map_of_sizes = tsne(np.vstack([narrow, wide]))
# gap: the ratio of the spreads in the data and in the map
in_data = spread(wide) / spread(narrow)
in_map = spread(map_of_sizes[150:]) / spread(map_of_sizes[:150])
# end
print(f"ratio of sizes: {in_data:.1f} in the data, {in_map:.2f} in the map")
assert in_data > 8 and in_map < 3
# %% text
# Why? Each point has its own width, chosen so that its perplexity is the same.
# %% text
# **Gaps.** Three clusters on a line: the second at 20, the third at 200. Predict the ratio of gaps.
# %%
three = np.vstack([random.normal(size=(100, 10)) + at * np.eye(10)[0] for at in (0, 20, 200)])
map_of_gaps = tsne(three)


def gap_ratio(places):
    # gap: distance of the means of clusters 2 and 3, over the distance of the means of 1 and 2
    first, second, third = (places[start : start + 100].mean(axis=0) for start in (0, 100, 200))
    return np.linalg.norm(third - second) / np.linalg.norm(second - first)
    # end


print(f"ratio of gaps: {gap_ratio(three):.1f} in the data, {gap_ratio(map_of_gaps):.2f} in the map")
assert gap_ratio(three) > 8 and gap_ratio(map_of_gaps) < 4
# %% text
# **Clusters of nothing.** 300 points of one normal distribution in 50 dimensions. Which perplexity shows the most
# clusters? Draw 2, 5, 30 and 90.
# %%
noise = random.normal(size=(300, 50))
# gap: a dictionary `maps` by perplexity
maps = {perplexity: tsne(noise, perplexity) for perplexity in (2, 5, 30, 90)}
# end
figure, axes = plt.subplots(1, 4, figsize=(14, 3.5))
for axis, (perplexity, places) in zip(axes, maps.items()):
    axis.scatter(*places.T, s=5)
    axis.set_title(f"perplexity {perplexity}")
# %% text
# **A number for clumps.** The distance to the nearest point, over the distance of as many points at random in the
# same disk, is near 1 without clumps.
# %%
def clumps(places):
    # gap: the mean distance to the nearest other point, over 0.5 √(area / n)
    distances = np.linalg.norm(places[:, None] - places, axis=2)
    np.fill_diagonal(distances, np.inf)
    radius = np.quantile(np.linalg.norm(places - places.mean(axis=0), axis=1), 0.95)
    return float(distances.min(axis=1).mean()) / (0.5 * np.sqrt(np.pi * radius**2 / len(places)))
    # end


found = {perplexity: clumps(places) for perplexity, places in maps.items()}
print(found)
assert found[2] < found[30], "a small perplexity makes clumps of noise"
# %% text
# **A check that helps.** `swissroll.quality.score` gives trustworthiness and continuity; a map of noise scores
# much lower than a map of a sheet. Compare both, and say which sentence of a paper the number would change.
# %%
# gap: the trustworthiness of the map of noise, and of a map of the Swiss roll
roll, _ = swissroll.datasets.make_swiss_roll(300)
of_noise = swissroll.quality.score(noise, maps[30])["trustworthiness"]
of_roll = swissroll.quality.score(roll, tsne(roll))["trustworthiness"]
# end
print(f"trustworthiness: {of_noise:.3f} of noise, {of_roll:.3f} of a sheet")
assert of_noise < of_roll
