//! Maximization of the variance under the length loss, with a certificate.

use embedding::implement::{Bound, Range, Sizes, proceed};
use embedding::{Error, Observer};
use faer::{Mat, MatRef};
use serde::{Deserialize, Serialize};
use spectral::dense;

use crate::newton::Newton;
use crate::svec::{dot, packed_trace, smat, svec, svec_product};
use crate::{LengthLoss, Outcome};

/// Largest total number of Newton steps; a run takes 30 to 50.
const MOST_STEPS: usize = 400;
/// Newton decrement at which the next barrier problem starts: below one, Newton's method
/// converges quadratically, and higher accuracy is not needed before the last τ.
const NEAR: f64 = 0.9;
/// Factor between successive barrier parameters. With 10 there are more barrier problems;
/// with 200 each takes longer.
const SHARPER: f64 = 20.0;
/// Rounding error of the gap relative to the terms that cancel in it.
const ROUNDING: f64 = 8.0 * f64::EPSILON;

/// Bounds on the optimum of the unfolding problem.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct UnfoldingCertificate {
    /// f(P) = ν E(P) − tr P: an upper bound, attained at P.
    pub value: f64,
    /// A lower bound on the objective of every positive semidefinite matrix.
    pub lower_bound: f64,
    /// ν E(P) + tr P, the sum of magnitudes of the two terms.
    pub size: f64,
}

impl UnfoldingCertificate {
    /// Returns (value − lower bound) / size: finite, and 0 at the optimum.
    pub fn gap(&self) -> f64 {
        ((self.value - self.lower_bound) / self.size).min(f64::MAX)
    }
}

/// The solution of [`maximize_variance`].
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct UnfoldingSolution {
    /// L with P = LᵀL in units of V, m × m.
    #[serde(with = "embedding::implement::matrix")]
    pub factor: Mat<f64>,
    /// f(P), with a lower bound on the optimum.
    pub certificate: UnfoldingCertificate,
    /// [`Outcome::Certified`], or [`Outcome::Stalled`] if rounding prevented progress
    /// before the gap reached the tolerance.
    pub outcome: Outcome,
    /// Number of Newton steps.
    pub iterations: usize,
}

/// Computes a lower bound on min { f(P) = ν E(P) − tr P : P ⪰ 0 } from P = LᵀL, for any L
/// with m columns.
///
/// **Definition.** f is a convex quadratic with Hessian H = 2 ν A and linear term
/// −c, c = 2 ν b + svec(I); let G = ∇f(P), and S = smat(H p) = G + smat(c).
/// For t ≥ 0 with Z = G + t S ⪰ 0,
///
/// min f ≥ f(P) − gap,  gap = ⟨G, P⟩ + (t + t²/2) pᵀ H p.
///
/// Proof: Z is the gradient of f at (1 + t) P, so (1 + t) P minimizes the Lagrangian f(X)
/// − ⟨Z, X⟩ over all symmetric X, and its minimum is a lower bound on f over X ⪰ 0;
/// expand it. Neither a bound on the trace nor an inverse of H is needed, so the bound
/// also holds if the pairs of the basis do not determine P. C = smat(c) is positive
/// definite, since b is a sum of g_e (y_i − y_j)(y_i − y_j)ᵀ; the smallest t follows from
/// the smallest eigenvalue λ of C^(−½) G C^(−½), which is greater than −1: t = −λ / (1 +
/// λ) if λ < 0. At the optimum G ⪰ 0 and ⟨G, P⟩ = 0, and the gap is zero.
///
/// Rounding: 8 eps (pᵀ H p + c · p), proportional to the terms that cancel in ⟨G, P⟩, is
/// added to the gap, some 32 eps ν at the optimum. So with ν above about 1e6 no map can
/// be certified to 1e-8.
///
/// If rounding makes C or 1 + λ nonpositive, there is no certificate and the lower bound
/// is the smallest finite number.
///
/// **Cost.** O(m⁴) time. Fails if ν is below 1e-6 or not finite, if L does not have m
/// columns, or if the eigenproblem fails (overflow).
pub fn unfolding_certificate(
    loss: &LengthLoss,
    stiffness: f64,
    factor: MatRef<'_, f64>,
) -> Result<UnfoldingCertificate, Error> {
    check_stiffness(stiffness)?;
    let m = loss.order();
    if factor.ncols() != m {
        return Err(Error::Shape {
            what: "the factor",
            expected: format!("{m} columns wide"),
            got: factor.ncols().to_string(),
        });
    }
    let p = svec_product(factor, factor);
    let pushed: Vec<f64> = loss.image(&p).iter().map(|v| 2.0 * stiffness * v).collect();
    let linear = linear_term(loss, stiffness);
    let gradient: Vec<f64> = pushed.iter().zip(&linear).map(|(h, c)| h - c).collect();
    let (bent, trace) = (dot(&p, &pushed), packed_trace(&p, m));
    let length = stiffness * loss.value(&p);
    let (value, size) = (length - trace, length + trace);
    let (values, vectors) = dense::symmetric_eigen(smat(&linear, m).as_ref())?;
    let mut lower_bound = f64::MIN;
    if values[0] > 0.0 {
        let root = Mat::from_fn(m, m, |i, j| vectors[(i, j)] / values[j].sqrt());
        let half = dense::product(smat(&gradient, m).as_ref(), root.as_ref());
        let relative = dense::product(root.transpose(), half.as_ref());
        let least = dense::symmetric_eigenvalues(relative.as_ref())?[0].min(0.0);
        if least > -1.0 {
            let t = -least / (1.0 + least);
            let rounding = ROUNDING * (bent + dot(&linear, &p));
            let gap = (dot(&gradient, &p) + (t + 0.5 * t * t) * bent).max(0.0) + rounding;
            lower_bound = (value - gap).max(f64::MIN);
        }
    }
    Ok(UnfoldingCertificate { value, lower_bound, size })
}

