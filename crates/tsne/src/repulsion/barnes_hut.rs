//! Far groups act as one point.
//!
//! Points are sorted along a Morton curve, so that every cell of the tree is a
//! range of them. Cells lie in one array in depth-first order; each knows where
//! the next cell outside of it begins.

use rayon::prelude::*;

use super::Repulsion;
use crate::kernel::Kernel;

/// Cells with at most so many points are not divided.
const LEAF: usize = 8;

/// Points per parallel task.
const CHUNK: usize = 256;

pub(crate) struct BarnesHut<const D: usize> {
    pub(crate) theta: f64,
    pub(crate) kernel: Kernel,
}

impl<const D: usize> Repulsion for BarnesHut<D> {
    fn compute(&mut self, y: &[f64], force: &mut [f64]) -> f64 {
        let tree = Tree::<D>::new(y);
        let mut sorted = vec![([0.0; D], 0.0); tree.points.len()];
        sorted.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, results)| {
            for (offset, result) in results.iter_mut().enumerate() {
                let own = chunk * CHUNK + offset;
                *result = tree.push(&tree.points[own], Some(own), self.theta, self.kernel);
            }
        });
        let mut sums = vec![0.0; sorted.len()];
        for (&(pushed, z), &i) in sorted.iter().zip(&tree.order) {
            force[i as usize * D..(i as usize + 1) * D].copy_from_slice(&pushed);
            sums[i as usize] = z;
        }
        sums.iter().sum()
    }
}

/// A set of points that pushes others.
pub(crate) struct Tree<const D: usize> {
    cells: Vec<Cell<D>>,
    /// The points along the curve, and which point each is.
    points: Vec<[f64; D]>,
    order: Vec<u32>,
}

struct Cell<const D: usize> {
    center: [f64; D],
    width_squared: f64,
    count: f64,
    /// The points inside, where the cell is not divided; else empty.
    leaf: (u32, u32),
    /// The first cell after this one's descendants.
    next: u32,
}

impl<const D: usize> Tree<D> {
    /// Bits per coordinate of a Morton code.
    const BITS: u32 = 63 / D as u32;

    /// Sorts n points and groups them. O(n log n).
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

    /// Adds the cell of points `start..end`, whose codes agree above `level`,
    /// and everything below it.
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

    /// The force on a point and the sum of kernels, without point `own` of the
    /// curve.
    pub(crate) fn push(
        &self,
        at: &[f64; D],
        own: Option<usize>,
        theta: f64,
        kernel: Kernel,
    ) -> ([f64; D], f64) {
        let (mut force, mut z) = ([0.0; D], 0.0);
        let theta_squared = theta * theta;
        let mut index = 0;
        while let Some(cell) = self.cells.get(index) {
            let (start, end) = (cell.leaf.0 as usize, cell.leaf.1 as usize);
            if start < end {
                for (j, point) in self.points[start..end].iter().enumerate() {
                    if own != Some(start + j) {
                        act(at, point, 1.0, kernel, &mut force, &mut z);
                    }
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
