//! Stages, steps and iterations as events.

use std::ops::ControlFlow;
use std::sync::{Mutex, MutexGuard, PoisonError};

use embedding::{Iteration, Observer};
use serde_json::{Value, json};

use crate::message::Blocks;
use crate::request::Frames;
use crate::state::Sink;

/// Most steps of a stage that are sent.
const STEPS: usize = 100;

/// Sends the events of one request.
pub(crate) struct Events<'a> {
    id: &'a Value,
    frames: Option<Frames>,
    steps: bool,
    /// Number of requested eigenvalues beyond the map's own.
    further: usize,
    state: Mutex<State<'a>>,
}

struct State<'a> {
    sink: &'a mut Sink<'a>,
    seen: Seen,
    /// The last step that was sent, in units of the total divided by [`STEPS`].
    step: Option<usize>,
    /// The iteration of the last frame.
    frame: usize,
    cancelled: bool,
}

/// What was observed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seen {
    pub(crate) stages: Vec<&'static str>,
    pub(crate) iterations: usize,
    /// The eigenvalues of every eigenproblem, where further ones are requested.
    pub(crate) spectra: Vec<Vec<f64>>,
}

impl<'a> Events<'a> {
    pub(crate) fn new(id: &'a Value, frames: Option<Frames>, steps: bool, sink: &'a mut Sink<'a>) -> Self {
        let state = State { sink, seen: Seen::default(), step: None, frame: 0, cancelled: false };
        Self { id, frames, steps, further: 0, state: Mutex::new(state) }
    }

    pub(crate) fn with_further_eigenvalues(self, further: usize) -> Self {
        Self { further, ..self }
    }

    pub(crate) fn seen(&self) -> Seen {
        self.state().seen.clone()
    }

    fn state(&self) -> MutexGuard<'_, State<'a>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State<'_> {
    /// Sends an event; returns whether to stop.
    fn send(&mut self, blocks: Blocks, header: &Value) -> bool {
        (self.sink)(&blocks.with_header(header))
    }
}

impl Observer for Events<'_> {
    fn stage(&self, name: &'static str) {
        let mut state = self.state();
        state.seen.stages.push(name);
        state.step = None;
        let header = json!({ "id": self.id, "type": "stage", "stage": name });
        state.cancelled |= state.send(Blocks::default(), &header);
    }

    fn step(&self, done: usize, total: usize) -> ControlFlow<()> {
        let mut state = self.state();
        let part = (done as f64 / total.max(1) as f64 * STEPS as f64) as usize;
        if self.steps && state.step.is_none_or(|last| last < part) {
            state.step = Some(part);
            let header = json!({ "id": self.id, "type": "step", "done": done, "total": total });
            state.cancelled |= state.send(Blocks::default(), &header);
        }
        flow(state.cancelled)
    }

    /// A frame that stops ends the iteration with the result so far, and cancels nothing.
    fn iteration(&self, iteration: &Iteration<'_>) -> ControlFlow<()> {
        let mut state = self.state();
        state.seen.iterations += 1;
        let (number, last) = (iteration.number, state.frame);
        let due = |frames: &Frames| number <= last || last == 0 || number - last >= frames.every;
        let mut stop = state.cancelled;
        if self.frames.as_ref().is_some_and(due) {
            state.frame = number;
            let coordinates = iteration.coordinates;
            let (n, columns) = (coordinates.nrows(), coordinates.ncols());
            let mut blocks = Blocks::default();
            let numbers = (0..n * columns).map(|at| coordinates[(at / columns, at % columns)]);
            let header = json!({
                "id": self.id,
                "type": "frame",
                "iteration": number,
                "objective": iteration.objective,
                "columns": columns,
                "coordinates": blocks.f32(numbers),
            });
            stop |= state.send(blocks, &header);
        }
        flow(stop)
    }

    fn further_eigenvalues(&self) -> usize {
        self.further
    }

    fn spectrum(&self, values: &[f64]) {
        self.state().seen.spectra.push(values.to_vec());
    }
}

fn flow(stop: bool) -> ControlFlow<()> {
    if stop { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}
