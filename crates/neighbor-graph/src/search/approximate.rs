//! Approximate nearest neighbors, with their recall measured.

mod descent;
mod nearest;
mod trees;

use embedding::{Error, Neighborhood, Neighbors, Observer, Points, Scalar, Search, proceed};
use rayon::prelude::*;

use self::descent::Descent;
use self::nearest::Nearest;
use crate::metric::distance;
use crate::search;
use crate::search::lists::{self, List, Lists, fill_in_order};
use crate::search::rows::Rows;
use crate::search::sketch::{Frame, Sketch, Widths};
use crate::search::{partition, tree};

/// Up to this many points every search is exact.
const FEW: usize = 4096;

/// Points of which the exact neighbors are found, to measure the recall.
const SAMPLE: usize = 256;

/// Directions in which the trees divide the points.
const DIRECTIONS: usize = 32;

/// Trees at the start, and how many may be added, one after the other, while the goal is not met.
const TREES: (usize, usize) = (3, 9);

/// What an approximate search aims at.
///
/// ```
/// use neighbor_graph::Approximate;
/// assert_eq!(Approximate::default(), Approximate { recall: 0.95, seed: 0 });
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Approximate {
    /// The fraction of true neighbors at which the search stops; above 0, at most 1;
    /// by default 0.95.
    pub recall: f64,
    /// Of the divisions, of the pairs that are tried and of the sample; by default 0.
    pub seed: u64,
}

impl Default for Approximate {
    fn default() -> Self {
        Self { recall: 0.95, seed: 0 }
    }
}

/// How many of the true neighbors were found, measured on a sample of the points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Recall {
    /// The fraction found: of `points` · k neighbors, those not farther than the k-th true
    /// one. 1 for an exact search.
    pub measured: f64,
    /// The number of points of the sample; n for an exact search.
    pub points: usize,
}

/// The k nearest neighbors of every point, most of them right; stage `"neighbors"`.
///
/// Random trees divide the points, all pairs in a leaf are compared, and then neighbors
/// of neighbors, until the recall that was asked for is reached on a sample of 256 points
/// whose neighbors are found exactly, or nothing improves. The recall at the end is
/// returned; it can be below the goal. Distances are exact, in `f64`; only lists may miss
/// a point. Same points, k and seed: same lists, at any number of threads.
///
/// Up to 4,096 points and up to 8 dimensions the search is exact, since it is faster then.
/// [`Neighbors::found_by`] is the algorithm used.
///
/// Time about O(n log n (k² D)), where all pairs take O(n² D); memory for one copy in
/// single precision, 4 n D bytes, and 30 n k bytes.
///
/// Fails when k is not from 1 to n − 1, when the goal is not in (0, 1], and when distances
/// exceed the range of numbers.
///
/// Dong, Moses and Li: Efficient k-nearest neighbor graph construction for generic
/// similarity measures. WWW 2011. <https://doi.org/10.1145/1963405.1963487>
/// Dasgupta and Freund: Random projection trees and low dimensional manifolds. STOC 2008.
/// <https://doi.org/10.1145/1374376.1374452>
pub fn find_neighbors_approximately<T: Scalar>(
    points: Points<'_, T>,
    k: usize,
    goal: Approximate,
    observer: &dyn Observer,
) -> Result<(Neighbors, Recall), Error> {
    search_rows(points.into(), k, goal, observer)
}

fn search_rows(
    rows: Rows<'_>,
    k: usize,
    goal: Approximate,
    observer: &dyn Observer,
) -> Result<(Neighbors, Recall), Error> {
    let neighborhood = Neighborhood::Nearest { k };
    neighborhood.check(rows.len())?;
    if !(goal.recall > 0.0 && goal.recall <= 1.0) {
        return Err(Error::parameter("recall", "above 0 and at most 1", goal.recall));
    }
    observer.stage("neighbors");
    let n = rows.len();
    if n <= FEW.max(4 * k) || rows.dim() <= tree::MAX_DIM {
        let (lists, used) = search::run(rows, None, neighborhood, Search::Auto, observer)?;
        let recall = Recall { measured: 1.0, points: n };
        return Ok((lists.into_neighbors(neighborhood, Some(used)), recall));
    }
    let (lists, recall) = search::at_ordinary_scale(rows, None, neighborhood, |rows, _, _| {
        trees_and_descent(rows, k, goal, observer)
    })?;
    Ok((lists.into_neighbors(neighborhood, Some(Search::Approximate)), recall))
}

