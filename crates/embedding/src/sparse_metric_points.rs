//! Sparse points prepared for a metric.

use crate::metric_points::{half_square, no_distance, normalize, root_of_distribution};
use crate::sparse_distance::{Lanes, union};
use crate::{Error, Metric, SparsePointSet, SparsePoints};

/// Sparse points prepared for a metric ([`Metric::prepare_sparse`]).
///
/// [`SparseMetricPoints::distance`] equals the distance of the same points with their zeros
/// ([`MetricPoints`](crate::implement::MetricPoints)) to the bit, and up to rounding for
/// correlation.
///
/// [`SparseMetricPoints::bounds`] needs of a pair only a sum over the columns that both rows have,
/// which inverted lists give for all rows at a time:
///
/// | metric | bounds of | term of a common column |
/// |---|---|---|
/// | Euclidean, Hellinger; cosine, correlation | e² = \|x\|² + \|y\|² − 2 x·y of the mapped rows | −2 x_c y_c |
/// | Manhattan | Σ\|x\| + Σ\|y\| + the sum | \|x_c − y_c\| − \|x_c\| − \|y_c\| |
/// | Hamming, Jaccard | the distance, from counts of columns | −1, and −1 where the values are equal |
#[derive(Clone, Debug)]
pub struct SparseMetricPoints {
    rows: SparsePointSet,
    pair: Pair,
    /// The shift of every column of a row, its zeros included: for correlation, where the
    /// shifted row has mean 0.
    shifts: Vec<f64>,
    /// What a row adds to the bounds of its pairs.
    weights: Vec<f64>,
    /// What a row adds to the possible error of the bounds.
    magnitudes: Vec<f64>,
    /// The largest number of entries of a row.
    longest: usize,
}

impl SparseMetricPoints {
    /// Prepares points for a metric that was checked.
    pub(crate) fn new(metric: Metric, points: SparsePoints<'_>) -> Result<Self, Error> {
        let dim = points.dim();
        let Some((pair, map)) = mapping(metric) else {
            return Err(Error::parameter(
                "the metric of sparse points",
                "euclidean, cosine, correlation, manhattan, hamming, jaccard or hellinger (the others take the \
                 points with their zeros)",
                metric,
            ));
        };
        let (mut values, mut shifts) = (points.values().to_vec(), Vec::with_capacity(points.len()));
        let mut rest = &mut values[..];
        for i in 0..points.len() {
            let columns = points.row(i).0;
            let row = rest.split_off_mut(..columns.len()).expect("a value per entry");
            let shift = map.map_or(Some(0.0), |map| map(columns, row, dim));
            shifts.push(shift.ok_or_else(|| no_distance(metric, i))?);
        }
        let rows = points.with_values(values);
        let (weights, magnitudes) = rows.weights(pair, &shifts);
        let longest = (0..points.len()).map(|i| points.row(i).0.len()).max().unwrap_or(0);
        Ok(Self { rows, pair, shifts, weights, magnitudes, longest })
    }

    /// The number of points, n.
    pub fn len(&self) -> usize {
        self.shifts.len()
    }

    /// Always false: there is no empty data set.
    pub fn is_empty(&self) -> bool {
        self.shifts.is_empty()
    }

    /// The columns of prepared row `i`, and its values there; these may be 0.
    pub fn row(&self, i: usize) -> (&[u32], &[f64]) {
        self.rows.view().row(i)
    }

    /// The distance between points `i` and `j`. O(entries of both rows).
    pub fn distance(&self, i: usize, j: usize) -> f64 {
        let (a, b, dim) = (self.row(i), self.row(j), self.rows.view().dim());
        match self.pair {
            Pair::Euclidean => self.squared(i, j).sqrt(),
            Pair::HalfSquare => half_square(self.squared(i, j).sqrt()),
            Pair::Manhattan => union(a, b, dim, |x, y| (x - y).abs()).0,
            Pair::Hamming => union(a, b, dim, |x, y| f64::from(u8::from(x != y))).0 / dim as f64,
            Pair::Jaccard => {
                let (different, all) = union(a, b, dim, |x, y| f64::from(u8::from((x != 0.0) != (y != 0.0))));
                if all > 0 { different / all as f64 } else { 0.0 }
            }
        }
    }

