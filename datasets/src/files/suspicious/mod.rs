//! Probable mistakes in points whose distances may mislead: a column that dominates the distances, numbers
//! that may stand for missing values, labels that are not classes, constant columns, copies of rows,
//! a matrix of distances read as points, and a metric by which all points are equally far apart.

mod nines;

use std::hash::{DefaultHasher, Hash, Hasher};

use embedding::implement::{maximum, scale::extents};
use embedding::{Error, Metric, Points};
use rayon::prelude::*;

use super::table::Table;
use crate::Labels;

/// A column with more than this fraction of the variance dominates the distances.
const DOMINANT: f64 = 0.95;

/// Constant columns are found in tables of at most this many columns.
const NARROW: usize = 100;

/// Copies are found where they are at least this fraction of the rows.
const COPIES: f64 = 0.01;

/// Rows that a thread looks at together.
const PART: usize = 1024;

/// Up to as many classes look like classes, however few rows there are.
const MANY: usize = 30;

/// The pairs of rows by which a metric is tried.
const PAIRS: usize = 10_000;

/// A probable mistake in the points of a table. Columns are numbers of coordinates, counted from 0.
#[derive(Clone, Debug, PartialEq)]
pub enum Suspicion {
    /// More than 30 classes, and more than half the rows.
    Classes {
        /// The name of the labels.
        name: String,
        /// The number of classes.
        classes: usize,
    },
    /// All rows are equal.
    Equal,
    /// The rows are symmetric without negative values, with zeros on the diagonal: probably a matrix of distances.
    Distances,
    /// A number of nines far outside of the other values of a column, which may stand for missing values.
    Nines {
        /// The number, in the units of the file.
        number: f64,
        /// The columns that have it.
        columns: Vec<usize>,
        /// The range of the other values of each column, in the units of the file.
        others: Vec<[f64; 2]>,
        /// How many rows have it.
        rows: usize,
    },
    /// A column with nearly all of the variance.
    Dominant {
        /// The column.
        column: usize,
        /// Its fraction of the variance, above 0.95.
        fraction: f64,
        /// The number of other columns that are not constant.
        others: usize,
    },
    /// Constant columns.
    Constant {
        /// All of them.
        columns: Vec<usize>,
    },
    /// Rows that equal an earlier one, at least 1 % of all.
    Copies {
        /// Their number.
        copies: usize,
    },
    /// By this metric all pairs of a sample of rows are equally far apart.
    Indifferent {
        /// The metric.
        metric: Metric,
        /// The distance of all pairs.
        distance: f64,
    },
}

impl Suspicion {
    /// The probable mistakes in a table whose rows are compared by `metric`.
    ///
    /// O(n D + n log n) time, 24 bytes per row and 8 per 1,024 values.
    pub fn find(table: &Table, metric: Metric) -> Vec<Self> {
        let mut found: Vec<Self> = table.labels.as_ref().and_then(Self::of_labels).into_iter().collect();
        // Encoded rows hold no coordinates.
        if table.mixed.is_none() {
            found.extend(of_points(table, metric));
        }
        found
    }

    /// Labels that differ for most rows.
    pub fn of_labels(labels: &Labels) -> Option<Self> {
        let classes = labels.classes.len();
        (classes > MANY && 2 * classes > labels.values.len())
            .then(|| Self::Classes { name: labels.name.clone(), classes })
    }
}

impl Table {
    /// How messages name a coordinate.
    pub fn named(&self, column: usize) -> String {
        match &self.columns {
            Some(names) => format!("column `{}`", names[column]),
            None => format!("column {} (counted from 0)", self.numbers[column]),
        }
    }
}

fn of_points(table: &Table, metric: Metric) -> Vec<Suspicion> {
    let points = table.points.view();
    let n = points.len();
    let copies = copies(points);
    if n > 1 && copies == n - 1 {
        return vec![Suspicion::Equal];
    }
    if n > 2 && table.images.is_none() && looks_like_distances(points) {
        return vec![Suspicion::Distances];
    }
    let extents = extents(points);
    let columns = Columns::of(points, &extents);
    let pictures = table.images.is_some();
    let mut found = if pictures { Vec::new() } else { nines::find(table, &extents) };
    let nines: Vec<usize> = (found.iter())
        .flat_map(|found| match found {
            Suspicion::Nines { columns, .. } => &columns[..],
            _ => &[],
        })
        .copied()
        .collect();
    let dominant = columns
        .dominant()
        .filter(|_| metric.is_euclidean() && !pictures)
        .filter(|(column, _)| !nines.contains(column))
        // A warning already states that it is no coordinate.
        .filter(|(column, _)| !table.warnings.iter().any(|warning| warning.contains(&table.named(*column))));
    found.extend(dominant.map(|(column, fraction)| columns.dominated(column, fraction)));
    found.extend(columns.constant().filter(|_| metric.is_euclidean() && !pictures && points.dim() <= NARROW));
    if copies > 0 && copies as f64 >= COPIES * n as f64 {
        found.push(Suspicion::Copies { copies });
    }
    // Where it fails, the method fails, too, and reports why.
    found.extend(indifferent(points, metric).unwrap_or_default());
    found
}

