//! Locality preserving projections.

use embedding::implement::Sizes;
use embedding::{About, DataKind, Error, Explanation, MemoryLimit, Recipe};
use laplacian::{Weights, Width};
use neighbor_graph::{
    Components, Duplicates, Graph, Manifold, Neighborhood, Symmetry, implement::GraphMethod,
};
use serde::{Deserialize, Serialize};
use spectral::{QuadraticForm, Sparse};

use crate::FittedProjection;
use crate::projection::{Objective, allow};

/// Locality preserving projections: the linear map that keeps neighbors closest together.
///
#[doc = include_str!("lpp.md")]
///
/// **Details.** The mean weighted by the degrees excludes the constant function, as Laplacian
/// eigenmaps does, so that each eigenvalue is at least the eigenvalue of [`laplacian::LaplacianEigenmaps`] on
/// the same graph; the paper leaves the origin open. 1 ≤ d ≤ min(n − 1, D), and the data must span as many
/// dimensions. A disconnected graph: see [`Components`].
///
/// **Cost.** Neighbor search, O(n D min(n, D) + n k p + n p²) time for p directions, O(n D)
/// memory.
///
/// ```
/// use linear_projections::{Lpp, Method, Model, PointSet};
/// let points = PointSet::new((0..200).map(|i| f64::from(i * i * 37 % 101) * 0.1).collect(), 2)?;
/// let fitted = Lpp { dim: 1, ..Lpp::default() }.fit(&points)?;
/// assert!(fitted.single()?.eigenvalues()[0] >= 0.0);
/// # Ok::<(), embedding::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Recipe)]
#[serde(default, deny_unknown_fields)]
pub struct Lpp {
    /// The rule that selects neighbors.
    #[param(flatten)]
    pub neighborhood: Neighborhood,
    /// Which directed edges make an undirected one.
    #[param(default = Symmetry::Union)]
    pub symmetry: Symmetry,
    /// Target dimension d.
    #[param(default = 2, range = "1 to min(n - 1, D)")]
    pub dim: usize,
    /// Affinity of neighbors; heat without a width uses the mean distance to the last neighbor.
    #[param(default = Weights::Heat { width: Width::Auto })]
    pub weights: Weights,
    /// Principal directions of the data that the map is made of; auto for all that the data span.
    #[param(default = None, range = "at least 1")]
    pub principal: Option<usize>,
    /// What to do with a disconnected neighbor graph.
    #[param(default = Components::Reject)]
    pub components: Components,
    /// What to do with rows that are exact copies of others.
    #[param(default = Duplicates::Merge)]
    pub duplicates: Duplicates,
}

impl GraphMethod for Lpp {
    type Model = FittedProjection;

    const KEEPS_POINTS: bool = false;

    const ABOUT: About = About {
        name: "lpp",
        title: "LPP",
        summary: "Projects on the directions along which neighbors are closest: linear Laplacian eigenmaps.",
        preserves: "nearness of neighbors, as far as a linear map can",
        cost: "neighbors, then time n D min(n, D), memory n D",
        new_points: "the same projection; interpolates: near a training row it tends to the row's position",
        accepts: &[DataKind::Points],
        needs_labels: false,
        least_points: 2,
        explanation: Explanation::new(include_str!("lpp.md")),
    };

    fn check_memory(&self, sizes: Sizes, limit: MemoryLimit) -> Result<(), Error> {
        allow(sizes, self.principal, 0, limit)
    }

    /// Stages `"affinities"`, `"row space"`, `"eigenvectors"`.
    fn fit_manifold(&self, manifold: Manifold<'_>) -> Result<FittedProjection, Error> {
        manifold.observer.stage("affinities");
        let graph = Graph::new(manifold.neighbors, self.symmetry);
        graph.require_connected()?;
        let affinities = self.weights.affinities(manifold.neighbors, &graph);
        let degrees: Vec<f64> = affinities.iter().map(|row| row.iter().sum()).collect();
        let laplacian = laplacian(&graph, &affinities, &degrees)?;
        embedding::implement::proceed(manifold.observer, 1, 1)?;
        let objective = Objective {
            form: QuadraticForm::Matrix(&laplacian),
            weights: Some(&degrees),
            principal: self.principal,
            // In addition: the graph, the affinities, and the rows from which it is copied.
            made: 5,
        };
        objective.project(&manifold, self.dim)
    }
}

neighbor_graph::graph_method!(Lpp);

/// L = D − W.
fn laplacian(graph: &Graph, affinities: &[Vec<f64>], degrees: &[f64]) -> Result<Sparse, Error> {
    let row = |i: usize| {
        let others = graph.indices_of(i).iter().zip(&affinities[i]).map(|(&j, w)| (j, -w));
        others.chain([(i as u32, degrees[i])]).collect()
    };
    Sparse::from_rows(graph.len(), (0..graph.len()).map(row).collect())
}
