//! Results of the eigensolvers.

use faer::Mat;
use serde::{Deserialize, Serialize};

/// Eigenpairs with their recomputed residuals.
#[derive(Clone, Debug)]
pub struct Pairs {
    /// Eigenvalues, in the order stated by the solver.
    pub values: Vec<f64>,
    /// Orthonormal eigenvectors, one per column, in the same order.
    pub vectors: Mat<f64>,
    /// Residual norm |A v − λ v|₂ of each pair, recomputed from the returned pair.
    pub residuals: Vec<f64>,
    /// The algorithm that computed them.
    pub solver: Solver,
    /// Applications of the operator (or of its inverse) to a block of vectors.
    pub applications: usize,
}

/// The algorithm that computed some [`Pairs`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Solver {
    /// Full decomposition of the dense matrix.
    Dense,
    /// Block Krylov iteration on the operator itself.
    BlockKrylov,
    /// Block Krylov iteration on the inverse, by sparse Cholesky in double precision.
    ShiftInvert,
    /// Preconditioned block iteration with incomplete triangular factors.
    Incomplete,
    /// Preconditioned block iteration with a single-precision Cholesky factor.
    Preconditioned,
    /// Block Krylov iteration on Chebyshev filter polynomials; no factorization.
    Filtered,
}

/// The convergence tolerance of eigenpairs and the work allowed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tolerance {
    /// Bound on residuals relative to the operator's norm: |A v − λ v| ≤ `residual` ·
    /// |A|.
    pub residual: f64,
    /// Largest number of block applications before [`embedding::Error::NoConvergence`];
    /// filtered iteration may use a hundred times as many products with the matrix.
    pub applications: usize,
}

impl Default for Tolerance {
    fn default() -> Self {
        Self { residual: 1e-10, applications: 1000 }
    }
}
