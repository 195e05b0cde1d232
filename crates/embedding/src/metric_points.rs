//! Points prepared for a metric.

use std::sync::Arc;

use crate::implement::{LANES, pairwise_sum, squared_distance};
use crate::mixed_rows::{self, Gaps};
use crate::{Error, Metric, PointSet, Points, Remedy};

/// Points prepared for a metric ([`Metric::prepare`]).
///
/// By cosine, correlation and Hellinger's metric the rows are mapped to points whose
/// Euclidean distance e determines theirs: ½ e² for the unit vectors of the first two, e
/// itself for √(p/2). So their neighbors are Euclidean neighbors, in the same order.
#[derive(Clone, Debug)]
pub struct MetricPoints<'a> {
    rows: Prepared<'a>,
    pair: Pair,
    /// The gaps of encoded rows ([`Metric::is_mixed`]).
    gaps: Option<Arc<Gaps>>,
}

/// Rows as they were given, or a copy, mapped or of some of them.
#[derive(Clone, Debug)]
enum Prepared<'a> {
    Given(Points<'a>),
    Own(PointSet),
}

/// The distance of two prepared rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Pair {
    Euclidean,
    /// Half of the squared Euclidean distance.
    HalfSquare,
    Manhattan,
    Chebyshev,
    Minkowski(f64),
    Hamming,
    Jaccard,
    Gower,
    NanEuclidean,
}

impl<'a> MetricPoints<'a> {
    /// Prepares points for a metric that was checked.
    pub(crate) fn new(metric: Metric, points: Points<'a>) -> Result<Self, Error> {
        let (pair, map) = mapping(metric);
        let Some(map) = map else {
            check_magnitude(metric, points)?;
            let gaps = gaps(metric, points)?.map(Arc::new);
            return Ok(Self { rows: Prepared::Given(points), pair, gaps });
        };
        let mut rows = points.values().to_vec();
        match rows.chunks_exact_mut(points.dim()).position(|row| !map(row)) {
            None => Ok(Self { rows: Prepared::Own(PointSet::new(rows, points.dim())?), pair, gaps: None }),
            Some(row) => Err(no_distance(metric, row)),
        }
    }

    /// Fails as [`MetricPoints::new`], without a copy of the points.
    pub(crate) fn check(metric: Metric, points: Points<'a>) -> Result<(), Error> {
        let Some(map) = mapping(metric).1 else {
            check_magnitude(metric, points)?;
            return gaps(metric, points).map(drop);
        };
        let mut mapped = vec![0.0; points.dim()];
        let refused = points.rows().position(|row| {
            mapped.copy_from_slice(row);
            !map(&mut mapped)
        });
        refused.map_or(Ok(()), |row| Err(no_distance(metric, row)))
    }

