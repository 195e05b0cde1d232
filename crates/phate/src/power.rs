//! Powers of a sparse symmetric matrix.

use embedding::implement::proceed;
use embedding::{Error, Observer};
use faer::{Mat, MatRef};
use rayon::prelude::*;
use spectral::Sparse;

use crate::triangle::{groups, symmetric_product};

/// Rows that pass the sparse matrix together.
const LANES: usize = 8;

/// Such blocks between progress reports.
const GROUP: usize = 32;

/// Time of a multiplication by a stored entry, in multiplications of a dense product.
const ENTRY: usize = 4;

/// Computes Sᵗ for a symmetric S and t ≥ 1, by rows. The first factors S are multiplied one by one, the
/// product is squared, and further factors S are multiplied in between, whichever takes least time. With q
/// stored entries a factor takes n q multiplications, or n³/2 where q is above n²/8; a square takes
/// n³/2. Entries of a nonnegative matrix keep their relative accuracy. Reports steps of the stage that the
/// caller has begun.
pub(crate) fn power(s: &Sparse, t: usize, observer: &dyn Observer) -> Result<Vec<f64>, Error> {
    let n = s.nrows();
    let squares = squares(n, s.stored(), t);
    let (first, later) = ((t >> squares) - 1, t & ((1 << squares) - 1));
    let (passes, steps) =
        if sparse(s) { (first.min(1), n.div_ceil(LANES * GROUP)) } else { (first, groups(n)) };
    let passes = passes + later.count_ones() as usize;
    let mut progress = Progress { observer, done: 0, total: passes * steps + squares * groups(n) };
    progress.report()?;
    let mut rows = vec![0.0; n * n];
    for (i, row) in rows.chunks_exact_mut(n).enumerate() {
        let (columns, values) = s.row(i);
        columns.iter().zip(values).for_each(|(&j, v)| row[j as usize] = *v);
    }
    rows = multiply_by(s, first, rows, &mut progress)?;
    for bit in (0..squares).rev() {
        let matrix = MatRef::from_column_major_slice(&rows, n, n);
        let columns = |j, count| matrix.subcols(j, count).to_owned();
        rows = symmetric_product(matrix, columns, &mut || progress.advance())?;
        rows = multiply_by(s, later >> bit & 1, rows, &mut progress)?;
    }
    Ok(rows)
}

/// Whether a product with S takes less time by its entries than with a dense matrix.
fn sparse(s: &Sparse) -> bool {
    ENTRY * s.stored() <= s.nrows() * s.nrows() / 2
}

/// The number of squares for which Sᵗ takes least time.
fn squares(n: usize, stored: usize, t: usize) -> usize {
    let product = (n * n / 2) as f64;
    let factor = product.min((ENTRY * stored) as f64);
    let cost = |squares: u32| {
        let later = (t & ((1 << squares) - 1)).count_ones();
        ((t >> squares) as f64 - 1.0 + f64::from(later)) * factor + f64::from(squares) * product
    };
    (0..=t.ilog2()).min_by(|&a, &b| cost(a).total_cmp(&cost(b))).unwrap_or(0) as usize
}

/// Multiplies a power of S by Sᶠ.
fn multiply_by(
    s: &Sparse,
    f: usize,
    mut rows: Vec<f64>,
    progress: &mut Progress<'_>,
) -> Result<Vec<f64>, Error> {
    let n = s.nrows();
    if sparse(s) && f > 0 {
        for group in rows.chunks_mut(GROUP * LANES * n) {
            group.par_chunks_mut(LANES * n).for_each(|block| multiply_block(s, f, block));
            progress.advance()?;
        }
        return Ok(rows);
    }
    for _ in 0..f {
        let columns = |first: usize, count: usize| {
            let mut columns = Mat::zeros(n, count);
            for j in 0..count {
                let (rows, values) = s.row(first + j);
                rows.iter().zip(values).for_each(|(&i, v)| columns[(i as usize, j)] = *v);
            }
            columns
        };
        let power = MatRef::from_column_major_slice(&rows, n, n);
        rows = symmetric_product(power, columns, &mut || progress.advance())?;
    }
    Ok(rows)
}

