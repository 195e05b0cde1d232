//! Decompositions, and the speed of the code that runs after them.

#[path = "../../../testkit/tests/common/registers.rs"]
mod registers;

use embedding::{Error, MemoryLimit};
use faer::Mat;
use registers::leaves_registers;
use spectral::{Sparse, dense, solve_sparse};

/// Of matrices so large that the decompositions multiply blocks.
#[test]
fn decompositions_do_not_slow_down_what_follows() -> Result<(), Error> {
    let n = 300;
    let entry = |i: usize, j: usize| ((i * j + i + j) as f64).sin() + if i == j { 300.0 } else { 0.0 };
    let a = Mat::from_fn(n, n, |i, j| entry(i.max(j), i.min(j)));
    leaves_registers("eigenvectors", || drop(dense::symmetric_eigen(a.as_ref())));
    leaves_registers("eigenvalues", || drop(dense::symmetric_eigenvalues(a.as_ref())));
    leaves_registers("singular values", || drop(dense::thin_svd(a.as_ref())));
    leaves_registers("an orthonormal basis", || drop(dense::thin_q(a.as_ref())));
    leaves_registers("a Cholesky factor", || drop(dense::cholesky(a.as_ref())));
    leaves_registers("a solution", || drop(dense::solve_spd(a.as_ref(), a.as_ref())));
    let rows = (0..n).map(|i| (0..n).map(|j| (j as u32, a[(i, j)])).collect()).collect();
    let sparse = Sparse::from_rows(n, rows)?;
    leaves_registers("a sparse solution", || drop(solve_sparse(&sparse, a.as_ref(), MemoryLimit::UNLIMITED)));
    Ok(())
}
