//! Progress reporting and cancellation.

use std::ops::ControlFlow;

use faer::MatRef;

use crate::Error;

/// Receives stages, steps and iterations of a running method, and may cancel it.
///
/// Every method has a default, so an observer implements what it needs.
/// A stage is a name from a method's documentation (`"neighbors"`,
/// `"geodesics"`, …). `step` counts up to `total` within the current stage and
/// may be called from several threads.
pub trait Observer: Sync {
    /// A stage begins; the one before it, if any, has ended.
    fn stage(&self, _name: &'static str) {}

    /// `done` of `total` steps of the current stage are finished.
    /// [`ControlFlow::Break`] cancels: the method returns [`Error::Cancelled`].
    fn step(&self, _done: usize, _total: usize) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// An iterative method shows its state. [`ControlFlow::Break`] stops it
    /// early with the result so far, which is valid; its status is [`crate::Status::Stopped`].
    fn iteration(&self, _iteration: &Iteration<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// The number of eigenvalues that the observer requests in addition to the eigenvalues of the map;
    /// default 0.
    ///
    /// Eigensolvers compute them separately, after the pairs of the map, so the map is the
    /// same to the byte for any number. They call this function right before the additional
    /// work, which takes about as long as the work for the pairs and can be cancelled, and
    /// report by [`Observer::spectrum`] right after it.
    fn further_eigenvalues(&self) -> usize {
        0
    }

    /// The eigenvalues of an eigenproblem in its own order, if
    /// [`Observer::further_eigenvalues`] is not 0: the eigenvalues of the map's pairs, then
    /// the requested further ones, or as many of them as exist and converge.
    fn spectrum(&self, _values: &[f64]) {}
}

/// The state of an iterative method.
#[derive(Clone, Copy, Debug)]
pub struct Iteration<'a> {
    /// Counted from 1.
    pub number: usize,
    /// The objective, if it is known at this iteration.
    pub objective: Option<f64>,
    /// The current coordinates, n × d.
    pub coordinates: MatRef<'a, f64>,
}

/// An observer that ignores all events.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Observer for Silent {}

/// Reports a step and turns a request to stop into [`Error::Cancelled`].
pub fn proceed(observer: &dyn Observer, done: usize, total: usize) -> Result<(), Error> {
    match observer.step(done, total) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(Error::Cancelled),
    }
}
