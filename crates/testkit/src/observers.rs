//! Observers that remember and observers that interrupt.

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use embedding::{Iteration, Observer};

/// An event that an observer received.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A stage began.
    Stage(&'static str),
    /// `.0` of `.1` steps are done.
    Step(usize, usize),
    /// An iteration, by number.
    Iteration(usize),
}

impl Event {
    /// The stage's name.
    pub fn stage(&self) -> Option<&'static str> {
        if let Self::Stage(name) = self { Some(name) } else { None }
    }

    /// Done and total.
    pub fn step(&self) -> Option<(usize, usize)> {
        if let Self::Step(done, total) = self { Some((*done, *total)) } else { None }
    }
}

/// Remembers everything and never interferes.
#[derive(Debug, Default)]
pub struct Recorder {
    events: Mutex<Vec<Event>>,
}

impl Recorder {
    /// The events so far, in order.
    pub fn events(&self) -> Vec<Event> {
        self.events.lock().expect("no panic while recording").clone()
    }

    fn push(&self, event: Event) -> ControlFlow<()> {
        self.events.lock().expect("no panic while recording").push(event);
        ControlFlow::Continue(())
    }
}

impl Observer for Recorder {
    fn stage(&self, name: &'static str) {
        let _continue = self.push(Event::Stage(name));
    }

    fn step(&self, done: usize, total: usize) -> ControlFlow<()> {
        self.push(Event::Step(done, total))
    }

    fn iteration(&self, iteration: &Iteration<'_>) -> ControlFlow<()> {
        self.push(Event::Iteration(iteration.number))
    }
}

/// Breaks at one step call, and at every later one.
#[derive(Debug)]
pub struct StopAt {
    at: usize,
    steps: AtomicUsize,
    late_stages: AtomicUsize,
}

impl StopAt {
    /// Breaks at step call number `at`, counted from 0.
    pub fn new(at: usize) -> Self {
        Self { at, steps: AtomicUsize::new(0), late_stages: AtomicUsize::new(0) }
    }

    /// Step calls and stages that came after the break.
    pub fn afterwards(&self) -> (usize, usize) {
        let steps = self.steps.load(Ordering::SeqCst).saturating_sub(self.at + 1);
        (steps, self.late_stages.load(Ordering::SeqCst))
    }
}

impl Observer for StopAt {
    fn stage(&self, _name: &'static str) {
        if self.steps.load(Ordering::SeqCst) > self.at {
            self.late_stages.fetch_add(1, Ordering::SeqCst);
        }
    }

    fn step(&self, _done: usize, _total: usize) -> ControlFlow<()> {
        if self.steps.fetch_add(1, Ordering::SeqCst) >= self.at {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}

/// Stops an iterative method at the first iteration that it shows.
#[derive(Debug, Default)]
pub struct StopEarly {
    shown: AtomicUsize,
}

impl StopEarly {
    /// How many iterations were shown.
    pub fn shown(&self) -> usize {
        self.shown.load(Ordering::SeqCst)
    }
}

impl Observer for StopEarly {
    fn iteration(&self, _iteration: &Iteration<'_>) -> ControlFlow<()> {
        self.shown.fetch_add(1, Ordering::SeqCst);
        ControlFlow::Break(())
    }
}
