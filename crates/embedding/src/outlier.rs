//! Points that are one point beside an outlier.

use crate::{Input, Points, scale};

/// Rows of which the median place is taken, at most.
const SAMPLE: usize = 101;

/// A sentence where more than half of the points of an input differ, but by less than the largest
/// difference is rounded: what reads all of them at once takes them for one point. O(n D).
pub(crate) fn note(input: &Input<'_>) -> Option<String> {
    let points = input.given_points().filter(|_| input.given_metric().is_euclidean())?;
    let lost = lost(points);
    let sentence = format!(
        "{lost} of {} points differ by less than the rounding of the largest difference, so that they \
         are at one place: leave out the points far from them, or scale the columns",
        points.len()
    );
    (lost > 0).then_some(sentence)
}

/// The number of points that are at the median place up to rounding of the widest column; 0 where
/// they are half of all or fewer, or copies of each other.
fn lost(points: Points<'_>) -> usize {
    let n = points.len();
    let half = scale::extents(points).iter().map(|(low, high)| 0.5 * high - 0.5 * low).fold(0.0, f64::max);
    let step = n.div_ceil(SAMPLE);
    let median = |column: usize| {
        let mut values: Vec<f64> = points.rows().step_by(step).map(|row| row[column]).collect();
        let middle = values.len() / 2;
        *values.select_nth_unstable_by(middle, f64::total_cmp).1
    };
    let center: Vec<f64> = (0..points.dim()).map(median).collect();
    // Half of each, because the difference itself can overflow.
    let rounding = f64::EPSILON * half;
    let near = |row: &[f64]| row.iter().zip(&center).all(|(x, c)| (0.5 * x - 0.5 * c).abs() <= rounding);
    let mut at_center = points.rows().filter(|row| near(row));
    let Some(first) = at_center.next() else { return 0 };
    let (mut count, mut differ) = (1, false);
    for row in at_center {
        count += 1;
        differ |= row != first;
    }
    if differ && 2 * count > n { count } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Error, PointSet};

    /// A grid of 10 × 10 points and one at `far`.
    fn beside(far: f64) -> Result<PointSet, Error> {
        let grid = (0..100).flat_map(|i| [f64::from(i % 10), f64::from(i / 10)]);
        PointSet::new(grid.chain([far, -far]).collect(), 2)
    }

    #[test]
    fn points_are_lost_where_their_differences_are_rounding() -> Result<(), Error> {
        for (far, count) in [(1e3, 0), (1e12, 0), (1e20, 100), (1e200, 100), (1.7e308, 100)] {
            assert_eq!(lost(beside(far)?.view()), count, "{far:e}");
        }
        Ok(())
    }

    #[test]
    fn copies_and_wide_columns_are_not_lost() -> Result<(), Error> {
        let copies = PointSet::new([2.0; 50].into_iter().chain([1e30]).collect(), 1)?;
        assert_eq!(lost(copies.view()), 0);
        // The points differ in a wide column, too.
        let wide = PointSet::new((0..50).flat_map(|i| [f64::from(i), f64::from(i) * 1e30]).collect(), 2)?;
        assert_eq!(lost(wide.view()), 0);
        Ok(())
    }
}
