//! Symmetric linear maps.

use embedding::implement::multiply;
use faer::{Accum, MatMut, MatRef};
use rayon::prelude::*;

use crate::chunks;

/// Rows per parallel task, independent of the number of threads.
const ROWS: usize = 64;

/// A symmetric linear map on n-vectors, applied to blocks of columns.
pub trait Operator: Sync {
    /// Returns the order n.
    fn order(&self) -> usize;

    /// Writes the images of the columns of `x` (n × b) to `out` (n × b).
    fn apply(&self, x: MatRef<'_, f64>, out: MatMut<'_, f64>);
}

/// A symmetric dense matrix, both triangles stored.
#[derive(Clone, Copy, Debug)]
pub struct DenseOperator<'a>(pub MatRef<'a, f64>);

impl Operator for DenseOperator<'_> {
    fn order(&self) -> usize {
        self.0.nrows()
    }

    fn apply(&self, x: MatRef<'_, f64>, out: MatMut<'_, f64>) {
        // The rows of a symmetric matrix equal its columns, which are contiguous.
        chunks::rows_mut(out, ROWS).into_par_iter().enumerate().for_each(|(chunk, out)| {
            let rows = self.0.subcols(chunk * ROWS, out.nrows()).transpose();
            multiply(out, Accum::Replace, rows, x, 1.0);
        });
    }
}
