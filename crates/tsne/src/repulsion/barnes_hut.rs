//! Barnes–Hut approximation of repulsive forces.
//!
//! Points are sorted along a Morton curve, so that every tree cell is a contiguous range.
//! Cells are stored in depth-first order in one array; each stores the index of the next
//! cell outside its subtree.

use pulp::{Simd, WithSimd};
use rayon::prelude::*;

use super::sums::Repulsion;
use crate::kernel::Kernel;
use crate::lanes::{LANES, Registers, numbers, quotient, registers};

/// Cells with at most this many points are not subdivided.
const LEAF: usize = 8;

/// Points below which waking another thread takes longer than computing their codes.
const SHORTEST: usize = 4096;

/// Blocks of `LANES` consecutive points on the curve per parallel task; the points of a
/// block traverse the tree together.
const BLOCKS: usize = 8;

pub(crate) struct BarnesHut<const D: usize> {
    pub(crate) theta: f64,
    pub(crate) kernel: Kernel,
}

impl<const D: usize> Repulsion for BarnesHut<D> {
    fn compute(&mut self, y: &[f64], force: &mut [f64]) -> f64 {
        let tree = Tree::<D>::new(y);
        let mut sorted = vec![([0.0; D], 0.0); tree.points.len()];
        let (theta, kernel, arch) = (self.theta, self.kernel, pulp::Arch::new());
        sorted.par_chunks_mut(LANES * BLOCKS).enumerate().for_each(|(task, results)| {
            let first = task * LANES * BLOCKS;
            arch.dispatch(Blocks { tree: &tree, first, theta, kernel, results });
        });
        let mut sums = vec![0.0; sorted.len()];
        for (&(pushed, z), &i) in sorted.iter().zip(&tree.order) {
            force[i as usize * D..(i as usize + 1) * D].copy_from_slice(&pushed);
            sums[i as usize] = z;
        }
        sums.iter().sum()
    }
}

/// Consecutive blocks, dispatched to the widest SIMD instructions available.
struct Blocks<'a, const D: usize> {
    tree: &'a Tree<D>,
    first: usize,
    theta: f64,
    kernel: Kernel,
    results: &'a mut [([f64; D], f64)],
}

impl<const D: usize> WithSimd for Blocks<'_, D> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { tree, first, theta, kernel, results } = self;
        let one = simd.splat_f64s(1.0);
        let cauchy = |squared| {
            let w = quotient::<S>(one, simd.add_f64s(one, squared));
            (w, simd.mul_f64s(w, w))
        };
        for (block, results) in results.chunks_mut(LANES).enumerate() {
            let start = first + block * LANES;
            let points = &tree.points[start..start + results.len()];
            if kernel.alpha == 1.0 {
                tree.push_block(simd, points, theta, cauchy, results);
            } else {
                tree.push_block(simd, points, theta, |squared| kernel.pairs::<S>(squared), results);
            }
        }
    }
}

/// A space-partitioning tree of the points.
pub(crate) struct Tree<const D: usize> {
    cells: Vec<Cell<D>>,
    /// The points in Morton order, and their indices.
    points: Vec<[f64; D]>,
    order: Vec<u32>,
}

struct Cell<const D: usize> {
    center: [f64; D],
    width_squared: f64,
    count: f64,
    /// The points of a leaf cell; empty for inner cells.
    leaf: (u32, u32),
    /// The first cell after this cell's descendants.
    next: u32,
}

impl<const D: usize> Tree<D> {
    /// Bits per coordinate of a Morton code.
    const BITS: u32 = 63 / D as u32;

    /// Builds the tree of n points. O(n log n).
    pub(crate) fn new(y: &[f64]) -> Self {
        let points: &[[f64; D]] = y.as_chunks::<D>().0;
        let (mut low, mut high) = ([f64::INFINITY; D], [f64::NEG_INFINITY; D]);
        for point in points {
            for c in 0..D {
                low[c] = low[c].min(point[c]);
                high[c] = high[c].max(point[c]);
            }
        }
        let side = (0..D).map(|c| high[c] - low[c]).fold(0.0, f64::max);
        let steps = (1_u64 << Self::BITS) as f64 * (1.0 - 1e-9);
        let scale = if side > 0.0 { steps / side } else { 0.0 };
        let mut keys: Vec<(u64, u32)> = points
            .par_iter()
            .with_min_len(SHORTEST)
            .enumerate()
            .map(|(i, point)| {
                let cell: [u64; D] = std::array::from_fn(|c| ((point[c] - low[c]) * scale) as u64);
                (Self::interleaved(cell), i as u32)
            })
            .collect();
        keys.par_sort_unstable();
        let mut tree = Self {
            cells: Vec::with_capacity(points.len() / 2),
            points: keys.iter().map(|key| points[key.1 as usize]).collect(),
            order: keys.iter().map(|key| key.1).collect(),
        };
        tree.divide(&keys, 0, points.len(), Self::BITS, side);
        tree
    }

