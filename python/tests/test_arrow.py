"""Functions over blocks of rows against the library on all rows."""

import numpy as np
import pytest

pa = pytest.importorskip("pyarrow")

import swissroll
from swissroll import arrow

COLUMNS = ["x0", "x1", "x2"]


def table(X, ids=None):
    ids = np.arange(len(X)) if ids is None else ids
    names = [f"x{c}" for c in range(X.shape[1])]
    return pa.RecordBatch.from_pydict({"id": ids} | {name: X[:, c] for c, name in enumerate(names)})


def test_merged_lists_of_blocks_are_the_lists_of_all_rows():
    X, _ = swissroll.datasets.make_swiss_roll(500)
    X = np.vstack([X, X[:40]])
    batch = table(X)
    _, columns, distances = swissroll.neighbors(X, 7).sparse()
    parts = [batch.take(pa.array(np.flatnonzero(np.arange(540) % 3 == part)[::-1])) for part in range(3)]
    lists = [arrow.nearest(query, base, 7, COLUMNS) for query in parts for base in parts]
    merged = arrow.merge(pa.Table.from_batches(lists), 7)
    assert (arrow.ids(merged) == np.arange(540)).all()
    assert (merged.column("neighbors").flatten().to_numpy() == columns).all()
    assert (merged.column("distances").flatten().to_numpy() == distances).all()


def test_a_base_of_fewer_rows_gives_all_of_them():
    X = np.arange(12.0).reshape(4, 3)
    lists = arrow.nearest(table(X), table(X[:2]), 3, COLUMNS)
    assert lists.column("neighbors").to_pylist() == [[1], [0], [1, 0], [1, 0]]
    assert arrow.nearest(table(X), table(X[:0]), 3, COLUMNS).column("neighbors").to_pylist() == [[]] * 4


def test_an_id_that_occurs_twice_is_refused():
    X = np.arange(12.0).reshape(4, 3)
    batch = table(X, np.array([0, 1, 1, 2]))
    with pytest.raises(ValueError, match="the id 1 occurs more than once"):
        arrow.merge(arrow.nearest(batch, batch, 3, COLUMNS), 3)


def test_batches_are_placed_as_all_rows_are():
    X, _ = swissroll.datasets.make_swiss_roll(400)
    new = X[::3] + 0.01
    model = swissroll.LTSA(n_neighbors=8).fit(X)
    packed = arrow.pack(model)
    whole = model.transform(new)
    lists = pa.RecordBatch.from_pydict({"id": np.arange(len(new)), "x": list(new)})
    for batch, columns in ((table(new), COLUMNS), (lists, "x")):
        parts = [arrow.transform(packed, batch.slice(at, 10), columns) for at in range(0, len(new), 10)]
        placed = pa.Table.from_batches(parts)
        assert (np.column_stack([placed.column("y0"), placed.column("y1")]) == whole).all()
        assert (arrow.ids(placed) == np.arange(len(new))).all()
    assert arrow.transform(packed, table(new[:0]), COLUMNS).schema.names == ["id", "y0", "y1"]


def test_rows_that_are_not_finite_are_refused_with_their_number():
    X = np.ones((5, 3))
    X[3, 1] = np.nan
    with pytest.raises(ValueError, match="1 of 5 rows .* the first of them with id 13"):
        arrow.matrix(table(X, np.arange(10, 15)), COLUMNS)
    lists = pa.RecordBatch.from_pydict({"id": [1, 2], "x": [[1.0, 2.0], [1.0]]})
    with pytest.raises(ValueError, match="must be of one length"):
        arrow.matrix(lists, "x")


def test_geodesics_of_a_mapped_file_are_those_of_the_graph(tmp_path):
    X, _ = swissroll.datasets.make_swiss_roll(300)
    lists = swissroll.neighbors(X, 6)
    path = tmp_path / "graph"
    for symmetry in ("union", "mutual"):
        arrow.write_graph(path, lists, symmetry)
        assert isinstance(arrow.read_graph(path)[1], np.memmap)
        found = arrow.geodesics([7, 250], path)
        assert (found == lists.geodesics(symmetry)[[7, 250]]).all()
    with pytest.raises(ValueError, match="a vertex below 300"):
        arrow.geodesics([300], path)


def test_damaged_graph_files_are_refused(tmp_path):
    X, _ = swissroll.datasets.make_swiss_roll(100)
    path = tmp_path / "graph"
    arrow.write_graph(path, swissroll.neighbors(X, 6))
    good = path.read_bytes()
    for bad in (b"", good[:-1], b"PAR1" + good[4:], good[:8] + b"\xff" * 8 + good[16:]):
        path.write_bytes(bad)
        with pytest.raises(ValueError, match="is not a complete file"):
            arrow.geodesics([0], path)
    weights = 24 + 8 * 101
    for at, length, said in (
        (len(good) - 4, 4, "leads to vertex"),
        (weights, 8, "not finite"),
        (32, 8, "rows of a"),
    ):
        path.write_bytes(good[:at] + b"\xff" * length + good[at + length :])
        with pytest.raises(ValueError, match=said):
            arrow.geodesics([0], path)
