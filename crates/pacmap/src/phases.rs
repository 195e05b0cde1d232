//! Weights of the pairs in the phases of the optimization.

use serde::{Deserialize, Serialize};

/// One phase: its length, and the weights of pairs in it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Phase {
    /// Number of iterations.
    pub iterations: usize,
    /// Weight of near pairs.
    pub near: f64,
    /// Weight of mid-near pairs.
    pub mid_near: f64,
    /// Weight of further pairs.
    pub further: f64,
}

/// The three phases. In the first one the weight of mid-near pairs changes linearly to that
/// of the second one.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Phases {
    /// Global structure; default 100 iterations, weights 2, 1000, 1.
    pub first: Phase,
    /// Local structure with the global one kept; default 100 iterations, weights 3, 3, 1.
    pub second: Phase,
    /// Local structure; default 250 iterations, weights 1, 0, 1.
    pub third: Phase,
}

impl Default for Phases {
    fn default() -> Self {
        Self {
            first: Phase { iterations: 100, near: 2.0, mid_near: 1000.0, further: 1.0 },
            second: Phase { iterations: 100, near: 3.0, mid_near: 3.0, further: 1.0 },
            third: Phase { iterations: 250, near: 1.0, mid_near: 0.0, further: 1.0 },
        }
    }
}

/// Weights of near, mid-near and further pairs.
pub(crate) type Weights = [f64; 3];

impl Phases {
    /// Number of iterations.
    pub fn iterations(&self) -> usize {
        [self.first, self.second, self.third]
            .iter()
            .fold(0, |sum, phase| sum.saturating_add(phase.iterations))
    }

    /// The weights of an iteration, counted from 0.
    pub(crate) fn weights(&self, iteration: usize) -> Weights {
        let Self { first, second, third } = self;
        if iteration < first.iterations {
            let t = iteration as f64 / first.iterations as f64;
            return [first.near, (1.0 - t) * first.mid_near + t * second.mid_near, first.further];
        }
        let phase = if self.in_third(iteration).is_none() { second } else { third };
        [phase.near, phase.mid_near, phase.further]
    }

    /// The number of the iteration in the third phase, counted from 0.
    pub(crate) fn in_third(&self, iteration: usize) -> Option<usize> {
        iteration.checked_sub(self.first.iterations.saturating_add(self.second.iterations))
    }

    /// The weights of the third phase.
    pub(crate) fn last(&self) -> Weights {
        [self.third.near, self.third.mid_near, self.third.further]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_those_of_the_phases() {
        let phases = Phases::default();
        assert_eq!(phases.iterations(), 450);
        assert_eq!(phases.weights(0), [2.0, 1000.0, 1.0]);
        assert_eq!(phases.weights(50), [2.0, 501.5, 1.0]);
        assert_eq!(phases.weights(100), [3.0, 3.0, 1.0]);
        assert_eq!(phases.weights(199), [3.0, 3.0, 1.0]);
        assert_eq!(phases.weights(200), phases.last());
        assert_eq!(phases.last(), [1.0, 0.0, 1.0]);
        assert_eq!((phases.in_third(199), phases.in_third(210)), (None, Some(10)));
        let third = Phases {
            first: Phase { iterations: 0, ..phases.first },
            second: Phase { iterations: 0, ..phases.second },
            ..phases
        };
        assert_eq!(third.weights(0), phases.last());
    }
}
