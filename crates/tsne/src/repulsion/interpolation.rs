//! Forces interpolated from a grid.
//!
//! The box around the map is cut into square cells with 3 × 3 nodes each. Every
//! point hands its charges to the nodes of its cell by Lagrange's polynomials,
//! the nodes act on each other by a convolution, and every point reads the sums
//! from its nodes by the same polynomials.
//!
//! Reference: Linderman, Rachh, Hoskins, Steinerberger and Kluger (2019),
//! doi:10.1038/s41592-018-0308-4.

use rayon::prelude::*;
use rustfft::num_complex::Complex32;

use super::Repulsion;
use super::grid::{By, Grid};
use crate::kernel::Kernel;

/// Cells along the longer side of the box, at least.
const FEWEST: f64 = 50.0;

/// The largest cell, on a line and in the plane, in units of the map, where the
/// kernel has width 1. A line is cheap, and its forces nearly cancel.
const LARGEST: [f64; 2] = [0.1, 0.5];

/// Cells along a side, at most, on a line and in the plane; a map wider than
/// they reach is sampled more coarsely.
const MOST: [f64; 2] = [10_000.0, 640.0];

/// Sizes of cells below the largest are powers of this.
const RATIO: f64 = 1.05;

/// Numbers of cells are multiples of this: the grid stays the same for some
/// iterations.
const MULTIPLE: usize = 8;

/// Points per parallel task.
const CHUNK: usize = 1024;

pub(crate) struct Interpolation {
    kernel: Kernel,
    dim: usize,
    grid: Option<(Layout, Grid)>,
}

/// Size and number of cells; the same layout has the same transformed kernel.
#[derive(Clone, Copy, PartialEq)]
struct Layout {
    size: f64,
    cells: [usize; 2],
}

/// A point in its cell: the first of its nodes, and three weights each in x and
/// in y.
#[derive(Clone, Copy)]
struct Place {
    node: [u32; 2],
    weights: [[f32; 3]; 2],
}

impl Interpolation {
    pub(crate) fn new(kernel: Kernel, dim: usize) -> Self {
        Self { kernel, dim, grid: None }
    }
}

impl Repulsion for Interpolation {
    fn compute(&mut self, y: &[f64], force: &mut [f64]) -> f64 {
        let dim = self.dim;
        // A line is a plane of one row of cells, all points in their middle.
        let point = |i: usize| [y[i * dim], if dim == 2 { y[i * dim + 1] } else { 0.0 }];
        let n = y.len() / dim;
        let (low, high) = bounds(n, point);
        let layout = Layout::around(low, high, LARGEST[dim - 1], MOST[dim - 1]);
        let reach = |c: usize| layout.size * layout.cells[c] as f64;
        let center = [0, 1].map(|c| 0.5 * (low[c] + high[c]));
        let origin = [0, 1].map(|c| center[c] - 0.5 * reach(c));

        let places: Vec<Place> =
            (0..n).into_par_iter().with_min_len(CHUNK).map(|i| layout.place(origin, point(i))).collect();
        let (starts, order) = by_strip(&places, layout.cells[0]);
        if self.grid.as_ref().is_none_or(|(known, _)| *known != layout) {
            let nodes = layout.cells.map(|c| 3 * c);
            self.grid = Some((layout, Grid::new(self.kernel, nodes, layout.size / 3.0)));
        }
        let Some((_, grid)) = &self.grid else { return 0.0 };

        let wide = grid.row_length();
        let mut ones = vec![Complex32::ZERO; grid.nodes[0] * wide];
        let mut moments = vec![Complex32::ZERO; grid.nodes[0] * wide];
        // Three rows of nodes belong to one strip of cells, and to one task.
        (ones.par_chunks_mut(3 * wide), moments.par_chunks_mut(3 * wide))
            .into_par_iter()
            .enumerate()
            .for_each(|(strip, (ones, moments))| {
                for &i in &order[starts[strip]..starts[strip + 1]] {
                    let [px, py] = point(i as usize);
                    let charge = Complex32::new((px - center[0]) as f32, (py - center[1]) as f32);
                    places[i as usize].each(|a, b, weight| {
                        ones[a * wide + b].re += weight;
                        moments[a * wide + b] += charge * weight;
                    });
                }
            });
        grid.convolve(&mut ones, By::Both);
        grid.convolve(&mut moments, By::Pull);

        let sums: Vec<f64> = force
            .par_chunks_exact_mut(dim)
            .with_min_len(CHUNK)
            .enumerate()
            .map(|(i, force)| {
                let (place, here) = (&places[i], point(i));
                let first = place.node[0] as usize * wide;
                let (mut pushes, mut moment) = (Complex32::ZERO, Complex32::ZERO);
                place.each(|a, b, weight| {
                    pushes += ones[first + a * wide + b] * weight;
                    moment += moments[first + a * wide + b] * weight;
                });
                let (w, pull) = (f64::from(pushes.re), f64::from(pushes.im));
                let carried = [f64::from(moment.re), f64::from(moment.im)];
                (0..dim).for_each(|c| force[c] = (here[c] - center[c]) * pull - carried[c]);
                w - place.own(&grid.near)
            })
            .collect();
        sums.iter().sum()
    }
}

