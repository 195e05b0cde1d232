//! Leading eigenpairs of a symmetric operator.

use embedding::{Error, Observer};
use faer::Mat;

use crate::{Operator, Pairs, Solver, Tolerance, canonical_signs, dense};

/// The `count` algebraically largest eigenpairs, descending.
///
/// Fails when `count` is 0 or exceeds the order, when a pair misses the
/// tolerance, or when the observer cancels.
pub fn largest(
    operator: &dyn Operator,
    count: usize,
    tolerance: Tolerance,
    _observer: &dyn Observer,
) -> Result<Pairs, Error> {
    let n = operator.order();
    if count == 0 || count > n {
        return Err(Error::parameter("the number of eigenpairs", format!("between 1 and {n}"), count));
    }
    let mut a = Mat::zeros(n, n);
    operator.apply(Mat::<f64>::identity(n, n).as_ref(), a.as_mut());
    let (values, vectors) = dense::symmetric_eigen(a.as_ref())?;
    let values: Vec<f64> = (0..count).map(|j| values[n - 1 - j]).collect();
    let mut vectors = Mat::from_fn(n, count, |i, j| vectors[(i, n - 1 - j)]);
    canonical_signs(vectors.as_mut());
    let residuals = residuals(operator, &values, &vectors);
    let norm = values.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    let worst = residuals.iter().fold(0.0_f64, |m, r| m.max(*r));
    if worst > tolerance.residual * norm.max(f64::MIN_POSITIVE) {
        return Err(Error::NoConvergence {
            what: "the leading eigenpairs",
            residual: worst / norm,
            tolerance: tolerance.residual,
            iterations: 1,
        });
    }
    Ok(Pairs { values, vectors, residuals, solver: Solver::Dense, applications: 1 })
}

/// |A v − λ v| of each pair.
pub(crate) fn residuals(operator: &dyn Operator, values: &[f64], vectors: &Mat<f64>) -> Vec<f64> {
    let mut image = Mat::zeros(vectors.nrows(), vectors.ncols());
    operator.apply(vectors.as_ref(), image.as_mut());
    (0..values.len()).map(|j| (image.col(j) - vectors.col(j) * faer::Scale(values[j])).norm_l2()).collect()
}
