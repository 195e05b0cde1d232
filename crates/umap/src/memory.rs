//! Peak memory of a fit, estimated before anything is allocated.

use embedding::{Error, Input};
use neighbor_graph::search_bytes;

/// Fails unless the neighbor search, the graph and the optimization of an input fit its limit, with
/// `entries` in all neighbor lists together. The eigenvectors of the start have their own
/// estimate.
pub(crate) fn allow_fit(dim: usize, input: &Input<'_>, entries: usize) -> Result<(), Error> {
    let columns = input.given_points().map_or(0, |points| points.dim());
    // Lists concatenated from parts; or rows of all distances, of a group of points at a time.
    let search = match (input.given_neighbors(), columns) {
        (Some(_), _) => 0.0,
        (None, 0) => 12.0 * entries as f64 + 16.0 * input.len() as f64 * input.len().min(1024) as f64,
        (None, _) => 2.0 * 12.0 * entries as f64 + search_bytes(input.len(), columns) as f64,
    };
    let (n, e, d) = (input.len() as f64, entries as f64, dim as f64);
    // Lists; arcs in both directions while the graph is made; the graph and its part that
    // is visited; edges with rates.
    let graph = 12.0 * e + 2.0 * e * (16.0 + 12.0 + 12.0 + 8.0);
    // Starts in double precision, two copies of the map, one for the observer, the
    // embedding; two radii per point, and two numbers per point of the density term.
    let map = n * d * (8.0 + 8.0 + 4.0 + 4.0 + 8.0) + n * (2.0 * 16.0 + 2.0 * 8.0);
    input.limit().allow("UMAP", search.max(graph + map) as u64, "use fewer neighbors, points or dimensions")
}
