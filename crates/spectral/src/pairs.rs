//! What an eigensolver returns.

use faer::Mat;
use serde::{Deserialize, Serialize};

/// Eigenpairs with their proof.
#[derive(Clone, Debug)]
pub struct Pairs {
    /// Eigenvalues in the order the solver promises.
    pub values: Vec<f64>,
    /// Orthonormal eigenvectors, one per column, in the same order.
    pub vectors: Mat<f64>,
    /// |A v − λ v|₂ of each pair, recomputed after the fact.
    pub residuals: Vec<f64>,
    /// Which algorithm found them.
    pub solver: Solver,
    /// Applications of the operator (or of its inverse) to a block of vectors.
    pub applications: usize,
}

/// The algorithm behind some [`Pairs`].
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
    /// Polynomial-filtered subspace iteration; no factorization.
    Filtered,
}

/// The residual demanded of every pair, relative to the operator's norm.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tolerance {
    /// |A v − λ v| ≤ `residual` · |A|.
    pub residual: f64,
    /// The largest number of block applications before
    /// [`embedding::Error::NoConvergence`]; filtered iteration may take a hundred
    /// times as many products with the matrix.
    pub applications: usize,
}

impl Default for Tolerance {
    fn default() -> Self {
        Self { residual: 1e-10, applications: 1000 }
    }
}
