//! Distances of rows that [`MixedColumns`](crate::mixed::MixedColumns) encoded, over the columns that both rows have.

use crate::implement::{LANES, pairwise_sum};
use crate::mixed::ABSENT;
use crate::{Error, MemoryLimit, Metric, PointSet, Points, Remedy};

/// Gower's coefficient Σ w_c δ_c / Σ w_c. Common zeros of asymmetric columns are not common values.
#[inline(always)]
pub(crate) fn gower<const N: usize>(a: &[f64], to: [&[f64]; N]) -> [f64; N] {
    let mut distances = [0.0; N];
    for (distance, b) in distances.iter_mut().zip(to) {
        let [sum, weights] = sums(a, b, |x, y, p, q| {
            let apart = if p > 0.0 { (x - y).abs() } else { f64::from(u8::from(x != y)) * p.abs() };
            let both_absent = (p < 0.0) & (x == ABSENT) & (y == ABSENT);
            let common = f64::from(u8::from((p != 0.0) & (q != 0.0) & !both_absent));
            [common * apart, common * p.abs()]
        });
        *distance = sum / weights;
    }
    distances
}

/// √(Σ w / Σ_common w · Σ_common (x − y)²), of values times √w.
#[inline(always)]
pub(crate) fn nan_euclidean<const N: usize>(a: &[f64], to: [&[f64]; N]) -> [f64; N] {
    let mut distances = [0.0; N];
    for (distance, b) in distances.iter_mut().zip(to) {
        *distance = match of_squares(a, b, 1.0) {
            plain if plain > 1e-125 && plain < 1e125 => plain,
            _ => relative(a, b),
        };
    }
    distances
}

/// The distance in a unit.
#[inline(always)]
fn of_squares(a: &[f64], b: &[f64], per_unit: f64) -> f64 {
    let both = |p: f64, q: f64| f64::from(u8::from((p > 0.0) & (q > 0.0)));
    let [squares, common] = sums(a, b, |x, y, p, q| {
        let apart = both(p, q) * ((x - y) * per_unit);
        [apart * apart, both(p, q) * p]
    });
    let all: f64 = a[a.len() / 2..].iter().map(|p| p.abs()).sum();
    (all / common * squares).sqrt()
}

/// The distance where squares could leave the range of numbers.
#[inline(never)]
fn relative(a: &[f64], b: &[f64]) -> f64 {
    let dim = a.len() / 2;
    let apart = |c: usize| if a[dim + c] > 0.0 && b[dim + c] > 0.0 { (a[c] - b[c]).abs() } else { 0.0 };
    let largest = (0..dim).map(apart).fold(0.0, f64::max);
    // The inverse of a subnormal number can overflow.
    if largest.recip().is_finite() && largest > 0.0 {
        return largest * of_squares(a, b, largest.recip());
    }
    largest
}

/// Two sums of terms per column, of the values x and y and the weights p and q, in [`LANES`] partial sums.
#[inline(always)]
fn sums(a: &[f64], b: &[f64], term: impl Fn(f64, f64, f64, f64) -> [f64; 2]) -> [f64; 2] {
    let dim = a.len() / 2;
    let ((x, p), (y, q)) = (a.split_at(dim), b.split_at(dim));
    let (mut first, mut second) = ([0.0; LANES], [0.0; LANES]);
    let whole = dim / LANES * LANES;
    debug_assert_eq!(a.len(), b.len(), "rows of different lengths have no distance");
    let (xs, ys) = (x.as_chunks::<LANES>().0, y.as_chunks::<LANES>().0);
    let (ps, qs) = (p.as_chunks::<LANES>().0, q.as_chunks::<LANES>().0);
    for (((x, y), p), q) in xs.iter().zip(ys).zip(ps).zip(qs) {
        for l in 0..LANES {
            let [one, two] = term(x[l], y[l], p[l], q[l]);
            first[l] += one;
            second[l] += two;
        }
    }
    let mut rest = [0.0; 2];
    for c in whole..dim {
        let [one, two] = term(x[c], y[c], p[c], q[c]);
        rest[0] += one;
        rest[1] += two;
    }
    if whole == 0 {
        return rest;
    }
    [rest[0] + pairwise_sum(first), rest[1] + pairwise_sum(second)]
}

/// The columns and gaps of encoded rows.
#[derive(Clone, Debug)]
pub(crate) struct Gaps {
    metric: Metric,
    /// The weight of each column; 0 where no row has a value.
    weights: Vec<f64>,
    /// The first row of each different set of columns with values.
    patterns: Vec<Pattern>,
}

/// A set of columns in which some rows have values.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Pattern {
    count: u32,
    columns: Vec<u64>,
    /// The columns without the zeros of asymmetric ones, which another row must have for a common value.
    shown: Vec<u64>,
    row: usize,
}

impl Pattern {
    /// Whether rows of these patterns have no common value.
    fn is_apart(&self, other: &Self) -> bool {
        let none = |a: &[u64], b: &[u64]| a.iter().zip(b).all(|(a, b)| a & b == 0);
        none(&self.shown, &other.columns) && none(&self.columns, &other.shown)
    }
}

