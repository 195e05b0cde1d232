//! Morton order of the points, with duplicates grouped.

use embedding::Points;
use rayon::prelude::*;

use crate::metric::bounding_box;

/// The points in Morton order, in which consecutive points are close in space, grouped
/// into distinct positions.
#[derive(Debug)]
pub(crate) struct Positions {
    /// All indices, grouped by position; ascending within a position.
    order: Vec<u32>,
    /// Offset of each position in `order`, with a final end offset.
    starts: Vec<u32>,
}

impl Positions {
    /// Sorts the points. O(n log n) time, O(n) memory; zero and negative zero are equal.
    pub(crate) fn new(points: Points<'_>) -> Self {
        let dim = points.dim();
        // In high dimensions one bit per column is left: the order is then of little use,
        // but equal points are still consecutive.
        let bits = (63 / dim.min(21)).clamp(3, 52) as u32;
        let cells = (1_u64 << bits) as f64;
        let scales: Vec<(f64, f64)> = bounding_box(points.rows(), dim)
            .iter()
            .map(|&(low, high)| (low, if high > low { cells / (high - low) } else { 0.0 }))
            .collect();
        let rows: Vec<&[f64]> = points.rows().collect();
        let mut keyed: Vec<(u64, u32)> = rows
            .par_iter()
            .enumerate()
            .map(|(i, row)| {
                let mut key = 0_u64;
                for bit in (0..bits).rev() {
                    for (x, &(low, scale)) in row.iter().zip(&scales).take(21) {
                        let cell = (((x - low) * scale) as u64).min((1 << bits) - 1);
                        key = (key << 1) | ((cell >> bit) & 1);
                    }
                }
                (key, i as u32)
            })
            .collect();
        let compare = |i: u32, j: u32| {
            let pairs = rows[i as usize].iter().zip(rows[j as usize]);
            pairs.map(|(x, y)| (x + 0.0).total_cmp(&(y + 0.0))).find(|o| o.is_ne())
        };
        keyed.par_sort_unstable_by(|a, b| {
            a.0.cmp(&b.0).then_with(|| compare(a.1, b.1).unwrap_or_else(|| a.1.cmp(&b.1)))
        });
        let order: Vec<u32> = keyed.iter().map(|e| e.1).collect();
        let mut starts: Vec<u32> = (0..order.len())
            .filter(|&at| {
                at == 0 || keyed[at].0 != keyed[at - 1].0 || compare(order[at], order[at - 1]).is_some()
            })
            .map(|at| at as u32)
            .collect();
        starts.push(order.len() as u32);
        Self { order, starts }
    }

    /// Returns all points, grouped by position.
    pub(crate) fn order(&self) -> &[u32] {
        &self.order
    }

    /// Returns the number of distinct positions.
    pub(crate) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Returns the points at a position, in ascending order.
    pub(crate) fn at(&self, position: usize) -> &[u32] {
        &self.order[self.starts[position] as usize..self.starts[position + 1] as usize]
    }
}
