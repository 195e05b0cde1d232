//! Approximate nearest neighbors, with their recall measured.

mod compared;
mod descent;
mod nearest;
mod probes;
mod space;
mod sparse;
mod sparse_space;
mod trees;

use embedding::implement::{MetricPoints, proceed};
use embedding::{Error, Input, Metric, Neighborhood, Neighbors, Observer, Search, SparsePoints};
use rayon::prelude::*;

use self::compared::Compared;
use self::descent::Descent;
use self::nearest::Nearest;
use self::space::{Distances, Space};
use crate::search::by_metric::run_measured;
use crate::search::lists::{self, List, Lists, fill_in_order};
use crate::search::rows::Rows;
use crate::search::{self, tree};

/// Up to this many points every search is exact.
const FEW: usize = 4096;

/// Number of points whose exact neighbors are found, to measure the recall.
const SAMPLE: usize = 256;

/// Directions in which the trees divide the points.
const DIRECTIONS: usize = 32;

/// Trees at the start, and how many may be added, one after the other, while the goal is not met.
const TREES: (usize, usize) = (3, 9);

/// The goal of an approximate search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Goal {
    /// The fraction of true neighbors at which the search stops; above 0, at most 1.
    pub(crate) recall: f64,
    /// Seed of the sample and, for searches by neighbors of neighbors, of the divisions and of the pairs
    /// that are tried.
    pub(crate) seed: u64,
}

impl Default for Goal {
    fn default() -> Self {
        Self { recall: 0.95, seed: 0 }
    }
}

/// How many of the true neighbors were found, measured on a sample of the points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Recall {
    /// The fraction found: a found neighbor of the `points` · k counts if it is not
    /// farther than the k-th true one. 1 for an exact search.
    pub measured: f64,
    /// The number of points of the sample; n for an exact search.
    pub points: usize,
}

/// The k nearest Euclidean neighbors of every point; see [`NeighborSearch::with_recall`].
///
/// [`NeighborSearch::with_recall`]: crate::NeighborSearch::with_recall
pub(crate) fn euclidean(
    points: Rows<'_>,
    k: usize,
    goal: Goal,
    observer: &dyn Observer,
) -> Result<(Neighbors, Recall), Error> {
    search_rows(points, k, goal, observer).map(Found::into_neighbors)
}

/// The same for the points of an input, by its metric.
pub(crate) fn in_input(input: &Input<'_>, k: usize, goal: Goal) -> Result<(Neighbors, Recall), Error> {
    if let Some(points) = input.sparse_points() {
        return of_sparse(points, input.metric(), k, goal, input.observer()).map(Found::into_neighbors);
    }
    let (points, observer) = (input.require_points()?, input.observer());
    let Some(measured) = input.metric_points()? else {
        return euclidean(points.into(), k, goal, observer);
    };
    let Some(distance) = measured.of_euclidean() else {
        return by_metric(&measured, k, goal, observer).map(Found::into_neighbors);
    };
    let mut found = search_rows(measured.rows().into(), k, goal, observer)?;
    found.lists.distances.iter_mut().for_each(|d| *d = distance(*d));
    Ok(found.into_neighbors())
}

/// The result of a search.
struct Found {
    lists: Lists,
    rule: Neighborhood,
    used: Search,
    recall: Recall,
}

impl Found {
    fn into_neighbors(self) -> (Neighbors, Recall) {
        (self.lists.into_neighbors(self.rule, Some(self.used)), self.recall)
    }
}

/// The search by a metric that is no function of a Euclidean distance.
fn by_metric(
    measured: &MetricPoints<'_>,
    k: usize,
    goal: Goal,
    observer: &dyn Observer,
) -> Result<Found, Error> {
    let (rule, n) = (begin(measured.len(), k, goal, observer)?, measured.len());
    let exponent = crate::metric::exponent(measured.rows().into());
    if n <= FEW.max(4 * k) || exponent != 0 {
        let (lists, used) = run_measured(measured, None, rule.into(), observer)?;
        return Ok(Found { lists, rule, used, recall: Recall { measured: 1.0, points: n } });
    }
    crate::metric::check_scale(measured.rows().into(), None)?;
    let (lists, recall) = trees_and_descent(Distances::Metric(measured), k, goal, observer)?;
    Ok(Found { lists, rule, used: Search::Approximate, recall })
}

/// The search among sparse points.
fn of_sparse(
    points: SparsePoints<'_>,
    metric: Metric,
    k: usize,
    goal: Goal,
    observer: &dyn Observer,
) -> Result<Found, Error> {
    let rule = begin(points.len(), k, goal, observer)?;
    let exponent = search::sparse::exponent(points, metric);
    let prepared = search::sparse::prepared(points, metric, exponent)?;
    let (mut lists, used, recall) = sparse::search(&prepared, k, goal, observer)?;
    search::multiply(&mut lists.distances, exponent)?;
    Ok(Found { lists, rule, used, recall })
}

fn search_rows(rows: Rows<'_>, k: usize, goal: Goal, observer: &dyn Observer) -> Result<Found, Error> {
    let (rule, n) = (begin(rows.len(), k, goal, observer)?, rows.len());
    if n <= FEW.max(4 * k) || rows.dim() <= tree::MAX_DIM {
        let (lists, used) = search::run(rows, None, rule.into(), Search::Auto, observer)?;
        return Ok(Found { lists, rule, used, recall: Recall { measured: 1.0, points: n } });
    }
    let (lists, (used, recall)) = search::at_ordinary_scale(rows, None, rule.into(), |rows, _, _| {
        crate::metric::check_scale(rows, None)?;
        if let Some((lists, used, recall)) = probes::search(rows, k, goal, observer)? {
            return Ok((lists, (used, recall)));
        }
        let (lists, recall) = trees_and_descent(Distances::Euclidean(rows), k, goal, observer)?;
        Ok((lists, (Search::Approximate, recall)))
    })?;
    Ok(Found { lists, rule, used, recall })
}

