//! The pairs of points that attract or repel each other in a step.

use std::ops::Range;

use crate::forces::Forces;

/// Bound of each coordinate of a pull or push.
const LONGEST: f32 = 4.0;

/// Fraction of 2³² in the golden ratio: visits of edges with consecutive phases are
/// spread evenly over the steps.
const GOLDEN: u32 = 0x9E37_79B9;

/// Edges that are tested together, as many as bits of a number.
const GROUP: usize = 32;

/// Visited edges that are found together: most groups have fewer.
const AT_A_TIME: usize = 8;

/// Points per parallel task, and per key of random points in a step.
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

    /// Replaces visits by those of the edges of a chunk of points in a step. An edge of rate r and
    /// phase φ is visited in step t if a whole number lies between φ + t r and φ + (t + 1) r.
    pub(crate) fn due(&self, chunk: usize, step: u32, visits: &mut Visits) {
        let edges = self.starts[chunk]..self.starts[chunk + 1];
        pulp::Arch::new().dispatch(Due { graph: self, edges, step, visits });
    }
}

/// The arguments of [`Edges::due`], so that it is compiled for the widest registers.
struct Due<'a> {
    graph: &'a Edges,
    edges: Range<usize>,
    step: u32,
    visits: &'a mut Visits,
}

impl pulp::NullaryFnOnce for Due<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Self { graph: Edges { rows, columns, rates, .. }, edges, step, visits } = self;
        let Visits { rows: due, neighbors: others, count, .. } = visits;
        let most = due.len().max(edges.len() + GROUP);
        due.resize(most, 0);
        others.resize(most, 0);
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
                for (due, other) in
                    due[visited..][..AT_A_TIME].iter_mut().zip(&mut others[visited..][..AT_A_TIME])
                {
                    let l = left.trailing_zeros() as usize % GROUP;
                    (*due, *other) = (rows[l], columns[l]);
                    left &= left.wrapping_sub(1);
                }
                visited += AT_A_TIME;
            }
            visited = end;
        }
        *count = visited;
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

/// Visits of edges: pairs of a moving point and a neighbor, which attract each other. With each, the
/// moving point is repelled by random points.
#[derive(Default)]
pub(crate) struct Visits {
    count: usize,
    /// The moving points, ascending, and their neighbors: after the first `count` are those of
    /// other steps.
    rows: Vec<u8>,
    neighbors: Vec<u32>,
    /// A random point for each visit.
    drawn: Vec<u32>,
    /// Places of the moving points, visit by visit.
    here: Vec<f32>,
    /// Places of the other points, then the differences to them.
    there: Vec<f32>,
    /// Squared distances, then factors: of the pulls, and of the pushes by one random point each.
    pulls: Vec<f32>,
    pushes: Vec<f32>,
    /// Sums of the forces of each visit.
    sums: Vec<f32>,
}

/// The forces of a step.
#[derive(Clone, Copy)]
pub(crate) struct Acting {
    pub(crate) forces: Forces,
    /// Factor of pulls.
    pub(crate) pull: f32,
    /// Random points per visit.
    pub(crate) negatives: usize,
    /// Determines the random points.
    pub(crate) key: u64,
}

/// Pulls of one point in a step above which they are bounded together. The memberships of a point sum
/// to log2 k, 4 of 15 neighbors, and each counts once an epoch at most: only a point in the lists of
/// hundreds of others exceeds it.
const MANY: usize = 16;

impl Visits {
    /// Divides the moves of points that more than [`MANY`] others pull at a time by the strength of
    /// these pulls, `times` the sum of their factors, where it is above 1: such a point moves to the
    /// weighted mean of those that pull it at most, not far beyond. After [`Visits::add_forces`].
    pub(crate) fn damp(&self, dim: usize, times: f32, moves: &mut [f32]) {
        let rows = &self.rows[..self.count];
        let distant = rows.get(MANY..).unwrap_or_default();
        if !rows.iter().zip(distant).any(|(row, other)| row == other) {
            return;
        }
        let mut factors = self.pulls.iter();
        for pulls in rows.chunk_by(|a, b| a == b) {
            let strength = times * factors.by_ref().take(pulls.len()).sum::<f32>();
            if pulls.len() > MANY && strength > 1.0 {
                let row = usize::from(pulls[0]);
                moves[row * dim..][..dim].iter_mut().for_each(|m| *m /= strength);
            }
        }
    }

    /// Adds the forces of all visits, each coordinate of each bounded, to the `moves` of the moving
    /// points, which are at `here`; all points are at `map`.
    pub(crate) fn add_forces(
        &mut self,
        dim: usize,
        here: &[f32],
        map: &[f32],
        acting: Acting,
        moves: &mut [f32],
    ) {
        pulp::Arch::new().dispatch(AddForces { visits: self, dim, here, map, acting, moves });
    }

