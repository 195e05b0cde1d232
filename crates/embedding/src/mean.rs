//! Means of distances.

use crate::implement::{maximum, scale::times_power_of_two};

/// The mean of `count` distances, given in rows; those that are not given are 0. It is finite even
/// where their sum is not.
///
/// ```
/// use embedding::implement::mean_distance;
/// assert_eq!(mean_distance(&[&[1.0, 2.0], &[6.0]], 3), 3.0);
/// assert_eq!(mean_distance(&[&[1.5e308, 1.5e308]], 3), 1e308);
/// ```
pub fn mean_distance(rows: &[&[f64]], count: usize) -> f64 {
    /// More than the logarithm of every count.
    const EXPONENT: i32 = 64;

    // Times 1 is exact.
    let divided = |exponent: i32| {
        let row = |row: &&[f64]| row.iter().map(|d| times_power_of_two(*d, -exponent)).sum::<f64>();
        rows.iter().map(row).sum::<f64>() / count as f64
    };
    let mean = divided(0);
    if mean.is_finite() {
        return mean;
    }
    // Terms that become subnormal are negligible in a sum near the largest number.
    let mean = times_power_of_two(divided(EXPONENT), EXPONENT);
    // Rounding may exceed the largest number.
    mean.min(maximum(rows.iter().copied().flatten().copied()))
}

#[cfg(test)]
mod tests {
    use super::mean_distance;

    #[test]
    fn a_mean_near_the_largest_number_is_that_of_the_distances_times_a_power_of_two() {
        let near: Vec<f64> = (1..=1000).map(|i| 1.0 / f64::from(i)).collect();
        let far: Vec<f64> = near.iter().map(|d| d * 2f64.powi(1023)).collect();
        assert_eq!(mean_distance(&[&far], 1001), mean_distance(&[&near], 1001) * 2f64.powi(1023));
        assert!((1..200).all(|count| mean_distance(&[&vec![f64::MAX; count]], count).is_finite()));
    }
}
