//! All pairwise distances, one triangle of them.

use std::ops::Range;

use embedding::{Error, MemoryLimit, Observer, Points, proceed};
use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, MatMut, MatRef, Par};
use pulp::NullaryFnOnce;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use spectral::Operator;

use crate::lanes::squared_distance;
use crate::scaling::too_large;

/// Rows worked on at a time. A square tile of this side is converted to double precision
/// at a time and stays in the second-level cache.
const STRIP: usize = 128;

/// The largest square, in stored units, that single precision can hold with
/// room for sums.
const LARGEST: f64 = 1e37;

/// Rows filled between two questions whether to go on.
const ROWS_PER_STEP: usize = 512;

/// Partial sums of an application; fixed, so that threads change no bit.
const GROUPS: usize = 16;

/// The precision in which squared distances are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Precision {
    /// Four bytes: each square is off by at most 6e-8 of itself. Everything
    /// after it is computed, and every residual proven, in double precision.
    #[default]
    Single,
    /// Eight bytes.
    Double,
}

impl Precision {
    /// Bytes per number.
    pub fn bytes(self) -> u64 {
        match self {
            Self::Single => 4,
            Self::Double => 8,
        }
    }

    /// The spacing of numbers next to 1.
    pub(crate) fn epsilon(self) -> f64 {
        match self {
            Self::Single => f64::from(f32::EPSILON),
            Self::Double => f64::EPSILON,
        }
    }
}

/// Distances between all pairs of n points: symmetric, zero on the diagonal,
/// finite, not negative.
///
/// Squares of the distances are kept, in a power of two of the input unit so
/// that neither precision over- or underflows; one triangle, row i with the
/// squares to 0 .. i: n (n − 1)/2 numbers.
#[derive(Clone, Debug)]
pub struct Distances {
    packing: Packing,
    rows: Vec<PackedRow>,
}

/// How rows of distances are packed: unit and precision.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Packing {
    pub(crate) unit: f64,
    pub(crate) precision: Precision,
}

/// One packed row.
#[derive(Clone, Debug)]
pub struct PackedRow(Row);

#[derive(Clone, Debug)]
enum Row {
    Single(Box<[f32]>),
    Double(Box<[f64]>),
}

impl Packing {
    /// For distances of the order of magnitude of `scale`.
    pub fn new(scale: f64, precision: Precision) -> Self {
        Self { unit: unit_of(scale), precision }
    }

    /// Packs the distances from point `row.len()` to the points before it.
    ///
    /// Fails when a distance is negative, not finite or beyond 1e18 scales.
    pub fn row(self, row: &[f64]) -> Result<PackedRow, Error> {
        if let Some(j) = row.iter().position(|d| !(d.is_finite() && *d >= 0.0)) {
            let got = format!("{} between {} and {j}", row[j], row.len());
            return Err(Error::parameter("a distance", "finite and not negative", got));
        }
        let square = |d: &f64| (d / self.unit) * (d / self.unit);
        if row.iter().any(|d| square(d) > LARGEST) {
            return Err(too_large());
        }
        Ok(PackedRow(match self.precision {
            Precision::Single => Row::Single(row.iter().map(|d| square(d) as f32).collect()),
            Precision::Double => Row::Double(row.iter().map(square).collect()),
        }))
    }

    /// The square of a distance as it comes back from the store, in stored units.
    pub(crate) fn square(self, distance: f64) -> f64 {
        let square = (distance / self.unit) * (distance / self.unit);
        match self.precision {
            Precision::Single => f64::from(square as f32),
            Precision::Double => square,
        }
    }
}

impl Distances {
    /// Bytes that the distances of n points occupy.
    pub fn bytes(n: usize, precision: Precision) -> u64 {
        let n = n as u64;
        // Each row is an allocation with its own head.
        n * (n - n.min(1)) / 2 * precision.bytes() + n * size_of::<PackedRow>() as u64
    }

    /// Takes a full matrix, which must be square, symmetric to 1e-12 of its
    /// largest entry, zero on the diagonal, finite and not negative.
    pub fn from_matrix(matrix: MatRef<'_, f64>, precision: Precision) -> Result<Self, Error> {
        let n = check_matrix(matrix)?;
        let fill =
            |i: usize, row: &mut [f64]| row.iter_mut().enumerate().for_each(|(j, d)| *d = matrix[(i, j)]);
        Self::from_rows(n, matrix.norm_max(), precision, &embedding::Silent, fill)
    }

    /// Euclidean distances of points, from coordinate differences; O(n² D).
    /// Reports steps of the stage that the caller has begun.
    pub fn euclidean(
        points: Points<'_>,
        precision: Precision,
        limit: MemoryLimit,
        observer: &dyn Observer,
    ) -> Result<Self, Error> {
        let n = points.len();
        let advice = "use landmark-mds, fewer points, or allow more memory";
        limit.allow("the matrix of distances", Self::bytes(n, precision), advice)?;
        Self::from_rows(n, diameter_bound(points), precision, observer, |i, row| {
            euclidean_row(points.row(i), points.rows(), row);
        })
    }

