//! Locally linear embedding.

use embedding::implement::{Fact, Validate, require};
use embedding::{
    About, DataKind, Embedding, Error, Explanation, Fitted, Model, PointSet, Recipe, Rows, TrainingRows,
    Transform,
};
use neighbor_graph::{Components, Duplicates, Manifold, Neighborhood, implement::GraphMethod};
use serde::{Deserialize, Serialize};
use spectral::{Sparse, Tolerance};

use crate::alignment::residual_map;
use crate::barycentric_extension::BarycentricExtension;
use crate::basis::{ColumnNorm, residual_basis};
use crate::fitted_alignment::{FittedAlignment, facts_of};
use crate::training_neighbors::TrainingNeighbors;
use crate::weights::weights;

/// Locally linear embedding: preserves each point's reconstruction weights.
///
#[doc = include_str!("lle.md")]
///
/// **Details.** The weights are [`crate::steps::weights`], the matrix [`crate::steps::residual_map`], its
/// eigenvectors [`crate::steps::residual_basis`], with the constant one deflated. 1 ≤ d < n (d may
/// exceed D); the graph must be connected (see [`Components`]); every point needs a neighbor;
/// the points must not all coincide.
///
/// Distances instead of points give the geometry of each neighborhood by classical scaling of its point and
/// members; negative eigenvalues, which non-Euclidean distances have, are dropped. The model keeps the
/// distances for new points, 4 n² bytes.
///
/// **Cost.** Neighbor search; weights O(n k² (D + k)); M has at most n (k + 1)² entries, in
/// practice a few times fewer; the eigenvectors cost one sparse Cholesky factorization (small
/// for two-dimensional manifolds, growing with the intrinsic dimension) and a few solves per
/// vector. No n × n matrix is formed.
///
/// ```
/// use embedding::Points;
/// use lle::{Lle, Method, Model, Neighborhood};
/// // Points along a helix are a line.
/// let helix: Vec<f64> =
///     (0..60).map(|i| f64::from(i) * 0.1).flat_map(|t| [t.cos(), t.sin(), 0.3 * t]).collect();
/// let recipe = Lle { neighborhood: Neighborhood::Nearest { k: 4 }, dim: 1, ..Lle::default() };
/// let fitted = recipe.fit(Points::new(&helix, 3)?)?;
/// let y = fitted.embedding().coordinates().col(0);
/// assert!((1..60).all(|i| y[i] > y[i - 1]) || (1..60).all(|i| y[i] < y[i - 1]));
/// # Ok::<(), embedding::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Recipe)]
#[serde(default, deny_unknown_fields)]
pub struct Lle {
    /// The rule that selects neighbors.
    #[param(flatten)]
    pub neighborhood: Neighborhood,
    /// Target dimension d.
    #[param(default = 2, range = "1 to n - 1")]
    pub dim: usize,
    /// Added to the diagonal of each local Gram matrix, relative to its trace.
    #[param(name = "reg", default = 1e-3, range = "above 0")]
    pub regularization: f64,
    /// Length of a coordinate column.
    #[param(default = ColumnNorm::UnitCovariance)]
    pub scale: ColumnNorm,
    /// What to do with a disconnected neighbor graph.
    #[param(default = Components::Reject)]
    pub components: Components,
    /// What to do with rows that are exact copies of others.
    #[param(default = Duplicates::Merge)]
    pub duplicates: Duplicates,
    /// Residual demanded of the eigenvectors, relative to the operator's norm.
    pub tolerance: Tolerance,
}

impl GraphMethod for Lle {
    type Model = FittedLle;

    const READS_COORDINATES: bool = true;

    const ABOUT: About = About {
        name: "lle",
        title: "LLE",
        summary: "Reconstructs each point from its neighbors, and finds coordinates that the same weights reconstruct.",
        preserves: "the weights that reconstruct each point from its neighbors; scale is lost",
        cost: "time n k^2 (D + k) for the weights, then a sparse eigenproblem; memory n k^2, of distances 4 n^2 bytes",
        new_points: "the weights that reconstruct the new point from its neighbors; interpolates: near a training row it tends to the row's position",
        accepts: &[DataKind::Points, DataKind::Distances],
        needs_labels: false,
        least_points: 2,
        explanation: Explanation::new(include_str!("lle.md")),
    };

    /// Stages `"weights"`, `"alignment"`, `"eigenvectors"`.
    fn fit_manifold(&self, manifold: Manifold<'_>) -> Result<FittedLle, Error> {
        let Manifold { neighbors, memory_limit, observer, .. } = manifold;
        let near = TrainingNeighbors::of(&manifold)?;
        let w = weights(manifold.pair_distances()?, neighbors, self.regularization, observer)?;
        let b = residual_map(&w);
        let limit = memory_limit.beside(near.bytes(&manifold) + neighbors.bytes() + w.bytes());
        let basis = residual_basis(&b, self.dim, self.tolerance, limit, observer)?;
        let extension = BarycentricExtension::new(near, self.regularization);
        Ok(FittedLle { alignment: FittedAlignment::new(basis, self.scale, extension), weights: w })
    }
}

neighbor_graph::graph_method!(Lle);

/// A fitted locally linear embedding.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FittedLle {
    alignment: FittedAlignment<BarycentricExtension>,
    weights: Sparse,
}

impl FittedLle {
    /// The weights W, rows of sum one.
    pub fn weights(&self) -> &Sparse {
        &self.weights
    }

    /// Eigenvalues of M, ascending, without the zero of the constant vector.
    pub fn eigenvalues(&self) -> &[f64] {
        self.alignment.eigenvalues()
    }

    /// |M v − λ v| / |M| of each eigenvector v of norm one.
    pub fn residuals(&self) -> &[f64] {
        self.alignment.residuals()
    }

    /// The reconstruction error of the embedding: |Y − W Y|² for columns of
    /// norm one, which is the sum of the eigenvalues.
    pub fn reconstruction_error(&self) -> f64 {
        self.alignment.reconstruction_error()
    }
}

impl Model for FittedLle {
    fn embedding(&self) -> &Embedding {
        self.alignment.embedding()
    }
}

impl Transform for FittedLle {
    /// The weights that reconstruct the new point from its nearest training points,
    /// applied to their coordinates; see [`BarycentricExtension`].
    fn place(&self, rows: Rows<'_>, known: TrainingRows<'_>) -> Result<Embedding, Error> {
        self.alignment.place(rows, known)
    }
}

impl Fitted for FittedLle {
    fn training_points(&self) -> Result<Option<PointSet>, Error> {
        self.alignment.training_points()
    }

    fn facts() -> Vec<Fact<Self>> {
        facts_of(|m: &Self| &m.alignment)
    }
}

impl Validate for FittedLle {
    fn validate(&self) -> Result<(), Error> {
        self.alignment.validate()?;
        let n = self.embedding().len();
        let shaped = self.weights.nrows() == n && self.weights.ncols() == n;
        require(shaped, "its weights do not fit its points")
    }
}
