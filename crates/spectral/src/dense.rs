//! Small dense problems: one call each, no workspace in sight.
//!
//! All of them run on one thread and give the same bytes everywhere they run
//! on the same processor; call them from parallel loops freely.

use embedding::Error;
use faer::linalg::matmul::matmul;
use faer::linalg::solvers::Solve;
use faer::{Accum, Mat, MatRef, Par, Side};

/// All eigenvalues, ascending, and eigenvectors (columns) of a symmetric
/// matrix; the lower triangle is read. O(n³).
pub fn symmetric_eigen(a: MatRef<'_, f64>) -> Result<(Vec<f64>, Mat<f64>), Error> {
    let eigen = a.self_adjoint_eigen(Side::Lower).map_err(|_| {
        Error::degenerate("a dense eigenproblem did not converge", "check the scale of the data")
    })?;
    let values = eigen.S().column_vector().iter().copied().collect();
    Ok((values, eigen.U().to_owned()))
}

/// U, s and V of A = U diag(s) Vᵀ.
pub type ThinSvd = (Mat<f64>, Vec<f64>, Mat<f64>);

/// A = U diag(s) Vᵀ with s descending; U is m × r, V is n × r, r = min(m, n).
pub fn thin_svd(a: MatRef<'_, f64>) -> Result<ThinSvd, Error> {
    let svd = a.thin_svd().map_err(|_| {
        Error::degenerate("a singular value decomposition did not converge", "check the scale of the data")
    })?;
    let s = svd.S().column_vector().iter().copied().collect();
    Ok((svd.U().to_owned(), s, svd.V().to_owned()))
}

/// The thin Q of A = Q R.
pub fn thin_q(a: MatRef<'_, f64>) -> Mat<f64> {
    a.qr().compute_thin_Q()
}

/// The solution of A X = B for symmetric positive definite A, or `None` when a
/// pivot fails.
pub fn solve_spd(a: MatRef<'_, f64>, b: MatRef<'_, f64>) -> Option<Mat<f64>> {
    Some(a.llt(Side::Lower).ok()?.solve(b))
}

/// The lower Cholesky factor of A, or `None` when a pivot fails.
pub fn cholesky(a: MatRef<'_, f64>) -> Option<Mat<f64>> {
    Some(a.llt(Side::Lower).ok()?.L().to_owned())
}

/// A · B on one thread.
pub fn product(a: MatRef<'_, f64>, b: MatRef<'_, f64>) -> Mat<f64> {
    let mut out = Mat::zeros(a.nrows(), b.ncols());
    matmul(out.as_mut(), Accum::Replace, a, b, 1.0, Par::Seq);
    out
}
