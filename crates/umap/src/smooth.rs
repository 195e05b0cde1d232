//! Local scales of the distances to neighbors.

use embedding::implement::mean_distance;
use embedding::implement::scale::{exponent_of, times_power_of_two};

/// Accuracy of the sum of memberships.
const TOLERANCE: f64 = 1e-5;

/// Bisection steps.
const STEPS: usize = 64;

/// Smallest scale, in units of the mean distance.
const SMALLEST: f64 = 1e-3;

/// Mean distances for which the bisection starts at 1. Otherwise, since its steps would not reach
/// the scale, it starts at the power of two below the mean distance: from any power of two it comes
/// to the same one between the scale and its half, so that distances times a power of two have the
/// same memberships, to the bit.
const USUAL: std::ops::Range<f64> = 1e-5..1e12;

/// The scale of the distances from one point: ρ, subtracted from them, and σ, which
/// divides the rest.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Scale {
    pub(crate) rho: f64,
    pub(crate) sigma: f64,
}

impl Scale {
    /// The scale for which the memberships of `distances`, in ascending order, sum to
    /// log₂ of their number and one, the point itself.
    ///
    /// ρ is the `connectivity`-th nonzero distance, interpolated linearly between two of
    /// them; σ is at least 0.001 of the mean distance: of the row, the point itself
    /// included, or `overall` where ρ = 0.
    pub(crate) fn of(distances: &[f64], connectivity: f64, overall: f64) -> Self {
        if distances.is_empty() {
            return Self::default();
        }
        let rho = offset(&distances[distances.partition_point(|d| *d <= 0.0)..], connectivity);
        let count = distances.len() + 1;
        let mean = mean_distance(&[distances], count);
        let target = (count as f64).log2();
        let (mut low, mut high) = (0.0, f64::INFINITY);
        let start = if USUAL.contains(&mean) || mean == 0.0 { 0 } else { exponent_of(mean) };
        let mut sigma = times_power_of_two(1.0, start);
        for _ in 0..STEPS {
            let scale = Self { rho, sigma };
            let sum: f64 = distances.iter().map(|&d| scale.membership(d)).sum();
            if (sum - target).abs() < TOLERANCE {
                break;
            }
            if sum > target {
                high = sigma;
            } else {
                low = sigma;
            }
            sigma = if high == f64::INFINITY { 2.0 * sigma } else { 0.5 * (low + high) };
        }
        let smallest = SMALLEST * if rho > 0.0 { mean } else { overall };
        Self { rho, sigma: sigma.max(smallest) }
    }

    /// exp(−(d − ρ)/σ), at most 1.
    pub(crate) fn membership(self, distance: f64) -> f64 {
        let beyond = distance - self.rho;
        if beyond > 0.0 && self.sigma > 0.0 { (-(beyond / self.sigma)).exp() } else { 1.0 }
    }
}

/// The `connectivity`-th of the nonzero distances; the largest where there are fewer.
fn offset(nonzero: &[f64], connectivity: f64) -> f64 {
    let Some(&largest) = nonzero.last() else { return 0.0 };
    if (nonzero.len() as f64) < connectivity {
        return largest;
    }
    let whole = connectivity.floor() as usize;
    let fraction = connectivity - connectivity.floor();
    if whole == 0 {
        return fraction * nonzero[0];
    }
    let at = nonzero[whole - 1];
    match nonzero.get(whole) {
        Some(next) if fraction > TOLERANCE => at + fraction * (next - at),
        _ => at,
    }
}

#[cfg(test)]
mod tests {
    use super::Scale;

    #[test]
    fn the_memberships_sum_to_the_logarithm_of_the_count() {
        for scale in [1e-200, 1e-9, 1.0, 1e9, 1e150] {
            let distances: Vec<f64> = (1..15).map(|j| scale * f64::from(j).sqrt()).collect();
            let found = Scale::of(&distances, 1.0, scale);
            let sum: f64 = distances.iter().map(|&d| found.membership(d)).sum();
            assert!((sum - 15f64.log2()).abs() < 1e-5, "{sum} at {scale}");
            assert_eq!(found.rho, distances[0]);
        }
    }

    #[test]
    fn distances_times_a_power_of_two_have_the_same_memberships() {
        for (k, spread) in [(2, 0.3), (14, 0.5), (14, 2.0), (60, 1.0)] {
            let distances: Vec<f64> = (1..=k).map(|j| 3.7 * f64::from(j).powf(spread)).collect();
            let of = |power: i32| {
                let far: Vec<f64> = distances.iter().map(|d| d * 2f64.powi(power)).collect();
                let found = Scale::of(&far, 1.0, far[0]);
                far.iter().map(|&d| found.membership(d).to_bits()).collect::<Vec<_>>()
            };
            for power in [1, -1, 20, -17, 300, -300, 900, -900] {
                assert_eq!(of(power), of(0), "{k} neighbors times 2^{power}");
            }
        }
    }

    #[test]
    fn the_offset_is_interpolated_among_nonzero_distances() {
        let distances = [0.0, 0.0, 1.0, 3.0, 4.0];
        let rho = |connectivity| Scale::of(&distances, connectivity, 1.0).rho;
        assert_eq!([0.0, 0.5, 1.0, 1.25, 2.0, 3.0, 9.0].map(rho), [0.0, 0.5, 1.0, 1.5, 3.0, 4.0, 4.0]);
    }

    #[test]
    fn a_scale_has_a_smallest_value() {
        // More ties than log2(6): memberships of the tied alone exceed the target.
        let tied = Scale::of(&[1.0, 1.0, 1.0, 1.0, 9.0], 1.0, 5.0);
        assert!((tied.sigma - 1e-3 * 13.0 / 6.0).abs() < 1e-15);
        let equal = Scale::of(&[0.0; 5], 1.0, 5.0);
        assert_eq!((equal.rho, equal.sigma, equal.membership(0.0)), (0.0, 5e-3, 1.0));
        assert_eq!(Scale::of(&[0.0; 5], 1.0, 0.0).membership(0.0), 1.0);
        assert_eq!(Scale::of(&[], 1.0, 0.0), Scale::default());
    }
}
