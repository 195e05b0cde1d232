//! Limited-memory quasi-Newton (L-BFGS) approximation of the stress's inverse Hessian.

use std::collections::VecDeque;

use crate::lanes;
use crate::sweep::Columns;

/// Number of stored steps.
const MEMORY: usize = 8;

/// A pair whose cosine is at most this is not reliable and is discarded.
const FLAT: f64 = 1e-8;

/// The last steps, and the change of the force along each.
#[derive(Default)]
pub(crate) struct Curvature {
    pairs: VecDeque<Change>,
}

struct Change {
    step: Columns,
    /// Force before the step minus force after.
    fall: Columns,
    /// Their inner product, positive.
    product: f64,
}

impl Curvature {
    /// Stores a step, unless the stress is not convex along it.
    pub(crate) fn push(&mut self, step: Columns, fall: Columns) {
        let product = dot(&step, &fall);
        // Root by root: the product of squares may leave the range of numbers.
        if product <= FLAT * dot(&step, &step).sqrt() * dot(&fall, &fall).sqrt() {
            return;
        }
        if self.pairs.len() == MEMORY {
            self.pairs.pop_front();
        }
        self.pairs.push_back(Change { step, fall, product });
    }

    /// Discards all stored steps.
    pub(crate) fn clear(&mut self) {
        self.pairs.clear();
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// Returns the quasi-Newton step for a force by the two-loop recursion (Nocedal),
    /// with `plain` as initial inverse Hessian.
    pub(crate) fn step(&self, force: &Columns, plain: impl Fn(&Columns) -> Columns) -> Columns {
        let mut rest = force.clone();
        let mut coefficients = Vec::with_capacity(self.pairs.len());
        for change in self.pairs.iter().rev() {
            let coefficient = dot(&change.step, &rest) / change.product;
            add(&mut rest, -coefficient, &change.fall);
            coefficients.push(coefficient);
        }
        let mut step = plain(&rest);
        for (change, coefficient) in self.pairs.iter().zip(coefficients.iter().rev()) {
            let correction = coefficient - dot(&change.fall, &step) / change.product;
            add(&mut step, correction, &change.step);
        }
        step
    }
}

/// Returns Σ a b over all columns.
pub(crate) fn dot(a: &Columns, b: &Columns) -> f64 {
    a.iter().zip(b).map(|(a, b)| lanes::dot(a, b)).sum()
}

/// Computes a ← a + factor b.
pub(crate) fn add(a: &mut Columns, factor: f64, b: &Columns) {
    for (a, b) in a.iter_mut().zip(b) {
        a.iter_mut().zip(b).for_each(|(a, b)| *a += factor * b);
    }
}
