//! Gradient descent with momentum and gains.

use std::ops::ControlFlow;

use embedding::implement::{FixedRows, proceed};
use embedding::{Error, Iteration, Observer, Status};
use faer::MatRef;
use rayon::prelude::*;

use crate::affinities::Affinities;
use crate::attraction::{attract, row_energy};
use crate::kernel::Kernel;
use crate::repulsion::Repulsion;
use crate::schedule::Schedule;

/// Points per partial sum.
const CHUNK: usize = 256;

/// Chunks of a loop over coordinates below which waking another thread takes longer than
/// the work.
const SHORTEST: usize = 16;

/// The map and the state of its optimization.
pub(crate) struct Descent<'a> {
    pub(crate) affinities: &'a Affinities,
    pub(crate) kernel: Kernel,
    pub(crate) dim: usize,
    /// Coordinates, stored by rows.
    pub(crate) y: Vec<f64>,
    velocity: Vec<f64>,
    gains: Vec<f64>,
    gradient: Vec<f64>,
    push: Vec<f64>,
    repulsion: Box<dyn Repulsion>,
    negative_entropy: f64,
    fixed: Option<FixedRows<'a>>,
}

/// The result of one evaluation.
struct Evaluation {
    /// KL divergence, with the normalization computed by the current repulsion algorithm.
    divergence: f64,
    /// Norm of the divergence's gradient.
    norm: f64,
}

/// Termination status of an optimization, and the divergences at its checks.
pub(crate) struct Course {
    pub(crate) status: Status,
    pub(crate) divergences: Vec<(usize, f64)>,
}

/// The KL divergence of a map from affinities with their negative entropy, for a given normalization.
pub(crate) fn divergence(
    (affinities, negative_entropy): (&Affinities, f64),
    (y, dim): (&[f64], usize),
    kernel: Kernel,
    z: f64,
) -> f64 {
    let energies: Vec<f64> = (0..affinities.len())
        .into_par_iter()
        .map(|i| row_energy(affinities.of(i), y, &y[i * dim..(i + 1) * dim], kernel))
        .collect();
    negative_entropy + energies.iter().sum::<f64>() + z.max(f64::MIN_POSITIVE).ln()
}

impl<'a> Descent<'a> {
    pub(crate) fn new(
        affinities: &'a Affinities,
        kernel: Kernel,
        dim: usize,
        y: Vec<f64>,
        repulsion: Box<dyn Repulsion>,
    ) -> Self {
        let size = y.len();
        Self {
            affinities,
            kernel,
            dim,
            y,
            velocity: vec![0.0; size],
            gains: vec![1.0; size],
            gradient: vec![0.0; size],
            push: vec![0.0; size],
            repulsion,
            negative_entropy: affinities.negative_entropy(),
            fixed: None,
        }
    }

    /// Keeps rows at their places in the start, or draws them there; the map is then not centered.
    pub(crate) fn with_fixed(self, fixed: Option<FixedRows<'a>>) -> Self {
        Self { fixed, ..self }
    }

    /// Runs the optimization schedule.
    pub(crate) fn run(&mut self, schedule: &Schedule, observer: &dyn Observer) -> Result<Course, Error> {
        let n = self.affinities.len();
        let total = schedule.early_iterations.saturating_add(schedule.iterations);
        let mut divergences: Vec<(usize, f64)> = Vec::new();
        let (mut best, mut best_at) = (f64::INFINITY, 0);
        for iteration in 1..=total {
            proceed(observer, iteration - 1, total)?;
            let early = iteration <= schedule.early_iterations;
            if iteration - 1 == schedule.early_iterations {
                self.reset();
            }
            let exaggeration = if early { schedule.early_exaggeration } else { schedule.late_exaggeration };
            let rate = schedule.learning_rate.rate(n, exaggeration);
            let momentum = if early { 0.5 } else { 0.8 };
            let check = iteration % schedule.check_every == 0 || iteration == total;
            let evaluation = self.evaluate(exaggeration, check);
            self.step(rate, momentum);
            if let Some(fixed) = self.fixed {
                // The gradient is the gradient of the divergence, whose terms are about 1/n.
                fixed.draw(0, rate / n as f64, &mut self.y);
            }
            if let Some(found) = &evaluation {
                divergences.push((iteration, found.divergence));
            }
            let shown = Iteration {
                number: iteration,
                objective: evaluation.as_ref().map(|e| e.divergence),
                coordinates: MatRef::from_row_major_slice(&self.y, n, self.dim),
            };
            let ended = |status| Ok(Course { status, divergences: divergences.clone() });
            if observer.iteration(&shown) == ControlFlow::Break(()) {
                proceed(observer, total, total)?;
                return ended(Status::Stopped { iterations: iteration });
            }
            let Some(found) = evaluation.filter(|_| !early) else { continue };
            if found.divergence < best {
                (best, best_at) = (found.divergence, iteration);
            }
            let stuck = iteration - best_at.max(schedule.early_iterations) >= schedule.patience;
            // Where all points nearly coincide the gradient is proportional to their distances:
            // a saddle, which the map leaves.
            let unit = self.y.iter().fold(0.0_f64, |largest, y| largest.max(y.abs())).min(1.0);
            if found.norm <= schedule.smallest_gradient * unit || stuck {
                proceed(observer, total, total)?;
                return ended(Status::Converged { iterations: iteration });
            }
        }
        proceed(observer, total, total)?;
        Ok(Course { status: Status::IterationLimit { iterations: total }, divergences })
    }

