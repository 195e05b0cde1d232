//! Measures the time of each stage of a method.

use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use embedding::{Iteration, Observer};

use crate::history::History;
use crate::results::Stage;

/// An observer that records the start of each stage and forwards all events.
pub(crate) struct Stopwatch<'a> {
    next: &'a dyn Observer,
    begun: Instant,
    stages: Mutex<Vec<(&'static str, Instant)>>,
    history: Mutex<History>,
    further: usize,
    spectra: Mutex<Spectra>,
}

/// The reported eigenvalues, and the times of the work for eigenvalues beyond the map's own.
#[derive(Default)]
struct Spectra {
    asked: Option<Instant>,
    spans: Vec<[Instant; 2]>,
    reported: Vec<Vec<f64>>,
}

impl Spectra {
    /// The time of the additional work between two instants.
    fn seconds(&self, from: Instant, to: Instant) -> f64 {
        let within = |span: &[Instant; 2]| {
            let end = span[1].min(to);
            end.saturating_duration_since(span[0].max(from)).as_secs_f64()
        };
        self.spans.iter().map(within).sum()
    }
}

/// The times recorded by a stopwatch.
pub(crate) struct Times {
    /// Total wall-clock time in seconds.
    pub seconds: f64,
    /// Time by stage; repeated stages, as for several components, are summed.
    pub stages: Vec<Stage>,
    /// The history of an iterative method.
    pub history: History,
    /// The eigenvalues of every eigenproblem, with some beyond the map's eigenvalues, in order;
    /// only if they were requested. The times are without the work for them.
    pub spectra: Vec<Vec<f64>>,
}

impl<'a> Stopwatch<'a> {
    /// Starts the stopwatch.
    pub(crate) fn start(next: &'a dyn Observer) -> Self {
        let (stages, history, spectra) = (Mutex::default(), Mutex::default(), Mutex::default());
        Self { next, begun: Instant::now(), stages, history, further: 0, spectra }
    }

    /// Requests this many eigenvalues beyond the map's own.
    pub(crate) fn with_further_eigenvalues(self, further: usize) -> Self {
        Self { further, ..self }
    }

    /// Stops the stopwatch and returns the times.
    pub(crate) fn stop(self) -> Times {
        let end = Instant::now();
        let begun = self.stages.into_inner().unwrap_or_else(PoisonError::into_inner);
        let spectra = self.spectra.into_inner().unwrap_or_else(PoisonError::into_inner);
        let seconds = |from: Instant, to: Instant| (to - from).as_secs_f64() - spectra.seconds(from, to);
        let mut stages: Vec<Stage> = Vec::new();
        for (i, (name, from)) in begun.iter().enumerate() {
            let to = begun.get(i + 1).map_or(end, |next| next.1);
            let seconds = seconds(*from, to);
            match stages.iter_mut().find(|stage| stage.name == *name) {
                Some(stage) => stage.seconds += seconds,
                None => stages.push(Stage { name: (*name).to_owned(), seconds }),
            }
        }
        let history = self.history.into_inner().unwrap_or_else(PoisonError::into_inner);
        Times { seconds: seconds(self.begun, end), stages, history, spectra: spectra.reported }
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

    fn further_eigenvalues(&self) -> usize {
        if self.further > 0 {
            self.spectra.lock().unwrap_or_else(PoisonError::into_inner).asked = Some(Instant::now());
        }
        self.further
    }

    fn spectrum(&self, values: &[f64]) {
        let mut spectra = self.spectra.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(asked) = spectra.asked.take() {
            spectra.spans.push([asked, Instant::now()]);
        }
        spectra.reported.push(values.to_vec());
    }
}
