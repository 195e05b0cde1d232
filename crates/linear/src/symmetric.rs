//! Symmetric matrices stored as their lower triangle.

use std::array::from_fn;

use embedding::implement::{matrix, proceed};
use embedding::{Error, Observer};
use faer::traits::pulp::{Arch, NullaryFnOnce};
use faer::{MatMut, MatRef};
use rayon::prelude::*;
use spectral::Operator;

/// Rows of a strip.
const STRIP: usize = 128;

/// Strips between checks for cancellation, and partial sums of a product; fixed, so that results do
/// not depend on the number of threads.
const GROUP: usize = 16;

/// A symmetric matrix, n × n, in strips of rows that end with the last diagonal value of the strip.
/// Values above the diagonal are not read.
#[derive(Debug)]
pub(crate) struct Symmetric {
    order: usize,
    strips: Vec<Strip>,
}

#[derive(Debug)]
struct Strip {
    /// The first row.
    first: usize,
    /// The values of each row.
    width: usize,
    values: Vec<f64>,
}

impl Strip {
    /// The rows with their numbers, up to the diagonal.
    fn rows(&self) -> impl Iterator<Item = (usize, &[f64])> {
        let numbered = (self.first..).zip(self.values.chunks_exact(self.width));
        numbered.map(|(i, row)| (i, &row[..=i]))
    }
}

/// The first row and the width of each strip of a matrix of order n.
fn shapes(n: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..n).step_by(STRIP).map(move |first| (first, n.min(first + STRIP)))
}

impl Symmetric {
    /// Creates a matrix of order n. `fill(first, width, values)` writes a strip: the rows from `first` to
    /// `width` − 1, each with `width` values.
    pub(crate) fn new(
        n: usize,
        observer: &dyn Observer,
        fill: &(dyn Fn(usize, usize, &mut [f64]) + Sync),
    ) -> Result<Self, Error> {
        let mut strips = Vec::with_capacity(n.div_ceil(STRIP));
        let shapes: Vec<(usize, usize)> = shapes(n).collect();
        for group in shapes.chunks(GROUP) {
            strips.par_extend(group.par_iter().map(|&(first, width)| {
                let mut values = vec![0.0; (width - first) * width];
                fill(first, width, &mut values);
                Strip { first, width, values }
            }));
            proceed(observer, group.last().map_or(n, |shape| shape.1), n)?;
        }
        Ok(Self { order: n, strips })
    }

    /// Estimates the memory of a matrix of order n in bytes, and of a product with `columns`
    /// vectors.
    pub(crate) fn bytes(n: usize, columns: usize) -> u64 {
        let values: usize = shapes(n).map(|(first, width)| (width - first) * width).sum();
        8 * (values + (GROUP.min(n.div_ceil(STRIP)) + 1) * n * columns) as u64
    }

    /// Replaces the matrix K by J K Jᵀ, J = I − 1 wᵀ/Σw, and returns the means of the columns of K with the weights
    /// w of the rows.
    pub(crate) fn center(&mut self, weights: &[f64]) -> Vec<f64> {
        let (n, size) = (self.order, weights.iter().sum::<f64>());
        // For every strip the sums of its rows, up to the diagonal, and of its columns before the diagonal.
        let sums = |strip: &Strip| {
            let mut sums = vec![0.0; n];
            for (i, row) in strip.rows() {
                sums[..i].iter_mut().zip(row).for_each(|(sum, value)| *sum += weights[i] * value);
                sums[i] += row.iter().zip(weights).map(|(value, weight)| weight * value).sum::<f64>();
            }
            sums
        };
        let strips: Vec<Vec<f64>> = self.strips.par_iter().map(sums).collect();
        let sum = |i: usize| strips.iter().map(|sums| sums[i]).sum::<f64>();
        let means: Vec<f64> = (0..n).map(|i| sum(i) / size).collect();
        let grand = mean(&means, weights);
        self.strips.par_iter_mut().for_each(|strip| {
            for (i, row) in (strip.first..).zip(strip.values.chunks_exact_mut(strip.width)) {
                let values = row[..=i].iter_mut().zip(&means);
                values.for_each(|(value, mean)| *value = *value - (means[i] + mean) + grand);
            }
        });
        means
    }

