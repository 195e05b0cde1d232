//! Calibration of Gaussian bandwidths to a perplexity.

/// Accuracy to which ln(perplexity) is attained.
const TOLERANCE: f64 = 1e-9;

/// Relative squared distances up to this count as ties: the bandwidth that separates
/// smaller ones overflows.
const TIED: f64 = 1e-290;

/// Writes the probabilities p_j ∝ exp(−β d_j²) of one row, with β such that their entropy
/// is ln(`perplexity`).
///
/// The root is found over ln β, in which the entropy is monotonically decreasing: by
/// Newton's method if the step stays inside the bracket, otherwise by bisection.
/// Distances are in ascending order. If the m nearest are tied and m exceeds the
/// perplexity, it is unattainable for any bandwidth, and the limit for β → ∞, 1/m for each
/// of them, is returned. If there are no more neighbors than the perplexity, all
/// probabilities are equal.
pub(crate) fn calibrate(distances: &[f64], perplexity: f64, p: &mut [f64]) {
    let count = distances.len() as f64;
    let (first, last) = (distances[0], distances[distances.len() - 1]);
    if perplexity >= count || last <= first {
        p.fill(1.0 / count);
        return;
    }
    // d² − d₁², relative to the largest: independent of shift and scale.
    let squared = |d: f64| (d / last - first / last) * (d / last + first / last);
    let tied = distances.partition_point(|&d| squared(d) <= TIED);
    if tied as f64 > perplexity {
        p.fill(0.0);
        p[..tied].fill(1.0 / tied as f64);
        return;
    }
    let target = perplexity.ln();
    let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
    let mut x = -distances.iter().map(|&d| squared(d)).sum::<f64>().max(f64::MIN_POSITIVE).ln() + count.ln();
    for _ in 0..200 {
        let beta = x.exp();
        let (mut z, mut mean, mut square) = (0.0, 0.0, 0.0);
        for (&d, p) in distances.iter().zip(p.iter_mut()) {
            let s = squared(d);
            *p = (-beta * s).exp();
            z += *p;
            mean += *p * s;
            square += *p * s * s;
        }
        mean /= z;
        let variance = (square / z - mean * mean).max(0.0);
        let excess = z.ln() + beta * mean - target;
        p.iter_mut().for_each(|p| *p /= z);
        if excess.abs() <= TOLERANCE || high - low <= f64::EPSILON * x.abs() {
            return;
        }
        if excess > 0.0 {
            low = x;
        } else {
            high = x;
        }
        let newton = x + excess / (beta * beta * variance);
        x = if newton.is_finite() && newton > low && newton < high && (newton - x).abs() < 4.0 {
            newton
        } else if high == f64::INFINITY {
            x + 4.0
        } else if low == f64::NEG_INFINITY {
            x - 4.0
        } else {
            0.5 * (low + high)
        };
    }
}

#[cfg(test)]
mod tests {
    use super::calibrate;

    fn perplexity(p: &[f64]) -> f64 {
        (-p.iter().filter(|p| **p > 0.0).map(|p| p * p.ln()).sum::<f64>()).exp()
    }

    #[test]
    fn every_reachable_perplexity_is_met() {
        let shapes: [fn(usize) -> f64; 5] = [
            |j| (j + 1) as f64,
            |j| 1.0 + 1e-7 * j as f64,
            |j| 1e12 * (j as f64).sqrt(),
            |j| 1e-12 * 1.3f64.powi(j as i32),
            |j| if j < 3 { 0.0 } else { 5.0 + j as f64 },
        ];
        for (shape, distance) in shapes.iter().enumerate() {
            let distances: Vec<f64> = (0..90).map(distance).collect();
            let mut p = vec![0.0; 90];
            for target in [3.5, 5.0, 30.0, 60.0, 89.0] {
                calibrate(&distances, target, &mut p);
                let got = perplexity(&p);
                assert!((got - target).abs() < 1e-5, "shape {shape}: {got} for {target}");
                assert!((p.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            }
        }
    }

    /// Seen from a far point, all others are at nearly the same distance: only a wide kernel, far from where
    /// the search begins, reaches the perplexity.
    #[test]
    fn perplexities_near_the_number_of_neighbors_are_met_beside_a_far_one() {
        let distances: Vec<f64> =
            (0..90).map(|j| if j < 89 { 1.0 + 1e-3 * f64::from(j) } else { 1e5 }).collect();
        let mut p = vec![0.0; 90];
        for target in [89.1, 89.5, 89.9, 89.999] {
            calibrate(&distances, target, &mut p);
            let got = perplexity(&p);
            assert!((got - target).abs() < 1e-5, "{got} for {target}");
        }
    }

    #[test]
    fn unreachable_perplexities_end_at_their_limit() {
        let mut p = [0.0; 4];
        calibrate(&[1.0, 1.0, 1.0, 2.0], 2.0, &mut p);
        assert_eq!(p, [1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0, 0.0]);
        calibrate(&[0.0; 4], 2.0, &mut p);
        assert_eq!(p, [0.25; 4]);
        calibrate(&[1.0, 2.0, 3.0, 4.0], 4.0, &mut p);
        assert_eq!(p, [0.25; 4]);
    }

    #[test]
    fn more_ties_than_the_perplexity_share_the_probability_equally() {
        for tie in [0.0, 1.0, 1e-200, 1e150] {
            for (ties, target) in [(31, 30.0), (45, 30.0), (89, 30.0), (11, 2.0), (6, 5.5)] {
                let distances: Vec<f64> =
                    (0..90).map(|j| if j < ties { tie } else { 2.0 * tie + j as f64 }).collect();
                let mut p = vec![f64::NAN; 90];
                calibrate(&distances, target, &mut p);
                assert!(p[..ties].iter().all(|&p| p == 1.0 / ties as f64), "{ties} of {tie}: {p:?}");
                assert!(p[ties..].iter().all(|&p| p == 0.0), "{ties} of {tie}: {p:?}");
            }
        }
    }

    /// Distances of any kind, with ties and near ties, have probabilities.
    #[test]
    fn probabilities_are_finite_and_sum_to_one() {
        let shapes: [fn(usize) -> f64; 6] = [
            |j| (j / 30) as f64,
            |j| (j / 31) as f64,
            |j| if j < 40 { 1e-160 * j as f64 } else { 1.0 },
            |j| if j < 40 { 1e-148 * j as f64 } else { 1.0 },
            |j| 1.0 + f64::EPSILON * (j / 20) as f64,
            |j| if j < 89 { 1.0 } else { 1e300 },
        ];
        for (shape, distance) in shapes.iter().enumerate() {
            let distances: Vec<f64> = (0..90).map(distance).collect();
            for target in [1.0, 2.0, 29.5, 30.0, 30.5, 40.0, 89.0] {
                let mut p = vec![f64::NAN; 90];
                calibrate(&distances, target, &mut p);
                assert!(p.iter().all(|p| (0.0..=1.0).contains(p)), "shape {shape}, {target}: {p:?}");
                assert!((p.iter().sum::<f64>() - 1.0).abs() < 1e-12, "shape {shape}, {target}");
                assert!(p.is_sorted_by(|a, b| a >= b), "shape {shape}, {target}: nearer, more probable");
            }
        }
    }
}
