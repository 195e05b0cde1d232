//! Directed neighbor lists.

use embedding::{Error, Observer, Points};
use serde::{Deserialize, Serialize};

use crate::lists::{List, Lists};
use crate::{Neighborhood, Search, search};

/// For each of n points its neighbors, nearest first.
///
/// Invariants: lists are sorted by (distance, index); no point is its own
/// neighbor (self is excluded by index, so duplicates keep each other), nor
/// listed twice; distances are finite and not negative. Reading a saved value
/// checks them.
///
/// Two values are equal when their lists and their rule are, however found.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "crate::given::RawNeighbors")]
pub struct Neighbors {
    pub(crate) offsets: Vec<usize>,
    pub(crate) indices: Vec<u32>,
    pub(crate) distances: Vec<f64>,
    pub(crate) neighborhood: Neighborhood,
    pub(crate) found_by: Option<Search>,
}

impl PartialEq for Neighbors {
    fn eq(&self, other: &Self) -> bool {
        self.offsets == other.offsets
            && self.indices == other.indices
            && self.distances == other.distances
            && self.neighborhood == other.neighborhood
    }
}

impl Neighbors {
    /// Euclidean neighbors of every point among the others; stage `"neighbors"`.
    ///
    /// Exact, by the algorithm that [`Search::Auto`] chooses;
    /// [`Neighbors::found_by`] says which. Each distance is computed in `f64`
    /// with a fixed order of additions, so the lists do not depend on the
    /// algorithm, the machine or the number of threads.
    ///
    /// Fails when the rule cannot hold for so many points, and when squared
    /// distances overflow.
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
        let (lists, used) = search::run(points, None, neighborhood, search, observer)?;
        Ok(Self { found_by: Some(used), ..Self::from_parts(lists, neighborhood) })
    }

    pub(crate) fn from_parts(lists: Lists, neighborhood: Neighborhood) -> Self {
        let Lists { offsets, indices, distances } = lists;
        Self { offsets, indices, distances, neighborhood, found_by: None }
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

    /// The algorithm that found them, never [`Search::Auto`]; `None` where the
    /// lists or distances were given, or a metric of the caller's.
    pub fn found_by(&self) -> Option<Search> {
        self.found_by
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
        let mut shorter = self.map_lists(|_, list| list.truncate(k));
        shorter.neighborhood = Neighborhood::Nearest { k };
        Ok(shorter)
    }

    /// Keeps the edges i → j that `keep(i, j)` accepts (labels, time windows, …).
    ///
    /// Lists get shorter. For the k nearest among the accepted, give infinite
    /// distances to the others: [`Neighbors::from_distances`].
    pub fn filtered(&self, keep: impl Fn(usize, usize) -> bool) -> Self {
        self.map_lists(|i, list| list.retain(|e| keep(i, e.0 as usize)))
    }

    /// Every list changed in place, in order; it must stay sorted.
    pub(crate) fn map_lists(&self, change: impl Fn(usize, &mut List)) -> Self {
        let mut lists = Lists::with_capacity(self.len(), self.edges());
        let mut list = List::new();
        for i in 0..self.len() {
            let (js, ds) = self.of(i);
            list.clear();
            list.extend(js.iter().copied().zip(ds.iter().copied()));
            change(i, &mut list);
            lists.push(&list);
        }
        Self { found_by: self.found_by, ..Self::from_parts(lists, self.neighborhood) }
    }
}
