//! The kernel of all pairs of points, by matrix products.

use embedding::{Error, Observer, Points, multiply, proceed};
use faer::{Accum, MatMut, MatRef};
use rayon::prelude::*;
use spectral::Levels;

use crate::Kernel;

/// Rows computed together.
const STRIP: usize = 128;

/// Rows and columns of a tile that is copied.
const TILE: usize = 64;

/// Strips between checks for cancellation.
const GROUP: usize = 16;

/// Largest error of a value of the RBF kernel that its products may leave.
const ROUNDING: f64 = 1e-12;

/// Writes k(x_i, x_j) for j ≤ i to `matrix`, n × n by rows; the rest is undefined.
///
/// A product of strips of rows gives the inner products. For the RBF kernel the squared
/// distances |x|² + |y|² − 2 x·y of the centered rows are rounded to about √D ε (|x|² + |y|²);
/// where γ times that exceeds 1e-12, they are computed from differences instead. Those of whole
/// numbers in a narrow range are exact ([`Levels`]).
pub(crate) fn fill(
    kernel: Kernel,
    points: Points<'_>,
    matrix: &mut [f64],
    observer: &dyn Observer,
) -> Result<(), Error> {
    if let (Kernel::Rbf { gamma }, Some(levels)) = (kernel, Levels::of(points.values())) {
        let kernel = Kernel::Rbf { gamma: gamma * levels.square() };
        return fill_levels(kernel, levels, points, matrix, observer);
    }
    let (n, width) = (points.len(), points.dim());
    let centered = match kernel {
        Kernel::Rbf { .. } => Some(centered(points)),
        _ => None,
    };
    let rows = centered.as_deref().unwrap_or(points.values());
    let norms: Vec<f64> = rows.par_chunks(width).map(|row| row.iter().map(|x| x * x).sum::<f64>()).collect();
    let largest = norms.iter().copied().fold(0.0, f64::max);
    let by_differences = match kernel {
        Kernel::Rbf { gamma } => {
            let error = 4.0 * (width as f64).sqrt() * f64::EPSILON * gamma * largest;
            error > ROUNDING
        }
        _ => false,
    };
    let strip = |first: usize, out: &mut [f64]| {
        let last = first + out.len() / n;
        if by_differences {
            out.chunks_mut(n).zip(first..).for_each(|(row, i)| {
                let x = points.row(i);
                row[..=i].iter_mut().zip(points.rows()).for_each(|(value, y)| *value = kernel.value(x, y));
            });
            return;
        }
        let left = MatRef::from_row_major_slice(&rows[first * width..last * width], last - first, width);
        let right = MatRef::from_row_major_slice(&rows[..last * width], last, width);
        let products = MatMut::from_row_major_slice_mut(&mut *out, last - first, n).subcols_mut(0, last);
        multiply(products, Accum::Replace, left, right.transpose(), 1.0);
        out.chunks_mut(n).zip(first..).for_each(|(row, i)| {
            row[..i].iter_mut().zip(&norms).for_each(|(value, y)| {
                *value = kernel.of_products(*value, norms[i], *y);
            });
            row[i] = kernel.of_products(norms[i], norms[i], norms[i]);
        });
    };
    by_strips(n, matrix, observer, strip)
}