    /// The squared Euclidean distance of two prepared rows.
    fn squared(&self, i: usize, j: usize) -> f64 {
        let dim = self.rows.view().dim();
        let shift = self.shifts[i] - self.shifts[j];
        let square = |x: f64, y: f64| {
            let t = x - y + shift;
            t * t
        };
        let (sum, columns) = union(self.row(i), self.row(j), dim, square);
        if shift == 0.0 { sum } else { sum + (dim - columns) as f64 * (shift * shift) }
    }

    /// The term of a column that two rows have, in the sum that [`SparseMetricPoints::bounds`]
    /// takes.
    #[inline(always)]
    pub fn common(&self, x: f64, y: f64) -> f64 {
        match self.pair {
            Pair::Euclidean | Pair::HalfSquare => -2.0 * x * y,
            Pair::Manhattan => (x - y).abs() - x.abs() - y.abs(),
            Pair::Hamming if x == y => -2.0,
            Pair::Hamming | Pair::Jaccard => -1.0,
        }
    }

    /// The sum of [`SparseMetricPoints::common`] over columns of two rows, up to rounding, from their values
    /// in each column divided by `unit`; a row without the column has 0 there.
    #[inline(always)]
    pub fn common_of(&self, unit: f64, values: impl Iterator<Item = (f32, f32)>) -> f64 {
        let both = |x: f32, y: f32| u32::from(x != 0.0 && y != 0.0);
        match self.pair {
            Pair::Euclidean | Pair::HalfSquare => {
                -2.0 * unit * unit * f64::from(values.map(|(x, y)| x * y).sum::<f32>())
            }
            Pair::Manhattan => {
                unit * f64::from(values.map(|(x, y)| (x - y).abs() - x.abs() - y.abs()).sum::<f32>())
            }
            Pair::Hamming => {
                -f64::from(values.map(|(x, y)| both(x, y) * (1 + u32::from(x == y))).sum::<u32>())
            }
            Pair::Jaccard => -f64::from(values.map(|(x, y)| both(x, y)).sum::<u32>()),
        }
    }

    /// Lower and upper bounds of an increasing function of the distance of two points, from the
    /// sum over their common columns; [`SparseMetricPoints::bounded`] is that function. Pairs
    /// whose distances are equal or nearly so, which the function could confuse by rounding,
    /// have overlapping bounds.
    #[inline(always)]
    pub fn bounds(&self, i: usize, j: usize, common: f64) -> (f64, f64) {
        if self.pair == Pair::Jaccard {
            let all = self.weights[i] + self.weights[j] + common;
            let distance = if all > 0.0 { (all + common) / all } else { 0.0 };
            return (distance, distance);
        }
        let shared = if self.shifts[i] == 0.0 || self.shifts[j] == 0.0 {
            0.0
        } else {
            2.0 * self.rows.view().dim() as f64 * self.shifts[i] * self.shifts[j]
        };
        let value = self.weights[i] + self.weights[j] + common + shared;
        // A sum has at most `longest` terms, each of a few roundings.
        let terms = (4 * self.longest + 64) as f64;
        let error = terms * f64::EPSILON * (self.magnitudes[i] + self.magnitudes[j]) + TINY;
        (value - error, value + error)
    }

    /// The function that [`SparseMetricPoints::bounds`] bounds, of a distance; rounded up.
    pub fn bounded(&self, distance: f64) -> f64 {
        let value = match self.pair {
            Pair::Euclidean => distance * distance,
            Pair::HalfSquare => 2.0 * distance,
            Pair::Hamming => distance * self.rows.view().dim() as f64,
            Pair::Manhattan | Pair::Jaccard => distance,
        };
        value * (1.0 + 16.0 * f64::EPSILON) + TINY
    }
}