/// Minimizes f(P) = ν E(P) − tr P over P ⪰ 0 by an interior-point method.
///
/// **Idea.** Maximize the variance subject to preserving the distances between neighbors:
/// a folded sheet of paper, pulled apart at its corners, becomes flat. For a whitened
/// basis, tr P is the variance of z = L y in units of V.
///
/// **Steps.** For growing τ, Newton's method on τ f(P) − log det P in the coordinates P =
/// W (I + X) Wᵀ of the current P = W Wᵀ, with the exact line function from the
/// eigenvalues of X; τ ← 20 τ once nearly centered; stops when the relative gap of
/// [`unfolding_certificate`] is at most `tolerance`. The initial P is the best multiple
/// of I.
///
/// **Cost.** O(m⁶) time per step and some 30 to 50 steps, independent of n.
///
/// Fails if ν or the tolerance is not positive and finite. Whether the solution is
/// certified is reported by its outcome.
pub fn maximize_variance(
    loss: &LengthLoss,
    stiffness: f64,
    tolerance: f64,
    observer: &dyn Observer,
) -> Result<UnfoldingSolution, Error> {
    check_stiffness(stiffness)?;
    check_tolerance(tolerance)?;
    let m = loss.order();
    let hessian = faer::Scale(2.0 * stiffness) * loss.matrix();
    let linear = linear_term(loss, stiffness);
    let mut w = faer::Scale(best_multiple_of_identity(loss, stiffness).sqrt()) * Mat::<f64>::identity(m, m);
    let mut best = UnfoldingSolution {
        certificate: unfolding_certificate(loss, stiffness, w.as_ref())?,
        factor: w.clone(),
        outcome: Outcome::Stalled,
        iterations: 0,
    };
    // The first barrier has the same weight as the objective.
    let mut tau = m as f64 / best.certificate.size;
    while best.outcome != Outcome::Certified && best.iterations < MOST_STEPS && tau < 1e30 {
        proceed(observer, best.iterations, MOST_STEPS)?;
        let p = svec(dense::product(w.as_ref(), w.transpose()).as_ref());
        let bent = loss.image(&p).into_iter().zip(&linear);
        let gradient: Vec<f64> = bent.map(|(a, c)| 2.0 * stiffness * a - c).collect();
        let Some(newton) = Newton::new(hessian.as_ref(), &gradient, None, w.as_ref(), tau) else { break };
        let Some(moved) = newton.line_search(w.as_ref())? else { break };
        w = moved;
        best.iterations += 1;
        let certificate = unfolding_certificate(loss, stiffness, w.transpose())?;
        if certificate.gap() < best.certificate.gap() {
            (best.factor, best.certificate) = (w.transpose().to_owned(), certificate);
        }
        if best.certificate.gap() <= tolerance {
            best.outcome = Outcome::Certified;
        }
        if newton.decrement < NEAR {
            tau *= SHARPER;
        }
    }
    proceed(observer, MOST_STEPS, MOST_STEPS)?;
    Ok(best)
}

/// Returns c = 2 ν b + svec(I).
fn linear_term(loss: &LengthLoss, stiffness: f64) -> Vec<f64> {
    let one = loss.multiple_of_identity(1.0);
    loss.along().iter().zip(one).map(|(b, one)| 2.0 * stiffness * b + one).collect()
}

/// Returns the multiple of I with the smallest objective: f(s I) = ν (s² iᵀA i − 2 s bᵀi
/// + 1) − s m.
fn best_multiple_of_identity(loss: &LengthLoss, stiffness: f64) -> f64 {
    let one = loss.multiple_of_identity(1.0);
    let (square, along) = (dot(&one, &loss.image(&one)), dot(loss.along(), &one));
    (2.0 * stiffness * along + loss.order() as f64) / (2.0 * stiffness * square)
}

/// Legal stiffnesses. Below about 0.1 variance alone shapes the map, whose extent grows as 1 / √ν until
/// numbers overflow.
pub(crate) const STIFFNESS: Range = Range::at_least(Bound::new("1e-6", |_| Some(1e-6)));

/// Legal certified gaps.
pub(crate) const GAP: Range = Range::positive();

pub(crate) fn check_stiffness(stiffness: f64) -> Result<(), Error> {
    STIFFNESS.check("stiffness", stiffness, &Sizes::default(), &stiffness)
}

pub(crate) fn check_tolerance(tolerance: f64) -> Result<(), Error> {
    GAP.check("gap", tolerance, &Sizes::default(), &tolerance)
}
