//! Principal directions.
//!
//! Means and second moments are summed in fixed chunks, in order, so results are bitwise
//! identical at any number of threads.

use embedding::implement::{multiply, multiply_lower};
use embedding::{Error, Observer, PointSet, Points};
use faer::{Accum, Mat, MatMut, MatRef};
use rayon::prelude::*;

use crate::extra_eigenvalues::report_spectrum;
use crate::{DenseOperator, Levels, Operator, Tolerance, canonical_signs, dense, largest};

/// Rows per partial sum.
const CHUNK: usize = 1024;

/// Chunks whose partial sums are held at one time, where these are matrices.
const GROUP: usize = 8;

/// Largest min(n, D) for which a Gram or scatter matrix is formed.
const DENSE_LIMIT: usize = 1500;

/// Up to one in this number of the eigenvectors of a matrix is few.
const FEW: usize = 50;

/// Residual demanded of few eigenvectors, relative to the norm of the matrix, and the largest number of
/// products for it.
const ACCURATE: f64 = 1e-13;
const MOST_APPLICATIONS: usize = 100;

/// The mean, the principal directions and the variances along them.
#[derive(Clone, Debug)]
pub struct Principal {
    /// Column means.
    pub mean: Vec<f64>,
    /// Orthonormal directions, one per column, D × d; the entry of largest
    /// magnitude of each is positive.
    pub directions: Mat<f64>,
    /// Sums of squares along the directions, descending, nonnegative.
    pub sums: Vec<f64>,
    /// Sum of squares of the centered data.
    pub total: f64,
}

impl Principal {
    /// Computes the `count` directions of largest variance, 1 ≤ count ≤ min(n, D).
    ///
    /// If min(n, D) ≤ 1,500, the D × D scatter or the n × n Gram matrix is formed, O(n D min(n,
    /// D)), and decomposed; the scatter of whole numbers in a narrow range is formed by [`Levels`].
    /// If the matrix has more than 300 rows, up to a fiftieth of its directions are found by
    /// [`largest`], to 1e-13 of the largest variance, where that converges. Otherwise [`largest`]
    /// applies the centered data matrix and its transpose once per step, and checks the residuals.
    pub fn new(
        points: Points<'_>,
        count: usize,
        tolerance: Tolerance,
        observer: &dyn Observer,
    ) -> Result<Self, Error> {
        let (n, width) = (points.len(), points.dim());
        Self::check_count(n, width, count)?;
        let (mean, (sums, directions, total)) = if width <= n.min(DENSE_LIMIT) {
            let (mean, scatter) = moments(points);
            (mean, by_scatter(&scatter, count, observer)?)
        } else {
            let mean = column_means(points);
            let leading = if n <= DENSE_LIMIT {
                by_gram(points, &mean, count, observer)?
            } else {
                by_iteration(points, &mean, count, tolerance, observer)?
            };
            (mean, leading)
        };
        Ok(Self { mean, directions, sums: sums.iter().map(|s| s.max(0.0)).collect(), total })
    }

    /// The same where each row has a weight above 0: a whole number w counts as w copies of the row. The mean is
    /// Σ w x / Σ w, and sums of squares have the weights as factors. O(n D) more time and memory.
    pub fn weighted(
        points: Points<'_>,
        weights: &[f64],
        count: usize,
        tolerance: Tolerance,
        observer: &dyn Observer,
    ) -> Result<Self, Error> {
        let (n, width) = (points.len(), points.dim());
        Self::check_count(n, width, count)?;
        let mean = weighted_means(points, weights);
        let mut rows = centered(points.values(), &mean);
        for (row, weight) in rows.chunks_exact_mut(width).zip(weights) {
            row.iter_mut().for_each(|x| *x *= weight.sqrt());
        }
        let (rows, none) = (PointSet::new(rows, width)?, vec![0.0; width]);
        let (sums, directions, total) = if width <= n.min(DENSE_LIMIT) {
            by_scatter(&scatter(rows.view(), &none), count, observer)?
        } else if n <= DENSE_LIMIT {
            by_gram(rows.view(), &none, count, observer)?
        } else {
            by_iteration(rows.view(), &none, count, tolerance, observer)?
        };
        Ok(Self { mean, directions, sums: sums.iter().map(|s| s.max(0.0)).collect(), total })
    }

