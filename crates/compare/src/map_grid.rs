//! A grid over a map, and which positions lie far from its points.

use std::cmp::Ordering;

use embedding::{Error, MemoryLimit, Neighborhood, PointSet, Points};
use neighbor_graph::{NeighborIndex, NeighborSearch};

/// The centers of rows × columns cells of equal size that cover the bounding box of a map of
/// two dimensions, by rows from the top left.
pub(crate) struct Grid {
    /// The center of each cell.
    pub centers: Vec<[f64; 2]>,
    /// Width and height of a cell.
    pub cell: [f64; 2],
    /// The mean of the points of the map in each cell; `None` of a cell without points.
    pub means: Vec<Option<[f64; 2]>>,
}

impl Grid {
    /// Divides the bounding box.
    ///
    /// Fails where the map has another number of columns than two, or no extent along one, and where
    /// the cells exceed the limit.
    pub(crate) fn new(
        map: Points<'_>,
        [rows, columns]: [usize; 2],
        memory: MemoryLimit,
    ) -> Result<Self, Error> {
        if map.dim() != 2 {
            return Err(Error::Shape {
                what: "the number of columns of a map with a grid",
                expected: "2".to_owned(),
                got: map.dim().to_string(),
            });
        }
        let ends = [0, 1].map(|axis| {
            let values = || map.rows().map(move |row| row[axis]);
            [embedding::implement::minimum(values()), embedding::implement::maximum(values())]
        });
        if ends.iter().any(|[low, high]| low == high) {
            return Err(Error::degenerate(
                "a coordinate of the map is the same for all points, so that a grid has no cells",
                "give places by --places",
            ));
        }
        // The centers, twice because the decoded ones are copied; the sums; and the means.
        const CELL: u64 =
            (2 * size_of::<[f64; 2]>() + size_of::<([f64; 2], f64)>() + size_of::<Option<[f64; 2]>>()) as u64;
        let needed = (rows as u64).saturating_mul(columns as u64).saturating_mul(CELL);
        memory.allow(format!("the cells of a grid of {rows} × {columns}"), needed, GRID_ADVICE)?;
        let cell = [columns, rows].map(|count| count as f64);
        let cell = [0, 1].map(|axis| (ends[axis][1] - ends[axis][0]) / cell[axis]);
        let center = |row: usize, column: usize| {
            [ends[0][0] + (column as f64 + 0.5) * cell[0], ends[1][1] - (row as f64 + 0.5) * cell[1]]
        };
        let centers: Vec<[f64; 2]> =
            (0..rows).flat_map(|row| (0..columns).map(move |column| center(row, column))).collect();
        let mut sums = vec![([0.0; 2], 0.0); centers.len()];
        for point in map.rows() {
            let along =
                |distance: f64, axis: usize, count: usize| ((distance / cell[axis]) as usize).min(count - 1);
            let (row, column) =
                (along(ends[1][1] - point[1], 1, rows), along(point[0] - ends[0][0], 0, columns));
            let (offset, count) = &mut sums[row * columns + column];
            // Measured from the center, so that no sum overflows.
            (0..2).for_each(|axis| offset[axis] += point[axis] - centers[row * columns + column][axis]);
            *count += 1.0;
        }
        let mean = |(center, (offset, count)): (&[f64; 2], ([f64; 2], f64))| {
            (count > 0.0).then(|| [0, 1].map(|axis| center[axis] + offset[axis] / count))
        };
        let means = centers.iter().zip(sums).map(mean).collect();
        Ok(Self { centers, cell, means })
    }
}

/// What a refusal of a grid advises.
const GRID_ADVICE: &str = "use fewer rows and columns (--grid)";

/// The points of a map around each of some places.
pub(crate) struct Surroundings {
    /// The k nearest points of each place, all where there are fewer: (row, distance), nearest
    /// first.
    pub nearest: Vec<Vec<(u32, f64)>>,
    /// Whether a place lies far from the map.
    pub far: Vec<bool>,
    /// The number of neighbors by which `far` is decided: k, or fewer where at most k points of the
    /// map differ.
    pub k: usize,
}

