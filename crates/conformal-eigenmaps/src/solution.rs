//! What a minimizer of the loss returns.

use embedding::matrix;
use faer::Mat;
use serde::{Deserialize, Serialize};

use crate::Certificate;

/// Why a minimizer stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outcome {
    /// The certified gap to the convex optimum is within the tolerance.
    Certified,
    /// At a rank below m: no step improves the loss to first order.
    Stationary,
    /// Progress has fallen below rounding before the certificate closed.
    Stalled,
    /// The loss is zero to rounding: every angle is kept.
    ExactZero,
    /// The largest number of iterations came first.
    IterationLimit,
}

/// A map z = L y, and how it was found.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Solution {
    /// L with tr LᵀL = 1, r × m.
    #[serde(with = "matrix")]
    pub factor: Mat<f64>,
    /// D(LᵀL), and what it proves about the convex optimum.
    pub certificate: Certificate,
    /// Why it stopped.
    pub outcome: Outcome,
    /// Iterations (for [`crate::Scheme::Plain`] sweeps of two estimates).
    pub iterations: usize,
    /// Estimates, that is linear systems, solved.
    pub estimates: usize,
    /// One row per iteration.
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
    /// The certificate's lower bound for the convex optimum.
    pub lower_bound: f64,
    /// |B − C| / |B|, Frobenius.
    pub distance: f64,
    /// μ for [`crate::Scheme::Midpoint`], λ₂ for [`crate::Scheme::Plain`].
    pub damping: f64,
}
