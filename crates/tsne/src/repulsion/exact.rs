//! Exact repulsive forces over all pairs.

use pulp::{Simd, WithSimd};
use rayon::prelude::*;

use super::sums::Repulsion;
use crate::kernel::Kernel;
use crate::lanes::{LANES, Registers, numbers, quotient, registers};

/// Forces by their definition; the reference for the approximations.
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
        let (w, pull) = kernel.pair(embedding::implement::squared_distance(here, there));
        z += w;
        force.iter_mut().zip(here.iter().zip(there)).for_each(|(f, (a, b))| *f += pull * (a - b));
    }
    // The point itself contributed no force and 1 to the sum.
    z - 1.0
}

/// Number of parts of the work, independent of the number of threads; their sums are
/// added in order.
const TASKS: usize = 16;

/// Computes the forces for two dimensions and the Cauchy kernel: visits each pair once,
/// with the widest SIMD instructions available. The order of summation is the same on
/// every processor.
fn cauchy_in_the_plane(y: &[f64], force: &mut [f64]) -> f64 {
    let xs: Vec<f64> = y.iter().step_by(2).copied().collect();
    let ys: Vec<f64> = y.iter().skip(1).step_by(2).copied().collect();
    let arch = pulp::Arch::new();
    let parts: Vec<Part> =
        (0..TASKS).into_par_iter().map(|first| arch.dispatch(Rows { xs: &xs, ys: &ys, first })).collect();
    for (i, force) in force.chunks_exact_mut(2).enumerate() {
        force[0] = parts.iter().map(|part| part.x[i]).sum();
        force[1] = parts.iter().map(|part| part.y[i]).sum();
    }
    2.0 * parts.iter().map(|part| part.z).sum::<f64>()
}

/// The contribution of some pairs to the forces on all points, and their Σ w.
struct Part {
    x: Vec<f64>,
    y: Vec<f64>,
    z: f64,
}

/// Every `TASKS`-th row from `first` on, with its pairs of later points.
struct Rows<'a> {
    xs: &'a [f64],
    ys: &'a [f64],
    first: usize,
}

impl WithSimd for Rows<'_> {
    type Output = Part;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> Part {
        let (xs, ys) = (self.xs, self.ys);
        let n = xs.len();
        let mut part = Part { x: vec![0.0; n], y: vec![0.0; n], z: 0.0 };
        for i in (self.first..n).step_by(TASKS) {
            let here = [simd.splat_f64s(xs[i]), simd.splat_f64s(ys[i])];
            let mut sums = [[simd.splat_f64s(0.0); LANES]; 3];
            let (x_blocks, x_rest) = xs[i + 1..].as_chunks::<LANES>();
            let (y_blocks, y_rest) = ys[i + 1..].as_chunks::<LANES>();
            let (fx_blocks, fx_rest) = part.x[i + 1..].as_chunks_mut::<LANES>();
            let (fy_blocks, fy_rest) = part.y[i + 1..].as_chunks_mut::<LANES>();
            for (((x, y), fx), fy) in x_blocks.iter().zip(y_blocks).zip(fx_blocks).zip(fy_blocks) {
                add(simd, here, (x, y), (fx, fy), &mut sums);
            }
            // Lanes beyond the last point are placed at a distance where the kernel
            // vanishes.
            let (mut x, mut y) = ([f64::MAX; LANES], [f64::MAX; LANES]);
            let (mut fx, mut fy) = ([0.0; LANES], [0.0; LANES]);
            x[..x_rest.len()].copy_from_slice(x_rest);
            y[..x_rest.len()].copy_from_slice(y_rest);
            add(simd, here, (&x, &y), (&mut fx, &mut fy), &mut sums);
            fx_rest.iter_mut().zip(fx).for_each(|(f, more)| *f += more);
            fy_rest.iter_mut().zip(fy).for_each(|(f, more)| *f += more);
            let [z, x, y] = sums.map(|registers| numbers::<S>(&registers).iter().sum::<f64>());
            part.z += z;
            part.x[i] += x;
            part.y[i] += y;
        }
        part
    }
}

/// Adds the pairs of one point with `LANES` others: Σ w, Σ w² dx and Σ w² dy lane by
/// lane, and the opposite forces on the others.
#[inline(always)]
fn add<S: Simd>(
    simd: S,
    [px, py]: [S::f64s; 2],
    (x, y): (&[f64; LANES], &[f64; LANES]),
    (fx, fy): (&mut [f64; LANES], &mut [f64; LANES]),
    [z, sum_x, sum_y]: &mut [Registers<S>; 3],
) {
    let (x, y) = (S::as_simd_f64s(x).0, S::as_simd_f64s(y).0);
    let (fx, fy) = (S::as_mut_simd_f64s(fx).0, S::as_mut_simd_f64s(fy).0);
    for r in 0..registers::<S>() {
        let (dx, dy) = (simd.sub_f64s(px, x[r]), simd.sub_f64s(py, y[r]));
        let one = simd.splat_f64s(1.0);
        let spread = simd.add_f64s(simd.add_f64s(one, simd.mul_f64s(dx, dx)), simd.mul_f64s(dy, dy));
        let w = quotient::<S>(one, spread);
        let slope = simd.mul_f64s(w, w);
        let (gx, gy) = (simd.mul_f64s(slope, dx), simd.mul_f64s(slope, dy));
        z[r] = simd.add_f64s(z[r], w);
        sum_x[r] = simd.add_f64s(sum_x[r], gx);
        sum_y[r] = simd.add_f64s(sum_y[r], gy);
        fx[r] = simd.sub_f64s(fx[r], gx);
        fy[r] = simd.sub_f64s(fy[r], gy);
    }
}

/// Returns Z alone.
pub(crate) fn exact_normalization(kernel: Kernel, dim: usize, y: &[f64]) -> f64 {
    let mut force = vec![0.0; y.len()];
    Exact { kernel, dim }.compute(y, &mut force)
}
