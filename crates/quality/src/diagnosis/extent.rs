//! Which points determine the extent of a map, and which of them a picture shows.

/// Points within this fraction of the extent count as concentrated.
pub(super) const CLOSE: f64 = 0.01;
/// In one step, points are kept up to `UNITS` times the distance from the median that this fraction
/// of the points does not exceed.
const KEPT: f64 = 0.98;
const UNITS: f64 = 3.0;
/// Steps, at most.
const STEPS: usize = 8;
/// The fraction of the points that may be left out in all.
const MOST_HIDDEN: f64 = 0.05;
/// A step must make the extent smaller by this factor.
const ZOOM: f64 = 2.0;

/// Returns the number of points within 1 % of the extent of the map, the longest side of
/// its bounding box, from its median point, in all columns; 0 without an extent. O(n d) time.
pub fn count_concentrated(points: &[impl AsRef<[f64]>]) -> usize {
    let all: Vec<usize> = (0..points.len()).collect();
    let extent = extent(points, &all);
    if extent.is_nan() || extent <= 0.0 {
        return 0;
    }
    from_median(points, &all).into_iter().filter(|distance| *distance <= CLOSE * extent).count()
}

/// Returns the points to be drawn, in order. If more than half of the points are concentrated, the
/// points are kept that are at most 3 times as far from the median point as the inner 98 %; if no
/// point is farther than that, only the inner 98 % are kept. This is repeated with the kept points as
/// long as more than half of them are concentrated, as each step halves the extent at least, and as no more
/// than 5 % of all points are left out: groups of points stay, and few points are hidden for a larger scale.
pub fn inner_points(points: &[impl AsRef<[f64]>]) -> Vec<usize> {
    let mut kept: Vec<usize> = (0..points.len()).collect();
    for _ in 0..STEPS {
        let distances = from_median(points, &kept);
        let extent = extent(points, &kept);
        let close = distances.iter().filter(|distance| **distance <= CLOSE * extent).count();
        let most = (KEPT * kept.len() as f64).floor() as usize;
        if extent <= 0.0 || 2 * close <= kept.len() || most == 0 {
            break;
        }
        let mut sorted = distances.clone();
        sorted.sort_by(f64::total_cmp);
        let unit = sorted[most - 1];
        if unit <= 0.0 {
            break;
        }
        let beyond = sorted.last().is_some_and(|last| *last > UNITS * unit);
        let farthest = if beyond { UNITS * unit } else { unit };
        let inside = |&(_, distance): &(usize, f64)| distance <= farthest;
        let inner: Vec<usize> = kept.iter().copied().zip(distances).filter(inside).map(|(i, _)| i).collect();
        let is_many = (points.len() - inner.len()) as f64 > MOST_HIDDEN * points.len() as f64;
        if is_many || self::extent(points, &inner) * ZOOM > extent {
            break;
        }
        kept = inner;
    }
    kept
}

/// The number of columns.
fn columns(points: &[impl AsRef<[f64]>]) -> usize {
    points.first().map_or(0, |point| point.as_ref().len())
}

/// a − b in units of 16, so that neither this nor a few times it overflows.
pub(super) fn difference(a: f64, b: f64) -> f64 {
    a / 16.0 - b / 16.0
}

/// The longest side of the bounding box, in units of 16.
pub(super) fn extent(points: &[impl AsRef<[f64]>], rows: &[usize]) -> f64 {
    let side = |axis: usize| {
        let values = rows.iter().map(move |&i| points[i].as_ref()[axis]);
        difference(embedding::implement::maximum(values.clone()), embedding::implement::minimum(values))
    };
    if rows.is_empty() { 0.0 } else { embedding::implement::maximum((0..columns(points)).map(side)) }
}

/// The largest of the differences of all coordinates to their medians, in units of 16.
fn from_median(points: &[impl AsRef<[f64]>], rows: &[usize]) -> Vec<f64> {
    let mut differences = vec![0.0_f64; rows.len()];
    for axis in 0..columns(points) {
        let values = || rows.iter().map(|&i| points[i].as_ref()[axis]);
        let (mut sorted, middle) = (values().collect::<Vec<f64>>(), rows.len() / 2);
        if middle < sorted.len() {
            let median = *sorted.select_nth_unstable_by(middle, f64::total_cmp).1;
            differences
                .iter_mut()
                .zip(values())
                .for_each(|(d, value)| *d = d.max(difference(value, median).abs()));
        }
    }
    differences
}

