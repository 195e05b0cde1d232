//! Peak memory of a fit, estimated before anything is allocated.

use embedding::{Error, Input};

use crate::Umap;

/// Fails unless the graph and the optimization of an input with k neighbors per point fit
/// its limit. The neighbor search and the eigenvectors of the start have their own
/// estimates.
pub(crate) fn allow_fit(recipe: &Umap, input: &Input<'_>, k: usize) -> Result<(), Error> {
    let (n, k, d) = (input.len() as f64, k as f64, recipe.dim as f64);
    // Lists; arcs in both directions while the graph is made; the graph and its part that
    // is visited; edges with rates.
    let graph = 12.0 * n * k + 2.0 * n * k * (16.0 + 12.0 + 12.0 + 8.0);
    // Starts in double precision, two copies of the map, one for the observer, the
    // embedding.
    let map = n * d * (8.0 + 8.0 + 4.0 + 4.0 + 8.0);
    input.limit().allow("UMAP", (graph + map) as u64, "use fewer neighbors, points or dimensions")
}
