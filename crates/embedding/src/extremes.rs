//! The largest of some values.

/// The largest of some values; NaN if any of them is NaN, −∞ if there is none.
///
/// `f64::max` ignores NaN, so that a fold over it takes a residual of NaN for
/// one of 0.
///
/// ```
/// assert_eq!(embedding::maximum([1.0, 3.0, 2.0]), 3.0);
/// assert!(embedding::maximum([1.0, f64::NAN, 2.0]).is_nan());
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