impl Layout {
    fn around(low: [f64; 2], high: [f64; 2], largest: f64, most: f64) -> Self {
        let range = [high[0] - low[0], high[1] - low[1]];
        let longest = range[0].max(range[1]).max(f64::MIN_POSITIVE.sqrt());
        let size = if longest >= (most - 1.0) * largest {
            longest / (most - 1.0)
        } else {
            RATIO.powf((longest / FEWEST).log(RATIO).ceil()).min(largest)
        };
        // Rounding must not push a point out of the box.
        let needed = |c: usize| ((range[c] / size * (1.0 + 1e-9)).ceil() as usize).max(1);
        let round = |cells: usize| if cells == 1 { 1 } else { cells.next_multiple_of(MULTIPLE) };
        Self { size, cells: [round(needed(0)), round(needed(1))] }
    }

    fn place(&self, origin: [f64; 2], point: [f64; 2]) -> Place {
        let axis = |c: usize| {
            let t = (point[c] - origin[c]) / self.size;
            let cell = (t as usize).min(self.cells[c] - 1);
            let v = (3.0 * (t - cell as f64)) as f32;
            let weights = [0.5 * (v - 1.5) * (v - 2.5), -(v - 0.5) * (v - 2.5), 0.5 * (v - 0.5) * (v - 1.5)];
            (3 * cell as u32, weights)
        };
        let (x, y) = (axis(0), axis(1));
        Place { node: [x.0, y.0], weights: [x.1, y.1] }
    }
}

impl Place {
    /// Visits the nine nodes: row within the strip, column, weight.
    #[inline]
    fn each(&self, mut visit: impl FnMut(usize, usize, f32)) {
        let column = self.node[1] as usize;
        for (a, wx) in self.weights[0].iter().enumerate() {
            for (b, wy) in self.weights[1].iter().enumerate() {
                visit(a, column + b, wx * wy);
            }
        }
    }

    /// What the point reads of its own charge.
    fn own(&self, near: &[[f64; 3]; 3]) -> f64 {
        let apart = |w: &[f32; 3]| {
            let w = w.map(f64::from);
            [w[0] * w[0] + w[1] * w[1] + w[2] * w[2], 2.0 * (w[0] * w[1] + w[1] * w[2]), 2.0 * w[0] * w[2]]
        };
        let (x, y) = (apart(&self.weights[0]), apart(&self.weights[1]));
        (0..3).map(|a| (0..3).map(|b| x[a] * y[b] * near[a][b]).sum::<f64>()).sum()
    }
}

fn bounds(n: usize, point: impl Fn(usize) -> [f64; 2]) -> ([f64; 2], [f64; 2]) {
    let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
    for i in 0..n {
        let p = point(i);
        for c in 0..2 {
            low[c] = low[c].min(p[c]);
            high[c] = high[c].max(p[c]);
        }
    }
    (low, high)
}

/// The points of each strip of cells, ascending: where each strip starts, and
/// the points.
fn by_strip(places: &[Place], strips: usize) -> (Vec<usize>, Vec<u32>) {
    let strip = |place: &Place| place.node[0] as usize / 3;
    let mut starts = vec![0; strips + 1];
    places.iter().for_each(|place| starts[strip(place) + 1] += 1);
    (0..strips).for_each(|s| starts[s + 1] += starts[s]);
    let mut at = starts.clone();
    let mut order = vec![0; places.len()];
    for (i, place) in places.iter().enumerate() {
        order[at[strip(place)]] = i as u32;
        at[strip(place)] += 1;
    }
    (starts, order)
}
