# %% text
# # Conformal eigenmaps: what the alternation does
#
# LLE gives every column variance one, so that lengths and angles are lost. Conformal eigenmaps (Sha and Saul 2005)
# take m eigenvectors instead of two and look for the linear map of them that keeps the angles of small triangles.
# You write the B/C alternation of Salawa, Synowiec and Wójcik (2016), and watch it.
# %%
import matplotlib.pyplot as plt
import numpy as np
import swissroll
from sklearn.neighbors import NearestNeighbors

n, k, m = 1000, 10, 8
data = swissroll.datasets.load("swiss-roll", n)
X, truth = data.data, data.truth
basis = swissroll.LLE(m, n_neighbors=k, reg=1e-3).fit(X).embedding_
# %% text
# **Pairs.** All pairs inside each neighborhood: with y the difference of two rows of the basis, the squared length
# in the map z = L y is yᵀ P y, P = LᵀL. It is linear in the entries of P.
# %%
neighbors = NearestNeighbors(n_neighbors=k).fit(X).kneighbors(return_distance=False)
clique = np.column_stack([np.arange(n), neighbors])
left, right = np.triu_indices(k + 1, 1)
lengths = np.sum((X[clique[:, left]] - X[clique[:, right]]) ** 2, axis=2)  # n × pairs
y = basis[clique[:, left]] - basis[clique[:, right]]
features = (y[..., :, None] * y[..., None, :]).reshape(n, -1, m * m)
# %% text
# **Scales.** Each neighborhood has the scale s that minimizes Σ (|z|² − s |x|²)². Put it into the loss: what is
# left is a quadratic form pᵀ Q p of the entries p of P. Each neighborhood counts as 1 / Σ |x|⁴.
# %%
# gap: the features without their part along the lengths, in `free`; then Q, of shape (m², m²)
units = lengths / np.linalg.norm(lengths, axis=1, keepdims=True)
along = np.einsum("np,npq->nq", units, features)
free = features - units[:, :, None] * along[:, None, :]
free /= np.linalg.norm(lengths, axis=1)[:, None, None]
flat = free.reshape(-1, m * m)
Q = flat.T @ flat
# end
identity = np.eye(m).ravel() / m
Q /= identity @ Q @ identity  # the loss of the basis as it is: 1


def loss(P):
    p = P.ravel() / np.trace(P)
    return float(p @ Q @ p)


# %% text
# **B and C.** P must be positive semidefinite: write it as BᵀC, and tie B and C to each other. With B fixed, find
# the C that minimizes
#
#     p(C)ᵀ Q p(C) + (tr BᵀC − 1)² + λ |C − B|²,   p(C) the entries of BᵀC,
#
# which is a linear system; then B from C; and so on.
# %%
def best_partner(B, weight):
    # gap: C; the map from the entries of C to the entries of BᵀC is the Kronecker product of Bᵀ and I
    entries = np.kron(B.T, np.eye(m))
    trace = entries.T @ np.eye(m).ravel()
    system = entries.T @ Q @ entries + np.outer(trace, trace) + weight * np.eye(m * m)
    return np.linalg.solve(system, trace + weight * B.ravel()).reshape(m, m)
    # end


def alternate(weight, rounds=200):
    B, history = np.eye(m) / np.sqrt(m), []
    for _ in range(rounds):
        # gap: one step for C and one for B
        C = best_partner(B, weight)
        B = best_partner(C, weight)
        # end
        middle = (B + C) / 2
        history.append(loss(middle.T @ middle))
    return middle.T @ middle, np.linalg.norm(B - C) / np.linalg.norm(B), history


# %% text
# **Predict first.** What happens when λ is too small to keep B and C together? And when it is very large?
# %%
weights = [1e-4, 1e-3, 1e-2, 1e-1, 1.0]
found = {weight: alternate(weight) for weight in weights}
for weight, (P, apart, history) in found.items():
    print(f"λ = {weight:g}: loss {history[-1]:.2e}, distance of B and C {apart:.1e}")
    plt.loglog(np.arange(1, len(history) + 1), history, label=f"λ = {weight:g}")
plt.legend()
plt.xlabel("rounds")
plt.ylabel("loss")
# gap: of the weights whose B and C agree, the one with the smallest loss
agreed = [weight for weight in weights if found[weight][1] < 1e-2]
chosen = min(agreed, key=lambda weight: found[weight][2][-1])
# end
P = found[chosen][0]
# %% text
# **The map.** The leading eigenvectors of P are the directions. Compare with LLE and with ours.
# %%
# gap: `Y` of shape (n, 2), by the two leading eigenvectors of P
values, vectors = np.linalg.eigh(P)
Y = basis @ vectors[:, ::-1][:, :2] * np.sqrt(values[::-1][:2])
# end
ours = swissroll.ConformalEigenmaps(n_neighbors=k, basis=m).fit(X)
maps = {"LLE": basis[:, :2], "alternation": Y, "swissroll": ours.embedding_}
errors = {title: swissroll.quality.score(X, places, truth=truth)["procrustes"] for title, places in maps.items()}
print("error to the true coordinates:", errors)
print("mean angle error, before and after:", ours.facts_["angle_error_before"], ours.facts_["angle_error_after"])
assert errors["alternation"] < 0.2 * errors["LLE"] and errors["swissroll"] < 0.2 * errors["LLE"]
# %%
figure, axes = plt.subplots(1, 3, figsize=(12, 3.5))
for axis, (title, places) in zip(axes, maps.items()):
    axis.scatter(*places.T, c=truth[:, 0], s=4)
    axis.set_title(title)
    axis.set_aspect("equal")
# %% text
# **Questions.** Below a threshold of λ the loop converges with B ≠ C, above it more slowly for larger λ. The package
# couples B and C by the gradient of the loss, which makes it Newton's method: some 30 estimates. What does
# `ours.facts_["certificate"]` say that no number of rounds can say?
