//! The convex optimum by another road.

use embedding::{Error, Observer, proceed};
use faer::{Mat, MatRef};
use spectral::dense;

use crate::svec::{HALF, dot, packed_index, packed_len, smat, svec};
use crate::{Certificate, Outcome, Quadratic, Solution, Step, certificate};

/// Newton decrement at which a barrier problem counts as solved.
const CENTERED: f64 = 1e-2;
/// The largest share of the way to the boundary that a step may go.
const TO_BOUNDARY: f64 = 0.95;
/// The decrease demanded of a step, relative to its linear model.
const ARMIJO: f64 = 0.1;
/// The factor between barrier problems.
const SHARPER: f64 = 10.0;
/// Newton steps in all.
const MOST_STEPS: usize = 400;

/// Solves min { D(P) : P ⪰ 0, tr P = 1 } by an interior-point method: slow,
/// sure, and independent of the alternation.
///
/// **Definition.** For growing τ, minimize τ D(P) − log det P on tr P = 1. In
/// the coordinates P = W (I + X) Wᵀ of the current P = W Wᵀ the Hessian is
/// I + 2 τ Kᵀ Q K with K svec(X) = svec(W X Wᵀ); without that scaling Cholesky
/// breaks down as P loses rank.
///
/// **Steps.** Newton with the trace as an equality constraint; the exact line
/// function from the eigenvalues of X; τ ← 10 τ once centered; stop when the
/// [`certificate`] closes to `tolerance`. Some 60 to 100 Newton steps.
///
/// **Cost.** O(q³) per step, q = m (m + 1) / 2: a few seconds at m = 20.
///
/// The outcome is [`Outcome::Certified`], [`Outcome::ExactZero`], or
/// [`Outcome::Stalled`] where rounding ends progress first. `estimates` counts
/// Newton steps; `damping` in the trace is 1 / τ.
pub fn barrier_oracle(
    quadratic: &Quadratic,
    tolerance: f64,
    observer: &dyn Observer,
) -> Result<Solution, Error> {
    let m = quadratic.order();
    let mut w = faer::Scale(1.0 / (m as f64).sqrt()) * Mat::<f64>::identity(m, m);
    let mut tau = m as f64;
    let mut trace: Vec<Step> = Vec::new();
    let mut best = Best::new(&w, quadratic)?;
    let mut outcome = Outcome::Stalled;
    while trace.len() < MOST_STEPS && tau < 1e30 {
        proceed(observer, trace.len(), MOST_STEPS)?;
        let p = svec(dense::product(w.as_ref(), w.transpose()).as_ref());
        let Some(newton) = Newton::new(quadratic, w.as_ref(), &p, tau) else { break };
        let Some(moved) = newton.walk(w.as_ref())? else { break };
        let distance = newton.decrement;
        w = moved;
        let proof = best.offer(&w, quadratic)?;
        trace.push(Step {
            estimates: trace.len() + 1,
            objective: tau * proof.value,
            value: proof.value,
            lower_bound: proof.lower_bound,
            distance,
            damping: 1.0 / tau,
        });
        let p = svec(dense::product(w.as_ref(), w.transpose()).as_ref());
        if proof.value <= quadratic.rounding(&p) {
            outcome = Outcome::ExactZero;
            break;
        }
        if best.proof.gap() <= tolerance {
            outcome = Outcome::Certified;
            break;
        }
        if distance < CENTERED {
            tau *= SHARPER;
        }
    }
    proceed(observer, MOST_STEPS, MOST_STEPS)?;
    let iterations = trace.len();
    Ok(Solution {
        factor: best.w.transpose().to_owned(),
        certificate: best.proof,
        outcome,
        iterations,
        estimates: iterations,
        trace,
    })
}

/// The point of least loss with the greatest lower bound seen so far.
struct Best {
    w: Mat<f64>,
    proof: Certificate,
}

impl Best {
    fn new(w: &Mat<f64>, quadratic: &Quadratic) -> Result<Self, Error> {
        Ok(Self { w: w.clone(), proof: prove(w, quadratic)? })
    }

    fn offer(&mut self, w: &Mat<f64>, quadratic: &Quadratic) -> Result<Certificate, Error> {
        let proof = prove(w, quadratic)?;
        if proof.value < self.proof.value {
            self.w = w.clone();
            self.proof.value = proof.value;
        }
        self.proof.lower_bound = self.proof.lower_bound.max(proof.lower_bound).min(self.proof.value);
        Ok(proof)
    }
}