/// The search for points of ordinary scale.
fn trees_and_descent(
    rows: Rows<'_>,
    k: usize,
    goal: Approximate,
    observer: &dyn Observer,
) -> Result<(Lists, Recall), Error> {
    crate::metric::check_scale(rows, None)?;
    let sample = Sample::new(rows, k, goal.seed, observer)?;
    let space = Space::new(rows, trees::leaf(k));
    let ranks = space.ranks();
    let recall = |found: &Nearest| sample.recall(rows, &space, &ranks, found);
    let (found, measured) = improve(&space, k, goal, &recall, observer)?;
    let scratch = || (List::new(), Vec::new(), Vec::new());
    let lists = fill_in_order(rows.len(), observer, scratch, |(list, wide, other), i, lists| {
        let row = rows.row(i, wide);
        list.clear();
        list.extend(found.of(ranks[i] as usize).0.iter().map(|&at| {
            let j = space.order[at as usize];
            (j, distance(row, rows.row(j as usize, other)))
        }));
        lists::sort(list);
        lists.push(list);
    })?;
    Ok((lists, Recall { measured, points: sample.exact.len() }))
}

/// Lists by trees and descent, until the goal is met or nothing improves, and their recall.
fn improve(
    space: &Space,
    k: usize,
    goal: Approximate,
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

/// The points in single precision, neighbors in space near in memory.
#[derive(Debug)]
struct Space {
    /// The point at each position.
    order: Vec<u32>,
    /// Coordinates by position, filled with zeros to a whole number of registers.
    rows: Vec<f32>,
    width: usize,
    /// Coordinates in the leading directions, by position.
    leading: Sketch,
}

impl Space {
    fn new(points: Rows<'_>, block: usize) -> Self {
        let widths = Widths { narrow: DIRECTIONS, wide: DIRECTIONS };
        let frame = Frame::new(points, None, (points.dim() > DIRECTIONS).then_some(widths));
        let leading = frame.sketch(points);
        let order = partition::by_halves(&leading, block).order;
        let leading = leading.reordered(&order);
        let (rows, width) = frame.rows(points, &order);
        Self { order, rows, width, leading }
    }

    fn len(&self) -> usize {
        self.order.len()
    }

    #[inline(always)]
    fn row(&self, at: u32) -> &[f32] {
        &self.rows[at as usize * self.width..][..self.width]
    }

    /// The position of each point.
    fn ranks(&self) -> Vec<u32> {
        let mut ranks = vec![0; self.order.len()];
        self.order.iter().enumerate().for_each(|(at, &i)| ranks[i as usize] = at as u32);
        ranks
    }
}

/// Points with their exact neighbors.
#[derive(Debug)]
struct Sample {
    /// A point, and the distance of its k-th neighbor.
    exact: Vec<(u32, f64)>,
}

impl Sample {
    fn new(points: Rows<'_>, k: usize, seed: u64, observer: &dyn Observer) -> Result<Self, Error> {
        // One from each of as many equal parts.
        let n = points.len();
        let part = |s: usize| s * n / SAMPLE;
        let chosen: Vec<u32> = (0..SAMPLE)
            .map(|s| (part(s) + hash(seed, s as u64) as usize % (part(s + 1) - part(s))) as u32)
            .collect();
        let mut values = Vec::with_capacity(SAMPLE * points.dim());
        let mut wide = Vec::new();
        chosen.iter().for_each(|&i| values.extend_from_slice(points.row(i as usize, &mut wide)));
        let queries = Points::new(&values, points.dim())?;
        // One more, since a point is its own nearest.
        let rule = Neighborhood::Nearest { k: k + 1 };
        let (lists, _) = search::run(points, Some(queries), rule, Search::BruteForce, observer)?;
        let exact = chosen.into_iter().zip(lists.iter()).map(|(i, (_, distances))| (i, distances[k]));
        Ok(Self { exact: exact.collect() })
    }

    /// The fraction of true neighbors in the lists; `ranks` are the positions of the points.
    fn recall(&self, points: Rows<'_>, space: &Space, ranks: &[u32], found: &Nearest) -> f64 {
        let hits: usize = self
            .exact
            .par_iter()
            .map_init(Default::default, |(a, b): &mut (Vec<f64>, Vec<f64>), &(i, farthest)| {
                let row = points.row(i as usize, a);
                let mut is_near = |at: u32| {
                    let j = space.order[at as usize] as usize;
                    distance(row, points.row(j, b)) <= farthest
                };
                let list = found.of(ranks[i as usize] as usize).0;
                list.iter().filter(|&&at| is_near(at)).count()
            })
            .sum();
        hits as f64 / (self.exact.len() * found.k()) as f64
    }
}

/// A number that looks random, of a key and a seed (SplitMix64).
#[inline(always)]
fn hash(seed: u64, key: u64) -> u64 {
    let mut z = seed.wrapping_mul(0xD1B5_4A32_D192_ED03) ^ key.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}
