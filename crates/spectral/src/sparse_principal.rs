//! Principal directions of sparse points, whose zeros are not read.
//!
//! Every sum is in the order of its row or column, so results are bitwise identical at any number
//! of threads.

use embedding::implement::{Division, Scale, matrix};
use embedding::{Error, Observer, SparsePointSet, SparsePoints};
use faer::{Mat, MatMut, MatRef};
use rayon::prelude::*;

use crate::largest::largest_bytes;
use crate::{Operator, Principal, Tolerance, canonical_signs, chunks, dense, largest};

/// Rows per parallel task, independent of the number of threads.
const ROWS: usize = 64;

/// Vectors that are multiplied at a time.
const VECTORS: usize = 32;

impl Principal {
    /// The same for sparse points of any finite scale, with their coordinates along the directions,
    /// n × count. The results are for the points divided by the power of two that is returned; it is
    /// one where the squares of their products are normal numbers.
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
    ) -> Result<(Self, Mat<f64>, Scale), Error> {
        Self::check_count(points.len(), points.dim(), count)?;
        let scale = sparse_scale(points);
        let of = |points| of_centered(CenteredRows::new(points), count, tolerance, observer);
        let (principal, coordinates) = if scale.is_one() {
            of(points)?
        } else {
            of(points.times_power_of_two(-scale.exponent())?.view())?
        };
        Ok((principal, coordinates, scale))
    }

    /// Estimates the memory of [`Principal::of_sparse`] in bytes: the transpose, and the eigensolver with
    /// the vectors that one step multiplies, or the coordinates.
    pub fn sparse_bytes(points: SparsePoints<'_>, count: usize) -> u64 {
        let (n, columns, entries) = (points.len() as u64, points.dim() as u64, points.entries() as u64);
        let order = points.len().min(points.dim());
        let (solver, width) = largest_bytes(order, count);
        let block = width.min(VECTORS) as u64;
        let step = if columns <= n { 8 * n + 16 * columns } else { 16 * (n + columns) } * block;
        // Leading vectors and their residuals are not held while the operator is applied.
        let leading = if width < order { 16 * (order * (count + width)) as u64 } else { 0 };
        let step = step.saturating_sub(leading);
        let last = 16 * (n + columns) * count as u64;
        let divided = if sparse_scale(points).is_one() { 0 } else { 12 * entries };
        divided + 12 * entries + 16 * columns + (solver + step).max(last)
    }
}

/// Coordinates of sparse points along their `count` leading principal directions, or along all if
/// there are fewer, one per column. Points that are not of ordinary scale are divided by a power of
/// two.
pub fn sparse_components(
    points: SparsePoints<'_>,
    count: usize,
    observer: &dyn Observer,
) -> Result<Mat<f64>, Error> {
    let count = count.min(points.dim()).min(points.len());
    Ok(Principal::of_sparse(points, count, Tolerance::default(), observer)?.1)
}

/// The power of two by which points are divided. O(entries).
fn sparse_scale(points: SparsePoints<'_>) -> Scale {
    let largest = points.values().iter().fold(0.0_f64, |largest, v| largest.max(v.abs()));
    Scale::of_length(largest, Division::ToUnit { power: 4 })
}

fn of_centered(
    rows: CenteredRows<'_>,
    count: usize,
    tolerance: Tolerance,
    observer: &dyn Observer,
) -> Result<(Principal, Mat<f64>), Error> {
    let (n, width) = (rows.points.len(), rows.points.dim());
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
    Ok((Principal { mean, directions, sums, total }, coordinates))
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
        in_blocks(x, out, &|x| self.0.apply_transposed(&self.0.apply(x), x.ncols()));
    }
}

/// The operator u ↦ X (Xᵀ u).
struct Gram<'a>(&'a CenteredRows<'a>);

impl Operator for Gram<'_> {
    fn order(&self) -> usize {
        self.0.points.len()
    }

    fn apply(&self, x: MatRef<'_, f64>, out: MatMut<'_, f64>) {
        in_blocks(x, out, &|x| {
            let images = self.0.apply_transposed(&matrix::to_rows(x), x.ncols());
            self.0.apply(MatRef::from_row_major_slice(&images, self.0.points.dim(), x.ncols()))
        });
    }
}

/// Writes the images of the columns of `x`, a few at a time; `image` returns them by rows.
fn in_blocks(x: MatRef<'_, f64>, out: MatMut<'_, f64>, image: &dyn Fn(MatRef<'_, f64>) -> Vec<f64>) {
    for (at, mut out) in chunks::columns_mut(out, VECTORS).into_iter().enumerate() {
        let (rows, b) = out.shape();
        let images = image(x.subcols(at * VECTORS, b));
        out.copy_from(MatRef::from_row_major_slice(&images, rows, b));
    }
}

/// Sums over the entries of each row times rows of W, n × b by rows; `then` changes each row of the
/// result.
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
