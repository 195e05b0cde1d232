//! Squared Euclidean distance.

/// Partial sums that [`squared_distance`] keeps apart, so that a processor can
/// add several terms at once.
pub const LANES: usize = 8;

/// Squared Euclidean distance |a − b|².
///
/// The order of the additions is fixed: [`LANES`] partial sums over the whole
/// chunks of [`LANES`] terms, added pairwise, and the sum of the remaining terms
/// in order. So every caller gets the same bits, on every machine. With fewer
/// than [`LANES`] terms this is the plain sum from left to right. Both rows must
/// have the same length; this is checked in debug builds only.
///
/// *Cost.* O(D).
///
/// ```
/// assert_eq!(embedding::implement::squared_distance(&[0.0, 3.0], &[4.0, 0.0]), 25.0);
/// ```
#[inline(always)]
pub fn squared_distance(a: &[f64], b: &[f64]) -> f64 {
    debug_assert_eq!(a.len(), b.len(), "rows of different lengths have no distance");
    let mut lanes = [0.0; LANES];
    let (whole_a, rest_a) = a.as_chunks::<LANES>();
    let (whole_b, rest_b) = b.as_chunks::<LANES>();
    for (x, y) in whole_a.iter().zip(whole_b) {
        for l in 0..LANES {
            let t = x[l] - y[l];
            lanes[l] += t * t;
        }
    }
    let mut sum = 0.0;
    for (x, y) in rest_a.iter().zip(rest_b) {
        let t = x - y;
        sum += t * t;
    }
    if whole_a.is_empty() {
        return sum;
    }
    sum + pairwise_sum(lanes)
}

/// Inner product a · b.
///
/// The order of the additions is fixed: [`LANES`] partial sums over the whole chunks of
/// [`LANES`] terms, added in order, and the sum of the remaining terms. So every caller gets
/// the same bits, on every machine. Both rows must have the same length; this is checked in
/// debug builds only.
///
/// *Cost.* O(D).
#[inline(always)]
pub fn inner_product(a: &[f64], b: &[f64]) -> f64 {
    debug_assert_eq!(a.len(), b.len(), "rows of different lengths have no inner product");
    let mut lanes = [0.0; LANES];
    let (whole_a, rest_a) = a.as_chunks::<LANES>();
    let (whole_b, rest_b) = b.as_chunks::<LANES>();
    for (x, y) in whole_a.iter().zip(whole_b) {
        for l in 0..LANES {
            lanes[l] += x[l] * y[l];
        }
    }
    let rest: f64 = rest_a.iter().zip(rest_b).map(|(x, y)| x * y).sum();
    lanes.iter().sum::<f64>() + rest
}

/// Adds [`LANES`] partial sums pairwise, as [`squared_distance`] does.
#[inline(always)]
pub fn pairwise_sum(mut lanes: [f64; LANES]) -> f64 {
    for width in [4, 2, 1] {
        for l in 0..width {
            lanes[l] += lanes[l + width];
        }
    }
    lanes[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_and_remainder_add_up() {
        for d in 1..40 {
            let a: Vec<f64> = (0..d).map(f64::from).collect();
            let b = vec![0.0; a.len()];
            let expected: f64 = a.iter().map(|x| x * x).sum();
            assert_eq!(squared_distance(&a, &b), expected, "D = {d}");
            assert_eq!(squared_distance(&b, &a), expected, "D = {d}");
        }
    }

    /// Terms of very different size: any other order of additions rounds differently.
    #[test]
    fn the_order_of_additions_is_the_documented_one() {
        let a: Vec<f64> = (0..19).map(|i| (f64::from(i) * 1.7).sin() * 10_f64.powi(i % 5)).collect();
        let b = vec![0.1; 19];
        let term = |i: usize| (a[i] - b[i]) * (a[i] - b[i]);
        let s: Vec<f64> = (0..LANES).map(|l| term(l) + term(l + LANES)).collect();
        let whole = ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
        let rest = (term(16) + term(17)) + term(18);
        assert_eq!(squared_distance(&a, &b).to_bits(), (rest + whole).to_bits());
        let in_order: f64 = (0..7).map(term).sum();
        assert_eq!(squared_distance(&a[..7], &b[..7]).to_bits(), in_order.to_bits());
    }
}
