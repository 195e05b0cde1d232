//! Iteration on polynomials of M, as an attempt or where no factorization fits.

use std::sync::atomic::{AtomicBool, Ordering};

use embedding::Error;
use faer::{Mat, unzip, zip};

use super::{Found, Setting, Smallest, indistinct, ritz};
use crate::filter::Filter;
use crate::krylov::{self, Demand, Goal, worst};
use crate::progress::Progress;
use crate::symbolic::Symbolic;
use crate::{Operator, Solver, Sparse, block, dense, orthonormal};

/// Time of an operation of a sparse product, in units of one of a factorization, which works
/// on dense blocks.
const SLOWER: f64 = 4.0;

/// The part of a factorization's time that an attempt may take.
const PART: f64 = 0.25;

/// Applications of one filter before the next one is adapted.
const ROUND: usize = 12;

/// Products for a bound on the eigenvalues.
const BOUND: usize = 12;

/// The largest number of products before the analysis of a factorization.
const SOONER: usize = 500;

/// The largest front of a factorization of a graph of high-dimensional data, as a fraction of n, is at
/// least this; for images it was .27 to .36.
const FRONT: f64 = 0.125;

impl Smallest<'_> {
    /// Fails unless a filtered iteration fits the memory limit.
    fn allow_filtered(&self) -> Result<(), Error> {
        let advice = "no factorization fits either; allow more memory, or use fewer points";
        self.memory_limit.allow("the basis of a filtered eigenproblem", self.products_bytes(), advice)
    }
}

impl<'a> Setting<'a> {
    /// The iteration by products, until the pairs are found or [`SOONER`] is reached, where the
    /// graph of M is a graph of high-dimensional data: its factorization is known to take long
    /// even before it is analyzed.
    pub(super) fn begin(&self, progress: &mut Progress<'_>) -> Result<Begun<'_, 'a>, Error> {
        let matrix = self.problem.matrix;
        let front = FRONT * matrix.nrows() as f64;
        let most = self.products_within(front.powi(3) / 3.0).min(SOONER);
        if self.is_square() || most < least() || !self.selects_filtered() || !grows_fast(matrix) {
            return Ok(None);
        }
        self.problem.allow_filtered()?;
        let mut iteration = Filtered::new(self, progress)?;
        iteration.run(most, progress)?;
        Ok(Some(iteration))
    }

