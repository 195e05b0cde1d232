//! Classical scaling of all geodesics of a connected graph.

use embedding::{Embedding, Error, MemoryLimit, Model, Observer, Points};
use faer::Mat;
use mds::{ClassicalMds, ClassicalScaling, Distances, Packing, Precision};
use neighbor_graph::Graph;
use serde::{Deserialize, Serialize};
use spectral::Tolerance;

/// Dimensions of the curve of residual variances, up to `FEW` points.
const CURVE: usize = 10;

/// Beyond so many points, more eigenvectors than the map needs would cost as
/// much as the geodesics.
const FEW: usize = 5000;

/// What the variants share.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GeodesicScaling {
    pub(crate) dim: usize,
    pub(crate) precision: Precision,
    pub(crate) tolerance: Tolerance,
    pub(crate) memory_limit: MemoryLimit,
}

impl GeodesicScaling {
    /// Refuses before anything is computed.
    pub(crate) fn check(&self, points: Points<'_>) -> Result<(), Error> {
        let n = points.len();
        if n < 2 {
            return Err(Error::TooFewPoints { what: "Isomap", needed: 2, got: n });
        }
        if !(1..n).contains(&self.dim) {
            let requirement = format!("between 1 and {}, one less than the number of points", n - 1);
            return Err(Error::parameter("the target dimension", requirement, self.dim));
        }
        let advice = "use landmark-isomap, single precision, fewer points, or allow more memory";
        self.memory_limit.allow("the geodesics", Distances::bytes(n, self.precision), advice)
    }

    /// Stages `"geodesics"`, `"eigenvectors"`, `"residual variance"`.
    pub(crate) fn fit(&self, graph: Graph, observer: &dyn Observer) -> Result<Unrolled, Error> {
        graph.require_connected()?;
        let longest = (0..graph.len()).flat_map(|i| graph.of(i).1).fold(0.0_f64, |m, w| m.max(*w));
        let packing = Packing::new(longest, self.precision);
        let sources: Vec<u32> = (0..graph.len() as u32).collect();
        let distances = Distances::from_slots(graph.len(), packing, |slots| {
            graph.geodesics_map(&sources, observer, |i, row| slots[i].fill(&row[..i]))?.into_iter().collect()
        })?;
        let recipe = ClassicalMds { dim: self.dim, tolerance: self.tolerance };
        let curve = if distances.len() <= FEW { CURVE } else { self.dim };
        let (scaling, residual_variances) = recipe.fit_distances_with_curve(&distances, curve, observer)?;
        Ok(Unrolled { graph, scaling, residual_variances })
    }
}

/// The graph and the scaling of its geodesics.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Unrolled {
    graph: Graph,
    pub(crate) scaling: ClassicalScaling,
    pub(crate) residual_variances: Vec<f64>,
}

impl Unrolled {
    pub(crate) fn embedding(&self) -> &Embedding {
        self.scaling.embedding()
    }

    /// Places points that enter the graph by the given edges.
    pub(crate) fn place(&self, edges: &[Vec<(u32, f64)>]) -> Result<Mat<f64>, Error> {
        self.scaling.place_rows(edges.len(), |i, row| {
            row.copy_from_slice(&self.graph.geodesics_from_outside(&edges[i]));
        })
    }
}
