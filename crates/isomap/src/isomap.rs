//! Isomap.

use embedding::implement::{Fact, Sizes, Validate};
use embedding::{
    About, Embedding, Error, Explanation, Fitted, MemoryLimit, Model, NewNeighbors, PointSet, Recipe, Rows,
    TrainingRows, Transform,
};
use mds::Precision;
use mds::steps::ClassicalScaling;
use neighbor_graph::{
    Components, Duplicates, Graph, Manifold, NeighborIndex, Neighborhood, NewPoints, Symmetry,
    implement::GraphMethod,
};
use serde::{Deserialize, Serialize};
use spectral::Tolerance;

use crate::geodesic_scaling::{
    ACCEPTS, GeodesicScaling, center_and_decompose, check_memory, require_rows, shortest_paths,
};

/// Isomap: approximates geodesic distances by shortest paths in the neighbor graph,
/// then applies classical multidimensional scaling.
///
#[doc = include_str!("isomap.md")]
///
/// **Details.** A new point x reaches training point l at min over its neighbors j of
/// |x − x_j| + G_jl, and is then placed by Gower's formula (see [`mds::ClassicalMds`]); a training row
/// returns its own coordinates, to 1e-10 (Bengio et al. (2003), "Out-of-sample extensions for LLE, Isomap,
/// MDS, eigenmaps, and spectral clustering"). Points near training rows land near them, unless symmetry is
/// mutual or edges were removed: a new point has all edges of its list. The entry of largest magnitude in
/// each column is positive. The residual variance is computed for the first columns (for at least ten of them
/// up to 5,000 points, so that the elbow is visible whatever d is). 1 ≤ d ≤ n − 1; a disconnected graph: see
/// [`Components`]; fewer than d positive eigenvalues are refused. With k = n − 1 the result is classical
/// scaling.
///
/// **Cost.** Neighbor search; O(n² (k + log n)) time and n²/2 numbers of `precision` for the
/// geodesics, refused beforehand where the memory limit is less; O(n² d) per step of the
/// eigensolver. Each new point: one shortest-path search, O(n (k + log n)); the model keeps the
/// graph, not the geodesics.
///
/// ```
/// use embedding::Points;
/// use isomap::{Isomap, Method, Model, Neighborhood};
/// // A spiral, unrolled to a line.
/// let spiral: Vec<f64> =
///     (0..60).map(|i| 0.1 * f64::from(i)).flat_map(|t| [t * (2.0 * t).cos(), t * (2.0 * t).sin()]).collect();
/// let recipe = Isomap { neighborhood: Neighborhood::Nearest { k: 2 }, dim: 1, ..Isomap::default() };
/// let fitted = recipe.fit(Points::new(&spiral, 2)?)?;
/// let y = fitted.embedding().coordinates().col(0);
/// assert!((1..60).all(|i| y[i] > y[i - 1]) || (1..60).all(|i| y[i] < y[i - 1]));
/// # Ok::<(), embedding::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Recipe)]
#[serde(default, deny_unknown_fields)]
pub struct Isomap {
    /// The rule that selects neighbors.
    #[param(flatten)]
    pub neighborhood: Neighborhood,
    /// Which directed edges make an undirected one. With mutual edges the placement of new points
    /// does not interpolate: a new point has edges to all of its neighbors.
    #[param(default = Symmetry::Union)]
    pub symmetry: Symmetry,
    /// Target dimension d.
    #[param(default = 2, range = "1 to n - 1")]
    pub dim: usize,
    /// What to do with a disconnected neighbor graph.
    #[param(default = Components::Reject)]
    pub components: Components,
    /// What to do with rows that are exact copies of others.
    #[param(default = Duplicates::Merge)]
    pub duplicates: Duplicates,
    /// Precision of the stored distances. Single precision changes coordinates by about 1e-8 of
    /// themselves.
    #[param(default = Precision::Single)]
    pub precision: Precision,
    /// Residual demanded of the eigenvectors, relative to the operator's norm.
    pub tolerance: Tolerance,
}

