//! New points that equal training rows.

use serde::{Deserialize, Serialize};

/// The place of a new point that equals a training row.
///
/// Where the extension of a method interpolates, both agree up to rounding. Where it does
/// not (t-SNE, UMAP, iterative scaling, Nyström's formula), the stored place of a row and
/// the places of points arbitrarily near it differ; each such method says by how much.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ExactMatches {
    /// The coordinates of that row in the embedding; of several equal rows, of the first one.
    #[default]
    Stored,
    /// Where the extension puts any other point: continuous with the points around it.
    Extended,
}

crate::words!(ExactMatches { Stored = "stored", Extended = "extended" });
