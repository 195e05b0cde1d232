//! Newton steps for log-barrier problems over positive semidefinite matrices.

use embedding::Error;
use faer::{Mat, MatRef};
use spectral::dense;

use crate::svec::{HALF, dot, packed_index, packed_len, smat, svec};

/// Newton decrement below which a barrier problem is solved.
pub(crate) const CENTERED: f64 = 1e-2;
/// Largest step, as a fraction of the distance to the boundary.
const TO_BOUNDARY: f64 = 0.95;
/// Armijo condition: decrease required of a step, relative to its linear model.
const ARMIJO: f64 = 0.1;

/// A Newton step on τ φ(P) − log det P for a quadratic φ, with its exact line function.
///
/// In the coordinates P = W (I + X) Wᵀ of the current P = W Wᵀ the Hessian is
/// I + τ Kᵀ H K with K svec(X) = svec(W X Wᵀ); without that scaling Cholesky
/// breaks down as P loses rank.
pub(crate) struct Newton {
    step: Vec<f64>,
    /// √(gᵀ H⁻¹ g); 0 at the solution of the barrier problem.
    pub(crate) decrement: f64,
    /// τ φ along the step: slope and half of the curvature.
    objective: [f64; 2],
    order: usize,
}

impl Newton {
    /// Computes the step from the Hessian H of φ, its gradient at P and the barrier
    /// parameter τ. If `normal` is given, P does not change in that direction. `None` if
    /// the Hessian is not positive definite in floating point.
    pub(crate) fn new(
        curvature: MatRef<'_, f64>,
        gradient: &[f64],
        normal: Option<&[f64]>,
        w: MatRef<'_, f64>,
        tau: f64,
    ) -> Option<Self> {
        let m = w.ncols();
        let k = scaling(w);
        let hk = dense::product(curvature, k.as_ref());
        let mut hessian = dense::product(k.transpose(), hk.as_ref());
        hessian *= faer::Scale(tau);
        let identity = svec(Mat::<f64>::identity(m, m).as_ref());
        (0..packed_len(m)).for_each(|i| hessian[(i, i)] += 1.0);
        let column = |v: &[f64]| Mat::from_fn(v.len(), 1, |i, _| v[i]);
        let pull = dense::product(k.transpose(), column(gradient).as_ref());
        let slope: Vec<f64> = identity.iter().enumerate().map(|(i, e)| tau * pull[(i, 0)] - e).collect();
        let step: Vec<f64> = if let Some(normal) = normal {
            let normal = dense::product(k.transpose(), column(normal).as_ref());
            let right = Mat::from_fn(slope.len(), 2, |i, j| if j == 0 { slope[i] } else { normal[(i, 0)] });
            let solved = dense::solve_spd(hessian.as_ref(), right.as_ref())?;
            let along = |j: usize| (0..slope.len()).map(|i| normal[(i, 0)] * solved[(i, j)]).sum::<f64>();
            let price = along(0) / along(1);
            (0..slope.len()).map(|i| price * solved[(i, 1)] - solved[(i, 0)]).collect()
        } else {
            let solved = dense::solve_spd(hessian.as_ref(), column(&slope).as_ref())?;
            (0..slope.len()).map(|i| -solved[(i, 0)]).collect()
        };
        let decrement = (-dot(&slope, &step)).max(0.0).sqrt();
        let moved = dense::product(k.as_ref(), column(&step).as_ref());
        let bent = dense::product(curvature, moved.as_ref());
        let along = |v: &dyn Fn(usize) -> f64| (0..step.len()).map(|i| moved[(i, 0)] * v(i)).sum::<f64>();
        let objective = [tau * along(&|i| gradient[i]), 0.5 * tau * along(&|i| bent[(i, 0)])];
        decrement.is_finite().then_some(Self { step, decrement, objective, order: m })
    }

    /// Performs a line search along the step and returns the new W; `None` if no step
    /// length decreases the barrier function.
    pub(crate) fn line_search(&self, w: MatRef<'_, f64>) -> Result<Option<Mat<f64>>, Error> {
        let x = smat(&self.step, self.order);
        let eigenvalues = dense::symmetric_eigenvalues(x.as_ref())?;
        let [slope, curvature] = self.objective;
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
        Ok(dense::cholesky(inner.as_ref()).map(|root| dense::product(w, root.as_ref())))
    }
}

/// Returns K with K svec(X) = svec(W X Wᵀ).
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

#[cfg(test)]
mod tests {
    use faer::mat;

    use super::{ARMIJO, Newton};

    /// a x + c x² − log (1 + x) from x = 0 on, where the longest step goes too far.
    #[test]
    fn a_step_decreases_the_barrier_function_by_a_part_of_its_linear_model() {
        for (a, c) in [(0.0, 0.0), (1.0, 0.0), (2.0, 0.0), (3.0, 0.0), (4.0, 1.0), (-5.0, 3.0)] {
            let newton = Newton::new(mat![[2.0 * c]].as_ref(), &[a], None, mat![[1.0]].as_ref(), 1.0)
                .expect("a definite problem");
            let w = newton.line_search(mat![[1.0]].as_ref()).expect("finite").expect("a step");
            let x = w[(0, 0)].powi(2) - 1.0;
            let change = a * x + c * x * x - x.ln_1p();
            let demanded = ARMIJO * newton.decrement * newton.decrement;
            let length = if x == 0.0 { 0.0 } else { x / newton.step[0] };
            assert!(change <= 1e-12 - length * demanded, "{a}, {c}: {x} changes it by {change}");
        }
    }

    #[test]
    fn no_step_is_taken_where_none_decreases_the_barrier_function() {
        let ascent = Newton { step: vec![1.0], decrement: 1.0, objective: [10.0, 0.0], order: 1 };
        assert!(ascent.line_search(mat![[1.0]].as_ref()).expect("finite").is_none());
        // −2 t + c t² to first order: it decreases by a tenth of t up to 1.9 / c, just above 2⁻⁴⁰.
        let c = 1.5 * 2f64.powi(40);
        let short = Newton { step: vec![1.0], decrement: 1.0, objective: [-1.0, c], order: 1 };
        assert!(short.line_search(mat![[1.0]].as_ref()).expect("finite").is_some());
    }
}