    /// The differences to other points, and their squares.
    #[inline(always)]
    fn subtract(
        dim: usize,
        (here, map, others): (&[f32], &[f32], &[u32]),
        there: &mut [f32],
        squares: &mut [f32],
    ) {
        for (there, &j) in there.chunks_exact_mut(dim).zip(others) {
            there.copy_from_slice(&map[j as usize * dim..][..dim]);
        }
        let differences = there.chunks_exact_mut(dim).zip(here.chunks_exact(dim));
        for ((there, here), square) in differences.zip(squares) {
            *square = 0.0;
            for (there, here) in there.iter_mut().zip(here) {
                *there -= here;
                *square += *there * *there;
            }
        }
    }

    /// Adds `times` the products of factors and differences, bounded.
    #[inline(always)]
    fn add(dim: usize, times: f32, (there, factors): (&[f32], &[f32]), sums: &mut [f32]) {
        let differences = there.chunks_exact(dim).zip(factors);
        for (sums, (differences, factor)) in sums.chunks_exact_mut(dim).zip(differences) {
            for (sum, difference) in sums.iter_mut().zip(differences) {
                *sum += times * bounded(factor * difference);
            }
        }
    }
}

/// The arguments of [`Visits::add_forces`], so that it is compiled for the widest registers.
struct AddForces<'a> {
    visits: &'a mut Visits,
    dim: usize,
    here: &'a [f32],
    map: &'a [f32],
    acting: Acting,
    moves: &'a mut [f32],
}

impl pulp::NullaryFnOnce for AddForces<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        // Usual numbers of coordinates are compiled for themselves: loops of a known length have
        // no branch that processors mispredict.
        match self.dim {
            2 => self.run(2),
            3 => self.run(3),
            dim => self.run(dim),
        }
    }
}

impl AddForces<'_> {
    #[inline(always)]
    fn run(self, dim: usize) {
        let Self { visits, here: moving, map, acting, moves, .. } = self;
        let Visits { count, rows, neighbors, drawn, here, there, pulls, pushes, sums } = visits;
        let count = *count;
        let (rows, neighbors) = (&rows[..count], &neighbors[..count]);
        here.resize(dim * count, 0.0);
        for (here, &row) in here.chunks_exact_mut(dim).zip(rows) {
            here.copy_from_slice(&moving[usize::from(row) * dim..][..dim]);
        }
        there.resize(dim * count, 0.0);
        pulls.resize(count, 0.0);
        pushes.resize(count, 0.0);
        drawn.resize(count, 0);
        sums.clear();
        sums.resize(dim * count, 0.0);
        Visits::subtract(dim, (here, map, neighbors), there, pulls);
        acting.forces.attract(pulls);
        Visits::add(dim, acting.pull, (there, pulls), sums);
        for negative in 0..acting.negatives {
            draw(acting.key, (negative * count) as u32, map.len() / dim, drawn);
            Visits::subtract(dim, (here, map, drawn), there, pushes);
            acting.forces.repel(pushes);
            Visits::add(dim, -1.0, (there, pushes), sums);
        }
        for (sums, &row) in sums.chunks_exact(dim).zip(rows) {
            for (m, sum) in moves[usize::from(row) * dim..][..dim].iter_mut().zip(sums) {
                *m += sum;
            }
        }
    }
}

/// Draws points out of `n`: the numbers of the sequence of a random `key` from `first` on.
///
/// A number of the sequence is its position mixed with the key by the final steps of MurmurHash3,
/// which processors compute for several positions at a time.
#[inline(always)]
pub(crate) fn draw(key: u64, first: u32, n: usize, drawn: &mut [u32]) {
    let (low, high) = (key as u32, (key >> 32) as u32);
    let count = u64::from(n as u32);
    let mut position = first.wrapping_mul(GOLDEN);
    for drawn in drawn {
        let mut x = position ^ low;
        x = (x ^ x >> 16).wrapping_mul(0x85EB_CA6B) ^ high;
        x = (x ^ x >> 13).wrapping_mul(0xC2B2_AE35);
        x ^= x >> 16;
        *drawn = ((u64::from(x) * count) >> 32) as u32;
        position = position.wrapping_add(GOLDEN);
    }
}

/// Bounds a coordinate of a pull or push.
#[inline]
pub(crate) fn bounded(step: f32) -> f32 {
    step.clamp(-LONGEST, LONGEST)
}

#[cfg(test)]
mod tests {
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::{Rng, SeedableRng};

    use super::*;
    use crate::Curve;

    const COLUMNS: [&[u32]; 4] = [&[1, 2, 3, 7, 9], &[], &[0, 5], &[4]];
    const WEIGHTS: [&[f64]; 4] = [&[1.0, 0.5, 0.25, 0.1, 0.0], &[], &[0.3, 1.0], &[0.8]];

