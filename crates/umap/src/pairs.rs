//! The pairs of points that attract or repel each other in a step.

use std::ops::Range;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::Rng;

use crate::forces::Forces;

/// Bound of each coordinate of a pull or push.
const LONGEST: f32 = 4.0;

/// Fraction of 2³² in the golden ratio: visits of edges with consecutive phases are
/// spread evenly over the steps.
const GOLDEN: u32 = 0x9E37_79B9;

/// Edges that are tested together, as many as bits of a number.
const GROUP: usize = 32;

/// Points per parallel task and stream of random numbers.
pub(crate) const CHUNK: usize = 128;

/// Edges by rows with the frequency of their visits: the fraction of the largest weight. After the
/// last there are [`GROUP`] of no chunk.
pub(crate) struct Edges {
    /// Offsets of the chunks.
    starts: Vec<usize>,
    /// The points they begin at, counted within their chunk.
    rows: Vec<u8>,
    columns: Vec<u32>,
    /// Visits per step, in units of 2⁻³².
    rates: Vec<u32>,
}

impl Edges {
    /// The memory of an edge.
    pub(crate) const BYTES: usize = 9;

    /// The rows of a graph. `largest` is the weight of an edge that is visited in every
    /// epoch.
    pub(crate) fn new<'a>(
        n: usize,
        row: impl Fn(usize) -> (&'a [u32], &'a [f64]),
        largest: f64,
        steps: usize,
    ) -> Self {
        let entries: usize = (0..n).map(|i| row(i).0.len()).sum();
        let mut edges = Self {
            starts: Vec::with_capacity(n.div_ceil(CHUNK) + 1),
            rows: Vec::with_capacity(entries + GROUP),
            columns: Vec::with_capacity(entries + GROUP),
            rates: Vec::with_capacity(entries + GROUP),
        };
        let unit = f64::from(u32::MAX) / (steps as f64 * largest);
        for i in 0..n {
            if i.is_multiple_of(CHUNK) {
                edges.starts.push(edges.columns.len());
            }
            let (js, ws) = row(i);
            edges.rows.extend(js.iter().map(|_| (i % CHUNK) as u8));
            edges.columns.extend_from_slice(js);
            edges.rates.extend(ws.iter().map(|w| (w * unit) as u32));
        }
        edges.starts.push(edges.columns.len());
        edges.rows.resize(entries + GROUP, 0);
        edges.columns.resize(entries + GROUP, 0);
        edges.rates.resize(entries + GROUP, 0);
        edges
    }

    /// Replaces pairs by the edges of a chunk of points that are visited in a step. An edge of
    /// rate r and phase φ is visited in step t if a whole number lies between φ + t r and
    /// φ + (t + 1) r.
    pub(crate) fn due(&self, chunk: usize, step: u32, pairs: &mut Pairs) {
        let edges = self.starts[chunk]..self.starts[chunk + 1];
        pairs.per_row = 1;
        pulp::Arch::new().dispatch(Due { graph: self, edges, step, pairs });
    }
}

/// The arguments of [`Edges::due`], so that it is compiled for the widest registers.
struct Due<'a> {
    graph: &'a Edges,
    edges: Range<usize>,
    step: u32,
    pairs: &'a mut Pairs,
}

impl pulp::NullaryFnOnce for Due<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Self { graph: Edges { rows, columns, rates, .. }, edges, step, pairs } = self;
        let Pairs { rows: due, others, .. } = pairs;
        due.resize(edges.len() + GROUP, 0);
        others.resize(edges.len() + GROUP, 0);
        let mut visited = 0;
        for first in edges.clone().step_by(GROUP) {
            let (rows, columns) = (group(&rows[first..]), group(&columns[first..]));
            let phase = (first as u32).wrapping_mul(GOLDEN);
            let mut flags = [0; GROUP];
            let rates = group(&rates[first..]);
            for l in 0..GROUP {
                let before = phase
                    .wrapping_add(GOLDEN.wrapping_mul(l as u32))
                    .wrapping_add(rates[l].wrapping_mul(step));
                flags[l] = u8::from(before.wrapping_add(rates[l]) < before);
            }
            let mut left = bits(flags) & u32::MAX >> GROUP.saturating_sub(edges.end - first);
            let end = visited + left.count_ones() as usize;
            // Without branches that depend on the edges: the next ones overwrite what exceeds
            // the number of those that are visited.
            while visited < end {
                for (due, other) in due[visited..][..8].iter_mut().zip(&mut others[visited..][..8]) {
                    let l = left.trailing_zeros() as usize % GROUP;
                    (*due, *other) = (rows[l], columns[l]);
                    left &= left.wrapping_sub(1);
                }
                visited += 8;
            }
            visited = end;
        }
        due.truncate(visited);
        others.truncate(visited);
    }
}