/// The variance of every column, divided by the square of the largest magnitude, and whether it is constant.
struct Columns {
    variances: Vec<f64>,
    constant: Vec<bool>,
}

impl Columns {
    fn of(points: Points<'_>, extents: &[(f64, f64)]) -> Self {
        let n = points.len() as f64;
        // Squares of scaled values do not overflow.
        let sizes = extents.iter().map(|(low, high)| low.abs().max(high.abs()));
        let scale = maximum(sizes).max(f64::MIN_POSITIVE);
        let means: Vec<f64> = sums(points, |_, value| value / scale / n);
        let variances = sums(points, |j, value| (value / scale - means[j]).powi(2) / n);
        let constant = extents.iter().map(|(low, high)| low == high).collect();
        Self { variances, constant }
    }

    /// The column with most of the variance, and its fraction, where there are at least two others
    /// that are not constant.
    fn dominant(&self) -> Option<(usize, f64)> {
        let total: f64 = self.variances.iter().sum();
        let (column, most) = self.variances.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1))?;
        let fraction = most / total;
        let varying = self.constant.iter().filter(|constant| !**constant).count();
        (varying > 2 && fraction.is_finite() && fraction > DOMINANT).then_some((column, fraction))
    }

    fn dominated(&self, column: usize, fraction: f64) -> Suspicion {
        let others = self.constant.iter().filter(|constant| !**constant).count() - 1;
        Suspicion::Dominant { column, fraction, others }
    }

    fn constant(&self) -> Option<Suspicion> {
        let columns: Vec<usize> = (0..self.constant.len()).filter(|&j| self.constant[j]).collect();
        (!columns.is_empty()).then_some(Suspicion::Constant { columns })
    }
}

/// The sum of a term of the values of each column, in an order that does not depend on threads.
fn sums(points: Points<'_>, term: impl Fn(usize, f64) -> f64 + Sync) -> Vec<f64> {
    let dim = points.dim();
    let of_part = |values: &[f64]| {
        let mut sums = vec![0.0; dim];
        for row in values.chunks_exact(dim) {
            sums.iter_mut().zip(row).enumerate().for_each(|(j, (sum, value))| *sum += term(j, *value));
        }
        sums
    };
    let parts: Vec<Vec<f64>> = points.values().par_chunks(PART * dim).map(of_part).collect();
    let add = |mut all: Vec<f64>, part: Vec<f64>| {
        all.iter_mut().zip(part).for_each(|(sum, more)| *sum += more);
        all
    };
    parts.into_iter().fold(vec![0.0; dim], add)
}

/// The number of rows that equal an earlier one.
fn copies(points: Points<'_>) -> usize {
    let hash = |row: &[f64]| {
        let mut hasher = DefaultHasher::new();
        // −0 equals 0.
        row.iter().for_each(|value| (value + 0.0).to_bits().hash(&mut hasher));
        hasher.finish()
    };
    let hashes: Vec<u64> = points.values().par_chunks(points.dim()).map(hash).collect();
    let mut keys: Vec<(u64, u32)> = hashes.into_iter().zip(0..).collect();
    keys.sort_unstable();
    let mut copies = 0;
    for group in keys.chunk_by(|a, b| a.0 == b.0).filter(|group| group.len() > 1) {
        let mut distinct: Vec<u32> = Vec::new();
        for &(_, i) in group {
            if distinct.iter().any(|&other| points.row(other as usize) == points.row(i as usize)) {
                copies += 1;
            } else {
                distinct.push(i);
            }
        }
    }
    copies
}

/// Whether points are a symmetric matrix without negative values, with zeros on its diagonal.
fn looks_like_distances(points: Points<'_>) -> bool {
    let n = points.len();
    n == points.dim()
        && (0..n).all(|i| {
            let row = points.row(i);
            row[i] == 0.0 && (0..i).all(|j| row[j] >= 0.0 && row[j] == points.row(j)[i])
        })
}

/// A metric of equal or absent values by which all pairs of a sample are equally far apart.
fn indifferent(points: Points<'_>, metric: Metric) -> Result<Option<Suspicion>, Error> {
    if !matches!(metric, Metric::Hamming | Metric::Jaccard) {
        return Ok(None);
    }
    let n = points.len();
    let (rows, rounds) = (n.min(PAIRS), (PAIRS / n).clamp(1, n.saturating_sub(1).max(1)));
    let measured = metric.prepare(points)?;
    let pair = |at: usize| {
        let (i, apart) = (at % rows * n / rows, 1 + at / rows * (n - 1) / rounds);
        measured.distance(i, (i + apart) % n)
    };
    let first = pair(0);
    if n < 3 || (1..rounds * rows).any(|at| pair(at) != first) {
        return Ok(None);
    }
    Ok(Some(Suspicion::Indifferent { metric, distance: first }))
}
