//! What past steps tell about the curvature of the stress (L-BFGS).

use std::collections::VecDeque;

use crate::lanes;
use crate::sweep::Columns;

/// Steps remembered.
const MEMORY: usize = 8;

/// A pair whose cosine is not above this tells nothing reliable.
const FLAT: f64 = 1e-8;

/// The last steps, and how the force changed along each.
#[derive(Default)]
pub(crate) struct Curvature {
    pairs: VecDeque<Change>,
}

struct Change {
    step: Columns,
    /// Force before minus force after.
    fall: Columns,
    /// Their inner product, positive.
    product: f64,
}

impl Curvature {
    /// Learns from a step; one along which the stress is not convex is left out.
    pub(crate) fn learn(&mut self, step: Columns, fall: Columns) {
        let product = dot(&step, &fall);
        if product <= FLAT * (dot(&step, &step) * dot(&fall, &fall)).sqrt() {
            return;
        }
        if self.pairs.len() == MEMORY {
            self.pairs.pop_front();
        }
        self.pairs.push_back(Change { step, fall, product });
    }

    /// Knows nothing any more.
    pub(crate) fn forget(&mut self) {
        self.pairs.clear();
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// The step that this force asks for, where `plain` would be the answer
    /// without any memory (Nocedal's two loops).
    pub(crate) fn step(&self, force: &Columns, plain: impl Fn(&Columns) -> Columns) -> Columns {
        let mut rest = force.clone();
        let mut shares = Vec::with_capacity(self.pairs.len());
        for change in self.pairs.iter().rev() {
            let share = dot(&change.step, &rest) / change.product;
            add(&mut rest, -share, &change.fall);
            shares.push(share);
        }
        let mut step = plain(&rest);
        for (change, share) in self.pairs.iter().zip(shares.iter().rev()) {
            let correction = share - dot(&change.fall, &step) / change.product;
            add(&mut step, correction, &change.step);
        }
        step
    }
}

/// Σ a b over all columns.
pub(crate) fn dot(a: &Columns, b: &Columns) -> f64 {
    a.iter().zip(b).map(|(a, b)| lanes::dot(a, b)).sum()
}

/// a + factor b.
pub(crate) fn add(a: &mut Columns, factor: f64, b: &Columns) {
    for (a, b) in a.iter_mut().zip(b) {
        a.iter_mut().zip(b).for_each(|(a, b)| *a += factor * b);
    }
}
