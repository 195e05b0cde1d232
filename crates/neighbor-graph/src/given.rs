//! Neighbors by another metric, from given distances, from given lists.

use embedding::{Error, Observer, Points, proceed};
use rayon::prelude::*;
use serde::Deserialize;

use crate::lists::{self, List, Lists};
use crate::{Neighborhood, Neighbors, Search};

/// Queries between two reports to the observer.
const GROUP: usize = 1024;

impl Neighbors {
    /// Neighbors by a metric of the caller's: symmetric, not negative, finite.
    pub fn find_with_metric(
        points: Points<'_>,
        neighborhood: Neighborhood,
        metric: &(dyn Fn(&[f64], &[f64]) -> f64 + Sync),
        observer: &dyn Observer,
    ) -> Result<Self, Error> {
        neighborhood.check_points(points)?;
        Self::from_distances(
            points.len(),
            neighborhood,
            &|i, j| metric(points.row(i), points.row(j)),
            observer,
        )
    }

    /// Neighbors from given distances: `distance(i, j)` for every pair i ≠ j,
    /// not negative and not NaN (infinite: never neighbors). O(n²) calls.
    pub fn from_distances(
        n: usize,
        neighborhood: Neighborhood,
        distance: &(dyn Fn(usize, usize) -> f64 + Sync),
        observer: &dyn Observer,
    ) -> Result<Self, Error> {
        neighborhood.check_count(n)?;
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
            match neighborhood {
                Neighborhood::Nearest { k } => lists::keep_nearest(&mut list, k),
                Neighborhood::Within { radius } => {
                    list.retain(|e| e.1 <= radius);
                    lists::sort(&mut list);
                }
            }
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
        Ok(Self::from_parts(lists, neighborhood))
    }

    /// Neighbors found elsewhere: for each point its (index, distance) pairs in
    /// any order, and the rule they obey. Lists may be shorter than the rule's k.
    ///
    /// Fails with [`Error::Parameter`] when a list names its own point, a point
    /// that is not there, or one point twice; when a distance is negative, NaN
    /// or infinite; and when a list is longer than the rule's k or reaches
    /// beyond its radius.
    ///
    /// ```
    /// use neighbor_graph::{Neighborhood, Neighbors};
    /// let lists = vec![vec![(1, 0.5)], vec![(0, 0.5)]];
    /// let neighbors = Neighbors::from_lists(lists, Neighborhood::Nearest { k: 1 })?;
    /// assert_eq!(neighbors.of(0), (&[1][..], &[0.5][..]));
    /// assert!(Neighbors::from_lists(vec![vec![(0, 0.0)]], Neighborhood::Nearest { k: 1 }).is_err());
    /// # Ok::<(), embedding::Error>(())
    /// ```
    pub fn from_lists(lists: Vec<Vec<(u32, f64)>>, neighborhood: Neighborhood) -> Result<Self, Error> {
        if lists.is_empty() {
            return Err(Error::TooFewPoints { what: "a neighbor graph", needed: 1, got: 0 });
        }
        neighborhood.check_count(lists.len())?;
        for (i, list) in lists.iter().enumerate() {
            let (legal, got) = match neighborhood {
                Neighborhood::Nearest { k } => (list.len() <= k, list.len().to_string()),
                Neighborhood::Within { radius } => {
                    let farthest = list.iter().map(|e| e.1).fold(0.0, f64::max);
                    (farthest <= radius, farthest.to_string())
                }
            };
            if !legal {
                return Err(Error::parameter(
                    "a neighbor list",
                    format!("within {neighborhood:?}"),
                    format!("{got} at point {i}"),
                ));
            }
        }
        let mut all = Lists::with_capacity(lists.len(), lists.iter().map(Vec::len).sum());
        for mut list in lists {
            list.iter_mut().for_each(|e| e.1 += 0.0);
            lists::sort(&mut list);
            all.push(&list);
        }
        check_lists(&all)?;
        Ok(Self::from_parts(all, neighborhood))
    }
}

/// What a saved [`Neighbors`] holds before it is believed.
#[derive(Deserialize)]
pub(crate) struct RawNeighbors {
    offsets: Vec<usize>,
    indices: Vec<u32>,
    distances: Vec<f64>,
    neighborhood: Neighborhood,
    found_by: Option<Search>,
}

impl TryFrom<RawNeighbors> for Neighbors {
    type Error = Error;
    fn try_from(raw: RawNeighbors) -> Result<Self, Error> {
        check_offsets(&raw.offsets, raw.indices.len(), raw.distances.len())?;
        let lists = Lists { offsets: raw.offsets, indices: raw.indices, distances: raw.distances };
        check_lists(&lists)?;
        let sorted = lists.iter().all(|(js, ds)| {
            (1..js.len()).all(|at| ds[at - 1].total_cmp(&ds[at]).then(js[at - 1].cmp(&js[at])).is_lt())
        });
        if !sorted {
            return Err(damaged("a neighbor list is not sorted"));
        }
        Ok(Self { found_by: raw.found_by, ..Self::from_parts(lists, raw.neighborhood) })
    }
}

/// Rows that begin at zero, do not overlap and end with the entries.
pub(crate) fn check_offsets(offsets: &[usize], indices: usize, values: usize) -> Result<(), Error> {
    let fits = offsets.first() == Some(&0)
        && offsets.last() == Some(&indices)
        && indices == values
        && offsets.is_sorted()
        && offsets.len() <= u32::MAX as usize;
    if fits { Ok(()) } else { Err(damaged("the rows of a graph do not fit its entries")) }
}

pub(crate) fn damaged(problem: &str) -> Error {
    Error::Model { problem: problem.to_owned() }
}

/// Every entry leads to another point, once, at a finite distance.
fn check_lists(lists: &Lists) -> Result<(), Error> {
    let n = lists.offsets.len() - 1;
    let mut seen = vec![u32::MAX; n];
    for (i, (js, ds)) in lists.iter().enumerate() {
        for (&j, &d) in js.iter().zip(ds) {
            if j as usize >= n || j as usize == i || seen[j as usize] == i as u32 {
                return Err(Error::parameter(
                    "a neighbor list",
                    format!("of other points below {n}, each once"),
                    format!("{j} in the list of {i}"),
                ));
            }
            seen[j as usize] = i as u32;
            if !(d.is_finite() && d >= 0.0) {
                let got = format!("{d} between {i} and {j}");
                return Err(Error::parameter("a distance", "finite and not negative", got));
            }
        }
    }
    Ok(())
}
