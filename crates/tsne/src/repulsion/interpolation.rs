//! Fourier-accelerated interpolation of repulsive forces (FIt-SNE).
//!
//! A grid of equidistant nodes covers the map. Charges of each point are distributed to
//! the surrounding 4 × 4 nodes by cubic Lagrange polynomials, the interaction of the
//! nodes is a convolution, and the sums are interpolated at each point by the same
//! polynomials. With the point in the central interval of its nodes, the cubic is as
//! accurate at twice the node spacing as a parabola through three nodes per cell: a
//! quarter of the nodes in two dimensions.
//!
//! Reference: Linderman, Rachh, Hoskins, Steinerberger and Kluger (2019),
//! doi:10.1038/s41592-018-0308-4.

use faer::c32;
use rayon::prelude::*;

use super::grid::{By, Grid, NODES};
use super::sums::Repulsion;
use crate::kernel::Kernel;

/// Smallest number of grid steps along the longer side of the map.
const FEWEST: f64 = 100.0;

/// Largest grid step in one and two dimensions, in units of the kernel's width 1. One
/// dimension is cheap, and its forces nearly cancel.
const LARGEST: [f64; 2] = [0.1, 1.0 / 3.0];

/// Largest number of steps along a side in one and two dimensions; a wider map gets a
/// coarser grid.
const MOST: [f64; 2] = [30_000.0, 2000.0];

/// Steps smaller than the largest are divided by powers of this.
const RATIO: f64 = 1.05;

/// Numbers of nodes are multiples of this, so that the grid is unchanged for several
/// iterations.
const MULTIPLE: usize = 16;

/// Points per parallel task.
const CHUNK: usize = 1024;

/// Rows of nodes per strip: points that start in one strip reach at most into the next
/// one.
const STRIP: usize = 8;

pub(crate) struct Interpolation {
    kernel: Kernel,
    dim: usize,
    grid: Option<(Layout, Grid)>,
}

/// Step and number of nodes; equal layouts have the same transformed kernel.
#[derive(Clone, Copy, PartialEq)]
struct Layout {
    step: f64,
    nodes: [usize; 2],
}

/// The interpolation stencil of a point: its first node, and its weights in x and y.
#[derive(Clone, Copy)]
struct Stencil {
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
        // One-dimensional maps are treated as two-dimensional with y = 0.
        let point = |i: usize| [y[i * dim], if dim == 2 { y[i * dim + 1] } else { 0.0 }];
        let n = y.len() / dim;
        let (low, high) = bounds(n, point);
        let layout = Layout::around(low, high, LARGEST[dim - 1], MOST[dim - 1]);
        let center = [0, 1].map(|c| 0.5 * (low[c] + high[c]));

        let stencils: Vec<Stencil> =
            (0..n).into_par_iter().with_min_len(CHUNK).map(|i| layout.stencil(center, point(i))).collect();
        let strips = layout.nodes[0].div_ceil(STRIP);
        let (starts, order) = by_strip(&stencils, strips);
        if self.grid.as_ref().is_none_or(|(known, _)| *known != layout) {
            self.grid = Some((layout, Grid::new(self.kernel, layout.nodes, layout.step)));
        }
        let Some((_, grid)) = &self.grid else { return 0.0 };

