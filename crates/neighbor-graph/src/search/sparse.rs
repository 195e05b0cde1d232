//! Neighbors of sparse points.

use embedding::implement::scale::times_power_of_two;
use embedding::implement::{Division, Scale, SparseMetricPoints};
use embedding::{Error, Metric, Neighborhood, Neighbors, Observer, Search, Silent, SparsePoints};
use rayon::prelude::*;

use crate::search::lists::{self, List, Lists, fill_in_order};
use crate::search::multiply;
use crate::search::query_rule::QueryRule;

/// Neighbors of every sparse point among the others, by a metric; see
/// [`NeighborSearch`](crate::NeighborSearch).
///
/// Fails when the rule cannot hold for n points, for a metric without such bounds, where a row
/// has no distance to others ([`Metric::prepare_sparse`]), and when distances exceed the range
/// of numbers.
pub(crate) fn neighbors(
    points: SparsePoints<'_>,
    neighborhood: Neighborhood,
    metric: Metric,
    observer: &dyn Observer,
) -> Result<Neighbors, Error> {
    neighborhood.check(points.len())?;
    observer.stage("neighbors");
    let exponent = exponent(points, metric);
    let lists = if exponent == 0 {
        search(&metric.prepare_sparse(points)?, points.len(), neighborhood.into(), observer)?
    } else {
        let near = points.times_power_of_two(-exponent)?;
        let mut radii = Vec::new();
        let rule = QueryRule::from(neighborhood)
            .with_radii(|radius| times_power_of_two(radius, -exponent), &mut radii);
        let mut lists = search(&metric.prepare_sparse(near.view())?, points.len(), rule, observer)?;
        multiply(&mut lists.distances, exponent)?;
        lists
    };
    Ok(lists.into_neighbors(neighborhood, Some(Search::BruteForce)))
}

/// Neighbors of new sparse points among known ones, each by itself, as
/// [`neighbors`].
///
/// Fails where the new points have another number of columns, where a row has no distance to
/// others by the metric, and where one is so far from the known points that distances leave
/// the range of numbers.
pub(crate) fn neighbors_of_new(
    known: SparsePoints<'_>,
    new: SparsePoints<'_>,
    rule: QueryRule<'_>,
    metric: Metric,
) -> Result<Vec<List>, Error> {
    new.check_columns(known.dim())?;
    // By itself first: a refusal names the row of the new points.
    metric.prepare_sparse(new)?;
    let exponent = exponent(known, metric);
    // Known points are at most 2^400 long; by other metrics rows have no length.
    let far = |row: usize| {
        let values = new.row(row).1.iter().map(|v| times_power_of_two(v.abs(), -exponent));
        let length: f64 = if metric.is_euclidean() { values.map(|v| v * v).sum() } else { values.sum() };
        !(4.0 * length).is_finite()
    };
    if let Some(row) = (0..new.len()).find(|row| has_unit(metric) && far(*row)) {
        return Err(Error::degenerate(
            format!("new point {row} is so far from the training points that distances overflow"),
            "check the units of the new points",
        ));
    }
    let mut radii = Vec::new();
    let rule = rule.with_radii(|radius| times_power_of_two(radius, -exponent), &mut radii);
    let all = known.followed_by(new)?;
    let all = if exponent == 0 { all } else { all.view().times_power_of_two(-exponent)? };
    let mut lists = search(&metric.prepare_sparse(all.view())?, known.len(), rule, &Silent)?;
    multiply(&mut lists.distances, exponent)?;
    Ok(lists.into_vecs())
}

/// Whether distances of points times c are c times theirs.
fn has_unit(metric: Metric) -> bool {
    metric.is_euclidean() || metric == Metric::Manhattan
}

/// The exponent of two by which points are divided so that distances keep their digits. Their largest
/// value is then as large as an ordinary one can be, so that small values do not vanish.
pub(crate) fn exponent(points: SparsePoints<'_>, metric: Metric) -> i32 {
    if has_unit(metric) { Scale::of_sparse(points, Division::Least).exponent() } else { 0 }
}

