//! The von Neumann entropy of diffusion, and the time at its knee.

use embedding::Error;
use faer::Mat;
use spectral::{Sparse, dense};

/// Matrices of a larger order are decomposed in single precision, in half the time; not in WebAssembly, where
/// the size of the code counts.
const DOUBLE: usize = if cfg!(target_arch = "wasm32") { usize::MAX } else { 1000 };

/// All eigenvalues of a symmetric matrix of order m, whose norm is 1. O(m³). Above m = 1,000 their errors
/// are about 1e-7.
pub(crate) fn eigenvalues(s: &Sparse) -> Result<Vec<f64>, Error> {
    if s.nrows() <= DOUBLE {
        return dense::symmetric_eigenvalues(s.to_dense().as_ref());
    }
    single(s)
}

fn single(s: &Sparse) -> Result<Vec<f64>, Error> {
    let mut dense = Mat::<f32>::zeros(s.nrows(), s.nrows());
    for i in 0..s.nrows() {
        let (columns, values) = s.row(i);
        columns.iter().zip(values).for_each(|(&j, v)| dense[(i, j as usize)] = *v as f32);
    }
    dense::symmetric_eigenvalues_single(dense.as_ref())
}

/// Times at which the entropy is computed: 1 to this.
pub(crate) const TIMES: usize = 100;

/// The entropies H(t) = −Σ η_i ln η_i, η_i = |λ_i|ᵗ / Σ_j |λ_j|ᵗ, of the eigenvalues λ at
/// the times t = 1, 2, … [`TIMES`].
pub(crate) fn entropies(eigenvalues: &[f64]) -> Vec<f64> {
    (1..=TIMES as i32)
        .map(|t| {
            let powers: Vec<f64> = eigenvalues.iter().map(|l| l.abs().powi(t)).collect();
            let total: f64 = powers.iter().sum();
            let terms = powers.iter().map(|p| p / total).filter(|eta| *eta > 0.0);
            -terms.map(|eta| eta * eta.ln()).sum::<f64>()
        })
        .collect()
}

/// The knee of the curve of entropies: the time t for which two straight lines, fitted by
/// least squares to the entropies up to t and from t on, have the smallest sum of absolute residuals. Of
/// times that differ only by rounding, the first is returned.
pub(crate) fn knee(entropies: &[f64]) -> usize {
    let last = entropies.len() - 1;
    let misfit: Vec<f64> =
        (1..last).map(|at| residuals(&entropies[..=at]) + residuals(&entropies[at..])).collect();
    let rounding = f64::EPSILON * entropies.len() as f64 * entropies.iter().sum::<f64>();
    let least = misfit.iter().copied().fold(f64::INFINITY, f64::min);
    // Position 0 of the misfits is the second time, t = 2.
    misfit.iter().position(|m| *m <= least + rounding).map_or(1, |at| at + 2)
}

/// The sum of absolute residuals of the least-squares line through equidistant values.
fn residuals(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    let center = (n - 1.0) / 2.0;
    let mean = values.iter().sum::<f64>() / n;
    let at = |i: usize| i as f64 - center;
    let spread: f64 = (0..values.len()).map(|i| at(i).powi(2)).sum();
    let slope = values.iter().enumerate().map(|(i, v)| at(i) * (v - mean)).sum::<f64>() / spread;
    values.iter().enumerate().map(|(i, v)| (v - mean - slope * at(i)).abs()).sum()
}

#[cfg(test)]
mod tests {
    use super::{TIMES, eigenvalues, entropies, knee, single};
    use spectral::Sparse;

    #[test]
    fn the_knee_of_two_lines_is_where_they_meet() {
        for at in [2, 7, 40, 99] {
            let bent = |t: usize| 400.0 - 3.0 * t.min(at) as f64 - 0.1 * t.saturating_sub(at) as f64;
            let values: Vec<f64> = (1..=TIMES).map(bent).collect();
            assert_eq!(knee(&values), at);
        }
        assert_eq!(knee(&[0.0; TIMES]), 2);
    }

    #[test]
    fn the_entropy_falls_from_the_count_to_the_number_of_components() {
        let same = entropies(&[1.0; 8]);
        assert!(same.iter().all(|h| (h - 8_f64.ln()).abs() < 1e-14));
        let two = entropies(&[1.0, 1.0, 0.5, -0.5, 1e-9, 0.0]);
        assert!(two.is_sorted_by(|a, b| a >= b), "{two:?}");
        assert!((two[TIMES - 1] - 2_f64.ln()).abs() < 1e-12);
        // At t = 1: weights 1, 1, ½, ½ of 3.
        let expected = 2.0 / 3.0 * 3_f64.ln() + 1.0 / 3.0 * 6_f64.ln();
        assert!((two[0] - expected).abs() < 1e-7, "{} and {expected}", two[0]);
    }

    /// A walk along 400 points; below [`super::DOUBLE`] of them, so that both precisions can be compared.
    #[test]
    fn single_precision_chooses_the_same_time() {
        let n: usize = 400;
        let weight =
            |i: usize, j: usize| (-(i as f64 - j as f64).powi(2) / (3.0 + (i + j) as f64 / 100.0)).exp();
        let near = |i: usize| i.saturating_sub(6)..(i + 7).min(n);
        let degree = |i: usize| near(i).map(|j| weight(i, j)).sum::<f64>();
        let entry = |i: usize, j: usize| (j as u32, weight(i, j) / (degree(i) * degree(j)).sqrt());
        let rows = (0..n).map(|i| near(i).map(|j| entry(i, j)).collect()).collect();
        let walk = Sparse::from_rows(n, rows).expect("columns below n");
        let (exact, rounded) = (eigenvalues(&walk).expect("finite"), single(&walk).expect("finite"));
        let worst = |a: &[f64], b: &[f64]| a.iter().zip(b).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
        let error = worst(&exact, &rounded);
        assert!(error < 8.0 * f64::from(f32::EPSILON), "{error:e}");
        let (exact, rounded) = (entropies(&exact), entropies(&rounded));
        let error = worst(&exact, &rounded);
        assert!(error < 1e-6, "{error:e}");
        assert_ne!(exact, rounded);
        assert_eq!(knee(&exact), knee(&rounded));
    }
}
