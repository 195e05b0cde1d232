//! Directed neighbor lists.

use embedding::{Error, Observer, Points, proceed};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::lists::{List, Lists};
use crate::{Neighborhood, Search, search};

/// For each of n points its neighbors, nearest first.
///
/// Invariants: lists are sorted by (distance, index); no point is its own
/// neighbor (self is excluded by index, so duplicates keep each other);
/// distances are finite and not negative.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Neighbors {
    offsets: Vec<usize>,
    indices: Vec<u32>,
    distances: Vec<f64>,
    neighborhood: Neighborhood,
}

impl Neighbors {
    /// Euclidean neighbors of every point among the others; stage `"neighbors"`.
    pub fn find(
        points: Points<'_>,
        neighborhood: Neighborhood,
        observer: &dyn Observer,
    ) -> Result<Self, Error> {
        Self::find_by(points, neighborhood, Search::Auto, observer)
    }

    /// The same by a chosen algorithm.
    pub fn find_by(
        points: Points<'_>,
        neighborhood: Neighborhood,
        search: Search,
        observer: &dyn Observer,
    ) -> Result<Self, Error> {
        neighborhood.check_points(points)?;
        observer.stage("neighbors");
        let lists = search::run(points, None, neighborhood, search, observer)?;
        Ok(Self::from_parts(lists, neighborhood))
    }

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
    /// not negative and not NaN (infinite: never neighbors).
    pub fn from_distances(
        n: usize,
        neighborhood: Neighborhood,
        distance: &(dyn Fn(usize, usize) -> f64 + Sync),
        observer: &dyn Observer,
    ) -> Result<Self, Error> {
        neighborhood.check(n)?;
        observer.stage("neighbors");
        proceed(observer, 0, n)?;
        let lists: Result<Vec<List>, Error> = (0..n)
            .into_par_iter()
            .map(|i| {
                let mut list = List::new();
                for j in (0..n).filter(|&j| j != i) {
                    let d = distance(i, j);
                    if d.is_nan() || d < 0.0 {
                        return Err(Error::parameter(
                            "a distance",
                            "not negative and not NaN",
                            format!("{d} between {i} and {j}"),
                        ));
                    }
                    list.push((j as u32, d));
                }
                list.retain(|e| e.1.is_finite());
                list.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
                match neighborhood {
                    Neighborhood::Nearest { k } => list.truncate(k),
                    Neighborhood::Within { radius } => list.retain(|e| e.1 <= radius),
                }
                Ok(list)
            })
            .collect();
        let lists = lists?;
        proceed(observer, n, n)?;
        Ok(Self::from_sorted(lists, neighborhood))
    }

    fn from_parts(lists: Lists, neighborhood: Neighborhood) -> Self {
        let Lists { offsets, indices, distances } = lists;
        Self { offsets, indices, distances, neighborhood }
    }

    pub(crate) fn from_sorted(lists: Vec<List>, neighborhood: Neighborhood) -> Self {
        let mut all = Lists::with_capacity(lists.len(), lists.iter().map(Vec::len).sum());
        lists.iter().for_each(|list| all.push(list));
        Self::from_parts(all, neighborhood)
    }

    /// The number of points, n.
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Whether there is no point.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The rule these lists obey.
    pub fn neighborhood(&self) -> Neighborhood {
        self.neighborhood
    }

    /// Indices of and distances to the neighbors of point `i`, nearest first.
    pub fn of(&self, i: usize) -> (&[u32], &[f64]) {
        let range = self.offsets[i]..self.offsets[i + 1];
        (&self.indices[range.clone()], &self.distances[range])
    }

    /// The number of directed edges.
    pub fn edges(&self) -> usize {
        self.indices.len()
    }

    /// The shortest and the longest list.
    pub fn degrees(&self) -> (usize, usize) {
        let degree = |i: usize| self.offsets[i + 1] - self.offsets[i];
        let all = (0..self.len()).map(degree);
        (all.clone().min().unwrap_or(0), all.max().unwrap_or(0))
    }

    /// The lists for a smaller k: exactly what a search with that k returns.
    pub fn truncated(&self, k: usize) -> Result<Self, Error> {
        match self.neighborhood {
            Neighborhood::Nearest { k: most } if (1..=most).contains(&k) => {}
            other => {
                return Err(Error::parameter("k", format!("at least 1 and at most that of {other:?}"), k));
            }
        }
        Ok(self.map_lists(Neighborhood::Nearest { k }, |_, list| list.into_iter().take(k).collect()))
    }

    /// Keeps the edges i → j that `keep(i, j)` accepts (labels, time windows, …).
    pub fn filtered(&self, keep: impl Fn(usize, usize) -> bool) -> Self {
        self.map_lists(self.neighborhood, |i, list| {
            list.into_iter().filter(|e| keep(i, e.0 as usize)).collect()
        })
    }

    pub(crate) fn map_lists(&self, neighborhood: Neighborhood, map: impl Fn(usize, List) -> List) -> Self {
        let lists = (0..self.len())
            .map(|i| {
                let (js, ds) = self.of(i);
                map(i, js.iter().copied().zip(ds.iter().copied()).collect())
            })
            .collect();
        Self::from_sorted(lists, neighborhood)
    }
}
