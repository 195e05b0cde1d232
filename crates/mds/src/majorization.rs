//! Stress majorization: the iteration shared by all iterative scaling methods.

use embedding::implement::{FixedRows, proceed};
use embedding::{Error, Iteration, Observer, Status};
use faer::Mat;
use rayon::prelude::*;
use spectral::dense;

use crate::curvature::{Curvature, add, dot};
use crate::state::State;
use crate::sweep::{Columns, Sweep, matrix_of, sweep};
use crate::{Dissimilarities, vector_sums};

/// Largest difference of two computations of the stress of the same map, relative to Σ w δ².
const SAME: f64 = 1e-9;

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
    curvature: Curvature,
}

impl Run {
    /// The state from which another run goes on.
    pub(crate) fn state(&self) -> State {
        State { x: self.x.clone(), history: self.history.clone(), curvature: self.curvature.clone() }
    }
}

/// Where the loop begins.
pub(crate) enum Begin {
    Start(Columns),
    /// The end of an earlier run; its iterations do not count again.
    End(State),
}

/// The weights, and the solver of the majorizing least-squares problem.
pub(crate) struct Majorization {
    solver: Solver,
    draw: Option<Draw>,
    total: f64,
}

/// The inverse of the Laplacian V of the weights on the rows that move.
enum Solver {
    /// Equal weights: V = n I − 1 1ᵀ.
    Equal {
        /// The rows that move, where others are fixed.
        moving: Option<Vec<usize>>,
    },
    /// (V + w̄ 1 1ᵀ)⁻¹ for unequal weights.
    Unequal(Mat<f64>),
    /// The inverse of the part of V of the rows that move, where others are fixed.
    Part { inverse: Mat<f64>, moving: Vec<usize> },
    /// (V + Λ)⁻¹, where rows are drawn to their places.
    Drawn(Mat<f64>),
}

/// The term Σ_i Λ_i |x_i − p_i|² of rows that are drawn to places p.
struct Draw {
    /// Λ; 0 for the other rows.
    weights: Vec<f64>,
    places: Columns,
}

impl Draw {
    /// The term with a pull relative to the sum of the weights of a row.
    fn new(dissimilarities: &Dissimilarities, drawn: FixedRows<'_>, pull: f64) -> Self {
        let n = dissimilarities.len();
        let total = |i: usize| match dissimilarities.weights() {
            None => (n - 1) as f64,
            Some(w) => w[i * n..(i + 1) * n].iter().sum(),
        };
        let place = |i: usize, c: usize| drawn.place(i).map_or(0.0, |place| place[c]);
        let dim = (0..n).find_map(|i| drawn.place(i)).map_or(0, <[f64]>::len);
        Self {
            weights: (0..n).map(|i| if drawn.place(i).is_some() { pull * total(i) } else { 0.0 }).collect(),
            places: (0..dim).map(|c| (0..n).map(|i| place(i, c)).collect()).collect(),
        }
    }

    /// Adds the term and half of its negative gradient.
    fn add(&self, x: &[Vec<f64>], sweep: &mut Sweep) {
        for ((x, places), force) in x.iter().zip(&self.places).zip(&mut sweep.force) {
            for (((x, p), weight), force) in x.iter().zip(places).zip(&self.weights).zip(force) {
                sweep.stress += weight * (p - x).powi(2);
                *force += weight * (p - x);
            }
        }
    }
}

impl Majorization {
    /// Prepares the solver; O(n³) for unequal weights.
    pub(crate) fn new(
        dissimilarities: &Dissimilarities,
        fixed: Option<FixedRows<'_>>,
    ) -> Result<Self, Error> {
        let total = dissimilarities.sum_of_squares();
        if total == 0.0 {
            return Err(Error::degenerate(
                "all dissimilarities are 0",
                "check that points differ and that some pairs of positive weight are not 0",
            ));
        }
        let n = dissimilarities.len();
        if let Some((drawn, pull)) = fixed.and_then(|fixed| Some((fixed, fixed.pull()?))) {
            let draw = Draw::new(dissimilarities, drawn, pull);
            let weight = |i: usize, j: usize| dissimilarities.weight(i, j);
            let solver = Solver::Drawn(inverse_of_drawn(weight, n, &draw.weights)?);
            return Ok(Self { solver, draw: Some(draw), total });
        }
        let moving = fixed.map(|fixed| fixed.moving().collect::<Vec<_>>());
        let solver = match (dissimilarities.weights(), moving) {
            (None, moving) => Solver::Equal { moving },
            (Some(w), None) => Solver::Unequal(inverse(w, n)?),
            (Some(w), Some(moving)) => Solver::Part { inverse: inverse_of_part(w, n, &moving)?, moving },
        };
        Ok(Self { solver, draw: None, total })
    }

