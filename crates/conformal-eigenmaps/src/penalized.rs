//! The angle loss with a penalty for the trace constraint.

use faer::{Mat, MatRef};

use crate::Quadratic;
use crate::svec::{dot, inner, packed_trace, smat, svec_product};

/// f(P) = D(P) + λ₁ (tr P − 1)².
///
/// Along a ray, f(τ P̂) with tr P̂ = 1 is minimal at τ = λ₁ / (λ₁ + D(P̂)), with the
/// value λ₁ D / (λ₁ + D), which increases with D. So for every λ₁ > 0 the minimizer of f,
/// rescaled to trace one, minimizes D over unit trace.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Penalized<'a> {
    pub(crate) quadratic: &'a Quadratic,
    pub(crate) trace_penalty: f64,
}

impl Penalized<'_> {
    pub(crate) fn value(&self, p: &[f64]) -> f64 {
        self.quadratic.value(p) + self.trace_penalty * (packed_trace(p, self.quadratic.order()) - 1.0).powi(2)
    }

    /// Returns the gradient 2 smat(Q p) + 2 λ₁ (tr P − 1) I.
    pub(crate) fn gradient(&self, p: &[f64]) -> Mat<f64> {
        let m = self.quadratic.order();
        let mut gradient = faer::Scale(2.0) * smat(&self.quadratic.slope(p), m);
        let excess = 2.0 * self.trace_penalty * (packed_trace(p, m) - 1.0);
        (0..m).for_each(|a| gradient[(a, a)] += excess);
        gradient
    }

    /// Returns F(B, C) = f(sym(BᵀC)) + ⟨(C − B) K, C − B⟩.
    pub(crate) fn coupled(&self, b: MatRef<'_, f64>, c: MatRef<'_, f64>, coupling: MatRef<'_, f64>) -> f64 {
        let apart = c - b;
        let pull = spectral::dense::product(apart.as_ref(), coupling);
        self.value(&svec_product(b, c)) + inner(pull.as_ref(), apart.as_ref())
    }

    /// Returns the multiple of a factor with the smallest penalized loss.
    pub(crate) fn rescaled(&self, factor: MatRef<'_, f64>) -> Mat<f64> {
        let p = svec_product(factor, factor);
        let (loss, trace) =
            (dot(&p, &self.quadratic.slope(&p)).max(0.0), packed_trace(&p, self.quadratic.order()));
        let scale = self.trace_penalty * trace / (loss + self.trace_penalty * trace * trace);
        faer::Scale(scale.sqrt()) * factor
    }
}
