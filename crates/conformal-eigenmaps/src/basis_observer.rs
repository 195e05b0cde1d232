//! Iterations of the alternation, shown as maps of the points.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use embedding::{Iteration, Observer};
use faer::MatRef;
use spectral::dense;

use crate::starts::axes;

/// Turns the factor L of an iteration into coordinates: its d leading directions, applied to
/// the whitened basis. Iterations of consecutive runs are numbered consecutively; after the
/// observer has ended one, no more are shown, and later runs end at their first.
pub(crate) struct BasisObserver<'a> {
    observer: &'a dyn Observer,
    basis: MatRef<'a, f64>,
    dim: usize,
    count: AtomicUsize,
    ended: AtomicBool,
}

impl<'a> BasisObserver<'a> {
    pub(crate) fn new(observer: &'a dyn Observer, basis: MatRef<'a, f64>, dim: usize) -> Self {
        Self { observer, basis, dim, count: AtomicUsize::new(0), ended: AtomicBool::new(false) }
    }
}

impl Observer for BasisObserver<'_> {
    fn step(&self, done: usize, total: usize) -> ControlFlow<()> {
        self.observer.step(done, total)
    }

    fn iteration(&self, iteration: &Iteration<'_>) -> ControlFlow<()> {
        if self.ended.load(Ordering::Relaxed) {
            return ControlFlow::Break(());
        }
        // A factor without leading directions fails in the alternation itself.
        let Ok(axes) = axes(iteration.coordinates, self.dim) else { return ControlFlow::Continue(()) };
        let coordinates = dense::product(self.basis, axes.as_ref());
        let number = self.count.fetch_add(1, Ordering::Relaxed) + 1;
        let shown = Iteration { number, coordinates: coordinates.as_ref(), ..*iteration };
        let answer = self.observer.iteration(&shown);
        self.ended.fetch_or(answer.is_break(), Ordering::Relaxed);
        answer
    }
}
