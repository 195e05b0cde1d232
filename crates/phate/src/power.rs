//! Powers of a dense symmetric matrix.

use embedding::implement::{multiply, proceed};
use embedding::{Error, Observer};
use faer::{Accum, Mat, MatRef};
use rayon::prelude::*;

/// Side of the square tiles of a product; fixed, so that results do not depend on the
/// number of threads.
const TILE: usize = 128;

/// Tiles between progress reports.
const GROUP: usize = 64;

/// Computes Sᵗ for a symmetric S and t ≥ 1 by repeated squaring: 2 log₂ t products at most,
/// each n³ multiplications and additions. Entries of a nonnegative matrix keep their
/// relative accuracy. Reports steps of the stage that the caller has begun.
pub(crate) fn power(s: Mat<f64>, t: usize, observer: &dyn Observer) -> Result<Mat<f64>, Error> {
    let bits = usize::BITS - t.leading_zeros();
    let products = (bits - 1 + t.count_ones() - 1) as usize;
    let mut progress = Progress { observer, done: 0, total: products * tiles(s.nrows()).len() };
    progress.report()?;
    let mut result = s.clone();
    for bit in (0..bits - 1).rev() {
        result = product(result.as_ref(), result.as_ref(), &mut progress)?;
        if t >> bit & 1 == 1 {
            result = product(result.as_ref(), s.as_ref(), &mut progress)?;
        }
    }
    Ok(result)
}

/// The product of two symmetric matrices that commute, so that it is symmetric too: its
/// lower triangle by tiles, in parallel, and copied to the upper one.
fn product(a: MatRef<'_, f64>, b: MatRef<'_, f64>, progress: &mut Progress<'_>) -> Result<Mat<f64>, Error> {
    let n = a.nrows();
    let mut out = Mat::zeros(n, n);
    let side = |tile: usize| (tile * TILE, TILE.min(n - tile * TILE));
    for group in tiles(n).chunks(GROUP) {
        let computed: Vec<Mat<f64>> = group
            .par_iter()
            .map(|&(i, j)| {
                let ((row, rows), (column, columns)) = (side(i), side(j));
                let mut tile = Mat::zeros(rows, columns);
                let (left, right) = (a.subrows(row, rows), b.subcols(column, columns));
                multiply(tile.as_mut(), Accum::Replace, left, right, 1.0);
                tile
            })
            .collect();
        for (&(i, j), tile) in group.iter().zip(&computed) {
            let (row, column) = (i * TILE, j * TILE);
            out.submatrix_mut(column, row, tile.ncols(), tile.nrows()).copy_from(tile.transpose());
            out.submatrix_mut(row, column, tile.nrows(), tile.ncols()).copy_from(tile);
        }
        progress.done += group.len();
        progress.report()?;
    }
    symmetrize_diagonal(&mut out);
    Ok(out)
}

/// Copies the lower triangle of each diagonal tile to its upper one.
fn symmetrize_diagonal(out: &mut Mat<f64>) {
    let n = out.nrows();
    for i in 0..n {
        for j in i / TILE * TILE..i {
            out[(j, i)] = out[(i, j)];
        }
    }
}

/// The tiles of the lower triangle.
fn tiles(n: usize) -> Vec<(usize, usize)> {
    (0..n.div_ceil(TILE)).flat_map(|i| (0..=i).map(move |j| (i, j))).collect()
}

struct Progress<'a> {
    observer: &'a dyn Observer,
    done: usize,
    total: usize,
}

impl Progress<'_> {
    fn report(&self) -> Result<(), Error> {
        proceed(self.observer, self.done, self.total)
    }
}

#[cfg(test)]
mod tests {
    use super::power;
    use embedding::Silent;
    use faer::Mat;

    #[test]
    fn powers_are_repeated_products() {
        let s = Mat::from_fn(300, 300, |i, j| 1.0 / (1.0 + (i as f64 - j as f64).powi(2)) / 3.2);
        let mut expected = s.clone();
        for t in 1..=12 {
            let got = power(s.clone(), t, &Silent).expect("no observer cancels");
            let error = (&got - &expected).norm_max() / expected.norm_max();
            assert!(error < 1e-13, "t = {t}: {error:e}");
            assert_eq!(got, got.transpose().to_owned(), "t = {t}: symmetric");
            expected = &expected * &s;
        }
    }
}
