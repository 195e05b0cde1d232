//! Disparities of non-metric scaling: isotonic regression of the distances on the order
//! of the dissimilarities.

use std::ops::Range;

use embedding::Error;
use rayon::prelude::*;

use crate::isotonic::{Block, Pool};
use crate::majorization::Targets;
use crate::sweep::{Sweep, TINY};
use crate::{Dissimilarities, Stress, Ties};

/// Largest number of parts of the order processed in parallel; fixed, so that results do
/// not depend on the number of threads.
const PARTS: usize = 64;

/// Smallest number of pairs in a part.
const SHORTEST: usize = 4096;

/// A pair of points i > j and its distance.
#[derive(Clone, Copy, Debug)]
struct Pair {
    distance: f64,
    i: u32,
    j: u32,
}

/// Consecutive pairs in the order; ties are never split between parts.
struct Part {
    pairs: Vec<Pair>,
    /// Ranges of more than one pair with the same dissimilarity.
    tied: Vec<Range<usize>>,
}

/// Targets that increase monotonically with the dissimilarities (disparities).
pub(crate) struct Ordered<'a> {
    given: &'a Dissimilarities,
    ties: Ties,
    /// All known pairs in ascending order of dissimilarity.
    parts: Vec<Part>,
    /// Σ w δ².
    total: f64,
    /// The regression of the distances on that order.
    pool: Pool,
    /// Factor from fitted means to disparities.
    factor: f64,
}

impl<'a> Ordered<'a> {
    /// Sorts the pairs. O(n² log n).
    pub(crate) fn new(given: &'a Dissimilarities, ties: Ties) -> Self {
        let n = given.len();
        let mut pairs: Vec<Pair> = (0..n)
            .flat_map(|i| (0..i).map(move |j| (i, j)))
            .filter(|&(i, j)| given.weight(i, j) > 0.0)
            .map(|(i, j)| Pair { distance: given.get(i, j), i: i as u32, j: j as u32 })
            .collect();
        pairs.par_sort_unstable_by_key(|pair| (key(pair), pair.i, pair.j));
        let length = pairs.len().div_ceil(PARTS).max(SHORTEST);
        let mut parts = vec![Part { pairs: Vec::with_capacity(length), tied: Vec::new() }];
        for run in pairs.chunk_by(|a, b| a.distance == b.distance) {
            if parts.last().is_none_or(|part| part.pairs.len() >= length) {
                parts.push(Part { pairs: Vec::with_capacity(length), tied: Vec::new() });
            }
            let part = parts.last_mut().expect("there is a first part");
            if run.len() > 1 {
                part.tied.push(part.pairs.len()..part.pairs.len() + run.len());
            }
            part.pairs.extend_from_slice(run);
        }
        Self { given, ties, parts, total: given.sum_of_squares(), pool: Pool::default(), factor: 1.0 }
    }

    /// Returns the stress of the coordinates of the last sweep; stress-1 by the regression of their
    /// distances itself, as Kruskal defines it, not by the disparities, a multiple of it.
    pub(crate) fn stress(&self) -> Stress {
        let by = |factor: f64| {
            let triple =
                |(pair, mean): (&Pair, f64)| (factor * mean, pair.distance, weight(self.given, pair));
            Stress::between(self.means().map(triple))
        };
        Stress { stress_1: by(1.0).stress_1, ..by(self.factor) }
    }

    /// Returns the knots of the monotone regression function: dissimilarities at which
    /// its slope changes, and its mean there.
    pub(crate) fn knots(&self) -> Vec<(f64, f64)> {
        // Dissimilarity, sum of disparities, number of pairs.
        let mut runs: Vec<(f64, f64, usize)> = Vec::new();
        for (pair, disparity) in self.all() {
            let value = self.given.get(pair.i as usize, pair.j as usize);
            match runs.last_mut() {
                Some((at, sum, count)) if *at == value => (*sum, *count) = (*sum + disparity, *count + 1),
                _ => runs.push((value, disparity, 1)),
            }
        }
        let means: Vec<(f64, f64)> = runs.iter().map(|(at, sum, count)| (*at, sum / *count as f64)).collect();
        let kept = |i: usize| {
            let inside = i > 0 && i + 1 < means.len();
            !(inside && means[i - 1].1 == means[i].1 && means[i].1 == means[i + 1].1)
        };
        (0..means.len()).filter(|&i| kept(i)).map(|i| means[i]).collect()
    }