    fn interleaved(cell: [u64; D]) -> u64 {
        let mut code = 0;
        for bit in (0..Self::BITS).rev() {
            for coordinate in cell {
                code = code << 1 | (coordinate >> bit & 1);
            }
        }
        code
    }

    /// Adds the cell of points `start..end`, whose codes agree above `level`, and its
    /// descendants.
    fn divide(&mut self, keys: &[(u64, u32)], start: usize, end: usize, level: u32, width: f64) {
        let index = self.cells.len();
        let count = (end - start) as f64;
        let mut center = [0.0; D];
        for point in &self.points[start..end] {
            (0..D).for_each(|c| center[c] += point[c]);
        }
        center.iter_mut().for_each(|c| *c /= count);
        let whole = end - start <= LEAF || level == 0;
        let leaf = if whole { (start as u32, end as u32) } else { (0, 0) };
        self.cells.push(Cell { center, width_squared: width * width, count, leaf, next: 0 });
        if !whole {
            let shift = (level - 1) * D as u32;
            let child = |at: usize| keys[at].0 >> shift;
            let mut from = start;
            while from < end {
                let to = from + keys[from..end].partition_point(|key| key.0 >> shift == child(from));
                self.divide(keys, from, to, level - 1, 0.5 * width);
                from = to;
            }
        }
        self.cells[index].next = self.cells.len() as u32;
    }

    /// Returns the forces on up to `LANES` consecutive points on the curve, and their
    /// kernel sums. A cell is treated as one point for the whole block only if it passes the test at the
    /// point of the block's bounding box nearest to the cell's center.
    #[inline(always)]
    fn push_block<S: Simd>(
        &self,
        simd: S,
        points: &[[f64; D]],
        theta: f64,
        pairs: impl Fn(S::f64s) -> (S::f64s, S::f64s),
        results: &mut [([f64; D], f64)],
    ) {
        let (mut low, mut high) = (points[0], points[0]);
        for point in points {
            for c in 0..D {
                low[c] = low[c].min(point[c]);
                high[c] = high[c].max(point[c]);
            }
        }
        let mut sums = Sums::new(simd, points);
        let mut index = 0;
        while let Some(cell) = self.cells.get(index) {
            let (start, end) = (cell.leaf.0 as usize, cell.leaf.1 as usize);
            if start < end {
                for point in &self.points[start..end] {
                    sums.add(point, 1.0, &pairs);
                }
                index = cell.next as usize;
                continue;
            }
            let apart = |c: usize| (low[c] - cell.center[c]).max(cell.center[c] - high[c]).max(0.0);
            let squared: f64 = (0..D).map(|c| apart(c).powi(2)).sum();
            if cell.width_squared < theta * theta * squared {
                sums.add(&cell.center, cell.count, &pairs);
                index = cell.next as usize;
            } else {
                index += 1;
            }
        }
        sums.write(results);
    }

    /// Returns the force on a new point and its kernel sum.
    pub(crate) fn push(&self, at: &[f64; D], theta: f64, kernel: Kernel) -> ([f64; D], f64) {
        let (mut force, mut z) = ([0.0; D], 0.0);
        let theta_squared = theta * theta;
        let mut index = 0;
        while let Some(cell) = self.cells.get(index) {
            let (start, end) = (cell.leaf.0 as usize, cell.leaf.1 as usize);
            if start < end {
                for point in &self.points[start..end] {
                    act(at, point, 1.0, kernel, &mut force, &mut z);
                }
                index = cell.next as usize;
                continue;
            }
            let squared: f64 = (0..D).map(|c| (at[c] - cell.center[c]).powi(2)).sum();
            if cell.width_squared < theta_squared * squared {
                act(at, &cell.center, cell.count, kernel, &mut force, &mut z);
                index = cell.next as usize;
            } else {
                index += 1;
            }
        }
        (force, z)
    }
}

/// Forces and kernel sums of a block, one point per lane.
struct Sums<S: Simd, const D: usize> {
    simd: S,
    at: [Registers<S>; D],
    force: [Registers<S>; D],
    z: Registers<S>,
}

