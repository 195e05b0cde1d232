//! Stress majorization: the iteration shared by all iterative scaling methods.

use embedding::implement::proceed;
use embedding::{Error, Iteration, Observer, Status};
use faer::Mat;
use rayon::prelude::*;
use spectral::dense;

use crate::curvature::{Curvature, add, dot};
use crate::sweep::{Columns, Sweep, matrix_of, sweep};
use crate::{Dissimilarities, vector_sums};

/// A quasi-Newton step is accepted if it attains this fraction of the decrease predicted
/// by the gradient (Armijo).
const ENOUGH: f64 = 1e-4;

/// Target distances: the dissimilarities in metric scaling, the disparities in non-metric
/// scaling.
pub(crate) trait Targets {
    /// Updates the targets for coordinates `x`, and returns the stress and the forces.
    /// The weighted sum of squared targets is constant.
    fn sweep(&mut self, x: &[Vec<f64>]) -> Result<Sweep, Error>;
}

/// Metric scaling: the targets are the dissimilarities.
pub(crate) struct Fixed<'a>(pub(crate) &'a Dissimilarities);

impl Targets for Fixed<'_> {
    fn sweep(&mut self, x: &[Vec<f64>]) -> Result<Sweep, Error> {
        Ok(sweep(x, self.0.values(), self.0.weights()))
    }
}

/// Termination criteria.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stop {
    /// The iteration ends if the stress decreases by less than this fraction of Σ w δ².
    pub(crate) tolerance: f64,
    pub(crate) max_iterations: usize,
}

/// Where the loop ended.
pub(crate) struct Run {
    pub(crate) x: Columns,
    /// Raw stress before each step and at the end; nonincreasing.
    pub(crate) history: Vec<f64>,
    pub(crate) status: Status,
}

/// The weights, and the solver of the majorizing least-squares problem.
pub(crate) struct Majorization {
    /// (V + w̄ 1 1ᵀ)⁻¹ for unequal weights, with V the Laplacian of the weights.
    inverse: Option<Mat<f64>>,
    total: f64,
}

impl Majorization {
    /// Prepares the solver; O(n³) for unequal weights.
    pub(crate) fn new(dissimilarities: &Dissimilarities) -> Result<Self, Error> {
        let total = dissimilarities.sum_of_squares();
        if total == 0.0 {
            return Err(Error::degenerate(
                "all dissimilarities are 0",
                "check that points differ and that some pairs of positive weight are not 0",
            ));
        }
        let inverse = dissimilarities.weights().map(|w| inverse(w, dissimilarities.len())).transpose()?;
        Ok(Self { inverse, total })
    }

    /// Minimizes the stress from coordinates `x`.
    ///
    /// The plain step (Guttman transform) minimizes a quadratic that majorizes the stress
    /// and touches it at x. A quasi-Newton step, from the curvature observed in earlier
    /// steps, is longer where this quadratic is too steep; if it does not decrease the
    /// stress sufficiently, the plain step is taken instead, so the stress never
    /// increases. `steps` are the observer's steps done before this run and in total.
    pub(crate) fn run(
        &self,
        start: Columns,
        targets: &mut dyn Targets,
        stop: Stop,
        steps: (usize, usize),
        observer: &dyn Observer,
    ) -> Result<Run, Error> {
        let mut x = start;
        let mut now = targets.sweep(&x)?;
        let mut history = vec![now.stress];
        let mut curvature = Curvature::default();
        let status = loop {
            let number = history.len() - 1;
            proceed(observer, steps.0 + number.min(stop.max_iterations), steps.1)?;
            if number > 0 && shown(number, now.stress, &x, observer) {
                break Status::Stopped { iterations: number };
            }
            // A single small decrease does not imply convergence.
            let little = |at: usize| history[at - 1] - history[at] <= stop.tolerance * self.total;
            if number > 1 && little(number) && little(number - 1) {
                break Status::Converged { iterations: number };
            }
            if number == stop.max_iterations {
                break Status::IterationLimit { iterations: number };
            }
            let mut step = curvature.step(&now.force, |force| self.solve(force));
            let mut next = targets.sweep(&sum(&x, &step))?;
            let promised = 2.0 * dot(&step, &now.force);
            let gained = next.stress <= now.stress - ENOUGH * promised;
            if !gained && !curvature.is_empty() {
                curvature.clear();
                step = self.solve(&now.force);
                next = targets.sweep(&sum(&x, &step))?;
            }
            x = sum(&x, &step);
            add(&mut now.force, -1.0, &next.force);
            curvature.push(step, now.force);
            now = next;
            history.push(now.stress);
        };
        Ok(Run { x, history, status })
    }