    /// Iterates over the pairs in order, each with its disparity.
    fn all(&self) -> impl Iterator<Item = (&Pair, f64)> {
        self.means().map(|(pair, mean)| (pair, self.factor * mean))
    }

    /// Iterates over the pairs in order, each with its value of the regression.
    fn means(&self) -> impl Iterator<Item = (&Pair, f64)> {
        let mean = |block: &Block| std::iter::repeat_n(block.mean, block.length);
        self.parts.iter().flat_map(|part| &part.pairs).zip(self.pool.blocks.iter().flat_map(mean))
    }

    /// Computes the regression of the distances between `rows`, coordinates stored by
    /// rows.
    fn regress(&mut self, rows: &[f64], dim: usize) -> Result<(), Error> {
        let (given, ties) = (self.given, self.ties);
        let pools: Vec<Pool> =
            self.parts.par_iter_mut().map(|part| part.regress(rows, dim, given, ties)).collect();
        self.pool = Pool::default();
        pools.iter().flat_map(|pool| &pool.blocks).for_each(|block| self.pool.push(*block));
        let shown: f64 = self.pool.blocks.iter().map(|block| block.mass * block.mean * block.mean).sum();
        if shown == 0.0 {
            return Err(Error::degenerate("all points coincide", "use another start"));
        }
        self.factor = (self.total / shown).sqrt();
        Ok(())
    }

    /// Returns for each part its first block, and how many pairs of that block belong to
    /// earlier parts.
    fn first_blocks(&self) -> Vec<(usize, usize)> {
        let (mut block, mut used) = (0, 0);
        let mut beginnings = Vec::with_capacity(self.parts.len());
        for part in &self.parts {
            beginnings.push((block, used));
            used += part.pairs.len();
            while block < self.pool.blocks.len() && self.pool.blocks[block].length <= used {
                used -= self.pool.blocks[block].length;
                block += 1;
            }
        }
        beginnings
    }
}

impl Targets for Ordered<'_> {
    fn sweep(&mut self, x: &[Vec<f64>]) -> Result<Sweep, Error> {
        let (n, dim) = (x[0].len(), x.len());
        let rows: Vec<f64> = (0..n).flat_map(|i| x.iter().map(move |column| column[i])).collect();
        self.regress(&rows, dim)?;
        let parts: Vec<(f64, Vec<f64>)> = self
            .parts
            .par_iter()
            .zip(self.first_blocks())
            .map(|(part, (first, used))| {
                let mut left = &part.pairs[..];
                let (mut stress, mut force) = (0.0, vec![0.0; n * dim]);
                for (b, block) in self.pool.blocks[first..].iter().enumerate() {
                    let length = block.length - if b == 0 { used } else { 0 };
                    let (pairs, rest) = left.split_at(length.min(left.len()));
                    let target = self.factor * block.mean;
                    stress += force_of(pairs, target, self.given, &rows, dim, &mut force);
                    left = rest;
                    if left.is_empty() {
                        break;
                    }
                }
                (stress, force)
            })
            .collect();
        let mut sum = Sweep::zero(n, dim);
        for (stress, force) in &parts {
            sum.stress += stress;
            for (i, row) in force.chunks_exact(dim).enumerate() {
                sum.force.iter_mut().zip(row).for_each(|(column, v)| column[i] += v);
            }
        }
        Ok(sum)
    }
}

impl Part {
    fn regress(&mut self, rows: &[f64], dim: usize, given: &Dissimilarities, ties: Ties) -> Pool {
        match dim {
            2 => self.measure::<2>(rows),
            3 => self.measure::<3>(rows),
            _ => self.measure_any(rows, dim),
        }
        match ties {
            Ties::Primary => self.free(given),
            Ties::Secondary => self.bound(given),
        }
    }

    /// Primary approach to ties: tied pairs are sorted by distance and may get different
    /// disparities.
    fn free(&mut self, given: &Dissimilarities) -> Pool {
        for tied in &self.tied {
            // Pairs of equal distance belong to one block in any order.
            self.pairs[tied.clone()].sort_unstable_by_key(key);
        }
        match given.weights() {
            None => Pool::of(&self.pairs, |pair| (pair.distance, 1.0)),
            Some(_) => Pool::of(&self.pairs, |pair| (pair.distance, weight(given, pair))),
        }
    }

