//! Optimization of the map by edge and negative sampling.

use std::ops::{ControlFlow, Range};

use embedding::{Error, Iteration, Observer, Status, proceed};
use faer::MatRef;
use neighbor_graph::Graph;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use rayon::prelude::*;

use crate::density::{Lengths, Term};
use crate::forces::Forces;
use crate::loss::{EXACT_UP_TO, Loss};
use crate::{CrossEntropy, Curve};

/// Points per parallel task and stream of random numbers.
pub(crate) const CHUNK: usize = 128;

/// Steps per epoch. With one, points with many edges move by many pulls at a time.
pub(crate) const STEPS: usize = 4;

/// Bound of each coordinate of a pull or push.
const LONGEST: f32 = 4.0;

/// Fraction of 2³² in the golden ratio: visits of edges with consecutive phases are
/// spread evenly over the steps.
const GOLDEN: u32 = 0x9E37_79B9;

/// Epochs between estimates of the loss.
const CHECK_EVERY: usize = 50;

/// The numbers that determine an optimization.
#[derive(Clone, Copy)]
pub(crate) struct Schedule {
    pub(crate) curve: Curve,
    pub(crate) epochs: usize,
    pub(crate) learning_rate: f64,
    pub(crate) negatives: usize,
    pub(crate) repulsion: f64,
    pub(crate) seed: u64,
}

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

    /// Appends the neighbors of consecutive points whose edges are visited in a step.
    pub(crate) fn due(&self, points: Range<usize>, step: u32, pairs: &mut Pairs) {
        let starts = &self.starts[points.start..=points.end];
        let all = starts[0]..starts[points.len()];
        let mut due = std::mem::take(&mut pairs.due);
        due.resize(all.len(), 0);
        let rates = &self.rates[all.clone()];
        pulp::Arch::new().dispatch(Due { first: all.start as u32, rates, step, due: &mut due });
        let columns = &self.columns[all.clone()];
        for row in starts.windows(2).map(|ends| ends[0] - all.start..ends[1] - all.start) {
            let (blocks, rest) = due[row.clone()].as_chunks::<8>();
            let (columns, last) = columns[row].as_chunks::<8>();
            // Most blocks have no edge that is visited.
            for (block, columns) in blocks.iter().zip(columns).filter(|(block, _)| **block != [0; 8]) {
                pairs.others.extend(columns.iter().zip(block).filter(|(_, due)| **due > 0).map(|(&j, _)| j));
            }
            pairs.others.extend(last.iter().zip(rest).filter(|(_, due)| **due > 0).map(|(&j, _)| j));
            pairs.end_point();
        }
        pairs.due = due;
    }
}

/// Which edges are visited in a step: an edge of rate r and phase φ is if a whole number lies
/// between φ + t r and φ + (t + 1) r in step t.
struct Due<'a> {
    /// Number of the first edge.
    first: u32,
    rates: &'a [u32],
    step: u32,
    due: &'a mut [u8],
}

impl pulp::NullaryFnOnce for Due<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Self { first, rates, step, due } = self;
        for (edge, (due, &rate)) in (0_u32..).zip(due.iter_mut().zip(rates)) {
            let phase = first.wrapping_add(edge).wrapping_mul(GOLDEN);
            let before = phase.wrapping_add(rate.wrapping_mul(step));
            *due = u8::from(before.wrapping_add(rate) < before);
        }
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
    /// Working memory of [`Edges::due`].
    due: Vec<u8>,
}

/// The force between the points of a pair.
#[derive(Clone, Copy)]
pub(crate) enum Force {
    Attraction,
    Repulsion,
}

impl Pairs {
    pub(crate) fn clear(&mut self) {
        self.others.clear();
        self.ends.clear();
    }