    #[test]
    fn an_edge_is_visited_as_often_as_its_weight_says() {
        // The same rows in every chunk, of which the last is not full.
        let n = 2 * CHUNK + 3;
        let edges = Edges::new(n, |i| (COLUMNS[i % CHUNK % 4], WEIGHTS[i % CHUNK % 4]), 1.0, 2);
        let mut due = Visits::default();
        for chunk in 0..3 {
            let count = CHUNK.min(n - chunk * CHUNK);
            let mut visits: Vec<Vec<f64>> = (0..count).map(|i| vec![0.0; COLUMNS[i % 4].len()]).collect();
            for step in 0..400 {
                edges.due(chunk, step, &mut due);
                assert!(due.rows[..due.count].is_sorted());
                for (&row, j) in due.rows.iter().zip(&due.neighbors).take(due.count) {
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
            let count = counts.iter().sum();
            let visits = Visits { count, rows, pulls: vec![factor; count], ..Visits::default() };
            let mut moves = vec![2.0_f32; 6];
            visits.damp(2, 0.5, &mut moves);
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
        for (negatives, dim) in
            [0, 1, 3, 5].into_iter().flat_map(|negatives| (1..=4).map(move |d| (negatives, d)))
        {
            let mut visits = Visits::default();
            let edges = Edges::new(4, |i| (COLUMNS[i], WEIGHTS[i]), 1.0, 1);
            let wave = |at: usize| (0.9 * at as f32).sin() * (1.0 + 0.1 * at as f32);
            let map: Vec<f32> = (0..30 * dim).map(wave).collect();
            let here = &map[5 * dim..9 * dim];
            let acting = Acting { forces, pull: 2.0, negatives, key: 5 };
            let mut moves = vec![0.5; 4 * dim];
            // The visits of another step leave nothing behind.
            edges.due(0, 0, &mut visits);
            visits.add_forces(dim, here, &map, acting, &mut moves);
            moves.fill(0.5);
            edges.due(0, 1, &mut visits);
            visits.add_forces(dim, here, &map, acting, &mut moves);
            let count = visits.count;
            assert!(count > 2);
            let mut drawn = vec![0; negatives * count];
            draw(5, 0, 30, &mut drawn);
            let mut expected = vec![0.5_f64; 4 * dim];
            for at in 0..count {
                let row = usize::from(visits.rows[at]);
                let pushes = (0..negatives).map(|negative| drawn[negative * count + at]);
                for (number, j) in std::iter::once(visits.neighbors[at]).chain(pushes).enumerate() {
                    let (a, b) = (&here[row * dim..][..dim], &map[j as usize * dim..][..dim]);
                    let mut factor = [a.iter().zip(b).map(|(a, b)| (b - a) * (b - a)).sum::<f32>()];
                    let times = if number == 0 {
                        forces.attract(&mut factor);
                        2.0
                    } else {
                        forces.repel(&mut factor);
                        -1.0
                    };
                    for ((sum, a), b) in expected[row * dim..][..dim].iter_mut().zip(a).zip(b) {
                        *sum += f64::from(times * bounded(factor[0] * (b - a)));
                    }
                }
            }
            for (moved, expected) in moves.iter().zip(&expected) {
                let error = f64::from(*moved) - expected;
                assert!(
                    error.abs() < 1e-5 * (1.0 + expected.abs()),
                    "{dim} dimensions, {negatives} pushes: {error}"
                );
            }
        }
    }

    /// Numbers of points that are powers of two and others.
    #[test]
    fn points_are_drawn_uniformly_and_independently() {
        const DRAWS: usize = 1 << 20;
        let mut random = ChaCha8Rng::seed_from_u64(1);
        for n in [64, 100, 1000, 70_000] {
            let key = random.next_u64();
            let mut drawn = vec![0; DRAWS];
            draw(key, 0, n, &mut drawn);
            let mut rest = vec![0; DRAWS - 1000];
            draw(key, 1000, n, &mut rest);
            assert_eq!(rest, drawn[1000..], "a sequence by its positions");
            let mut other = vec![0; DRAWS];
            draw(random.next_u64(), 0, n, &mut other);
            // χ² of the counts, and of pairs by their difference: of a draw and the next, and of
            // the same position under another key.
            let difference = |a: &u32, b: &u32| (a + n as u32 - b) as usize % n;
            let uniform = |values: &mut dyn Iterator<Item = usize>| {
                let mut counts = vec![0.0; n];
                values.for_each(|value| counts[value] += 1.0);
                let expected = counts.iter().sum::<f64>() / n as f64;
                let chi = counts.iter().map(|c| (c - expected).powi(2) / expected).sum::<f64>();
                (chi - (n - 1) as f64) / (2.0 * (n - 1) as f64).sqrt()
            };
            let scores = [
                uniform(&mut drawn.iter().map(|&j| j as usize)),
                uniform(&mut drawn.iter().zip(&drawn[1..]).map(|(a, b)| difference(a, b))),
                uniform(&mut drawn.iter().zip(&other).map(|(a, b)| difference(a, b))),
            ];
            assert!(scores.iter().all(|score| score.abs() < 4.0), "{n} points: {scores:?}");
        }
    }
}
