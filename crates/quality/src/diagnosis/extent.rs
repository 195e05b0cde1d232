//! How much of a map its extent shows.

/// Points within this fraction of the extent count as concentrated.
const CLOSE: f64 = 0.01;
/// Places within this fraction of the extent of each other are one.
const BESIDE: f64 = 0.03;
/// A place is at most this fraction of the extent wide.
const WIDEST: f64 = 0.15;
/// Fewest points, most places and least fraction of the points of a map of a few places.
const FEWEST: usize = 40;
const MOST_PLACES: usize = 20;
const HELD: f64 = 0.95;
/// The fraction of the points whose distance from the median is the unit of what is kept in one step,
/// and how many of these units.
const KEPT: f64 = 0.98;
const UNITS: f64 = 3.0;
/// Steps, at most.
const STEPS: usize = 8;

/// Returns the number of points within 1 % of the extent of the map, the longest side of
/// its bounding box, from its median point, in all columns; 0 without an extent. O(n d) time.
pub fn concentrated(points: &[impl AsRef<[f64]>]) -> usize {
    let all: Vec<usize> = (0..points.len()).collect();
    let extent = extent(points, &all);
    if extent.is_nan() || extent <= 0.0 {
        return 0;
    }
    from_median(points, &all).into_iter().filter(|distance| *distance <= CLOSE * extent).count()
}

/// Returns a few places to which a map collapses, largest first, each as the points in it, in
/// order: at most one for ten points and at most 20, which together hold 95 % of the points, each
/// within 1 % of the extent of the map from the place's first point, in all columns. Those whose
/// first points are within 3 % of each other, in chains, are one place, at most 15 % as wide as the
/// map. Empty where the map is none such, or has fewer than 40 points.
pub fn places(points: &[impl AsRef<[f64]>]) -> Vec<Vec<usize>> {
    let n = points.len();
    let all: Vec<usize> = (0..n).collect();
    let extent = extent(points, &all);
    if n < FEWEST || extent.is_nan() || extent <= 0.0 {
        return Vec::new();
    }
    let near = |i: usize, j: usize| {
        let pairs = points[i].as_ref().iter().zip(points[j].as_ref());
        pairs.into_iter().all(|(a, b)| difference(*a, *b).abs() <= CLOSE * extent)
    };
    let mut left = all;
    let mut found: Vec<Vec<usize>> = Vec::new();
    // The sizes of the largest places found.
    let mut largest: Vec<usize> = Vec::new();
    while let Some(&first) = left.first() {
        let (place, others): (Vec<usize>, _) = left.into_iter().partition(|&i| near(first, i));
        left = others;
        largest.push(place.len());
        largest.sort_unstable_by(|a, b| b.cmp(a));
        largest.truncate(MOST_PLACES);
        found.push(place);
        // Places of one or two points are outliers, of which some are allowed. The largest places
        // never hold more points than those found and all that are left.
        let most = left.len() + largest.iter().sum::<usize>();
        if found.len() > n / 10 || (most as f64) < HELD * n as f64 {
            return Vec::new();
        }
    }
    let beside = |i: usize, j: usize| {
        let pairs = points[i].as_ref().iter().zip(points[j].as_ref());
        pairs.into_iter().all(|(a, b)| difference(*a, *b).abs() <= BESIDE * extent)
    };
    few(n, found, &beside, &|place| self::extent(points, place) > WIDEST * extent)
}

/// Of all places of n points the few that hold enough of them, largest first, those beside each other as
/// one, by their first points; none where one of these is too wide.
fn few(
    n: usize,
    mut found: Vec<Vec<usize>>,
    beside: &dyn Fn(usize, usize) -> bool,
    wide: &dyn Fn(&[usize]) -> bool,
) -> Vec<Vec<usize>> {
    let least = HELD * n as f64;
    largest_first(&mut found);
    if (held_by(&found[..found.len().min(MOST_PLACES)]) as f64) < least {
        return Vec::new();
    }
    let mut found = joined(&found, beside);
    if found.iter().any(|place| wide(place)) {
        return Vec::new();
    }
    while found.len() > 1 && held_by(&found[..found.len() - 1]) as f64 >= least {
        found.pop();
    }
    found
}

fn largest_first(places: &mut [Vec<usize>]) {
    places.sort_by_key(|place| std::cmp::Reverse(place.len()));
}

