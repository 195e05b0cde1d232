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

/// Edges by rows with the frequency of their visits: the fraction of the largest weight.
pub(crate) struct Edges {
    starts: Vec<usize>,
    columns: Vec<u32>,
    /// Visits per step, in units of 2⁻³².
    rates: Vec<u32>,
}

impl Edges {
    /// The rows of a graph. `largest` is the weight of an edge that is visited in every
    /// epoch.
    pub(crate) fn new<'a>(
        n: usize,
        row: impl Fn(usize) -> (&'a [u32], &'a [f64]),
        largest: f64,
        steps: usize,
    ) -> Self {
        let entries = (0..n).map(|i| row(i).0.len()).sum();
        let mut edges = Self {
            starts: vec![0],
            columns: Vec::with_capacity(entries),
            rates: Vec::with_capacity(entries),
        };
        let unit = f64::from(u32::MAX) / (steps as f64 * largest);
        for i in 0..n {
            let (js, ws) = row(i);
            edges.columns.extend_from_slice(js);
            edges.rates.extend(ws.iter().map(|w| (w * unit) as u32));
            edges.starts.push(edges.columns.len());
        }
        edges
    }

    /// Replaces pairs by the neighbors of consecutive points whose edges are visited in a
    /// step. An edge of rate r and phase φ is visited in step t if a whole number lies between
    /// φ + t r and φ + (t + 1) r.
    pub(crate) fn due(&self, points: Range<usize>, step: u32, pairs: &mut Pairs) {
        let starts = &self.starts[points.start..=points.end];
        let edges = starts[0]..starts[points.len()];
        pairs.ends.clear();
        pairs.others.resize(edges.len(), 0);
        let mut visited = 0;
        let mut phase = (edges.start as u32).wrapping_mul(GOLDEN);
        for row in starts.windows(2).map(|ends| ends[0]..ends[1]) {
            // Without a branch: every edge is written, and the next one overwrites it unless it is
            // visited.
            for (&j, &rate) in self.columns[row.clone()].iter().zip(&self.rates[row]) {
                let before = phase.wrapping_add(rate.wrapping_mul(step));
                pairs.others[visited] = j;
                visited += usize::from(before.wrapping_add(rate) < before);
                phase = phase.wrapping_add(GOLDEN);
            }
            pairs.ends.push(visited);
        }
        pairs.others.truncate(visited);
    }
}

/// Pairs of moving points and others, whose forces are computed together.
#[derive(Default)]
pub(crate) struct Pairs {
    /// The other points, those of each moving point in turn.
    others: Vec<u32>,
    /// The number of pairs up to each moving point.
    ends: Vec<usize>,
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

impl Pairs {
    /// The pairs of each moving point.
    fn rows(&self) -> impl Iterator<Item = Range<usize>> {
        let starts = [0].into_iter().chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| start..end)
    }

    /// Replaces them by others drawn out of `n` points, `per_pair` for each pair of `pairs`.
    pub(crate) fn draw(&mut self, random: &mut ChaCha8Rng, n: usize, pairs: &Self, per_pair: usize) {
        self.random.resize(4 * per_pair * pairs.others.len(), 0);
        random.fill_bytes(&mut self.random);
        let numbers = self.random.as_chunks().0.iter().map(|bytes| u32::from_le_bytes(*bytes));
        self.others.clear();
        self.others.extend(numbers.map(|number| ((u64::from(number) * n as u64) >> 32) as u32));
        self.ends.clear();
        self.ends.extend(pairs.ends.iter().map(|end| per_pair * end));
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
        // Constant numbers of coordinates are compiled for themselves.
        match self.dim {
            2 => self.run(2),
            3 => self.run(3),
            dim => self.run(dim),
        }
    }
}

