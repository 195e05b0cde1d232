//! Optimization of the map by Adam.

use embedding::implement::FixedRows;
use embedding::{Error, Observer};
use layout::{History, Reporter};
use rayon::prelude::*;

use crate::Phases;
use crate::Saturation;
use crate::forces::{Gather, Kind, Workspace, loss};
use crate::loss::Term;
use crate::nearby::Nearby;
use crate::pairs::{Blocks, Pairs};
use crate::phases::Weights;

/// Points per parallel task.
const CHUNK: usize = 128;

/// Added to the root of the mean square of a gradient, by which steps are divided.
const EPSILON: f32 = 1e-7;

/// The numbers that determine an optimization.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Schedule {
    pub(crate) phases: Phases,
    pub(crate) saturation: Saturation,
    pub(crate) learning_rate: f64,
    /// Decay of the mean of gradients, and of the mean of their squares.
    pub(crate) decays: [f64; 2],
    pub(crate) nearby: Option<Nearby>,
    pub(crate) seed: u64,
}

/// Result of an optimization.
pub(crate) struct Course {
    pub(crate) y: Vec<f32>,
    /// Losses with the weights of their iterations.
    pub(crate) history: History,
    /// The loss with the weights of the third phase.
    pub(crate) loss: f64,
}

/// Means of the gradients of all coordinates, and of their squares.
struct Moments {
    first: Vec<f32>,
    second: Vec<f32>,
}

impl Schedule {
    /// The terms of near, mid-near and further pairs, in the third phase or before it.
    pub(crate) fn terms(&self, third: bool) -> [Term; 3] {
        let Saturation { near, mid_near, further } = self.saturation;
        let pull = match self.nearby.filter(|_| third) {
            None => Term::Pull { c: near },
            Some(nearby) => Term::LocalPull { c: near, h: 0.5 * nearby.distance },
        };
        [pull, Term::Pull { c: mid_near }, Term::Push { c: further }]
    }

    fn kinds<'a, L>(&self, lists: [&'a L; 3], weights: Weights, third: bool) -> Vec<Kind<'a, L>> {
        let kinds = lists.into_iter().zip(self.terms(third)).zip(weights);
        kinds
            .filter(|(_, weight)| *weight > 0.0)
            .map(|((lists, term), weight)| Kind { lists, term, weight })
            .collect()
    }

    /// Moves all points but the fixed ones from their start `y`, n × `dim`. An iteration computes the steps of
    /// all points from the positions before it.
    pub(crate) fn run(
        &self,
        mut pairs: Pairs,
        mut y: Vec<f32>,
        (dim, fixed): (usize, Option<FixedRows<'_>>),
        observer: &dyn Observer,
    ) -> Result<Course, Error> {
        let total = self.phases.iterations();
        let (near, mid_near) = (pairs.near.both_ways(), pairs.mid_near.both_ways());
        let mut further = pairs.further.both_ways();
        let mut moments = Moments { first: vec![0.0; y.len()], second: vec![0.0; y.len()] };
        let mut next = y.clone();
        let mut reporter = Reporter::new(observer, total, dim);
        for iteration in 0..total {
            reporter.begin(iteration)?;
            let third = self.phases.in_third(iteration);
            if let (Some(nearby), Some(at)) = (self.nearby, third)
                && at.is_multiple_of(nearby.every)
            {
                let round = (self.seed, (at / nearby.every) as u64);
                pairs.further = nearby.draw(&pairs.near, &pairs.further, (&y, dim), round);
                further = pairs.further.both_ways();
            }
            let weights = self.phases.weights(iteration);
            let kinds = self.kinds([&near, &mid_near, &further], weights, third.is_some());
            self.step(&kinds, iteration, (&y, &mut next), (dim, fixed), &mut moments);
            if let Some(fixed) = fixed {
                fixed.draw(0, self.learning_rate, &mut next);
            }
            std::mem::swap(&mut y, &mut next);
            let own = [&pairs.near, &pairs.mid_near, &pairs.further];
            let present = || loss(&self.kinds(own, weights, third.is_some()), &y, dim);
            if reporter.end(iteration, &y, present).is_break() {
                break;
            }
        }
        let history = reporter.finish(&y)?;
        let own = [&pairs.near, &pairs.mid_near, &pairs.further];
        let loss = loss(&self.kinds(own, self.phases.last(), true), &y, dim);
        Ok(Course { y, history, loss })
    }

    /// One step of Adam for all points, from the positions `y` to `next`.
    fn step(
        &self,
        kinds: &[Kind<'_, Blocks>],
        iteration: usize,
        (y, next): (&[f32], &mut [f32]),
        (dim, fixed): (usize, Option<FixedRows<'_>>),
        moments: &mut Moments,
    ) {
        let power = i32::try_from(iteration + 1).unwrap_or(i32::MAX);
        let [one, two] = self.decays.map(|decay| 1.0 - decay.powi(power));
        let rate = (self.learning_rate * two.sqrt() / one) as f32;
        // Differences of single precision would be 0 for decays near 1.
        let decays = self.decays.map(|decay| (decay as f32, (1.0 - decay) as f32));
        let chunks = next
            .par_chunks_mut(CHUNK * dim)
            .zip(moments.first.par_chunks_mut(CHUNK * dim))
            .zip(moments.second.par_chunks_mut(CHUNK * dim));
        chunks.enumerate().for_each_init(
            || (Workspace::default(), vec![0.0; CHUNK * dim]),
            |(work, gradients), (chunk, ((next, mean), squares))| {
                let first = chunk * CHUNK;
                let gradients = &mut gradients[..next.len()];
                pulp::Arch::new().dispatch(Gather { kinds, y, dim, first, work, gradients });
                if let Some(fixed) = fixed {
                    fixed.clear(first, gradients);
                }
                let here = &y[first * dim..][..next.len()];
                pulp::Arch::new().dispatch(Adam { decays, rate, gradients, here, mean, squares, next });
            },
        );
    }
}

/// A step of consecutive coordinates.
struct Adam<'a> {
    /// The decay of the mean and of the mean square, each with its difference from 1.
    decays: [(f32, f32); 2],
    rate: f32,
    gradients: &'a [f32],
    here: &'a [f32],
    mean: &'a mut [f32],
    squares: &'a mut [f32],
    next: &'a mut [f32],
}

impl pulp::NullaryFnOnce for Adam<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Self { decays: [(keep, add), (keep_square, add_square)], rate, .. } = self;
        let moments = self.mean.iter_mut().zip(self.squares);
        let coordinates = self.next.iter_mut().zip(self.here).zip(self.gradients);
        for (((next, here), g), (mean, square)) in coordinates.zip(moments) {
            *mean = keep * *mean + add * g;
            *square = keep_square * *square + add_square * g * g;
            *next = here - rate * *mean / (square.sqrt() + EPSILON);
        }
    }
}