/// The largest places, those beside each other as one, with the smaller ones beside them; largest first.
fn joined(found: &[Vec<usize>], beside: &dyn Fn(usize, usize) -> bool) -> Vec<Vec<usize>> {
    let (large, small) = found.split_at(found.len().min(MOST_PLACES));
    let beside = |a: &[usize], b: &[usize]| beside(a[0], b[0]);
    // The first place of the group of each.
    let mut group: Vec<usize> = (0..large.len()).collect();
    for (j, place) in large.iter().enumerate() {
        for i in (0..j).filter(|&i| beside(&large[i], place)) {
            let (one, other) = (group[i].min(group[j]), group[i].max(group[j]));
            group.iter_mut().filter(|of| **of == other).for_each(|of| *of = one);
        }
    }
    let mut joined = vec![Vec::new(); large.len()];
    large.iter().zip(&group).for_each(|(place, &of)| joined[of].extend(place));
    for place in small {
        if let Some(i) = large.iter().position(|other| beside(other, place)) {
            joined[group[i]].extend(place);
        }
    }
    joined.retain(|place| !place.is_empty());
    joined.iter_mut().for_each(|place| place.sort_unstable());
    largest_first(&mut joined);
    joined
}

fn held_by(places: &[Vec<usize>]) -> usize {
    places.iter().map(Vec::len).sum()
}

/// Returns the points to be drawn, in order: all of them, or if more than half are concentrated, those
/// at most 3 times as far from the median point as the inner 98 % (these alone where no point is
/// farther), and of these again the same as long as that holds.
pub fn inner(points: &[impl AsRef<[f64]>]) -> Vec<usize> {
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
        kept = kept.into_iter().zip(distances).filter(inside).map(|(i, _)| i).collect();
    }
    kept
}

/// The number of columns.
fn columns(points: &[impl AsRef<[f64]>]) -> usize {
    points.first().map_or(0, |point| point.as_ref().len())
}

/// a − b in units of 16, so that neither this nor a few times it overflows.
fn difference(a: f64, b: f64) -> f64 {
    a / 16.0 - b / 16.0
}