#[cfg(test)]
mod tests {
    use super::super::tight_clusters::tight_clusters;
    use super::*;

    /// 97 points of a unit grid, and 3 far away.
    fn collapsed() -> Vec<[f64; 2]> {
        let grid = (0..97).map(|i| [f64::from(i % 10), f64::from(i / 10)]);
        grid.chain([[1e5, 0.0], [0.0, -1e5], [1e7, 1e7]]).collect()
    }

    #[test]
    fn a_collapsed_map_is_drawn_by_its_inner_part() {
        let points = collapsed();
        assert_eq!(count_concentrated(&points), 99);
        assert_eq!(inner_points(&points), (0..97).collect::<Vec<_>>());
    }

    /// Two grids side by side, the second of 5 % of the points, and three points far away: neither loses a point.
    #[test]
    fn no_point_beside_the_others_is_hidden_with_those_far_away() {
        let grid = |i: u32| [f64::from(i % 20), f64::from(i / 20)];
        let beside = (0..20).map(|i| [24.0 + f64::from(i % 4), f64::from(i / 4)]);
        let far = [[1e5, 0.0], [0.0, -2e5], [1e5, 1e5]];
        let points: Vec<[f64; 2]> = (0..400).map(grid).chain(beside).chain(far).collect();
        assert_eq!(inner_points(&points), (0..420).collect::<Vec<_>>());
    }

    /// A tight group of 60 % of the points, and four others far from it, each of 10 %.
    #[test]
    fn groups_are_never_hidden() {
        let tight = (0..720).map(|i| [0.01 * f64::from(i % 27), 0.01 * f64::from(i / 27)]);
        let others = (0..480).map(|i| {
            let (group, at) = (f64::from(i / 120 + 1), f64::from(i % 120));
            [30.0 * group + at % 11.0, 10.0 * group + (at / 11.0).floor()]
        });
        let points: Vec<[f64; 2]> = tight.chain(others).collect();
        assert!(count_concentrated(&points) > 600);
        assert_eq!(inner_points(&points).len(), 1200);
        // Three points far beyond all groups are left out.
        let far = [[1e6, 0.0], [-1e6, 1e5], [0.0, 2e6]];
        let with_far: Vec<[f64; 2]> = points.into_iter().chain(far).collect();
        assert_eq!(inner_points(&with_far), (0..1200).collect::<Vec<_>>());
    }

    #[test]
    fn other_maps_are_drawn_whole() {
        let grid = &collapsed()[..97];
        assert!(count_concentrated(grid) < 5);
        assert_eq!(inner_points(grid).len(), 97);
        let copies = [[2.0, 3.0]; 5];
        assert_eq!((count_concentrated(&copies), inner_points(&copies).len()), (0, 5));
        let none: [[f64; 2]; 0] = [];
        assert_eq!((count_concentrated(&none), inner_points(&none).len()), (0, 0));
        // Outliers that leave the rest visible.
        let few: Vec<[f64; 2]> = grid.iter().copied().chain([[60.0, 60.0]]).collect();
        assert_eq!(inner_points(&few).len(), 98);
    }

    #[test]
    fn maps_near_the_largest_number_are_as_ordinary_ones() {
        let scaled = |map: &[[f64; 2]]| -> Vec<[f64; 2]> {
            let far = |v: f64| (v - 50.0) * (f64::MAX / 60.0);
            map.iter().map(|point| point.map(far)).collect()
        };
        let grid: Vec<[f64; 2]> =
            (0..121).map(|i| [f64::from(i % 11), f64::from(i / 11)].map(|v| 10.0 * v)).collect();
        assert_eq!((count_concentrated(&scaled(&grid)), count_concentrated(&grid)), (1, 1));
        assert_eq!(inner_points(&scaled(&grid)).len(), 121);
        let clusters: Vec<[f64; 2]> =
            (0..60).map(|i| [100.0 * f64::from(i % 2), 0.001 * f64::from(i)]).collect();
        assert_eq!(tight_clusters(&scaled(&clusters)).len(), 2);
    }

    #[test]
    fn two_places_alone_stay() {
        let points: Vec<[f64; 2]> = (0..50).map(|i| [f64::from(u8::from(i == 0)), 0.0]).collect();
        assert_eq!((count_concentrated(&points), inner_points(&points).len()), (49, 50));
    }
}
