//! Normal random numbers.

/// A standard normal number from two independent uniform ones, 0 < u ≤ 1 and
/// 0 ≤ v ≤ 1: √(−2 ln u) cos(2π v).
///
/// *Reference.* Box and Muller (1958), <https://doi.org/10.1214/aoms/1177706645>.
///
/// ```
/// assert_eq!(embedding::implement::standard_normal(1.0, 0.3), 0.0);
/// assert!((embedding::implement::standard_normal((-0.5_f64).exp(), 0.0) - 1.0).abs() < 1e-15);
/// ```
pub fn standard_normal(u: f64, v: f64) -> f64 {
    (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * v).cos()
}

#[cfg(test)]
mod tests {
    use super::standard_normal;

    /// Averages over an even grid of (u, v) are the moments of the distribution.
    #[test]
    fn the_moments_are_those_of_the_normal_distribution() {
        const STEPS: usize = 1000;
        let at = |i: usize| (i as f64 + 0.5) / STEPS as f64;
        let moment = |power: i32| -> f64 {
            let rows =
                (0..STEPS).flat_map(|i| (0..STEPS).map(move |j| standard_normal(at(i), at(j)).powi(power)));
            rows.sum::<f64>() / (STEPS * STEPS) as f64
        };
        for (power, expected, tolerance) in [(1, 0.0, 1e-9), (2, 1.0, 5e-3), (3, 0.0, 1e-6), (4, 3.0, 0.1)] {
            let got = moment(power);
            assert!((got - expected).abs() < tolerance, "moment {power} is {got}");
        }
    }
}
