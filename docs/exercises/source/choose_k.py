# %% text
# # Choosing k without truth
#
# The number of neighbors decides everything: too few, and the graph is disconnected; too many, and edges jump between
# layers. Here you choose k for 600 points without looking at the truth, and look at the end.
# %%
import warnings

import matplotlib.pyplot as plt
import numpy as np
import swissroll

data = swissroll.datasets.load("swiss-roll", 600)
X, truth = data.data, data.truth  # keep the truth closed until the last cell
candidates = [4, 5, 6, 7, 8, 10, 12, 15, 20, 30]
# %% text
# **Is the graph connected?** One search for the largest k serves all smaller ones: `lists.truncated(k)`.
# %%
lists = swissroll.neighbors(X, max(candidates))


def components(k):
    # gap: the number of connected components of the graph with k neighbors
    return int(lists.truncated(k).components().max()) + 1
    # end


parts = {k: components(k) for k in candidates}
print("components:", parts)
# %% text
# **Maps for every k**, each with measures that need no truth: trustworthiness, continuity, and the residual
# variance of geodesic distances.
# %%
maps = {k: swissroll.Isomap(n_neighbors=k).fit(X, neighbors=lists) for k in candidates if parts[k] == 1}
# gap: a dictionary `scores` of trustworthiness by k
scores = {k: swissroll.quality.score(X, fitted.embedding_)["trustworthiness"] for k, fitted in maps.items()}
# end
for k, score in scores.items():
    print(k, round(score, 4))
# %% text
# **Predict first.** Where a wrong edge appears, paths become shorter. What happens to the longest geodesic distance
# from one k to the next? A drop far larger than the others is a shortcut.
# %%
# gap: the longest geodesic distance by k, in `longest`
longest = {k: fitted.dist_matrix_.max() for k, fitted in maps.items()}
# end
known = list(longest)
drops = {after: longest[after] / longest[before] for before, after in zip(known, known[1:])}
print({k: round(float(drop), 2) for k, drop in drops.items()})
# %% text
# **Stability.** Fit two random samples. Maps of the common points by a right k agree. Is the converse true?
# %%
def disagreement(k):
    # gap: fit two samples of 450 rows; Procrustes error between their maps of the common rows
    from scipy.spatial import procrustes

    random = np.random.default_rng(0)
    first, second = (np.sort(random.choice(len(X), 450, replace=False)) for _ in range(2))
    common = np.intersect1d(first, second)
    places = [swissroll.Isomap(n_neighbors=k).fit(X[rows]).embedding_ for rows in (first, second)]
    of = [place[np.searchsorted(rows, common)] for place, rows in zip(places, (first, second))]
    return procrustes(*of)[2]
    # end


with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    apart = {k: disagreement(k) for k in maps}
print({k: round(float(value), 3) for k, value in apart.items()})
# %% text
# **Decide**, and write down why. Only then look.
# %%
# gap: your k, by the numbers above
before_drop = [k for k in known if min([1.0, *(drops[other] for other in drops if other <= k)]) > 0.8]
chosen = max(before_drop, default=known[0])
# end
errors = {k: swissroll.quality.score(X, fitted.embedding_, truth=truth)["procrustes"] for k, fitted in maps.items()}
print("your k:", chosen, {k: round(error, 4) for k, error in errors.items()})
assert errors[chosen] < 0.1
plt.semilogy(list(errors), list(errors.values()), marker="o")
plt.axvline(chosen)
plt.xlabel("k")
plt.ylabel("error to the truth");
# %% text
# **Look again.** Which of the numbers was the best guide, and which one was blind? Maps by k = 30 agree with each
# other: why is that no evidence? Is trustworthiness largest at the best k?