impl AddForces<'_> {
    #[inline(always)]
    fn run(mut self, dim: usize) {
        self.subtract(dim);
        match self.force {
            Force::Attraction => self.forces.attract(&mut self.pairs.factors),
            Force::Repulsion => self.forces.repel(&mut self.pairs.factors),
        }
        self.sum(dim);
    }

    /// Computes differences and squared distances.
    #[inline(always)]
    fn subtract(&mut self, dim: usize) {
        let Pairs { others, ends, differences, factors, .. } = &mut *self.pairs;
        let mut pairs = others.iter().zip(differences.chunks_exact_mut(dim)).zip(factors);
        let mut start = 0;
        for (here, &end) in self.here.chunks_exact(dim).zip(&*ends) {
            for ((&j, differences), square) in pairs.by_ref().take(end - start) {
                let there = &self.there[j as usize * dim..][..dim];
                let mut sum = 0.0;
                for ((difference, a), b) in differences.iter_mut().zip(here).zip(there) {
                    *difference = b - a;
                    sum += (b - a) * (b - a);
                }
                *square = sum;
            }
            start = end;
        }
    }

    /// Adds the products of factors and differences.
    #[inline(always)]
    fn sum(self, dim: usize) {
        let Self { pairs, times, moves, .. } = self;
        for (differences, factor) in pairs.differences.chunks_exact_mut(dim).zip(&pairs.factors) {
            for d in differences {
                *d = times * bounded(factor * *d);
            }
        }
        for (row, moves) in pairs.rows().zip(moves.chunks_exact_mut(dim)) {
            for forces in pairs.differences[dim * row.start..dim * row.end].chunks_exact(dim) {
                for (m, force) in moves.iter_mut().zip(forces) {
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

    fn edges(steps: usize) -> Edges {
        Edges::new(4, |i| (COLUMNS[i], WEIGHTS[i]), 1.0, steps)
    }

    #[test]
    fn an_edge_is_visited_as_often_as_its_weight_says() {
        let (edges, mut pairs) = (edges(2), Pairs::default());
        let mut visits = COLUMNS.map(|columns| vec![0.0; columns.len()]);
        for step in 0..400 {
            edges.due(1..4, step, &mut pairs);
            assert_eq!(pairs.rows().count(), 3);
            for (i, row) in pairs.rows().enumerate() {
                for j in &pairs.others[row] {
                    let at = COLUMNS[i + 1].iter().position(|column| column == j).expect("a neighbor");
                    visits[i + 1][at] += 1.0;
                }
            }
            edges.due(0..1, step, &mut pairs);
            for j in &pairs.others {
                visits[0][COLUMNS[0].iter().position(|column| column == j).expect("a neighbor")] += 1.0;
            }
        }
        // In 400 steps, two of an epoch.
        for (visits, weight) in visits.concat().iter().zip(WEIGHTS.concat()) {
            assert!((visits - 200.0 * weight).abs() <= 1.0, "{visits} visits, weight {weight}");
        }
    }

    #[test]
    fn forces_are_those_of_the_pairs_of_each_point() {
        let forces = Forces::new(Curve { a: 1.5769, b: 0.8951 }, 1.0);
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let (mut pulls, mut pushes) = (Pairs::default(), Pairs::default());
        edges(1).due(0..4, 1, &mut pulls);
        pushes.draw(&mut random, 30, &pulls, 3);
        let triple = |row: Range<usize>| 3 * row.start..3 * row.end;
        assert!(pushes.rows().eq(pulls.rows().map(triple)) && pushes.others.len() >= 6);
        assert!(pushes.others.iter().all(|&j| j < 30) && pushes.others.iter().any(|&j| j >= 15));
        for dim in 1..=4 {
            let wave = |at: usize| (0.9 * at as f32).sin() * (1.0 + 0.1 * at as f32);
            let there: Vec<f32> = (0..30 * dim).map(wave).collect();
            let here = &there[5 * dim..9 * dim];
            for (force, times) in [(Force::Attraction, 2.0), (Force::Repulsion, -1.0)] {
                let mut moves = vec![0.5; 4 * dim];
                pushes.add_forces(dim, (here, &there), (forces, force, times), &mut moves);
                for (i, row) in pushes.rows().enumerate() {
                    let a = &here[i * dim..][..dim];
                    let mut expected = vec![0.5; dim];
                    for &j in &pushes.others[row] {
                        let b = &there[j as usize * dim..][..dim];
                        let mut factor = [a.iter().zip(b).map(|(a, b)| (b - a) * (b - a)).sum::<f32>()];
                        match force {
                            Force::Attraction => forces.attract(&mut factor),
                            Force::Repulsion => forces.repel(&mut factor),
                        }
                        for ((sum, a), b) in expected.iter_mut().zip(a).zip(b) {
                            *sum += times * bounded(factor[0] * (b - a));
                        }
                    }
                    assert_eq!(moves[i * dim..][..dim], expected, "{dim} dimensions, point {i}");
                }
            }
        }
    }
}