/// The first [`GROUP`] numbers.
#[inline(always)]
fn group<T>(numbers: &[T]) -> &[T; GROUP] {
    numbers.first_chunk().expect("lists are filled up")
}

/// The numbers 0 or 1 as bits, from the lowest on.
#[inline(always)]
fn bits(flags: [u8; GROUP]) -> u32 {
    let eights = flags.as_chunks::<8>().0.iter().enumerate();
    // The product has the lowest bits of the eight bytes in its highest byte.
    eights.fold(0, |bits, (at, eight)| {
        let highest = u64::from_le_bytes(*eight).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        bits | (highest as u32) << (8 * at)
    })
}

/// Pairs of moving points and others, whose forces are computed together.
#[derive(Default)]
pub(crate) struct Pairs {
    /// The moving points, each of which has `per_row` others.
    rows: Vec<u8>,
    per_row: usize,
    /// The other points.
    others: Vec<u32>,
    /// Differences, row by row.
    differences: Vec<f32>,
    /// Squared distances, then factors.
    factors: Vec<f32>,
    /// Random numbers of [`Pairs::draw`].
    random: Vec<u8>,
}

/// The force between the points of a pair.
#[derive(Clone, Copy)]
pub(crate) enum Force {
    Attraction,
    Repulsion,
}

/// Pulls of one point in a step above which they are bounded together. The memberships of a point sum
/// to log2 k, 4 of 15 neighbors, and each counts once an epoch at most: only a point in the lists of
/// hundreds of others exceeds it.
const MANY: usize = 16;

impl Pairs {
    /// Replaces them by others drawn out of `n` points, `per_pair` for each pair of `pairs`.
    pub(crate) fn draw(&mut self, random: &mut ChaCha8Rng, n: usize, pairs: &Self, per_pair: usize) {
        self.random.resize(4 * per_pair * pairs.others.len(), 0);
        random.fill_bytes(&mut self.random);
        let numbers = self.random.as_chunks().0.iter().map(|bytes| u32::from_le_bytes(*bytes));
        self.others.clear();
        self.others.extend(numbers.map(|number| ((u64::from(number) * n as u64) >> 32) as u32));
        self.rows.clone_from(&pairs.rows);
        self.per_row = per_pair;
    }

    /// Divides the moves of points that more than [`MANY`] others pull at a time by the strength of
    /// these pulls, `times` the sum of their factors, where it is above 1: such a point moves to the
    /// weighted mean of those that pull it at most, not far beyond. After [`Pairs::add_forces`] of the
    /// pulls.
    pub(crate) fn damp(&self, dim: usize, times: f32, moves: &mut [f32]) {
        let distant = self.rows.get(MANY..).unwrap_or_default();
        if !self.rows.iter().zip(distant).any(|(row, other)| row == other) {
            return;
        }
        let mut factors = self.factors.iter();
        for pulls in self.rows.chunk_by(|a, b| a == b) {
            let strength = times * factors.by_ref().take(pulls.len()).sum::<f32>();
            if pulls.len() > MANY && strength > 1.0 {
                let row = usize::from(pulls[0]);
                moves[row * dim..][..dim].iter_mut().for_each(|m| *m /= strength);
            }
        }
    }

    /// Adds `times` the force of each pair, its coordinates bounded, to the `moves` of the
    /// moving points `here`; positive ones are towards the other point.
    pub(crate) fn add_forces(
        &mut self,
        dim: usize,
        (here, there): (&[f32], &[f32]),
        (forces, force, times): (Forces, Force, f32),
        moves: &mut [f32],
    ) {
        if self.others.is_empty() {
            return;
        }
        self.differences.resize(dim * self.others.len(), 0.0);
        self.factors.resize(self.others.len(), 0.0);
        pulp::Arch::new().dispatch(AddForces { pairs: self, dim, here, there, forces, force, times, moves });
    }
}

