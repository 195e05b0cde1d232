//! Potentials of the diffused probabilities, and their distances.

use embedding::{Error, MemoryLimit, PointSet};
use faer::Mat;
use mds::Dissimilarities;

/// Added to probabilities before the logarithm.
const FLOOR: f64 = 1e-7;

/// The potential of a probability: −ln(p + 1e-7) for γ = 1, and 2/(1 − γ) p^((1 − γ)/2)
/// below.
pub(crate) fn potential(p: f64, gamma: f64) -> f64 {
    if gamma >= 1.0 { -(p + FLOOR).ln() } else { 2.0 / (1.0 - gamma) * p.powf((1.0 - gamma) / 2.0) }
}

/// The Euclidean distances between the potentials of the rows of Pᵗ = D^−½ Sᵗ D^½. O(m³).
///
/// Fails with [`Error::Degenerate`] where all rows are equal to rounding.
pub(crate) fn distances(
    power: Mat<f64>,
    roots: &[f64],
    gamma: f64,
    limit: MemoryLimit,
) -> Result<Dissimilarities, Error> {
    let m = roots.len();
    // Sᵗ is symmetric: column i is row i.
    let row = |i: usize| power.col(i).iter().zip(roots).map(move |(s, root)| s * root / roots[i]);
    let values: Vec<f64> = (0..m).flat_map(|i| row(i).map(|p| potential(p, gamma))).collect();
    drop(power);
    let largest = values.iter().fold(0.0_f64, |most, u| most.max(u.abs()));
    let potentials = PointSet::new(values, m)?;
    let between = Dissimilarities::euclidean(potentials.view(), limit)?;
    let farthest = (0..m).fold(0.0_f64, |most, i| most.max(between.get(0, i)));
    // Each potential carries the rounding of a sum of m terms.
    let rounding = f64::EPSILON * m as f64 * largest * (m as f64).sqrt();
    if farthest <= rounding {
        return Err(Error::degenerate(
            format!("after the diffusion all points have the same probabilities (distance {farthest:e})"),
            "use a smaller time, fewer neighbors, or a larger decay",
        ));
    }
    Ok(between)
}

#[cfg(test)]
mod tests {
    use super::potential;

    #[test]
    fn the_forms_are_those_of_the_paper() {
        assert_eq!(potential(0.25, -1.0), 0.25);
        assert_eq!(potential(0.25, 0.0), 1.0);
        assert!((potential(0.25, 1.0) - 4_f64.ln()).abs() < 1e-6);
        assert!((potential(0.0, 1.0) - 7.0 * 10_f64.ln()).abs() < 1e-14);
    }
}
