//! Progress of an iteration, measured by its residual.

use std::ops::ControlFlow;

use embedding::implement::proceed;
use embedding::{Error, Observer};

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

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;
    use std::sync::Mutex;

    use embedding::{Error, Observer};

    use super::{Progress, Pulse};

    /// Records steps, and cancels after a given number of them.
    struct Steps(Mutex<Vec<(usize, usize)>>, usize);

    impl Steps {
        fn last(&self) -> (usize, usize) {
            *self.0.lock().expect("no step panics").last().expect("a step")
        }
    }

    impl Observer for Steps {
        fn step(&self, done: usize, total: usize) -> ControlFlow<()> {
            let mut steps = self.0.lock().expect("no step panics");
            steps.push((done, total));
            if steps.len() > self.1 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        }
    }

    /// From 1 to the tolerance on a logarithmic scale, never back, and at the end only when it ends.
    #[test]
    fn progress_is_that_of_the_logarithm_of_the_residual() {
        let steps = Steps(Mutex::default(), usize::MAX);
        let mut progress = Progress::new(&steps).expect("not canceled");
        assert_eq!(steps.last(), (0, 100));
        for (residual, done) in [(1.0, 0), (10.0, 0), (1e-2, 24), (1e-1, 24), (1e-4, 49), (1e-6, 74)] {
            progress.report(1.001 * residual / 1e-8, 1e-8).expect("not canceled");
            assert_eq!(steps.last(), (done, 100), "{residual}");
        }
        for residual in [1e-8, 1e-12] {
            progress.report(residual / 1e-8, 1e-8).expect("not canceled");
            assert_eq!(steps.last(), (99, 100), "{residual}");
        }
        progress.pulse().expect("not canceled");
        assert_eq!(steps.last(), (99, 100));
        progress.finish().expect("not canceled");
        assert_eq!(steps.last(), (100, 100));
        assert!(Pulse::last(&steps).step(3, 7).is_continue());
        assert_eq!(steps.last(), (99, 100));
    }

    #[test]
    fn an_iteration_can_be_canceled_between_its_steps() {
        let steps = Steps(Mutex::default(), 1);
        let progress = Progress::new(&steps).expect("not canceled");
        assert_eq!(progress.pulse(), Err(Error::Cancelled));
    }
}
