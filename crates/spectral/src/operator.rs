//! Symmetric linear maps.

use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};

/// A symmetric linear map on n-vectors, applied to blocks of columns.
pub trait Operator: Sync {
    /// The order n.
    fn order(&self) -> usize;

    /// Writes the image of the columns of `x` (n × b) to `out` (n × b).
    fn apply(&self, x: MatRef<'_, f64>, out: MatMut<'_, f64>);
}

/// A symmetric matrix held in full.
#[derive(Clone, Copy, Debug)]
pub struct DenseOperator<'a>(pub MatRef<'a, f64>);

impl Operator for DenseOperator<'_> {
    fn order(&self) -> usize {
        self.0.nrows()
    }

    fn apply(&self, x: MatRef<'_, f64>, out: MatMut<'_, f64>) {
        matmul(out, Accum::Replace, self.0, x, 1.0, Par::rayon(0));
    }
}
