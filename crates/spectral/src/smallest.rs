//! Trailing eigenpairs of a sparse positive semidefinite matrix.

use embedding::{Error, MemoryLimit, Observer};
use faer::Mat;

use crate::{Operator, Pairs, Solver, Sparse, Tolerance, canonical_signs, dense, largest::residuals};

/// The problem: M, what is known of its null space, and what may be spent.
#[derive(Clone, Copy, Debug)]
pub struct Smallest<'a> {
    /// Symmetric positive semidefinite, stored in full.
    pub matrix: &'a Sparse,
    /// B with M = BᵀB, if there is one: eigenvalues and residuals are then
    /// computed through it, which keeps tiny eigenvalues accurate.
    pub factor: Option<&'a Sparse>,
    /// Orthonormal null vectors to deflate, n × z; usually 1/√n.
    pub null: &'a Mat<f64>,
    /// How many pairs.
    pub count: usize,
    /// The residual demanded.
    pub tolerance: Tolerance,
    /// The largest factorization allowed.
    pub memory_limit: MemoryLimit,
}

/// The `count` smallest eigenpairs on the complement of the null vectors, ascending.
///
/// Fails when `count` is 0 or exceeds n − z, when a pair misses the tolerance,
/// when no algorithm fits the memory limit, or when the observer cancels.
pub fn smallest(problem: Smallest<'_>, _observer: &dyn Observer) -> Result<Pairs, Error> {
    let Smallest { matrix, null, count, tolerance, .. } = problem;
    let (n, z) = (matrix.nrows(), null.ncols());
    if count == 0 || count + z > n {
        return Err(Error::parameter("the number of eigenpairs", format!("between 1 and {}", n - z), count));
    }
    let lift = 10.0 * matrix.trace().max(f64::MIN_POSITIVE);
    let mut a = matrix.to_dense();
    a += faer::Scale(lift) * (null * null.transpose());
    let (values, vectors) = dense::symmetric_eigen(a.as_ref())?;
    let mut vectors = vectors.subcols(0, count).to_owned();
    canonical_signs(vectors.as_mut());
    let values = values[..count].to_vec();
    let residuals = residuals(&SparseOperator(matrix), &values, &vectors);
    let worst = residuals.iter().fold(0.0_f64, |m, r| m.max(*r));
    if worst > tolerance.residual * lift {
        return Err(Error::NoConvergence {
            what: "the trailing eigenpairs",
            residual: worst / lift,
            tolerance: tolerance.residual,
            iterations: 1,
        });
    }
    Ok(Pairs { values, vectors, residuals, solver: Solver::Dense, applications: 1 })
}

struct SparseOperator<'a>(&'a Sparse);

impl Operator for SparseOperator<'_> {
    fn order(&self) -> usize {
        self.0.nrows()
    }

    fn apply(&self, x: faer::MatRef<'_, f64>, out: faer::MatMut<'_, f64>) {
        self.0.apply(x, out);
    }
}