    /// The pairs of each moving point.
    fn rows(&self) -> impl Iterator<Item = Range<usize>> {
        let starts = [0].into_iter().chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| start..end)
    }

    /// Ends the pairs of a moving point.
    fn end_point(&mut self) {
        self.ends.push(self.others.len());
    }

    /// Draws other points for moving ones, `per_pair` for each of their `pairs`, out of `n`.
    pub(crate) fn draw(&mut self, random: &mut ChaCha8Rng, n: usize, pairs: &Self, per_pair: usize) {
        for row in pairs.rows() {
            for _ in 0..row.len() * per_pair {
                self.others.push(((u64::from(random.next_u32()) * n as u64) >> 32) as u32);
            }
            self.end_point();
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
        self.differences.resize(dim * self.others.len(), 0.0);
        self.factors.resize(self.others.len(), 0.0);
        // Constant numbers of coordinates are compiled for themselves.
        match dim {
            2 => self.subtract(2, here, there),
            3 => self.subtract(3, here, there),
            dim => self.subtract(dim, here, there),
        }
        match force {
            Force::Attraction => forces.attract(&mut self.factors),
            Force::Repulsion => forces.repel(&mut self.factors),
        }
        match dim {
            2 => self.sum(2, times, moves),
            3 => self.sum(3, times, moves),
            dim => self.sum(dim, times, moves),
        }
    }

    /// Computes differences and squared distances.
    #[inline(always)]
    fn subtract(&mut self, dim: usize, here: &[f32], there: &[f32]) {
        let mut pairs = self.others.iter().zip(self.differences.chunks_exact_mut(dim)).zip(&mut self.factors);
        let mut start = 0;
        for (here, &end) in here.chunks_exact(dim).zip(&self.ends) {
            for ((&j, differences), square) in pairs.by_ref().take(end - start) {
                *square = 0.0;
                for ((difference, a), b) in
                    differences.iter_mut().zip(here).zip(&there[j as usize * dim..][..dim])
                {
                    *difference = b - a;
                    *square += *difference * *difference;
                }
            }
            start = end;
        }
    }

    /// Adds the products of factors and differences.
    #[inline(always)]
    fn sum(&self, dim: usize, times: f32, moves: &mut [f32]) {
        for (row, moves) in self.rows().zip(moves.chunks_exact_mut(dim)) {
            for (difference, factor) in
                self.differences[dim * row.start..dim * row.end].chunks_exact(dim).zip(&self.factors[row])
            {
                for (m, d) in moves.iter_mut().zip(difference) {
                    *m += times * bounded(factor * d);
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

/// Working memory of a task.
#[derive(Default)]
struct Workspace {
    pulls: Pairs,
    pushes: Pairs,
    lengths: Lengths,
    /// Sums of pulls and pushes.
    moves: Vec<f32>,
}

/// Result of an optimization.
pub(crate) struct Course {
    pub(crate) y: Vec<f32>,
    pub(crate) status: Status,
    /// Epoch and loss.
    pub(crate) losses: Vec<(usize, f64)>,
    pub(crate) loss: CrossEntropy,
}

impl Schedule {
    /// Moves all points from their start `y`, n × `dim`, along the edges of `visited`, and by
    /// the density `term`; the loss is that of `graph`.
    ///
    /// Every step computes the displacements of all points from the places before it.
    pub(crate) fn run(
        &self,
        visited: &Graph,
        graph: &Graph,
        mut y: Vec<f32>,
        dim: usize,
        mut term: Option<Term<'_>>,
        observer: &dyn Observer,
    ) -> Result<Course, Error> {
        let n = graph.len();
        let edges = Edges::new(n, |i| visited.of(i), visited.longest_edge(), STEPS);
        let forces = Forces::new(self.curve, self.repulsion);
        let loss = Loss { graph, curve: self.curve, seed: self.seed };
        let mut next = y.clone();
        let (mut losses, mut status) = (Vec::new(), Status::IterationLimit { iterations: self.epochs });
        for epoch in 0..self.epochs {
            proceed(observer, epoch, self.epochs)?;
            let rate = self.learning_rate * (1.0 - epoch as f64 / self.epochs as f64);
            for part in 0..STEPS {
                let step = (epoch * STEPS + part) as u32;
                let mut acting = term.as_mut().filter(|term| term.acts(epoch));
                if let Some(term) = &mut acting {
                    term.update(&y);
                }
                let term = acting.as_deref();
                next.par_chunks_mut(CHUNK * dim).enumerate().for_each_init(
                    Workspace::default,
                    |work, (chunk, next)| {
                        self.step(
                            Step { edges: &edges, forces, y: &y, dim, step, rate: rate as f32, chunk, term },
                            work,
                            next,
                        );
                    },
                );
                std::mem::swap(&mut y, &mut next);
            }
            let number = epoch + 1;
            let objective = number.is_multiple_of(CHECK_EVERY).then(|| loss.estimate(&y, dim));
            losses.extend(objective.map(|value| (number, value)));
            let places: Vec<f64> = y.iter().map(|&v| f64::from(v)).collect();
            let coordinates = MatRef::from_row_major_slice(&places, n, dim);
            if observer.iteration(&Iteration { number, objective, coordinates }) == ControlFlow::Break(()) {
                status = Status::Stopped { iterations: number };
                break;
            }
        }
        proceed(observer, self.epochs, self.epochs)?;
        if let Some(at) = y.iter().position(|v| !v.is_finite()) {
            return Err(Error::degenerate(
                format!("the map of point {} left the range of numbers", at / dim),
                "use a smaller learning rate",
            ));
        }
        let loss = if n <= EXACT_UP_TO {
            CrossEntropy::Exact(loss.exact(&y, dim))
        } else {
            CrossEntropy::Estimated(loss.estimate(&y, dim))
        };
        Ok(Course { y, status, losses, loss })
    }

    /// Writes the next places of a chunk of points.
    ///
    /// An edge is visited from both ends in a sequential optimization, and each visit
    /// moves both: here a visit pulls its own end twice. The random points push that end
    /// alone.
    fn step(
        &self,
        Step { edges, forces, y, dim, step, rate, chunk, term }: Step<'_>,
        work: &mut Workspace,
        next: &mut [f32],
    ) {
        let Workspace { pulls, pushes, lengths, moves } = work;
        let (first, count) = (chunk * CHUNK, next.len() / dim);
        let here = &y[first * dim..][..next.len()];
        let mut random = ChaCha8Rng::seed_from_u64(self.seed);
        random.set_stream(u64::from(step) << 32 | chunk as u64);
        pulls.clear();
        edges.due(first..first + count, step, pulls);
        pushes.clear();
        pushes.draw(&mut random, y.len() / dim, pulls, self.negatives);
        moves.clear();
        moves.resize(next.len(), 0.0);
        pulls.add_forces(dim, (here, y), (forces, Force::Attraction, 2.0), moves);
        pushes.add_forces(dim, (here, y), (forces, Force::Repulsion, -1.0), moves);
        if let Some(term) = term {
            term.add(first, y, lengths, moves);
        }
        for ((next, here), sum) in next.iter_mut().zip(here).zip(&*moves) {
            *next = here + rate * sum;
        }
    }
}

/// One step for one chunk of points.
struct Step<'a> {
    edges: &'a Edges,
    forces: Forces,
    /// Places of all points.
    y: &'a [f32],
    dim: usize,
    step: u32,
    rate: f32,
    chunk: usize,
    term: Option<&'a Term<'a>>,
}
