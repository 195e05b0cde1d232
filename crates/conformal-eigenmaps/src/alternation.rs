//! Alternating minimization of the angle loss.

use embedding::implement::{ONE, Range, Sizes, ZERO};
use embedding::{Error, Observer, Recipe};
use faer::MatRef;
use serde::{Deserialize, Serialize};

use crate::{Quadratic, Solution, midpoint, naive_alternation};

/// The scheme by which the factors B and C are updated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum Scheme {
    /// Estimate C once, set B ← (B + C) / 2, and couple B and C by a matrix derived from
    /// the gradient: Newton's method near the solution. Some 30 estimates.
    #[default]
    Midpoint,
    /// The loop of the lecture slides: C from B, B from C, repeated.
    Plain {
        /// The coupling of B and C.
        coupling: Coupling,
    },
}

/// The weight λ₂ of |B − C|² in [`Scheme::Plain`].
///
/// There is a sharp threshold λ₂* = λ_max(G) / 4, where G is the gradient of the loss at
/// the solution. Below it the loop converges to a wrong point with B ≠ C; above it the
/// loop converges to the solution, more slowly for larger λ₂. The threshold depends on
/// the data (0.003 to 0.1 in three examples), so no constant is suitable in general.
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

/// Parameters of the alternating minimization.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Recipe)]
#[serde(default, deny_unknown_fields)]
pub struct Alternation {
    /// Update scheme.
    #[param(skip, default = Scheme::Midpoint)]
    pub scheme: Scheme,
    /// λ₁, the weight of (tr P − 1)², positive. It affects the speed but not the result; suitable
    /// values are in [1e-3, 10].
    #[param(skip, default = 1.0)]
    pub trace_penalty: f64,
    /// Certified distance to the convex optimum that counts as solved.
    #[param(name = "gap", default = 1e-6, range = GAP)]
    pub tolerance: f64,
    /// Largest number of iterations of each alternation.
    #[param(name = "iterations", default = 500, range = ITERATIONS)]
    pub max_iterations: usize,
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
/// **r = m** is equivalent to the convex problem of the paper: it has no local minima
/// other than the global one, and [`crate::certificate`] proves optimality. **r = d < m**
/// optimizes the map into d dimensions directly. That problem is not convex, but for
/// curved surfaces its solution is better than the truncated convex one.
///
/// **Steps** of [`Scheme::Midpoint`], where B is the current L:
/// 1. G, the gradient of f(P) = D(P) + λ₁ (tr P − 1)² at P = BᵀB, and K = (G₊ + μ |G| I)
///    / 4, with G₊ the positive part of G.
/// 2. C by [`crate::estimate`] with coupling K.
/// 3. B ← (B + C) / 2, scaled to the smallest f; accepted only if f decreases.
/// 4. μ is adapted to the ratio of actual to predicted decrease.
///
/// For 4 K = λ I the step is a Levenberg–Marquardt step on the quartic; for 4 K = G it is
/// Newton's. f decreases monotonically.
///
/// **Steps** of [`Scheme::Plain`]: C = Estimate(B), B = Estimate(C), until the midpoint
/// is certified; for fixed λ₂, F(B, C) decreases monotonically.
///
/// **Cost.** One [`crate::estimate`] and two m × m eigenproblems per iteration,
/// independent of the number of points.
///
/// Fails if a parameter is out of range, if the start is zero or does not have m columns,
/// or if the observer cancels. The observer receives every iteration, with L instead of
/// coordinates. Any other termination is reported as an [`crate::Outcome`].
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
        Scheme::Plain { coupling } => naive_alternation::run(quadratic, start, coupling, settings, observer),
    }
}
