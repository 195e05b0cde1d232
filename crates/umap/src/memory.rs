//! Peak memory of a fit, estimated before anything is allocated.

use embedding::{Error, Input, Neighbors};
use neighbor_graph::{
    Graph,
    implement::{search_bytes, search_threads_bytes},
};

use crate::edges::Edges;

/// Number of columns from which on the whole workspace of a search's threads is still allocated next to the
/// graph; with fewer columns, a proportional part. Measured with 40 to 800 columns.
const WIDE: f64 = 700.0;

/// Fails unless the neighbor search, the graph and the optimization of `rows` points with the columns of an input
/// fit its limit, in `dim` dimensions. There are `entries` in all neighbor lists together, `of_target` in the lists
/// of a continuous target, and the points that the model keeps. The eigenvectors of the start are held to what
/// [`held`] leaves of it.
pub(crate) fn allow_fit(
    (dim, rows): (usize, usize),
    input: &Input<'_>,
    entries: usize,
    of_target: usize,
) -> Result<(), Error> {
    let columns = input.points().map_or(0, |points| points.dim());
    let (n, e, d) = (rows as f64, entries as f64, dim as f64);
    // Besides the lists: the workspace of a search, or rows of all distances for a group of points.
    let search = match (input.neighbors(), columns) {
        (Some(_), _) => 0.0,
        (None, 0) => 16.0 * n * n.min(1024.0),
        (None, _) => {
            let threads = search_threads_bytes(rows, columns) as f64;
            search_bytes(rows, columns) as f64 + threads * (columns as f64 / WIDE).min(1.0)
        }
    };
    // Lists, concatenated from parts.
    let lists = 2.0 * 12.0 * e;
    // Lists; the graph, its part that is visited, and edges with rates.
    let graph = 12.0 * e + 2.0 * e * (12.0 + 12.0 + Edges::BYTES as f64);
    // The union of both graphs, as edges and as a graph, with the lists and the graph of the target.
    let target = match of_target as f64 {
        0.0 => 0.0,
        t => 2.0 * t * (12.0 + 12.0 + Edges::BYTES as f64) + t * (2.0 * 12.0 + 24.0 + 16.0) + 16.0 * (e + t),
    };
    // Starts in double precision, two copies of the map, one for the observer, the
    // embedding; two radii per point, and two numbers per point of the density term.
    let map = n * d * (8.0 + 8.0 + 4.0 + 4.0 + 8.0) + n * (2.0 * 16.0 + 2.0 * 8.0);
    // Mapped points while they are searched by a metric that maps them; and points that the model copies.
    let mapped = if input.metric().is_euclidean() { 0.0 } else { 8.0 * n * columns as f64 };
    let kept = input.amount_for(rows, input.copied_bytes()) as f64;
    // Memory that a search frees is not returned to the system.
    let needed = search + (lists + mapped).max(graph + target + map + kept);
    input.memory_limit().allow("the layout", needed as u64, "use fewer neighbors, points or dimensions")
}

/// Bytes that stay allocated while a start is computed: the lists, where the fit found them, with their
/// parts, which common allocators keep; the graphs, and a radius per point.
pub(crate) fn held(input: &Input<'_>, neighbors: &Neighbors, graphs: &[&Graph]) -> u64 {
    let lists = if input.neighbors().is_some() { 0 } else { 2 * neighbors.bytes() };
    lists + graphs.iter().map(|graph| graph.bytes()).sum::<u64>() + 16 * neighbors.len() as u64
}
