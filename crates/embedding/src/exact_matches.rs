//! New points that equal training rows.

use serde::{Deserialize, Serialize};

/// Where a new point that equals a training row is placed.
///
/// If the extension of a method interpolates, both choices agree up to rounding. If it
/// does not (t-SNE, UMAP, iterative scaling, Nyström's formula), the stored place of a
/// row differs from the places of points arbitrarily near the row; the documentation of
/// each such method states the difference.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ExactMatches {
    /// At the coordinates of that row in the embedding; if several rows are equal, at the coordinates of
    /// the first one.
    #[default]
    Stored,
    /// Where the extension places any other point: continuous with the points around it.
    Extended,
}

crate::words!(ExactMatches { Stored = "stored", Extended = "extended" });
