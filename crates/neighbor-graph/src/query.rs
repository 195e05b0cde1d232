//! Neighbors of new points among known ones.

use embedding::{Error, PointSet, Points};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::{Neighborhood, search};

/// Known points, ready to be asked who is near a new one. Part of every fitted
/// model that places new points.
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
        let rows: Vec<&[f64]> = new.rows().collect();
        Ok(rows.par_iter().map(|row| search::nearest(self.points.view(), row, k, None)).collect())
    }

    /// For each row of `new` all known points within `radius`, in the same
    /// order; possibly none.
    pub fn within(&self, new: Points<'_>, radius: f64) -> Result<Vec<Vec<(u32, f64)>>, Error> {
        self.check_columns(new)?;
        Neighborhood::Within { radius }.check(self.points.len())?;
        let rows: Vec<&[f64]> = new.rows().collect();
        Ok(rows.par_iter().map(|row| search::within(self.points.view(), row, radius, None)).collect())
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
