//! Optimization of the map by edge and negative sampling.

use std::ops::ControlFlow;

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

    /// Calls `visit` for the neighbors of point `i` whose edges are visited in a step. An
    /// edge of rate r and phase φ is visited in step t if a whole number lies between
    /// φ + t r and φ + (t + 1) r.
    #[inline]
    pub(crate) fn due(&self, i: usize, step: u32, mut visit: impl FnMut(u32)) {
        let range = self.starts[i]..self.starts[i + 1];
        let mut phase = (range.start as u32).wrapping_mul(GOLDEN);
        for (&j, &rate) in self.columns[range.clone()].iter().zip(&self.rates[range]) {
            if phase.wrapping_add(rate.wrapping_mul(step)).checked_add(rate).is_none() {
                visit(j);
            }
            phase = phase.wrapping_add(GOLDEN);
        }
    }
}

/// Pairs of a moving point and another one, whose forces are computed together.
#[derive(Default)]
pub(crate) struct Pairs {
    /// The moving point and the other one.
    ends: Vec<(u32, u32)>,
    /// Differences, row by row.
    differences: Vec<f32>,
    squares: Vec<f32>,
}

impl Pairs {
    pub(crate) fn clear(&mut self) {
        self.ends.clear();
    }

    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(crate) fn push(&mut self, from: u32, to: u32) {
        self.ends.push((from, to));
    }

    /// Replaces squared distances by factors, and calls `add` with the moving point, the
    /// factor and the difference of each pair.
    pub(crate) fn forces(
        &mut self,
        dim: usize,
        here: &[f32],
        there: &[f32],
        factors: impl Fn(&mut [f32]),
        mut add: impl FnMut(usize, f32, &[f32]),
    ) {
        self.differences.clear();
        self.squares.clear();
        for &(from, to) in &self.ends {
            let (from, to) = (&here[from as usize * dim..][..dim], &there[to as usize * dim..][..dim]);
            let mut square = 0.0;
            for (a, b) in from.iter().zip(to) {
                self.differences.push(b - a);
                square += (b - a) * (b - a);
            }
            self.squares.push(square);
        }
        factors(&mut self.squares);
        let differences = self.differences.chunks_exact(dim);
        for ((ends, &factor), difference) in self.ends.iter().zip(&self.squares).zip(differences) {
            add(ends.0 as usize, factor, difference);
        }
    }
}

/// Draws `count` of `n` points for a moving point.
pub(crate) fn draw(random: &mut ChaCha8Rng, n: usize, count: usize, mut add: impl FnMut(u32)) {
    for _ in 0..count {
        add(((u64::from(random.next_u32()) * n as u64) >> 32) as u32);
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
        pushes.clear();
        for local in 0..count {
            let mut visits = 0;
            edges.due(first + local, step, |j| {
                visits += 1;
                pulls.push(local as u32, j);
            });
            draw(&mut random, y.len() / dim, visits * self.negatives, |j| pushes.push(local as u32, j));
        }
        moves.clear();
        moves.resize(next.len(), 0.0);
        pulls.forces(
            dim,
            here,
            y,
            |s| forces.attract(s),
            |i, factor, difference| {
                let sums = &mut moves[i * dim..][..dim];
                sums.iter_mut().zip(difference).for_each(|(m, d)| *m += 2.0 * bounded(factor * d));
            },
        );
        pushes.forces(
            dim,
            here,
            y,
            |s| forces.repel(s),
            |i, factor, difference| {
                let sums = &mut moves[i * dim..][..dim];
                sums.iter_mut().zip(difference).for_each(|(m, d)| *m -= bounded(factor * d));
            },
        );
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
