//! The kernel of all pairs of points, by matrix products.

use embedding::implement::multiply;
use embedding::{Error, Observer, Points};
use faer::{Accum, MatMut, MatRef};
use rayon::prelude::*;
use spectral::Levels;

use crate::Kernel;
use crate::symmetric::Symmetric;

/// Largest error of a value of the RBF kernel that its products may leave.
const ROUNDING: f64 = 1e-12;

/// Returns the matrix of k(x_i, x_j).
///
/// A product of strips of rows gives the inner products. For the RBF kernel the squared
/// distances |x|² + |y|² − 2 x·y of the centered rows are rounded to about √D ε (|x|² + |y|²);
/// where γ times this error exceeds 1e-12, they are computed from differences instead. Squared distances of
/// whole numbers in a narrow range are exact ([`Levels`]).
pub(crate) fn of_points(
    kernel: Kernel,
    points: Points<'_>,
    observer: &dyn Observer,
) -> Result<Symmetric, Error> {
    if let (Kernel::Rbf { gamma }, Some(levels)) = (kernel, Levels::of(points.values())) {
        let kernel = Kernel::Rbf { gamma: gamma * levels.square() };
        return of_levels(kernel, levels, points, observer);
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
    Symmetric::new(n, observer, &|first, last, out| {
        if by_differences {
            out.chunks_mut(last).zip(first..).for_each(|(row, i)| {
                let x = points.row(i);
                row[..=i].iter_mut().zip(points.rows()).for_each(|(value, y)| *value = kernel.value(x, y));
            });
            return;
        }
        let left = MatRef::from_row_major_slice(&rows[first * width..last * width], last - first, width);
        let right = MatRef::from_row_major_slice(&rows[..last * width], last, width);
        let products = MatMut::from_row_major_slice_mut(&mut *out, last - first, last);
        multiply(products, Accum::Replace, left, right.transpose(), 1.0);
        out.chunks_mut(last).zip(first..).for_each(|(row, i)| {
            row[..i].iter_mut().zip(&norms).for_each(|(value, y)| {
                *value = kernel.of_products(*value, norms[i], *y);
            });
            row[i] = kernel.of_products(norms[i], norms[i], norms[i]);
        });
    })
}

/// The same for the RBF kernel of levels.
fn of_levels(
    kernel: Kernel,
    levels: Levels,
    points: Points<'_>,
    observer: &dyn Observer,
) -> Result<Symmetric, Error> {
    let (n, width) = (points.len(), points.dim());
    let mut rows = vec![0.0; n * width];
    rows.par_chunks_mut(width)
        .zip(points.values().par_chunks(width))
        .for_each(|(to, row)| levels.write(row, to));
    let square = |row: &[f32]| row.iter().map(|x| f64::from(*x) * f64::from(*x)).sum::<f64>();
    let norms: Vec<f64> = rows.par_chunks(width).map(square).collect();
    Symmetric::new(n, observer, &|first, last, out| {
        let mut products = vec![0.0_f32; out.len()];
        let left = MatRef::from_row_major_slice(&rows[first * width..last * width], last - first, width);
        let right = MatRef::from_row_major_slice(&rows[..last * width], last, width);
        for start in (0..width).step_by(Levels::TERMS) {
            let count = Levels::TERMS.min(width - start);
            let (left, right) = (left.subcols(start, count), right.subcols(start, count));
            let to = MatMut::from_row_major_slice_mut(&mut products, last - first, last);
            multiply(to, Accum::Replace, left, right.transpose(), 1.0);
            let sums = out.iter_mut().zip(&products);
            // Fresh memory is written without reading it first: pages that are read before they are written
            // are mapped twice, and the second time all threads wait.
            if start == 0 {
                sums.for_each(|(sum, product)| *sum = f64::from(*product));
            } else {
                sums.for_each(|(sum, product)| *sum += f64::from(*product));
            }
        }
        for (row, i) in out.chunks_mut(last).zip(first..) {
            let pairs = row[..=i].iter_mut().zip(&norms);
            pairs.for_each(|(value, y)| *value = kernel.of_products(*value, norms[i], *y));
        }
    })
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
    use faer::Mat;
    use spectral::Operator;

    use super::*;

    fn full(kernel: Kernel, points: Points<'_>) -> Mat<f64> {
        let n = points.len();
        let mut full = Mat::zeros(n, n);
        let matrix = of_points(kernel, points, &embedding::Silent).expect("nothing cancels");
        matrix.apply(Mat::<f64>::identity(n, n).as_ref(), full.as_mut());
        full
    }

    fn values(kernel: Kernel, shift: f64) -> (Vec<f64>, Vec<f64>) {
        let (n, width) = (300, 20);
        let rows: Vec<f64> = (0..n * width).map(|i| shift + (i as f64 * 1.7).sin()).collect();
        let points = Points::new(&rows, width).expect("finite");
        let matrix = full(kernel, points);
        let pairs = (0..n).flat_map(|i| (0..=i).map(move |j| (i, j)));
        pairs.map(|(i, j)| (matrix[(i, j)], kernel.value(points.row(i), points.row(j)))).unzip()
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
        // Most values differ from the middle of the range as much as levels can.
        let value = |i: usize, c: usize| if (31 * i + 17 * c).is_multiple_of(40) { i * c % 256 } else { 1 };
        for unit in [1.0, 255.0] {
            let rows: Vec<f64> =
                (0..n * width).map(|at| value(at / width, at % width) as f64 / unit).collect();
            let points = Points::new(&rows, width).expect("finite");
            assert!(Levels::of(&rows).is_some());
            let kernel = Kernel::Rbf { gamma: 1e-7 * unit * unit };
            let matrix = full(kernel, points);
            for i in 0..n {
                for j in 0..=i {
                    let expected = kernel.value(points.row(i), points.row(j));
                    assert!((matrix[(i, j)] - expected).abs() <= 1e-14, "{unit}: {i} {j}");
                }
                assert_eq!(matrix[(i, i)], 1.0);
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
