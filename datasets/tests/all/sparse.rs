//! Files of sparse matrices.

use std::error::Error as StdError;
use std::path::Path;

use datasets::files::{Missing, Reading, read_graph, read_sparse};
use embedding::implement::squared_distance;
use embedding::{Error, MemoryLimit, Neighborhood, PointSet};

type Outcome = Result<(), Box<dyn StdError>>;

/// `csr.npz`, `csc.npz` and `coo.npz` were written by `scipy.sparse.save_npz` of SciPy 1.17, the matrix
/// [[0, 2, 0, 0, 0.5], [0, 0, 0, 0, 0], [1, 0, 0, 0, -3]] in compressed rows, in
/// compressed columns and as single entries.
#[test]
fn sparse_matrices_are_read_with_and_without_their_zeros() -> Outcome {
    let folder = tempfile::tempdir()?;
    let archive = |name: &str| Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/archive").join(name);
    let entries =
        "%%MatrixMarket matrix coordinate real general\n3 5 5\n1 2 2\n3 5 -3\n3 1 0.25\n3 1 0.75\n1 5 0.5\n";
    let mtx = folder.path().join("x.mtx");
    std::fs::write(&mtx, entries)?;
    for path in [archive("csr.npz"), archive("csc.npz"), mtx.clone()] {
        let points = read_sparse(&path, MemoryLimit::default())?.ok_or("a sparse matrix")?;
        let view = points.view();
        assert_eq!((view.len(), view.dim()), (3, 5));
        assert_eq!(view.row(0), (&[1, 4][..], &[2.0, 0.5][..]));
        assert_eq!(view.row(1).0.len(), 0);
        assert_eq!(view.row(2), (&[0, 4][..], &[1.0, -3.0][..]));
        let table = Reading::default().read(&path)?;
        assert_eq!(table.points, view.dense(MemoryLimit::default())?);
        assert!(table.notes.iter().any(|note| note.contains("is read with its zeros")), "{:?}", table.notes);
        assert_eq!(
            Reading::default().read_bytes(std::fs::read(&path)?, "standard input")?.points,
            table.points
        );
        let tight = Reading { memory: MemoryLimit::new(119), ..Reading::default() };
        assert!(tight.read(&path).is_err());
        let refused = read_sparse(&path, MemoryLimit::new(150));
        assert!(matches!(refused, Err(Error::Memory { needed: 151.., .. })), "{refused:?}");
    }
    let said =
        read_sparse(&archive("coo.npz"), MemoryLimit::default()).expect_err("single entries").to_string();
    assert!(said.contains("tocsr()"), "{said}");
    // Columns whose pointers fall, and a row that the matrix does not have.
    for (name, part) in [("csc-falling.npz", "never fall"), ("csc-row.npz", "a row must be below 3")] {
        let said = read_sparse(&archive(name), MemoryLimit::default()).expect_err(name).to_string();
        assert!(said.contains(part), "{name}: {said}");
    }
    // Arrays and dense matrices are no sparse ones.
    assert_eq!(read_sparse(&archive("two.npz"), MemoryLimit::default())?, None);
    std::fs::write(&mtx, "%%MatrixMarket matrix array real general\n1 2\n3\n4\n")?;
    assert_eq!(read_sparse(&mtx, MemoryLimit::default())?, None);
    // Both triangles of a symmetric matrix, and entries without values.
    std::fs::write(&mtx, "%%MatrixMarket matrix coordinate pattern symmetric\n2 2 2\n1 1\n2 1\n")?;
    let both = read_sparse(&mtx, MemoryLimit::default())?.ok_or("a sparse matrix")?;
    assert_eq!(both.view().dense(MemoryLimit::default())?.view().values(), [1.0, 1.0, 1.0, 0.0]);
    std::fs::write(&mtx, entries.replace("0.25", "nan"))?;
    for path in [mtx, archive("nan.npz")] {
        let refused = read_sparse(&path, MemoryLimit::default());
        let Err(Error::File { path: named, problem, .. }) = refused else { return Err("NaN is read".into()) };
        assert_eq!(named, path.display().to_string());
        assert!(problem.contains("every value must be finite, but row"), "{problem}");
    }
    Ok(())
}

