//! Groups of points, and the properties that a map of them keeps.

use std::f64::consts::TAU;

use embedding::implement::squared_distance;
use embedding::{Embedding, Model, PointSet, Transform};
use neighbor_graph::NeighborSearch;

use crate::cases::cloud;

/// Points of a group.
const SIZE: usize = 30;

/// Groups on a line.
const LINE: usize = 6;

/// `count` groups of 30 points in five dimensions on a circle of radius `apart`, point i in group
/// i mod `count`.
pub fn groups(count: usize, apart: f64) -> PointSet {
    shifted(count, |group| {
        let angle = TAU * group as f64 / count as f64;
        [apart * angle.cos(), apart * angle.sin()]
    })
}

/// A class per point: i mod `count` for point i.
pub fn group_labels(n: usize, count: usize) -> Vec<u32> {
    (0..n).map(|i| (i % count) as u32).collect()
}

/// The fraction of points whose nearest neighbor in the map has the same label.
pub fn agreement(map: &Embedding, labels: &[u32]) -> f64 {
    let y = PointSet::from_mat(map.coordinates()).expect("maps are finite");
    let nearest = NeighborSearch::nearest(1).find(y.view()).expect("two points");
    let same = (0..labels.len()).filter(|&i| labels[nearest.indices_of(i)[0] as usize] == labels[i]).count();
    same as f64 / labels.len() as f64
}

/// Checks that the map that `fit` makes of six groups on a line keeps their order: the centers of adjacent
/// groups are nearer to each other than the centers of groups at least three places apart.
pub fn keeps_the_order_of_groups(fit: impl FnOnce(&PointSet) -> Embedding) {
    let map = fit(&shifted(LINE, |group| [30.0 * group as f64, 0.0]));
    let center = |group: usize| -> Vec<f64> {
        let mean =
            |c: usize| (group..map.len()).step_by(LINE).map(|i| map.row(i)[c]).sum::<f64>() / SIZE as f64;
        (0..map.dim()).map(mean).collect()
    };
    let centers: Vec<Vec<f64>> = (0..LINE).map(center).collect();
    for g in 0..LINE - 1 {
        let step = squared_distance(&centers[g], &centers[g + 1]);
        for other in (0..LINE).filter(|&other| other.abs_diff(g) > 2 && other.abs_diff(g + 1) > 2) {
            assert!(step < squared_distance(&centers[g], &centers[other]), "groups {g} and {other}");
        }
    }
}

/// Checks that a model of `points`, which are `count` groups, places them at their positions in its map, and
/// points close to them next to their group; returns these points and their positions.
pub fn places_points_in_their_group<M: Model + Transform>(
    fitted: &M,
    points: &PointSet,
    count: usize,
) -> (PointSet, Embedding) {
    let map = fitted.embedding();
    let known = fitted.transform(points.view()).expect("the points of the fit");
    assert_eq!(known.values(), map.values());
    let beside = points.view().values().iter().map(|v| v + 0.05).collect();
    let beside = PointSet::new(beside, points.view().dim()).expect("finite");
    let placed = fitted.transform(beside.view()).expect("points of the same columns");
    for (i, place) in placed.rows().enumerate() {
        let distance = |j: &usize| squared_distance(place, map.row(*j));
        let nearest = (0..map.len()).min_by(|a, b| distance(a).total_cmp(&distance(b))).expect("some points");
        assert_eq!(nearest % count, i % count, "point {i}");
    }
    (beside, placed)
}

/// Normal points in groups that `center` moves along the first two axes.
fn shifted(count: usize, center: impl Fn(usize) -> [f64; 2]) -> PointSet {
    let points = cloud(SIZE * count, 5, 4);
    let rows = points.view().rows().enumerate().flat_map(|(i, row)| {
        let [x, y] = center(i % count);
        let mut row = row.to_vec();
        row[0] += x;
        row[1] += y;
        row
    });
    PointSet::new(rows.collect(), 5).expect("finite")
}
