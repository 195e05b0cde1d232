//! The shortest edges between components in many dimensions, where boxes around
//! points tell nothing.
//!
//! Every pair of points in different components is met once, some rows with
//! some rows at a time and a piece of their columns after the other, so that
//! they are read from the cache. Partial sums only grow, by terms and by
//! rounding alike: when all pairs of a meeting are farther than the best edge
//! between their components, it ends. Kruskal's algorithm then joins the
//! components.

use std::ops::Range;

use embedding::{LANES, Points};
use faer::traits::pulp::{Arch, NullaryFnOnce};
use rayon::prelude::*;

use crate::Labels;
use crate::bridges::Bridge;
use crate::metric::{Partial, distance};

/// Rows that meet as many others at a time.
const TILE: usize = 8;

/// Columns read at a time: sixteen rows of so many fit into the first-level cache.
const DEPTH: usize = 32 * LANES;

/// Points of each component that give the first edges.
const SEEDS: usize = 8;

/// The minimum spanning tree over the components, shortest edge first.
///
/// O(n² D) time, (n / 8 + c) c edges for c components.
pub(crate) fn spanning_tree(points: Points<'_>, labels: &Labels) -> Vec<Bridge> {
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
                    Arch::new().dispatch(Meeting { points, one: tile, other: across, best });
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

/// Some edge from each component to each after it, a short one where little work finds it.
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

/// A few points meet a few of another component.
struct Meeting<'a> {
    points: Points<'a>,
    one: &'a [u32],
    other: &'a [u32],
    best: &'a mut Bridge,
}

// A closure would be compiled for the least of all processors.
impl NullaryFnOnce for Meeting<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Self { points, one, other, best } = self;
        let dim = points.dim();
        let whole = dim - dim % LANES;
        let mut sums = [[Partial::default(); TILE]; TILE];
        for start in (0..whole).step_by(DEPTH) {
            let columns = start..whole.min(start + DEPTH);
            if !meet(points, one, other, columns, &mut sums, best.distance) {
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

/// Adds some columns; whether any pair may still be as near as `reach`.
#[inline(always)]
fn meet(
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
