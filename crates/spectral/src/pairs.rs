//! Results of the eigensolvers.

use embedding::Error;
use embedding::implement::{Range, Sizes, Value, ValueSyntax};
use faer::Mat;
use serde::{Deserialize, Serialize};

/// Eigenpairs with their recomputed residuals.
#[derive(Clone, Debug)]
pub struct Pairs {
    /// Eigenvalues, in the order stated by the solver.
    pub values: Vec<f64>,
    /// Orthonormal eigenvectors, one per column, in the same order.
    pub vectors: Mat<f64>,
    /// Relative residual |A v − λ v| / |A| of each pair, recomputed from the returned pair
    /// and independent of the units of A; |A| is the solver's estimate or bound of the norm
    /// to which [`Tolerance`] refers. 0 where A is 0.
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

/// The residual demanded of every pair, |A v − λ v| ≤ `residual` · |A|, and the
/// largest number of block applications.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "RawTolerance")]
pub struct Tolerance {
    residual: f64,
    applications: usize,
    #[serde(skip)]
    enough: Option<usize>,
}

/// Legal residuals.
const RESIDUAL: Range = Range::positive();

impl Tolerance {
    /// Creates a tolerance with a residual relative to the operator's norm, finite and
    /// above 0; fails with [`Error::Parameter`] otherwise.
    pub fn new(residual: f64) -> Result<Self, Error> {
        RESIDUAL.check("tolerance", residual, &Sizes::default(), &residual)?;
        Ok(Self { residual, ..Self::default() })
    }

    /// The same with at most `applications` block applications before
    /// [`Error::NoConvergence`]; filtered iteration may take a hundred times as many
    /// products with the matrix.
    pub fn with_applications(self, applications: usize) -> Self {
        Self { applications, ..self }
    }

    /// The same for callers that need directions, not digits. Filtered iteration otherwise continues
    /// until residuals are also small relative to the eigenvalues, which distinguishes eigenvalues
    /// near 0. With this limit it ends before it exceeds `products` products with the matrix, once
    /// the demanded residuals are reached.
    pub fn or_after(self, products: usize) -> Self {
        Self { enough: Some(products), ..self }
    }

    /// The products of [`Tolerance::or_after`].
    pub(crate) fn enough(self) -> Option<usize> {
        self.enough
    }

    /// The residual demanded.
    pub fn residual(self) -> f64 {
        self.residual
    }

    /// The largest number of block applications.
    pub fn applications(self) -> usize {
        self.applications
    }
}

impl Value for Tolerance {
    const SYNTAX: ValueSyntax = ValueSyntax::Real;
    const RANGE: Option<Range> = Some(RESIDUAL);

    fn show(&self) -> String {
        self.residual.show()
    }

    fn read(text: &str) -> Option<Self> {
        Self::new(f64::read(text)?).ok()
    }

    fn number(&self) -> Option<f64> {
        Some(self.residual)
    }
}

/// A deserialized [`Tolerance`] before validation.
#[derive(Deserialize)]
struct RawTolerance {
    residual: f64,
    applications: usize,
}

impl TryFrom<RawTolerance> for Tolerance {
    type Error = Error;

    fn try_from(raw: RawTolerance) -> Result<Self, Error> {
        Ok(Self::new(raw.residual)?.with_applications(raw.applications))
    }
}

impl Default for Tolerance {
    fn default() -> Self {
        Self { residual: 1e-10, applications: 1000, enough: None }
    }
}
