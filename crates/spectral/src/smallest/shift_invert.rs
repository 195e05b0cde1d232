//! Block Krylov iteration on the inverse, and polishing of the pairs that it leaves inaccurate.

use embedding::Error;
use faer::Mat;

use super::projected::Projected;
use super::{Found, Setting, Smallest, indistinct, less, missed};
use crate::gram_operator::Negative;
use crate::krylov::{self, Demand, Goal, worst};
use crate::progress::Progress;
use crate::symbolic::Symbolic;
use crate::{Operator, Pairs, Solver};

impl Setting<'_> {
    /// Block Krylov iteration on P (M + σ I)⁻¹ P, where P projects out the null vectors.
    pub(super) fn shift_invert(
        &self,
        symbolic: &Symbolic,
        progress: &mut Progress<'_>,
    ) -> Result<Found, Error> {
        let Smallest { null, count, tolerance, .. } = self.problem;
        self.allow_exact(symbolic)?;
        let inverse = Projected { inverse: self.factorize::<f64>(symbolic, 1e-13)?, null };
        // The other half is for polishing.
        let applications = tolerance.applications().div_ceil(2);
        let demand = Demand { count, goal: Goal::Value(tolerance.residual()), applications };
        let mut report = |excess| progress.report(excess, tolerance.residual());
        let found = krylov::leading(&inverse, None, null.as_ref(), None, demand, &mut report)?;
        // One step of inverse iteration removes rounding errors in the directions of
        // large eigenvalues.
        let mut vectors = Mat::zeros(null.nrows(), count);
        inverse.apply(found.vectors.get(.., ..count), vectors.as_mut());
        drop(inverse);
        // Where a huge eigenvalue of the inverse brings rounding with it, the pairs need only be
        // distinguished, and the residuals for M decide.
        let residual = found.excess * tolerance.residual();
        let distinct = found.excess <= 1.0 || residual <= krylov::DISTINCT;
        let pairs = self.pairs(vectors.clone())?;
        let accuracy = worst(&pairs.residuals, |_| 1.0);
        if distinct && accuracy <= tolerance.residual() {
            let applications = found.applications + 1;
            return Ok(Found { vectors, solver: Solver::ShiftInvert, applications });
        }
        let left = tolerance.applications().saturating_sub(found.applications + 1);
        if left == 0 {
            let residual = if distinct { accuracy } else { residual };
            return Err(missed(residual, tolerance.residual(), found.applications));
        }
        self.polished(symbolic, pairs, left, progress)
    }

    /// Block Davidson iteration on −M from approximate pairs, preconditioned by a factor of M + λ I with
    /// the largest wanted eigenvalue λ.
    ///
    /// Eigenvalues of M near rounding level (clusters of points that single edges join) give the inverse
    /// eigenvalues so large that their rounding errors exceed the eigenvalues of the other pairs. The
    /// products with M, and a factor with a larger shift, have no such errors.
    fn polished(
        &self,
        symbolic: &Symbolic,
        pairs: Pairs,
        applications: usize,
        progress: &mut Progress<'_>,
    ) -> Result<Found, Error> {
        let Smallest { matrix, null, count, tolerance, .. } = self.problem;
        let mean = matrix.trace() / matrix.nrows() as f64;
        let shift = pairs.values[count - 1] / mean;
        let inverse = Projected { inverse: self.factorize::<f64>(symbolic, shift.clamp(1e-12, 1.0))?, null };
        let before = tolerance.applications() - applications;
        let demand = Demand { count, goal: Goal::Distinct(tolerance.residual()), applications };
        let mut report = |excess| progress.report(excess, tolerance.residual());
        let (minus, start) = (Negative(self.form), Some(pairs.vectors));
        let found = krylov::leading(&minus, Some(&inverse), null.as_ref(), start, demand, &mut report)?;
        let applications = before + found.applications;
        let vectors = found.vectors.get(.., ..count).to_owned();
        if found.excess.is_nan() || found.excess > 1.0 {
            let residual = worst(&self.pairs(vectors)?.residuals, |_| 1.0);
            return Err(if residual <= tolerance.residual() {
                indistinct(found.excess, applications)
            } else {
                missed(residual, tolerance.residual(), applications)
            });
        }
        Ok(Found { vectors, solver: Solver::ShiftInvert, applications })
    }

    /// Fails unless an exact factor fits the memory limit.
    pub(super) fn allow_exact(&self, symbolic: &Symbolic) -> Result<(), Error> {
        let limit = self.problem.memory_limit;
        limit.allow("a sparse Cholesky factor", self.problem.exact_bytes(symbolic), less(limit))
    }
}