    /// Fails unless n points in `width` columns have `count` directions.
    pub(crate) fn check_count(n: usize, width: usize, count: usize) -> Result<(), Error> {
        if (1..=n.min(width)).contains(&count) {
            return Ok(());
        }
        let most = format!("between 1 and {} (at most n points and D columns)", n.min(width));
        Err(Error::parameter("the number of principal directions", most, count))
    }

    /// Estimates the memory of [`Principal::new`] in bytes for n points in D columns and few
    /// directions.
    pub fn bytes(n: usize, columns: usize) -> u64 {
        let (points, width) = (n as u64, columns as u64);
        let rows = 8 * points * width;
        if columns <= n.min(DENSE_LIMIT) {
            scatter_bytes(n, columns).max(8 * width * width + dense::eigen_bytes(columns))
        } else if n <= DENSE_LIMIT {
            rows + 8 * points * points + dense::eigen_bytes(n)
        } else {
            rows
        }
    }
}

type Leading = (Vec<f64>, Mat<f64>, f64);

/// The mean and the scatter about it.
fn moments(points: Points<'_>) -> (Vec<f64>, Mat<f64>) {
    if let Some(levels) = Levels::of(points.values()) {
        return levels.moments(points);
    }
    let mean = column_means(points);
    let scatter = scatter(points, &mean);
    (mean, scatter)
}

fn by_scatter(scatter: &Mat<f64>, count: usize, observer: &dyn Observer) -> Result<Leading, Error> {
    let (values, mut vectors) = top(scatter.as_ref(), count, observer)?;
    canonical_signs(vectors.as_mut());
    Ok((values, vectors, trace(scatter)))
}

fn by_gram(
    points: Points<'_>,
    mean: &[f64],
    count: usize,
    observer: &dyn Observer,
) -> Result<Leading, Error> {
    let x = centered(points.values(), mean);
    let x = MatRef::from_row_major_slice(&x, points.len(), points.dim());
    let gram = dense::gram(x);
    let (values, left) = top(gram.as_ref(), count, observer)?;
    // Directions without variance are arbitrary: the QR decomposition completes the
    // orthonormal basis.
    let images = dense::product(x.transpose(), left.as_ref());
    let mut directions = dense::thin_q(images.as_ref());
    canonical_signs(directions.as_mut());
    Ok((values, directions, trace(&gram)))
}

fn by_iteration(
    points: Points<'_>,
    mean: &[f64],
    count: usize,
    tolerance: Tolerance,
    observer: &dyn Observer,
) -> Result<Leading, Error> {
    let x = centered(points.values(), mean);
    let total = x.chunks_exact(points.dim()).map(|row| row.iter().map(|v| v * v).sum::<f64>()).sum();
    let x = MatRef::from_row_major_slice(&x, points.len(), points.dim());
    let pairs = largest(&Scatter(x), count, tolerance, observer)?;
    Ok((pairs.values, pairs.vectors, total))
}

/// Returns the column means. O(n D).
pub fn column_means(points: Points<'_>) -> Vec<f64> {
    means(points, |_| 1.0, points.len() as f64)
}

/// Returns the column means Σ w x / Σ w of rows with weights. O(n D).
pub fn weighted_means(points: Points<'_>, weights: &[f64]) -> Vec<f64> {
    means(points, |row| weights[row], weights.iter().sum())
}

fn means(points: Points<'_>, weight: impl Fn(usize) -> f64 + Sync, total: f64) -> Vec<f64> {
    let d = points.dim();
    let partial: Vec<Vec<f64>> = points
        .values()
        .par_chunks(CHUNK * d)
        .enumerate()
        .map(|(at, chunk)| {
            let mut sum = vec![0.0; d];
            for (i, row) in (at * CHUNK..).zip(chunk.chunks_exact(d)) {
                let weight = weight(i);
                sum.iter_mut().zip(row).for_each(|(s, x)| *s += weight * x);
            }
            sum
        })
        .collect();
    let mut sum = vec![0.0; d];
    for part in &partial {
        sum.iter_mut().zip(part).for_each(|(s, x)| *s += x);
    }
    sum.iter_mut().for_each(|s| *s /= total);
    sum
}

