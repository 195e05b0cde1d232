//! Peak memory of a fit, estimated before anything is allocated.

use embedding::{Error, Input};

use crate::forces::parts;

/// Sizes of a fit.
pub(crate) struct Size {
    pub(crate) candidates: usize,
    /// Triplets per point.
    pub(crate) triplets: usize,
    /// Columns after preparation.
    pub(crate) columns: usize,
    pub(crate) dim: usize,
}

/// Fails unless triplets and optimization of an input fit its limit. The neighbor search and
/// the principal components have their own estimates.
pub(crate) fn allow_fit(input: &Input<'_>, size: &Size) -> Result<(), Error> {
    let n = input.len() as f64;
    let lists = 12.0 * size.candidates as f64;
    // Lists of the points with their margins, which can be half empty, and all together.
    let triplets = (2.0 * 16.0 + 12.0) * size.triplets as f64;
    let reduced = 2.0 * 8.0 * size.columns as f64;
    // Partial sums; places, velocities, gains; the copy for the observer, the embedding.
    let map = (4.0 * parts(input.len()) as f64 + 4.0 * 4.0 + 8.0 + 8.0) * size.dim as f64;
    let bytes = n * (lists + triplets + reduced + map);
    input.limit().allow("TriMap", bytes as u64, "use fewer inliers, outliers, points or dimensions")
}