impl Surroundings {
    /// A place is far where the distance to its k-th nearest point exceeds `reach` times the median
    /// spacing of its k nearest points. The spacing of a point is the distance to its own k-th nearest
    /// other point, but at most the 90th percentile of such distances over the map. With this limit, a
    /// few points away from all others do not make the gap around them near. Points that
    /// coincide count once, and no place is far from a map of one point.
    ///
    /// Fails where k is 0, where the places have another number of columns, and where the lists of
    /// their nearest points exceed the limit.
    pub(crate) fn new(
        map: Points<'_>,
        places: Points<'_>,
        k: usize,
        reach: f64,
        memory: MemoryLimit,
    ) -> Result<Self, Error> {
        // The lists of all points of the map, and the lists of the points that differ.
        let list = size_of::<Vec<(u32, f64)>>() + k.min(map.len()) * size_of::<(u32, f64)>();
        let needed = 2 * (places.len() as u64).saturating_mul(list as u64);
        let advice = "decode fewer places, or use a smaller --k";
        memory.allow(format!("the nearest points of {} places", places.len()), needed, advice)?;
        let index = NeighborIndex::new(map, Neighborhood::Nearest { k });
        let nearest = index.nearest(places, k.min(map.len()))?;
        let map = distinct(map);
        let k = k.min(map.view().len() - 1);
        let far = if k == 0 { vec![false; places.len()] } else { far(map.view(), places, k, reach)? };
        Ok(Self { nearest, far, k })
    }
}

/// Whether each place lies far from distinct points.
fn far(map: Points<'_>, places: Points<'_>, k: usize, reach: f64) -> Result<Vec<bool>, Error> {
    let rule = Neighborhood::Nearest { k };
    let own = NeighborSearch::from(rule).find(map)?;
    let spacings: Vec<f64> =
        (0..map.len()).map(|row| own.distances_of(row).last().copied().unwrap_or(0.0)).collect();
    let mut sorted = spacings.clone();
    sorted.sort_by(f64::total_cmp);
    let largest = sorted[(map.len() - 1) * 9 / 10];
    let spacing = |row: u32| spacings[row as usize].min(largest);
    let far = NeighborIndex::new(map, rule).nearest(places, k)?.into_iter().map(|list| {
        let mut around: Vec<f64> = list.iter().map(|&(row, _)| spacing(row)).collect();
        around.sort_by(f64::total_cmp);
        list[k - 1].1 > reach * around[k / 2]
    });
    Ok(far.collect())
}