    /// Multiplies the entry of rows i and j by √(w_i w_j).
    pub(crate) fn weigh(&mut self, weights: &[f64]) {
        let roots: Vec<f64> = weights.iter().map(|weight| weight.sqrt()).collect();
        self.strips.par_iter_mut().for_each(|strip| {
            for (i, row) in (strip.first..).zip(strip.values.chunks_exact_mut(strip.width)) {
                row[..=i].iter_mut().zip(&roots).for_each(|(value, root)| *value *= roots[i] * root);
            }
        });
    }

    /// The sum of the diagonal.
    pub(crate) fn trace(&self) -> f64 {
        self.strips.iter().flat_map(Strip::rows).map(|(i, row)| row[i]).sum()
    }
}

/// Σ w v / Σ w.
pub(crate) fn mean(values: &[f64], weights: &[f64]) -> f64 {
    let sum: f64 = values.iter().zip(weights).map(|(value, weight)| weight * value).sum();
    sum / weights.iter().sum::<f64>()
}

/// Each stored value is read once for both triangles.
impl Operator for Symmetric {
    fn order(&self) -> usize {
        self.order
    }

    fn apply(&self, x: MatRef<'_, f64>, mut out: MatMut<'_, f64>) {
        let columns = x.ncols();
        let rows = matrix::to_rows(x);
        let product = |group: usize| {
            let mut images = vec![0.0; rows.len()];
            for strip in self.strips.iter().skip(group).step_by(GROUP) {
                Arch::new().dispatch(Product { strip, x: &rows, columns, images: &mut images });
            }
            images
        };
        let parts: Vec<Vec<f64>> = (0..GROUP.min(self.strips.len())).into_par_iter().map(product).collect();
        for j in 0..columns {
            for (i, to) in out.as_mut().col_mut(j).iter_mut().enumerate() {
                *to = parts.iter().map(|part| part[i * columns + j]).sum();
            }
        }
    }
}

/// Adds the products of a strip and of its transpose with rows x, without the diagonal twice. (A
/// named type: a closure would be compiled for the baseline instruction set only.)
struct Product<'a> {
    strip: &'a Strip,
    x: &'a [f64],
    columns: usize,
    images: &'a mut [f64],
}

impl NullaryFnOnce for Product<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Self { strip, x, columns, images } = self;
        let mut at = 0;
        while at < columns {
            let (x, images) = ((x, columns, at), &mut *images);
            at += match columns - at {
                4.. => before::<8, 4>(strip, x, images),
                2.. => before::<8, 2>(strip, x, images),
                _ => before::<8, 1>(strip, x, images),
            };
        }
        for (i, row) in strip.rows() {
            for (j, a) in row.iter().enumerate().skip(strip.first) {
                for c in 0..columns {
                    images[i * columns + c] += a * x[j * columns + c];
                    if j < i {
                        images[j * columns + c] += a * x[i * columns + c];
                    }
                }
            }
        }
    }
}

/// Multiplies the values before the first row's diagonal with W columns of x, R rows at a time, and returns
/// W.
#[inline(always)]
fn before<const R: usize, const W: usize>(
    strip: &Strip,
    x: (&[f64], usize, usize),
    images: &mut [f64],
) -> usize {
    let (width, first) = (strip.width, strip.first);
    let whole = strip.values.chunks_exact(R * width);
    let rest = whole.remainder().chunks_exact(width);
    let done = width - rest.len();
    for (values, i) in whole.zip((first..).step_by(R)) {
        rows::<R, W>(from_fn(|r| &values[r * width..][..first]), i, x, images);
    }
    for (values, i) in rest.zip(done..) {
        rows::<1, W>([&values[..first]], i, x, images);
    }
    W
}

