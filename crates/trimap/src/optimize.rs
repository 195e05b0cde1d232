//! Optimization of the map.

use embedding::implement::FixedRows;
use embedding::{Error, Observer};
use layout::{History, Reporter};
use rayon::prelude::*;

use crate::Descent;
use crate::forces::{Loss, Sums};
use crate::triplets::Triplets;

/// Points per parallel task.
const CHUNK: usize = 512;

/// Result of an optimization.
pub(crate) struct Course {
    pub(crate) y: Vec<f32>,
    pub(crate) history: History,
    pub(crate) loss: Loss,
}

/// Positions, velocities and gains of all coordinates.
struct State {
    y: Vec<f32>,
    velocity: Vec<f32>,
    gain: Vec<f32>,
    /// y + γ v, where the gradient of the next step is taken.
    ahead: Vec<f32>,
}

impl Descent {
    /// Moves all points but the fixed ones from their start `y`, n × `dim`. An iteration computes the gradients
    /// of all points from the positions before it.
    pub(crate) fn run(
        &self,
        triplets: &Triplets,
        y: Vec<f32>,
        (dim, fixed): (usize, Option<FixedRows<'_>>),
        observer: &dyn Observer,
    ) -> Result<Course, Error> {
        let mut sums = Sums::new(triplets.points(), dim);
        let mut state = State { velocity: vec![0.0; y.len()], gain: vec![1.0; y.len()], ahead: y.clone(), y };
        let mut reporter = Reporter::new(observer, self.iterations, dim);
        for iteration in 0..self.iterations {
            reporter.begin(iteration)?;
            sums.compute(triplets, &state.ahead, dim);
            self.advance(&sums, iteration, (dim, fixed), &mut state);
            if let Some(fixed) = fixed {
                fixed.draw(0, self.learning_rate, &mut state.y);
                fixed.draw(0, self.learning_rate, &mut state.ahead);
            }
            let present = || Loss::of(triplets, &state.y, dim).value;
            if reporter.end(iteration, &state.y, present).is_break() {
                break;
            }
        }
        let y = state.y;
        let history = reporter.finish(&y)?;
        let loss = Loss::of(triplets, &y, dim);
        Ok(Course { y, history, loss })
    }

    /// One step of all coordinates by their gradients, which are 0 for fixed rows.
    fn advance(
        &self,
        sums: &Sums,
        iteration: usize,
        (dim, fixed): (usize, Option<FixedRows<'_>>),
        state: &mut State,
    ) {
        let (momentum, next) = (self.momentum(iteration), self.momentum(iteration + 1));
        let size = CHUNK * dim;
        let chunks = state
            .y
            .par_chunks_mut(size)
            .zip(state.velocity.par_chunks_mut(size))
            .zip(state.gain.par_chunks_mut(size))
            .zip(state.ahead.par_chunks_mut(size));
        chunks.enumerate().for_each(|(chunk, (((y, velocity), gain), ahead))| {
            // The positions ahead are no longer read: their memory takes the gradient.
            sums.add_into(chunk * size, ahead);
            if let Some(fixed) = fixed {
                fixed.clear(chunk * CHUNK, ahead);
            }
            for (((y, velocity), gain), ahead) in y.iter_mut().zip(velocity).zip(gain).zip(ahead) {
                (*velocity, *gain) = self.step(momentum, *ahead, *velocity, *gain);
                *y += *velocity;
                *ahead = *y + next * *velocity;
            }
        });
    }
}