    /// The prepared rows.
    pub fn rows(&self) -> Points<'_> {
        match &self.rows {
            Prepared::Given(points) => *points,
            Prepared::Own(points) => points.view(),
        }
    }

    /// The number of points, n.
    pub fn len(&self) -> usize {
        self.rows().len()
    }

    /// Always false: there is no empty data set.
    pub fn is_empty(&self) -> bool {
        self.rows().is_empty()
    }

    /// Some of the points, in the given order.
    pub fn select(&self, rows: &[u32]) -> MetricPoints<'static> {
        let rows = Prepared::Own(self.rows().select(rows));
        MetricPoints { rows, pair: self.pair, gaps: self.gaps.clone() }
    }

    /// Fails where these points and new ones, prepared for the same metric, have no distance: by a metric over
    /// the columns that both rows have, where the columns have other weights, and with [`Error::Degenerate`]
    /// where two rows have no common column.
    pub fn check_new(&self, new: &MetricPoints<'_>) -> Result<(), Error> {
        match (&self.gaps, &new.gaps) {
            (Some(known), Some(new)) => known.check_new(new),
            _ => Ok(()),
        }
    }

    /// Whether distances have the unit of the coordinates: points times c > 0 have c times
    /// the distances.
    pub fn has_unit(&self) -> bool {
        matches!(
            self.pair,
            Pair::Euclidean | Pair::Manhattan | Pair::Chebyshev | Pair::Minkowski(_) | Pair::NanEuclidean
        )
    }

    /// The distance between points `i` and `j`. O(D).
    #[inline(always)]
    pub fn distance(&self, i: usize, j: usize) -> f64 {
        self.between(self.rows().row(i), self.rows().row(j))
    }

    /// The distance between two rows prepared for this metric, whether they are among these points or
    /// not. O(D).
    #[inline(always)]
    pub fn between(&self, a: &[f64], b: &[f64]) -> f64 {
        self.between_each(a, [b])[0]
    }

    /// The distances from one prepared row to several, equal to [`MetricPoints::between`] to the
    /// bit. Several independent sums keep more of a processor busy. O(N D).
    #[inline(always)]
    pub fn between_each<const N: usize>(&self, a: &[f64], to: [&[f64]; N]) -> [f64; N] {
        match self.pair {
            Pair::Euclidean => euclidean(a, to),
            Pair::HalfSquare => {
                let mut distances = euclidean(a, to);
                distances.iter_mut().for_each(|d| *d = half_square(*d));
                distances
            }
            Pair::Manhattan => sums(a, to, |x, y| (x - y).abs()),
            Pair::Chebyshev => largest_differences(a, to),
            Pair::Minkowski(p) => minkowski(a, to, p),
            Pair::Gower => mixed_rows::gower(a, to),
            Pair::NanEuclidean => mixed_rows::nan_euclidean(a, to),
            Pair::Hamming => sums(a, to, |x, y| f64::from(u8::from(x != y))).map(|s| s / a.len() as f64),
            Pair::Jaccard => {
                let union = sums(a, to, |x, y| f64::from(u8::from((x != 0.0) | (y != 0.0))));
                let mut different = sums(a, to, |x, y| f64::from(u8::from((x != 0.0) != (y != 0.0))));
                let all = different.iter_mut().zip(union);
                all.for_each(|(d, union)| *d = if union > 0.0 { *d / union } else { 0.0 });
                different
            }
        }
    }

    /// The distance of two points whose prepared rows have this Euclidean distance, a
    /// strictly increasing function; `None` where no such function exists.
    pub fn of_euclidean(&self) -> Option<fn(f64) -> f64> {
        match self.pair {
            Pair::Euclidean => Some(|euclidean| euclidean),
            Pair::HalfSquare => Some(half_square),
            _ => None,
        }
    }

    /// A Euclidean distance of prepared rows that no two points of at most this distance
    /// exceed; where [`MetricPoints::of_euclidean`] exists.
    pub fn euclidean_bound(&self, distance: f64) -> f64 {
        match self.pair {
            Pair::HalfSquare => (2.0 * distance.min(4.0)).sqrt() * (1.0 + 4.0 * f64::EPSILON),
            _ => distance,
        }
    }
}

/// Maps a row; false where it has no distance to others.
type Map = fn(&mut [f64]) -> bool;

/// The distance of prepared rows, and the map that prepares them; none where they stay as they are.
fn mapping(metric: Metric) -> (Pair, Option<Map>) {
    match metric {
        Metric::Euclidean | Metric::Minkowski { p: 2.0 } => (Pair::Euclidean, None),
        Metric::Manhattan | Metric::Minkowski { p: 1.0 } => (Pair::Manhattan, None),
        Metric::Minkowski { p } => (Pair::Minkowski(p), None),
        Metric::Chebyshev => (Pair::Chebyshev, None),
        Metric::Hamming => (Pair::Hamming, None),
        Metric::Jaccard => (Pair::Jaccard, None),
        Metric::Gower => (Pair::Gower, None),
        Metric::NanEuclidean => (Pair::NanEuclidean, None),
        Metric::Cosine => (Pair::HalfSquare, Some(|row| normalize(row, squared_length))),
        Metric::Correlation => (Pair::HalfSquare, Some(center_and_normalize)),
        Metric::Hellinger => (Pair::Euclidean, Some(root_of_distribution)),
    }
}

