//! The one distance all searches agree on.

use embedding::{Error, Points};

/// Partial sums kept apart, so that a processor may add several at once.
const LANES: usize = 8;

/// |a − b|².
///
/// The order of the additions is fixed: every backend that calls this gets the
/// same bits, on every machine.
#[inline(always)]
pub(crate) fn squared_distance(a: &[f64], b: &[f64]) -> f64 {
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
    for width in [4, 2, 1] {
        for l in 0..width {
            lanes[l] += lanes[l + width];
        }
    }
    sum + lanes[0]
}

/// |a − b|.
#[inline(always)]
pub(crate) fn distance(a: &[f64], b: &[f64]) -> f64 {
    squared_distance(a, b).sqrt()
}

/// Smallest and largest value per column.
pub(crate) fn bounding_box<'a>(rows: impl Iterator<Item = &'a [f64]>, dim: usize) -> Vec<(f64, f64)> {
    let mut sides = vec![(f64::INFINITY, f64::NEG_INFINITY); dim];
    for row in rows {
        for (side, &x) in sides.iter_mut().zip(row) {
            *side = (side.0.min(x), side.1.max(x));
        }
    }
    sides
}

/// Fails when a squared distance between any two of these points could overflow.
pub(crate) fn check_scale(known: Points<'_>, new: Option<Points<'_>>) -> Result<(), Error> {
    let new_rows = new.iter().flat_map(Points::rows);
    let sides = bounding_box(known.rows().chain(new_rows), known.dim());
    let squared: f64 = sides.iter().map(|(low, high)| (high - low) * (high - low)).sum();
    if squared.is_finite() {
        return Ok(());
    }
    let widest = sides.iter().map(|(low, high)| high - low).fold(0.0, f64::max);
    Err(Error::degenerate(
        format!("squared distances overflow: a column spans {widest:e}"),
        "divide all values by a common factor",
    ))
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
        }
    }

    #[test]
    fn overflow_is_an_error() {
        let values = [1e200, -1e200];
        let points = Points::new(&values, 1).expect("finite");
        assert!(check_scale(points, None).is_err());
        let values = [f64::MAX, f64::MIN];
        let points = Points::new(&values, 1).expect("finite");
        assert!(check_scale(points, None).is_err());
    }
}
