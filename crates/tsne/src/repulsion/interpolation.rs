//! Forces interpolated from a grid.
//!
//! A grid of equidistant nodes covers the map. Every point hands its charges to
//! the 4 × 4 nodes around it by Lagrange's cubic polynomials, the nodes act on
//! each other by a convolution, and every point reads the sums from its nodes by
//! the same polynomials. With the point in the middle of its nodes the cubic
//! reaches, at twice the distance between nodes, what a parabola through three
//! nodes of a cell does: a quarter of the nodes in the plane.
//!
//! Reference: Linderman, Rachh, Hoskins, Steinerberger and Kluger (2019),
//! doi:10.1038/s41592-018-0308-4.

use faer::c32;
use rayon::prelude::*;

use super::Repulsion;
use super::grid::{By, Grid};
use crate::kernel::Kernel;

/// Nodes that a point has along each axis.
pub(crate) const NODES: usize = 4;

/// Steps of the grid along the longer side of the map, at least.
const FEWEST: f64 = 100.0;

/// The largest step, on a line and in the plane, in units of the map, where the
/// kernel has width 1. A line is cheap, and its forces nearly cancel.
const LARGEST: [f64; 2] = [0.1, 1.0 / 3.0];

/// Steps along a side, at most, on a line and in the plane; a map wider than
/// they reach is sampled more coarsely.
const MOST: [f64; 2] = [30_000.0, 2000.0];

/// Steps below the largest are powers of this.
const RATIO: f64 = 1.05;

/// Numbers of nodes are multiples of this: the grid stays the same for some
/// iterations.
const MULTIPLE: usize = 16;

/// Points per parallel task.
const CHUNK: usize = 1024;

/// Rows of nodes in a strip: the points that begin in one strip reach into the
/// next, and no further.
const STRIP: usize = 8;

pub(crate) struct Interpolation {
    kernel: Kernel,
    dim: usize,
    grid: Option<(Layout, Grid)>,
}

/// Step and number of nodes; the same layout has the same transformed kernel.
#[derive(Clone, Copy, PartialEq)]
struct Layout {
    step: f64,
    nodes: [usize; 2],
}

/// A point on the grid: the first of its nodes, and its weights in x and in y.
#[derive(Clone, Copy)]
struct Place {
    node: [u32; 2],
    weights: [[f32; NODES]; 2],
}

impl Interpolation {
    pub(crate) fn new(kernel: Kernel, dim: usize) -> Self {
        Self { kernel, dim, grid: None }
    }
}

