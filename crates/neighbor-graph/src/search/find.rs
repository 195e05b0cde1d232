//! Searches for the neighbors of every point.

use embedding::{Error, Input, Neighborhood, Neighbors, Observer, Points, Scalar, Search, proceed};
use rayon::prelude::*;

use crate::search;
use crate::search::approximate::{Approximate, find_neighbors_approximately};
use crate::search::by_metric::run_measured;
use crate::search::lists::{self, List, Lists};
use crate::search::sparse::find_sparse_neighbors;

/// Queries between two reports to the observer.
const GROUP: usize = 1024;

/// Euclidean neighbors of every point among the others; stage `"neighbors"`.
///
/// Exact, by the algorithm that [`chosen_search`](crate::chosen_search) names;
/// [`Neighbors::found_by`] says which. Each distance is computed in `f64`
/// with a fixed order of additions, so the lists do not depend on the
/// algorithm, the machine or the number of threads.
///
/// Points in single precision (`Points<f32>`) give the lists of their widened copy. Above
/// 8 dimensions no such copy is made: rows are widened when they are needed.
///
/// Points of any scale have the lists of their copy near 1: where squares would overflow or
/// underflow, the points are divided by a power of two first.
///
/// Fails when the rule cannot hold for n points, and when distances exceed the
/// range of numbers.
pub fn find_neighbors<T: Scalar>(
    points: Points<'_, T>,
    neighborhood: Neighborhood,
    observer: &dyn Observer,
) -> Result<Neighbors, Error> {
    find_neighbors_by(points, neighborhood, Search::Auto, observer)
}

/// [`find_neighbors`] by a chosen algorithm. [`Search::Approximate`] takes the default
/// goal of [`find_neighbors_approximately`], which also returns the recall.
pub fn find_neighbors_by<T: Scalar>(
    points: Points<'_, T>,
    neighborhood: Neighborhood,
    search: Search,
    observer: &dyn Observer,
) -> Result<Neighbors, Error> {
    match (search, neighborhood) {
        (Search::Approximate, Neighborhood::Nearest { k }) => {
            let goal = Approximate::default();
            return Ok(find_neighbors_approximately(points, k, goal, observer)?.0);
        }
        (Search::Approximate, Neighborhood::Within { .. }) => {
            let requirement = "a number of nearest neighbors (an approximate search finds no radius)";
            return Err(Error::parameter("the neighborhood", requirement, "a radius"));
        }
        _ => {}
    }
    neighborhood.check(points.len())?;
    observer.stage("neighbors");
    let (lists, used) = search::run(points.into(), None, neighborhood.into(), search, observer)?;
    Ok(lists.into_neighbors(neighborhood, Some(used)))
}

/// The neighbors for a fit: of the points of an input by its metric, or from its distances.
///
/// By cosine, correlation and Hellinger's metric as fast as [`find_neighbors`], whose search
/// it is; by other metrics O(n² D). Distances and ties are those of all pairs in any case. Of
/// sparse points as [`find_sparse_neighbors`](crate::find_sparse_neighbors).
///
/// Fails with [`Error::Degenerate`] when the input has neither points nor distances, and
/// where a row has no distance to others by the metric.
pub fn neighbors_of_input(input: &Input<'_>, neighborhood: Neighborhood) -> Result<Neighbors, Error> {
    if let Some(measured) = input.measured()? {
        neighborhood.check(input.len())?;
        input.observed_by().stage("neighbors");
        let (lists, used) = run_measured(&measured, None, neighborhood.into(), input.observed_by())?;
        return Ok(lists.into_neighbors(neighborhood, Some(used)));
    }
    if let (None, Some(sparse)) = (input.given_points(), input.given_sparse()) {
        return find_sparse_neighbors(sparse, neighborhood, input.given_metric(), input.observed_by());
    }
    match (input.given_points(), input.given_distances()) {
        (None, Some(distances)) => {
            let distance = |i, j| distances.get(i, j);
            neighbors_from_distances(input.len(), neighborhood, &distance, input.observed_by())
        }
        _ => find_neighbors(input.points()?, neighborhood, input.observed_by()),
    }
}

/// Neighbors by another metric, which is symmetric, not negative and finite; stage
/// `"neighbors"`. O(n²) calls of the metric.
pub fn find_neighbors_with_metric(
    points: Points<'_>,
    neighborhood: Neighborhood,
    metric: &(dyn Fn(&[f64], &[f64]) -> f64 + Sync),
    observer: &dyn Observer,
) -> Result<Neighbors, Error> {
    neighbors_from_distances(
        points.len(),
        neighborhood,
        &|i, j| metric(points.row(i), points.row(j)),
        observer,
    )
}

/// Neighbors from given distances: `distance(i, j)` for every pair i ≠ j, not
/// negative and not NaN (infinite: never neighbors); stage `"neighbors"`. O(n²) calls.
pub fn neighbors_from_distances(
    n: usize,
    neighborhood: Neighborhood,
    distance: &(dyn Fn(usize, usize) -> f64 + Sync),
    observer: &dyn Observer,
) -> Result<Neighbors, Error> {
    neighborhood.check(n)?;
    observer.stage("neighbors");
    proceed(observer, 0, n)?;
    let nearest = |i: usize| -> Result<List, Error> {
        let mut list = List::new();
        for j in (0..n).filter(|&j| j != i) {
            // Adding zero makes negative zero a zero.
            let d = distance(i, j) + 0.0;
            if d.is_nan() || d < 0.0 {
                let got = format!("{d} between {i} and {j}");
                return Err(Error::parameter("a distance", "not negative and not NaN", got));
            }
            if d.is_finite() {
                list.push((j as u32, d));
            }
        }
        lists::keep(&mut list, neighborhood.into(), i);
        Ok(list)
    };
    let mut lists = Lists::with_capacity(n, 0);
    for start in (0..n).step_by(GROUP) {
        let end = n.min(start + GROUP);
        let found: Vec<Result<List, Error>> = (start..end).into_par_iter().map(nearest).collect();
        for list in found {
            lists.push(&list?);
        }
        proceed(observer, end, n)?;
    }
    Ok(lists.into_neighbors(neighborhood, None))
}
