//! Pairs of points in a patch, and the weights of patches.

use neighbor_graph::Neighbors;
use serde::{Deserialize, Serialize};

/// The pairs E_h of a patch, the neighborhood of point h.
///
/// Published descriptions differ; the resulting maps hardly do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum PatchPairs {
    /// All pairs of {h} ∪ N(h), as in the authors' program.
    #[default]
    Clique,
    /// All pairs of N(h), without h itself, as in the usual printed formula.
    Neighbors,
    /// (i, j) with i in N(h) and j in N(i), paths of two edges, as in the formula of the
    /// lecture slides.
    Path,
}

impl PatchPairs {
    /// Writes E_h to `pairs`.
    pub(crate) fn collect(self, h: usize, neighbors: &Neighbors, pairs: &mut Vec<(u32, u32)>) {
        pairs.clear();
        let near = neighbors.indices_of(h);
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
                    pairs.extend(neighbors.indices_of(i as usize).iter().map(|&j| (i, j)));
                }
            }
        }
    }
}

/// The weight w_h of a patch; g_h is the vector of its squared distances.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum PatchWeight {
    /// w_h = 1, as published. Robust to noise.
    #[default]
    Paper,
    /// w_h = 1 / |g_h|²: patches are weighted independently of their size. Better for
    /// nonuniform sampling, worse for noise.
    Patch,
    /// w_h = 1 / |g_h|, a compromise between the two.
    Sqrt,
}

impl PatchWeight {
    /// Returns √w_h for |g_h| > 0.
    pub(crate) fn root(self, norm: f64) -> f64 {
        match self {
            Self::Paper => 1.0,
            Self::Patch => 1.0 / norm,
            Self::Sqrt => 1.0 / norm.sqrt(),
        }
    }
}

embedding::words!(PatchPairs { Clique = "clique", Neighbors = "neighbors", Path = "path" });

embedding::words!(PatchWeight { Paper = "paper", Patch = "patch", Sqrt = "sqrt" });
