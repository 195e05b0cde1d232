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

/// Parts of the work, whatever the number of threads: their sums are added in order.
const TASKS: usize = 16;

/// The usual case, each pair once, with the widest instructions that the
/// processor has. Sums run in the same lanes on every processor, and so give
/// the same bits.
fn cauchy_in_the_plane(y: &[f64], force: &mut [f64]) -> f64 {
    let xs: Vec<f64> = y.iter().step_by(2).copied().collect();
    let ys: Vec<f64> = y.iter().skip(1).step_by(2).copied().collect();
    let arch = pulp::Arch::new();
    let parts: Vec<Part> =
        (0..TASKS).into_par_iter().map(|task| arch.dispatch(|| cauchy_rows(&xs, &ys, task))).collect();
    for (i, force) in force.chunks_exact_mut(2).enumerate() {
        force[0] = parts.iter().map(|part| part.x[i]).sum();
        force[1] = parts.iter().map(|part| part.y[i]).sum();
    }
    2.0 * parts.iter().map(|part| part.z).sum::<f64>()
}

/// What some of the pairs add to the forces on all points, and their Σ w.
struct Part {
    x: Vec<f64>,
    y: Vec<f64>,
    z: f64,
}

/// Every `TASKS`-th row, beginning with `first`: its pairs with later points.
#[inline(always)]
fn cauchy_rows(xs: &[f64], ys: &[f64], first: usize) -> Part {
    let n = xs.len();
    let mut part = Part { x: vec![0.0; n], y: vec![0.0; n], z: 0.0 };
    for i in (first..n).step_by(TASKS) {
        let (px, py) = (xs[i], ys[i]);
        let mut sums = [[0.0; LANES]; 3];
        let mut add = |l: usize, x: f64, y: f64, fx: &mut f64, fy: &mut f64| {
            let (dx, dy) = (px - x, py - y);
            let w = 1.0 / (1.0 + dx * dx + dy * dy);
            let (gx, gy) = (w * w * dx, w * w * dy);
            sums[0][l] += w;
            sums[1][l] += gx;
            sums[2][l] += gy;
            *fx -= gx;
            *fy -= gy;
        };
        let (x_blocks, x_rest) = xs[i + 1..].as_chunks::<LANES>();
        let (y_blocks, y_rest) = ys[i + 1..].as_chunks::<LANES>();
        let (fx_blocks, fx_rest) = part.x[i + 1..].as_chunks_mut::<LANES>();
        let (fy_blocks, fy_rest) = part.y[i + 1..].as_chunks_mut::<LANES>();
        for (((x, y), fx), fy) in x_blocks.iter().zip(y_blocks).zip(fx_blocks).zip(fy_blocks) {
            (0..LANES).for_each(|l| add(l, x[l], y[l], &mut fx[l], &mut fy[l]));
        }
        for (l, (((x, y), fx), fy)) in x_rest.iter().zip(y_rest).zip(fx_rest).zip(fy_rest).enumerate() {
            add(l, *x, *y, fx, fy);
        }
        let [z, x, y] = sums.map(|lanes| lanes.iter().sum::<f64>());
        part.z += z;
        part.x[i] += x;
        part.y[i] += y;
    }
    part
}

/// Z alone.
pub(crate) fn exact_normalization(kernel: Kernel, dim: usize, y: &[f64]) -> f64 {
    let mut force = vec![0.0; y.len()];
    Exact { kernel, dim }.compute(y, &mut force)
}
