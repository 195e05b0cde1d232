//! Where a map does not follow the true coordinates: neighbors that it tears apart, and distant
//! parts that it puts over each other.

use embedding::Points;

use crate::RowSample;
use crate::ranked_row::RankedRow;

/// Nearest neighbors of a point that are examined.
const NEAREST: usize = 4;
/// Fewest points; of fewer, a tenth is hardly more than the neighbors.
pub(super) const FEWEST: usize = 100;
/// Largest number of points that are examined.
const LOOKED_AT: usize = 500;
/// The sentence is given from this number and this fraction of the examined points on.
const FEW: usize = 5;
const FRACTION: f64 = 0.02;

/// A map that tears neighbors apart, at five points and 2 % of them at least: one of the 4 nearest of such a point
/// by the true coordinates is farther away in the map than a tenth of all points. `truth` has one row per
/// row of the map, in units in which near rows belong together; `None` of maps of fewer than 100 points.
///
/// Of more than 500 points, 500 evenly spaced ones are examined. *Cost.* O(500 n (d + D)).
pub(super) fn torn(map: Points<'_>, truth: Points<'_>) -> Option<String> {
    let percent = apart(truth, map)?;
    Some(format!(
        "The map tears neighbors apart at {percent} % of the points: one of their {NEAREST} nearest by the true \
         coordinates is farther away in the map than a tenth of all points."
    ))
}

/// A map that puts distant parts over each other, at five points and 2 % of them at least: one of the 4 nearest of
/// such a point in the map is farther away by the true coordinates than a tenth of all points. As [`torn`].
pub(super) fn overlapping(map: Points<'_>, truth: Points<'_>) -> Option<String> {
    let percent = apart(map, truth)?;
    Some(format!(
        "The map puts distant parts over each other at {percent} % of the points: one of their {NEAREST} nearest \
         in the map is farther away by the true coordinates than a tenth of all points."
    ))
}

/// The percentage of the points that have a near neighbor which is far by `others`; `None` where
/// it is below 2 %, or not known.
fn apart(points: Points<'_>, others: Points<'_>) -> Option<usize> {
    let n = points.len();
    if n < FEWEST || others.len() != n {
        return None;
    }
    let rows = RowSample::Spaced { count: LOOKED_AT }.choose(n);
    let is_apart = |&i: &u32| {
        let other = RankedRow::of(others, i as usize);
        let near = RankedRow::of(points, i as usize).nearest(NEAREST);
        near.into_iter().any(|j| 10 * other.rank(j) > n)
    };
    let found = rows.iter().filter(|&i| is_apart(i)).count();
    let fraction = found as f64 / rows.len() as f64;
    (found >= FEW && fraction >= FRACTION).then(|| (100.0 * fraction).round() as usize)
}

#[cfg(test)]
mod tests {
    use embedding::PointSet;

    use super::*;

    /// A sheet of 40 by 10 points.
    fn sheet() -> PointSet {
        set(|u, v| [u, v])
    }

    fn set(place: impl Fn(f64, f64) -> [f64; 2]) -> PointSet {
        let at = |i: i32| place(f64::from(i % 40), f64::from(i / 40));
        PointSet::new((0..400).flat_map(at).collect(), 2).expect("points")
    }

    /// In a map that is cut between two columns of points, the points at the cut are torn: two of forty
    /// columns.
    #[test]
    fn a_cut_is_named_with_its_share() {
        let cut = set(|u, v| if u < 20.0 { [u, v] } else { [u + 30.0, v] });
        let said = torn(cut.view(), sheet().view()).expect("a sentence");
        assert!(said.starts_with("The map tears neighbors apart at 5 % of the points"), "{said}");
        assert_eq!(overlapping(cut.view(), sheet().view()), None);
    }

    /// Of a map that is folded in the middle, the layers lie over each other; near the fold they are near
    /// by the true coordinates, too: a tenth of all points reaches two columns to both sides.
    #[test]
    fn a_fold_is_named_with_its_share() {
        let folded = set(|u, v| [(u - 19.5).abs(), v]);
        let said = overlapping(folded.view(), sheet().view()).expect("a sentence");
        let percent: f64 = said.split_whitespace().nth(9).expect("a number").parse().expect("a number");
        assert!(said.starts_with("The map puts distant parts over each other at "), "{said}");
        assert!((80.0..95.0).contains(&percent), "{said}");
        assert_eq!(torn(folded.view(), sheet().view()), None);
    }

    #[test]
    fn a_sheet_that_is_bent_and_stretched_is_whole() {
        let bent = set(|u, v| [(0.05 * u).sin() * (30.0 + v), (0.05 * u).cos() * (30.0 + v)]);
        let stretched = set(|u, v| [u, 6.0 * v]);
        for map in [&bent, &stretched, &sheet()] {
            assert_eq!(torn(map.view(), sheet().view()), None);
            assert_eq!(overlapping(map.view(), sheet().view()), None);
        }
        // One point of 400 far from its neighbors is less than the 2 % that make a sentence.
        let one = set(|u, v| if u + v == 0.0 { [90.0, 90.0] } else { [u, v] });
        assert_eq!(torn(one.view(), sheet().view()), None);
        let few = PointSet::new((0..40).map(f64::from).collect(), 1).expect("points");
        let mixed = PointSet::new((0..40).map(|i| f64::from(i * 7 % 40)).collect(), 1).expect("points");
        assert_eq!(torn(mixed.view(), few.view()), None);
    }
}