fn prove(w: &Mat<f64>, quadratic: &Quadratic) -> Result<Certificate, Error> {
    certificate(quadratic, &svec(dense::product(w.as_ref(), w.transpose()).as_ref()))
}

/// One Newton step of a barrier problem, with its line function.
struct Newton {
    step: Vec<f64>,
    decrement: f64,
    /// τ D along the step: value, slope and half the curvature.
    loss: [f64; 2],
    order: usize,
}

impl Newton {
    /// `None` when the Hessian is not positive definite in floating point.
    fn new(quadratic: &Quadratic, w: MatRef<'_, f64>, p: &[f64], tau: f64) -> Option<Self> {
        let m = quadratic.order();
        let k = scaling(w);
        let qk = dense::product(quadratic.matrix(), k.as_ref());
        let mut hessian = dense::product(k.transpose(), qk.as_ref());
        hessian *= faer::Scale(2.0 * tau);
        let identity = svec(Mat::<f64>::identity(m, m).as_ref());
        (0..packed_len(m)).for_each(|i| hessian[(i, i)] += 1.0);
        let column = |v: &[f64]| Mat::from_fn(v.len(), 1, |i, _| v[i]);
        let pull = dense::product(k.transpose(), column(&quadratic.slope(p)).as_ref());
        let gradient: Vec<f64> =
            identity.iter().enumerate().map(|(i, e)| 2.0 * tau * pull[(i, 0)] - e).collect();
        let trace = dense::product(k.transpose(), column(&identity).as_ref());
        let right = Mat::from_fn(gradient.len(), 2, |i, j| if j == 0 { gradient[i] } else { trace[(i, 0)] });
        let solved = dense::solve_spd(hessian.as_ref(), right.as_ref())?;
        let along = |j: usize| (0..gradient.len()).map(|i| trace[(i, 0)] * solved[(i, j)]).sum::<f64>();
        let price = along(0) / along(1);
        let step: Vec<f64> = (0..gradient.len()).map(|i| price * solved[(i, 1)] - solved[(i, 0)]).collect();
        let decrement = (-dot(&gradient, &step)).max(0.0).sqrt();
        let moved = dense::product(k.as_ref(), column(&step).as_ref());
        let moved: Vec<f64> = (0..step.len()).map(|i| moved[(i, 0)]).collect();
        let loss = [2.0 * tau * dot(&moved, &quadratic.slope(p)), tau * quadratic.value(&moved)];
        (decrement.is_finite()).then_some(Self { step, decrement, loss, order: m })
    }

    /// Goes along the step; the new W, of unit trace. `None` when no length
    /// decreases the barrier function.
    fn walk(&self, w: MatRef<'_, f64>) -> Result<Option<Mat<f64>>, Error> {
        let x = smat(&self.step, self.order);
        let eigenvalues = dense::symmetric_eigen(x.as_ref())?.0;
        let [slope, curvature] = self.loss;
        let mut length = if eigenvalues[0] < 0.0 { (TO_BOUNDARY / -eigenvalues[0]).min(1.0) } else { 1.0 };
        let change =
            |t: f64| t * slope + t * t * curvature - eigenvalues.iter().map(|e| (t * e).ln_1p()).sum::<f64>();
        let demanded = ARMIJO * self.decrement * self.decrement;
        let mut halvings = 0;
        while change(length) > -length * demanded && self.decrement >= CENTERED {
            length /= 2.0;
            halvings += 1;
            if halvings > 40 {
                return Ok(None);
            }
        }
        let inner =
            Mat::from_fn(self.order, self.order, |i, j| length * x[(i, j)] + if i == j { 1.0 } else { 0.0 });
        let Some(root) = dense::cholesky(inner.as_ref()) else { return Ok(None) };
        let moved = dense::product(w, root.as_ref());
        let size = moved.norm_l2();
        Ok(Some(faer::Scale(1.0 / size) * moved))
    }
}

/// K with K svec(X) = svec(W X Wᵀ).
fn scaling(w: MatRef<'_, f64>) -> Mat<f64> {
    let m = w.ncols();
    let mut k = Mat::zeros(packed_len(m), packed_len(m));
    for a in 0..m {
        for b in a..m {
            let weight = if a == b { 0.5 } else { HALF };
            let image = Mat::from_fn(m, m, |i, j| weight * (w[(i, a)] * w[(j, b)] + w[(i, b)] * w[(j, a)]));
            let column = packed_index(m, a, b);
            svec(image.as_ref()).into_iter().enumerate().for_each(|(i, v)| k[(i, column)] = v);
        }
    }
    k
}