    /// Writes Σ_j (exaggeration · p_ij − q_ij)(y_i − y_j)/(1 + d²/α), a quarter of the
    /// gradient, for every i that moves, and 0 for the others. Attraction and repulsion run concurrently, since building
    /// the tree and short loops do not use all threads.
    fn evaluate(&mut self, exaggeration: f64, check: bool) -> Option<Evaluation> {
        let Self { affinities, kernel, dim, fixed, ref y, ref mut repulsion, .. } = *self;
        let (push, pull) = (&mut self.push, &mut self.gradient);
        let (z, energies) = rayon::join(
            || repulsion.compute(y, push).max(f64::MIN_POSITIVE),
            || attract(affinities, kernel, dim, y, check, pull),
        );
        let squares: Vec<f64> = pull
            .par_chunks_mut(CHUNK * dim)
            .zip(push.par_chunks(CHUNK * dim))
            .enumerate()
            .with_min_len(SHORTEST)
            .map(|(chunk, (pull, push))| {
                for (pull, push) in pull.iter_mut().zip(push) {
                    *pull = exaggeration * *pull - push / z;
                }
                if let Some(fixed) = fixed {
                    fixed.clear(chunk * CHUNK, pull);
                }
                pull.iter().map(|g| g * g).sum()
            })
            .collect();
        check.then(|| {
            let energy: f64 = energies.iter().sum();
            let squared: f64 = squares.iter().sum();
            Evaluation { divergence: self.negative_entropy + energy + z.ln(), norm: 4.0 * squared.sqrt() }
        })
    }

    /// Resets velocity and gains. On 1,797 digits, keeping the gains of early
    /// exaggeration lowered trustworthiness by 0.0004 and led to different minima for
    /// different row orders.
    fn reset(&mut self) {
        self.velocity.fill(0.0);
        self.gains.fill(1.0);
    }

    /// Takes one gradient step, and centers the map at the origin unless rows are fixed.
    fn step(&mut self, rate: f64, momentum: f64) {
        let dim = self.dim;
        let size = CHUNK * dim;
        let sums: Vec<Vec<f64>> = self
            .y
            .par_chunks_mut(size)
            .zip(self.velocity.par_chunks_mut(size))
            .zip(self.gains.par_chunks_mut(size))
            .zip(self.gradient.par_chunks(size))
            .with_min_len(SHORTEST)
            .map(|(((y, velocity), gains), gradient)| {
                let mut sum = vec![0.0; dim];
                for e in 0..y.len() {
                    let opposed = gradient[e] * velocity[e] < 0.0;
                    gains[e] = if opposed { gains[e] + 0.2 } else { (gains[e] * 0.8).max(0.01) };
                    velocity[e] = momentum * velocity[e] - rate * gains[e] * gradient[e];
                    y[e] += velocity[e];
                    sum[e % dim] += y[e];
                }
                sum
            })
            .collect();
        if self.fixed.is_some() {
            return;
        }
        let n = (self.y.len() / dim) as f64;
        let mean: Vec<f64> = (0..dim).map(|c| sums.iter().map(|s| s[c]).sum::<f64>() / n).collect();
        self.y.par_chunks_mut(size).with_min_len(SHORTEST).for_each(|y| {
            y.chunks_exact_mut(dim).for_each(|point| point.iter_mut().zip(&mean).for_each(|(v, m)| *v -= m));
        });
    }

    /// Fails unless all coordinates are finite.
    pub(crate) fn require_finite(&self) -> Result<(), Error> {
        match self.y.iter().position(|v| !v.is_finite()) {
            None => Ok(()),
            Some(at) => Err(Error::degenerate(
                format!("the map of point {} left the range of numbers", at / self.dim),
                "use a smaller learning rate",
            )),
        }
    }

    /// Returns the KL divergence for a given normalization.
    pub(crate) fn divergence(&self, z: f64) -> f64 {
        divergence((self.affinities, self.negative_entropy), (&self.y, self.dim), self.kernel, z)
    }

    /// Returns a quarter of the gradient, and the divergence, for finite-difference
    /// checks.
    #[cfg(test)]
    pub(crate) fn gradient(&mut self) -> (Vec<f64>, f64) {
        let divergence = self.evaluate(1.0, true).map_or(f64::NAN, |e| e.divergence);
        (self.gradient.clone(), divergence)
    }
}
