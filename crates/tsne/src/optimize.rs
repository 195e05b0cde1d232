//! Gradient descent with momentum and gains.

use std::ops::ControlFlow;

use embedding::{Error, Iteration, Observer, Status, proceed};
use faer::MatRef;
use pulp::NullaryFnOnce;
use rayon::prelude::*;

use crate::affinities::Affinities;
use crate::kernel::Kernel;
use crate::repulsion::Repulsion;
use crate::tsne::Schedule;

/// Points per partial sum.
const CHUNK: usize = 256;

/// The map while it moves.
pub(crate) struct Descent<'a> {
    pub(crate) affinities: &'a Affinities,
    pub(crate) kernel: Kernel,
    pub(crate) dim: usize,
    /// Row by row.
    pub(crate) y: Vec<f64>,
    velocity: Vec<f64>,
    gains: Vec<f64>,
    gradient: Vec<f64>,
    repulsion: Box<dyn Repulsion>,
    negative_entropy: f64,
}

/// What one evaluation found.
struct Evaluation {
    /// KL divergence with the normalization of the repulsion at hand.
    divergence: f64,
    /// Norm of the gradient of the divergence.
    norm: f64,
}

/// How a descent ended, and the divergences at its checks.
pub(crate) struct Course {
    pub(crate) status: Status,
    pub(crate) divergences: Vec<(usize, f64)>,
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
            repulsion,
            negative_entropy: affinities.negative_entropy(),
        }
    }

    /// Runs the schedule.
    pub(crate) fn run(&mut self, schedule: &Schedule, observer: &dyn Observer) -> Result<Course, Error> {
        let n = self.affinities.len();
        let total = schedule.early_iterations + schedule.iterations;
        let mut divergences: Vec<(usize, f64)> = Vec::new();
        let (mut best, mut best_at) = (f64::INFINITY, 0);
        for iteration in 1..=total {
            proceed(observer, iteration - 1, total)?;
            let early = iteration <= schedule.early_iterations;
            if iteration == schedule.early_iterations + 1 {
                self.rest();
            }
            let exaggeration = if early { schedule.early_exaggeration } else { schedule.late_exaggeration };
            let rate = schedule.learning_rate.rate(n, exaggeration);
            let momentum = if early { 0.5 } else { 0.8 };
            let check = iteration % schedule.check_every == 0 || iteration == total;
            let evaluation = self.evaluate(exaggeration, check);
            self.step(rate, momentum);
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
            if found.norm <= schedule.smallest_gradient || stuck {
                proceed(observer, total, total)?;
                return ended(Status::Converged { iterations: iteration });
            }
        }
        proceed(observer, total, total)?;
        Ok(Course { status: Status::IterationLimit { iterations: total }, divergences })
    }

    /// Writes Σ_j (exaggeration · p_ij − q_ij)(y_i − y_j)/(1 + d²/α), a quarter of
    /// the gradient, for every i.
    fn evaluate(&mut self, exaggeration: f64, check: bool) -> Option<Evaluation> {
        let z = self.repulsion.compute(&self.y, &mut self.gradient).max(f64::MIN_POSITIVE);
        let (y, affinities, kernel, dim) = (&self.y, self.affinities, self.kernel, self.dim);
        let arch = pulp::Arch::new();
        let sums: Vec<[f64; 2]> = self
            .gradient
            .par_chunks_mut(CHUNK * dim)
            .enumerate()
            .map(|(chunk, gradient)| {
                let (mut energy, mut squared) = (0.0, 0.0);
                for (offset, force) in gradient.chunks_exact_mut(dim).enumerate() {
                    let row = affinities.of(chunk * CHUNK + offset);
                    let here = &y[(chunk * CHUNK + offset) * dim..][..dim];
                    force.iter_mut().for_each(|f| *f /= -z);
                    match dim {
                        2 if kernel.alpha == 1.0 => {
                            arch.dispatch(InThePlane { row, y, here, exaggeration, force });
                        }
                        2 => attract::<2>(row, y, here, kernel, exaggeration, force),
                        1 => attract::<1>(row, y, here, kernel, exaggeration, force),
                        3 => attract::<3>(row, y, here, kernel, exaggeration, force),
                        _ => attract_any(row, y, here, kernel, exaggeration, force),
                    }
                    if check {
                        energy += row_energy(row, y, here, kernel);
                        squared += force.iter().map(|f| f * f).sum::<f64>();
                    }
                }
                [energy, squared]
            })
            .collect();
        check.then(|| {
            let energy: f64 = sums.iter().map(|s| s[0]).sum();
            let squared: f64 = sums.iter().map(|s| s[1]).sum();
            Evaluation { divergence: self.negative_entropy + energy + z.ln(), norm: 4.0 * squared.sqrt() }
        })
    }

    /// Forgets velocity and gains. On 1,797 digits, gains kept from the exaggerated
    /// attraction cost 0.0004 of trustworthiness, and led to another minimum for
    /// another order of the rows.
    fn rest(&mut self) {
        self.velocity.fill(0.0);
        self.gains.fill(1.0);
    }

    /// Moves the map, and keeps its center at the origin.
    fn step(&mut self, rate: f64, momentum: f64) {
        let dim = self.dim;
        let size = CHUNK * dim;
        let sums: Vec<Vec<f64>> = self
            .y
            .par_chunks_mut(size)
            .zip(self.velocity.par_chunks_mut(size))
            .zip(self.gains.par_chunks_mut(size))
            .zip(self.gradient.par_chunks(size))
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
        let n = (self.y.len() / dim) as f64;
        let mean: Vec<f64> = (0..dim).map(|c| sums.iter().map(|s| s[c]).sum::<f64>() / n).collect();
        self.y.par_chunks_mut(size).for_each(|y| {
            y.chunks_exact_mut(dim).for_each(|point| point.iter_mut().zip(&mean).for_each(|(v, m)| *v -= m));
        });
    }

    /// KL divergence with a given normalization.
    pub(crate) fn divergence(&self, z: f64) -> f64 {
        let (affinities, y, dim, kernel) = (self.affinities, &self.y, self.dim, self.kernel);
        let energies: Vec<f64> = (0..affinities.len())
            .into_par_iter()
            .map(|i| row_energy(affinities.of(i), y, &y[i * dim..(i + 1) * dim], kernel))
            .collect();
        self.negative_entropy + energies.iter().sum::<f64>() + z.max(f64::MIN_POSITIVE).ln()
    }

    /// A quarter of the gradient and the divergence, for checks against finite
    /// differences.
    #[cfg(test)]
    pub(crate) fn gradient(&mut self) -> (Vec<f64>, f64) {
        let divergence = self.evaluate(1.0, true).map_or(f64::NAN, |e| e.divergence);
        (self.gradient.clone(), divergence)
    }
}

