//! Descent: neighbors of the same point are compared with each other.

use faer::traits::pulp::{Arch, Simd, WithSimd};
use rayon::prelude::*;

use super::compared::Compared;
use super::hash;
use super::nearest::Nearest;

/// Points whose neighbors are compared before the found pairs are entered.
const BLOCK: usize = 8192;

/// Points per task, and lists per task when entries are made.
const CHUNK: usize = 256;

/// Smallest and largest number of fresh candidates per point, and of other candidates.
const CANDIDATES: (usize, usize) = (10, 60);

/// Largest number of fresh candidates of a point, and of other candidates, for lists of k neighbors.
pub(super) fn most_candidates(k: usize) -> usize {
    k.clamp(CANDIDATES.0, CANDIDATES.1)
}

/// A round that changes a smaller fraction of all entries is the last.
const FEWEST_CHANGES: f64 = 0.001;

/// Most rounds of one descent.
const ROUNDS: usize = 16;

/// A pair that may improve the list of `of`.
#[derive(Clone, Copy, Debug)]
struct Offer {
    of: u32,
    other: u32,
    separation: f32,
}

pub(super) struct Descent<'a, P> {
    space: &'a P,
    seed: u64,
    rounds: usize,
    pairs: u64,
}

impl<'a, P: Compared> Descent<'a, P> {
    pub(super) fn new(space: &'a P, seed: u64) -> Self {
        Self { space, seed, rounds: 0, pairs: 0 }
    }

    /// The number of pairs that the last round compared.
    pub(super) fn pairs(&self) -> u64 {
        self.pairs
    }

    /// One round over all points; returns whether another may be worthwhile.
    pub(super) fn round(&mut self, found: &mut Nearest) -> bool {
        let (n, k) = (found.len(), found.k());
        let most = most_candidates(k);
        let seed = hash(self.seed, self.rounds as u64);
        let fresh = Candidates::new(found, true, most, seed);
        let others = Candidates::new(found, false, most, seed);
        self.pairs = (0..n)
            .map(|at| {
                let (fresh, others) = (fresh.of(at).len(), others.of(at).len());
                (fresh * (fresh + 2 * others) / 2) as u64
            })
            .sum();
        // Entries that are compared in this round are not fresh in the next.
        found.rows().enumerate().for_each(|(at, row)| {
            let compared = fresh.of(at);
            row.indices.iter().zip(row.fresh).for_each(|(j, fresh)| {
                *fresh = *fresh && !compared.contains(j);
            });
        });
        let mut changes = 0;
        for start in (0..n).step_by(BLOCK) {
            let starts: Vec<usize> = (start..n.min(start + BLOCK)).step_by(CHUNK).collect();
            let offers: Vec<Vec<Offer>> = starts
                .into_par_iter()
                .map_init(
                    || self.space.scratch(),
                    |scratch, first| {
                        let (space, found) = (self.space, &*found);
                        let mut offers = Vec::new();
                        for at in first..n.min(first + CHUNK).min(start + BLOCK) {
                            let (fresh, others) = (fresh.of(at), others.of(at));
                            Arch::new().dispatch(Join {
                                space,
                                scratch,
                                found,
                                fresh,
                                others,
                                offers: &mut offers,
                            });
                        }
                        offers.sort_unstable_by_key(|offer| (offer.of, offer.other));
                        offers.dedup_by_key(|offer| (offer.of, offer.other));
                        offers
                    },
                )
                .collect();
            changes += entered(found, &offers);
        }
        self.rounds += 1;
        self.rounds < ROUNDS && changes as f64 > FEWEST_CHANGES * (n * k) as f64
    }
}

/// Enters offers, sorted by the list they are for; returns how many were good enough.
fn entered(found: &mut Nearest, offers: &[Vec<Offer>]) -> usize {
    let enter = |(chunk, mut rows): (usize, Vec<super::nearest::Row<'_>>)| {
        let first = (chunk * CHUNK) as u32;
        let end = first + rows.len() as u32;
        let mut changes = 0;
        for offers in offers {
            let from = offers.partition_point(|offer| offer.of < first);
            for offer in offers[from..].iter().take_while(|offer| offer.of < end) {
                changes +=
                    usize::from(rows[(offer.of - first) as usize].offer(offer.other, offer.separation));
            }
        }
        changes
    };
    found.rows().chunks(CHUNK).enumerate().map(enter).sum()
}

