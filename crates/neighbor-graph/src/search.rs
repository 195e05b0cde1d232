//! How neighbors are found.

use embedding::Points;
use serde::{Deserialize, Serialize};

/// The algorithm behind a neighbor search. All give the same lists.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Search {
    /// Chosen by the number of dimensions and points.
    #[default]
    Auto,
    /// A k-d tree; fast in few dimensions.
    KdTree,
    /// Distances to all points.
    BruteForce,
}

/// The lists of one query block: (index, distance), nearest first, ties by index.
pub(crate) type List = Vec<(u32, f64)>;

/// Squared Euclidean distance, summed in order.
pub(crate) fn squared_distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| (x - y) * (x - y)).sum()
}

/// The `k` nearest of `points` to `query`, except `skip`.
pub(crate) fn nearest(points: Points<'_>, query: &[f64], k: usize, skip: Option<usize>) -> List {
    let mut all: Vec<(f64, u32)> = points
        .rows()
        .enumerate()
        .filter(|(j, _)| Some(*j) != skip)
        .map(|(j, row)| (squared_distance(query, row), j as u32))
        .collect();
    let order = |a: &(f64, u32), b: &(f64, u32)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
    if k < all.len() {
        all.select_nth_unstable_by(k, order);
        all.truncate(k);
    }
    all.sort_unstable_by(order);
    all.into_iter().map(|(squared, j)| (j, squared.sqrt())).collect()
}

/// All of `points` within `radius` of `query`, except `skip`.
pub(crate) fn within(points: Points<'_>, query: &[f64], radius: f64, skip: Option<usize>) -> List {
    let mut list: List = points
        .rows()
        .enumerate()
        .filter(|(j, _)| Some(*j) != skip)
        .map(|(j, row)| (j as u32, squared_distance(query, row).sqrt()))
        .filter(|entry| entry.1 <= radius)
        .collect();
    list.sort_unstable_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
    list
}
