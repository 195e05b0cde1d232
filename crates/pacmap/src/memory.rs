//! Peak memory of a fit, estimated before anything is allocated.

use embedding::{Error, Input};

/// Sizes of a fit.
pub(crate) struct Size {
    pub(crate) candidates: usize,
    /// Pairs per point.
    pub(crate) pairs: usize,
    /// Columns after preparation.
    pub(crate) columns: usize,
    pub(crate) dim: usize,
}

/// Fails unless pairs and optimization of an input fit its limit. The neighbor search and
/// the principal components have their own estimates.
pub(crate) fn allow_fit(input: &Input<'_>, size: &Size) -> Result<(), Error> {
    let n = input.len() as f64;
    let lists = 12.0 * size.candidates as f64;
    // Lists of the points, one by one and together; both ends of each pair, twice while
    // further pairs are drawn again.
    let pairs = (4.0 + 4.0 + 8.0 + 8.0) * size.pairs as f64;
    let reduced = 2.0 * 8.0 * size.columns as f64;
    // Places before and after a step, moments, the copy for the observer, the embedding.
    let map = (4.0 * 4.0 + 8.0 + 8.0) * size.dim as f64;
    let bytes = n * (lists + pairs + reduced + map);
    input.limit().allow("PaCMAP", bytes as u64, "use fewer neighbors, pairs, points or dimensions")
}
