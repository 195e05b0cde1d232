//! Optimization of the map by edge and negative sampling.

use embedding::implement::FixedRows;
use embedding::{Error, Observer};
use layout::{History, Reporter};
use neighbor_graph::Graph;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use rayon::prelude::*;

use crate::curved::{Curved, Pulled, Turn};
use crate::density::{DensityTerm, Lengths};
use crate::edges::{CHUNK, Edges, STEPS};
use crate::forces::Forces;
use crate::loss::{EXACT_UP_TO, Loss};
use crate::pairs::{Acting, Pairs};
use crate::{CrossEntropy, Curve, Surface};

/// The numbers that determine an optimization.
#[derive(Clone, Copy)]
pub(crate) struct Schedule {
    pub(crate) curve: Curve,
    pub(crate) epochs: usize,
    pub(crate) learning_rate: f64,
    pub(crate) negatives: usize,
    pub(crate) repulsion: f64,
    pub(crate) seed: u64,
    pub(crate) surface: Surface,
}

/// Working memory of a task.
#[derive(Default)]
struct Workspace {
    pairs: Pairs,
    /// Instead of the pairs, on a surface.
    pulled: Pulled,
    lengths: Lengths,
    /// Sums of pulls and pushes.
    moves: Vec<f32>,
}

/// Result of an optimization.
pub(crate) struct Course {
    pub(crate) y: Vec<f32>,
    pub(crate) history: History,
    pub(crate) loss: CrossEntropy,
}

impl Schedule {
    /// Moves all points but the fixed ones from their start `y`, n × `dim`, along the edges of `visited`, and by
    /// the density `term`; the loss is computed for `graph`.
    ///
    /// Every step computes the displacements of all points from the positions before it.
    pub(crate) fn run(
        &self,
        visited: &Graph,
        graph: &Graph,
        mut y: Vec<f32>,
        (dim, fixed): (usize, Option<FixedRows<'_>>),
        mut term: Option<DensityTerm<'_>>,
        observer: &dyn Observer,
    ) -> Result<Course, Error> {
        let n = graph.len();
        let edges = Edges::new(n, |i| visited.of(i), visited.longest_edge(), STEPS);
        let forces = Forces::new(self.curve, self.repulsion);
        let loss = Loss { graph, curve: self.curve, seed: self.seed, surface: self.surface };
        let curved = self.surface.curved();
        let mut random = ChaCha8Rng::seed_from_u64(self.seed);
        let mut keys = vec![0; n.div_ceil(CHUNK)];
        let mut next = y.clone();
        let mut reporter = Reporter::new(observer, self.epochs, dim);
        for epoch in 0..self.epochs {
            reporter.begin(epoch)?;
            let rate = self.learning_rate * (1.0 - epoch as f64 / self.epochs as f64);
            for part in 0..STEPS {
                let step = (epoch * STEPS + part) as u32;
                let mut active = term.as_mut().filter(|term| term.acts(epoch));
                if let Some(term) = &mut active {
                    term.update(&y);
                }
                let term = active.as_deref();
                keys.fill_with(|| random.next_u64());
                next.par_chunks_mut(CHUNK * dim).zip(&keys).enumerate().for_each_init(
                    Workspace::default,
                    |work, (chunk, (next, &key))| {
                        let acting = Acting { forces, pull: 2.0, negatives: self.negatives, key };
                        let step =
                            Step { edges: &edges, acting, y: &y, dim, step, rate: rate as f32, chunk, term };
                        match curved {
                            None => step.run(work, next),
                            Some(curved) => step.run_on(curved, work, next),
                        }
                        if let Some(fixed) = fixed {
                            let first = chunk * CHUNK;
                            fixed.copy(first, &y[first * dim..], next);
                            fixed.draw(first, rate, next);
                            if let Some(curved) = curved {
                                curved.put(next);
                            }
                        }
                    },
                );
                std::mem::swap(&mut y, &mut next);
            }
            if reporter.end(epoch, &y, || loss.estimate(&y, dim)).is_break() {
                break;
            }
        }
        let history = reporter.finish(&y)?;
        let loss = if n <= EXACT_UP_TO {
            CrossEntropy::Exact(loss.exact(&y, dim))
        } else {
            CrossEntropy::Estimated(loss.estimate(&y, dim))
        };
        Ok(Course { y, history, loss })
    }
}

/// One step for one chunk of points.
struct Step<'a> {
    edges: &'a Edges,
    acting: Acting,
    /// Positions of all points.
    y: &'a [f32],
    dim: usize,
    step: u32,
    rate: f32,
    chunk: usize,
    term: Option<&'a DensityTerm<'a>>,
}

impl Step<'_> {
    /// Writes the next positions of the points.
    ///
    /// In a sequential optimization an edge is visited from both ends, and each visit moves both. Here a
    /// visit pulls its own end twice. The random points push only this end.
    fn run(self, work: &mut Workspace, next: &mut [f32]) {
        let Self { edges, acting, y, dim, step, rate, chunk, term } = self;
        let Workspace { pairs, lengths, moves, .. } = work;
        let first = chunk * CHUNK;
        let here = &y[first * dim..][..next.len()];
        edges.due(chunk, step, &mut pairs.visits);
        moves.clear();
        moves.resize(next.len(), 0.0);
        pairs.add_forces(dim, here, y, acting, moves);
        if let Some(term) = term {
            term.add(first, y, lengths, moves);
        }
        pairs.damp(dim, 2.0 * rate, moves);
        for ((next, here), sum) in next.iter_mut().zip(here).zip(&*moves) {
            *next = here + rate * sum;
        }
    }

    /// The same on a surface.
    fn run_on(self, curved: Curved, work: &mut Workspace, next: &mut [f32]) {
        let Self { edges, acting, y, dim, step, rate, chunk, .. } = self;
        let here = &y[chunk * CHUNK * dim..][..next.len()];
        edges.due(chunk, step, &mut work.pulled.visits);
        let turn = Turn { curved, acting, map: y, rate: f64::from(rate) };
        work.pulled.turn(turn, here, next);
    }
}

#[cfg(test)]
mod tests {
    use embedding::Silent;

    use super::*;

    /// One point is pulled 400 times at once; each pull alone would move it to the right position.
    #[test]
    fn a_neighbor_of_all_points_is_not_thrown_out_of_the_map() {
        let leaves = 400_u32;
        let ring = (1..leaves).map(|i| (i, i + 1, 1.0));
        let edges: Vec<(u32, u32, f64)> = (1..=leaves).map(|i| (0, i, 1.0)).chain(ring).collect();
        let graph = Graph::from_edges(leaves as usize + 1, &edges).expect("edges");
        let angle = |i: u32| std::f64::consts::TAU * f64::from(i) / f64::from(leaves);
        let position =
            |i: u32| if i == 0 { [2.0, 0.0] } else { [angle(i).cos() as f32, angle(i).sin() as f32] };
        let start: Vec<f32> = (0..=leaves).flat_map(position).collect();
        let schedule = Schedule {
            curve: Curve { a: 1.5769, b: 0.8951 },
            epochs: 2,
            learning_rate: 1.0,
            negatives: 5,
            repulsion: 1.0,
            seed: 0,
            surface: Surface::Plane,
        };
        let y = schedule.run(&graph, &graph, start, (2, None), None, &Silent).expect("a map").y;
        // It began at 2, outside the circle of the others.
        let reach = y[0].hypot(y[1]);
        assert!(reach < 2.0, "{reach}");
    }
}
