//! Progress of a stage with several runs.

use std::ops::ControlFlow;

use embedding::{Iteration, Observer};

/// Reports the steps of one run as steps `before`, `before` + 1, … of a stage
/// with `total` steps, and its iterations to `shown`, if anywhere.
pub(crate) struct SubProgress<'a> {
    pub(crate) observer: &'a dyn Observer,
    pub(crate) before: usize,
    pub(crate) total: usize,
    pub(crate) shown: Option<&'a dyn Observer>,
}

impl Observer for SubProgress<'_> {
    fn step(&self, done: usize, _total: usize) -> ControlFlow<()> {
        self.observer.step(self.before + done, self.total)
    }

    fn iteration(&self, iteration: &Iteration<'_>) -> ControlFlow<()> {
        self.shown.map_or(ControlFlow::Continue(()), |shown| shown.iteration(iteration))
    }
}
