//! Peak memory of a fit, estimated before anything is allocated.

use embedding::{Data, Error, Input, MemoryLimit, Points, Rows};
use neighbor_graph::implement::search_bytes;
use spectral::Principal;
use spectral::centering::distance_components_bytes;

use crate::affinities::BATCH;
use crate::{Gradient, Start, Tsne};

/// Bytes of one neighbor, an index and a distance, and of one entry of a row that is
/// sorted.
const NEIGHBOR: f64 = 12.0;
const ENTRY: f64 = 16.0;

/// Stored probabilities per neighbor: pairs that are mutual neighbors share one.
const JOINT: f64 = 1.4;

/// Width of the map for which a grid is counted. The largest grid, for a map 667 wide, takes 0.5 GB.
const WIDTH: f64 = 150.0;

/// Bytes per node of a grid: two fields, the transforms of their columns and rows, the
/// transformed kernels, and these in double precision while they are computed.
const NODE: f64 = 112.0;

/// Fails unless a whole fit of `rows` points with the columns of the input, with k neighbors each, fits its limit.
pub(crate) fn allow_fit(recipe: &Tsne, input: &Input<'_>, rows: usize, k: usize) -> Result<(), Error> {
    let (n, k) = (rows as f64, k as f64);
    let columns = input.points().map_or(0, |points| points.dim());
    let (search, lists, neighbors) = match input.neighbors() {
        Some(given) => (0.0, 0.0, input.amount_for(rows, given.edge_count() as u64) as f64),
        None if input.points().is_some() => {
            // The lists are concatenated from parts.
            let lists = 2.0 * NEIGHBOR * n * k;
            (lists + search_bytes(rows, columns) as f64, NEIGHBOR * n * k, n * k)
        }
        // Rows of all distances, of a group of points at a time.
        None => (NEIGHBOR * n * k + ENTRY * n * n.min(1024.0), NEIGHBOR * n * k, n * k),
    };
    // Conditional probabilities, their transpose, and the joint ones; the rows of a batch of joint ones are
    // kept twice.
    let batch = n.min(BATCH as f64);
    let joint = (n / batch).floor() * batch * JOINT * NEIGHBOR + batch * 2.0 * ENTRY;
    let affinities = lists + neighbors * (8.0 + ENTRY + joint / n);
    let components = match (&recipe.start, input.data()) {
        (Start::Pca, _) if input.start().is_some() => 0,
        (Start::Pca, Data::Rows(Rows::Sparse(points))) => {
            input.amount_for(rows, Principal::sparse_bytes(points, recipe.dim))
        }
        _ => 0,
    };
    let advice = "start at random (`start`), or use fewer points or columns";
    input.memory_limit().allow("the principal components of the start", components, advice)?;
    let held = JOINT * NEIGHBOR * neighbors;
    let map = held + map_bytes(recipe, rows, columns, input.amount_for(rows, input.copied_bytes()));
    let scaled = match (&recipe.start, input.data()) {
        (Start::Pca, Data::Distances(_)) if input.start().is_none() => {
            held + distance_components_bytes(rows, recipe.dim) as f64
        }
        _ => 0.0,
    };
    allow(input.memory_limit(), search.max(affinities).max(map).max(scaled))
}

/// Fails unless the optimization of n points with given probabilities fits the limit.
pub(crate) fn allow_map(recipe: &Tsne, n: usize, points: Option<Points<'_>>) -> Result<(), Error> {
    let (columns, copied) = points.map_or((0, 0), |points| (points.dim(), points.copied_bytes()));
    allow(MemoryLimit::default(), map_bytes(recipe, n, columns, copied))
}

fn allow(limit: MemoryLimit, needed: f64) -> Result<(), Error> {
    limit.allow("t-SNE", needed as u64, "use a smaller perplexity, fewer points or fewer dimensions")
}

/// Bytes of the training points, where they are `copied`, plus the larger of two: their principal components,
/// or the optimization with its forces.
fn map_bytes(recipe: &Tsne, n: usize, columns: usize, copied: u64) -> f64 {
    let dim = recipe.dim;
    let (points, d) = (n as f64, dim as f64);
    let components = match recipe.start {
        Start::Pca => Principal::bytes(n, columns) as f64,
        _ => 0.0,
    };
    let forces = match recipe.gradient.settled(n, dim) {
        // Sixteen parts, in the plane.
        Gradient::Exact | Gradient::Auto if dim == 2 => 280.0 * points,
        Gradient::Exact | Gradient::Auto => 8.0 * points,
        Gradient::BarnesHut { .. } => (28.0 * d + 40.0) * points,
        Gradient::Interpolation => {
            let nodes = (3.0 * WIDTH).powi(dim.min(2) as i32);
            52.0 * points + NODE * nodes
        }
    };
    copied as f64 + components.max(48.0 * points * d + forces)
}