    /// Analyzes M. If its graph is a graph of high-dimensional data, whose pairs are likely to be
    /// found by products, the iteration by products begins or continues meanwhile. The result of
    /// [`Setting::attempt`] does not depend on how far the iteration came.
    pub(super) fn analyze<'s>(
        &'s self,
        begun: Begun<'s, 'a>,
        progress: &mut Progress<'_>,
    ) -> Result<(Option<Symbolic>, Begun<'s, 'a>), Error> {
        let matrix = self.problem.matrix;
        let may_begin = || !self.is_square() && self.problem.allow_filtered().is_ok() && grows_fast(matrix);
        if rayon::current_num_threads() == 1 || begun.is_none() && !may_begin() {
            return Ok((Symbolic::new(matrix)?, begun));
        }
        let (mut symbolic, analyzed) = (Ok(None), AtomicBool::new(false));
        let begun = rayon::in_place_scope(|scope| {
            scope.spawn(|_| {
                symbolic = Symbolic::new(matrix);
                analyzed.store(true, Ordering::Relaxed);
            });
            let mut iteration = begun.map_or_else(|| Filtered::new(self, progress), Ok)?;
            while !iteration.converged() && !analyzed.load(Ordering::Relaxed) {
                iteration.round(progress)?;
            }
            Ok(iteration)
        })?;
        Ok((symbolic?, Some(begun)))
    }

    /// The number of products that take [`PART`] of the time of a factorization of `operations`
    /// operations.
    fn products_within(&self, operations: f64) -> usize {
        let Smallest { matrix, null, count, .. } = self.problem;
        let (width, _) = krylov::widths(count);
        // A product, and about as many operations on the rows of a block as on eight entries.
        let product = 2 * width * (matrix.stored() + 8 * null.nrows());
        (PART * operations / (SLOWER * product as f64)) as usize
    }

    /// Whether an iteration by products fits the limit that selects algorithms.
    fn selects_filtered(&self) -> bool {
        self.problem.memory_limit.selects(self.problem.products_bytes())
    }

    /// Finds the pairs by products with M in a part of the time that a factorization of
    /// `operations` operations takes; `None` as soon as that will not suffice.
    pub(super) fn attempt(
        &self,
        operations: f64,
        begun: Begun<'_, '_>,
        progress: &mut Progress<'_>,
    ) -> Result<Option<Found>, Error> {
        let most = self.products_within(operations);
        if most < least() || !self.selects_filtered() {
            return Ok(None);
        }
        self.problem.allow_filtered()?;
        let mut iteration = begun.map_or_else(|| Filtered::new(self, progress), Ok)?;
        iteration.run(most, progress)?;
        Ok(iteration.within(most).then(|| iteration.found()))
    }

    /// Finds the pairs by products with M where no factorization fits; missing the tolerance is an
    /// error. A refusal names the least memory of any algorithm.
    pub(super) fn filtered(
        &self,
        symbolic: Option<&Symbolic>,
        progress: &mut Progress<'_>,
    ) -> Result<Found, Error> {
        let problem = &self.problem;
        if let Some(symbolic) =
            symbolic.filter(|symbolic| problem.exact_bytes(symbolic) < problem.products_bytes())
        {
            self.allow_exact(symbolic)?;
        }
        problem.allow_filtered()?;
        let most = self.problem.tolerance.applications().saturating_mul(100);
        let mut iteration = Filtered::new(self, progress)?;
        loop {
            iteration.round(progress)?;
            if iteration.converged() || iteration.is_enough() {
                return Ok(iteration.found());
            }
            if iteration.products >= most || iteration.excess.is_nan() {
                return Err(indistinct(iteration.excess, iteration.products));
            }
        }
    }

    /// Returns an upper bound on the largest eigenvalue, tighter than the row sums: the largest Ritz
    /// value of a few Lanczos steps and the norm of the last residual (Zhou and Li,
    /// doi:10.1016/j.laa.2010.06.034).
    fn upper_bound(&self, progress: &mut Progress<'_>) -> Result<f64, Error> {
        let n = self.problem.matrix.nrows();
        let mut now = orthonormal::complement(block::random(n, 1, 0), &[]);
        let (mut before, mut image) = (Mat::zeros(n, 1), Mat::zeros(n, 1));
        let mut ritz = Mat::zeros(BOUND, BOUND);
        let mut rest = 0.0;
        for step in 0..BOUND {
            progress.pulse()?;
            self.form.apply(now.as_ref(), image.as_mut());
            let along = block::cross(now.as_ref(), image.as_ref())[(0, 0)];
            zip!(&mut image, &now, &before).for_each(|unzip!(w, v, u)| *w -= along * v + rest * u);
            rest = block::norms(image.as_ref())[0];
            ritz[(step, step)] = along;
            if rest == 0.0 {
                break;
            }
            if step + 1 < BOUND {
                (ritz[(step, step + 1)], ritz[(step + 1, step)]) = (rest, rest);
            }
            std::mem::swap(&mut before, &mut now);
            zip!(&mut now, &image).for_each(|unzip!(v, w)| *v = w / rest);
        }
        let values = dense::symmetric_eigen(ritz.as_ref())?.0;
        Ok(self.norm.min(values[BOUND - 1] + rest))
    }
}

/// The number of products of the first round.
fn least() -> usize {
    BOUND + ROUND * Filter::degree(0.5, 1.0)
}

/// Whether the graph of a matrix has at most the fourth root of n levels from its first row on:
/// graphs of data in d dimensions have about the d-th root.
fn grows_fast(matrix: &Sparse) -> bool {
    let n = matrix.nrows();
    let (mut reached, mut level, mut levels) = (vec![false; n], vec![0_u32], 0);
    reached[0] = true;
    while !level.is_empty() && levels * levels * levels * levels <= n {
        let mut next = Vec::new();
        for &i in &level {
            for &j in matrix.row(i as usize).0 {
                if !std::mem::replace(&mut reached[j as usize], true) {
                    next.push(j);
                }
            }
        }
        (level, levels) = (next, levels + 1);
    }
    level.is_empty()
}

