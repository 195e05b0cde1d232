//! The pairs of points that attract or repel each other in a step.

use crate::edges::Visits;
use crate::forces::Forces;
use crate::negative_samples::draw;

/// Bound of each coordinate of a pull or push.
pub(crate) const LONGEST: f32 = 4.0;

/// Visits of edges, whose ends attract each other. With each, the moving point is repelled by random
/// points.
#[derive(Default)]
pub(crate) struct Pairs {
    pub(crate) visits: Visits,
    /// A random point for each visit.
    drawn: Vec<u32>,
    /// Positions of the moving points, visit by visit.
    here: Vec<f32>,
    /// Positions of the other points, then the differences to them.
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

impl Pairs {
    /// Damps the moves of points that more than [`MANY`] others pull at a time. Their moves are divided by
    /// the strength of the pulls, `times` the sum of their factors, where it is above 1: such a point moves
    /// at most to the weighted mean of the points that pull it, not far beyond. Called after
    /// [`Pairs::add_forces`].
    pub(crate) fn damp(&self, dim: usize, times: f32, moves: &mut [f32]) {
        damp(self.visits.ends().0, &self.pulls, times, |row, strength| {
            moves[row * dim..][..dim].iter_mut().for_each(|m| *m /= strength);
        });
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
        pulp::Arch::new().dispatch(AddForces { pairs: self, dim, here, map, acting, moves });
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

/// The arguments of [`Pairs::add_forces`], so that it is compiled for the widest registers.
struct AddForces<'a> {
    pairs: &'a mut Pairs,
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
        // Common numbers of coordinates are compiled separately: loops of a known length have no branch that
        // processors mispredict.
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
        let Self { pairs, here: moving, map, acting, moves, .. } = self;
        let Pairs { visits, drawn, here, there, pulls, pushes, sums } = pairs;
        let (rows, neighbors) = visits.ends();
        let count = rows.len();
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
        Pairs::subtract(dim, (here, map, neighbors), there, pulls);
        acting.forces.attract(pulls);
        Pairs::add(dim, acting.pull, (there, pulls), sums);
        for negative in 0..acting.negatives {
            draw(acting.key, (negative * count) as u32, map.len() / dim, drawn);
            Pairs::subtract(dim, (here, map, drawn), there, pushes);
            acting.forces.repel(pushes);
            Pairs::add(dim, -1.0, (there, pushes), sums);
        }
        for (sums, &row) in sums.chunks_exact(dim).zip(rows) {
            for (m, sum) in moves[usize::from(row) * dim..][..dim].iter_mut().zip(sums) {
                *m += sum;
            }
        }
    }
}

/// Calls `divide` with each of the `rows` that more than [`MANY`] others pull, and the strength of its pulls,
/// where that is above 1.
pub(crate) fn damp(rows: &[u8], pulls: &[f32], times: f32, mut divide: impl FnMut(usize, f32)) {
    let distant = rows.get(MANY..).unwrap_or_default();
    if !rows.iter().zip(distant).any(|(row, other)| row == other) {
        return;
    }
    let mut factors = pulls.iter();
    for pulls in rows.chunk_by(|a, b| a == b) {
        let strength = times * factors.by_ref().take(pulls.len()).sum::<f32>();
        if pulls.len() > MANY && strength > 1.0 {
            divide(usize::from(pulls[0]), strength);
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
    use super::*;
    use crate::Curve;
    use crate::edges::Edges;

    const COLUMNS: [&[u32]; 4] = [&[1, 2, 3, 7, 9], &[], &[0, 5], &[4]];
    const WEIGHTS: [&[f64]; 4] = [&[1.0, 0.5, 0.25, 0.1, 0.0], &[], &[0.3, 1.0], &[0.8]];

    /// Points with many pulls at a time are damped; points with few are left as they are.
    #[test]
    fn a_point_that_many_others_pull_moves_to_their_mean_at_most() {
        let of = |counts: [usize; 3], factor: f32| {
            // Edges of the largest weight are visited in every step.
            let edges =
                Edges::new(3, |i| (&[0; MANY + 8][..counts[i]], &[1.0; MANY + 8][..counts[i]]), 1.0, 1);
            let mut pairs = Pairs { pulls: vec![factor; counts.iter().sum()], ..Pairs::default() };
            edges.due(0, 1, &mut pairs.visits);
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
        for (negatives, dim) in
            [0, 1, 3, 5].into_iter().flat_map(|negatives| (1..=4).map(move |d| (negatives, d)))
        {
            let mut pairs = Pairs::default();
            let edges = Edges::new(4, |i| (COLUMNS[i], WEIGHTS[i]), 1.0, 1);
            let wave = |at: usize| (0.9 * at as f32).sin() * (1.0 + 0.1 * at as f32);
            let map: Vec<f32> = (0..30 * dim).map(wave).collect();
            let here = &map[5 * dim..9 * dim];
            let acting = Acting { forces, pull: 2.0, negatives, key: 5 };
            let mut moves = vec![0.5; 4 * dim];
            // The visits of another step leave nothing behind.
            edges.due(0, 0, &mut pairs.visits);
            pairs.add_forces(dim, here, &map, acting, &mut moves);
            moves.fill(0.5);
            edges.due(0, 1, &mut pairs.visits);
            pairs.add_forces(dim, here, &map, acting, &mut moves);
            let (rows, neighbors) = pairs.visits.ends();
            let count = rows.len();
            assert!(count > 2);
            let mut drawn = vec![0; negatives * count];
            draw(5, 0, 30, &mut drawn);
            let mut expected = vec![0.5_f64; 4 * dim];
            for at in 0..count {
                let row = usize::from(rows[at]);
                let pushes = (0..negatives).map(|negative| drawn[negative * count + at]);
                for (number, j) in std::iter::once(neighbors[at]).chain(pushes).enumerate() {
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
}
