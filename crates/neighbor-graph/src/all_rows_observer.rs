//! Iterations of a fit of the distinct points, passed on with all rows.

use std::ops::ControlFlow;

use embedding::{Iteration, Observer};
use faer::Mat;

use crate::copies::Copies;

/// Passes events to an observer; iterations with the coordinates of all rows.
pub(crate) struct AllRowsObserver<'a> {
    copies: &'a Copies,
    observer: &'a dyn Observer,
}

impl Copies {
    /// The observer of a fit of the distinct points. Iterations of a part of them are passed
    /// unchanged.
    pub(crate) fn observer<'a>(&'a self, observer: &'a dyn Observer) -> AllRowsObserver<'a> {
        AllRowsObserver { copies: self, observer }
    }
}

impl Observer for AllRowsObserver<'_> {
    fn stage(&self, name: &'static str) {
        self.observer.stage(name);
    }

    fn step(&self, done: usize, total: usize) -> ControlFlow<()> {
        self.observer.step(done, total)
    }

    fn iteration(&self, iteration: &Iteration<'_>) -> ControlFlow<()> {
        let Copies { of, rows } = self.copies;
        let own = iteration.coordinates;
        if own.nrows() != rows.len() {
            return self.observer.iteration(iteration);
        }
        let all = Mat::from_fn(of.len(), own.ncols(), |i, j| own[(of[i] as usize, j)]);
        self.observer.iteration(&Iteration { coordinates: all.as_ref(), ..*iteration })
    }

    fn further_eigenvalues(&self) -> usize {
        self.observer.further_eigenvalues()
    }

    fn spectrum(&self, values: &[f64]) {
        self.observer.spectrum(values);
    }
}
