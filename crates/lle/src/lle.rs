//! Locally linear embedding.

use embedding::{Embedding, Error, MemoryLimit, Model, Observer, Points, Transform};
use faer::Mat;
use neighbor_graph::{Components, Manifold, Neighborhood};
use serde::{Deserialize, Serialize};
use spectral::{Sparse, Tolerance};

use crate::barycentric::Barycentric;
use crate::basis::{Scale, check_dim, require_distinct, restored, spectral_basis};
use crate::fitted::Fitted;
use crate::weights::{alignment, residual_map, weights};

/// Keep the weights that rebuild each point from its neighbors; forget the rest.
///
/// **Idea.** A small patch of a manifold is nearly flat, so the weights that
/// rebuild a point from its neighbors are the same on the manifold and in its
/// own coordinates.
///
/// **Definition.** W minimizes Σᵢ |xᵢ − Σⱼ wᵢⱼ xⱼ|² + Rᵢ |wᵢ|² with rows of sum
/// one over the neighbors, Rᵢ = `regularization` · tr Gᵢ. Y minimizes
/// Σᵢ |yᵢ − Σⱼ wᵢⱼ yⱼ|² with YᵀY = n I and Σ yᵢ = 0: the d smallest eigenvectors
/// of M = (I − W)ᵀ(I − W) beside the constant one, which is deflated.
///
/// **Steps.** Neighbors; [`crate::weights`]; [`crate::alignment`];
/// [`crate::spectral_basis`].
///
/// **Cost.** Neighbor search; weights O(n k² (D + k)); M has at most n (k + 1)²
/// entries, in practice a few times fewer; the eigenvectors cost one sparse
/// Cholesky factorization (small for two-dimensional manifolds, growing with the
/// intrinsic dimension) and a few solves per vector. No n × n matrix.
///
/// **When it fails.** 1 ≤ d < n (d may exceed D); the neighbor graph must be
/// connected (see [`Components`]); every point needs a neighbor; the points must
/// not all coincide. Columns have unit variance, so aspect ratios are lost, and
/// with weights that hardly see the curvature the second coordinate can be a
/// function of the first. Without regularization, or with a tiny one and k > D,
/// the data's own projection solves the problem.
///
/// ```
/// use embedding::{Model, Points, Silent};
/// use lle::Lle;
/// use neighbor_graph::Neighborhood;
/// // Points along a helix are a line.
/// let helix: Vec<f64> =
///     (0..60).map(|i| f64::from(i) * 0.1).flat_map(|t| [t.cos(), t.sin(), 0.3 * t]).collect();
/// let recipe = Lle { neighborhood: Neighborhood::Nearest { k: 4 }, dim: 1, ..Lle::default() };
/// let fitted = recipe.fit(Points::new(&helix, 3)?, &Silent)?;
/// let y = fitted.embedding().coordinates.col(0);
/// assert!((1..60).all(|i| y[i] > y[i - 1]) || (1..60).all(|i| y[i] < y[i - 1]));
/// # Ok::<(), embedding::Error>(())
/// ```
///
/// **Reference.** Roweis and Saul (2000), doi:10.1126/science.290.5500.2323.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Lle {
    /// Who is near; default the 10 nearest.
    pub neighborhood: Neighborhood,
    /// Target dimension d, 1 ≤ d < n; default 2.
    pub dim: usize,
    /// Weight of |w|² relative to the trace of the local Gram matrix, positive;
    /// default 1e-3.
    pub regularization: f64,
    /// The length of a coordinate column; default unit covariance.
    pub scale: Scale,
    /// What to do with a disconnected graph; default reject.
    pub components: Components,
    /// Residual demanded of the eigenvectors.
    pub tolerance: Tolerance,
    /// The largest factorization allowed; default 4 GB.
    pub memory_limit: MemoryLimit,
}

impl Default for Lle {
    fn default() -> Self {
        Self {
            neighborhood: Neighborhood::default(),
            dim: 2,
            regularization: 1e-3,
            scale: Scale::UnitCovariance,
            components: Components::Reject,
            tolerance: Tolerance::default(),
            memory_limit: MemoryLimit::default(),
        }
    }
}

neighbor_graph::graph_method!(Lle, FittedLle, "lle");

impl Lle {
    /// The recipe, on one connected manifold.
    ///
    /// Stages `"weights"`, `"alignment"`, `"eigenvectors"`.
    pub fn fit_manifold(&self, manifold: Manifold<'_>, observer: &dyn Observer) -> Result<FittedLle, Error> {
        let Manifold { points, neighbors } = manifold;
        check_dim(self.dim, points.len())?;
        require_distinct(points)?;
        let w = weights(points, neighbors, self.regularization, observer)?;
        let b = residual_map(&w);
        // Points that share a patch lie close in memory from here on.
        let order = b.breadth_first();
        let b = b.reordered(&order);
        let m = alignment(&b, observer)?;
        let basis = spectral_basis(&m, Some(&b), self.dim, self.tolerance, self.memory_limit, observer)?;
        let basis = restored(basis, &order);
        let extension = Barycentric::new(points, neighbors.neighborhood(), self.regularization);
        Ok(FittedLle { fitted: Fitted::new(basis, self.scale, extension), weights: w })
    }
}

/// A fitted locally linear embedding.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FittedLle {
    fitted: Fitted<Barycentric>,
    weights: Sparse,
}

impl FittedLle {
    /// The weights W, rows of sum one.
    pub fn weights(&self) -> &Sparse {
        &self.weights
    }

    /// Eigenvalues of M, ascending, without the zero of the constant vector.
    pub fn eigenvalues(&self) -> &[f64] {
        self.fitted.eigenvalues()
    }

    /// |M v − λ v| of each eigenvector v of norm one.
    pub fn residuals(&self) -> &[f64] {
        self.fitted.residuals()
    }

    /// How badly the weights rebuild the embedding: |Y − W Y|² for columns of
    /// norm one, which is the sum of the eigenvalues.
    pub fn reconstruction_error(&self) -> f64 {
        self.fitted.reconstruction_error()
    }
}

impl Model for FittedLle {
    fn embedding(&self) -> &Embedding {
        self.fitted.embedding()
    }
}

impl Transform for FittedLle {
    /// The weights that rebuild the new point from its nearest training points,
    /// applied to their coordinates; see [`Barycentric`].
    fn transform(&self, new: Points<'_>) -> Result<Mat<f64>, Error> {
        self.fitted.transform(new)
    }
}
