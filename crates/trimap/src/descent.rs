//! Constants of the optimization.

use embedding::Recipe;
use serde::{Deserialize, Serialize};

/// Gradient descent with momentum and a gain of each coordinate (delta-bar-delta).
///
/// With the gradient g at y + γ v, a coordinate's gain grows by `gain_increase` where v and g
/// have other signs, and is multiplied by `gain_decay` where they have the same; then
/// v ← γ v − `learning_rate` · gain · g and y ← y + v.
///
/// *Reference.* Jacobs (1988), Increased rates of convergence through learning rate adaptation,
/// Neural Networks 1(4), doi:10.1016/0893-6080(88)90003-2.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Recipe)]
#[serde(default, deny_unknown_fields)]
pub struct Descent {
    /// Steps of the optimization.
    #[param(default = 400, range = "0 to 1000000")]
    pub iterations: usize,
    /// Length of a step.
    #[param(default = 0.1, range = "above 0")]
    pub learning_rate: f64,
    /// Momentum at first.
    #[param(default = 0.5, range = "at least 0 and below 1")]
    pub first_momentum: f64,
    /// Momentum after the switch.
    #[param(default = 0.8, range = "at least 0 and below 1")]
    pub last_momentum: f64,
    /// Iterations with the first momentum.
    #[param(default = 250, range = "at least 0")]
    pub switch: usize,
    /// Added to the gain of a coordinate whose velocity opposes its gradient.
    #[param(default = 0.2, range = "0 to 1e3")]
    pub gain_increase: f64,
    /// Factor of the gain of every other coordinate.
    #[param(default = 0.8, range = "0 to 1")]
    pub gain_decay: f64,
    /// Smallest gain of a coordinate.
    #[param(default = 0.01, range = "0 to 1")]
    pub least_gain: f64,
}

impl Descent {
    /// The momentum of an iteration, counted from 0.
    pub(crate) fn momentum(&self, iteration: usize) -> f32 {
        (if iteration < self.switch { self.first_momentum } else { self.last_momentum }) as f32
    }

    /// One step of a coordinate with gradient g: its velocity and gain afterwards.
    #[inline(always)]
    pub(crate) fn step(&self, momentum: f32, g: f32, velocity: f32, gain: f32) -> (f32, f32) {
        let sign = |v: f32| i8::from(v > 0.0) - i8::from(v < 0.0);
        let gain = if sign(velocity) == sign(g) {
            (gain * self.gain_decay as f32).max(self.least_gain as f32)
        } else {
            gain + self.gain_increase as f32
        };
        (momentum * velocity - self.learning_rate as f32 * gain * g, gain)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gains_grow_while_the_gradient_opposes_the_velocity() {
        let descent = Descent::default();
        // Against the gradient: the velocity is the negative sum of gradients.
        assert_eq!(descent.step(0.5, 2.0, -1.0, 1.0), (-0.5 - 0.1 * 1.2 * 2.0, 1.2));
        // After a step too far.
        assert_eq!(descent.step(0.5, 2.0, 1.0, 1.0), (0.5 - 0.1 * 0.8 * 2.0, 0.8));
        assert_eq!(descent.step(0.5, -2.0, -1.0, 0.011).1, 0.01);
        // The first step.
        assert_eq!(descent.step(0.5, 2.0, 0.0, 1.0).1, 1.2);
    }

    #[test]
    fn the_momentum_changes_after_the_stated_iterations() {
        let descent = Descent { switch: 3, ..Descent::default() };
        assert_eq!([0, 2, 3, 9].map(|at| descent.momentum(at)), [0.5, 0.5, 0.8, 0.8]);
    }
}
