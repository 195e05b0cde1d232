//! Peak memory of a fit, estimated before anything is allocated.

use embedding::{Error, Input};

/// Fails unless the graph and the optimization of an input fit its limit, with `entries` in
/// all neighbor lists together. The neighbor search and the eigenvectors of the start have
/// their own estimates.
pub(crate) fn allow_fit(dim: usize, input: &Input<'_>, entries: usize) -> Result<(), Error> {
    let (n, e, d) = (input.len() as f64, entries as f64, dim as f64);
    // Lists; arcs in both directions while the graph is made; the graph and its part that
    // is visited; edges with rates.
    let graph = 12.0 * e + 2.0 * e * (16.0 + 12.0 + 12.0 + 8.0);
    // Starts in double precision, two copies of the map, one for the observer, the
    // embedding.
    let map = n * d * (8.0 + 8.0 + 4.0 + 4.0 + 8.0);
    input.limit().allow("UMAP", (graph + map) as u64, "use fewer neighbors, points or dimensions")
}
