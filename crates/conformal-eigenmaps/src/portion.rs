//! Progress of a stage with several runs.

use std::ops::ControlFlow;

use embedding::Observer;

/// Reports the steps of one run as steps `before`, `before` + 1, … of a stage
/// with `total` steps.
pub(crate) struct Portion<'a> {
    pub(crate) observer: &'a dyn Observer,
    pub(crate) before: usize,
    pub(crate) total: usize,
}

impl Observer for Portion<'_> {
    fn step(&self, done: usize, _total: usize) -> ControlFlow<()> {
        self.observer.step(self.before + done, self.total)
    }
}
