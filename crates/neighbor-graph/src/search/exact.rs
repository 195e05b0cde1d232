//! Exact searches for the neighbors of every point.

use embedding::implement::proceed;
use embedding::{Data, Error, Input, Neighborhood, Neighbors, Observer, Search};
use rayon::prelude::*;

use crate::search::by_metric::run_measured;
use crate::search::lists::{self, List, Lists};
use crate::search::{self, rows, sparse};

/// Queries between two reports to the observer.
const GROUP: usize = 1024;

/// Euclidean neighbors of dense points.
pub(crate) fn euclidean(
    points: rows::Rows<'_>,
    neighborhood: Neighborhood,
    algorithm: Search,
    observer: &dyn Observer,
) -> Result<Neighbors, Error> {
    neighborhood.check(points.len())?;
    observer.stage("neighbors");
    let (lists, used) = search::run(points, None, neighborhood.into(), algorithm, observer)?;
    Ok(lists.into_neighbors(neighborhood, Some(used)))
}

/// The neighbors of the points of an input by its metric, or from its distances.
pub(crate) fn in_input(input: &Input<'_>, neighborhood: Neighborhood) -> Result<Neighbors, Error> {
    let observer = input.observer();
    if let Some(measured) = input.metric_points()? {
        neighborhood.check(input.len())?;
        observer.stage("neighbors");
        let (lists, used) = run_measured(&measured, None, neighborhood.into(), observer)?;
        return Ok(lists.into_neighbors(neighborhood, Some(used)));
    }
    match input.data() {
        Data::Rows(embedding::Rows::Dense(points)) => {
            euclidean(points.into(), neighborhood, Search::Auto, observer)
        }
        Data::Rows(embedding::Rows::Sparse(points)) => {
            sparse::neighbors(points, neighborhood, input.metric(), observer)
        }
        Data::Distances(distances) => {
            by_function(input.len(), neighborhood, &|i, j| distances.get(i, j), observer)
        }
        Data::Neighbors(_) => Err(Error::no_points()),
    }
}

/// Neighbors by `distance(i, j)` for every pair i ≠ j; infinite: never neighbors. O(n²) calls.
pub(crate) fn by_function(
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
