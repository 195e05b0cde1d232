//! Results of minimizing the angle loss.

use embedding::implement::matrix;
use faer::Mat;
use serde::{Deserialize, Serialize};

use crate::Certificate;

/// Termination status of a minimization.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outcome {
    /// The certified gap to the convex optimum is at most the tolerance.
    Certified,
    /// For ranks below m: first-order stationary.
    Stationary,
    /// Progress fell below rounding level before the gap reached the tolerance.
    Stalled,
    /// The loss is zero up to rounding: every angle is preserved.
    ExactZero,
    /// The largest number of iterations was reached.
    IterationLimit,
    /// The observer ended the iteration.
    Stopped,
}

/// A map z = L y, with the history of its optimization.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Solution {
    /// L with tr LᵀL = 1, r × m.
    #[serde(with = "matrix")]
    pub factor: Mat<f64>,
    /// D(LᵀL), and a lower bound on the convex optimum.
    pub certificate: Certificate,
    /// Termination status.
    pub outcome: Outcome,
    /// Iterations (for [`crate::Scheme::Plain`] sweeps of two estimates).
    pub iterations: usize,
    /// Number of estimates (linear systems solved).
    pub estimates: usize,
    /// One entry per iteration.
    pub trace: Vec<Step>,
}

/// The state after one iteration.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// Estimates solved so far.
    pub estimates: usize,
    /// The objective that the scheme decreases: f(LᵀL) for
    /// [`crate::Scheme::Midpoint`], F(B, C) for [`crate::Scheme::Plain`].
    pub objective: f64,
    /// D of L = (B + C) / 2, rescaled to trace one.
    pub value: f64,
    /// The certificate's lower bound on the convex optimum.
    pub lower_bound: f64,
    /// |B − C| / |B| in the Frobenius norm.
    pub distance: f64,
    /// μ for [`crate::Scheme::Midpoint`], λ₂ for [`crate::Scheme::Plain`].
    pub damping: f64,
}
