//! Means and second moments, summed in an order that no thread count changes.

use embedding::Points;
use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, Par};
use rayon::prelude::*;

/// Rows per partial sum.
const CHUNK: usize = 1024;

/// Column means.
pub(crate) fn mean(points: Points<'_>) -> Vec<f64> {
    let d = points.dim();
    let partial: Vec<Vec<f64>> = points
        .values()
        .par_chunks(CHUNK * d)
        .map(|chunk| {
            let mut sum = vec![0.0; d];
            for row in chunk.chunks_exact(d) {
                sum.iter_mut().zip(row).for_each(|(s, x)| *s += x);
            }
            sum
        })
        .collect();
    let mut sum = vec![0.0; d];
    for part in &partial {
        sum.iter_mut().zip(part).for_each(|(s, x)| *s += x);
    }
    let n = points.len() as f64;
    sum.iter_mut().for_each(|s| *s /= n);
    sum
}

/// Σ (x − mean)(x − mean)ᵀ, D × D. O(n D²).
pub(crate) fn scatter(points: Points<'_>, mean: &[f64]) -> Mat<f64> {
    let d = points.dim();
    let mut total = Mat::zeros(d, d);
    // A few chunks at a time bound the memory; the sum runs in chunk order.
    for group in points.values().chunks(8 * CHUNK * d) {
        let parts: Vec<Mat<f64>> = group
            .par_chunks(CHUNK * d)
            .map(|chunk| {
                let x = centered(chunk, mean);
                let mut part = Mat::zeros(d, d);
                matmul(part.as_mut(), Accum::Replace, x.transpose(), &x, 1.0, Par::Seq);
                part
            })
            .collect();
        for part in &parts {
            total += part;
        }
    }
    total
}

/// (x_i − mean)·(x_j − mean), n × n. O(n² D).
pub(crate) fn gram(points: Points<'_>, mean: &[f64]) -> Mat<f64> {
    let x = centered(points.values(), mean);
    let mut gram = Mat::zeros(x.nrows(), x.nrows());
    matmul(gram.as_mut(), Accum::Replace, &x, x.transpose(), 1.0, Par::Seq);
    gram
}

/// The rows minus the mean.
pub(crate) fn centered(values: &[f64], mean: &[f64]) -> Mat<f64> {
    let d = mean.len();
    Mat::from_fn(values.len() / d, d, |i, j| values[i * d + j] - mean[j])
}
