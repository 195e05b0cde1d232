//! All pairs.

use rayon::prelude::*;

use super::Repulsion;
use crate::kernel::Kernel;

/// The definition itself; the oracle of the others.
pub(crate) struct Exact {
    pub(crate) kernel: Kernel,
    pub(crate) dim: usize,
}

impl Repulsion for Exact {
    fn compute(&mut self, y: &[f64], force: &mut [f64]) -> f64 {
        let (kernel, dim) = (self.kernel, self.dim);
        if dim == 2 && kernel.alpha == 1.0 {
            return cauchy_in_the_plane(y, force);
        }
        let sums: Vec<f64> = force
            .par_chunks_exact_mut(dim)
            .enumerate()
            .map(|(i, force)| row(kernel, y, i, dim, force))
            .collect();
        sums.iter().sum()
    }
}

fn row(kernel: Kernel, y: &[f64], i: usize, dim: usize, force: &mut [f64]) -> f64 {
    let here = &y[i * dim..(i + 1) * dim];
    force.fill(0.0);
    let mut z = 0.0;
    for there in y.chunks_exact(dim) {
        let squared: f64 = here.iter().zip(there).map(|(a, b)| (a - b) * (a - b)).sum();
        let (w, pull) = kernel.pair(squared);
        z += w;
        force.iter_mut().zip(here.iter().zip(there)).for_each(|(f, (a, b))| *f += pull * (a - b));
    }
    // The point itself pulled nothing and counted 1.
    z - 1.0
}

/// Numbers that the processor works on at a time.
const LANES: usize = 8;

/// The usual case, with the widest instructions that the processor has. Sums
/// run in the same lanes on every processor, and so give the same bits.
fn cauchy_in_the_plane(y: &[f64], force: &mut [f64]) -> f64 {
    let xs: Vec<f64> = y.iter().step_by(2).copied().collect();
    let ys: Vec<f64> = y.iter().skip(1).step_by(2).copied().collect();
    let arch = pulp::Arch::new();
    let sums: Vec<f64> = force
        .par_chunks_exact_mut(2)
        .enumerate()
        .map(|(i, force)| {
            let [z, fx, fy] = arch.dispatch(|| cauchy_row(&xs, &ys, xs[i], ys[i]));
            force.copy_from_slice(&[fx, fy]);
            z - 1.0
        })
        .collect();
    sums.iter().sum()
}

/// Σ w, Σ w² dx and Σ w² dy over all points, the point itself included.
#[inline(always)]
fn cauchy_row(xs: &[f64], ys: &[f64], px: f64, py: f64) -> [f64; 3] {
    let mut sums = [[0.0; LANES]; 3];
    let mut add = |l: usize, x: f64, y: f64| {
        let (dx, dy) = (px - x, py - y);
        let w = 1.0 / (1.0 + dx * dx + dy * dy);
        sums[0][l] += w;
        sums[1][l] += w * w * dx;
        sums[2][l] += w * w * dy;
    };
    let (x_blocks, x_rest) = xs.as_chunks::<LANES>();
    let (y_blocks, y_rest) = ys.as_chunks::<LANES>();
    for (x, y) in x_blocks.iter().zip(y_blocks) {
        (0..LANES).for_each(|l| add(l, x[l], y[l]));
    }
    x_rest.iter().zip(y_rest).enumerate().for_each(|(l, (x, y))| add(l, *x, *y));
    sums.map(|lanes| lanes.iter().sum())
}

/// Z alone.
pub(crate) fn exact_normalization(kernel: Kernel, dim: usize, y: &[f64]) -> f64 {
    let mut force = vec![0.0; y.len()];
    Exact { kernel, dim }.compute(y, &mut force)
}
