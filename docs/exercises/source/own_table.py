# %% text
# # A table of your own
#
# A CSV file with missing values, a column of classes and columns in different units. Replace `wine.csv` with a
# file of your own; all cells stay.
# %%
import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import swissroll
from sklearn.datasets import load_wine

folder = Path(tempfile.mkdtemp())
frame = load_wine(as_frame=True).frame.rename(columns={"target": "cultivar"})
frame["cultivar"] = frame["cultivar"].map({0: "Barolo", 1: "Grignolino", 2: "Barbera"})
frame.iloc[[3, 40, 90], 1] = np.nan  # as files are
frame.to_csv(folder / "wine.csv", index=False)
# %% text
# **Read.** Without a decision about missing values the file is refused: read the message.
# %%
try:
    swissroll.datasets.read(folder / "wine.csv", label_column="cultivar")
except OSError as refusal:
    print(refusal)
# gap: the table without incomplete rows, in `table`
table = swissroll.datasets.read(folder / "wine.csv", label_column="cultivar", missing="drop")
# end
X, labels = table.data, table.target
assert X.shape == (175, 13)
# %% text
# **Units.** Predict: which column determines a PCA of the table as it is? Then standardize.
# %%
raw = swissroll.PCA().fit(X)
heaviest = int(np.abs(raw.components_[0]).argmax())
print("direction of largest variance: column", frame.columns[heaviest], raw.explained_variance_ratio_)
# gap: columns of mean 0 and standard deviation 1, in `Z`
Z = (X - X.mean(axis=0)) / X.std(axis=0)
# end
assert raw.explained_variance_ratio_[0] > 0.99 and np.allclose(Z.std(axis=0), 1)
# %% text
# **How many dimensions?** By variance, and by neighborhoods.
# %%
# gap: the least number of components with 80 % of the variance, in `by_variance`
by_variance = swissroll.PCA(0.8).fit(Z).n_components_
# end
print(by_variance, swissroll.quality.intrinsic_dimension(Z))
# %% text
# **Compare.** Four methods, all measures.
# %%
# gap: a comparison `found` of PCA, Isomap, UMAP and LLE
found = swissroll.compare(Z, labels=labels, methods=["PCA", "Isomap", "UMAP", "LLE"], n_neighbors=12)
# end
print(found.table.T)
assert found.table["trustworthiness"].min() > 0.7
# %%
figure, axes = plt.subplots(1, len(found.maps), figsize=(14, 3.5))
codes = np.unique(labels, return_inverse=True)[1]
for axis, (title, places) in zip(axes, found.maps.items()):
    axis.scatter(*places.T, c=codes, s=8)
    axis.set_title(title)
# %% text
# **Are the classes really apart?** A classifier in the data, and the same in the map. Which one may go into a report?
# %%
from sklearn.model_selection import cross_val_score
from sklearn.neighbors import KNeighborsClassifier

# gap: the accuracy of five nearest neighbors in the table and in the map of UMAP
in_table = cross_val_score(KNeighborsClassifier(5), Z, labels).mean()
in_map = cross_val_score(KNeighborsClassifier(5), found.maps["UMAP"], labels).mean()
# end
print(f"accuracy {in_table:.2f} in the table, {in_map:.2f} in the map")
# %% text
# **New rows.** A model places rows that it has not seen. Save it, read it, place five rows.
# %%
# gap: five places from a model that was saved and read
model = swissroll.Isomap(n_neighbors=12).fit(Z[5:])
model.save(folder / "model")
places = swissroll.load(folder / "model").transform(Z[:5])
# end
assert places.shape == (5, 2) and np.isfinite(places).all()