/// Estimates the memory of [`scatter`] in bytes for n points in D columns: the sums of the chunks
/// of a group, their total, and the result; and on two threads a centered chunk each.
pub fn scatter_bytes(n: usize, columns: usize) -> u64 {
    let sums = (n.div_ceil(CHUNK).min(GROUP) + 2) * columns;
    8 * (sums + n.min(2 * CHUNK)) as u64 * columns as u64
}

/// Returns Σ (x − mean)(x − mean)ᵀ, D × D. O(n D²).
pub fn scatter(points: Points<'_>, mean: &[f64]) -> Mat<f64> {
    let d = points.dim();
    let mut total = vec![0.0; d * d];
    // A few chunks at a time bound the memory; they are summed in order.
    let mut parts = vec![Mat::zeros(d, d); points.len().div_ceil(CHUNK).min(GROUP)];
    for group in points.values().chunks(GROUP * CHUNK * d) {
        let chunks = group.par_chunks(CHUNK * d);
        let parts = &mut parts[..chunks.len()];
        chunks.zip(&mut *parts).for_each_init(Vec::new, |x, (chunk, part)| {
            x.clear();
            x.extend(chunk.chunks_exact(d).flat_map(|row| row.iter().zip(mean).map(|(x, m)| x - m)));
            let x = MatRef::from_row_major_slice(x, x.len() / d, d);
            multiply_lower(part.as_mut(), Accum::Replace, x.transpose(), x, 1.0);
        });
        total.par_chunks_mut(d).enumerate().for_each(|(j, sums)| {
            for part in &*parts {
                sums[j..].iter_mut().zip(&part.col_as_slice(j)[j..]).for_each(|(s, x)| *s += x);
            }
        });
    }
    drop(parts);
    let mut total = MatRef::from_column_major_slice(&total, d, d).to_owned();
    dense::mirror(&mut total);
    total
}

/// Returns the rows minus the mean, by rows.
fn centered(values: &[f64], mean: &[f64]) -> Vec<f64> {
    let mut centered = values.to_vec();
    for row in centered.chunks_exact_mut(mean.len()) {
        row.iter_mut().zip(mean).for_each(|(x, m)| *x -= m);
    }
    centered
}

/// Computes the `count` largest eigenpairs of a dense symmetric matrix, in descending
/// order: few of many by iteration, where it converges to nearly the accuracy of the full
/// decomposition.
fn top(a: MatRef<'_, f64>, count: usize, observer: &dyn Observer) -> Result<(Vec<f64>, Mat<f64>), Error> {
    let n = a.nrows();
    if FEW * count <= n {
        let accurate = Tolerance::new(ACCURATE)?.with_applications(MOST_APPLICATIONS);
        match largest(&DenseOperator(a), count, accurate, observer) {
            Err(Error::NoConvergence { .. }) => {}
            found => return found.map(|pairs| (pairs.values, pairs.vectors)),
        }
    }
    let (mut values, vectors) = dense::leading_eigen(a, count)?;
    let behind = values.split_off(count);
    report_spectrum(observer, &values, n, |_, _| Ok(behind))?;
    Ok((values, vectors))
}

fn trace(a: &Mat<f64>) -> f64 {
    (0..a.nrows()).map(|i| a[(i, i)]).sum()
}

/// The operator v ↦ Xᵀ(X v).
struct Scatter<'a>(MatRef<'a, f64>);

impl Operator for Scatter<'_> {
    fn order(&self) -> usize {
        self.0.ncols()
    }

    fn apply(&self, x: MatRef<'_, f64>, out: MatMut<'_, f64>) {
        let image = dense::product(self.0, x);
        multiply(out, Accum::Replace, self.0.transpose(), image.as_ref(), 1.0);
    }
}
