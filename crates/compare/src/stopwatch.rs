//! Measures the time of each stage of a method.

use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use embedding::{Iteration, Observer};

use crate::history::History;
use crate::results::Stage;

/// An observer that records the start of each stage and forwards all events.
pub struct Stopwatch<'a> {
    next: &'a dyn Observer,
    begun: Instant,
    stages: Mutex<Vec<(&'static str, Instant)>>,
    history: Mutex<History>,
}

/// The times recorded by a stopwatch.
pub struct Times {
    /// Total wall-clock time in seconds.
    pub seconds: f64,
    /// Time by stage; repeated stages, as for several components, are summed.
    pub stages: Vec<Stage>,
    /// The history of an iterative method.
    pub history: History,
}

impl<'a> Stopwatch<'a> {
    /// Starts the stopwatch.
    pub fn start(next: &'a dyn Observer) -> Self {
        Self { next, begun: Instant::now(), stages: Mutex::default(), history: Mutex::default() }
    }

    /// Stops the stopwatch and returns the times.
    pub fn stop(self) -> Times {
        let end = Instant::now();
        let begun = self.stages.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut stages: Vec<Stage> = Vec::new();
        for (i, (name, from)) in begun.iter().enumerate() {
            let to = begun.get(i + 1).map_or(end, |next| next.1);
            let seconds = (to - *from).as_secs_f64();
            match stages.iter_mut().find(|stage| stage.name == *name) {
                Some(stage) => stage.seconds += seconds,
                None => stages.push(Stage { name: (*name).to_owned(), seconds }),
            }
        }
        let history = self.history.into_inner().unwrap_or_else(PoisonError::into_inner);
        Times { seconds: (end - self.begun).as_secs_f64(), stages, history }
    }
}

impl Observer for Stopwatch<'_> {
    fn stage(&self, name: &'static str) {
        self.stages.lock().unwrap_or_else(PoisonError::into_inner).push((name, Instant::now()));
        self.next.stage(name);
    }

    fn step(&self, done: usize, total: usize) -> ControlFlow<()> {
        self.next.step(done, total)
    }

    fn iteration(&self, iteration: &Iteration<'_>) -> ControlFlow<()> {
        self.history.lock().unwrap_or_else(PoisonError::into_inner).note(iteration);
        self.next.iteration(iteration)
    }
}