    /// Asks `fill(i, row)` for the distances from point i to the points 0 .. i,
    /// rows in parallel. `scale` is the order of magnitude of the distances.
    ///
    /// Fails when a distance is negative, not finite or beyond 1e18 scales, and
    /// when the observer cancels. Reports steps of the stage that the caller has begun.
    pub fn from_rows(
        n: usize,
        scale: f64,
        precision: Precision,
        observer: &dyn Observer,
        fill: impl Fn(usize, &mut [f64]) + Sync,
    ) -> Result<Self, Error> {
        if n == 0 {
            return Err(Error::TooFewPoints { what: "a matrix of distances", needed: 1, got: 0 });
        }
        let packing = Packing::new(scale, precision);
        let mut rows = Vec::with_capacity(n);
        proceed(observer, 0, n)?;
        while rows.len() < n {
            let next = rows.len()..(rows.len() + ROWS_PER_STEP).min(n);
            let packed: Result<Vec<PackedRow>, Error> = next
                .into_par_iter()
                .map_init(
                    || vec![0.0; n],
                    |row, i| {
                        fill(i, &mut row[..i]);
                        packing.row(&row[..i])
                    },
                )
                .collect();
            rows.extend(packed?);
            proceed(observer, rows.len(), n)?;
        }
        Ok(Self { packing, rows })
    }

    /// Takes rows 0, 1, …, n − 1 packed by `packing`.
    pub fn from_packed(packing: Packing, rows: Vec<PackedRow>) -> Result<Self, Error> {
        for (i, row) in rows.iter().enumerate() {
            let (length, precision) = match &row.0 {
                Row::Single(values) => (values.len(), Precision::Single),
                Row::Double(values) => (values.len(), Precision::Double),
            };
            if length != i || precision != packing.precision {
                return Err(Error::Shape {
                    what: "a packed row of distances",
                    expected: format!("{i} numbers in {:?} precision", packing.precision),
                    got: format!("{length} in {precision:?}"),
                });
            }
        }
        if rows.is_empty() {
            return Err(Error::TooFewPoints { what: "a matrix of distances", needed: 1, got: 0 });
        }
        Ok(Self { packing, rows })
    }

    /// The number of points, n.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Always false: there is no empty set of distances.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Unit and precision of the store.
    pub fn packing(&self) -> Packing {
        self.packing
    }

    /// The distance between points `i` and `j`, in input units.
    pub fn get(&self, i: usize, j: usize) -> f64 {
        let (i, j) = (i.max(j), i.min(j));
        if i == j {
            return 0.0;
        }
        let mut square = [0.0];
        self.copy_squares(i, j..j + 1, &mut square);
        self.packing.unit * square[0].sqrt()
    }

    /// The input unit of the stored squares' roots, a power of two.
    pub(crate) fn unit(&self) -> f64 {
        self.packing.unit
    }

    /// Squares of the distances from point `i` to the given points before it, in
    /// stored units.
    pub(crate) fn copy_squares(&self, i: usize, columns: Range<usize>, out: &mut [f64]) {
        match &self.rows[i].0 {
            Row::Single(row) => out.iter_mut().zip(&row[columns]).for_each(|(o, &v)| *o = f64::from(v)),
            Row::Double(row) => out.copy_from_slice(&row[columns]),
        }
    }

    /// A tile, row by row; on the diagonal both triangles of it.
    fn copy_tile(&self, rows: Range<usize>, columns: Range<usize>, tile: &mut [f64]) {
        let width = columns.len();
        if columns.start < rows.start {
            let lines = tile.chunks_mut(width);
            rows.zip(lines).for_each(|(i, line)| self.copy_squares(i, columns.clone(), line));
            return;
        }
        for (local, i) in rows.enumerate() {
            let line = local * width;
            self.copy_squares(i, columns.start..i, &mut tile[line..line + local]);
            tile[line + local] = 0.0;
            (0..local).for_each(|j| tile[j * width + local] = tile[line + j]);
        }
    }

    /// Squares below the diagonal, given to `visit` row by row: (i, squares to
    /// 0 .. i). One accumulator per strip; strips in parallel, in order in the
    /// result.
    pub(crate) fn by_strip<A: Send>(
        &self,
        start: impl Fn() -> A + Sync,
        visit: impl Fn(&mut A, usize, &[f64]) + Sync,
    ) -> Vec<A> {
        let n = self.len();
        (0..n.div_ceil(STRIP))
            .into_par_iter()
            .map(|strip| {
                let mut sum = start();
                let mut row = vec![0.0; ((strip + 1) * STRIP).min(n)];
                for i in strip * STRIP..row.len() {
                    self.copy_squares(i, 0..i, &mut row[..i]);
                    visit(&mut sum, i, &row[..i]);
                }
                sum
            })
            .collect()
    }
}

/// The matrix of squared distances, in stored units, as a linear map. One pass
/// over the store serves both triangles.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Squares<'a>(pub(crate) &'a Distances);

