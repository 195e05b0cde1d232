//! Shows iterations of the landmarks as iterations of all points.

use std::ops::ControlFlow;

use embedding::{Iteration, Observer};
use faer::Mat;
use spectral::Sparse;

/// Passes everything to an observer; coordinates of landmarks are interpolated.
pub(crate) struct LandmarkObserver<'a> {
    pub(crate) observer: &'a dyn Observer,
    pub(crate) spread: Option<&'a Sparse>,
}

impl Observer for LandmarkObserver<'_> {
    fn stage(&self, name: &'static str) {
        self.observer.stage(name);
    }

    fn step(&self, done: usize, total: usize) -> ControlFlow<()> {
        self.observer.step(done, total)
    }

    fn iteration(&self, iteration: &Iteration<'_>) -> ControlFlow<()> {
        let Some(spread) = self.spread else { return self.observer.iteration(iteration) };
        let mut all = Mat::zeros(spread.nrows(), iteration.coordinates.ncols());
        spread.apply(iteration.coordinates, all.as_mut());
        self.observer.iteration(&Iteration { coordinates: all.as_ref(), ..*iteration })
    }
}