/// An iteration that has begun.
pub(super) type Begun<'s, 'a> = Option<Filtered<'s, 'a>>;

/// Block Krylov iteration on polynomials of M, each adapted to the Ritz values of the
/// previous one.
pub(super) struct Filtered<'a, 'b> {
    setting: &'a Setting<'b>,
    /// An upper bound on the eigenvalues of M.
    norm: f64,
    /// The wanted eigenvalues are below it.
    cut: f64,
    /// Vectors of the round before.
    vectors: Option<Mat<f64>>,
    /// The largest residual of a wanted pair in units of the allowed one.
    excess: f64,
    /// The same without regard to the eigenvalues.
    residual_excess: f64,
    /// Products of M and a block so far.
    products: usize,
    /// Products that the last round could have taken, including all products before.
    allowed: usize,
}

impl<'a, 'b> Filtered<'a, 'b> {
    fn new(setting: &'a Setting<'b>, progress: &mut Progress<'_>) -> Result<Self, Error> {
        let norm = setting.upper_bound(progress)?;
        Ok(Self {
            setting,
            norm,
            cut: norm / 2.0,
            vectors: None,
            excess: f64::INFINITY,
            residual_excess: f64::INFINITY,
            products: BOUND,
            allowed: BOUND,
        })
    }

    /// Iterates until the pairs have converged or the next round could exceed `most` products.
    fn run(&mut self, most: usize, progress: &mut Progress<'_>) -> Result<(), Error> {
        while !self.converged() && self.products + self.next() <= most {
            self.round(progress)?;
        }
        Ok(())
    }

    /// Whether the pairs have converged.
    pub(super) fn converged(&self) -> bool {
        self.excess <= 1.0
    }

    /// Whether the demanded residuals are reached, and the next round could exceed the number of
    /// products after which they suffice.
    fn is_enough(&self) -> bool {
        let most = self.setting.problem.tolerance.enough();
        self.residual_excess <= 1.0 && most.is_some_and(|most| self.products + self.next() > most)
    }

    /// Whether the pairs have converged, in rounds that could not exceed `most` products.
    fn within(&self, most: usize) -> bool {
        self.converged() && self.allowed <= most
    }

    /// The largest number of products of the next round.
    fn next(&self) -> usize {
        ROUND * Filter::degree(self.cut, self.norm)
    }

    /// Iterates with one polynomial; the pairs have converged if the excess is at most 1 then.
    fn round(&mut self, progress: &mut Progress<'_>) -> Result<(), Error> {
        self.allowed = self.products + self.next();
        let Smallest { matrix, null, count, tolerance, .. } = self.setting.problem;
        let filter = Filter::new(matrix, self.cut, self.norm);
        // Residuals for the filter, whose wanted values are about 1; those for M are judged below.
        let goal = Goal::Norm((0.01 * tolerance.residual()).max(1e-13));
        let demand = Demand { count, goal, applications: ROUND };
        let mut report = |_| progress.pulse();
        let found = krylov::leading(&filter, None, null.as_ref(), self.vectors.take(), demand, &mut report)?;
        self.products += found.applications * filter.degree;
        let pairs = ritz(self.setting.form, null, found.vectors)?;
        let excess =
            |goal: Goal| worst(&pairs.residuals[..count], |j| goal.allowed(pairs.values[j], self.norm));
        self.excess = excess(Goal::Distinct(tolerance.residual()));
        self.residual_excess = excess(Goal::Norm(tolerance.residual()));
        progress.report(self.excess, tolerance.residual())?;
        // Ritz values are upper bounds of the eigenvalues, so the wanted ones stay below the
        // cut.
        self.cut = pairs.values[pairs.values.len() - 1].min(self.cut);
        self.vectors = Some(pairs.vectors);
        Ok(())
    }

    /// The pairs after the last round.
    pub(super) fn found(self) -> Found {
        let vectors = self.vectors.expect("a round has converged");
        let vectors = vectors.get(.., ..self.setting.problem.count).to_owned();
        Found { vectors, solver: Solver::Filtered, applications: self.products }
    }
}

#[cfg(test)]
mod tests;
