//! Approximate principal directions.
//!
//! Their accuracy affects only the tightness of bounds: any orthonormal directions give
//! lower bounds on distances.

use embedding::implement::multiply;
use faer::prelude::*;
use faer::{Accum, Mat, MatMut, MatRef};
use rayon::prelude::*;

/// Number of orthogonal iterations; a few suffice to order the leading directions.
const ITERATIONS: usize = 2;

/// Rows of a product per task, and columns orthonormalized together.
const PART: usize = 64;

/// Returns at most `count` directions for the rows of `sample`, as columns. Columns
/// beyond the rank of the sample are zero.
///
/// The sample must lie in the unit ball; the iteration starts from some of its rows.
/// O(ITERATIONS · D · count · (rows + count)).
pub(crate) fn leading(sample: MatRef<'_, f32>, count: usize) -> Mat<f64> {
    let rows = sample.nrows();
    let dim = sample.ncols();
    // Perturbation that separates equal rows and makes zero rows nonzero.
    let nudge = |c: usize, j: usize| if c == j * dim / count { 1e-3 } else { 0.0 };
    let mut q = Mat::from_fn(dim, count, |c, j| f64::from(sample[(j * rows / count, c)]) + nudge(c, j));
    orthonormalize(&mut q);
    for _ in 0..ITERATIONS {
        let narrow = Mat::from_fn(dim, count, |c, j| q[(c, j)] as f32);
        let image = product(sample, narrow.as_ref());
        let back = product(sample.transpose(), image.as_ref());
        q = Mat::from_fn(dim, count, |c, j| f64::from(back[(c, j)]));
        orthonormalize(&mut q);
    }
    q
}

/// Returns A B, computed by tasks of several rows.
fn product(a: MatRef<'_, f32>, b: MatRef<'_, f32>) -> Mat<f32> {
    let mut out = Mat::zeros(a.nrows(), b.ncols());
    let mut rest = out.as_mut();
    let mut parts = Vec::with_capacity(a.nrows().div_ceil(PART));
    for first in (0..a.nrows()).step_by(PART) {
        let count = PART.min(a.nrows() - first);
        let (part, others) = rest.split_at_row_mut(count);
        parts.push((part, a.subrows(first, count)));
        rest = others;
    }
    parts.into_par_iter().for_each(|(out, a)| multiply(out, Accum::Replace, a, b, 1.0));
    out
}

/// Gram–Schmidt orthonormalization, applied twice per column; dependent columns become
/// zero.
fn orthonormalize(q: &mut Mat<f64>) {
    for first in (0..q.ncols()).step_by(PART) {
        let end = q.ncols().min(first + PART);
        let before: Vec<f64> = (first..end).map(|j| q.col(j).norm_l2()).collect();
        let (earlier, rest) = q.as_mut().split_at_col_mut(first);
        let earlier = earlier.into_const();
        let mut part = rest.subcols_mut(0, end - first);
        for _ in 0..2 {
            let mut overlaps = Mat::zeros(first, end - first);
            multiply(overlaps.as_mut(), Accum::Replace, earlier.transpose(), part.as_ref(), 1.0);
            multiply(part.rb_mut(), Accum::Add, earlier, overlaps.as_ref(), -1.0);
        }
        within(part, &before);
    }
}

/// Orthonormalizes a few columns among themselves; `before` are their norms before
/// projection.
fn within(mut q: MatMut<'_, f64>, before: &[f64]) {
    for (j, before) in before.iter().enumerate() {
        for _ in 0..2 {
            let (earlier, rest) = q.rb_mut().split_at_col_mut(j);
            let mut column = rest.col_mut(0);
            for e in earlier.as_ref().col_iter() {
                let overlap = e.transpose() * column.as_ref();
                column.as_mut().iter_mut().zip(e.iter()).for_each(|(c, e)| *c -= overlap * e);
            }
        }
        let after = q.as_ref().col(j).norm_l2();
        // A remainder this small is rounding error: the column is dependent.
        let scale = if after > 1e-6 * before && after > 0.0 { 1.0 / after } else { 0.0 };
        q.rb_mut().col_mut(j).iter_mut().for_each(|c| *c *= scale);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_are_orthonormal_or_zero_and_leading_first() {
        // Rank three: variances 100, 10 and 1 on the first axes.
        let sample = Mat::from_fn(60, 9, |i, c| {
            let wave = |f: usize| 0.05 * ((i * f) as f32 * 0.7).sin();
            match c {
                0 => 10.0 * wave(1),
                1 => 3.0 * wave(2),
                2 => wave(5),
                _ => 0.0,
            }
        });
        let q = leading(sample.as_ref(), 5);
        let gram = q.transpose() * &q;
        for i in 0..5 {
            for j in 0..5 {
                let expected = if i == j && i < 3 { 1.0 } else { 0.0 };
                assert!((gram[(i, j)] - expected).abs() < 1e-12, "({i}, {j}): {}", gram[(i, j)]);
            }
        }
        for j in 0..3 {
            assert!(q[(j, j)].abs() > 0.9, "direction {j} leads along axis {j}");
        }
    }
}