/// The same for the RBF kernel of levels.
fn fill_levels(
    kernel: Kernel,
    levels: Levels,
    points: Points<'_>,
    matrix: &mut [f64],
    observer: &dyn Observer,
) -> Result<(), Error> {
    let (n, width) = (points.len(), points.dim());
    let mut rows = vec![0.0; n * width];
    rows.par_chunks_mut(width)
        .zip(points.values().par_chunks(width))
        .for_each(|(to, row)| levels.write(row, to));
    let square = |row: &[f32]| row.iter().map(|x| f64::from(*x) * f64::from(*x)).sum::<f64>();
    let norms: Vec<f64> = rows.par_chunks(width).map(square).collect();
    by_strips(n, matrix, observer, |first, out| {
        let last = first + out.len() / n;
        let mut products = vec![0.0_f32; (last - first) * last];
        let left = MatRef::from_row_major_slice(&rows[first * width..last * width], last - first, width);
        let right = MatRef::from_row_major_slice(&rows[..last * width], last, width);
        for start in (0..width).step_by(Levels::TERMS) {
            let count = Levels::TERMS.min(width - start);
            let (left, right) = (left.subcols(start, count), right.subcols(start, count));
            let to = MatMut::from_row_major_slice_mut(&mut products, last - first, last);
            multiply(to, Accum::Replace, left, right.transpose(), 1.0);
            for (row, products) in out.chunks_mut(n).zip(products.chunks(last)) {
                row.iter_mut().zip(products).for_each(|(sum, product)| {
                    *sum = if start > 0 { *sum } else { 0.0 } + f64::from(*product);
                });
            }
        }
        for (row, i) in out.chunks_mut(n).zip(first..) {
            let pairs = row[..=i].iter_mut().zip(&norms);
            pairs.for_each(|(value, y)| *value = kernel.of_products(*value, norms[i], *y));
        }
    })
}

/// Calls `strip(first, rows)` for strips of the rows of a matrix, n × n by rows, in parallel.
pub(crate) fn by_strips(
    n: usize,
    matrix: &mut [f64],
    observer: &dyn Observer,
    strip: impl Fn(usize, &mut [f64]) + Sync,
) -> Result<(), Error> {
    for (g, group) in matrix.chunks_mut(GROUP * STRIP * n).enumerate() {
        let first = g * GROUP * STRIP;
        group.par_chunks_mut(STRIP * n).enumerate().for_each(|(s, rows)| strip(first + s * STRIP, rows));
        proceed(observer, n.min(first + GROUP * STRIP), n)?;
    }
    Ok(())
}

/// Replaces K, n × n, of which the lower triangle is given by rows, by J K J with both triangles,
/// symmetric to the bit; returns the column means of K.
pub(crate) fn center(n: usize, matrix: &mut [f64]) -> Vec<f64> {
    // Of every strip the sums of rows, as far as the diagonal, and of columns before it.
    let strips: Vec<Vec<f64>> = matrix
        .par_chunks(STRIP * n)
        .enumerate()
        .map(|(s, rows)| {
            let mut sums = vec![0.0; n];
            for (row, i) in rows.chunks(n).zip(s * STRIP..) {
                sums[..i].iter_mut().zip(row).for_each(|(sum, value)| *sum += value);
                sums[i] += row[..=i].iter().sum::<f64>();
            }
            sums
        })
        .collect();
    let sum = |i: usize| strips.iter().map(|sums| sums[i]).sum::<f64>();
    let means: Vec<f64> = (0..n).into_par_iter().map(|i| sum(i) / n as f64).collect();
    let grand = means.iter().sum::<f64>() / n as f64;
    matrix.par_chunks_mut(n).enumerate().for_each(|(i, row)| {
        row[..=i]
            .iter_mut()
            .zip(&means)
            .for_each(|(value, mean)| *value = *value - (means[i] + mean) + grand);
    });
    mirror(n, matrix);
    means
}

/// Copies the lower triangle to the upper one, in tiles, since rows are far apart in memory.
fn mirror(n: usize, matrix: &mut [f64]) {
    for first in (0..n).step_by(TILE) {
        let (above, below) = matrix.split_at_mut(first * n);
        let last = n.min(first + TILE);
        let below = &mut below[..(last - first) * n];
        above.par_chunks_mut(TILE * n).enumerate().for_each(|(t, rows)| {
            for (row, j) in rows.chunks_mut(n).zip(t * TILE..) {
                row[first..last].iter_mut().zip(below.chunks(n)).for_each(|(value, row)| *value = row[j]);
            }
        });
        for i in 0..last - first {
            for j in 0..i {
                below[j * n + first + i] = below[i * n + first + j];
            }
        }
    }
}

