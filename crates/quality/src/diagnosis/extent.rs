//! How much of a map its extent shows.

/// Points within this fraction of the extent count as concentrated.
const CLOSE: f64 = 0.01;
/// The fraction of the points that is kept in one step.
const KEPT: f64 = 0.98;
/// Steps, at most.
const STEPS: usize = 8;

/// Returns the number of points within 1 % of the extent of the map, the longer side of
/// its bounding box, from its median point; 0 without an extent.
pub fn concentrated(points: &[[f64; 2]]) -> usize {
    let all: Vec<usize> = (0..points.len()).collect();
    let extent = extent(points, &all);
    if extent.is_nan() || extent <= 0.0 {
        return 0;
    }
    from_median(points, &all).into_iter().filter(|distance| *distance <= CLOSE * extent).count()
}

/// Returns the points to be drawn, in order: all of them, or if more than half are
/// concentrated, the inner 98 %, and of these again the inner 98 % as long as that holds.
pub fn inner(points: &[[f64; 2]]) -> Vec<usize> {
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
        let farthest = sorted[most - 1];
        if farthest <= 0.0 {
            break;
        }
        let inside = |&(_, distance): &(usize, f64)| distance <= farthest;
        kept = kept.into_iter().zip(distances).filter(inside).map(|(i, _)| i).collect();
    }
    kept
}

/// The longer side of the bounding box.
fn extent(points: &[[f64; 2]], rows: &[usize]) -> f64 {
    let side = |axis: usize| {
        let values = rows.iter().map(move |&i| points[i][axis]);
        embedding::maximum(values.clone()) - embedding::minimum(values)
    };
    if rows.is_empty() { 0.0 } else { side(0).max(side(1)) }
}

/// The larger of the differences of both coordinates to their medians.
fn from_median(points: &[[f64; 2]], rows: &[usize]) -> Vec<f64> {
    let median = |axis: usize| {
        let mut values: Vec<f64> = rows.iter().map(|&i| points[i][axis]).collect();
        values.sort_by(f64::total_cmp);
        values.get(values.len() / 2).copied().unwrap_or(0.0)
    };
    let center = [median(0), median(1)];
    let difference = |i: usize, axis: usize| (points[i][axis] - center[axis]).abs();
    rows.iter().map(|&i| difference(i, 0).max(difference(i, 1))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 97 points of a unit grid, and 3 far away.
    fn collapsed() -> Vec<[f64; 2]> {
        let grid = (0..97).map(|i| [f64::from(i % 10), f64::from(i / 10)]);
        grid.chain([[1e5, 0.0], [0.0, -1e5], [1e7, 1e7]]).collect()
    }

    #[test]
    fn a_collapsed_map_is_drawn_by_its_inner_part() {
        let points = collapsed();
        assert_eq!(concentrated(&points), 99);
        assert_eq!(inner(&points), (0..97).collect::<Vec<_>>());
    }

    #[test]
    fn other_maps_are_drawn_whole() {
        let grid = &collapsed()[..97];
        assert!(concentrated(grid) < 5);
        assert_eq!(inner(grid).len(), 97);
        let copies = [[2.0, 3.0]; 5];
        assert_eq!((concentrated(&copies), inner(&copies).len()), (0, 5));
        assert_eq!((concentrated(&[]), inner(&[]).len()), (0, 0));
        // Outliers that leave the rest visible.
        let few: Vec<[f64; 2]> = grid.iter().copied().chain([[60.0, 60.0]]).collect();
        assert_eq!(inner(&few).len(), 98);
    }

    #[test]
    fn two_places_alone_stay() {
        let points: Vec<[f64; 2]> = (0..50).map(|i| [f64::from(u8::from(i == 0)), 0.0]).collect();
        assert_eq!((concentrated(&points), inner(&points).len()), (49, 50));
    }
}