/// For each column that occurs, the known rows that have it and their values there.
struct Inverted {
    /// For each entry of the points its column's place among those that occur.
    places: Vec<u32>,
    /// The first entry of each row in `places`.
    offsets: Vec<usize>,
    /// The first entry of each column.
    starts: Vec<usize>,
    rows: Vec<u32>,
    values: Vec<f64>,
}

impl Inverted {
    /// Of the first `known` rows; the others look their columns up.
    fn new(points: &SparseMetricPoints, known: usize) -> Self {
        let all = || (0..points.len()).map(|i| points.row(i));
        let mut occurring: Vec<u32> = all().flat_map(|row| row.0).copied().collect();
        occurring.par_sort_unstable();
        occurring.dedup();
        let places: Vec<u32> = (0..points.len())
            .into_par_iter()
            .flat_map_iter(|i| {
                points.row(i).0.iter().map(|c| occurring.partition_point(|other| other < c) as u32)
            })
            .collect();
        let mut offsets = vec![0];
        offsets.extend(all().scan(0, |end, row| {
            *end += row.0.len();
            Some(*end)
        }));
        let mut starts = vec![0; occurring.len() + 1];
        places[..offsets[known]].iter().for_each(|&place| starts[place as usize + 1] += 1);
        (0..occurring.len()).for_each(|place| starts[place + 1] += starts[place]);
        let mut next = starts.clone();
        let (mut rows, mut values) = (vec![0; offsets[known]], vec![0.0; offsets[known]]);
        for (i, row) in all().enumerate().take(known) {
            for (value, &place) in row.1.iter().zip(&places[offsets[i]..]) {
                let at = &mut next[place as usize];
                (rows[*at], values[*at]) = (i as u32, *value);
                *at += 1;
            }
        }
        Self { places, offsets, starts, rows, values }
    }

    /// Adds the terms of all columns that point `i` has in common with each point.
    fn add_common(&self, points: &SparseMetricPoints, i: usize, sums: &mut [f64]) {
        let own = &self.places[self.offsets[i]..self.offsets[i + 1]];
        for (&place, &x) in own.iter().zip(points.row(i).1) {
            let column = self.starts[place as usize]..self.starts[place as usize + 1];
            for (&j, &y) in self.rows[column.clone()].iter().zip(&self.values[column]) {
                sums[j as usize] += points.common(x, y);
            }
        }
    }
}

/// The memory of a thread for one point.
struct Scratch {
    /// The sums over common columns.
    sums: Vec<f64>,
    /// The upper bounds; the k-th smallest of them is chosen.
    upper: Vec<f64>,
    list: List,
}

/// The search for points of ordinary scale: of the first `known` among themselves where these are
/// all, else of the others among them.
fn search(
    points: &SparseMetricPoints,
    known: usize,
    rule: QueryRule<'_>,
    observer: &dyn Observer,
) -> Result<Lists, Error> {
    let (n, inverted) = (known, Inverted::new(points, known));
    let first = if known < points.len() { known } else { 0 };
    let scratch = || Scratch { sums: vec![0.0; n], upper: Vec::with_capacity(n), list: List::new() };
    fill_in_order(points.len() - first, observer, scratch, |Scratch { sums, upper, list }, at, lists| {
        let i = first + at;
        sums.fill(0.0);
        inverted.add_common(points, i, sums);
        let others = || (0..n).filter(|&j| j != i);
        let reach = match rule {
            QueryRule::Nearest { k } => {
                upper.clear();
                upper.extend(others().map(|j| points.bounds(i, j, sums[j]).1));
                *upper.select_nth_unstable_by(k - 1, f64::total_cmp).1
            }
            QueryRule::Within { radii } => points.bounded(radii.of(at)),
        };
        list.clear();
        let near = others().filter(|&j| points.bounds(i, j, sums[j]).0 <= reach);
        list.extend(near.map(|j| (j as u32, points.distance(i, j))));
        lists::keep(list, rule, at);
        lists.push(list);
    })
}
