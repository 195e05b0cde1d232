//! Neighborhood preserving embedding.

use embedding::implement::Sizes;
use embedding::{About, DataKind, Error, Explanation, MemoryLimit, Recipe};
use lle::steps::{residual_map, weights};
use neighbor_graph::{Components, Duplicates, Manifold, Neighborhood, implement::GraphMethod};
use serde::{Deserialize, Serialize};
use spectral::QuadraticForm;

use crate::FittedProjection;
use crate::projection::{Objective, allow};

/// Neighborhood preserving embedding: the linear map whose image the reconstruction weights of
/// the data reconstruct best.
///
#[doc = include_str!("npe.md")]
///
/// **Details.** The weights are [`lle::steps::weights`]. Each eigenvalue is at least the eigenvalue of
/// [`lle::Lle`] on the same lists. 1 ≤ d ≤ min(n − 1, D), and the data must span as many dimensions. A
/// disconnected graph: see [`Components`].
///
/// **Cost.** Neighbor search, O(n k² (D + k)) time for the weights, O(n D min(n, D) + n k p +
/// n p²) for p directions; O(n (D + k)) memory.
///
/// ```
/// use linear_projections::{Method, Model, Npe, PointSet};
/// let points = PointSet::new((0..200).map(|i| f64::from(i * i * 37 % 101) * 0.1).collect(), 2)?;
/// let fitted = Npe { dim: 1, ..Npe::default() }.fit(&points)?;
/// assert_eq!(fitted.embedding().dim(), 1);
/// # Ok::<(), embedding::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Recipe)]
#[serde(default, deny_unknown_fields)]
pub struct Npe {
    /// The rule that selects neighbors.
    #[param(flatten)]
    pub neighborhood: Neighborhood,
    /// Target dimension d.
    #[param(default = 2, range = "1 to min(n - 1, D)")]
    pub dim: usize,
    /// Added to the diagonal of each local Gram matrix, relative to its trace.
    #[param(name = "reg", default = 1e-3, range = "above 0")]
    pub regularization: f64,
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

impl GraphMethod for Npe {
    type Model = FittedProjection;

    const KEEPS_POINTS: bool = false;

    const ABOUT: About = About {
        name: "npe",
        title: "NPE",
        summary: "Projects on the directions that the reconstruction weights of the data keep: linear LLE.",
        preserves: "the weights that reconstruct each point from its neighbors, as far as a linear map can",
        cost: "neighbors, time n k^2 (D + k) for the weights, then n D min(n, D); memory n (D + k)",
        new_points: "the same projection; interpolates: near a training row it tends to the row's position",
        accepts: &[DataKind::Points],
        needs_labels: false,
        least_points: 2,
        explanation: Explanation::new(include_str!("npe.md")),
    };

    fn check_memory(&self, sizes: Sizes, limit: MemoryLimit) -> Result<(), Error> {
        allow(sizes, self.principal, 0, limit)
    }

    /// Stages `"weights"`, `"row space"`, `"eigenvectors"`.
    fn fit_manifold(&self, manifold: Manifold<'_>) -> Result<FittedProjection, Error> {
        let w =
            weights(manifold.pair_distances()?, manifold.neighbors, self.regularization, manifold.observer)?;
        let b = residual_map(&w);
        let objective =
            Objective { form: QuadraticForm::Factor(&b), weights: None, principal: self.principal, made: 2 };
        objective.project(&manifold, self.dim)
    }
}

neighbor_graph::graph_method!(Npe);
