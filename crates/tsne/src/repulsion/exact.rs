//! All pairs.

use pulp::NullaryFnOnce;
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
        (0..TASKS).into_par_iter().map(|first| arch.dispatch(Rows { xs: &xs, ys: &ys, first })).collect();
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
struct Rows<'a> {
    xs: &'a [f64],
    ys: &'a [f64],
    first: usize,
}

// A closure would be compiled for the least of all processors.
impl NullaryFnOnce for Rows<'_> {
    type Output = Part;

    #[inline(always)]
    fn call(self) -> Part {
        cauchy_rows(self.xs, self.ys, self.first)
    }
}

#[inline(always)]
fn cauchy_rows(xs: &[f64], ys: &[f64], first: usize) -> Part {
    let n = xs.len();
    let mut part = Part { x: vec![0.0; n], y: vec![0.0; n], z: 0.0 };
    for i in (first..n).step_by(TASKS) {
        let mut sums = [[0.0; LANES]; 3];
        let (x_blocks, x_rest) = xs[i + 1..].as_chunks::<LANES>();
        let (y_blocks, y_rest) = ys[i + 1..].as_chunks::<LANES>();
        let (fx_blocks, fx_rest) = part.x[i + 1..].as_chunks_mut::<LANES>();
        let (fy_blocks, fy_rest) = part.y[i + 1..].as_chunks_mut::<LANES>();
        for (((x, y), fx), fy) in x_blocks.iter().zip(y_blocks).zip(fx_blocks).zip(fy_blocks) {
            add((xs[i], ys[i]), (x, y), (fx, fy), &mut sums);
        }
        // Lanes beyond the last point stay far away, where the kernel vanishes.
        let (mut x, mut y) = ([f64::MAX; LANES], [f64::MAX; LANES]);
        let (mut fx, mut fy) = ([0.0; LANES], [0.0; LANES]);
        x[..x_rest.len()].copy_from_slice(x_rest);
        y[..x_rest.len()].copy_from_slice(y_rest);
        add((xs[i], ys[i]), (&x, &y), (&mut fx, &mut fy), &mut sums);
        fx_rest.iter_mut().zip(fx).for_each(|(f, more)| *f += more);
        fy_rest.iter_mut().zip(fy).for_each(|(f, more)| *f += more);
        let [z, x, y] = sums.map(|lanes| lanes.iter().sum::<f64>());
        part.z += z;
        part.x[i] += x;
        part.y[i] += y;
    }
    part
}

/// The pairs of one point with `LANES` others: Σ w, Σ w² dx and Σ w² dy in
/// lanes, and the opposite forces on the others.
#[inline(always)]
fn add(
    (px, py): (f64, f64),
    (x, y): (&[f64; LANES], &[f64; LANES]),
    (fx, fy): (&mut [f64; LANES], &mut [f64; LANES]),
    [z, sum_x, sum_y]: &mut [[f64; LANES]; 3],
) {
    let mut dx = [0.0; LANES];
    (0..LANES).for_each(|l| dx[l] = px - x[l]);
    let mut dy = [0.0; LANES];
    (0..LANES).for_each(|l| dy[l] = py - y[l]);
    let mut w = [0.0; LANES];
    (0..LANES).for_each(|l| w[l] = 1.0 / (1.0 + dx[l] * dx[l] + dy[l] * dy[l]));
    let mut gx = [0.0; LANES];
    (0..LANES).for_each(|l| gx[l] = w[l] * w[l] * dx[l]);
    let mut gy = [0.0; LANES];
    (0..LANES).for_each(|l| gy[l] = w[l] * w[l] * dy[l]);
    for (sum, new) in [(z, w), (sum_x, gx), (sum_y, gy)] {
        (0..LANES).for_each(|l| sum[l] += new[l]);
    }
    (0..LANES).for_each(|l| fx[l] -= gx[l]);
    (0..LANES).for_each(|l| fy[l] -= gy[l]);
}

/// Z alone.
pub(crate) fn exact_normalization(kernel: Kernel, dim: usize, y: &[f64]) -> f64 {
    let mut force = vec![0.0; y.len()];
    Exact { kernel, dim }.compute(y, &mut force)
}
