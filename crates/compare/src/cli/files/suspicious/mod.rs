//! Warnings about points whose distances may mislead: a column that dominates the distances, numbers
//! that may stand for missing values, labels that are not classes, constant columns, copies of rows,
//! a matrix of distances read as points, and a metric by which all points are equally far apart.

mod sentinels;

use std::hash::{DefaultHasher, Hash, Hasher};

use datasets::Labels;
use datasets::files::Table;
use embedding::implement::scale::extents;
use embedding::{DataKind, DynMethod, Error, Metric, Points};
use figure::number::{count, counted, tick};
use figure::paint::LISTED as LISTED_CLASSES;
use rayon::prelude::*;

/// A column with more than this fraction of the variance dominates the distances.
const DOMINANT: f64 = 0.95;

/// Constant columns are named in tables of at most this many columns.
const NARROW: usize = 100;

/// Most names that a note lists.
const LISTED: usize = 5;

/// Copies are reported where they are at least this fraction of the rows.
const COPIES: f64 = 0.01;

/// Rows that a thread looks at together.
const PART: usize = 1024;

/// The pairs of rows by which a metric is tried.
const PAIRS: usize = 10_000;

/// What the points of a table are read for.
#[derive(Clone, Copy)]
pub(in crate::cli) enum Use<'a> {
    /// A fit of one method.
    Method(&'a dyn DynMethod),
    /// Fits of several methods.
    Methods,
    /// Measures of a map.
    Measures,
    /// Neighbors alone.
    Search,
}

/// The sentences about the points of a table, compared by `metric`.
///
/// O(n D + n log n) time, 24 bytes per row and 8 per 1,024 values.
pub(in crate::cli) fn notes(table: &Table, metric: Metric, of: Use<'_>) -> Vec<String> {
    let mut notes: Vec<String> = table.labels.as_ref().and_then(unlikely).into_iter().collect();
    if table.mixed.is_none() {
        notes.extend(of_points(table, metric, of));
    }
    notes
}

/// The sentence about labels that are different for most rows.
pub(in crate::cli) fn unlikely(labels: &Labels) -> Option<String> {
    let (classes, n) = (labels.classes.len(), labels.values.len());
    let name =
        if labels.name.trim().is_empty() { "labels".to_owned() } else { format!("labels `{}`", labels.name) };
    (classes > LISTED_CLASSES && 2 * classes > n).then(|| {
        format!(
            "the {name} have {} classes for {} rows, so that they are probably none; a legend lists {LISTED_CLASSES}",
            count(classes),
            count(n)
        )
    })
}

fn of_points(table: &Table, metric: Metric, of: Use<'_>) -> Vec<String> {
    let points = table.points.view();
    let n = points.len();
    let copies = copies(points);
    if n > 1 && copies == n - 1 {
        return vec![format!("all {} rows are equal: there are no distances between them", count(n))];
    }
    if n > 2 && table.images.is_none() && looks_like_distances(points) {
        return vec![distances_as_points(of)];
    }
    let extents = extents(points);
    let columns = Columns::of(points, &extents);
    let pictures = table.images.is_some();
    let nines =
        if pictures { Vec::new() } else { sentinels::notes(table, &extents, &|column| named(table, column)) };
    let dominant = columns
        .dominant()
        .filter(|_| metric.is_euclidean() && table.scaling.is_none() && !pictures)
        .filter(|(column, _)| !nines.iter().any(|(columns, _)| columns.contains(column)));
    let mut notes: Vec<String> = nines.into_iter().map(|(_, note)| note).collect();
    notes.extend(dominant.and_then(|(column, fraction)| columns.dominated(column, fraction, table)));
    notes.extend(
        columns.constant(table).filter(|_| metric.is_euclidean() && !pictures && points.dim() <= NARROW),
    );
    notes.extend(copied(copies, n, of));
    // Where it fails, the method fails, too, and reports why.
    notes.extend(indifferent(points, metric).unwrap_or_default());
    notes
}

/// The variance of every column, and whether it is constant.
struct Columns {
    variances: Vec<f64>,
    constant: Vec<bool>,
}

