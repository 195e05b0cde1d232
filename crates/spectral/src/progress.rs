//! Progress of an iteration, measured by its residual.

use std::ops::ControlFlow;

use embedding::{Error, Observer, proceed};

/// Steps reported to an observer.
const TOTAL: usize = 100;

/// Progress on the logarithmic scale from a residual of 1 to the tolerance.
pub(crate) struct Progress<'a> {
    observer: &'a dyn Observer,
    done: usize,
}

impl<'a> Progress<'a> {
    pub(crate) fn new(observer: &'a dyn Observer) -> Result<Self, Error> {
        proceed(observer, 0, TOTAL)?;
        Ok(Self { observer, done: 0 })
    }

    /// Reports that the largest residual is `ratio` times the tolerance, where
    /// `tolerance` is relative to the operator's norm.
    pub(crate) fn report(&mut self, ratio: f64, tolerance: f64) -> Result<(), Error> {
        let fraction = 1.0 - ratio.max(1.0).ln() / -tolerance.clamp(1e-300, 0.1).ln();
        let done = (fraction.clamp(0.0, 1.0) * (TOTAL - 1) as f64) as usize;
        self.done = self.done.max(done);
        proceed(self.observer, self.done, TOTAL)
    }

    /// Checks for cancellation.
    pub(crate) fn pulse(&self) -> Result<(), Error> {
        proceed(self.observer, self.done, TOTAL)
    }

    pub(crate) fn finish(self) -> Result<(), Error> {
        proceed(self.observer, TOTAL, TOTAL)
    }
}

/// An observer of a computation within a step of another: it can only cancel.
pub(crate) struct Pulse<'a> {
    pub(crate) observer: &'a dyn Observer,
    /// The steps of the other one.
    pub(crate) done: usize,
    pub(crate) total: usize,
}

impl<'a> Pulse<'a> {
    /// Within the last step of an iteration.
    pub(crate) fn last(observer: &'a dyn Observer) -> Self {
        Self { observer, done: TOTAL - 1, total: TOTAL }
    }
}

impl Observer for Pulse<'_> {
    fn step(&self, _done: usize, _total: usize) -> ControlFlow<()> {
        self.observer.step(self.done, self.total)
    }
}
