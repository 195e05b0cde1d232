//! A balanced k-d tree over distinct rows.
//!
//! Cells are halved across their widest extent until at most [`LEAF`] rows are
//! left. A leaf keeps its rows coordinate by coordinate, so that the distances to
//! all of them are computed at once. Squared distances and bounds carry a
//! relative rounding error of about D ε; bounds are compared with a margin.
//!
//! References: Bentley (1975), doi:10.1145/361002.361007; distances to cells are
//! updated as in Arya and Mount (1993), doi:10.1109/DCC.1993.253111.

use std::collections::BinaryHeap;

use faer::traits::pulp::{Arch, NullaryFnOnce};

use crate::search::partition::least_above;

/// Rows per leaf, at most.
const LEAF: usize = 16;

/// Subtrees with more rows are built in parallel.
const PARALLEL: usize = 1 << 13;

/// Relative margin: squared distances of the tree, and the distances to its cells, are
/// within D · eps of the exact value. The margin is a thousand times that.
const MARGIN: f64 = 1e-12;

/// Returns an upper bound that covers rounding and underflow of a squared distance.
pub(crate) fn widened(squared: f64) -> f64 {
    squared * (1.0 + MARGIN) + 1e-300
}

pub(crate) struct KdTree<const D: usize> {
    /// In preorder: a split, the subtree below it, the subtree above it.
    splits: Vec<Split>,
    leaves: Vec<Leaf<D>>,
}

#[derive(Clone, Copy, Default)]
struct Split {
    axis: u32,
    /// Rows in the first half are at most this, rows in the second at least.
    value: f64,
}

struct Leaf<const D: usize> {
    rows: [u32; LEAF],
    /// Coordinates by axis; infinite beyond the last row.
    coordinates: [[f64; LEAF]; D],
}

/// A subtree that remains to be searched.
struct Subtree<const D: usize> {
    split: usize,
    leaf: usize,
    leaves: usize,
    /// The distance from the query to the cell along each axis, and its square.
    offsets: [f64; D],
    squared: f64,
}

/// Memory of a search, reused from query to query.
pub(crate) struct Search<const D: usize> {
    remaining: Vec<Subtree<D>>,
    /// Squared distances as bits, which are ordered like the numbers, and rows.
    heap: BinaryHeap<(u64, u32)>,
}

impl<const D: usize> Search<D> {
    pub(crate) fn new() -> Self {
        Self { remaining: Vec::new(), heap: BinaryHeap::new() }
    }

    /// The result of [`KdTree::nearest`]: rows and squared distances, in no order.
    pub(crate) fn found(&self) -> impl Iterator<Item = (u32, f64)> {
        self.heap.iter().map(|&(bits, row)| (row, f64::from_bits(bits)))
    }
}

impl<const D: usize> KdTree<D> {
    /// O(n log n) time, O(n) memory.
    pub(crate) fn new(rows: &[[f64; D]]) -> Self {
        let leaves = rows.len().div_ceil(LEAF).next_power_of_two();
        let mut order: Vec<u32> = (0..rows.len() as u32).collect();
        let mut splits = vec![Split::default(); leaves - 1];
        let empty = || Leaf { rows: [0; LEAF], coordinates: [[f64::INFINITY; LEAF]; D] };
        let mut all: Vec<Leaf<D>> = (0..leaves).map(|_| empty()).collect();
        divide(rows, &mut order, &mut splits, &mut all);
        Self { splits, leaves: all }
    }

    /// The `count` rows nearest to a query, into `search`.
    pub(crate) fn nearest(&self, query: &[f64; D], count: usize, search: &mut Search<D>) {
        search.heap.clear();
        let Search { remaining, heap } = search;
        let visit = Closest { heap, count };
        Arch::new().dispatch(Walk { tree: self, query, remaining, visit });
    }

    /// The rows within a squared distance of a query; `near` may see a few more.
    pub(crate) fn within(&self, query: &[f64; D], reach: f64, search: &mut Search<D>, near: impl FnMut(u32)) {
        // Unused places of a leaf lie at infinity.
        let visit = Within { near, reach: reach.min(f64::MAX) };
        Arch::new().dispatch(Walk { tree: self, query, remaining: &mut search.remaining, visit });
    }
}

/// Divides the rows of a subtree; the numbers of rows of any two leaves differ by at most one.
fn divide<const D: usize>(
    rows: &[[f64; D]],
    order: &mut [u32],
    splits: &mut [Split],
    leaves: &mut [Leaf<D>],
) {
    let Some((split, splits)) = splits.split_first_mut() else {
        let leaf = &mut leaves[0];
        for (l, &row) in order.iter().enumerate() {
            leaf.rows[l] = row;
            (0..D).for_each(|axis| leaf.coordinates[axis][l] = rows[row as usize][axis]);
        }
        return;
    };
    let axis = widest(rows, order);
    let half = order.len() / 2;
    *split = Split { axis: axis as u32, value: least_above(order, half, rows.as_flattened(), (D, axis)) };
    let parallel = order.len() > PARALLEL;
    let (below, above) = order.split_at_mut(half);
    let (splits_below, splits_above) = splits.split_at_mut(splits.len() / 2);
    let (leaves_below, leaves_above) = leaves.split_at_mut(leaves.len() / 2);
    let mut first = || divide(rows, below, splits_below, leaves_below);
    let mut second = || divide(rows, above, splits_above, leaves_above);
    if parallel {
        rayon::join(first, second);
    } else {
        first();
        second();
    }
}