    /// Minimizes the stress from coordinates, or from the end of an earlier run.
    ///
    /// The plain step (Guttman transform) minimizes a quadratic that majorizes the stress
    /// and touches it at x. A quasi-Newton step, from the curvature observed in earlier
    /// steps, is longer where this quadratic is too steep; if it does not decrease the
    /// stress sufficiently, the plain step is taken instead, so the stress never
    /// increases. `steps` are the observer's steps done before this run and in total.
    pub(crate) fn run(
        &self,
        begin: Begin,
        targets: &mut dyn Targets,
        stop: Stop,
        steps: (usize, usize),
        observer: &dyn Observer,
    ) -> Result<Run, Error> {
        let (mut x, mut history, mut curvature) = match begin {
            Begin::Start(x) => (x, Vec::new(), Curvature::default()),
            Begin::End(State { x, history, curvature }) => (x, history, curvature),
        };
        let mut now = self.sweep(targets, &x)?;
        match history.last() {
            None => history.push(now.stress),
            Some(known) if (known - now.stress).abs() <= SAME * self.total => {}
            Some(known) => return Err(other_data(*known, now.stress)),
        }
        let done = history.len() - 1;
        let status = loop {
            let number = history.len() - 1;
            proceed(observer, steps.0 + (number - done).min(stop.max_iterations), steps.1)?;
            if number > done && shown(number, now.stress, &x, observer) {
                break Status::Stopped { iterations: number };
            }
            // A single small decrease does not imply convergence.
            let little = |at: usize| history[at - 1] - history[at] <= stop.tolerance * self.total;
            if number > 1 && little(number) && little(number - 1) {
                break Status::Converged { iterations: number };
            }
            if number - done == stop.max_iterations {
                break Status::IterationLimit { iterations: number };
            }
            let mut step = curvature.step(&now.force, |force| self.solve(force));
            let mut next = self.sweep(targets, &sum(&x, &step))?;
            let promised = 2.0 * dot(&step, &now.force);
            let gained = next.stress <= now.stress - ENOUGH * promised;
            if !gained && !curvature.is_empty() {
                curvature.clear();
                step = self.solve(&now.force);
                next = self.sweep(targets, &sum(&x, &step))?;
            }
            x = sum(&x, &step);
            add(&mut now.force, -1.0, &next.force);
            curvature.push(step, now.force);
            now = next;
            history.push(now.stress);
        };
        Ok(Run { x, history, status, curvature })
    }

    /// The stress and the forces on the rows that move.
    fn sweep(&self, targets: &mut dyn Targets, x: &Columns) -> Result<Sweep, Error> {
        let mut sweep = targets.sweep(x)?;
        if let Some(draw) = &self.draw {
            draw.add(x, &mut sweep);
        }
        if let Some(moving) = self.moving() {
            sweep.force.iter_mut().for_each(|column| *column = only(moving, column));
        }
        Ok(sweep)
    }

    /// The rows that move, where others are fixed.
    fn moving(&self) -> Option<&[usize]> {
        match &self.solver {
            Solver::Equal { moving } => moving.as_deref(),
            Solver::Unequal(_) | Solver::Drawn(_) => None,
            Solver::Part { moving, .. } => Some(moving),
        }
    }