impl<S: Simd, const D: usize> Sums<S, D> {
    /// Lanes beyond the last point repeat it; their results are discarded.
    #[inline(always)]
    fn new(simd: S, points: &[[f64; D]]) -> Self {
        let zero = simd.splat_f64s(0.0);
        let mut at = [[zero; LANES]; D];
        for c in 0..D {
            let lanes: [f64; LANES] = std::array::from_fn(|l| points[l.min(points.len() - 1)][c]);
            at[c][..registers::<S>()].copy_from_slice(S::as_simd_f64s(&lanes).0);
        }
        Self { simd, at, force: [[zero; LANES]; D], z: [zero; LANES] }
    }

    #[inline(always)]
    fn add(&mut self, from: &[f64; D], count: f64, pairs: &impl Fn(S::f64s) -> (S::f64s, S::f64s)) {
        let simd = self.simd;
        let count = simd.splat_f64s(count);
        for r in 0..registers::<S>() {
            let mut difference = [simd.splat_f64s(0.0); D];
            let mut squared = simd.splat_f64s(0.0);
            for ((difference, at), &from) in difference.iter_mut().zip(&self.at).zip(from) {
                *difference = simd.sub_f64s(at[r], simd.splat_f64s(from));
                squared = simd.add_f64s(squared, simd.mul_f64s(*difference, *difference));
            }
            let (w, slope) = pairs(squared);
            self.z[r] = simd.add_f64s(self.z[r], simd.mul_f64s(count, w));
            let pull = simd.mul_f64s(count, slope);
            for (force, difference) in self.force.iter_mut().zip(difference) {
                force[r] = simd.add_f64s(force[r], simd.mul_f64s(pull, difference));
            }
        }
    }

    #[inline(always)]
    fn write(&self, results: &mut [([f64; D], f64)]) {
        let (forces, z) = (self.force.each_ref().map(numbers::<S>), numbers::<S>(&self.z));
        for (l, result) in results.iter_mut().enumerate() {
            // The point itself contributed no force and 1 to the sum.
            *result = (forces.map(|force| force[l]), z[l] - 1.0);
        }
    }
}

#[inline]
fn act<const D: usize>(
    at: &[f64; D],
    from: &[f64; D],
    count: f64,
    kernel: Kernel,
    force: &mut [f64; D],
    z: &mut f64,
) {
    let difference: [f64; D] = std::array::from_fn(|c| at[c] - from[c]);
    let (w, pull) = kernel.pair(difference.iter().map(|d| d * d).sum());
    *z += count * w;
    (0..D).for_each(|c| force[c] += count * pull * difference[c]);
}

#[cfg(test)]
mod tests {
    use super::Tree;
    use crate::kernel::Kernel;

    #[test]
    fn codes_take_the_bits_of_the_coordinates_in_turn() {
        assert_eq!(Tree::<1>::interleaved([0b1101]), 0b1101);
        assert_eq!(Tree::<2>::interleaved([0b110, 0b011]), 0b10_11_01);
        assert_eq!(Tree::<3>::interleaved([0b10, 0b00, 0b11]), 0b101_001);
    }

    /// Compared with the sum over all points, on both sides of the middle of the map and outside.
    #[test]
    fn the_push_on_a_new_point_approaches_that_of_all_points_as_theta_falls() {
        let coordinate =
            |e: usize| 20.0 * ((e + 1) as f64 * [0.754_877_666, 0.569_840_291][e % 2]).fract() - 10.0;
        let y: Vec<f64> = (0..4000).map(coordinate).collect();
        let (tree, kernel) = (Tree::<2>::new(&y), Kernel { alpha: 1.0 });
        for at in [[-7.0, -6.5], [0.3, 0.2], [6.0, -8.0], [15.0, 2.0]] {
            let ([x, _], z) = y.chunks_exact(2).fold(([0.0; 2], 0.0), |(force, z), point| {
                let (dx, dy) = (at[0] - point[0], at[1] - point[1]);
                let w = 1.0 / (1.0 + dx * dx + dy * dy);
                ([force[0] + w * w * dx, force[1] + w * w * dy], z + w)
            });
            for (theta, bound) in [(0.3, 2e-2), (0.1, 1e-3), (0.0, 1e-12)] {
                let (found, sum) = tree.push(&at, theta, kernel);
                assert!((sum / z - 1.0).abs() < bound, "{at:?} {theta}: {sum} {z}");
                assert!((found[0] - x).abs() < bound * z, "{at:?} {theta}: {} {x}", found[0]);
            }
        }
    }
}