/// Begins a search of k neighbors among n points, and returns their rule.
fn begin(n: usize, k: usize, goal: Goal, observer: &dyn Observer) -> Result<Neighborhood, Error> {
    let rule = Neighborhood::Nearest { k };
    rule.check(n)?;
    if !(goal.recall > 0.0 && goal.recall <= 1.0) {
        return Err(Error::parameter("recall", "above 0 and at most 1", goal.recall));
    }
    observer.stage("neighbors");
    Ok(rule)
}

/// The search for points of ordinary scale.
fn trees_and_descent(
    distances: Distances<'_>,
    k: usize,
    goal: Goal,
    observer: &dyn Observer,
) -> Result<(Lists, Recall), Error> {
    let chosen = chosen(distances.rows().len(), goal.seed);
    // One more, since a point is its own nearest.
    let exact = distances.exact(&chosen, k + 1, observer)?;
    let sample = Sample::new(chosen, &exact, k);
    let space = Space::new(distances, trees::leaf(k));
    let ranks = ranks(&space.order);
    let recall = |found: &Nearest| {
        sample.recall(k, |i| {
            let (order, mut wide) = (&space.order, Default::default());
            let list = found.of(ranks[i as usize] as usize).0.iter();
            list.map(move |&at| distances.between(i, order[at as usize], &mut wide))
        })
    };
    let (found, measured) = improve(&space, k, goal, &recall, observer)?;
    let scratch = || (List::new(), Default::default());
    let lists = fill_in_order(space.len(), observer, scratch, |(list, wide), i, lists| {
        list.clear();
        let others = found.of(ranks[i] as usize).0.iter().map(|&at| space.order[at as usize]);
        distances.append(i as u32, others, wide, list);
        lists::sort(list);
        lists.push(list);
    })?;
    Ok((lists, Recall { measured, points: sample.exact.len() }))
}

/// The position of each point in an order.
fn ranks(order: &[u32]) -> Vec<u32> {
    let mut ranks = vec![0; order.len()];
    order.iter().enumerate().for_each(|(at, &i)| ranks[i as usize] = at as u32);
    ranks
}

/// Lists by trees and descent, until the goal is met or nothing improves, and their recall.
fn improve(
    space: &impl Compared,
    k: usize,
    goal: Goal,
    recall: &dyn Fn(&Nearest) -> f64,
    observer: &dyn Observer,
) -> Result<(Nearest, f64), Error> {
    let n = space.len();
    let mut found = Nearest::new(n, k);
    let mut measured = 0.0;
    for tree in 0..TREES.0 + TREES.1 {
        trees::join_leaves(space, &mut found, tree as u64, goal.seed);
        proceed(observer, n * (tree + 1) / (TREES.0 + TREES.1 + 1), n)?;
        measured = recall(&found);
        let mut descent = Descent::new(space, hash(goal.seed, tree as u64));
        let mut improves = tree + 1 >= TREES.0;
        while improves && measured < goal.recall {
            improves = descent.round(&mut found);
            proceed(observer, n * (tree + 1) / (TREES.0 + TREES.1 + 1), n)?;
            measured = recall(&found);
        }
        if measured >= goal.recall {
            break;
        }
    }
    Ok((found, measured))
}

/// Points with their exact neighbors.
#[derive(Debug)]
struct Sample {
    /// A point, and the distance of its k-th neighbor.
    exact: Vec<(u32, f64)>,
}

/// The points of a sample: one from each of as many equal parts of n.
fn chosen(n: usize, seed: u64) -> Vec<u32> {
    let part = |s: usize| s * n / SAMPLE;
    (0..SAMPLE).map(|s| (part(s) + hash(seed, s as u64) as usize % (part(s + 1) - part(s))) as u32).collect()
}

impl Sample {
    /// The points and their lists, with the place of the k-th neighbor in each.
    fn new(points: Vec<u32>, lists: &Lists, last: usize) -> Self {
        let exact = points.into_iter().zip(lists.iter()).map(|(i, (_, distances))| (i, distances[last]));
        Self { exact: exact.collect() }
    }

    /// The fraction of true neighbors in the lists of all points.
    fn recall_of(&self, lists: &Lists) -> f64 {
        let near = |&(i, farthest): &(u32, f64)| {
            let distances = lists.of(i as usize).1;
            (distances.iter().filter(|d| **d <= farthest).count(), distances.len())
        };
        let (hits, all) = self.exact.iter().map(near).fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
        hits as f64 / all as f64
    }

    /// The fraction of k true neighbors in the lists, of whose entries `distances` has the distances.
    fn recall<D: Iterator<Item = f64>>(&self, k: usize, distances: impl Fn(u32) -> D + Sync) -> f64 {
        let near = |&(i, farthest): &(u32, f64)| distances(i).filter(|d| *d <= farthest).count().min(k);
        let hits: usize = self.exact.par_iter().map(near).sum();
        hits as f64 / (self.exact.len() * k) as f64
    }
}

/// A pseudorandom number from a key and a seed (SplitMix64).
#[inline(always)]
fn hash(seed: u64, key: u64) -> u64 {
    let mut z = seed.wrapping_mul(0xD1B5_4A32_D192_ED03) ^ key.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests;
