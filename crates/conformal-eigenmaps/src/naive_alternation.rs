//! The alternating loop of the lecture slides.

use embedding::implement::proceed;
use embedding::{Error, Iteration, Observer};
use faer::{Mat, MatRef};
use spectral::dense;

use crate::midpoint::solved;
use crate::penalized::Penalized;
use crate::svec::{packed_trace, svec_product};
use crate::{Alternation, Coupling, Outcome, Quadratic, Solution, Step, certificate, estimate};

/// Relative decreases of the objective below this are at rounding level; five in a row
/// end the run.
const ROUNDING: f64 = 1e-13;
/// Relative distance below which B and C are considered equal.
const EQUAL: f64 = 1e-6;
/// Slightly above 1/4, the threshold at which B = C is forced.
const COUPLING_FACTOR: f64 = 0.26;

pub(crate) fn run(
    quadratic: &Quadratic,
    start: MatRef<'_, f64>,
    coupling: Coupling,
    settings: &Alternation,
    observer: &dyn Observer,
) -> Result<Solution, Error> {
    let m = quadratic.order();
    let loss = Penalized { quadratic, trace_penalty: settings.trace_penalty };
    let full = start.nrows() == m;
    let mut b = loss.rescaled(start);
    let mut middle = b.clone();
    let mut p = svec_product(middle.as_ref(), middle.as_ref());
    let mut proof = certificate(quadratic, &p)?;
    let mut partner: Option<Mat<f64>> = None;
    let mut small = 0;
    let mut trace: Vec<Step> = Vec::new();
    let mut outcome = Outcome::IterationLimit;
    while outcome == Outcome::IterationLimit && trace.len() < settings.max_iterations {
        proceed(observer, trace.len(), settings.max_iterations)?;
        let weight = match coupling {
            Coupling::Fixed { weight } => weight,
            Coupling::Adaptive => steepest(&loss, &p)?,
        };
        let tie = faer::Scale(weight) * Mat::<f64>::identity(m, m);
        // Both sides of a sweep are compared with the same weight.
        let before = partner.map_or(f64::INFINITY, |c| loss.coupled(b.as_ref(), c.as_ref(), tie.as_ref()));
        let c = estimate(quadratic, b.as_ref(), settings.trace_penalty, tie.as_ref())?;
        b = estimate(quadratic, c.as_ref(), settings.trace_penalty, tie.as_ref())?;
        let objective = loss.coupled(b.as_ref(), c.as_ref(), tie.as_ref());
        let distance = (&b - &c).norm_l2() / b.norm_l2();
        middle = faer::Scale(0.5) * (&b + &c);
        p = svec_product(middle.as_ref(), middle.as_ref());
        proof = certificate(quadratic, &p)?;
        small = if before - objective <= ROUNDING * objective { small + 1 } else { 0 };
        partner = Some(c);
        trace.push(Step {
            estimates: 2 * (trace.len() + 1),
            objective,
            value: proof.value,
            lower_bound: proof.lower_bound,
            distance,
            damping: weight,
        });
        if let Some(reason) = solved(quadratic, &p, proof, settings) {
            outcome = reason;
        } else if small >= 5 {
            outcome = if !full && distance <= EQUAL { Outcome::Stationary } else { Outcome::Stalled };
        }
        let shown =
            Iteration { number: trace.len(), objective: Some(proof.value), coordinates: middle.as_ref() };
        if observer.iteration(&shown).is_break() && outcome == Outcome::IterationLimit {
            outcome = Outcome::Stopped;
        }
    }
    proceed(observer, settings.max_iterations, settings.max_iterations)?;
    let factor = faer::Scale(1.0 / packed_trace(&p, m).sqrt()) * middle;
    let iterations = trace.len();
    Ok(Solution { factor, certificate: proof, outcome, iterations, estimates: 2 * iterations, trace })
}

/// Returns λ₂ = 0.26 λ_max(G), bounded below so that the estimate remains definite.
fn steepest(loss: &Penalized<'_>, p: &[f64]) -> Result<f64, Error> {
    let values = dense::symmetric_eigen(loss.gradient(p).as_ref())?.0;
    let size = values.iter().fold(0.0_f64, |most, w| most.max(w.abs()));
    Ok(COUPLING_FACTOR * values[values.len() - 1].max(1e-12 * size).max(f64::MIN_POSITIVE))
}