    /// Returns V⁺ times the force. The force sums to 0, and so does the result.
    fn solve(&self, force: &Columns) -> Columns {
        let n = force[0].len();
        let Some(inverse) = &self.inverse else {
            return force.iter().map(|c| c.iter().map(|v| v / n as f64).collect()).collect();
        };
        let wide = pulp::Arch::new();
        // By rows, so that the inverse is read once.
        let rows: Vec<Vec<f64>> = (0..n)
            .into_par_iter()
            .map(|i| {
                let row = inverse.col_as_slice(i);
                wide.dispatch(vector_sums::Products { row, columns: force })
            })
            .collect();
        (0..force.len()).map(|c| rows.iter().map(|row| row[c]).collect()).collect()
    }
}

fn sum(x: &Columns, step: &Columns) -> Columns {
    let mut sum = x.clone();
    add(&mut sum, 1.0, step);
    sum
}

fn shown(number: usize, stress: f64, x: &[Vec<f64>], observer: &dyn Observer) -> bool {
    let coordinates = matrix_of(x);
    let shown = Iteration { number, objective: Some(stress), coordinates: coordinates.as_ref() };
    observer.iteration(&shown).is_break()
}

fn inverse(weights: &[f64], n: usize) -> Result<Mat<f64>, Error> {
    let mean = weights.iter().sum::<f64>() / (n * n) as f64;
    let mut v = Mat::from_fn(n, n, |i, j| mean - weights[i * n + j]);
    for i in 0..n {
        v[(i, i)] = mean + weights[i * n..(i + 1) * n].iter().sum::<f64>();
    }
    dense::solve_spd(v.as_ref(), Mat::<f64>::identity(n, n).as_ref()).ok_or_else(|| {
        Error::degenerate(
            "the weights are so unequal that their Laplacian is singular to working precision",
            "use weights of similar size",
        )
    })
}

#[cfg(test)]
mod tests {
    use embedding::Silent;

    use super::*;

    /// Stresses and forces of two points that do not depend on the coordinates, except that the third stress
    /// is below the second by `fraction` of the required decrease.
    struct Scripted {
        fraction: f64,
        seen: Vec<(Columns, f64)>,
    }

    impl Targets for Scripted {
        fn sweep(&mut self, x: &[Vec<f64>]) -> Result<Sweep, Error> {
            let force = |pull: f64| vec![vec![pull, -pull]];
            let (stress, pull) = match &self.seen[..] {
                [] => (20.0, 6.0),
                [_] => (12.0, 2.0),
                [_, (before, stress)] => {
                    let mut step = x.to_vec();
                    add(&mut step, -1.0, before);
                    (stress - self.fraction * ENOUGH * 2.0 * dot(&step, &force(2.0)), 1.0)
                }
                _ => (5.0, 1.0),
            };
            self.seen.push((x.to_vec(), stress));
            Ok(Sweep { stress, force: force(pull) })
        }
    }

    #[test]
    fn a_step_that_gains_too_little_is_replaced_by_the_plain_one() {
        for (fraction, sweeps) in [(0.9, 4), (1.1, 3), (-0.5, 4)] {
            let mut targets = Scripted { fraction, seen: Vec::new() };
            let majorization = Majorization { inverse: None, total: 1.0 };
            let stop = Stop { tolerance: 0.0, max_iterations: 2 };
            let start = vec![vec![0.0, 0.0]];
            let run = majorization.run(start, &mut targets, stop, (0, 2), &Silent).expect("two steps");
            assert_eq!(targets.seen.len(), sweeps, "{fraction}");
            let last = targets.seen.last().expect("one of them");
            assert_eq!(run.x, last.0);
            assert_eq!(run.history, [20.0, 12.0, last.1]);
            if sweeps == 4 {
                // The force 2 of two points of equal weights moves them by 1 each.
                assert_eq!(last.0, [[targets.seen[1].0[0][0] + 1.0, targets.seen[1].0[0][1] - 1.0]]);
            }
        }
    }
}
