//! Weights of the pairs in the phases of the optimization.

use embedding::implement::{Bound, Parameter, Range, ZERO};
use embedding::{Recipe, field};
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

/// The three phases. In the first one the weight of mid-near pairs changes linearly to its value in the
/// second one.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Recipe)]
#[serde(default, deny_unknown_fields)]
pub struct Phases {
    /// Global structure.
    #[param(
        flatten = first,
        default = Phase { iterations: 100, near: 2.0, mid_near: 1000.0, further: 1.0 }
    )]
    pub first: Phase,
    /// Local structure with the global one kept.
    #[param(
        flatten = second,
        default = Phase { iterations: 100, near: 3.0, mid_near: 3.0, further: 1.0 }
    )]
    pub second: Phase,
    /// Local structure.
    #[param(
        flatten = third,
        default = Phase { iterations: 250, near: 1.0, mid_near: 0.0, further: 1.0 }
    )]
    pub third: Phase,
}

fn first() -> Vec<Parameter<Phase>> {
    Phase::listed([
        ("first-iterations", "iterations of the first phase"),
        ("first-near", "weight of near pairs in the first phase"),
        (
            "first-mid-near",
            "weight of mid-near pairs at the start of the first phase; it changes linearly to their weight in the second phase",
        ),
        ("first-further", "weight of further pairs in the first phase"),
    ])
}

fn second() -> Vec<Parameter<Phase>> {
    Phase::listed([
        ("second-iterations", "iterations of the second phase"),
        ("second-near", "weight of near pairs in the second phase"),
        ("second-mid-near", "weight of mid-near pairs in the second phase"),
        ("second-further", "weight of further pairs in the second phase"),
    ])
}

fn third() -> Vec<Parameter<Phase>> {
    Phase::listed([
        ("third-iterations", "iterations of the third phase"),
        ("third-near", "weight of near pairs in the third phase"),
        ("third-mid-near", "weight of mid-near pairs in the third phase"),
        ("third-further", "weight of further pairs in the third phase"),
    ])
}

impl Phase {
    /// The parameters of a phase, by name and meaning.
    fn listed(texts: [(&'static str, &'static str); 4]) -> Vec<Parameter<Self>> {
        const ITERATIONS: Range = Range::between(ZERO, Bound::new("1000000", |_| Some(1e6)));
        const WEIGHT: Range = Range::between(ZERO, Bound::new("1e12", |_| Some(1e12)));
        let [iterations, near, mid_near, further] = texts;
        vec![
            Parameter::<Self>::new(iterations.0, iterations.1, field!(iterations)).within(ITERATIONS),
            Parameter::<Self>::new(near.0, near.1, field!(near)).within(WEIGHT),
            Parameter::<Self>::new(mid_near.0, mid_near.1, field!(mid_near)).within(WEIGHT),
            Parameter::<Self>::new(further.0, further.1, field!(further)).within(WEIGHT),
        ]
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

    /// The third phase alone.
    pub(crate) fn last_alone(self) -> Self {
        let none = |phase| Phase { iterations: 0, ..phase };
        Self { first: none(self.first), second: none(self.second), ..self }
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