    /// Secondary approach to ties: tied pairs get one disparity, from their mean.
    fn bound(&self, given: &Dissimilarities) -> Pool {
        let mut pool = Pool::default();
        let mut done = 0;
        for tied in self.tied.iter().cloned().chain(std::iter::once(self.pairs.len()..self.pairs.len())) {
            for pair in &self.pairs[done..tied.start] {
                pool.push(Block { mean: pair.distance, mass: weight(given, pair), length: 1 });
            }
            done = tied.end;
            let run = &self.pairs[tied];
            let mass: f64 = run.iter().map(|pair| weight(given, pair)).sum();
            if !run.is_empty() {
                let sum: f64 = run.iter().map(|pair| weight(given, pair) * pair.distance).sum();
                pool.push(Block { mean: sum / mass, mass, length: run.len() });
            }
        }
        pool
    }

    fn measure<const D: usize>(&mut self, rows: &[f64]) {
        let (rows, _) = rows.as_chunks::<D>();
        for pair in &mut self.pairs {
            let (a, b) = (&rows[pair.i as usize], &rows[pair.j as usize]);
            pair.distance = (0..D).map(|c| (a[c] - b[c]) * (a[c] - b[c])).sum::<f64>().sqrt();
        }
    }

    fn measure_any(&mut self, rows: &[f64], dim: usize) {
        let row = |i: u32| rows[i as usize * dim..][..dim].iter();
        for pair in &mut self.pairs {
            pair.distance = row(pair.i).zip(row(pair.j)).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt();
        }
    }
}

fn weight(given: &Dissimilarities, pair: &Pair) -> f64 {
    given.weight(pair.i as usize, pair.j as usize)
}

/// Returns a sort key that orders as the nonnegative distance.
fn key(pair: &Pair) -> u64 {
    pair.distance.to_bits()
}

/// Adds to `force` the contribution of pairs with the same target; returns their stress.
fn force_of(
    pairs: &[Pair],
    target: f64,
    given: &Dissimilarities,
    rows: &[f64],
    dim: usize,
    force: &mut [f64],
) -> f64 {
    match (dim, given.weights()) {
        (2, None) => force_in::<2>(pairs, target, |_| 1.0, rows, force),
        (3, None) => force_in::<3>(pairs, target, |_| 1.0, rows, force),
        (2, Some(_)) => force_in::<2>(pairs, target, |pair| weight(given, pair), rows, force),
        _ => force_any(pairs, target, given, rows, dim, force),
    }
}

fn force_in<const D: usize>(
    pairs: &[Pair],
    target: f64,
    weight: impl Fn(&Pair) -> f64,
    rows: &[f64],
    force: &mut [f64],
) -> f64 {
    let ((rows, _), (force, _)) = (rows.as_chunks::<D>(), force.as_chunks_mut::<D>());
    let mut stress = 0.0;
    for pair in pairs {
        let (i, j) = (pair.i as usize, pair.j as usize);
        let (weight, miss) = (weight(pair), target - pair.distance);
        stress += weight * miss * miss;
        let ratio = weight * miss / pair.distance.max(TINY);
        let terms: [f64; D] = std::array::from_fn(|c| ratio * (rows[i][c] - rows[j][c]));
        (0..D).for_each(|c| force[i][c] += terms[c]);
        (0..D).for_each(|c| force[j][c] -= terms[c]);
    }
    stress
}

fn force_any(
    pairs: &[Pair],
    target: f64,
    given: &Dissimilarities,
    rows: &[f64],
    dim: usize,
    force: &mut [f64],
) -> f64 {
    let mut stress = 0.0;
    for pair in pairs {
        let (i, j) = (pair.i as usize, pair.j as usize);
        let (weight, miss) = (weight(given, pair), target - pair.distance);
        stress += weight * miss * miss;
        let ratio = weight * miss / pair.distance.max(TINY);
        for c in 0..dim {
            let term = ratio * (rows[i * dim + c] - rows[j * dim + c]);
            force[i * dim + c] += term;
            force[j * dim + c] -= term;
        }
    }
    stress
}
