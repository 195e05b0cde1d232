//! The convex optimum by an interior-point method.

use embedding::implement::proceed;
use embedding::{Error, Observer};
use faer::Mat;
use spectral::dense;

use crate::newton::{CENTERED, Newton};
use crate::svec::svec;
use crate::{Certificate, Outcome, Quadratic, Solution, Step, certificate};

/// Factor between successive barrier parameters.
const SHARPER: f64 = 10.0;
/// Largest total number of Newton steps.
const MOST_STEPS: usize = 400;

/// Solves min { D(P) : P ⪰ 0, tr P = 1 } by an interior-point method: slow, robust, and
/// independent of the alternation.
///
/// **Definition.** For growing τ, minimize τ D(P) − log det P on tr P = 1. In
/// the coordinates P = W (I + X) Wᵀ of the current P = W Wᵀ the Hessian is
/// I + 2 τ Kᵀ Q K with K svec(X) = svec(W X Wᵀ); without that scaling Cholesky
/// breaks down as P loses rank.
///
/// **Steps.** Newton's method with the trace as an equality constraint; the exact line
/// function from the eigenvalues of X; τ ← 10 τ after centering; stops when the
/// [`certificate`]'s gap is at most `tolerance`. Some 60 to 100 Newton steps.
///
/// **Cost.** O(q³) per step, q = m (m + 1) / 2: a few seconds at m = 20.
///
/// The outcome is [`Outcome::Certified`], [`Outcome::ExactZero`], or [`Outcome::Stalled`]
/// if rounding prevents further progress. `estimates` counts Newton steps; `damping` in
/// the trace is 1 / τ.
pub fn solve_by_barrier(
    quadratic: &Quadratic,
    tolerance: f64,
    observer: &dyn Observer,
) -> Result<Solution, Error> {
    let m = quadratic.order();
    let trace_of = svec(Mat::<f64>::identity(m, m).as_ref());
    let mut w = faer::Scale(1.0 / (m as f64).sqrt()) * Mat::<f64>::identity(m, m);
    let mut tau = m as f64;
    let mut trace: Vec<Step> = Vec::new();
    let mut best = Best::new(&w, quadratic)?;
    let mut outcome = Outcome::Stalled;
    while trace.len() < MOST_STEPS && tau < 1e30 {
        proceed(observer, trace.len(), MOST_STEPS)?;
        let p = svec(dense::product(w.as_ref(), w.transpose()).as_ref());
        // τ D is 2 τ times the quadratic with Hessian Q.
        let newton =
            Newton::new(quadratic.matrix(), &quadratic.slope(&p), Some(&trace_of), w.as_ref(), 2.0 * tau);
        let Some(newton) = newton else { break };
        let Some(moved) = newton.line_search(w.as_ref())? else { break };
        let distance = newton.decrement;
        let size = moved.norm_l2();
        w = faer::Scale(1.0 / size) * moved;
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

/// The iterate of smallest loss, with the largest lower bound found so far.
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
