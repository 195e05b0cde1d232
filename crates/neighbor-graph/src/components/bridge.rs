//! An edge between two components.

use std::cmp::Ordering;

use embedding::Error;
use embedding::implement::{require, require_finite};
use serde::{Deserialize, Serialize};

/// An edge that connects two components.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bridge {
    /// The end with the lower index.
    pub from: u32,
    /// The other end.
    pub to: u32,
    /// Its length.
    pub distance: f64,
}

impl Bridge {
    /// Creates an edge between two points, given in either order.
    pub(crate) fn new(one: u32, other: u32, distance: f64) -> Self {
        Self { from: one.min(other), to: one.max(other), distance }
    }

    /// Compares by (length, lower end, higher end). No two edges are equal, so the
    /// minimum spanning tree is unique.
    pub(crate) fn order(&self, other: &Self) -> Ordering {
        self.distance.total_cmp(&other.distance).then((self.from, self.to).cmp(&(other.from, other.to)))
    }

    pub(crate) fn before(&self, other: &Self) -> bool {
        self.order(other).is_lt()
    }
}

/// Fails unless bridges that were read connect points with indices below `total`.
pub(super) fn check(bridges: &[Bridge], total: usize) -> Result<(), Error> {
    let ends = bridges.iter().all(|b| b.from < b.to && (b.to as usize) < total && b.distance >= 0.0);
    require(ends, "a bridge does not connect two of its points")?;
    require_finite(bridges.iter().map(|b| &b.distance), "the length of a bridge")
}
