//! Which pairs of points keep their angles, and how much each patch counts.

use embedding::Points;
use neighbor_graph::Neighbors;
use serde::{Deserialize, Serialize};

/// The pairs E_h of a patch, the neighborhood of point h.
///
/// The sources differ, the maps hardly do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum PatchPairs {
    /// All pairs of {h} ∪ N(h): the inventors' own program.
    #[default]
    Clique,
    /// All pairs of N(h), without h itself: the formula as it is often printed.
    Neighbors,
    /// (i, j) with i in N(h) and j in N(i): paths of two steps, the formula of
    /// the lecture slides.
    Path,
}

impl PatchPairs {
    /// Writes E_h to `pairs`.
    pub(crate) fn collect(self, h: usize, neighbors: &Neighbors, pairs: &mut Vec<(u32, u32)>) {
        pairs.clear();
        let near = neighbors.of(h).0;
        if self == Self::Clique {
            pairs.extend(near.iter().map(|&j| (h as u32, j)));
        }
        match self {
            Self::Clique | Self::Neighbors => {
                for (a, &i) in near.iter().enumerate() {
                    pairs.extend(near[a + 1..].iter().map(|&j| (i, j)));
                }
            }
            Self::Path => {
                for &i in near {
                    pairs.extend(neighbors.of(i as usize).0.iter().map(|&j| (i, j)));
                }
            }
        }
    }
}

/// The weight w_h of a patch; g_h is the vector of its squared distances.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum PatchWeight {
    /// w_h = 1, as published. Calm under noise.
    #[default]
    Paper,
    /// w_h = 1 / |g_h|²: every patch counts by the shape of its image, not by
    /// its size. Better on uneven sampling, worse on noise.
    Patch,
    /// w_h = 1 / |g_h|, between the two.
    Sqrt,
}

impl PatchWeight {
    /// √w_h for |g_h| > 0.
    pub(crate) fn root(self, norm: f64) -> f64 {
        match self {
            Self::Paper => 1.0,
            Self::Patch => 1.0 / norm,
            Self::Sqrt => 1.0 / norm.sqrt(),
        }
    }
}

/// |x_i − x_j|².
pub(crate) fn squared_distance(points: Points<'_>, i: u32, j: u32) -> f64 {
    embedding::squared_distance(points.row(i as usize), points.row(j as usize))
}

embedding::words!(PatchPairs { Clique = "clique", Neighbors = "neighbors", Path = "path" });

embedding::words!(PatchWeight { Paper = "paper", Patch = "patch", Sqrt = "sqrt" });