/// The same for up to [`LANES`] rows, which lie side by side meanwhile.
fn multiply_block(s: &Sparse, f: usize, block: &mut [f64]) {
    let n = s.nrows();
    let (mut from, mut to) = (vec![[0.0; LANES]; n], vec![[0.0; LANES]; n]);
    for (lane, row) in block.chunks_exact(n).enumerate() {
        from.iter_mut().zip(row).for_each(|(lanes, v)| lanes[lane] = *v);
    }
    for _ in 0..f {
        for (j, product) in to.iter_mut().enumerate() {
            let mut sums = [0.0; LANES];
            let (columns, values) = s.row(j);
            for (&k, &v) in columns.iter().zip(values) {
                let lanes = &from[k as usize];
                (0..LANES).for_each(|lane| sums[lane] += v * lanes[lane]);
            }
            *product = sums;
        }
        std::mem::swap(&mut from, &mut to);
    }
    for (lane, row) in block.chunks_exact_mut(n).enumerate() {
        row.iter_mut().zip(&from).for_each(|(v, lanes)| *v = lanes[lane]);
    }
}

struct Progress<'a> {
    observer: &'a dyn Observer,
    done: usize,
    total: usize,
}

impl Progress<'_> {
    fn advance(&mut self) -> Result<(), Error> {
        self.done += 1;
        self.report()
    }

    fn report(&self) -> Result<(), Error> {
        proceed(self.observer, self.done, self.total)
    }
}

#[cfg(test)]
mod tests {
    use super::{power, squares};
    use embedding::Silent;
    use faer::{Mat, MatRef};
    use spectral::Sparse;

    /// A band of 2 w + 1 diagonals.
    fn band(n: usize, w: usize) -> Sparse {
        let entry = |i: usize, j: usize| (j as u32, 1.0 / (1.0 + (i as f64 - j as f64).powi(2)) / 3.2);
        let row = |i: usize| (0..n).filter(|j| i.abs_diff(*j) <= w).map(|j| entry(i, j)).collect();
        Sparse::from_rows(n, (0..n).map(row).collect()).expect("columns below n")
    }

    /// Sparse factors alone, squares with factors in between, and squares of a full matrix.
    #[test]
    fn powers_are_repeated_products() {
        for (n, w) in [(300, 2), (300, 40), (300, 300), (5, 1)] {
            let s = band(n, w);
            let dense = s.to_dense();
            let mut expected = dense.clone();
            for t in 1..=40 {
                let got = power(&s, t, &Silent).expect("no observer cancels");
                let got = MatRef::from_column_major_slice(&got, n, n);
                let entries = (0..n).flat_map(|i| (0..n).map(move |j| (i, j)));
                let error = entries.fold(0.0_f64, |worst, e| {
                    let scale = if expected[e] > 0.0 { expected[e] } else { 1.0 };
                    worst.max((got[e] - expected[e]).abs() / scale)
                });
                assert!(error < 1e-13, "{n} rows, {w} diagonals, t = {t}: {error:e}");
                expected = &expected * &dense;
            }
        }
    }

    #[test]
    fn squares_are_chosen_where_factors_have_many_entries() {
        assert_eq!(squares(2000, 2000 * 10, 27), 0);
        assert_eq!(squares(2000, 2000 * 2000, 68), 5);
        assert!([1, 2, 3].contains(&squares(2000, 2000 * 100, 27)));
        assert_eq!(squares(2000, 1, 1), 0);
        assert_eq!(squares(20, 400, usize::MAX), 62);
    }

    #[test]
    fn the_first_power_is_the_matrix() {
        let s = band(20, 3);
        let got = power(&s, 1, &Silent).expect("no observer cancels");
        assert_eq!(Mat::from_fn(20, 20, |i, j| got[20 * i + j]), s.to_dense());
    }
}
