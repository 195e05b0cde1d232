//! Neighbors of new points among known ones.

use embedding::{Error, PointSet, Points, Silent};
use serde::{Deserialize, Serialize};

use crate::{Neighborhood, Search, search};

/// Known points, ready to be asked who is near a new one. Part of every fitted
/// model that places new points.
///
/// A call decides by itself how to search, as a search among the points does;
/// nothing but the points is kept.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct NeighborIndex {
    points: PointSet,
}

impl NeighborIndex {
    /// Keeps a copy of the points.
    pub fn new(points: Points<'_>) -> Self {
        Self { points: points.to_owned() }
    }

    /// The points themselves.
    pub fn points(&self) -> Points<'_> {
        self.points.view()
    }

    /// For each row of `new` its `k` nearest known points: (index, distance),
    /// nearest first, ties by index. Rows in parallel, each by itself.
    pub fn nearest(&self, new: Points<'_>, k: usize) -> Result<Vec<Vec<(u32, f64)>>, Error> {
        self.check_columns(new)?;
        if k == 0 || k > self.points.len() {
            return Err(Error::parameter("k", format!("between 1 and {}", self.points.len()), k));
        }
        self.search(new, Neighborhood::Nearest { k })
    }

    /// For each row of `new` all known points within `radius`, in the same
    /// order; possibly none.
    pub fn within(&self, new: Points<'_>, radius: f64) -> Result<Vec<Vec<(u32, f64)>>, Error> {
        self.check_columns(new)?;
        let neighborhood = Neighborhood::Within { radius };
        neighborhood.check(self.points.len())?;
        self.search(new, neighborhood)
    }

    fn search(&self, new: Points<'_>, neighborhood: Neighborhood) -> Result<Vec<Vec<(u32, f64)>>, Error> {
        let points = self.points.view();
        let (lists, _) = search::run(points, Some(new), neighborhood, Search::Auto, &Silent)?;
        Ok(lists.into_vecs())
    }

    fn check_columns(&self, new: Points<'_>) -> Result<(), Error> {
        if new.dim() == self.points.dim() {
            return Ok(());
        }
        Err(Error::Shape {
            what: "the number of columns of the new points",
            expected: format!("{} as in the training data", self.points.dim()),
            got: new.dim().to_string(),
        })
    }
}