impl Operator for Squares<'_> {
    fn order(&self) -> usize {
        self.0.len()
    }

    fn apply(&self, x: MatRef<'_, f64>, mut out: MatMut<'_, f64>) {
        let n = self.0.len();
        let strips = n.div_ceil(STRIP);
        let range = |strip: usize| strip * STRIP..((strip + 1) * STRIP).min(n);
        let partial: Vec<Mat<f64>> = (0..GROUPS.min(strips))
            .into_par_iter()
            .map(|group| {
                let mut sum = Mat::zeros(n, x.ncols());
                let mut tile = vec![0.0; STRIP * STRIP];
                for strip in (group..strips).step_by(GROUPS) {
                    let rows = range(strip);
                    for columns in (0..=strip).map(range) {
                        let shape = (rows.len(), columns.len());
                        self.0.copy_tile(rows.clone(), columns.clone(), &mut tile);
                        let a = MatRef::from_row_major_slice(&tile[..shape.0 * shape.1], shape.0, shape.1);
                        let target = sum.as_mut().subrows_mut(rows.start, shape.0);
                        matmul(target, Accum::Add, a, x.subrows(columns.start, shape.1), 1.0, Par::Seq);
                        if columns.start < rows.start {
                            let target = sum.as_mut().subrows_mut(columns.start, shape.1);
                            let across = x.subrows(rows.start, shape.0);
                            matmul(target, Accum::Add, a.transpose(), across, 1.0, Par::Seq);
                        }
                    }
                }
                sum
            })
            .collect();
        out.fill(0.0);
        for part in &partial {
            out += part;
        }
    }
}

/// The power of two at or below `scale`; 1 where there is none.
pub(crate) fn unit_of(scale: f64) -> f64 {
    let unit = 2f64.powi(scale.log2().floor() as i32);
    if scale > 0.0 && unit > 0.0 && unit.is_finite() { unit } else { 1.0 }
}

/// Euclidean distance.
pub(crate) fn euclidean(a: &[f64], b: &[f64]) -> f64 {
    squared_distance(a, b).sqrt()
}

/// Euclidean distances from a point to others.
pub(crate) fn euclidean_row<'a>(from: &[f64], to: impl ExactSizeIterator<Item = &'a [f64]>, out: &mut [f64]) {
    euclidean_rows(std::iter::once(from), to, out);
}

/// Euclidean distances from a few points to others, row by row, as many rows as
/// there is room for.
pub(crate) fn euclidean_rows<'a, 'b>(
    from: impl Iterator<Item = &'a [f64]>,
    to: impl ExactSizeIterator<Item = &'b [f64]>,
    out: &mut [f64],
) {
    let width = to.len().min(out.len());
    let rows = from.zip(out.chunks_exact_mut(width.max(1))).collect();
    pulp::Arch::new().dispatch(Rows { rows, to: to.take(width) });
}

/// Points and the distances from each to all of `to`.
struct Rows<'a, 'o, T> {
    rows: Vec<(&'a [f64], &'o mut [f64])>,
    to: T,
}

// A closure would be compiled for the least of all processors.
impl<'b, T: Iterator<Item = &'b [f64]>> NullaryFnOnce for Rows<'_, '_, T> {
    type Output = ();

    #[inline(always)]
    fn call(mut self) {
        for (j, other) in self.to.enumerate() {
            for (from, row) in &mut self.rows {
                row[j] = squared_distance(from, other).sqrt();
            }
        }
    }
}

/// No two points are further apart than the diagonal of their bounding box.
fn diameter_bound(points: Points<'_>) -> f64 {
    let mut low = points.row(0).to_vec();
    let mut high = low.clone();
    for row in points.rows() {
        for (j, &v) in row.iter().enumerate() {
            low[j] = low[j].min(v);
            high[j] = high[j].max(v);
        }
    }
    euclidean(&low, &high)
}

pub(crate) fn check_matrix(matrix: MatRef<'_, f64>) -> Result<usize, Error> {
    let n = matrix.nrows();
    if matrix.ncols() != n {
        let got = format!("{n} × {}", matrix.ncols());
        return Err(Error::Shape { what: "a matrix of distances", expected: "square".into(), got });
    }
    let slack = 1e-12 * matrix.norm_max();
    for i in 0..n {
        for j in 0..=i {
            for (row, column) in [(i, j), (j, i)] {
                let value = matrix[(row, column)];
                if !value.is_finite() {
                    return Err(Error::NotFinite { row, column, value });
                }
            }
            let (below, above) = (matrix[(i, j)], matrix[(j, i)]);
            let wrong = if below < 0.0 {
                Some(("a distance", "not negative", format!("{below} between {i} and {j}")))
            } else if i == j && below > 0.0 {
                Some(("the distance of a point from itself", "0", format!("{below} at point {i}")))
            } else if (below - above).abs() > slack {
                let got = format!("{below} from {i} to {j} and {above} back");
                Some(("a matrix of distances", "symmetric", got))
            } else {
                None
            };
            if let Some((name, requirement, got)) = wrong {
                return Err(Error::parameter(name, requirement, got));
            }
        }
    }
    Ok(n)
}
