//! Certificate of optimality of the convex problem, from one small eigenproblem.

use embedding::Error;
use serde::{Deserialize, Serialize};
use spectral::dense;

use crate::Quadratic;
use crate::svec::{packed_len, packed_trace, smat};

/// Bounds on the minimum of the angle loss.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Certificate {
    /// D(P / tr P): an upper bound, attained at P; nonnegative.
    pub value: f64,
    /// A lower bound on the loss of every positive semidefinite matrix of trace one.
    pub lower_bound: f64,
}

impl Certificate {
    /// Returns 1 − lower bound / value: 0 at the optimum, 1 if the lower bound is 0.
    pub fn gap(&self) -> f64 {
        if self.value > 0.0 { 1.0 - self.lower_bound / self.value } else { 0.0 }
    }
}

/// Computes a lower bound on D* = min { D(P) : P ⪰ 0, tr P = 1 } from any P = smat(p).
///
/// With P̂ = P / tr P, S = smat(Q p̂), λ = λ_min(S) and D = D(P̂): D* ≥ λ² / D if λ > 0,
/// otherwise D* ≥ 0.
///
/// Proof: D is convex and homogeneous, so D(X) ≥ 2 α ⟨S, X⟩ − α² D ≥ 2 α λ − α² D for
/// every feasible X and α ≥ 0; the best α is λ / D. At the optimum λ = D and the gap is
/// zero. For D below about 1e-6 the bound loses accuracy: λ has an error of eps times the
/// largest eigenvalue of S.
///
/// O(m⁴) time. Fails if p does not have m (m + 1) / 2 entries, if its trace is not
/// positive, or if the eigenproblem fails (overflow).
pub fn certificate(quadratic: &Quadratic, p: &[f64]) -> Result<Certificate, Error> {
    let m = quadratic.order();
    if p.len() != packed_len(m) {
        return Err(Error::Shape {
            what: "the packed matrix",
            expected: format!("{} numbers long", packed_len(m)),
            got: p.len().to_string(),
        });
    }
    let trace = packed_trace(p, m);
    if !(trace.is_finite() && trace > 0.0) {
        return Err(Error::parameter("the trace of P", "finite and positive", trace));
    }
    let unit: Vec<f64> = p.iter().map(|v| v / trace).collect();
    let slope = quadratic.slope(&unit);
    let value = crate::svec::dot(&unit, &slope);
    if value <= 0.0 {
        return Ok(Certificate { value: 0.0, lower_bound: 0.0 });
    }
    let least = dense::symmetric_eigen(smat(&slope, m).as_ref())?.0[0];
    let bound = if least > 0.0 { least * least / value } else { 0.0 };
    Ok(Certificate { value, lower_bound: bound.min(value) })
}
