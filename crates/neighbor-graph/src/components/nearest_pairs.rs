//! Shortest edges between components in high dimensions, where bounding boxes do not
//! prune.
//!
//! Every pair of points in different components is considered once, as tiles of rows
//! against tiles of rows, a range of columns at a time, so that rows are read from the
//! cache. Partial sums of squares are nondecreasing, also in floating point, so a pair of
//! tiles is abandoned when all its partial distances exceed the shortest edge known
//! between their components. Kruskal's algorithm then joins the components.

use std::ops::Range;

use embedding::Points;
use embedding::implement::LANES;
use faer::traits::pulp::{Arch, NullaryFnOnce};
use rayon::prelude::*;

use crate::components::bridge::Bridge;
use crate::components::labels::ComponentLabels;
use crate::metric::{Partial, distance};

/// Rows per tile.
const TILE: usize = 8;

/// Columns read at a time: sixteen rows of this length fit in the first-level cache.
const DEPTH: usize = 32 * LANES;

/// Points of each component used to find initial edges.
const SEEDS: usize = 8;

/// Computes the minimum spanning tree over the components, shortest edge first.
///
/// O(n² D) time, (n / 8 + c) c edges for c components.
pub(crate) fn spanning_tree(points: Points<'_>, labels: &ComponentLabels) -> Vec<Bridge> {
    let count = labels.sizes.len();
    let members: Vec<Vec<u32>> = (0..count).map(|c| labels.members(c)).collect();
    let seeds = seeds(points, &members);
    let tiles: Vec<(usize, &[u32])> =
        members.iter().enumerate().flat_map(|(c, own)| own.chunks(TILE).map(move |tile| (c, tile))).collect();
    let found: Vec<(usize, Vec<Bridge>)> = tiles
        .par_iter()
        .enumerate()
        .map(|(at, &(own, tile))| {
            let mut best = seeds[own].clone();
            for &(other, across) in &tiles[at + 1..] {
                if other != own {
                    let best = &mut best[other - own - 1];
                    Arch::new().dispatch(TilePair { points, one: tile, other: across, best });
                }
            }
            (own, best)
        })
        .collect();
    let mut shortest = seeds;
    for (own, best) in found {
        for (kept, bridge) in shortest[own].iter_mut().zip(best) {
            if bridge.before(kept) {
                *kept = bridge;
            }
        }
    }
    let mut edges = shortest.concat();
    edges.sort_by(Bridge::order);
    let mut union = petgraph::unionfind::UnionFind::<u32>::new(count);
    edges.retain(|bridge| union.union(labels.of[bridge.from as usize], labels.of[bridge.to as usize]));
    edges
}

/// Returns an initial, preferably short, edge from each component to each later one.
fn seeds(points: Points<'_>, members: &[Vec<u32>]) -> Vec<Vec<Bridge>> {
    let some =
        |own: &Vec<u32>| -> Vec<u32> { own.iter().copied().step_by(own.len().div_ceil(SEEDS)).collect() };
    let some: Vec<Vec<u32>> = members.iter().map(some).collect();
    let shortest = |g: usize, h: usize| {
        let pairs = some[g].iter().flat_map(|&i| some[h].iter().map(move |&j| (i, j)));
        let bridges =
            pairs.map(|(i, j)| Bridge::new(i, j, distance(points.row(i as usize), points.row(j as usize))));
        bridges.min_by(Bridge::order).expect("no component is empty")
    };
    let count = members.len();
    (0..count).into_par_iter().map(|g| (g + 1..count).map(|h| shortest(g, h)).collect()).collect()
}

/// A tile of points of one component and a tile of another.
struct TilePair<'a> {
    points: Points<'a>,
    one: &'a [u32],
    other: &'a [u32],
    best: &'a mut Bridge,
}

impl NullaryFnOnce for TilePair<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Self { points, one, other, best } = self;
        let dim = points.dim();
        let whole = dim - dim % LANES;
        let mut sums = [[Partial::default(); TILE]; TILE];
        for start in (0..whole).step_by(DEPTH) {
            let columns = start..whole.min(start + DEPTH);
            if !add_columns(points, one, other, columns, &mut sums, best.distance) {
                return;
            }
        }
        for (&i, sums) in one.iter().zip(&sums) {
            for (&j, sum) in other.iter().zip(sums) {
                let rest = (&points.row(i as usize)[whole..], &points.row(j as usize)[whole..]);
                let bridge = Bridge::new(i, j, sum.squared_distance(rest.0, rest.1).sqrt());
                if bridge.before(best) {
                    *best = bridge;
                }
            }
        }
    }
}

/// Adds a range of columns; returns whether any pair may still be nearer than `reach`.
#[inline(always)]
fn add_columns(
    points: Points<'_>,
    one: &[u32],
    other: &[u32],
    columns: Range<usize>,
    sums: &mut [[Partial; TILE]; TILE],
    reach: f64,
) -> bool {
    let mut any = false;
    for (&i, sums) in one.iter().zip(sums) {
        let row = &points.row(i as usize)[columns.clone()];
        for (&j, sum) in other.iter().zip(sums) {
            sum.add(row, &points.row(j as usize)[columns.clone()]);
            any |= sum.squared_distance(&[], &[]).sqrt() <= reach;
        }
    }
    any
}
