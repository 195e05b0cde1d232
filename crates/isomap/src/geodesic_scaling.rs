//! The steps that Isomap and its conformal variant share.

use embedding::implement::{Fact, Sizes, Validate, require};
use embedding::{DataKind, Embedding, Error, MemoryLimit, Model, Observer};
use mds::steps::{ClassicalScaling, Distances, Packing};
use mds::{ClassicalMds, Precision};
use neighbor_graph::{Graph, NeighborIndex};
use serde::{Deserialize, Serialize};
use spectral::Tolerance;

/// Dimensions of the curve of residual variances, up to `FEW` points.
const CURVE: usize = 10;

/// Beyond this number of points, eigenvectors that only the curve needs would cost as
/// much as the geodesics.
const FEW: usize = 5000;

/// The kinds of data that geodesic methods accept.
pub(crate) const ACCEPTS: &[DataKind] = &[DataKind::Points, DataKind::Distances, DataKind::Neighbors];

/// Bytes per edge of the lists, of the graph (two directions) and of its reordered copy.
const EDGE: u64 = 12 + 2 * 12 + 2 * 12;

/// Fails when a fit exceeds the limit: geodesics with their scaling, and the graph.
pub(crate) fn check_memory(
    sizes: Sizes,
    dim: usize,
    precision: Precision,
    limit: MemoryLimit,
) -> Result<(), Error> {
    let advice = match precision {
        Precision::Single => "use landmark-isomap, fewer points, or allow more memory",
        Precision::Double => "use landmark-isomap, single precision, fewer points, or allow more memory",
    };
    let n = sizes.points.unwrap_or(0);
    let scaling = ClassicalScaling::bytes(n, curve(n, dim), precision);
    limit.allow("the matrix of geodesics", scaling + graph_bytes(n, sizes), advice)
}

/// The memory of lists, graph and reordered graph.
pub(crate) fn graph_bytes(n: usize, sizes: Sizes) -> u64 {
    EDGE * (n * sizes.neighbors.unwrap_or(0)) as u64
}

/// The number of dimensions whose eigenvectors are computed.
fn curve(n: usize, dim: usize) -> usize {
    if n <= FEW { CURVE.min(n.saturating_sub(1)).max(dim) } else { dim }
}

/// The shortest-path distances between all vertices of a connected graph; stage
/// `"geodesics"`. O(n² (k + log n)) time.
pub(crate) fn shortest_paths(
    graph: &Graph,
    precision: Precision,
    observer: &dyn Observer,
) -> Result<Distances, Error> {
    graph.require_connected()?;
    let sources: Vec<u32> = (0..graph.len() as u32).collect();
    Distances::from_slots(graph.len(), Packing::new(graph.longest_edge(), precision), |slots| {
        graph.geodesics_map(&sources, observer, |i, row| slots[i].fill(&row[..i]))?.into_iter().collect()
    })
}

/// Double centering and its leading eigenvectors, with the curve of residual
/// variances; stages `"eigenvectors"`, `"residual variance"`.
pub(crate) fn center_and_decompose(
    geodesics: &Distances,
    dim: usize,
    tolerance: Tolerance,
    observer: &dyn Observer,
) -> Result<GeodesicScaling, Error> {
    let recipe = ClassicalMds { dim, tolerance, ..ClassicalMds::default() };
    let curve = curve(geodesics.len(), dim);
    let (scaling, residual_variances) = recipe.fit_distances_with_curve(geodesics, curve, observer)?;
    Ok(GeodesicScaling { scaling, residual_variances })
}

/// Classical scaling of geodesics.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct GeodesicScaling {
    pub(crate) scaling: ClassicalScaling,
    pub(crate) residual_variances: Vec<f64>,
}

impl GeodesicScaling {
    /// Coordinates of points that join the graph by the given edges.
    pub(crate) fn place(&self, graph: &Graph, edges: &[Vec<(u32, f64)>]) -> Result<Embedding, Error> {
        let placed = graph.geodesics_map_from_outside(edges, |i, row| self.scaling.place_row(i, row));
        let rows = placed.into_iter().collect::<Result<Vec<_>, Error>>()?;
        Ok(Embedding::from_rows(rows.concat(), self.scaling.embedding().dim()))
    }

    /// The facts of a model of type `M` with such a scaling.
    pub(crate) fn facts_of<M: 'static>(
        of: fn(&M) -> &Self,
        scaling: fn(&M) -> Option<&ClassicalScaling>,
    ) -> Vec<Fact<M>> {
        let mut facts = ClassicalScaling::facts_of(scaling);
        facts.push(Fact::new(
            "residual_variances",
            "residual variance with the first 1, 2, ... coordinates; its elbow suggests the dimension",
            move |m: &M| of(m).residual_variances.clone(),
        ));
        facts
    }
}

/// Fails unless graph and training points belong to the rows of a saved scaling.
pub(crate) fn require_rows(
    scaled: &GeodesicScaling,
    graph: &Graph,
    training: &NeighborIndex,
) -> Result<(), Error> {
    scaled.scaling.validate()?;
    training.validate()?;
    let n = scaled.scaling.embedding().len();
    require(graph.len() == n, "its graph does not have a vertex for every row")?;
    require(training.len() == n, "it does not have a training point for every row")
}