/// The neighbors of a point that are compared: the fresh ones with each other and with
/// the others.
struct Join<'a, P: Compared> {
    space: &'a P,
    scratch: &'a mut P::Scratch,
    found: &'a Nearest,
    fresh: &'a [u32],
    others: &'a [u32],
    offers: &'a mut Vec<Offer>,
}

impl<P: Compared> WithSimd for Join<'_, P> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { space, scratch, found, fresh, others, offers } = self;
        for (i, &a) in fresh.iter().enumerate() {
            let reach = found.reach(a);
            let with = fresh[i + 1..].iter().chain(others).copied().filter(|&b| b != a);
            space.separations(simd, scratch, a, with, |b, separation| {
                if separation < reach {
                    offers.push(Offer { of: a, other: b, separation });
                }
                if separation < found.reach(b) {
                    offers.push(Offer { of: b, other: a, separation });
                }
            });
        }
    }
}

/// For every point some of its neighbors, and some of the points whose neighbor it is.
#[derive(Debug)]
struct Candidates {
    starts: Vec<usize>,
    positions: Vec<u32>,
}

impl Candidates {
    /// At most `most` entries for every point, chosen at random among the fresh entries
    /// or among the others.
    fn new(found: &Nearest, fresh: bool, most: usize, seed: u64) -> Self {
        let n = found.len();
        let chosen = |at: usize| {
            let (indices, flags) = found.of(at);
            let entries = indices.iter().zip(flags);
            entries.filter(move |(j, f)| **f == fresh && **j != u32::MAX).map(|(j, _)| *j)
        };
        let mut ends = vec![0_usize; n + 1];
        (0..n).for_each(|at| chosen(at).for_each(|j| ends[j as usize + 1] += 1));
        (0..n).for_each(|at| ends[at + 1] += ends[at]);
        let mut reverse = vec![0_u32; ends[n]];
        let mut next = ends.clone();
        for at in 0..n {
            for j in chosen(at) {
                reverse[next[j as usize]] = at as u32;
                next[j as usize] += 1;
            }
        }
        let select = |at: usize, scratch: &mut Vec<(u64, u32)>, out: &mut Vec<u32>| {
            let both = chosen(at).chain(reverse[ends[at]..ends[at + 1]].iter().copied());
            scratch.clear();
            // A pair has one key, seen from either side.
            let key = |j: u32| (u64::from(j.min(at as u32)) << 32) | u64::from(j.max(at as u32));
            scratch.extend(both.map(|j| (hash(seed, key(j)), j)));
            scratch.sort_unstable();
            scratch.dedup();
            out.extend(scratch.iter().take(most).map(|e| e.1));
        };
        let starts: Vec<usize> = (0..n).step_by(CHUNK).collect();
        let parts: Vec<(Vec<u32>, Vec<u32>)> = starts
            .into_par_iter()
            .map(|first| {
                let (mut scratch, mut out, mut lengths) = (Vec::new(), Vec::new(), Vec::new());
                for at in first..n.min(first + CHUNK) {
                    let before = out.len();
                    select(at, &mut scratch, &mut out);
                    lengths.push((out.len() - before) as u32);
                }
                (out, lengths)
            })
            .collect();
        let mut starts = Vec::with_capacity(n + 1);
        starts.push(0);
        let mut positions = Vec::with_capacity(parts.iter().map(|part| part.0.len()).sum());
        for (out, lengths) in &parts {
            positions.extend_from_slice(out);
            starts.extend(lengths.iter().scan(starts[starts.len() - 1], |end, &length| {
                *end += length as usize;
                Some(*end)
            }));
        }
        Self { starts, positions }
    }

    fn of(&self, at: usize) -> &[u32] {
        &self.positions[self.starts[at]..self.starts[at + 1]]
    }
}