/// The distance of two mapped rows, one that a sum over common columns bounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Pair {
    Euclidean,
    /// Half the squared Euclidean distance.
    HalfSquare,
    Manhattan,
    Hamming,
    Jaccard,
}

/// More than what is lost where squares are below the range of normal numbers.
const TINY: f64 = f64::MIN_POSITIVE;

/// Maps the values of a row, given its columns and D; returns the shift of the row, or none
/// where it has no distance to others.
pub(crate) type Map = fn(&[u32], &mut [f64], usize) -> Option<f64>;

/// The distance of mapped rows, and the map; none for a metric that no sum over common columns
/// bounds.
pub(crate) fn mapping(metric: Metric) -> Option<(Pair, Option<Map>)> {
    Some(match metric {
        Metric::Euclidean | Metric::Minkowski { p: 2.0 } => (Pair::Euclidean, None),
        Metric::Manhattan | Metric::Minkowski { p: 1.0 } => (Pair::Manhattan, None),
        Metric::Hamming => (Pair::Hamming, None),
        Metric::Jaccard => (Pair::Jaccard, None),
        Metric::Cosine => (Pair::HalfSquare, Some(unit_vector)),
        Metric::Correlation => (Pair::HalfSquare, Some(centered_unit_vector)),
        Metric::Hellinger => {
            (Pair::Euclidean, Some(|_, values, _| root_of_distribution(values).then_some(0.0)))
        }
        Metric::Chebyshev | Metric::Minkowski { .. } | Metric::Gower | Metric::NanEuclidean => return None,
    })
}

impl SparsePointSet {
    /// What each row adds to the bounds of its pairs, and to their possible error.
    fn weights(&self, pair: Pair, shifts: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let (view, dim) = (self.view(), self.view().dim() as f64);
        let of = |(i, shift): (usize, &f64)| {
            let values = view.row(i).1;
            match pair {
                // Of a row of mean 0 and length 1, the entries have the squared length 1 + D s².
                _ if *shift != 0.0 => (1.0, 1.0 + 2.0 * dim * shift * shift),
                Pair::Euclidean | Pair::HalfSquare => {
                    let square: f64 = values.iter().map(|v| v * v).sum();
                    (square, square)
                }
                Pair::Manhattan => {
                    let sum: f64 = values.iter().map(|v| v.abs()).sum();
                    (sum, sum)
                }
                Pair::Hamming | Pair::Jaccard => (values.len() as f64, values.len() as f64),
            }
        };
        shifts.iter().enumerate().map(of).unzip()
    }
}

/// Divides a row by its length.
fn unit_vector(columns: &[u32], values: &mut [f64], dim: usize) -> Option<f64> {
    let squares = |values: &[f64]| {
        let mut lanes = Lanes::new(dim);
        columns.iter().zip(values).for_each(|(&c, v)| lanes.add(c, v * v));
        lanes.sum()
    };
    normalize(values, squares).then_some(0.0)
}

/// Divides a row by the length of its difference from its mean m, and returns −m by that length.
/// A row without zeros is taken relative to its first value, so that a small variation about a
/// large mean keeps its digits.
fn centered_unit_vector(columns: &[u32], values: &mut [f64], dim: usize) -> Option<f64> {
    if columns.len() == dim {
        let first = values[0];
        values.iter_mut().for_each(|v| *v = 0.5 * *v - 0.5 * first);
    }
    unit_vector(columns, values, dim)?;
    let mean = values.iter().sum::<f64>() / dim as f64;
    let zeros = (dim - columns.len()) as f64;
    let squares: f64 = values.iter().map(|v| (v - mean) * (v - mean)).sum();
    let length = (squares + zeros * mean * mean).sqrt();
    values.iter_mut().for_each(|v| *v /= length);
    Some(-mean / length)
}