    /// Returns V⁺ times the force. Without fixed rows the force sums to 0, and so does the result; with them V is
    /// the part of the moving rows, and the force on the others is 0.
    fn solve(&self, force: &Columns) -> Columns {
        let n = force[0].len();
        match &self.solver {
            Solver::Equal { moving: None } => {
                force.iter().map(|c| c.iter().map(|v| v / n as f64).collect()).collect()
            }
            // (n I − 1 1ᵀ)⁻¹ = (I + 1 1ᵀ / (n − m)) / n for m rows.
            Solver::Equal { moving: Some(moving) } => {
                let solved = |column: &Vec<f64>| {
                    let mean = moving.iter().map(|&i| column[i]).sum::<f64>() / (n - moving.len()) as f64;
                    let mut solved = vec![0.0; n];
                    moving.iter().for_each(|&i| solved[i] = (column[i] + mean) / n as f64);
                    solved
                };
                force.iter().map(solved).collect()
            }
            Solver::Unequal(inverse) | Solver::Drawn(inverse) => products(inverse, force),
            Solver::Part { inverse, moving } => {
                let of_moving: Columns =
                    force.iter().map(|column| moving.iter().map(|&i| column[i]).collect()).collect();
                let whole = |solved: &Vec<f64>| {
                    let mut whole = vec![0.0; n];
                    moving.iter().zip(solved).for_each(|(&i, v)| whole[i] = *v);
                    whole
                };
                products(inverse, &of_moving).iter().map(whole).collect()
            }
        }
    }
}

/// A column that is 0 in all rows but these.
fn only(rows: &[usize], column: &[f64]) -> Vec<f64> {
    let mut kept = vec![0.0; column.len()];
    rows.iter().for_each(|&i| kept[i] = column[i]);
    kept
}

/// A symmetric matrix times columns.
fn products(matrix: &Mat<f64>, columns: &Columns) -> Columns {
    let wide = pulp::Arch::new();
    // By rows, so that the matrix is read once.
    let rows: Vec<Vec<f64>> = (0..columns[0].len())
        .into_par_iter()
        .map(|i| wide.dispatch(vector_sums::Products { row: matrix.col_as_slice(i), columns }))
        .collect();
    (0..columns.len()).map(|c| rows.iter().map(|row| row[c]).collect()).collect()
}

fn other_data(known: f64, found: f64) -> Error {
    Error::degenerate(
        format!("the stress of the map is {found:e}, but was {known:e} at the end of the fit that goes on"),
        "give the data of that fit",
    )
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
    dense::solve_spd(v.as_ref(), Mat::<f64>::identity(n, n).as_ref()).ok_or_else(singular)
}

/// The inverse of the rows and columns of V that move.
fn inverse_of_part(weights: &[f64], n: usize, moving: &[usize]) -> Result<Mat<f64>, Error> {
    let m = moving.len();
    if m == 0 {
        return Ok(Mat::zeros(0, 0));
    }
    let mut v = Mat::from_fn(m, m, |a, b| -weights[moving[a] * n + moving[b]]);
    for (a, i) in moving.iter().enumerate() {
        v[(a, a)] = weights[i * n..(i + 1) * n].iter().sum::<f64>();
    }
    dense::solve_spd(v.as_ref(), Mat::<f64>::identity(m, m).as_ref()).ok_or_else(singular)
}

/// The inverse of V + Λ, of weights of pairs and Λ of rows.
fn inverse_of_drawn(
    weight: impl Fn(usize, usize) -> f64,
    n: usize,
    drawn: &[f64],
) -> Result<Mat<f64>, Error> {
    let mut v = Mat::from_fn(n, n, |i, j| if i == j { 0.0 } else { -weight(i, j) });
    for (i, drawn) in drawn.iter().enumerate() {
        v[(i, i)] = drawn + (0..n).filter(|j| *j != i).map(|j| weight(i, j)).sum::<f64>();
    }
    dense::solve_spd(v.as_ref(), Mat::<f64>::identity(n, n).as_ref()).ok_or_else(singular)
}

fn singular() -> Error {
    Error::degenerate(
        "the weights are so unequal that their Laplacian is singular to working precision",
        "use weights of similar size",
    )
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
            let majorization =
                Majorization { solver: Solver::Equal { moving: None }, draw: None, total: 1.0 };
            let stop = Stop { tolerance: 0.0, max_iterations: 2 };
            let start = Begin::Start(vec![vec![0.0, 0.0]]);
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