/// The points that differ, in order.
fn distinct(map: Points<'_>) -> PointSet {
    // Zeros of both signs are equal.
    let value = |row: u32, axis: usize| map.row(row as usize)[axis] + 0.0;
    let compare = |a: u32, b: u32| {
        let axes = (0..map.dim()).map(|axis| value(a, axis).total_cmp(&value(b, axis)));
        axes.fold(Ordering::Equal, Ordering::then)
    };
    let mut rows: Vec<u32> = (0..map.len() as u32).collect();
    rows.sort_by(|&a, &b| compare(a, b));
    rows.dedup_by(|b, a| compare(*a, *b).is_eq());
    rows.sort_unstable();
    map.select(&rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two unit squares of 20 × 20 points each, four apart.
    fn squares() -> PointSet {
        let square = |shift: f64| {
            (0..400_u32).map(move |i| [shift + f64::from(i % 20) / 19.0, f64::from(i / 20) / 19.0])
        };
        PointSet::from_rows(&square(0.0).chain(square(5.0)).collect::<Vec<_>>()).expect("finite")
    }

    #[test]
    fn cells_cover_the_map_by_rows_from_the_top_left() {
        let Grid { centers, cell, .. } =
            Grid::new(squares().view(), [2, 6], MemoryLimit::UNLIMITED).expect("a grid");
        assert_eq!(cell, [1.0, 0.5]);
        assert_eq!(centers.len(), 12);
        assert_eq!((centers[0], centers[5], centers[6]), ([0.5, 0.75], [5.5, 0.75], [0.5, 0.25]));
        // Each square is within one column of cells, those between have no points.
        let Grid { means, .. } = Grid::new(squares().view(), [2, 4], MemoryLimit::UNLIMITED).expect("a grid");
        let inside: Vec<bool> = means.iter().map(Option::is_some).collect();
        assert_eq!(inside, [true, false, false, true].repeat(2));
        let expected = [[0.5, 14.5 / 19.0], [5.5, 14.5 / 19.0], [0.5, 4.5 / 19.0], [5.5, 4.5 / 19.0]];
        for (mean, expected) in means.iter().flatten().zip(expected) {
            assert!((0..2).all(|axis| (mean[axis] - expected[axis]).abs() < 1e-12), "{mean:?}");
        }
        let line = PointSet::from_rows(&[[0.0, 1.0], [2.0, 1.0]]).expect("finite");
        assert!(matches!(
            Grid::new(line.view(), [2, 2], MemoryLimit::UNLIMITED),
            Err(Error::Degenerate { .. })
        ));
        let flat = PointSet::new(vec![0.0, 1.0], 1).expect("finite");
        assert!(matches!(Grid::new(flat.view(), [2, 2], MemoryLimit::UNLIMITED), Err(Error::Shape { .. })));
    }

    /// Within the squares no place is far, between them every one is; at any scale.
    #[test]
    fn places_between_clusters_are_far() {
        for scale in [1.0, 1e-6, 1e6] {
            let map = PointSet::new(squares().into_values().iter().map(|v| v * scale).collect(), 2);
            let map = map.expect("finite");
            let grid = Grid::new(map.view(), [10, 60], MemoryLimit::UNLIMITED).expect("a grid");
            let places = PointSet::from_rows(&grid.centers).expect("finite");
            let found = Surroundings::new(map.view(), places.view(), 8, 2.0, MemoryLimit::UNLIMITED)
                .expect("surroundings");
            for (place, far) in grid.centers.iter().zip(&found.far) {
                let x = place[0] / scale;
                let inside = (0.0..=1.0).contains(&x) || (5.0..=6.0).contains(&x);
                let outside = (1.3..=4.7).contains(&x);
                assert!(if inside { !far } else { *far || !outside }, "{place:?}");
            }
            assert!(found.nearest.iter().all(|list| list.len() == 8));
        }
    }

    /// Five points between the squares leave the gap a gap, since their eighth nearest point is in a
    /// square; every point of the squares is near.
    #[test]
    fn a_few_points_in_a_gap_do_not_fill_it() {
        let mut values = squares().into_values();
        (0..5).for_each(|i| values.extend([3.0 + 0.01 * f64::from(i), 0.5]));
        let map = PointSet::new(values, 2).expect("finite");
        let places = PointSet::from_rows(&[[2.0, 0.5], [2.8, 0.6], [4.0, 0.5]]).expect("finite");
        let found = Surroundings::new(map.view(), places.view(), 8, 2.0, MemoryLimit::UNLIMITED)
            .expect("surroundings");
        assert_eq!(found.far, [true; 3]);
        let own =
            Surroundings::new(map.view(), map.view(), 8, 2.0, MemoryLimit::UNLIMITED).expect("surroundings");
        assert!(own.far[..800].iter().all(|far| !far));
    }

    /// Copies change nothing: where each point is given twelve times, the spacing is still computed from the
    /// points that differ.
    #[test]
    fn copies_do_not_make_every_place_far() {
        let map = squares();
        let values = map.view().values().repeat(12);
        let copies = PointSet::new(values, 2).expect("finite");
        let places = PointSet::from_rows(&[[0.51, 0.52], [0.02, 0.97], [2.5, 0.5]]).expect("finite");
        let one = Surroundings::new(map.view(), places.view(), 8, 2.0, MemoryLimit::UNLIMITED)
            .expect("surroundings");
        let many = Surroundings::new(copies.view(), places.view(), 8, 2.0, MemoryLimit::UNLIMITED)
            .expect("surroundings");
        assert_eq!((&one.far[..], &many.far[..]), (&[false, false, true][..], &[false, false, true][..]));
    }

    /// A map of fewer points than neighbors is compared by all other points.
    #[test]
    fn a_small_map_is_compared_with_fewer_neighbors() {
        let map = PointSet::from_rows(&[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [-0.0, 0.0]]).expect("finite");
        let places = PointSet::from_rows(&[[0.4, 0.4], [9.0, 9.0]]).expect("finite");
        let found = Surroundings::new(map.view(), places.view(), 10, 2.0, MemoryLimit::UNLIMITED)
            .expect("surroundings");
        assert_eq!((found.k, found.nearest[0].len(), &found.far[..]), (2, 4, &[false, true][..]));
        let point = map.view().select(&[0, 3]);
        let found = Surroundings::new(point.view(), places.view(), 10, 2.0, MemoryLimit::UNLIMITED)
            .expect("surroundings");
        assert_eq!((found.k, &found.far[..]), (0, &[false; 2][..]));
        assert!(Surroundings::new(map.view(), places.view(), 0, 2.0, MemoryLimit::UNLIMITED).is_err());
    }
}
