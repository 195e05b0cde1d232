//! The alternating refinement.

use embedding::{Error, ONE, Observer, Range, Sizes, ZERO};
use faer::MatRef;
use serde::{Deserialize, Serialize};

use crate::{Quadratic, Solution, midpoint, plain};

/// How B and C take turns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum Scheme {
    /// Estimate C once, take B ← (B + C) / 2, and tie B and C by a matrix made
    /// of the gradient: Newton's method near the solution. Some 30 estimates.
    #[default]
    Midpoint,
    /// The loop of the lecture slides: C from B, B from C, repeat.
    Plain {
        /// How strongly B and C are tied.
        coupling: Coupling,
    },
}

/// The weight λ₂ of |B − C|² in [`Scheme::Plain`].
///
/// There is a sharp threshold λ₂* = λ_max(G) / 4, G the gradient of the loss at
/// the solution. Below it the loop ends at B ≠ C, a wrong point; above it the
/// loop is right and the slower the larger λ₂ is. The threshold depends on the
/// data (0.003 to 0.1 on three examples), so no constant serves.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Coupling {
    /// λ₂ = `weight` in every sweep.
    Fixed {
        /// Positive.
        weight: f64,
    },
    /// λ₂ = 0.26 λ_max(G) at the current midpoint, just above the threshold.
    Adaptive,
}

/// The settings of the alternation.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Alternation {
    /// How B and C take turns; default midpoint.
    pub scheme: Scheme,
    /// λ₁, the weight of (tr P − 1)², positive. It changes the speed and never
    /// the answer; default 1, anything in [1e-3, 10] serves.
    pub trace_penalty: f64,
    /// The certified gap that counts as solved, between 0 and 1; default 1e-6.
    pub tolerance: f64,
    /// Default 500.
    pub max_iterations: usize,
}

impl Default for Alternation {
    fn default() -> Self {
        Self { scheme: Scheme::default(), trace_penalty: 1.0, tolerance: 1e-6, max_iterations: 500 }
    }
}

impl Alternation {
    pub(crate) fn check(&self) -> Result<(), Error> {
        let any = &Sizes::default();
        POSITIVE.check("trace_penalty", self.trace_penalty, any, &self.trace_penalty)?;
        GAP.check("gap", self.tolerance, any, &self.tolerance)?;
        ITERATIONS.check("iterations", self.max_iterations as f64, any, &self.max_iterations)?;
        match self.scheme {
            Scheme::Plain { coupling: Coupling::Fixed { weight } } => {
                POSITIVE.check("the coupling weight", weight, any, &weight)
            }
            _ => Ok(()),
        }
    }
}

/// Legal penalties.
const POSITIVE: Range = Range::positive();

/// Legal certified gaps.
pub(crate) const GAP: Range = Range::below(ZERO, ONE);

/// Legal numbers of iterations.
pub(crate) const ITERATIONS: Range = Range::at_least(ONE);

/// Minimizes the loss of angles D(LᵀL) over r × m matrices L with tr LᵀL = 1,
/// from a start of r rows.
///
/// **r = m** is the convex problem of the paper in disguise: it has no bad local
/// minima, and the [`crate::certificate`] proves the result. **r = d < m** asks
/// for the best map into d dimensions directly, which is not convex and better
/// than cutting the convex solution down, wherever the surface is curved.
///
/// **Steps** of [`Scheme::Midpoint`], for B the current L:
/// 1. G, the gradient of f(P) = D(P) + λ₁ (tr P − 1)² at P = BᵀB, and K = (G₊ +
///    μ |G| I) / 4, G₊ its positive part.
/// 2. C by [`crate::estimate`] with coupling K.
/// 3. B ← (B + C) / 2, scaled to the least f; kept only if f falls.
/// 4. μ follows the ratio of actual to predicted decrease.
///
/// With 4 K = λ I the step is that of Levenberg and Marquardt on the quartic;
/// with 4 K = G it is Newton's. f decreases monotonically.
///
/// **Steps** of [`Scheme::Plain`]: C = Estimate(B), B = Estimate(C), until the
/// midpoint is certified; F(B, C) decreases monotonically at a fixed λ₂.
///
/// **Cost.** One [`crate::estimate`] and two m × m eigenproblems per iteration,
/// whatever the number of points.
///
/// Fails on settings out of range, on a start without m columns or equal to
/// zero, and when the observer cancels. Everything else is an
/// [`crate::Outcome`].
pub fn alternate(
    quadratic: &Quadratic,
    start: MatRef<'_, f64>,
    settings: &Alternation,
    observer: &dyn Observer,
) -> Result<Solution, Error> {
    settings.check()?;
    let (r, m) = (start.nrows(), quadratic.order());
    if r == 0 || r > m || start.ncols() != m {
        return Err(Error::Shape {
            what: "the start of the alternation",
            expected: format!("r × {m} with r between 1 and {m}"),
            got: format!("{r} × {}", start.ncols()),
        });
    }
    let size = start.norm_l2();
    if !(size.is_finite() && size > 0.0) {
        return Err(Error::parameter("the norm of the start", "finite and positive", size));
    }
    match settings.scheme {
        Scheme::Midpoint => midpoint::run(quadratic, start, settings, observer),
        Scheme::Plain { coupling } => plain::run(quadratic, start, coupling, settings, observer),
    }
}
