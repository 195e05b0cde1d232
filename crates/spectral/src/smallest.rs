//! Trailing eigenpairs of a sparse positive semidefinite matrix.

use embedding::{Error, MemoryLimit, Observer};
use faer::{Mat, MatMut, MatRef};

use crate::factor::{Factor, Plan};
use crate::krylov::{self, Demand, Scale, worst};
use crate::progress::Progress;
use crate::{Operator, Pairs, Solver, Sparse, Tolerance, block, canonical_signs, dense, orthonormal};

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

/// Up to this order the full decomposition is used.
const DENSE: usize = 1000;

/// The `count` smallest eigenpairs on the complement of the null vectors, ascending.
///
/// Fails when `count` is 0 or exceeds n − z, when a pair misses the tolerance,
/// when no algorithm fits the memory limit, or when the observer cancels.
pub fn smallest(problem: Smallest<'_>, observer: &dyn Observer) -> Result<Pairs, Error> {
    let Smallest { matrix, null, count, tolerance, .. } = problem;
    let (n, z) = (matrix.nrows(), null.ncols());
    if count == 0 || count + z > n {
        return Err(Error::parameter("the number of eigenpairs", format!("between 1 and {}", n - z), count));
    }
    let mut progress = Progress::new(observer)?;
    let norm = matrix.norm_bound();
    if !norm.is_finite() {
        return Err(Error::degenerate(
            "the matrix of an eigenproblem has entries that are not finite",
            "check the scale of the data",
        ));
    }
    let dense = n <= DENSE || n <= 2 * krylov::widths(count).1;
    let (vectors, solver, applications) = if norm == 0.0 {
        (orthonormal::complement(block::random(n, count, 0), &[null.as_ref()]), Solver::Dense, 0)
    } else if dense {
        (full(problem, norm)?, Solver::Dense, 1)
    } else {
        shift_invert(problem, norm, &mut progress)?
    };
    let mut pairs = ritz(problem, vectors)?;
    (pairs.solver, pairs.applications) = (solver, applications);
    let residual = worst(&pairs.residuals, |_| norm);
    if residual.is_nan() || residual > tolerance.residual {
        return Err(missed(residual, tolerance.residual, applications));
    }
    progress.finish()?;
    Ok(pairs)
}

fn missed(residual: f64, tolerance: f64, iterations: usize) -> Error {
    Error::NoConvergence { what: "the trailing eigenpairs", residual, tolerance, iterations }
}

/// By the full decomposition, with the null vectors lifted to the top of the spectrum.
fn full(problem: Smallest<'_>, norm: f64) -> Result<Mat<f64>, Error> {
    let Smallest { matrix, null, count, .. } = problem;
    let mut a = matrix.to_dense();
    let lifted = dense::product(null.as_ref(), null.transpose());
    a += faer::Scale(2.0 * norm) * lifted;
    let (_, vectors) = dense::symmetric_eigen(a.as_ref())?;
    Ok(vectors.get(.., ..count).to_owned())
}

/// By block Krylov iteration on P (M + σ I)⁻¹ P, P the projection that removes
/// the null vectors.
fn shift_invert(
    problem: Smallest<'_>,
    norm: f64,
    progress: &mut Progress<'_>,
) -> Result<(Mat<f64>, Solver, usize), Error> {
    let Smallest { matrix, null, count, tolerance, memory_limit, .. } = problem;
    let plan = Plan::new(matrix)?;
    let needed = 8 * plan.stored() as u64;
    memory_limit.allow("the Cholesky factor of the eigenproblem", needed, "use fewer neighbors or points")?;
    let mut shift = 1e-13 * matrix.trace() / matrix.nrows() as f64;
    let factor = loop {
        if let Some(factor) = plan.factor::<f64>(matrix, shift) {
            break factor;
        }
        shift *= 10.0;
        if shift.is_nan() || shift >= 1e-6 * norm {
            return Err(Error::degenerate(
                "the matrix of an eigenproblem is not positive semidefinite",
                "check the scale of the data",
            ));
        }
    };
    let inverse = Inverse { factor, null };
    let demand = Demand {
        count,
        residual: tolerance.residual,
        relative_to: Scale::Value,
        applications: tolerance.applications,
    };
    let found = krylov::leading(&inverse, None, null.as_ref(), demand, progress)?;
    if found.residual > demand.residual {
        return Err(missed(found.residual, demand.residual, found.applications));
    }
    // One step of inverse iteration wipes out what rounding has left of the
    // upper end of the spectrum.
    let mut vectors = Mat::zeros(matrix.nrows(), count);
    inverse.apply(found.vectors.as_ref(), vectors.as_mut());
    Ok((vectors, Solver::ShiftInvert, found.applications + 1))
}

struct Inverse<'a> {
    factor: Factor<'a, f64>,
    null: &'a Mat<f64>,
}

impl Operator for Inverse<'_> {
    fn order(&self) -> usize {
        self.null.nrows()
    }

    fn apply(&self, x: MatRef<'_, f64>, mut out: MatMut<'_, f64>) {
        out.copy_from(x);
        self.project(out.as_mut());
        self.factor.solve(out.as_mut());
        self.project(out);
    }
}

impl Inverse<'_> {
    fn project(&self, mut x: MatMut<'_, f64>) {
        let h = block::cross(self.null.as_ref(), x.as_ref());
        block::combine(x.as_mut(), faer::Accum::Add, self.null.as_ref(), h.as_ref(), -1.0);
    }
}

/// Rayleigh–Ritz on the span of `vectors`, through B where there is one;
/// ascending, with canonical signs and recomputed residuals.
fn ritz(problem: Smallest<'_>, vectors: Mat<f64>) -> Result<Pairs, Error> {
    let x = orthonormal::complement(vectors, &[problem.null.as_ref()]);
    let (small, _) = quadratic(problem, &x);
    let (_, rotation) = dense::symmetric_eigen(small.as_ref())?;
    let mut x = block::product(x.as_ref(), rotation.as_ref());
    canonical_signs(x.as_mut());
    let (small, image) = quadratic(problem, &x);
    let values: Vec<f64> = (0..x.ncols()).map(|j| small[(j, j)].max(0.0)).collect();
    let residuals = block::residuals(image.as_ref(), x.as_ref(), &values);
    Ok(Pairs { values, vectors: x, residuals, solver: Solver::Dense, applications: 0 })
}

/// XᵀMX and MX.
fn quadratic(problem: Smallest<'_>, x: &Mat<f64>) -> (Mat<f64>, Mat<f64>) {
    let mut image = Mat::zeros(x.nrows(), x.ncols());
    let Some(b) = problem.factor else {
        problem.matrix.apply(x.as_ref(), image.as_mut());
        return (block::cross(x.as_ref(), image.as_ref()), image);
    };
    let mut half = Mat::zeros(b.nrows(), x.ncols());
    b.apply(x.as_ref(), half.as_mut());
    b.apply_transposed(half.as_ref(), image.as_mut());
    (block::cross(half.as_ref(), half.as_ref()), image)
}
