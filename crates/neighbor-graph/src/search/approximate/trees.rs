//! Random trees: all points of a leaf are compared with each other.

use std::ops::Range;

use faer::traits::pulp::{Arch, Simd, WithSimd};
use rayon::prelude::*;

use super::compared::Compared;
use super::hash;
use super::nearest::Nearest;
use crate::search::partition::divide;

/// Largest number of points in a leaf where k is small.
const LEAF: usize = 96;

/// Parts of this size are divided by one thread.
const ALONE: usize = 4096;

/// Largest number of points in a leaf: half as many fill a list.
pub(super) fn leaf(k: usize) -> usize {
    LEAF.max(2 * (k + 1))
}

/// Divides the points by one tree, and offers every point the others of its leaf; returns the number of
/// pairs that are compared.
pub(super) fn join_leaves(space: &impl Compared, found: &mut Nearest, tree: u64, seed: u64) -> u64 {
    let mut members: Vec<u32> = (0..space.len() as u32).collect();
    let sizes = divided(space, &mut members, leaf(found.k()), hash(seed, tree));
    let mut end = 0;
    let leaves: Vec<Range<usize>> = sizes
        .into_iter()
        .map(|size| {
            end += size;
            end - size..end
        })
        .collect();
    // The place of each point: its leaf, and its row there.
    let mut places = vec![(0_u32, 0_u32); members.len()];
    for (l, leaf) in leaves.iter().enumerate() {
        for (row, &at) in members[leaf.clone()].iter().enumerate() {
            places[at as usize] = (l as u32, row as u32);
        }
    }
    let k = found.k();
    let nearest: Vec<Vec<(u32, f32)>> = leaves
        .par_iter()
        .map_init(
            || space.scratch(),
            |scratch, leaf| Arch::new().dispatch(Leaf { space, scratch, members: &members[leaf.clone()], k }),
        )
        .collect();
    found.rows().zip(&places).for_each(|(mut row, &(leaf, at))| {
        for &(j, distance) in &nearest[leaf as usize][at as usize * k..][..k] {
            row.offer(j, distance);
        }
    });
    leaves.iter().map(|leaf| (leaf.len() * (leaf.len() - 1) / 2) as u64).sum()
}

/// Permutes the members into leaves, and returns the sizes of the leaves. A part is
/// divided in halves along a direction of [`Compared::along`].
pub(super) fn divided(space: &impl Compared, members: &mut [u32], most: usize, key: u64) -> Vec<usize> {
    if members.len() <= most {
        return vec![members.len()];
    }
    let along = space.along(members, key);
    let alone = members.len() <= ALONE;
    let (first, second) = divide(members, &along);
    let mut left = || divided(space, first, most, hash(key, 2));
    let mut right = || divided(space, second, most, hash(key, 3));
    let (mut sizes, others) = if alone { (left(), right()) } else { rayon::join(left, right) };
    sizes.extend(others);
    sizes
}

/// All pairs of a leaf; for each member its k nearest others.
struct Leaf<'a, P: Compared> {
    space: &'a P,
    scratch: &'a mut P::Scratch,
    members: &'a [u32],
    k: usize,
}

impl<P: Compared> WithSimd for Leaf<'_, P> {
    type Output = Vec<(u32, f32)>;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> Vec<(u32, f32)> {
        let count = self.members.len();
        let mut separations = vec![0.0; count * count];
        for (i, &a) in self.members.iter().enumerate() {
            let (others, mut j) = (self.members[..i].iter().copied(), 0);
            self.space.separations(simd, self.scratch, a, others, |_, separation| {
                (separations[i * count + j], separations[j * count + i]) = (separation, separation);
                j += 1;
            });
        }
        let mut nearest = Vec::with_capacity(count * self.k);
        let mut others = Vec::with_capacity(count);
        for i in 0..count {
            others.clear();
            let row = &separations[i * count..][..count];
            others.extend(self.members.iter().copied().zip(row.iter().copied()));
            others.swap_remove(i);
            others.select_nth_unstable_by(self.k - 1, |a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
            nearest.extend_from_slice(&others[..self.k]);
        }
        nearest
    }
}
