//! Linear local tangent space alignment.

use embedding::implement::{Bound, Range, Sizes};
use embedding::{About, DataKind, Error, Explanation, MemoryLimit, Recipe};
use lle::steps::tangent_alignment;
use neighbor_graph::{Components, Duplicates, Manifold, Neighborhood, implement::GraphMethod};
use serde::{Deserialize, Serialize};
use spectral::QuadraticForm;

use crate::FittedProjection;
use crate::projection::{Objective, allow};

/// Linear local tangent space alignment: the linear map that is, around every point, closest to
/// an affine image of its tangent space.
///
#[doc = include_str!("lltsa.md")]
///
/// **Details.** B is [`lle::steps::tangent_alignment`]. Each eigenvalue is at least the eigenvalue of
/// [`lle::Ltsa`] on the same lists. 1 ≤ d ≤ min(n − 1, D, k − 2), and the data must span as many dimensions.
/// A disconnected graph: see [`Components`].
///
/// **Cost.** Neighbor search, O(n k D min(k, D) + n k² d) time for B, O(n D min(n, D) + n k² p +
/// n p²) for p directions; O(n (D + k²)) memory.
///
/// ```
/// use linear_projections::{Lltsa, Method, Model, PointSet};
/// // A plane in space is an affine image of the map.
/// let row = |i: u32| {
///     let (u, v) = (f64::from(i % 13) + 0.01 * f64::from(i * i % 17), f64::from(i / 13));
///     [u + v, u - 2.0 * v, 0.5 * u]
/// };
/// let points = PointSet::from_rows(&(0..130).map(row).collect::<Vec<_>>())?;
/// let fitted = Lltsa::default().fit(&points)?;
/// assert!(fitted.single()?.eigenvalues().iter().all(|value| value.abs() < 1e-12));
/// # Ok::<(), embedding::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Recipe)]
#[serde(default, deny_unknown_fields)]
pub struct Lltsa {
    /// The rule that selects neighbors.
    #[param(flatten)]
    pub neighborhood: Neighborhood,
    /// Target dimension d.
    #[param(default = 2, range = Range::from_one_to(TANGENTS))]
    pub dim: usize,
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

/// min(n − 1, D, k − 2).
const TANGENTS: Bound = Bound::new("min(n - 1, D, k - 2)", |s| {
    let least =
        [s.points.map(|n| n as f64 - 1.0), s.columns.map(|d| d as f64), s.neighbors.map(|k| k as f64 - 2.0)];
    least.into_iter().flatten().reduce(f64::min)
});

impl GraphMethod for Lltsa {
    type Model = FittedProjection;

    const KEEPS_POINTS: bool = false;

    const ABOUT: About = About {
        name: "lltsa",
        title: "LLTSA",
        summary: "Projects on the directions that are closest to affine on every tangent space: linear LTSA.",
        preserves: "tangent coordinates of each neighborhood, as far as a linear map can",
        cost: "neighbors, time n k D min(k, D) + n k^2 d for the tangents, then n D min(n, D); memory n (D + k^2)",
        new_points: "the same projection; interpolates: near a training row it tends to the row's position",
        accepts: &[DataKind::Points],
        needs_labels: false,
        least_points: 2,
        explanation: Explanation::new(include_str!("lltsa.md")),
    };

    fn check_memory(&self, sizes: Sizes, limit: MemoryLimit) -> Result<(), Error> {
        allow(sizes, self.principal, 0, limit)
    }

    /// Stages `"tangents"`, `"alignment"`, `"row space"`, `"eigenvectors"`.
    fn fit_manifold(&self, manifold: Manifold<'_>) -> Result<FittedProjection, Error> {
        let alignment =
            tangent_alignment(manifold.pair_distances()?, manifold.neighbors, self.dim, manifold.observer)?;
        let objective = Objective {
            form: QuadraticForm::Matrix(&alignment),
            weights: None,
            principal: self.principal,
            made: 2,
        };
        objective.project(&manifold, self.dim)
    }
}

neighbor_graph::graph_method!(Lltsa);