impl Repulsion for Interpolation {
    fn compute(&mut self, y: &[f64], force: &mut [f64]) -> f64 {
        let dim = self.dim;
        // A line is a plane without height.
        let point = |i: usize| [y[i * dim], if dim == 2 { y[i * dim + 1] } else { 0.0 }];
        let n = y.len() / dim;
        let (low, high) = bounds(n, point);
        let layout = Layout::around(low, high, LARGEST[dim - 1], MOST[dim - 1]);
        let center = [0, 1].map(|c| 0.5 * (low[c] + high[c]));

        let places: Vec<Place> =
            (0..n).into_par_iter().with_min_len(CHUNK).map(|i| layout.place(center, point(i))).collect();
        let strips = layout.nodes[0].div_ceil(STRIP);
        let (starts, order) = by_strip(&places, strips);
        if self.grid.as_ref().is_none_or(|(known, _)| *known != layout) {
            self.grid = Some((layout, Grid::new(self.kernel, layout.nodes, layout.step)));
        }
        let Some((_, grid)) = &self.grid else { return 0.0 };

        let wide = grid.nodes[1];
        let mut ones = vec![c32::new(0.0, 0.0); grid.nodes[0] * wide];
        let mut moments = vec![c32::new(0.0, 0.0); grid.nodes[0] * wide];
        // First the points of every other strip, then the rest: two strips at a
        // time belong to one task.
        for parity in 0..2 {
            let skipped = (parity * STRIP * wide).min(ones.len());
            (
                ones[skipped..].par_chunks_mut(2 * STRIP * wide),
                moments[skipped..].par_chunks_mut(2 * STRIP * wide),
            )
                .into_par_iter()
                .enumerate()
                .for_each(|(pair, (ones, moments))| {
                    let strip = 2 * pair + parity;
                    let first = strip * STRIP;
                    for &i in &order[starts[strip]..starts[strip + 1]] {
                        let [px, py] = point(i as usize);
                        let charge = c32::new((px - center[0]) as f32, (py - center[1]) as f32);
                        places[i as usize].each(first, wide, |at, weight| {
                            ones[at].re += weight;
                            moments[at] += charge * weight;
                        });
                    }
                });
        }
        grid.convolve(&mut ones, By::Both);
        grid.convolve(&mut moments, By::Pull);

        let sums: Vec<f64> = force
            .par_chunks_exact_mut(dim)
            .with_min_len(CHUNK)
            .enumerate()
            .map(|(i, force)| {
                let (place, here) = (&places[i], point(i));
                let (mut pushes, mut moment) = (c32::new(0.0, 0.0), c32::new(0.0, 0.0));
                place.each(0, wide, |at, weight| {
                    pushes += ones[at] * weight;
                    moment += moments[at] * weight;
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
        let step = if longest >= most * largest {
            longest / most
        } else {
            RATIO.powf((longest / FEWEST).log(RATIO).ceil()).min(largest)
        };
        // Half the nodes of a point beyond each end, and one for rounding.
        let needed = |c: usize| (range[c] / step).ceil() as usize + NODES + 1;
        let round = |c: usize| if range[c] > 0.0 { needed(c).next_multiple_of(MULTIPLE) } else { NODES };
        Self { step, nodes: [round(0), round(1)] }
    }

    /// The middle of the grid is the center.
    fn place(&self, center: [f64; 2], point: [f64; 2]) -> Place {
        let axis = |c: usize| {
            let t = (point[c] - center[c]) / self.step + 0.5 * (self.nodes[c] - 1) as f64;
            let node = ((t as usize).saturating_sub(1)).min(self.nodes[c] - NODES);
            // 1 to 2 but for rounding.
            let v = (t - node as f64) as f32;
            let (a, b, c, d) = (v, v - 1.0, v - 2.0, v - 3.0);
            (node as u32, [b * c * d / -6.0, 0.5 * a * c * d, -0.5 * a * b * d, a * b * c / 6.0])
        };
        let (x, y) = (axis(0), axis(1));
        Place { node: [x.0, y.0], weights: [x.1, y.1] }
    }
}

impl Place {
    /// Visits the nodes of rows from `first` on: where each lies, and its weight.
    #[inline]
    fn each(&self, first: usize, wide: usize, mut visit: impl FnMut(usize, f32)) {
        let corner = (self.node[0] as usize - first) * wide + self.node[1] as usize;
        for (a, wx) in self.weights[0].iter().enumerate() {
            for (b, wy) in self.weights[1].iter().enumerate() {
                visit(corner + a * wide + b, wx * wy);
            }
        }
    }

    /// What the point reads of its own charge.
    fn own(&self, near: &[[f64; NODES]; NODES]) -> f64 {
        let apart = |w: &[f32; NODES]| -> [f64; NODES] {
            let product = |a: usize, gap: usize| f64::from(w[a]) * f64::from(w[a + gap]);
            let sum = |gap: usize| (0..NODES - gap).map(|a| product(a, gap)).sum::<f64>();
            std::array::from_fn(|gap| if gap == 0 { sum(0) } else { 2.0 * sum(gap) })
        };
        let (x, y) = (apart(&self.weights[0]), apart(&self.weights[1]));
        (0..NODES).map(|a| (0..NODES).map(|b| x[a] * y[b] * near[a][b]).sum::<f64>()).sum()
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

/// The points that begin in each strip, ascending: where each strip starts, and
/// the points.
fn by_strip(places: &[Place], strips: usize) -> (Vec<usize>, Vec<u32>) {
    let strip = |place: &Place| place.node[0] as usize / STRIP;
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