/// The longest side of the bounding box, in units of 16.
pub(super) fn extent(points: &[impl AsRef<[f64]>], rows: &[usize]) -> f64 {
    let side = |axis: usize| {
        let values = rows.iter().map(move |&i| points[i].as_ref()[axis]);
        difference(embedding::maximum(values.clone()), embedding::minimum(values))
    };
    if rows.is_empty() { 0.0 } else { embedding::maximum((0..columns(points)).map(side)) }
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

    /// Two grids side by side, the second of 5 % of the points, and three points far away: neither loses a point.
    #[test]
    fn no_point_beside_the_others_is_hidden_with_those_far_away() {
        let grid = |i: u32| [f64::from(i % 20), f64::from(i / 20)];
        let beside = (0..20).map(|i| [24.0 + f64::from(i % 4), f64::from(i / 4)]);
        let far = [[1e5, 0.0], [0.0, -2e5], [1e5, 1e5]];
        let points: Vec<[f64; 2]> = (0..400).map(grid).chain(beside).chain(far).collect();
        assert_eq!(inner(&points), (0..420).collect::<Vec<_>>());
    }

    #[test]
    fn other_maps_are_drawn_whole() {
        let grid = &collapsed()[..97];
        assert!(concentrated(grid) < 5);
        assert_eq!(inner(grid).len(), 97);
        let copies = [[2.0, 3.0]; 5];
        assert_eq!((concentrated(&copies), inner(&copies).len()), (0, 5));
        let none: [[f64; 2]; 0] = [];
        assert_eq!((concentrated(&none), inner(&none).len()), (0, 0));
        // Outliers that leave the rest visible.
        let few: Vec<[f64; 2]> = grid.iter().copied().chain([[60.0, 60.0]]).collect();
        assert_eq!(inner(&few).len(), 98);
    }

    #[test]
    fn maps_near_the_largest_number_are_as_ordinary_ones() {
        let scaled = |map: &[[f64; 2]]| -> Vec<[f64; 2]> {
            let far = |v: f64| (v - 50.0) * (f64::MAX / 60.0);
            map.iter().map(|point| point.map(far)).collect()
        };
        let grid: Vec<[f64; 2]> =
            (0..121).map(|i| [f64::from(i % 11), f64::from(i / 11)].map(|v| 10.0 * v)).collect();
        assert_eq!((concentrated(&scaled(&grid)), concentrated(&grid)), (1, 1));
        assert_eq!(inner(&scaled(&grid)).len(), 121);
        let clusters: Vec<[f64; 2]> =
            (0..60).map(|i| [100.0 * f64::from(i % 2), 0.001 * f64::from(i)]).collect();
        assert_eq!(places(&scaled(&clusters)).len(), 2);
    }

    #[test]
    fn a_map_of_a_few_places_is_told_from_clusters() {
        // Three places of 60, 30 and 8 points, and two outliers.
        let at = |i: usize| match i {
            0..60 => [0.0, 0.001 * i as f64],
            60..90 => [10.0, 0.001 * i as f64],
            90..98 => [5.0, 9.0],
            _ => [i as f64 / 20.0, 4.0],
        };
        let points: Vec<[f64; 2]> = (0..100).map(at).collect();
        let sizes: Vec<usize> = places(&points).iter().map(Vec::len).collect();
        assert_eq!(sizes, [60, 30, 8]);
        // Clusters a tenth of the extent wide are none.
        let wide: Vec<[f64; 2]> = points
            .iter()
            .enumerate()
            .map(|(i, p)| [p[0] + 0.15 * (i % 7) as f64, p[1] + 0.12 * (i % 11) as f64])
            .collect();
        assert!(places(&wide).is_empty());
        assert!(places(&points[..30]).is_empty() && places(&[[1.0, 1.0]; 50]).is_empty());
    }

    /// All places are looked for, and then the largest kept.
    fn slow(points: &[[f64; 2]]) -> Vec<Vec<usize>> {
        let n = points.len();
        let mut left: Vec<usize> = (0..n).collect();
        let reach = CLOSE * extent(points, &left);
        let mut found: Vec<Vec<usize>> = Vec::new();
        while let Some(&first) = left.first() {
            let near = |i: &usize| (0..2).all(|a| difference(points[first][a], points[*i][a]).abs() <= reach);
            found.push(left.iter().copied().filter(near).collect());
            left.retain(|i| !near(i));
        }
        if found.len() > n / 10 {
            return Vec::new();
        }
        let extent_of = |rows: &[usize]| extent(points, rows);
        let whole = extent_of(&(0..n).collect::<Vec<_>>());
        let beside = |i: usize, j: usize| {
            (0..2).all(|a| difference(points[i][a], points[j][a]).abs() <= BESIDE * whole)
        };
        few(n, found, &beside, &|place| extent_of(place) > WIDEST * whole)
    }

    #[test]
    fn places_are_the_same_whether_or_not_the_search_ends_early() {
        let mut some = 0;
        for case in 0..60_u32 {
            // Up to 30 places of different sizes, and points in between.
            let count = 2 + case % 29;
            let at = |i: u32| match (i * 7 + case) % (8 + 3 * (case % 11)) {
                0 => [f64::from(i % 97), f64::from(i % 89)],
                _ => {
                    let place = (i * i / 3 + i) % count;
                    [f64::from(place % 6) * 17.0, f64::from(place / 6) * 19.0 + 1e-3 * f64::from(i % 5)]
                }
            };
            let points: Vec<[f64; 2]> = (0..600).map(at).collect();
            assert_eq!(places(&points), slow(&points), "case {case}");
            some += usize::from(!places(&points).is_empty());
        }
        assert!((10..50).contains(&some), "{some} of 60 maps are of a few places");
    }

    /// Two places in the first two columns, and a line in the third.
    #[test]
    fn places_differ_in_any_column() {
        let line = |i: u32| [f64::from(i % 2), 0.0, f64::from(i) / 50.0];
        let points: Vec<[f64; 3]> = (0..50).map(line).collect();
        assert!(places(&points).is_empty() && concentrated(&points) <= 3);
        let flat: Vec<&[f64]> = points.iter().map(|point| &point[..2]).collect();
        assert_eq!((places(&flat).len(), concentrated(&flat)), (2, 25));
    }

    #[test]
    fn two_places_alone_stay() {
        let points: Vec<[f64; 2]> = (0..50).map(|i| [f64::from(u8::from(i == 0)), 0.0]).collect();
        assert_eq!((concentrated(&points), inner(&points).len()), (49, 50));
    }
}