/// The arguments of [`Pairs::add_forces`], so that it is compiled for the widest registers.
struct AddForces<'a> {
    pairs: &'a mut Pairs,
    dim: usize,
    here: &'a [f32],
    there: &'a [f32],
    forces: Forces,
    force: Force,
    times: f32,
    moves: &'a mut [f32],
}

impl pulp::NullaryFnOnce for AddForces<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        // Usual numbers of coordinates and others are compiled for themselves: loops of a known
        // length have no branch that processors mispredict.
        match (self.dim, self.pairs.per_row) {
            (2, 1) => self.run(2, 1),
            (2, 5) => self.run(2, 5),
            (3, 1) => self.run(3, 1),
            (3, 5) => self.run(3, 5),
            (dim, per_row) => self.run(dim, per_row),
        }
    }
}

impl AddForces<'_> {
    #[inline(always)]
    fn run(mut self, dim: usize, per_row: usize) {
        self.subtract(dim, per_row);
        match self.force {
            Force::Attraction => self.forces.attract(&mut self.pairs.factors),
            Force::Repulsion => self.forces.repel(&mut self.pairs.factors),
        }
        self.sum(dim, per_row);
    }

    /// Computes differences and squared distances.
    #[inline(always)]
    fn subtract(&mut self, dim: usize, per_row: usize) {
        let Pairs { rows, others, differences, factors, .. } = &mut *self.pairs;
        let others = rows.iter().zip(others.chunks_exact(per_row));
        let results = differences.chunks_exact_mut(dim * per_row).zip(factors.chunks_exact_mut(per_row));
        for ((&row, others), (differences, squares)) in others.zip(results) {
            let here = &self.here[usize::from(row) * dim..][..dim];
            for ((&j, differences), square) in
                others.iter().zip(differences.chunks_exact_mut(dim)).zip(squares)
            {
                let there = &self.there[j as usize * dim..][..dim];
                let mut sum = 0.0;
                for ((difference, a), b) in differences.iter_mut().zip(here).zip(there) {
                    *difference = b - a;
                    sum += (b - a) * (b - a);
                }
                *square = sum;
            }
        }
    }

    /// Adds the products of factors and differences.
    #[inline(always)]
    fn sum(self, dim: usize, per_row: usize) {
        let Self { pairs, times, moves, .. } = self;
        for (differences, factor) in pairs.differences.chunks_exact_mut(dim).zip(&pairs.factors) {
            for d in differences {
                *d = times * bounded(factor * *d);
            }
        }
        for (&row, forces) in pairs.rows.iter().zip(pairs.differences.chunks_exact(dim * per_row)) {
            let moves = &mut moves[usize::from(row) * dim..][..dim];
            for force in forces.chunks_exact(dim) {
                for (m, force) in moves.iter_mut().zip(force) {
                    *m += force;
                }
            }
        }
    }
}

/// Bounds a coordinate of a pull or push.
#[inline]
pub(crate) fn bounded(step: f32) -> f32 {
    step.clamp(-LONGEST, LONGEST)
}

#[cfg(test)]
mod tests {
    use rand_chacha::rand_core::SeedableRng;

    use super::*;
    use crate::Curve;

    const COLUMNS: [&[u32]; 4] = [&[1, 2, 3, 7, 9], &[], &[0, 5], &[4]];
    const WEIGHTS: [&[f64]; 4] = [&[1.0, 0.5, 0.25, 0.1, 0.0], &[], &[0.3, 1.0], &[0.8]];