impl Columns {
    fn of(points: Points<'_>, extents: &[(f64, f64)]) -> Self {
        let n = points.len() as f64;
        let means: Vec<f64> = sums(points, |_, value| value / n);
        let variances = sums(points, |j, value| (value - means[j]).powi(2) / n);
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

    /// The sentence about such a column; `None` where a warning already states that it is no coordinate.
    fn dominated(&self, column: usize, fraction: f64, table: &Table) -> Option<String> {
        let name = named(table, column);
        if table.warnings.iter().any(|warning| warning.contains(&name)) {
            return None;
        }
        let others = self.constant.iter().filter(|constant| !**constant).count() - 1;
        let percent = 100.0 * fraction;
        let percent = if percent >= 99.995 { "more than 99.99".to_owned() } else { format!("{percent:.2}") };
        Some(format!(
            "{name} has {percent} % of the variance, so that distances hardly depend on the other {others} columns; \
             --standardize divides each column by its standard deviation"
        ))
    }

    /// The sentence about constant columns.
    fn constant(&self, table: &Table) -> Option<String> {
        let found: Vec<usize> = (0..self.constant.len()).filter(|&j| self.constant[j]).collect();
        if found.is_empty() {
            return None;
        }
        if let [only] = found[..] {
            return Some(format!("{} is constant and changes no distance", named(table, only)));
        }
        let short = |&j: &usize| match &table.columns {
            Some(names) => format!("`{}`", names[j]),
            None => table.numbers[j].to_string(),
        };
        let names = found.iter().take(LISTED).map(short).collect::<Vec<_>>().join(", ");
        let more = match found.len().saturating_sub(LISTED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let counted = if table.columns.is_some() { "" } else { " (counted from 0)" };
        Some(format!("columns {names}{more}{counted} are constant and change no distance"))
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

/// How messages name a coordinate.
fn named(table: &Table, column: usize) -> String {
    match &table.columns {
        Some(names) => format!("column `{}`", names[column]),
        None => format!("column {} (counted from 0)", table.numbers[column]),
    }
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

/// The sentence about copies, where there are many; `None` where the method reports them itself, and
/// where a map is measured.
fn copied(copies: usize, n: usize, of: Use<'_>) -> Option<String> {
    if (copies as f64) < COPIES * n as f64 || copies == 0 {
        return None;
    }
    let advice = match of {
        Use::Measures => return None,
        Use::Search => "",
        Use::Methods => "; the parameter `duplicates` of a method merges or keeps them",
        Use::Method(method) => match method.parameters().iter().find(|p| p.name == "duplicates") {
            Some(policy) if policy.value == "merge" => return None,
            Some(_) => "; `--set duplicates=merge` gives copies one place",
            None => "",
        },
    };
    let (verb, what) = if copies == 1 { ("is a copy", "another") } else { ("are copies", "others") };
    let rows = counted(n, "row", "rows");
    Some(format!("{} of {rows} {verb} of {what}{advice}", count(copies)))
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

fn distances_as_points(of: Use<'_>) -> String {
    let advice = match of {
        Use::Methods | Use::Search => "`compare embed --set given=distances` reads it as one".to_owned(),
        Use::Measures => "`--given distances` reads it as one".to_owned(),
        Use::Method(method) if method.about().accepts.contains(&DataKind::Distances) => {
            "`--set given=distances` reads it as one".to_owned()
        }
        Use::Method(method) => format!(
            "{} reads it as points; choose a method that takes distances, such as smacof, \
             with `--set given=distances`",
            method.about().name
        ),
    };
    format!(
        "the rows are symmetric with zeros on the diagonal, which looks like a matrix of distances; {advice}"
    )
}

/// The sentence about a metric of equal or absent values by which all pairs of a sample are equally far apart.
fn indifferent(points: Points<'_>, metric: Metric) -> Result<Option<String>, Error> {
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
    let what = if metric == Metric::Hamming { "whether values are equal" } else { "which values are 0" };
    Ok(Some(format!(
        "by {metric} all pairs of a sample of rows are at distance {}, so that it does not distinguish them: it \
         looks only at {what}; for measured values choose another metric, such as euclidean",
        tick(first)
    )))
}