#[inline(always)]
fn rows<const R: usize, const W: usize>(
    rows: [&[f64]; R],
    i: usize,
    (x, columns, at): (&[f64], usize, usize),
    images: &mut [f64],
) {
    let own: [[f64; W]; R] = from_fn(|r| from_fn(|w| x[(i + r) * columns + at + w]));
    let count = rows[0].len();
    let rows = rows.map(|row| &row[..count]);
    let mut sums = [[0.0; W]; R];
    let pairs = x.chunks_exact(columns).zip(images.chunks_exact_mut(columns));
    for (j, (x, images)) in pairs.take(count).enumerate() {
        let x: &[f64; W] = x[at..].first_chunk().expect("W columns from `at` on");
        let images: &mut [f64; W] = images[at..].first_chunk_mut().expect("W columns from `at` on");
        let mut across = *images;
        for r in 0..R {
            let a = rows[r][j];
            for w in 0..W {
                sums[r][w] += a * x[w];
                across[w] += a * own[r][w];
            }
        }
        *images = across;
    }
    for (r, sums) in sums.iter().enumerate() {
        let images = &mut images[(i + r) * columns + at..][..W];
        images.iter_mut().zip(sums).for_each(|(image, sum)| *image += sum);
    }
}

#[cfg(test)]
mod tests {
    use embedding::Silent;
    use faer::Mat;
    use spectral::Operator;

    use super::Symmetric;

    fn at(i: usize, j: usize) -> f64 {
        ((i.max(j) * 31 + i.min(j)) as f64).sin() + 3.0
    }

    /// Values above the diagonal are NaN.
    fn symmetric(n: usize) -> Symmetric {
        let fill = |first: usize, width: usize, values: &mut [f64]| {
            for (p, value) in values.iter_mut().enumerate() {
                let (i, j) = (first + p / width, p % width);
                *value = if j <= i { at(i, j) } else { f64::NAN };
            }
        };
        Symmetric::new(n, &Silent, &fill).expect("nothing cancels")
    }

    fn full(matrix: &Symmetric) -> Mat<f64> {
        let n = matrix.order();
        let mut full = Mat::zeros(n, n);
        matrix.apply(Mat::<f64>::identity(n, n).as_ref(), full.as_mut());
        full
    }

    const ORDERS: [usize; 8] = [1, 2, 7, 127, 128, 129, 136, 300];

    #[test]
    fn products_are_those_of_the_full_matrix() {
        for n in ORDERS {
            for columns in [1, 2, 3, 4, 5, 7, 12] {
                let x = Mat::from_fn(n, columns, |i, j| ((i * 7 + j * 3) as f64).cos());
                let mut found = Mat::zeros(n, columns);
                symmetric(n).apply(x.as_ref(), found.as_mut());
                let expected = Mat::from_fn(n, n, at) * &x;
                assert!((found - expected).norm_max() < 1e-11, "{n}, {columns}");
            }
        }
    }

    #[test]
    fn a_centered_matrix_has_no_means() {
        for n in ORDERS {
            let mut matrix = symmetric(n);
            let trace = (0..n).map(|i| at(i, i)).sum::<f64>();
            assert!((matrix.trace() - trace).abs() < 1e-11, "{n}");
            let means = matrix.center(&vec![1.0; n]);
            let grand = means.iter().sum::<f64>() / n as f64;
            let centered = full(&matrix);
            for i in 0..n {
                let mean = (0..n).map(|j| at(i, j)).sum::<f64>() / n as f64;
                assert!((means[i] - mean).abs() < 1e-12, "{n}: {i}");
                for j in 0..n {
                    let expected = at(i, j) - means[i] - means[j] + grand;
                    assert!((centered[(i, j)] - expected).abs() < 1e-13, "{n}: {i} {j}");
                    assert_eq!(centered[(i, j)].to_bits(), centered[(j, i)].to_bits(), "{n}: {i} {j}");
                }
            }
        }
    }

    /// Half of the square and of the diagonal strips, and 16 partial sums with the rows.
    #[test]
    fn the_estimate_counts_the_values_and_the_sums() {
        assert_eq!(Symmetric::bytes(128 * 20, 3), 8 * (128 * 128 * 210 + 17 * 3 * 128 * 20));
        assert_eq!(Symmetric::bytes(130, 1), 8 * (128 * 128 + 2 * 130 + 3 * 130));
    }
}
