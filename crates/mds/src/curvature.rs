//! Limited-memory quasi-Newton (L-BFGS) approximation of the stress's inverse Hessian.

use std::collections::VecDeque;

use embedding::Error;
use embedding::implement::{inner_product, require, require_finite};
use serde::{Deserialize, Serialize};

use crate::sweep::Columns;

/// Number of stored steps.
const MEMORY: usize = 8;

/// A pair with at most this cosine is not reliable and is discarded.
const FLAT: f64 = 1e-8;

/// The last steps, and the change of the force along each.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Curvature {
    pairs: VecDeque<Change>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
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
        // One root at a time: the product of squares may leave the range of numbers.
        if product <= FLAT * dot(&step, &step).sqrt() * dot(&fall, &fall).sqrt() {
            return;
        }
        if self.pairs.len() == MEMORY {
            self.pairs.pop_front();
        }
        self.pairs.push_back(Change { step, fall, product });
    }

    /// Fails unless the steps are finite and of `n` points in `dim` dimensions.
    pub(crate) fn validate(&self, n: usize, dim: usize) -> Result<(), Error> {
        for Change { step, fall, product } in &self.pairs {
            let fits = |columns: &Columns| columns.len() == dim && columns.iter().all(|c| c.len() == n);
            require(fits(step) && fits(fall) && *product > 0.0, "a step of its iteration has another shape")?;
            require_finite(step.iter().chain(fall).flatten(), "a step of its iteration")?;
        }
        Ok(())
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
    a.iter().zip(b).map(|(a, b)| inner_product(a, b)).sum()
}

/// Computes a ← a + factor b.
pub(crate) fn add(a: &mut Columns, factor: f64, b: &Columns) {
    for (a, b) in a.iter_mut().zip(b) {
        a.iter_mut().zip(b).for_each(|(a, b)| *a += factor * b);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(values: &[f64]) -> Columns {
        vec![values.to_vec()]
    }

    #[test]
    fn only_steps_with_reliable_curvature_are_stored() {
        // The cosine between step and change of the force, at scales whose squares stay in range
        // and whose products of squares do not.
        for scale in [1.0, 1e-90, 1e90] {
            for (cosine, kept) in [(0.5, true), (2e-8, true), (0.5e-8, false), (0.0, false), (-0.5, false)] {
                let mut curvature = Curvature::default();
                let fall = [scale * cosine, scale * f64::sqrt(1.0 - cosine * cosine)];
                curvature.push(column(&[3.0 * scale, 0.0]), column(&fall));
                assert_eq!(!curvature.is_empty(), kept, "cosine {cosine}, scale {scale}");
            }
        }
    }

    #[test]
    fn no_curvature_stores_nothing() {
        let mut curvature = Curvature::default();
        curvature.push(column(&[1.0, 2.0]), column(&[0.0, 0.0]));
        assert!(curvature.is_empty());
    }

    /// The secant condition, and the plain step without pairs.
    #[test]
    fn the_last_change_of_the_force_gives_the_last_step() {
        let plain = |force: &Columns| force.iter().map(|c| c.iter().map(|v| 0.25 * v).collect()).collect();
        let mut curvature = Curvature::default();
        let fall = |s: &[f64; 3]| [4.0 * s[0] + s[1], s[0] + 3.0 * s[1] - s[2], 2.0 * s[2] - s[1]];
        assert_eq!(curvature.step(&column(&[4.0, 8.0, 0.0]), plain), column(&[1.0, 2.0, 0.0]));
        for at in 0..2 * MEMORY {
            let step = [1.0, (at as f64).sin(), (2.0 * at as f64).cos()];
            curvature.push(column(&step), column(&fall(&step)));
            assert_eq!(curvature.pairs.len(), MEMORY.min(at + 1));
            let found = curvature.step(&column(&fall(&step)), plain);
            assert!(found[0].iter().zip(step).all(|(a, b)| (a - b).abs() < 1e-12), "{found:?} {step:?}");
        }
        curvature.clear();
        assert_eq!(curvature.step(&column(&[4.0, 8.0, 0.0]), plain), column(&[1.0, 2.0, 0.0]));
    }
}
