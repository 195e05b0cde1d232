//! One half-step of the alternating minimization: the best C for a given B.

use embedding::Error;
use embedding::implement::multiply;
use faer::{Accum, Mat, MatRef};
use spectral::dense;

use crate::Quadratic;
use crate::svec::{HALF, packed_index};

/// Computes EstimateC(B) and EstimateB(C) of the lecture slides, which state them as
/// "complicated equations": the solution of one linear system.
///
/// **Idea.** The loss is a quartic in L. Replace P = LᵀL by P = sym(BᵀC) with two
/// factors, coupled by a penalty: for fixed B the loss is then a convex quadratic in C
/// with a closed-form minimum. The loss depends only on the symmetric part of BᵀC, so B
/// and C are interchangeable, and one function computes both estimates.
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
/// Fails if shapes do not match, or if the system is not positive definite in floating
/// point (a coupling that is not semidefinite).
///
/// ```
/// use conformal_eigenmaps::steps::{Quadratic, estimate};
/// use faer::{Mat, mat};
/// // For m = 1 the loss is D(P) = P² and all matrices are scalars.
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
    let b: Vec<f64> = (0..m).flat_map(|a| fixed.col(a).iter().copied()).collect();
    for j in 0..size {
        let below = system.col_mut(j).subrows_mut(j, size - j);
        below.iter_mut().zip(&b[j..]).for_each(|(entry, own)| *entry += trace_penalty * b[j] * own);
        // Entries (ρ, a) and (ρ, b) of C are coupled.
        let ties = coupling.col(j / r).subrows(j / r, m - j / r);
        let below = system.col_mut(j).subrows_mut(j, size - j);
        below.iter_mut().step_by(r).zip(ties.iter()).for_each(|(entry, tie)| *entry += tie);
    }
    let pull = dense::product(fixed, coupling);
    let right = Mat::from_fn(size, 1, |i, _| trace_penalty * b[i] + pull[(i % r, i / r)]);
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

/// Computes the lower triangle of A_Bᵀ Q A_B, with entry (ρ, b) of C at index ρ + r b.
fn normal_matrix(quadratic: &Quadratic, fixed: MatRef<'_, f64>) -> Mat<f64> {
    let (r, m) = (fixed.nrows(), quadratic.order());
    let q = quadratic.matrix().nrows();
    let mut image = Mat::zeros(q, r * m);
    for b in 0..m {
        let columns = quadratic.columns().subcols(b * m, m);
        multiply(image.subcols_mut(b * r, r), Accum::Replace, columns, fixed.transpose(), 1.0);
    }
    let mut normal = Mat::zeros(r * m, r * m);
    let mut gathered = Mat::zeros(m, r * m);
    for b in 0..m {
        // Row a of the gathered matrix is row {a, b} of the image.
        let width = (b + 1) * r;
        let places: Vec<(usize, f64)> =
            (0..m).map(|a| (packed_index(m, a.min(b), a.max(b)), if a == b { 1.0 } else { HALF })).collect();
        for j in 0..width {
            let column = image.col(j);
            gathered.col_mut(j).iter_mut().zip(&places).for_each(|(v, &(at, half))| *v = column[at] * half);
        }
        let block = normal.submatrix_mut(b * r, 0, r, width);
        multiply(block, Accum::Replace, fixed, gathered.subcols(0, width), 1.0);
    }
    normal
}

/// Solves by Cholesky; if rounding destroys definiteness, adds a growing multiple of the
/// identity, starting at rounding level.
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