impl GraphMethod for Isomap {
    type Model = FittedIsomap;

    const ABOUT: About = About {
        name: "isomap",
        title: "Isomap",
        summary: "Measures distances along the neighbor graph, then applies classical scaling.",
        preserves: "distances along the manifold, large and small",
        cost: "time n^2 (k + log n), memory 2 n^2 bytes, or twice that in double precision",
        new_points: "geodesics through the nearest training points, then Gower's formula; interpolates: near a training row it tends to the row's position, but with mutual edges it was up to 55 % of the map's extent from it in trials (300 points of a roll)",
        accepts: ACCEPTS,
        needs_labels: false,
        least_points: 2,
        explanation: Explanation::new(include_str!("isomap.md")),
    };

    fn check_memory(&self, sizes: Sizes, limit: MemoryLimit) -> Result<(), Error> {
        check_memory(sizes, self.dim, self.precision, limit)
    }

    /// Stages `"geodesics"`, `"eigenvectors"`, `"residual variance"`.
    fn fit_manifold(&self, manifold: Manifold<'_>) -> Result<FittedIsomap, Error> {
        let graph = Graph::new(manifold.neighbors, self.symmetry);
        let geodesics = shortest_paths(&graph, self.precision, manifold.observer)?;
        let scaled = center_and_decompose(&geodesics, self.dim, self.tolerance, manifold.observer)?;
        Ok(FittedIsomap { graph, scaled, training: NeighborIndex::of(&manifold) })
    }
}

neighbor_graph::graph_method!(Isomap);

/// A fitted Isomap.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FittedIsomap {
    graph: Graph,
    scaled: GeodesicScaling,
    training: NeighborIndex,
}

impl FittedIsomap {
    /// The scaling of the geodesics: eigenvalues and their residuals, negative
    /// eigenvalues, reconstruction error.
    pub fn scaling(&self) -> &ClassicalScaling {
        &self.scaled.scaling
    }

    /// The symmetric neighbor graph.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// 1 − r² between geodesics and the distances in 1, 2, … dimensions: the target
    /// dimension d or, up to 5,000 points, at least 10, as far as eigenvalues are
    /// positive; see [`mds::steps::residual_variances`].
    pub fn residual_variances(&self) -> &[f64] {
        &self.scaled.residual_variances
    }
}

impl Model for FittedIsomap {
    fn embedding(&self) -> &Embedding {
        self.scaled.scaling.embedding()
    }
}

impl Transform for FittedIsomap {
    /// Places rows by the geodesics of the nearest training points.
    fn place(&self, new: Rows<'_>, known: TrainingRows<'_>) -> Result<Embedding, Error> {
        self.place_points(new.into(), known)
    }

    fn place_listed(&self, new: &NewNeighbors, known: TrainingRows<'_>) -> Result<Embedding, Error> {
        self.place_points(new.into(), known)
    }

    fn lists_among(&self) -> Option<usize> {
        self.training.lists_among()
    }
}

impl FittedIsomap {
    fn place_points(&self, new: NewPoints<'_>, known: TrainingRows<'_>) -> Result<Embedding, Error> {
        self.scaled.place(&self.graph, &self.training.edges(new, known)?)
    }
}

impl Fitted for FittedIsomap {
    fn training_points(&self) -> Result<Option<PointSet>, Error> {
        Ok(self.training.points().map(|points| points.to_owned()))
    }

    fn facts() -> Vec<Fact<Self>> {
        GeodesicScaling::facts_of(|m: &Self| &m.scaled, |m| Some(m.scaling()))
    }

    fn notes(&self) -> Vec<String> {
        self.scaling().notes()
    }
}

impl Validate for FittedIsomap {
    fn validate(&self) -> Result<(), Error> {
        require_rows(&self.scaled, &self.graph, &self.training)
    }
}