        let wide = grid.nodes[1];
        let mut ones = vec![c32::new(0.0, 0.0); grid.nodes[0] * wide];
        let mut moments = vec![c32::new(0.0, 0.0); grid.nodes[0] * wide];
        // Points of even strips first, then points of odd strips: two strips at a time belong to one task.
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
                        stencils[i as usize].each(first, wide, |at, weight| {
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
                let (stencil, here) = (&stencils[i], point(i));
                let (mut pushes, mut moment) = (c32::new(0.0, 0.0), c32::new(0.0, 0.0));
                stencil.each(0, wide, |at, weight| {
                    pushes += ones[at] * weight;
                    moment += moments[at] * weight;
                });
                let (w, pull) = (f64::from(pushes.re), f64::from(pushes.im));
                let carried = [f64::from(moment.re), f64::from(moment.im)];
                (0..dim).for_each(|c| force[c] = (here[c] - center[c]) * pull - carried[c]);
                w - stencil.own(&grid.near)
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
        // Half a stencil beyond each end, and one node for rounding.
        let needed = |c: usize| (range[c] / step).ceil() as usize + NODES + 1;
        let round = |c: usize| if range[c] > 0.0 { needed(c).next_multiple_of(MULTIPLE) } else { NODES };
        Self { step, nodes: [round(0), round(1)] }
    }

    /// Returns the stencil of a point; the grid is centered at `center`.
    fn stencil(&self, center: [f64; 2], point: [f64; 2]) -> Stencil {
        let axis = |c: usize| {
            let t = (point[c] - center[c]) / self.step + 0.5 * (self.nodes[c] - 1) as f64;
            let node = ((t as usize).saturating_sub(1)).min(self.nodes[c] - NODES);
            // Between 1 and 2, up to rounding.
            let v = (t - node as f64) as f32;
            let (a, b, c, d) = (v, v - 1.0, v - 2.0, v - 3.0);
            (node as u32, [b * c * d / -6.0, 0.5 * a * c * d, -0.5 * a * b * d, a * b * c / 6.0])
        };
        let (x, y) = (axis(0), axis(1));
        Stencil { node: [x.0, y.0], weights: [x.1, y.1] }
    }
}

impl Stencil {
    /// Visits the nodes of rows from `first` on with their offsets and weights.
    #[inline]
    fn each(&self, first: usize, wide: usize, mut visit: impl FnMut(usize, f32)) {
        let corner = (self.node[0] as usize - first) * wide + self.node[1] as usize;
        for (a, wx) in self.weights[0].iter().enumerate() {
            for (b, wy) in self.weights[1].iter().enumerate() {
                visit(corner + a * wide + b, wx * wy);
            }
        }
    }

    /// Returns the interpolated self-interaction of the point.
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

/// Groups points by the strip they start in, in ascending order: returns the offset of
/// each strip, and the points.
fn by_strip(stencils: &[Stencil], strips: usize) -> (Vec<usize>, Vec<u32>) {
    let strip = |stencil: &Stencil| stencil.node[0] as usize / STRIP;
    let mut starts = vec![0; strips + 1];
    stencils.iter().for_each(|stencil| starts[strip(stencil) + 1] += 1);
    (0..strips).for_each(|s| starts[s + 1] += starts[s]);
    let mut at = starts.clone();
    let mut order = vec![0; stencils.len()];
    for (i, stencil) in stencils.iter().enumerate() {
        order[at[strip(stencil)]] = i as u32;
        at[strip(stencil)] += 1;
    }
    (starts, order)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// At both ends of maps of many lengths, a point lies in the middle of its four nodes, to rounding, so
    /// that the inner two weigh most.
    #[test]
    fn the_ends_of_a_map_lie_between_the_inner_nodes_of_their_stencils() {
        for length in (0..60).map(|i| 150.0 + 0.9 * f64::from(i)) {
            let (low, high) = ([0.0, 0.0], [length, 0.6 * length]);
            let layout = Layout::around(low, high, 1.0, 1e9);
            let center = [0.5 * high[0], 0.5 * high[1]];
            for point in [low, high, [low[0], high[1]]] {
                for weights in layout.stencil(center, point).weights {
                    let [first, second, third, last] = weights;
                    assert!(first < 1e-5 && last < 1e-5, "{length}: {weights:?}");
                    assert!((-1e-5..1.00001).contains(&second) && (-1e-5..1.00001).contains(&third));
                    assert!((weights.iter().sum::<f32>() - 1.0).abs() < 1e-5);
                }
            }
        }
    }

    #[test]
    fn a_wide_map_has_the_largest_number_of_steps() {
        for (length, step) in [(60.0, 0.6), (200.0, 2.0)] {
            let found = Layout::around([0.0, 0.0], [length, 1.0], 0.5, 100.0).step;
            assert!((found - step).abs() < 1e-12, "{length}: {found}");
            assert!(length / found < 100.0 * 1.000_001, "{length}: {found}");
        }
    }
}