    #[test]
    fn an_edge_is_visited_as_often_as_its_weight_says() {
        // The same rows in every chunk, of which the last is not full.
        let n = 2 * CHUNK + 3;
        let edges = Edges::new(n, |i| (COLUMNS[i % CHUNK % 4], WEIGHTS[i % CHUNK % 4]), 1.0, 2);
        let mut pairs = Pairs::default();
        for chunk in 0..3 {
            let count = CHUNK.min(n - chunk * CHUNK);
            let mut visits: Vec<Vec<f64>> = (0..count).map(|i| vec![0.0; COLUMNS[i % 4].len()]).collect();
            for step in 0..400 {
                edges.due(chunk, step, &mut pairs);
                assert!(pairs.rows.is_sorted() && pairs.rows.len() == pairs.others.len());
                for (&row, j) in pairs.rows.iter().zip(&pairs.others) {
                    let row = usize::from(row);
                    let at = COLUMNS[row % 4].iter().position(|column| column == j).expect("a neighbor");
                    visits[row][at] += 1.0;
                }
            }
            // In 400 steps, two of an epoch.
            for (row, visits) in visits.iter().enumerate() {
                for (visits, weight) in visits.iter().zip(WEIGHTS[row % 4]) {
                    assert!((visits - 200.0 * weight).abs() <= 1.0, "{visits} visits, weight {weight}");
                }
            }
        }
    }

    /// Of points with many pulls at a time; a few are left as they are.
    #[test]
    fn a_point_that_many_others_pull_moves_to_their_mean_at_most() {
        let of = |counts: [usize; 3], factor: f32| {
            let rows = (0..3).flat_map(|row| std::iter::repeat_n(row, counts[usize::from(row)])).collect();
            let pairs = Pairs { rows, factors: vec![factor; counts.iter().sum()], ..Pairs::default() };
            let mut moves = vec![2.0_f32; 6];
            pairs.damp(2, 0.5, &mut moves);
            moves
        };
        assert_eq!(of([3, MANY, 1], 1.0), [2.0; 6]);
        let damped = 2.0 / (0.5 * (MANY + 8) as f32);
        assert_eq!(of([3, MANY + 8, 1], 1.0), [2.0, 2.0, damped, damped, 2.0, 2.0]);
        // Weak pulls lead no farther than to the mean by themselves.
        assert_eq!(of([3, MANY + 8, 1], 1e-3), [2.0; 6]);
    }

    #[test]
    fn forces_are_those_of_the_pairs_of_each_point() {
        let forces = Forces::new(Curve { a: 1.5769, b: 0.8951 }, 1.0);
        let mut random = ChaCha8Rng::seed_from_u64(1);
        for negatives in [1, 3, 5] {
            let (mut pulls, mut pushes) = (Pairs::default(), Pairs::default());
            Edges::new(4, |i| (COLUMNS[i], WEIGHTS[i]), 1.0, 1).due(0, 1, &mut pulls);
            pushes.draw(&mut random, 30, &pulls, negatives);
            assert!(pulls.others.len() > 2 && pushes.others.len() == negatives * pulls.others.len());
            assert!(pushes.others.iter().all(|&j| j < 30) && pushes.others.iter().any(|&j| j >= 15));
            for dim in 1..=4 {
                let wave = |at: usize| (0.9 * at as f32).sin() * (1.0 + 0.1 * at as f32);
                let there: Vec<f32> = (0..30 * dim).map(wave).collect();
                let here = &there[5 * dim..9 * dim];
                for (force, times) in [(Force::Attraction, 2.0), (Force::Repulsion, -1.0)] {
                    let mut moves = vec![0.5; 4 * dim];
                    pushes.add_forces(dim, (here, &there), (forces, force, times), &mut moves);
                    let mut expected = vec![0.5; 4 * dim];
                    for (at, &j) in pushes.others.iter().enumerate() {
                        let row = usize::from(pulls.rows[at / negatives]);
                        let (a, b) = (&here[row * dim..][..dim], &there[j as usize * dim..][..dim]);
                        let mut factor = [a.iter().zip(b).map(|(a, b)| (b - a) * (b - a)).sum::<f32>()];
                        match force {
                            Force::Attraction => forces.attract(&mut factor),
                            Force::Repulsion => forces.repel(&mut factor),
                        }
                        for ((sum, a), b) in expected[row * dim..][..dim].iter_mut().zip(a).zip(b) {
                            *sum += times * bounded(factor[0] * (b - a));
                        }
                    }
                    assert_eq!(moves, expected, "{dim} dimensions, {negatives} others");
                }
            }
        }
    }
}
