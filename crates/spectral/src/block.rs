//! Products of tall, thin blocks of vectors.
//!
//! Rows are processed in chunks of a fixed size in parallel, and partial sums are added
//! in row order, so results are bitwise identical at any number of threads.

use embedding::implement::multiply;
use faer::reborrow::*;
use faer::{Accum, Mat, MatMut, MatRef};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use rayon::prelude::*;

use crate::chunks;

/// Rows per chunk: a chunk of 64 columns stays in the second-level cache.
const CHUNK: usize = 1024;

/// Numbers of the partial sums of a product that are held at one time; at least eight sums.
const PARTIAL: usize = 1 << 17;

/// Returns AᵀB.
pub(crate) fn cross(a: MatRef<'_, f64>, b: MatRef<'_, f64>) -> Mat<f64> {
    let mut sum = Mat::zeros(a.ncols(), b.ncols());
    let chunks: Vec<_> = chunks::rows(a, CHUNK).into_iter().zip(chunks::rows(b, CHUNK)).collect();
    let group = sums_at_once(a.ncols() * b.ncols());
    for chunks in chunks.chunks(group) {
        let partial: Vec<Mat<f64>> = chunks
            .par_iter()
            .map(|(a, b)| {
                let mut out = Mat::zeros(a.ncols(), b.ncols());
                multiply(out.as_mut(), Accum::Replace, a.transpose(), *b, 1.0);
                out
            })
            .collect();
        partial.iter().for_each(|p| sum += p);
    }
    sum
}

/// Partial sums of `entries` numbers that are held at one time.
fn sums_at_once(entries: usize) -> usize {
    (PARTIAL / entries.max(1)).max(8)
}

/// Estimates the memory of [`cross`] in bytes for two blocks of p columns of n numbers.
pub(crate) fn cross_bytes(n: usize, p: usize) -> u64 {
    8 * (n.div_ceil(CHUNK).min(sums_at_once(p * p)) + 1) as u64 * (p as u64).pow(2)
}

/// Computes `out` ← β `out` + α A Y, with β given by `accumulate`.
pub(crate) fn combine(
    out: MatMut<'_, f64>,
    accumulate: Accum,
    a: MatRef<'_, f64>,
    y: MatRef<'_, f64>,
    alpha: f64,
) {
    chunks::rows_mut(out, CHUNK)
        .into_par_iter()
        .zip(chunks::rows(a, CHUNK))
        .for_each(|(out, a)| multiply(out, accumulate, a, y, alpha));
}

/// Returns A Y.
pub(crate) fn product(a: MatRef<'_, f64>, y: MatRef<'_, f64>) -> Mat<f64> {
    let mut out = Mat::zeros(a.nrows(), y.ncols());
    combine(out.as_mut(), Accum::Replace, a, y, 1.0);
    out
}

/// Overwrites the first columns of `a` with A Y.
pub(crate) fn rotate(a: MatMut<'_, f64>, y: MatRef<'_, f64>) {
    chunks::rows_mut(a, CHUNK).into_par_iter().for_each(|mut a| {
        let mut out = Mat::zeros(a.nrows(), y.ncols());
        multiply(out.as_mut(), Accum::Replace, a.rb(), y, 1.0);
        a.rb_mut().subcols_mut(0, y.ncols()).copy_from(&out);
    });
}

/// Returns the Euclidean norm of each column.
pub(crate) fn norms(a: MatRef<'_, f64>) -> Vec<f64> {
    (0..a.ncols()).into_par_iter().map(|j| a.col(j).norm_l2()).collect()
}

/// Returns the residual norm |A xⱼ − λⱼ xⱼ| of each column, with A X given as `image`.
pub(crate) fn residuals(image: MatRef<'_, f64>, x: MatRef<'_, f64>, values: &[f64]) -> Vec<f64> {
    (0..values.len())
        .into_par_iter()
        .map(|j| {
            let squares = image.col(j).iter().zip(x.col(j).iter());
            squares.map(|(a, v)| (a - values[j] * v).powi(2)).sum::<f64>().sqrt()
        })
        .collect()
}

/// Returns a matrix with entries uniform in (−1, 1) that depend only on the shape and the
/// stream number.
pub(crate) fn random(nrows: usize, ncols: usize, stream: u64) -> Mat<f64> {
    let mut generator = ChaCha8Rng::seed_from_u64(0);
    generator.set_stream(stream);
    let mut out = Mat::zeros(nrows, ncols);
    for j in 0..ncols {
        for v in out.col_mut(j).iter_mut() {
            *v = (generator.next_u64() >> 11) as f64 / (1_u64 << 52) as f64 - 1.0;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{PARTIAL, cross_bytes, sums_at_once};

    #[test]
    fn partial_sums_fill_their_memory_and_are_at_least_eight() {
        for entries in [1, 7, 4096, 10_000, PARTIAL / 8] {
            let sums = sums_at_once(entries);
            assert!(sums * entries <= PARTIAL && (sums + 1) * entries > PARTIAL, "{entries}: {sums}");
        }
        assert_eq!((sums_at_once(PARTIAL), sums_at_once(0)), (8, PARTIAL));
    }

    /// The partial sums that are held at one time, and their total.
    #[test]
    fn the_estimate_of_a_product_has_the_sums_that_are_held() {
        assert_eq!(cross_bytes(1 << 20, 64), 8 * (32 + 1) * 64 * 64);
        assert_eq!(cross_bytes(3000, 64), 8 * (3 + 1) * 64 * 64);
        assert_eq!(cross_bytes(1 << 20, 512), 8 * (8 + 1) * 512 * 512);
    }
}
