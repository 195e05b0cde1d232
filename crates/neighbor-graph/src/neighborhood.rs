//! What counts as near.

use embedding::{Error, Points};
use serde::{Deserialize, Serialize};

/// The rule that makes two points neighbors.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Neighborhood {
    /// The `k` nearest other points, 1 ≤ k < n; ties go to the lower index.
    Nearest {
        /// How many.
        k: usize,
    },
    /// Every other point at a distance of at most `radius`, in input units.
    Within {
        /// Finite and positive.
        radius: f64,
    },
}

impl Neighborhood {
    /// Fails when the rule cannot hold for n points.
    pub fn check(self, n: usize) -> Result<(), Error> {
        match self {
            Self::Nearest { k } if k == 0 || k >= n => {
                Err(Error::parameter("k", format!("between 1 and {} for {n} points", n.saturating_sub(1)), k))
            }
            Self::Within { radius } if !(radius.is_finite() && radius > 0.0) => {
                Err(Error::parameter("radius", "finite and positive", radius))
            }
            _ => Ok(()),
        }
    }

    pub(crate) fn check_points(self, points: Points<'_>) -> Result<(), Error> {
        self.check_count(points.len())
    }

    /// The same, and n must fit the graph's indices.
    pub(crate) fn check_count(self, n: usize) -> Result<(), Error> {
        if u32::try_from(n).is_err() {
            return Err(Error::parameter("the number of points", "below 2³²", n));
        }
        self.check(n)
    }
}

impl Default for Neighborhood {
    fn default() -> Self {
        Self::Nearest { k: 10 }
    }
}
