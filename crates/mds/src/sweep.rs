//! One pass over all pairs, for the stress and its negative gradient.

use faer::Mat;
use pulp::NullaryFnOnce;
use rayon::prelude::*;

use crate::vector_sums::{LANES, add};

/// Rows processed together; fixed, so that results do not depend on the number of
/// threads.
const CHUNK: usize = 64;

/// Keeps the ratio δ/d finite for coinciding points, whose difference, by which it is
/// multiplied, is 0.
pub(crate) const TINY: f64 = 1e-150;

/// Columns of coordinates, each of length n.
pub(crate) type Columns = Vec<Vec<f64>>;

/// Columns as a matrix.
pub(crate) fn matrix_of(x: &[Vec<f64>]) -> Mat<f64> {
    Mat::from_fn(x[0].len(), x.len(), |i, j| x[j][i])
}

/// The stress Σ_{i<j} w (δ − d)² and, for each point, Σ_j w (δ/d − 1) (x_i − x_j): half
/// of the negative gradient.
pub(crate) struct Sweep {
    pub(crate) stress: f64,
    pub(crate) force: Columns,
}

impl Sweep {
    /// Creates zero stress and forces for `n` points.
    pub(crate) fn zero(n: usize, dim: usize) -> Self {
        Self { stress: 0.0, force: vec![vec![0.0; n]; dim] }
    }

    /// Adds the contribution of other pairs, to which the first points belong.
    pub(crate) fn join(mut self, other: &Self) -> Self {
        self.stress += other.stress;
        self.force.iter_mut().zip(&other.force).for_each(|(sum, force)| add(sum, force));
        self
    }
}

/// Visits every pair once. O(n² d) time, n² d / 64 numbers of memory. `targets` and
/// `weights` are full symmetric n × n matrices, stored by rows.
pub(crate) fn sweep(x: &[Vec<f64>], targets: &[f64], weights: Option<&[f64]>) -> Sweep {
    let n = x[0].len();
    let wide = pulp::Arch::new();
    let firsts: Vec<usize> = (0..n).step_by(CHUNK).collect();
    let parts: Vec<Sweep> = firsts
        .par_iter()
        .map(|&first| {
            let end = (first + CHUNK).min(n);
            let mut part = Sweep::zero(end, x.len());
            wide.dispatch(Strip { x, targets, weights, first, part: &mut part });
            part
        })
        .collect();
    parts.iter().fold(Sweep::zero(n, x.len()), Sweep::join)
}

/// The pairs of consecutive points, from `first` on and as many as `part` extends beyond
/// it, with all earlier points.
struct Strip<'a> {
    x: &'a [Vec<f64>],
    targets: &'a [f64],
    weights: Option<&'a [f64]>,
    first: usize,
    part: &'a mut Sweep,
}

impl NullaryFnOnce for Strip<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Self { x, targets, weights, first, part } = self;
        let (n, end) = (x[0].len(), part.force[0].len());
        let (mut distances, mut ratios) = (vec![0.0; end], vec![0.0; end]);
        for i in first..end {
            let (row, distances, ratios) = (i * n..i * n + i, &mut distances[..i], &mut ratios[..i]);
            distances_from(x, i, distances);
            part.stress += match weights {
                None => equal(&targets[row], distances, ratios),
                Some(w) => weighted(&targets[row.clone()], &w[row], distances, ratios),
            };
            for (column, force) in x.iter().zip(&mut part.force) {
                force[i] += scatter(ratios, &column[..i], column[i], &mut force[..i]);
            }
        }
    }
}

/// Computes the distances from point `i` to the first points.
#[inline(always)]
fn distances_from(x: &[Vec<f64>], i: usize, out: &mut [f64]) {
    out.fill(0.0);
    for column in x {
        let own = column[i];
        for (s, v) in out.iter_mut().zip(column) {
            *s += (v - own) * (v - own);
        }
    }
    for s in out {
        *s = s.sqrt();
    }
}

#[inline(always)]
fn equal(targets: &[f64], distances: &[f64], ratios: &mut [f64]) -> f64 {
    let mut sums = [0.0; LANES];
    let blocks = targets.chunks(LANES).zip(distances.chunks(LANES)).zip(ratios.chunks_mut(LANES));
    for ((t, d), r) in blocks {
        for (((sum, t), d), r) in sums.iter_mut().zip(t).zip(d).zip(r) {
            *sum += (t - d) * (t - d);
            *r = (t - d) / d.max(TINY);
        }
    }
    sums.iter().sum()
}

#[inline(always)]
fn weighted(targets: &[f64], weights: &[f64], distances: &[f64], ratios: &mut [f64]) -> f64 {
    let mut sums = [0.0; LANES];
    let blocks = targets
        .chunks(LANES)
        .zip(weights.chunks(LANES))
        .zip(distances.chunks(LANES))
        .zip(ratios.chunks_mut(LANES));
    for (((t, w), d), r) in blocks {
        for ((((sum, t), w), d), r) in sums.iter_mut().zip(t).zip(w).zip(d).zip(r) {
            *sum += w * (t - d) * (t - d);
            *r = w * (t - d) / d.max(TINY);
        }
    }
    sums.iter().sum()
}

/// Returns Σ_j r_j (own − x_j), and subtracts each term from the force on the other
/// point.
#[inline(always)]
fn scatter(ratios: &[f64], column: &[f64], own: f64, force: &mut [f64]) -> f64 {
    let mut sums = [0.0; LANES];
    let blocks = ratios.chunks(LANES).zip(column.chunks(LANES)).zip(force.chunks_mut(LANES));
    for ((r, x), p) in blocks {
        for (((sum, r), x), p) in sums.iter_mut().zip(r).zip(x).zip(p) {
            let term = r * (own - x);
            *sum += term;
            *p -= term;
        }
    }
    sums.iter().sum()
}
