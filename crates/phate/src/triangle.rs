//! Symmetric products of dense matrices.

use embedding::Error;
use embedding::implement::multiply;
use faer::{Accum, Mat, MatMut, MatRef};
use rayon::prelude::*;

/// Columns of a product that are computed together; fixed, so that results do not depend on the number of
/// threads.
const STRIP: usize = 64;

/// Strips between progress reports.
const GROUP: usize = 8;

/// Side of the square tiles that are mirrored together.
const TILE: usize = 32;

/// The number of progress reports of a product of order n.
pub(crate) fn groups(n: usize) -> usize {
    n.div_ceil(STRIP * GROUP)
}

/// The n × n product of two matrices whose product is symmetric: its lower triangle by strips of
/// columns, in parallel, and copied to the upper one. m n²/2 multiplications and additions. `right` gives
/// columns of the second matrix, by the first of them and their number; `advance` is called [`groups`] times.
pub(crate) fn symmetric_product(
    a: MatRef<'_, f64>,
    right: impl Fn(usize, usize) -> Mat<f64> + Sync,
    advance: &mut dyn FnMut() -> Result<(), Error>,
) -> Result<Vec<f64>, Error> {
    let n = a.nrows();
    let mut out = vec![0.0; n * n];
    for (group, strips) in out.chunks_mut(GROUP * STRIP * n).enumerate() {
        strips.par_chunks_mut(STRIP * n).enumerate().for_each(|(at, strip)| {
            let first = (group * GROUP + at) * STRIP;
            let columns = strip.len() / n;
            let strip = MatMut::from_column_major_slice_mut(strip, n, columns).subrows_mut(first, n - first);
            let (left, right) = (a.subrows(first, n - first), right(first, columns));
            multiply(strip, Accum::Replace, left, right.as_ref(), 1.0);
        });
        advance()?;
    }
    mirror(&mut out, n);
    Ok(out)
}

/// Copies the lower triangle of n columns to the upper one.
fn mirror(values: &mut [f64], n: usize) {
    let tiles = (0..n).step_by(TILE).flat_map(|left| (left..n).step_by(TILE).map(move |top| (left, top)));
    for (left, top) in tiles {
        for j in left..n.min(left + TILE) {
            for i in top.max(j + 1)..n.min(top + TILE) {
                values[i * n + j] = values[j * n + i];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{groups, symmetric_product};
    use faer::{Mat, MatRef};

    #[test]
    fn a_gram_matrix_is_the_full_product() {
        for n in [1, 31, 64, 200, 530] {
            let a = Mat::from_fn(40, n, |i, j| ((i * 7 + j * j) % 11) as f64 - 4.0);
            let mut called = 0;
            let columns = |first, width| a.subcols(first, width).to_owned();
            let mut count = || {
                called += 1;
                Ok(())
            };
            let got = symmetric_product(a.transpose(), columns, &mut count).expect("not cancelled");
            assert_eq!(called, groups(n));
            // Integers: exact in any order.
            assert_eq!(MatRef::from_column_major_slice(&got, n, n), a.transpose() * &a);
        }
    }
}
