//! Principal directions of sparse points, whose zeros are not read.
//!
//! Every sum is in the order of its row or column, so results are bitwise identical at any number
//! of threads.

use embedding::{Error, Observer, Scale, SparsePointSet, SparsePoints, matrix};
use faer::{Mat, MatMut, MatRef};
use rayon::prelude::*;

use crate::{Operator, Principal, Tolerance, canonical_signs, chunks, dense, largest, largest_bytes};

/// Rows per parallel task, independent of the number of threads.
const ROWS: usize = 64;

/// Vectors that are multiplied at a time.
const VECTORS: usize = 32;

impl Principal {
    /// The same for sparse points, with their coordinates along the directions, n × count.
    ///
    /// [`largest`] applies the points without their zeros, less their mean, and their transpose once
    /// per step, in the order that makes the eigenvectors the shorter ones: O(entries) and O(min(n, D)
    /// count) per vector of a block. It checks the residuals. Differences from [`Principal::new`] are
    /// within `tolerance`.
    pub fn of_sparse(
        points: SparsePoints<'_>,
        count: usize,
        tolerance: Tolerance,
        observer: &dyn Observer,
    ) -> Result<(Self, Mat<f64>), Error> {
        let (n, width) = (points.len(), points.dim());
        Self::check_count(n, width, count)?;
        let rows = CenteredRows::new(points);
        let (sums, directions) = if width <= n {
            let pairs = largest(&Scatter(&rows), count, tolerance, observer)?;
            (pairs.values, pairs.vectors)
        } else {
            let pairs = largest(&Gram(&rows), count, tolerance, observer)?;
            let images = rows.apply_transposed(&matrix::to_rows(pairs.vectors.as_ref()), count);
            // Directions without variance are arbitrary: the QR decomposition completes the basis.
            let mut directions = dense::thin_q(MatRef::from_row_major_slice(&images, width, count));
            canonical_signs(directions.as_mut());
            (pairs.values, directions)
        };
        let coordinates = rows.apply(directions.as_ref());
        let (total, mean) = (rows.total(), rows.mean);
        let sums = sums.iter().map(|s| s.max(0.0)).collect();
        let coordinates = MatRef::from_row_major_slice(&coordinates, n, count).to_owned();
        Ok((Self { mean, directions, sums, total }, coordinates))
    }

    /// The power of two in units of which [`Principal::of_sparse`] can take sparse points: one where
    /// the squares of their products are normal numbers. O(entries).
    fn sparse_scale(points: SparsePoints<'_>) -> Scale {
        let largest = points.values().iter().fold(0.0_f64, |largest, v| largest.max(v.abs()));
        Scale::for_powers_of_length(4, largest)
    }

    /// [`Principal::of_sparse`] of points of any finite scale, divided by a power of two, which is
    /// returned: one for those of ordinary scale.
    pub fn of_sparse_in_units(
        points: SparsePoints<'_>,
        count: usize,
        tolerance: Tolerance,
        observer: &dyn Observer,
    ) -> Result<(Self, Mat<f64>, Scale), Error> {
        let scale = Self::sparse_scale(points);
        let of = |points| Self::of_sparse(points, count, tolerance, observer);
        let (principal, coordinates) = if scale.is_one() {
            of(points)?
        } else {
            of(points.times_power_of_two(-scale.exponent())?.view())?
        };
        Ok((principal, coordinates, scale))
    }

    /// Estimates the memory of [`Principal::of_sparse`] in bytes: the transpose, the eigensolver, and
    /// the points and columns that one step multiplies.
    pub fn sparse_bytes(points: SparsePoints<'_>, count: usize) -> u64 {
        let (n, columns) = (points.len() as u64, points.dim() as u64);
        let (solver, block) = largest_bytes(points.len().min(points.dim()), count);
        let (entries, vectors) = (points.entries() as u64, block.min(VECTORS).max(count) as u64);
        let divided = if Self::sparse_scale(points).is_one() { 0 } else { 12 * entries };
        divided + 12 * entries + 16 * columns + solver + 16 * (n + columns) * vectors
    }
}

/// Coordinates of sparse points along their `count` leading principal directions, fewer where there
/// are fewer, one per column; of points of other than ordinary scale divided by a power of two.
pub fn sparse_components(
    points: SparsePoints<'_>,
    count: usize,
    observer: &dyn Observer,
) -> Result<Mat<f64>, Error> {
    let count = count.min(points.dim()).min(points.len());
    Ok(Principal::of_sparse_in_units(points, count, Tolerance::default(), observer)?.1)
}

