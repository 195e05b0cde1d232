//! Files of sparse matrices.

use std::error::Error as StdError;
use std::path::Path;

use datasets::files::{Reading, read_sparse};
use embedding::{Error, MemoryLimit};

type Outcome = Result<(), Box<dyn StdError>>;

/// `csr.npz` and `csc.npz` were written by `scipy.sparse.save_npz` of SciPy 1.17, the matrix
/// [[0, 2, 0, 0, 0.5], [0, 0, 0, 0, 0], [1, 0, 0, 0, -3]] in compressed rows and columns.
#[test]
fn sparse_matrices_are_read_with_and_without_their_zeros() -> Outcome {
    let folder = tempfile::tempdir()?;
    let archive = |name: &str| Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/archive").join(name);
    let entries =
        "%%MatrixMarket matrix coordinate real general\n3 5 5\n1 2 2\n3 5 -3\n3 1 0.25\n3 1 0.75\n1 5 0.5\n";
    let mtx = folder.path().join("x.mtx");
    std::fs::write(&mtx, entries)?;
    for path in [archive("csr.npz"), mtx.clone()] {
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
    let said = read_sparse(&archive("csc.npz"), MemoryLimit::default()).expect_err("columns").to_string();
    assert!(said.contains("tocsr()"), "{said}");
    // Arrays and dense matrices are no sparse ones.
    assert_eq!(read_sparse(&archive("two.npz"), MemoryLimit::default())?, None);
    std::fs::write(&mtx, "%%MatrixMarket matrix array real general\n1 2\n3\n4\n")?;
    assert_eq!(read_sparse(&mtx, MemoryLimit::default())?, None);
    // Both triangles of a symmetric matrix, and entries without values.
    std::fs::write(&mtx, "%%MatrixMarket matrix coordinate pattern symmetric\n2 2 2\n1 1\n2 1\n")?;
    let both = read_sparse(&mtx, MemoryLimit::default())?.ok_or("a sparse matrix")?;
    assert_eq!(both.view().dense(MemoryLimit::default())?.view().values(), [1.0, 1.0, 1.0, 0.0]);
    std::fs::write(&mtx, entries.replace("0.25", "nan"))?;
    assert!(matches!(
        read_sparse(&mtx, MemoryLimit::default()),
        Err(Error::NotFinite { row: 2, column: 0, .. })
    ));
    Ok(())
}
