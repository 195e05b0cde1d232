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
        let sums: Vec<f64> = force
            .par_chunks_exact_mut(dim)
            .enumerate()
            .map(|(i, force)| match dim {
                2 => plane_row(kernel, y, i, force),
                _ => row(kernel, y, i, dim, force),
            })
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

/// The same in two dimensions, in lanes.
fn plane_row(kernel: Kernel, y: &[f64], i: usize, force: &mut [f64]) -> f64 {
    const LANES: usize = 8;
    let (px, py) = (y[2 * i], y[2 * i + 1]);
    let (mut z, mut fx, mut fy) = ([0.0; LANES], [0.0; LANES], [0.0; LANES]);
    let (blocks, rest) = y.as_chunks::<{ 2 * LANES }>();
    for block in blocks {
        for l in 0..LANES {
            let (dx, dy) = (px - block[2 * l], py - block[2 * l + 1]);
            let (w, pull) = kernel.pair(dx * dx + dy * dy);
            z[l] += w;
            fx[l] += pull * dx;
            fy[l] += pull * dy;
        }
    }
    for (l, point) in rest.chunks_exact(2).enumerate() {
        let (dx, dy) = (px - point[0], py - point[1]);
        let (w, pull) = kernel.pair(dx * dx + dy * dy);
        z[l] += w;
        fx[l] += pull * dx;
        fy[l] += pull * dy;
    }
    force[0] = fx.iter().sum();
    force[1] = fy.iter().sum();
    z.iter().sum::<f64>() - 1.0
}

/// Z alone.
pub(crate) fn exact_normalization(kernel: Kernel, dim: usize, y: &[f64]) -> f64 {
    let mut force = vec![0.0; y.len()];
    Exact { kernel, dim }.compute(y, &mut force)
}