fn widest<const D: usize>(rows: &[[f64; D]], order: &[u32]) -> usize {
    let (mut low, mut high) = ([f64::INFINITY; D], [f64::NEG_INFINITY; D]);
    for &row in order {
        for (axis, &x) in rows[row as usize].iter().enumerate() {
            low[axis] = low[axis].min(x);
            high[axis] = high[axis].max(x);
        }
    }
    (0..D).max_by(|&a, &b| (high[a] - low[a]).total_cmp(&(high[b] - low[b]))).unwrap_or(0)
}

/// The operation of a search on the rows of a leaf, and the limit of the search.
trait Visit {
    /// Cells farther away are skipped.
    fn limit(&self) -> f64;
    fn leaf(&mut self, squared: &[f64; LEAF], rows: &[u32; LEAF]);
}

struct Closest<'a> {
    heap: &'a mut BinaryHeap<(u64, u32)>,
    count: usize,
}

impl Visit for Closest<'_> {
    #[inline(always)]
    fn limit(&self) -> f64 {
        match self.heap.peek() {
            Some(&(bits, _)) if self.heap.len() == self.count => widened(f64::from_bits(bits)),
            _ => f64::INFINITY,
        }
    }

    #[inline(always)]
    fn leaf(&mut self, squared: &[f64; LEAF], rows: &[u32; LEAF]) {
        let full = |heap: &BinaryHeap<(u64, u32)>| heap.len() == self.count;
        let farthest = |heap: &BinaryHeap<(u64, u32)>| {
            heap.peek().map_or(f64::INFINITY, |&(bits, _)| f64::from_bits(bits))
        };
        let mut bound = if full(self.heap) { farthest(self.heap) } else { f64::INFINITY };
        for (&squared, &row) in squared.iter().zip(rows) {
            if squared < bound {
                if full(self.heap) {
                    if let Some(mut farthest) = self.heap.peek_mut() {
                        *farthest = (squared.to_bits(), row);
                    }
                } else {
                    self.heap.push((squared.to_bits(), row));
                }
                if full(self.heap) {
                    bound = farthest(self.heap);
                }
            }
        }
    }
}

struct Within<F> {
    near: F,
    reach: f64,
}

impl<F: FnMut(u32)> Visit for Within<F> {
    #[inline(always)]
    fn limit(&self) -> f64 {
        self.reach
    }

    #[inline(always)]
    fn leaf(&mut self, squared: &[f64; LEAF], rows: &[u32; LEAF]) {
        for (&squared, &row) in squared.iter().zip(rows) {
            if squared <= self.reach {
                (self.near)(row);
            }
        }
    }
}

/// A search from the leaf of the query outward.
struct Walk<'a, V, const D: usize> {
    tree: &'a KdTree<D>,
    query: &'a [f64; D],
    remaining: &'a mut Vec<Subtree<D>>,
    visit: V,
}

impl<V: Visit, const D: usize> NullaryFnOnce for Walk<'_, V, D> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Self { tree, query, remaining, mut visit } = self;
        remaining.clear();
        let leaves = tree.leaves.len();
        remaining.push(Subtree { split: 0, leaf: 0, leaves, offsets: [0.0; D], squared: 0.0 });
        while let Some(Subtree { mut split, mut leaf, mut leaves, offsets, squared }) = remaining.pop() {
            if squared > visit.limit() {
                continue;
            }
            while leaves > 1 {
                let Split { axis, value } = tree.splits[split];
                let gap = query[axis as usize] - value;
                leaves /= 2;
                let (below, above) = ((split + 1, leaf), (split + leaves, leaf + leaves));
                let (near, far) = if gap < 0.0 { (below, above) } else { (above, below) };
                let mut offsets = offsets;
                offsets[axis as usize] = gap;
                let squared = offsets.iter().map(|offset| offset * offset).sum();
                if squared <= visit.limit() {
                    remaining.push(Subtree { split: far.0, leaf: far.1, leaves, offsets, squared });
                }
                (split, leaf) = near;
            }
            let Leaf { rows, coordinates } = &tree.leaves[leaf];
            let mut squared = [0.0; LEAF];
            for (coordinates, &x) in coordinates.iter().zip(query) {
                for (sum, &y) in squared.iter_mut().zip(coordinates) {
                    *sum += (y - x) * (y - x);
                }
            }
            visit.leaf(&squared, rows);
        }
    }
}
