//! Canonical signs of eigenvectors.

use faer::MatMut;
use faer::reborrow::*;

/// Flips the signs of columns so that the entry of largest magnitude is positive; of
/// equal magnitudes (to a relative 1e-9, so that rounding does not decide) the first one
/// counts. O(n d).
pub fn canonical_signs(mut vectors: MatMut<'_, f64>) {
    for j in 0..vectors.ncols() {
        let column = vectors.rb_mut().col_mut(j);
        let largest = column.rb().iter().fold(0.0_f64, |m, v| m.max(v.abs()));
        let leader = column.rb().iter().find(|v| v.abs() >= largest * (1.0 - 1e-9));
        if leader.is_some_and(|v| *v < 0.0) {
            column.iter_mut().for_each(|v| *v = -*v);
        }
    }
}
