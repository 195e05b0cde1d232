//! Iteration preconditioned by incomplete factors of a square B.

use embedding::Error;

use super::projected::Projected;
use super::{Found, Setting, Smallest, less};
use crate::Solver;
use crate::gram_operator::Negative;
use crate::incomplete::Incomplete;
use crate::krylov::{self, Demand, Goal};
use crate::progress::Progress;

/// Entries per row of incomplete factors above which an exact factor is preferred.
const FULL: usize = 500;

/// Drop threshold of incomplete factors, relative to the mean magnitude of a row of B.
const DROP: f64 = 1e-3;

/// Shift added to B before incomplete factorization, relative to its mean diagonal.
const INCOMPLETE_SHIFT: f64 = 1e-4;

/// Applications after which incomplete factors are abandoned.
const PATIENT: usize = 500;

impl Setting<'_> {
    /// Block Davidson iteration on −M with incomplete triangular factors of B; `None` if
    /// B is not square, the factors fill in, or the iteration does not converge.
    pub(super) fn incomplete(&self, progress: &mut Progress<'_>) -> Result<Option<Found>, Error> {
        let Smallest { null, count, tolerance, memory_limit, .. } = self.problem;
        let n = null.nrows();
        let Some(b) = self.problem.factor.filter(|b| b.nrows() == n) else { return Ok(None) };
        let iteration = self.problem.products_bytes();
        let most =
            FULL.min(memory_limit.selecting().saturating_sub(iteration) as usize / Incomplete::BYTES / n);
        if most == 0 {
            return Ok(None);
        }
        let needed = iteration + (most * n * Incomplete::BYTES) as u64;
        memory_limit.allow("incomplete factors of an eigenproblem", needed, less(memory_limit))?;
        let shift = INCOMPLETE_SHIFT * b.trace() / n as f64;
        let pulse = || progress.pulse();
        let Some(factor) = Incomplete::new(b, shift, DROP, most * n, &pulse)? else { return Ok(None) };
        let inverse = Projected { inverse: factor, null };
        let applications = tolerance.applications().min(PATIENT);
        let demand = Demand { count, goal: Goal::Distinct(tolerance.residual()), applications };
        let mut report = |excess| progress.report(excess, tolerance.residual());
        let minus = Negative(self.form);
        let found = krylov::leading(&minus, Some(&inverse), null.as_ref(), None, demand, &mut report)?;
        if found.excess.is_nan() || found.excess > 1.0 {
            return Ok(None);
        }
        let vectors = found.vectors.get(.., ..count).to_owned();
        Ok(Some(Found { vectors, solver: Solver::Incomplete, applications: found.applications }))
    }
}