/// Fails where sums, powers or differences of coordinates could overflow.
fn check_magnitude(metric: Metric, points: Points<'_>) -> Result<(), Error> {
    let (pair, _) = mapping(metric);
    if matches!(pair, Pair::Euclidean | Pair::HalfSquare | Pair::Hamming | Pair::Jaccard) {
        return Ok(());
    }
    let largest = points.values().iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    if (2.0 * points.dim() as f64 * largest).is_finite() {
        return Ok(());
    }
    Err(Error::degenerate(
        format!("distances overflow: a value has the magnitude {largest:e}"),
        "divide all values by a common factor",
    ))
}

/// The gaps of encoded rows, which have a distance to each other; `None` for other metrics.
fn gaps(metric: Metric, points: Points<'_>) -> Result<Option<Gaps>, Error> {
    if !metric.is_mixed() {
        return Ok(None);
    }
    let gaps = Gaps::of(metric, points)?;
    gaps.check().map(|()| Some(gaps))
}

/// The refusal of a row that has no distance to others by a metric.
pub(crate) fn no_distance(metric: Metric, row: usize) -> Error {
    let problem = match metric {
        Metric::Correlation => "is constant and has no correlation with others",
        Metric::Hellinger => {
            "is no distribution, for which values must not be negative and their sum must be positive"
        }
        _ => "is zero and has no direction, which cosine distances need",
    };
    let advice = "leave the row out, or choose another metric";
    let error = Error::degenerate(format!("row {row} (counted from 0) {problem}"), advice);
    error.with_remedy(Remedy::LeaveOutZeroRows)
}

/// 1 − cos of the angle between two unit vectors at this distance. Strictly increasing in
/// floating-point numbers too: neighboring numbers have squares farther apart than one unit
/// in the last place.
#[inline(always)]
pub(crate) fn half_square(euclidean: f64) -> f64 {
    0.5 * (euclidean * euclidean)
}

/// (Without `map`, which is not inlined into code that is compiled for wider registers.)
#[inline(always)]
fn euclidean<const N: usize>(a: &[f64], to: [&[f64]; N]) -> [f64; N] {
    let mut distances = [0.0; N];
    for (distance, b) in distances.iter_mut().zip(to) {
        *distance = squared_distance(a, b).sqrt();
    }
    distances
}

/// The sum of a term per column, of one row with each of some others, in [`LANES`] partial sums,
/// as in [`squared_distance`].
#[inline(always)]
fn sums<const N: usize>(a: &[f64], to: [&[f64]; N], term: impl Fn(f64, f64) -> f64 + Copy) -> [f64; N] {
    let lanes = accumulate(a, to, |sum, x, y| sum + term(x, y));
    let mut all = lanes.map(pairwise_sum);
    let whole = a.len() / LANES * LANES;
    for (sum, b) in all.iter_mut().zip(to) {
        let rest: f64 = a[whole..].iter().zip(&b[whole..]).map(|(x, y)| term(*x, *y)).sum();
        *sum += rest;
    }
    all
}

#[inline(always)]
fn largest_differences<const N: usize>(a: &[f64], to: [&[f64]; N]) -> [f64; N] {
    let larger = |m: f64, d: f64| if d > m { d } else { m };
    let lanes = accumulate(a, to, |m, x, y| larger(m, (x - y).abs()));
    let mut all = lanes.map(|lanes| lanes.into_iter().fold(0.0, larger));
    let whole = a.len() / LANES * LANES;
    for (largest, b) in all.iter_mut().zip(to) {
        let rest = a[whole..].iter().zip(&b[whole..]).map(|(x, y)| (x - y).abs());
        *largest = rest.fold(*largest, larger);
    }
    all
}

/// Accumulates the whole chunks of columns in [`LANES`] lanes, from 0.
#[inline(always)]
fn accumulate<const N: usize>(
    a: &[f64],
    to: [&[f64]; N],
    step: impl Fn(f64, f64, f64) -> f64,
) -> [[f64; LANES]; N] {
    let a = a.as_chunks::<LANES>().0;
    let to = to.map(|b| {
        debug_assert_eq!(b.len() / LANES, a.len(), "rows of different lengths have no distance");
        &b.as_chunks::<LANES>().0[..a.len()]
    });
    let mut lanes = [[0.0; LANES]; N];
    for (c, x) in a.iter().enumerate() {
        for (lanes, b) in lanes.iter_mut().zip(to) {
            let y = &b[c];
            for l in 0..LANES {
                lanes[l] = step(lanes[l], x[l], y[l]);
            }
        }
    }
    lanes
}

