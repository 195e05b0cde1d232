//! All pairwise distances, one triangle of them.

use std::ops::Range;

use embedding::{Error, MemoryLimit, Observer, Points, proceed};
use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, MatMut, MatRef, Par};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use spectral::Operator;

use crate::scaling::too_large;

/// Rows per strip. A square tile of this side is converted to double precision
/// at a time and stays in the second-level cache.
const STRIP: usize = 128;

/// The largest square, in stored units, that single precision can hold with
/// room for sums.
const LARGEST: f64 = 1e37;

/// Strips filled between two questions whether to go on.
const STRIPS_PER_STEP: usize = 8;

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

    /// `value` as it comes back from the store.
    pub(crate) fn round(self, value: f64) -> f64 {
        match self {
            Self::Single => f64::from(value as f32),
            Self::Double => value,
        }
    }
}

/// Distances between all pairs of n points: symmetric, zero on the diagonal,
/// finite, not negative.
///
/// Squares of the distances are kept, in a power of two of the input unit so
/// that neither precision over- or underflows; one triangle, in strips of 128
/// rows: n²/2 + 64 n numbers.
#[derive(Clone, Debug)]
pub struct Distances {
    n: usize,
    unit: f64,
    strips: Strips,
}

#[derive(Clone, Debug)]
enum Strips {
    Single(Vec<Vec<f32>>),
    Double(Vec<Vec<f64>>),
}

impl Distances {
    /// Bytes that the distances of n points occupy.
    pub fn bytes(n: usize, precision: Precision) -> u64 {
        let (n, strip) = (n as u64, STRIP as u64);
        let (whole, rest) = (n / strip, n % strip);
        (strip * strip * whole * (whole + 1) / 2 + rest * n) * precision.bytes()
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
            for (d, other) in row.iter_mut().zip(points.rows()) {
                *d = euclidean(points.row(i), other);
            }
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
        let unit = unit_of(scale);
        let strips = match precision {
            Precision::Single => Strips::Single(fill_strips(n, unit, observer, &fill, |v| v as f32)?),
            Precision::Double => Strips::Double(fill_strips(n, unit, observer, &fill, |v| v)?),
        };
        Ok(Self { n, unit, strips })
    }

    /// The number of points, n.
    pub fn len(&self) -> usize {
        self.n
    }

    /// Always false: there is no empty set of distances.
    pub fn is_empty(&self) -> bool {
        self.n == 0
    }

    /// The precision of the store.
    pub fn precision(&self) -> Precision {
        match self.strips {
            Strips::Single(_) => Precision::Single,
            Strips::Double(_) => Precision::Double,
        }
    }

    /// The distance between points `i` and `j`, in input units.
    pub fn get(&self, i: usize, j: usize) -> f64 {
        let (i, j) = (i.max(j), i.min(j));
        let mut square = [0.0];
        self.copy_squares(i, j..j + 1, &mut square);
        self.unit * square[0].sqrt()
    }

    /// The input unit of the stored squares' roots, a power of two.
    pub(crate) fn unit(&self) -> f64 {
        self.unit
    }

    /// Squares of the distances from point `i` to the given points, which must
    /// lie before the end of i's strip; in stored units.
    pub(crate) fn copy_squares(&self, i: usize, columns: Range<usize>, out: &mut [f64]) {
        let (strip, local) = (i / STRIP, i % STRIP);
        let start = local * ((strip + 1) * STRIP).min(self.n);
        let range = start + columns.start..start + columns.end;
        match &self.strips {
            Strips::Single(s) => {
                out.iter_mut().zip(&s[strip][range]).for_each(|(o, &v)| *o = f64::from(v));
            }
            Strips::Double(s) => out.copy_from_slice(&s[strip][range]),
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
        (0..self.n.div_ceil(STRIP))
            .into_par_iter()
            .map(|strip| {
                let mut sum = start();
                let mut row = vec![0.0; ((strip + 1) * STRIP).min(self.n)];
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
        self.0.n
    }

    fn apply(&self, x: MatRef<'_, f64>, mut out: MatMut<'_, f64>) {
        let (n, strips) = (self.0.n, self.0.n.div_ceil(STRIP));
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
                        for (i, out) in rows.clone().zip(tile.chunks_mut(shape.1)) {
                            self.0.copy_squares(i, columns.clone(), out);
                        }
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

fn fill_strips<T: Copy + Default + Send>(
    n: usize,
    unit: f64,
    observer: &dyn Observer,
    fill: &(impl Fn(usize, &mut [f64]) + Sync),
    store: impl Fn(f64) -> T + Sync,
) -> Result<Vec<Vec<T>>, Error> {
    let one = |strip: usize| -> Result<Vec<T>, Error> {
        let rows = strip * STRIP..((strip + 1) * STRIP).min(n);
        let width = rows.end;
        let mut values = vec![T::default(); rows.len() * width];
        let mut row = vec![0.0; width];
        for i in rows.clone() {
            fill(i, &mut row[..i]);
            if let Some(j) = row[..i].iter().position(|d| !(d.is_finite() && *d >= 0.0)) {
                let got = format!("{} between {i} and {j}", row[j]);
                return Err(Error::parameter("a distance", "finite and not negative", got));
            }
            for (j, d) in row[..i].iter().enumerate() {
                let square = (d / unit) * (d / unit);
                if square > LARGEST {
                    return Err(too_large());
                }
                let value = store(square);
                values[(i - rows.start) * width + j] = value;
                // The diagonal tile is kept in full.
                if j >= rows.start {
                    values[(j - rows.start) * width + i] = value;
                }
            }
        }
        Ok(values)
    };
    let count = n.div_ceil(STRIP);
    let mut strips = Vec::with_capacity(count);
    proceed(observer, 0, count)?;
    while strips.len() < count {
        let next = strips.len()..(strips.len() + STRIPS_PER_STEP).min(count);
        let filled: Result<Vec<Vec<T>>, Error> = next.into_par_iter().map(one).collect();
        strips.extend(filled?);
        proceed(observer, strips.len(), count)?;
    }
    Ok(strips)
}

/// The power of two at or below `scale`; 1 where there is none.
pub(crate) fn unit_of(scale: f64) -> f64 {
    let unit = 2f64.powi(scale.log2().floor() as i32);
    if scale > 0.0 && unit > 0.0 && unit.is_finite() { unit } else { 1.0 }
}

/// Euclidean distance, summed in order; no distance is squared out of range.
pub(crate) fn euclidean(a: &[f64], b: &[f64]) -> f64 {
    let squared: f64 = a.iter().zip(b).map(|(x, y)| (x - y) * (x - y)).sum();
    squared.sqrt()
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
