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
    let mut radii = Vec::new();
    let rule =
        QueryRule::from(neighborhood).with_radii(|radius| times_power_of_two(radius, -exponent), &mut radii);
    let prepared = prepared(points, metric, exponent)?;
    let mut lists = Inverted::new(&prepared, points.len()).search(rule, observer)?;
    multiply(&mut lists.distances, exponent)?;
    Ok(lists.into_neighbors(neighborhood, Some(Search::BruteForce)))
}

/// The points divided by 2ᵉ, prepared for a metric.
pub(crate) fn prepared(
    points: SparsePoints<'_>,
    metric: Metric,
    exponent: i32,
) -> Result<SparseMetricPoints, Error> {
    if exponent == 0 {
        return metric.prepare_sparse(points);
    }
    metric.prepare_sparse(points.times_power_of_two(-exponent)?.view())
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
    let all = prepared(known.followed_by(new)?.view(), metric, exponent)?;
    let mut lists = Inverted::new(&all, known.len()).search(rule, &Silent)?;
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
pub(crate) struct Inverted<'a> {
    pub(crate) points: &'a SparseMetricPoints,
    /// The number of known rows, the first ones.
    known: usize,
    /// For each entry of the points its column's place among those that occur.
    places: Vec<u32>,
    /// The first entry of each row in `places`.
    offsets: Vec<usize>,
    /// The first entry of each column.
    starts: Vec<usize>,
    rows: Vec<u32>,
    values: Vec<f64>,
}

impl<'a> Inverted<'a> {
    /// Of the first `known` rows; the others look their columns up.
    pub(crate) fn new(points: &'a SparseMetricPoints, known: usize) -> Self {
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
        Self { points, known, places, offsets, starts, rows, values }
    }

    /// The number of values.
    pub(crate) fn entries(&self) -> usize {
        self.places.len()
    }

    /// The number of columns that occur.
    pub(crate) fn columns(&self) -> usize {
        self.starts.len() - 1
    }

    /// The number of columns that pairs of known points have in common, summed over all pairs.
    pub(crate) fn common(&self) -> f64 {
        self.starts.windows(2).map(|ends| ((ends[1] - ends[0]) as f64).powi(2)).sum()
    }

    /// The places of the columns of point `i` among those that occur, and its values there.
    #[inline(always)]
    pub(crate) fn row(&self, i: usize) -> (&[u32], &[f64]) {
        (&self.places[self.offsets[i]..self.offsets[i + 1]], self.points.row(i).1)
    }

    /// Adds the terms of all columns that point `i` has in common with each point.
    fn add_common(&self, i: usize, sums: &mut [f64]) {
        let (places, values) = self.row(i);
        for (&place, &x) in places.iter().zip(values) {
            let column = self.starts[place as usize]..self.starts[place as usize + 1];
            for (&j, &y) in self.rows[column.clone()].iter().zip(&self.values[column]) {
                sums[j as usize] += self.points.common(x, y);
            }
        }
    }

    /// The search for points of ordinary scale: of the known among themselves where these are
    /// all, else of the others among them.
    pub(crate) fn search(&self, rule: QueryRule<'_>, observer: &dyn Observer) -> Result<Lists, Error> {
        let all = self.points.len();
        let first = if self.known < all { self.known as u32 } else { 0 };
        self.search_of(&(first..all as u32).collect::<Vec<_>>(), rule, observer)
    }

    /// The neighbors of some of the points among the known ones, themselves excluded.
    pub(crate) fn search_of(
        &self,
        of: &[u32],
        rule: QueryRule<'_>,
        observer: &dyn Observer,
    ) -> Result<Lists, Error> {
        let (n, points) = (self.known, self.points);
        let scratch = || Scratch { sums: vec![0.0; n], upper: Vec::with_capacity(n), list: List::new() };
        fill_in_order(of.len(), observer, scratch, |Scratch { sums, upper, list }, at, lists| {
            let i = of[at] as usize;
            sums.fill(0.0);
            self.add_common(i, sums);
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
}

/// The memory of a thread for one point.
struct Scratch {
    /// The sums over common columns.
    sums: Vec<f64>,
    /// The upper bounds; the k-th smallest of them is chosen.
    upper: Vec<f64>,
    list: List,
}