/// Sparse points less their mean, X.
struct CenteredRows<'a> {
    points: SparsePoints<'a>,
    columns: SparsePointSet,
    mean: Vec<f64>,
}

impl<'a> CenteredRows<'a> {
    fn new(points: SparsePoints<'a>) -> Self {
        let columns = points.transposed();
        let n = points.len() as f64;
        let mean = |c: usize| columns.view().row(c).1.iter().sum::<f64>() / n;
        Self { points, mean: (0..points.dim()).map(mean).collect(), columns }
    }

    /// X V by rows, n × b.
    fn apply(&self, v: MatRef<'_, f64>) -> Vec<f64> {
        let of_mean: Vec<f64> =
            v.col_iter().map(|v| v.iter().zip(&self.mean).map(|(v, m)| v * m).sum()).collect();
        products(self.points, &matrix::to_rows(v), v.ncols(), &|_, image| {
            image.iter_mut().zip(&of_mean).for_each(|(x, m)| *x -= m);
        })
    }

    /// Xᵀ U by rows, D × b, with U by rows.
    fn apply_transposed(&self, u: &[f64], b: usize) -> Vec<f64> {
        let mut sums = vec![0.0; b];
        for row in u.chunks_exact(b) {
            sums.iter_mut().zip(row).for_each(|(sum, x)| *sum += x);
        }
        products(self.columns.view(), u, b, &|c, row| {
            row.iter_mut().zip(&sums).for_each(|(x, sum)| *x -= self.mean[c] * sum);
        })
    }

    /// Σ |x − mean|².
    fn total(&self) -> f64 {
        let of_column = |(c, mean): (usize, &f64)| {
            let values = self.columns.view().row(c).1;
            let zeros = (self.points.len() - values.len()) as f64;
            values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() + zeros * mean * mean
        };
        self.mean.iter().enumerate().map(of_column).sum()
    }
}

/// The operator v ↦ Xᵀ (X v).
struct Scatter<'a>(&'a CenteredRows<'a>);

impl Operator for Scatter<'_> {
    fn order(&self) -> usize {
        self.0.points.dim()
    }

    fn apply(&self, x: MatRef<'_, f64>, out: MatMut<'_, f64>) {
        for (at, mut out) in chunks::columns_mut(out, VECTORS).into_iter().enumerate() {
            let (rows, b) = out.shape();
            let images = self.0.apply(x.subcols(at * VECTORS, b));
            out.copy_from(MatRef::from_row_major_slice(&self.0.apply_transposed(&images, b), rows, b));
        }
    }
}

/// The operator u ↦ X (Xᵀ u).
struct Gram<'a>(&'a CenteredRows<'a>);

impl Operator for Gram<'_> {
    fn order(&self) -> usize {
        self.0.points.len()
    }

    fn apply(&self, x: MatRef<'_, f64>, out: MatMut<'_, f64>) {
        for (at, mut out) in chunks::columns_mut(out, VECTORS).into_iter().enumerate() {
            let (rows, b) = out.shape();
            let x = matrix::to_rows(x.subcols(at * VECTORS, b));
            let images = self.0.apply_transposed(&x, b);
            let images = MatRef::from_row_major_slice(&images, self.0.points.dim(), b);
            out.copy_from(MatRef::from_row_major_slice(&self.0.apply(images), rows, b));
        }
    }
}

/// Sums over the entries of each row times rows of W, n × b by rows, each of which `then` changes.
fn products(
    points: SparsePoints<'_>,
    w: &[f64],
    b: usize,
    then: &(dyn Fn(usize, &mut [f64]) + Sync),
) -> Vec<f64> {
    let mut products = vec![0.0; points.len() * b];
    products.par_chunks_mut(ROWS * b).enumerate().for_each(|(chunk, rows)| {
        for (i, row) in (chunk * ROWS..).zip(rows.chunks_exact_mut(b)) {
            add(points.row(i), w, row);
            then(i, row);
        }
    });
    products
}

/// Adds Σ v w_c over the entries (c, v) of a sparse row, with w_c by rows.
fn add((columns, values): (&[u32], &[f64]), w: &[f64], sums: &mut [f64]) {
    let b = sums.len();
    for (&c, &v) in columns.iter().zip(values) {
        sums.iter_mut().zip(&w[c as usize * b..][..b]).for_each(|(sum, w)| *sum += v * w);
    }
}