/// The rows minus their mean, by rows.
fn centered(points: Points<'_>) -> Vec<f64> {
    let mean = spectral::principal::column_means(points);
    let width = points.dim();
    let mut rows = points.values().to_vec();
    rows.par_chunks_mut(width).for_each(|row| row.iter_mut().zip(&mean).for_each(|(x, m)| *x -= m));
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(kernel: Kernel, shift: f64) -> (Vec<f64>, Vec<f64>) {
        let (n, width) = (300, 20);
        let rows: Vec<f64> = (0..n * width).map(|i| shift + (i as f64 * 1.7).sin()).collect();
        let points = Points::new(&rows, width).expect("finite");
        let mut matrix = vec![0.0; n * n];
        fill(kernel, points, &mut matrix, &embedding::Silent).expect("nothing cancels");
        let lower = |i: usize| (0..=i).map(move |j| (i, j));
        let pairs = (0..n).flat_map(lower);
        pairs.map(|(i, j)| (matrix[i * n + j], kernel.value(points.row(i), points.row(j)))).unzip()
    }

    #[test]
    fn products_give_the_values_of_the_kernel() {
        for kernel in [
            Kernel::Linear,
            Kernel::Cosine,
            Kernel::Rbf { gamma: 0.3 },
            Kernel::Polynomial { degree: 3, gamma: 0.1, offset: 1.0 },
        ] {
            let (found, expected) = values(kernel, 0.0);
            let largest = expected.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
            for (f, e) in found.iter().zip(&expected) {
                assert!((f - e).abs() <= 1e-12 * largest, "{kernel}: {f} instead of {e}");
            }
        }
    }

    /// More columns than are summed in single precision, and more rows than one strip.
    #[test]
    fn the_rbf_kernel_of_levels_is_exact() {
        let (n, width) = (200, 1500);
        // Most differ as much as levels can from the middle of the range.
        let value = |i: usize, c: usize| if (31 * i + 17 * c).is_multiple_of(40) { i * c % 256 } else { 1 };
        for unit in [1.0, 255.0] {
            let rows: Vec<f64> =
                (0..n * width).map(|at| value(at / width, at % width) as f64 / unit).collect();
            let points = Points::new(&rows, width).expect("finite");
            assert!(Levels::of(&rows).is_some());
            let kernel = Kernel::Rbf { gamma: 1e-7 * unit * unit };
            let mut matrix = vec![0.0; n * n];
            fill(kernel, points, &mut matrix, &embedding::Silent).expect("nothing cancels");
            for i in 0..n {
                for j in 0..=i {
                    let expected = kernel.value(points.row(i), points.row(j));
                    assert!((matrix[i * n + j] - expected).abs() <= 1e-14, "{unit}: {i} {j}");
                }
                assert_eq!(matrix[i * n + i], 1.0);
            }
        }
    }

    #[test]
    fn a_centered_kernel_has_both_triangles_and_no_means() {
        for n in [1, 2, 63, 64, 65, 130, 300] {
            let at = |i: usize, j: usize| ((i.max(j) * 31 + i.min(j)) as f64).sin() + 3.0;
            // What lies above the diagonal is not read.
            let mut matrix: Vec<f64> =
                (0..n * n).map(|p| if p % n <= p / n { at(p / n, p % n) } else { 1e9 }).collect();
            let means = center(n, &mut matrix);
            let grand = means.iter().sum::<f64>() / n as f64;
            for i in 0..n {
                let mean = (0..n).map(|j| at(i, j)).sum::<f64>() / n as f64;
                assert!((means[i] - mean).abs() < 1e-12, "{n}: {i}");
                for j in 0..n {
                    let expected = at(i, j) - means[i] - means[j] + grand;
                    assert!((matrix[i * n + j] - expected).abs() < 1e-13, "{n}: {i} {j}");
                    assert_eq!(matrix[i * n + j].to_bits(), matrix[j * n + i].to_bits());
                }
            }
        }
    }

    #[test]
    fn the_rbf_kernel_is_exact_where_products_would_round() {
        // Far from the origin, which centering removes; then a kernel so narrow that
        // rounding of the products would show.
        let (found, expected) = values(Kernel::Rbf { gamma: 0.3 }, 1e6);
        assert!(found.iter().zip(&expected).all(|(f, e)| (f - e).abs() < 1e-9));
        let (found, expected) = values(Kernel::Rbf { gamma: 1e6 }, 0.0);
        assert_eq!(found, expected);
    }
}
