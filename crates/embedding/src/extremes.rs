//! The largest of some values, and the unit in which they are of ordinary size.

/// The largest of some values; NaN if any of them is NaN, −∞ if there is none.
///
/// `f64::max` ignores NaN, so that a fold over it takes a residual of NaN for
/// one of 0.
///
/// ```
/// assert_eq!(embedding::implement::maximum([1.0, 3.0, 2.0]), 3.0);
/// assert!(embedding::implement::maximum([1.0, f64::NAN, 2.0]).is_nan());
/// ```
pub fn maximum(values: impl IntoIterator<Item = f64>) -> f64 {
    values
        .into_iter()
        .fold(f64::NEG_INFINITY, |most, value| if value <= most || most.is_nan() { most } else { value })
}

/// The smallest of some values; NaN if any of them is NaN, ∞ if there is none.
pub fn minimum(values: impl IntoIterator<Item = f64>) -> f64 {
    -maximum(values.into_iter().map(|value| -value))
}

/// A power of two near the largest magnitude, so that division by it is exact and squares of
/// the quotients do not overflow; 1 where all values are zero. Of subnormal values it has no
/// inverse.
///
/// ```
/// assert_eq!(embedding::implement::unit(&[0.5, -6.0]), 4.0);
/// assert_eq!(embedding::implement::unit(&[0.0]), 1.0);
/// // At both ends of the range, too, quotients are numbers and not all 0.
/// assert!((1.0..100.0).contains(&(f64::MAX / embedding::implement::unit(&[f64::MAX]))));
/// assert!((1.0..2.0).contains(&(3e-320 / embedding::implement::unit(&[3e-320]))));
/// ```
pub fn unit(values: &[f64]) -> f64 {
    let mut lanes = [0.0_f64; 8];
    let (chunks, rest) = values.as_chunks::<8>();
    for chunk in chunks {
        lanes.iter_mut().zip(chunk).for_each(|(m, v)| *m = if v.abs() > *m { v.abs() } else { *m });
    }
    let largest = lanes.iter().chain(rest).fold(0.0_f64, |m, v| m.max(v.abs()));
    // The logarithms of the largest values round to 1024, and 2¹⁰²⁴ is infinite.
    if largest > 0.0 { largest.log2().floor().min(1020.0).exp2() } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::{maximum, minimum};

    #[test]
    fn not_a_number_wins_at_every_position() {
        for at in 0..3 {
            let mut values = [1.0, 2.0, 3.0];
            values[at] = f64::NAN;
            assert!(maximum(values).is_nan() && minimum(values).is_nan(), "{at}");
        }
        assert_eq!((maximum([-2.0, -1.0]), minimum([-2.0, -1.0])), (-1.0, -2.0));
        assert_eq!((maximum([]), minimum([])), (f64::NEG_INFINITY, f64::INFINITY));
        assert_eq!(maximum([1.0, f64::INFINITY]), f64::INFINITY);
    }
}