impl Gaps {
    /// Reads the gaps of encoded rows.
    ///
    /// Fails with [`Error::Shape`] or [`Error::Parameter`] for rows that are not encoded, and with
    /// [`Error::Degenerate`] where a row holds no value.
    pub(crate) fn of(metric: Metric, points: Points<'_>) -> Result<Self, Error> {
        if !points.dim().is_multiple_of(2) {
            return Err(not_encoded(metric, format!("an odd number of columns, {}", points.dim())));
        }
        let dim = points.dim() / 2;
        let mut weights = vec![0.0; dim];
        let mut patterns = Vec::new();
        for (row, values) in points.rows().enumerate() {
            let mut columns = vec![0_u64; dim.div_ceil(64)];
            let mut shown = columns.clone();
            for (c, (own, known)) in values[dim..].iter().zip(&mut weights).enumerate() {
                let weight = if metric == Metric::Gower { *own } else { own.abs() };
                if *known == 0.0 {
                    *known = weight;
                }
                if weight != 0.0 && weight != *known || metric != Metric::Gower && weight == 0.0 {
                    return Err(not_encoded(metric, format!("other weights in row {row} (counted from 0)")));
                }
                let has_value = !is_gap(metric, *own);
                let is_absent = metric == Metric::Gower && *own < 0.0 && values[c] == ABSENT;
                columns[c / 64] |= u64::from(has_value) << (c % 64);
                shown[c / 64] |= u64::from(has_value && !is_absent) << (c % 64);
            }
            let count = columns.iter().map(|part| part.count_ones()).sum();
            if shown.iter().all(|part| *part == 0) {
                let what = if count == 0 { "no value" } else { "only zeros of asymmetric columns" };
                return Err(Error::degenerate(
                    format!("row {row} (counted from 0) holds {what}"),
                    "leave the row out",
                ));
            }
            patterns.push(Pattern { count, columns, shown, row });
        }
        patterns.sort_unstable();
        patterns.dedup_by(|a, b| a.columns == b.columns && a.shown == b.shown);
        Ok(Self { metric, weights, patterns })
    }

    /// Fails with [`Error::Degenerate`] where two rows have no common column, and names both.
    pub(crate) fn check(&self) -> Result<(), Error> {
        self.disjoint(self).map_or(Ok(()), |(one, other)| {
            Err(nothing_in_common(format!(
                "rows {} and {} (counted from 0) have no column in which both hold a value",
                one.min(other),
                one.max(other)
            )))
        })
    }

    /// The same for new rows and these.
    pub(crate) fn check_new(&self, new: &Self) -> Result<(), Error> {
        let other = |(a, b): (&f64, &f64)| *a != 0.0 && *b != 0.0 && a != b;
        if self.weights.len() != new.weights.len() || self.weights.iter().zip(&new.weights).any(other) {
            return Err(not_encoded(self.metric, "new rows with other columns or weights".to_owned()));
        }
        self.disjoint(new).map_or(Ok(()), |(known, new)| {
            Err(nothing_in_common(format!(
                "new row {new} and training row {known} (counted from 0) have no column in which both hold a value"
            )))
        })
    }

    /// A row of each, without a common value. Sets that have more than D columns together have a common one.
    fn disjoint(&self, other: &Self) -> Option<(usize, usize)> {
        let dim = self.weights.len() as u32;
        self.patterns.iter().find_map(|one| {
            let shown: u32 = one.shown.iter().map(|part| part.count_ones()).sum();
            let mut few = other.patterns.iter().take_while(|another| shown + another.count <= dim);
            few.find(|another| one.is_apart(another)).map(|another| (one.row, another.row))
        })
    }
}

/// Whether a value is a gap, by its signed weight.
fn is_gap(metric: Metric, weight: f64) -> bool {
    if metric == Metric::Gower { weight == 0.0 } else { weight < 0.0 }
}

fn not_encoded(metric: Metric, got: String) -> Error {
    Error::Shape {
        what: "rows by the metrics gower and nan-euclidean",
        expected: format!("encoded by the same MixedColumns for {metric}"),
        got,
    }
}

fn nothing_in_common(problem: String) -> Error {
    let advice = "leave out one of them, leave out columns with many gaps, or fill the gaps";
    Error::degenerate(problem, advice).with_remedy(Remedy::MissingValues)
}

/// Coordinates of encoded rows, for starts from principal components: a column per number, a column per
/// category that occurs, which is half of the weight for its rows and 0 for others, and the mean of the
/// column in gaps.
pub(crate) fn coordinates(metric: Metric, points: Points<'_>, limit: MemoryLimit) -> Result<PointSet, Error> {
    let dim = points.dim() / 2;
    // For each new column its source, and the category that it stands for.
    let mut sources: Vec<(usize, Option<f64>)> = Vec::new();
    for c in 0..dim {
        let present = points.rows().filter(|row| !is_gap(metric, row[dim + c]));
        if metric == Metric::NanEuclidean || present.clone().all(|row| row[dim + c] > 0.0) {
            sources.push((c, None));
            continue;
        }
        let mut codes: Vec<f64> = present.map(|row| row[c]).collect();
        codes.sort_unstable_by(f64::total_cmp);
        codes.dedup();
        sources.extend(codes.into_iter().map(|code| (c, Some(code))));
    }
    let width = sources.len();
    let needed = 8 * (points.len() as u64).saturating_mul(width as u64);
    limit.allow("coordinates of categories", needed, "start at random, or allow more memory")?;
    let mut values = vec![0.0; points.len() * width];
    for (at, &(c, category)) in sources.iter().enumerate() {
        let value = |row: &[f64]| match category {
            None => row[c],
            Some(code) if row[c] == code => 0.5 * row[dim + c].abs(),
            Some(_) => 0.0,
        };
        let (mut count, mut mean) = (0.0, 0.0);
        for row in points.rows().filter(|row| !is_gap(metric, row[dim + c])) {
            count += 1.0;
            mean += (value(row) - mean) / count;
        }
        let cells = values.iter_mut().skip(at).step_by(width);
        cells.zip(points.rows()).for_each(|(cell, row)| {
            *cell = if is_gap(metric, row[dim + c]) { mean } else { value(row) };
        });
    }
    PointSet::new(values, width)
}