/// `kneighbors.npz` and `with-self.npz` were written by `scipy.sparse.save_npz` of SciPy 1.17, from
/// `kneighbors_graph` of scikit-learn 1.9 for these points with 3 neighbors, and with 4 and
/// `include_self=True`. The first two points coincide.
#[test]
fn a_graph_of_distances_is_read_with_its_zeros_and_without_the_points_themselves() -> Outcome {
    let archive = |name: &str| Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/archive").join(name);
    let row = |i: usize| [((i * i) % 7) as f64 + 0.25 * i as f64, ((3 * i) % 5) as f64 - 0.1 * i as f64];
    let points = PointSet::new((0..12).flat_map(|i| row(if i == 1 { 0 } else { i })).collect(), 2)?;
    let own = Neighborhood::Nearest { k: 3 };
    let distance = |i: usize, j: u32| -> f64 {
        squared_distance(points.view().row(i), points.view().row(j as usize)).sqrt()
    };
    let graph = read_graph(&archive("kneighbors.npz"), MemoryLimit::default())?.ok_or("a graph")?;
    assert_eq!((graph.neighbors.len(), graph.neighbors.neighborhood()), (12, own));
    assert_eq!(graph.neighbors.indices_of(0)[0], 1, "a stored distance of 0 is a neighbor");
    for i in 0..12 {
        let (js, ds) = graph.neighbors.of(i);
        assert!(js.iter().zip(ds).all(|(j, d)| (d - distance(i, *j)).abs() < 1e-12));
        let nearer = (0..12).filter(|j| *j as usize != i && distance(i, *j) < ds[2] - 1e-12);
        assert!(js.len() == 3 && nearer.into_iter().all(|j| js.contains(&j)), "row {i}");
    }
    assert!(graph.notes.is_empty(), "{:?}", graph.notes);
    let with_self = read_graph(&archive("with-self.npz"), MemoryLimit::default())?.ok_or("a graph")?;
    assert_eq!(with_self.neighbors, graph.neighbors);
    assert!(with_self.notes[0].contains("12 distances of points to themselves"), "{:?}", with_self.notes);

    assert_eq!(read_graph(&archive("two.npz"), MemoryLimit::default())?, None);
    assert_eq!(read_graph(Path::new("absent.csv"), MemoryLimit::default())?, None);
    let said = read_graph(&archive("csr.npz"), MemoryLimit::default()).expect_err("3 × 5").to_string();
    assert!(said.contains("csr.npz") && said.contains('5') && said.contains("3, as of rows"), "{said}");
    let refused = read_graph(&archive("kneighbors.npz"), MemoryLimit::new(1200));
    assert!(matches!(refused, Err(Error::Memory { .. })), "{refused:?}");
    Ok(())
}

/// The middle row of `csr.npz` has no entry; in a table, rows that lack values are counted, too.
#[test]
fn rows_of_zeros_are_left_out_where_that_is_asked_for() -> Outcome {
    let folder = tempfile::tempdir()?;
    let archive = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/archive/csr.npz");
    let reading = Reading { without_zero_rows: true, ..Reading::default() };
    let (sparse, dense) = (reading.read_sparse(&archive)?.ok_or("a sparse matrix")?, reading.read(&archive)?);
    assert_eq!(sparse.points.view().dense(MemoryLimit::default())?, dense.points);
    assert_eq!((&sparse.kept, sparse.rows, sparse.left_out()), (&Some(vec![0, 2]), 3, vec![1]));
    assert_eq!((&dense.kept, dense.rows, dense.left_out()), (&sparse.kept, 3, vec![1]));
    assert_eq!(sparse.notes[0], "1 of 3 rows whose values are all 0 was left out: row 1 (counted from 0)");
    assert!(dense.notes.contains(&sparse.notes[0]), "{:?}", dense.notes);
    let labels = folder.path().join("l.csv");
    std::fs::write(&labels, "a\nb\nc\n")?;
    let words = sparse.labels(&reading, &labels)?;
    let named: Vec<&str> = words.values.iter().map(|&value| words.classes[value as usize].as_str()).collect();
    assert_eq!(named, ["a", "c"]);
    let whole = Reading::default().read_sparse(&archive)?.ok_or("a sparse matrix")?;
    assert_eq!((whole.kept, whole.points.view().len(), whole.notes.len()), (None, 3, 0));
    let table = folder.path().join("x.csv");
    std::fs::write(&table, "0,0\n1,2\nNA,3\n0,-0\n4,0\n")?;
    let found = Reading { missing: Missing::Drop, ..reading.clone() }.read(&table)?;
    assert_eq!((found.kept, found.points.view().values()), (Some(vec![1, 4]), &[1.0, 2.0, 4.0, 0.0][..]));
    assert!(found.notes.iter().any(|note| note.contains("rows 0, 3 (counted from 0)")), "{:?}", found.notes);
    std::fs::write(&table, "0,0\n0,0\n")?;
    let refused = reading.read(&table).expect_err("no row").to_string();
    assert!(refused.contains("the values of all 2 rows are 0"), "{refused}");
    Ok(())
}