/// (Σ |x − y|^p)^(1/p), relative to the largest difference where the powers would leave the
/// range of numbers.
#[inline(always)]
fn minkowski<const N: usize>(a: &[f64], to: [&[f64]; N], p: f64) -> [f64; N] {
    let mut all = powers(a, to, p, 1.0);
    for (distance, b) in all.iter_mut().zip(to) {
        *distance = match *distance {
            plain if plain > 1e-250 && plain < 1e250 => plain.powf(p.recip()),
            _ => relative(a, b, p),
        };
    }
    all
}

#[inline(never)]
fn relative(a: &[f64], b: &[f64], p: f64) -> f64 {
    let largest = largest_differences(a, [b])[0];
    // The inverse of a subnormal number can overflow; such distances are one column's.
    if largest.recip().is_finite() && largest > 0.0 {
        return largest * powers(a, [b], p, largest.recip())[0].powf(p.recip());
    }
    largest
}

/// Σ (|x − y| · unit)^p. Whole exponents up to 16, and these and a half, by products and a
/// root: unlike a power, in all lanes of a register.
#[inline(always)]
fn powers<const N: usize>(a: &[f64], to: [&[f64]; N], p: f64, unit: f64) -> [f64; N] {
    let size = |x: f64, y: f64| (x - y).abs() * unit;
    let whole = p.trunc() as u32;
    match (p - p.trunc(), whole) {
        (0.0, 3) => sums(a, to, |x, y| product(size(x, y), 3)),
        (0.0, 4) => sums(a, to, |x, y| product(size(x, y), 4)),
        (0.0, ..=16) => sums(a, to, |x, y| product(size(x, y), whole)),
        (0.5, 1) => sums(a, to, |x, y| size(x, y) * size(x, y).sqrt()),
        (0.5, ..=16) => sums(a, to, |x, y| product(size(x, y), whole) * size(x, y).sqrt()),
        _ => sums(a, to, |x, y| size(x, y).powf(p)),
    }
}

/// t · t · …, `p` times.
#[inline(always)]
fn product(t: f64, p: u32) -> f64 {
    (1..p).fold(t, |product, _| product * t)
}

fn squared_length(row: &[f64]) -> f64 {
    sums(row, [row], |x, y| x * y)[0]
}

/// Divides a row by its length, the root of `squares`; false for a zero row.
pub(crate) fn normalize(row: &mut [f64], squares: impl Fn(&[f64]) -> f64) -> bool {
    let largest = row.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    if largest == 0.0 {
        return false;
    }
    if !(1e-250..1e250).contains(&squares(row)) {
        row.iter_mut().for_each(|v| *v /= largest);
    }
    let length = squares(row).sqrt();
    row.iter_mut().for_each(|v| *v /= length);
    true
}

/// Shifts a row to mean 0 and divides it by its length; false for a constant row.
fn center_and_normalize(row: &mut [f64]) -> bool {
    let first = row[0];
    if row.iter().all(|v| *v == first) {
        return false;
    }
    // Halves, because a difference can overflow. Relative to the first value, a small
    // variation about a large mean keeps its digits.
    row.iter_mut().for_each(|v| *v = 0.5 * *v - 0.5 * first);
    if !normalize(row, squared_length) {
        return false;
    }
    let mean = row.iter().sum::<f64>() / row.len() as f64;
    row.iter_mut().for_each(|v| *v -= mean);
    normalize(row, squared_length)
}

/// √(p/2) with p the row divided by its sum; false where a value is negative or all are 0.
pub(crate) fn root_of_distribution(row: &mut [f64]) -> bool {
    let largest = row.iter().fold(0.0_f64, |m, v| m.max(*v));
    if largest == 0.0 || row.iter().any(|v| *v < 0.0) {
        return false;
    }
    row.iter_mut().for_each(|v| *v /= largest);
    let total: f64 = row.iter().sum();
    row.iter_mut().for_each(|v| *v = (0.5 * (*v / total)).sqrt());
    true
}