/// Neighbors that the processor works on at a time.
const LANES: usize = 8;

/// Adds the attraction of one row in the usual case: two dimensions, α = 1.
struct InThePlane<'a> {
    row: (&'a [u32], &'a [f64]),
    y: &'a [f64],
    here: &'a [f64],
    exaggeration: f64,
    force: &'a mut [f64],
}

// A closure would be compiled for the least of all processors.
impl NullaryFnOnce for InThePlane<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        attract_in_the_plane(self.row, self.y, self.here, self.exaggeration, self.force);
    }
}

#[inline(always)]
fn attract_in_the_plane(
    (columns, p): (&[u32], &[f64]),
    y: &[f64],
    here: &[f64],
    exaggeration: f64,
    force: &mut [f64],
) {
    let points: &[[f64; 2]] = y.as_chunks().0;
    let mut sums = [[0.0; LANES]; 2];
    let (column_blocks, column_rest) = columns.as_chunks::<LANES>();
    let (p_blocks, p_rest) = p.as_chunks::<LANES>();
    for (columns, p) in column_blocks.iter().zip(p_blocks) {
        add_neighbors(points, [here[0], here[1]], columns, p, &mut sums);
    }
    add_neighbors(points, [here[0], here[1]], column_rest, p_rest, &mut sums);
    let [x, y] = sums.map(|lanes| lanes.iter().sum::<f64>());
    force[0] += exaggeration * x;
    force[1] += exaggeration * y;
}

/// Up to `LANES` neighbors.
#[inline(always)]
fn add_neighbors(
    points: &[[f64; 2]],
    here: [f64; 2],
    columns: &[u32],
    p: &[f64],
    [sum_x, sum_y]: &mut [[f64; LANES]; 2],
) {
    let (mut dx, mut dy) = ([0.0; LANES], [0.0; LANES]);
    for (l, &j) in columns.iter().enumerate() {
        let [x, y] = points[j as usize];
        (dx[l], dy[l]) = (here[0] - x, here[1] - y);
    }
    for (l, p) in p.iter().enumerate() {
        let pull = p / (1.0 + dx[l] * dx[l] + dy[l] * dy[l]);
        sum_x[l] += pull * dx[l];
        sum_y[l] += pull * dy[l];
    }
}

/// Adds the attraction of one row in D dimensions.
#[inline]
fn attract<const D: usize>(
    (columns, p): (&[u32], &[f64]),
    y: &[f64],
    here: &[f64],
    kernel: Kernel,
    exaggeration: f64,
    force: &mut [f64],
) {
    let points: &[[f64; D]] = y.as_chunks::<D>().0;
    let here: [f64; D] = std::array::from_fn(|c| here[c]);
    let mut sum = [0.0; D];
    for (&j, &p) in columns.iter().zip(p) {
        let there = &points[j as usize];
        let difference: [f64; D] = std::array::from_fn(|c| here[c] - there[c]);
        let pull = p * kernel.slope(difference.iter().map(|d| d * d).sum());
        (0..D).for_each(|c| sum[c] += pull * difference[c]);
    }
    (0..D).for_each(|c| force[c] += exaggeration * sum[c]);
}

fn attract_any(
    (columns, p): (&[u32], &[f64]),
    y: &[f64],
    here: &[f64],
    kernel: Kernel,
    exaggeration: f64,
    force: &mut [f64],
) {
    let dim = here.len();
    for (&j, &p) in columns.iter().zip(p) {
        let there = &y[j as usize * dim..][..dim];
        let squared: f64 = here.iter().zip(there).map(|(a, b)| (a - b) * (a - b)).sum();
        let pull = exaggeration * p * kernel.slope(squared);
        force.iter_mut().zip(here.iter().zip(there)).for_each(|(f, (a, b))| *f += pull * (a - b));
    }
}

/// −Σ_j p_ij ln w_ij.
fn row_energy((columns, p): (&[u32], &[f64]), y: &[f64], here: &[f64], kernel: Kernel) -> f64 {
    let dim = here.len();
    let squared =
        |j: u32| -> f64 { here.iter().zip(&y[j as usize * dim..]).map(|(a, b)| (a - b) * (a - b)).sum() };
    columns.iter().zip(p).map(|(&j, &p)| p * kernel.energy(squared(j))).sum()
}
