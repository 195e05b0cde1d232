//! One half of the alternation: the best C for a given B.

use embedding::Error;
use faer::{Mat, MatRef};
use spectral::dense;

use crate::Quadratic;
use crate::svec::{HALF, packed_index};

/// EstimateC(B) and EstimateB(C) of the lecture slides, which print them as
/// "complicated equations": one linear system.
///
/// **Idea.** The loss is of the fourth degree in L. Write P = sym(BᵀC) with two
/// factors instead of P = LᵀL and tie them by a penalty: in C alone the loss is
/// then a convex quadratic with a closed-form minimum. The loss depends on BᵀC
/// through its symmetric part only, so B and C play the same role, and one
/// function is both estimates.
///
/// **Definition.** For B fixed (r × m), returns the C that minimizes
///
/// F(B, C) = D(sym(BᵀC)) + λ₁ (tr(BᵀC) − 1)² + tr((B − C) K (B − C)ᵀ)
///
/// with λ₁ = `trace_penalty` ≥ 0 and K = `coupling`, symmetric positive
/// semidefinite, m × m (K = λ₂ I is the scalar penalty of the slides). With
/// columns stacked, b = vec(B), c = vec(C), and the linear map A_B c =
/// svec(sym(BᵀC)),
///
/// (A_Bᵀ Q A_B + λ₁ b bᵀ + K ⊗ I_r) c = λ₁ b + vec(B K).
///
/// **Cost.** O(r m⁴ + r² m³) to form the system, O((r m)³) to solve it by
/// Cholesky.
///
/// Fails when shapes do not fit, or when the system has no positive definite
/// form in floating point (a coupling that is not semidefinite).
///
/// ```
/// use conformal_eigenmaps::{Quadratic, estimate};
/// use faer::{Mat, mat};
/// // For m = 1 the loss is D(P) = P² and everything is a number.
/// let q = Quadratic::from_matrix(mat![[1.0]].as_ref())?;
/// let (b, lambda1, lambda2) = (0.8, 1.0, 0.5);
/// let c = estimate(&q, mat![[b]].as_ref(), lambda1, mat![[lambda2]].as_ref())?;
/// let expected = (lambda1 * b + lambda2 * b) / (b * b + lambda1 * b * b + lambda2);
/// assert!((c[(0, 0)] - expected).abs() < 1e-15);
/// # Ok::<(), embedding::Error>(())
/// ```
pub fn estimate(
    quadratic: &Quadratic,
    fixed: MatRef<'_, f64>,
    trace_penalty: f64,
    coupling: MatRef<'_, f64>,
) -> Result<Mat<f64>, Error> {
    let (r, m) = (fixed.nrows(), quadratic.order());
    check_shape("the factor", (r, m), fixed)?;
    check_shape("the coupling", (m, m), coupling)?;
    let mut system = normal_matrix(quadratic, fixed);
    let size = r * m;
    let b = |index: usize| fixed[(index % r, index / r)];
    for j in 0..size {
        for i in j..size {
            let tied = if i % r == j % r { coupling[(i / r, j / r)] } else { 0.0 };
            system[(i, j)] += trace_penalty * b(i) * b(j) + tied;
        }
    }
    let pull = dense::product(fixed, coupling);
    let right = Mat::from_fn(size, 1, |i, _| trace_penalty * b(i) + pull[(i % r, i / r)]);
    let solution = solve(system, right.as_ref())?;
    Ok(Mat::from_fn(r, m, |i, j| solution[(i + r * j, 0)]))
}

fn check_shape(what: &'static str, shape: (usize, usize), got: MatRef<'_, f64>) -> Result<(), Error> {
    if got.shape() == shape && shape.0 > 0 {
        return Ok(());
    }
    Err(Error::Shape {
        what,
        expected: format!("{} × {}", shape.0.max(1), shape.1),
        got: format!("{} × {}", got.nrows(), got.ncols()),
    })
}

/// A_Bᵀ Q A_B, lower triangle; entry (ρ, b) of C at place ρ + r b.
fn normal_matrix(quadratic: &Quadratic, fixed: MatRef<'_, f64>) -> Mat<f64> {
    let (r, m) = (fixed.nrows(), quadratic.order());
    let q = quadratic.matrix().nrows();
    let mut image = Mat::zeros(q, r * m);
    for b in 0..m {
        let block = dense::product(quadratic.columns().subcols(b * m, m), fixed.transpose());
        image.subcols_mut(b * r, r).copy_from(&block);
    }
    let mut normal = Mat::zeros(r * m, r * m);
    for b in 0..m {
        let width = (b + 1) * r;
        let gathered = Mat::from_fn(m, width, |a, j| {
            image[(packed_index(m, a.min(b), a.max(b)), j)] * if a == b { 1.0 } else { HALF }
        });
        let block = dense::product(fixed, gathered.as_ref());
        normal.submatrix_mut(b * r, 0, r, width).copy_from(&block);
    }
    normal
}

/// Cholesky; where rounding has cost definiteness, a multiple of the identity
/// that grows from rounding's size restores it.
fn solve(mut system: Mat<f64>, right: MatRef<'_, f64>) -> Result<Mat<f64>, Error> {
    let size = system.nrows();
    let mean = (0..size).map(|i| system[(i, i)]).sum::<f64>() / size as f64;
    let mut lift = 1e-15 * mean;
    for _ in 0..12 {
        match dense::solve_spd(system.as_ref(), right) {
            Some(solution) if finite(&solution) => return Ok(solution),
            _ => (0..size).for_each(|i| system[(i, i)] += lift),
        }
        lift *= 10.0;
    }
    Err(Error::degenerate(
        "the normal equations of an estimate are not positive definite",
        "use a coupling that is positive semidefinite, or a basis without near-dependent columns",
    ))
}

fn finite(matrix: &Mat<f64>) -> bool {
    (0..matrix.ncols()).all(|j| matrix.col(j).iter().all(|v| v.is_finite()))
}
