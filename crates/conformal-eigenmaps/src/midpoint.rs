//! The midpoint scheme: estimate, average, repeat.

use embedding::implement::proceed;
use embedding::{Error, Iteration, Observer};
use faer::{Mat, MatRef};
use spectral::dense;

use crate::penalized::Penalized;
use crate::svec::{packed_trace, svec_product};
use crate::{Alternation, Certificate, Outcome, Quadratic, Solution, Step, certificate, estimate};

/// Damping below rounding level has no effect.
const LEAST_DAMPING: f64 = 1e-15;
/// Damping above which no step can decrease the loss.
const MOST_DAMPING: f64 = 1e8;
/// Predicted relative decreases below this are at rounding level; five in a row end the
/// run.
const ROUNDING: f64 = 1e-11;
/// A predicted relative decrease below this indicates a stationary point.
const STATIONARY: f64 = 1e-10;

pub(crate) fn run(
    quadratic: &Quadratic,
    start: MatRef<'_, f64>,
    settings: &Alternation,
    observer: &dyn Observer,
) -> Result<Solution, Error> {
    let loss = Penalized { quadratic, trace_penalty: settings.trace_penalty };
    let full = start.nrows() == quadratic.order();
    let mut b = loss.rescaled(start);
    let mut p = svec_product(b.as_ref(), b.as_ref());
    let mut f = loss.value(&p);
    let mut proof = certificate(quadratic, &p)?;
    let (mut damping, mut small, mut rejected) = (1.0, 0, 0);
    let mut trace = Vec::new();
    let mut outcome = Outcome::IterationLimit;
    if let Some(reason) = solved(quadratic, &p, proof, settings) {
        outcome = reason;
    }
    while outcome == Outcome::IterationLimit && trace.len() < settings.max_iterations {
        proceed(observer, trace.len(), settings.max_iterations)?;
        let coupling = coupling(&loss, &p, damping)?;
        let c = estimate(quadratic, b.as_ref(), settings.trace_penalty, coupling.as_ref())?;
        let predicted = f - loss.coupled(b.as_ref(), c.as_ref(), coupling.as_ref());
        let middle = faer::Scale(0.5) * (&b + &c);
        let reached = loss.value(&svec_product(middle.as_ref(), middle.as_ref()));
        let next = loss.rescaled(middle.as_ref());
        let next_p = svec_product(next.as_ref(), next.as_ref());
        let next_f = loss.value(&next_p);
        let distance = (&b - &c).norm_l2() / b.norm_l2();
        let agreement = (f - reached) / predicted;
        let used = damping;
        let better = next_f < f;
        rejected = if better { 0 } else { rejected + 1 };
        if agreement > 0.75 {
            damping = (damping / 4.0).max(LEAST_DAMPING);
        } else if agreement.is_nan() || agreement < 0.25 {
            // Consecutive rejections indicate a damping that is too small by orders of
            // magnitude.
            damping *= 4.0_f64.powi(1 + rejected);
        }
        small = if predicted <= ROUNDING * f { small + 1 } else { 0 };
        if better {
            (b, p, f) = (next, next_p, next_f);
            proof = certificate(quadratic, &p)?;
        }
        trace.push(Step {
            estimates: trace.len() + 1,
            objective: f,
            value: proof.value,
            lower_bound: proof.lower_bound,
            distance,
            damping: used,
        });
        if let Some(reason) = solved(quadratic, &p, proof, settings) {
            outcome = reason;
        } else if !full && predicted <= STATIONARY * f {
            outcome = Outcome::Stationary;
        } else if small >= 5 || damping > MOST_DAMPING {
            outcome = Outcome::Stalled;
        }
        let shown = Iteration { number: trace.len(), objective: Some(proof.value), coordinates: b.as_ref() };
        if observer.iteration(&shown).is_break() && outcome == Outcome::IterationLimit {
            outcome = Outcome::Stopped;
        }
    }
    proceed(observer, settings.max_iterations, settings.max_iterations)?;
    let factor = faer::Scale(1.0 / packed_trace(&p, quadratic.order()).sqrt()) * b;
    let iterations = trace.len();
    Ok(Solution { factor, certificate: proof, outcome, iterations, estimates: iterations, trace })
}

/// Returns the outcome if P is already optimal.
pub(crate) fn solved(
    quadratic: &Quadratic,
    p: &[f64],
    proof: Certificate,
    settings: &Alternation,
) -> Option<Outcome> {
    let trace = packed_trace(p, quadratic.order());
    if proof.value <= quadratic.rounding(p) / (trace * trace) {
        Some(Outcome::ExactZero)
    } else if proof.gap() <= settings.tolerance {
        Some(Outcome::Certified)
    } else {
        None
    }
}

/// Returns K = (G₊ + μ |G| I) / 4.
fn coupling(loss: &Penalized<'_>, p: &[f64], damping: f64) -> Result<Mat<f64>, Error> {
    let (values, vectors) = dense::symmetric_eigen(loss.gradient(p).as_ref())?;
    let size = values.iter().fold(0.0_f64, |most, w| most.max(w.abs()));
    let scaled = Mat::from_fn(vectors.nrows(), values.len(), |i, j| {
        vectors[(i, j)] * (values[j].max(0.0) + damping * size) / 4.0
    });
    Ok(dense::product(scaled.as_ref(), vectors.transpose()))
}

#[cfg(test)]
mod tests {
    use faer::Mat;

    use super::solved;
    use crate::svec::svec;
    use crate::{Alternation, Certificate, Outcome, Quadratic};

    #[test]
    fn a_loss_at_rounding_level_is_zero_whatever_the_trace() {
        let q = Quadratic::from_matrix(Mat::<f64>::identity(3, 3).as_ref()).expect("a form of order two");
        let unit = svec((faer::Scale(0.5) * Mat::<f64>::identity(2, 2)).as_ref());
        let rounding = q.rounding(&unit);
        for scale in [1e-3, 1.0, 3.0, 50.0] {
            let p: Vec<f64> = unit.iter().map(|v| scale * v).collect();
            let of =
                |value: f64| solved(&q, &p, Certificate { value, lower_bound: 0.0 }, &Alternation::default());
            assert_eq!(of(0.9 * rounding), Some(Outcome::ExactZero), "{scale}");
            assert_eq!(of(1.1 * rounding), None, "{scale}");
        }
    }
}
