//! Iteration on polynomials of M, as an attempt or where no factorization fits.

use std::sync::atomic::{AtomicBool, Ordering};

use embedding::Error;
use faer::Mat;

use super::{Found, Setting, Smallest, indistinct, ritz};
use crate::filter::Filter;
use crate::krylov::{self, Demand, Goal, worst};
use crate::plan::Plan;
use crate::progress::Progress;
use crate::{Solver, Sparse};

/// Time of an operation of a sparse product, in units of one of a factorization, which works
/// on dense blocks.
const SLOWER: f64 = 4.0;

/// The part of a factorization's time that an attempt may take.
const PART: f64 = 0.25;

/// Applications of one filter before the next one is adapted.
const ROUND: usize = 12;

/// Largest number of products for a bound on the eigenvalues.
const BOUND: usize = 50;

impl Smallest<'_> {
    /// The memory of a filtered iteration. Products with B count twice: they are copied row by row.
    fn filtered_bytes(&self) -> u64 {
        let images = self.factor.map_or(0, |b| 2 * b.nrows() * (self.count + krylov::widths(self.count).0));
        self.iteration_bytes() + (images * size_of::<f64>()) as u64
    }

    /// Fails unless a filtered iteration fits the memory limit.
    fn allow_filtered(&self) -> Result<(), Error> {
        let advice = "no factorization fits either; allow more memory, or use fewer points";
        self.memory_limit.allow("the basis of a filtered eigenproblem", self.filtered_bytes(), advice)
    }
}

impl<'a> Setting<'a> {
    /// Analyzes M; where its graph is one of high-dimensional data, whose pairs products are
    /// likely to find, their iteration begins meanwhile. What [`Setting::attempt`] makes of it does
    /// not depend on how far it came.
    pub(super) fn analyze(
        &self,
        progress: &mut Progress<'_>,
    ) -> Result<(Option<Plan>, Begun<'_, 'a>), Error> {
        let matrix = self.problem.matrix;
        let may_begin = !self.is_square() && self.problem.allow_filtered().is_ok();
        if !may_begin || rayon::current_num_threads() == 1 || !grows_fast(matrix) {
            return Ok((Plan::new(matrix)?, None));
        }
        let (mut plan, analyzed) = (Ok(None), AtomicBool::new(false));
        let begun = rayon::in_place_scope(|scope| {
            scope.spawn(|_| {
                plan = Plan::new(matrix);
                analyzed.store(true, Ordering::Relaxed);
            });
            let mut iteration = Filtered::new(self, progress)?;
            while iteration.excess > 1.0 && !analyzed.load(Ordering::Relaxed) {
                iteration.round(progress)?;
            }
            Ok(iteration)
        })?;
        Ok((plan?, Some(begun)))
    }

    /// Finds the pairs by products with M in a part of the time that a factorization of
    /// `operations` operations takes; `None` as soon as that will not suffice.
    pub(super) fn attempt(
        &self,
        operations: f64,
        begun: Begun<'_, '_>,
        progress: &mut Progress<'_>,
    ) -> Result<Option<Found>, Error> {
        let Smallest { matrix, null, count, .. } = self.problem;
        let (width, _) = krylov::widths(count);
        // A product, and about as many operations on the rows of a block as on eight entries.
        let product = 2 * width * (matrix.stored() + 8 * null.nrows());
        let most = (PART * operations / (SLOWER * product as f64)) as usize;
        let fits = self.problem.memory_limit.selects(self.problem.filtered_bytes());
        if !fits || most < BOUND + ROUND * Filter::degree(0.5, 1.0) {
            return Ok(None);
        }
        self.problem.allow_filtered()?;
        let mut iteration = begun.map_or_else(|| Filtered::new(self, progress), Ok)?;
        while iteration.excess > 1.0 && iteration.products + iteration.next() <= most {
            iteration.round(progress)?;
        }
        let found = iteration.excess <= 1.0 && iteration.allowed <= most;
        Ok(found.then(|| iteration.found()))
    }

    /// Finds the pairs by products with M; missing the tolerance is an error.
    pub(super) fn filtered(&self, progress: &mut Progress<'_>) -> Result<Found, Error> {
        self.problem.allow_filtered()?;
        let most = self.problem.tolerance.applications().saturating_mul(100);
        let mut iteration = Filtered::new(self, progress)?;
        loop {
            iteration.round(progress)?;
            if iteration.excess <= 1.0 {
                return Ok(iteration.found());
            }
            if iteration.products >= most || iteration.excess.is_nan() {
                return Err(indistinct(iteration.excess, iteration.products));
            }
        }
    }

    /// Returns an upper bound on the largest eigenvalue, tighter than the row sums (the
    /// leading Ritz value plus its residual), and the number of products used.
    fn upper_bound(&self, progress: &mut Progress<'_>) -> Result<(f64, usize), Error> {
        let none = Mat::zeros(self.problem.null.nrows(), 0);
        let fraction = 0.01;
        let demand = Demand { count: 1, goal: Goal::Norm(fraction), applications: BOUND };
        let mut report = |_| progress.pulse();
        let top = krylov::leading(self.form, None, none.as_ref(), None, demand, &mut report)?;
        Ok((self.norm.min(1.05 * top.norm * (1.0 + fraction * top.excess.max(1.0))), top.applications))
    }
}

/// Whether the graph of a matrix has the fourth root of n levels from its first row on at most: those
/// of data in d dimensions have about the d-th root.
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
    /// Products of M and a block so far.
    products: usize,
    /// Those that the last round could have taken, with all before.
    allowed: usize,
}

impl<'a, 'b> Filtered<'a, 'b> {
    fn new(setting: &'a Setting<'b>, progress: &mut Progress<'_>) -> Result<Self, Error> {
        let (norm, products) = setting.upper_bound(progress)?;
        Ok(Self {
            setting,
            norm,
            cut: norm / 2.0,
            vectors: None,
            excess: f64::INFINITY,
            products,
            allowed: products,
        })
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
        let demand = Demand { count, goal: Goal::Norm(1e-13), applications: ROUND };
        let mut report = |_| progress.pulse();
        let found = krylov::leading(&filter, None, null.as_ref(), self.vectors.take(), demand, &mut report)?;
        self.products += found.applications * filter.degree;
        let pairs = ritz(self.setting.form, null, found.vectors)?;
        let goal = Goal::Distinct(tolerance.residual());
        self.excess = worst(&pairs.residuals[..count], |j| goal.allowed(pairs.values[j], self.norm));
        progress.report(self.excess, tolerance.residual())?;
        // Ritz values are upper bounds of the eigenvalues, so the wanted ones stay below the
        // cut.
        self.cut = pairs.values[pairs.values.len() - 1].min(self.cut);
        self.vectors = Some(pairs.vectors);
        Ok(())
    }

    /// The pairs after the last round.
    fn found(self) -> Found {
        let vectors = self.vectors.expect("a round has converged");
        let vectors = vectors.get(.., ..self.setting.problem.count).to_owned();
        Found { vectors, solver: Solver::Filtered, applications: self.products }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_distinguish_a_plane_from_many_dimensions() {
        let of = |neighbors: &dyn Fn(usize) -> Vec<usize>| {
            let row = |i| neighbors(i).into_iter().map(|j| (j as u32 % 4096, 1.0)).collect();
            grows_fast(&Sparse::from_rows(4096, (0..4096).map(row).collect()).expect("a matrix"))
        };
        assert!(of(&|i| (0..12).map(|bit| i ^ (1 << bit)).chain([4095 - i]).collect()));
        assert!(!of(&|i| vec![i + 1, i + 4095, i + 64, i + 4032]));
    }
}
