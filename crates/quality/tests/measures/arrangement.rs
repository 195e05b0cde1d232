//! Measures of the arrangement of classes and distant points.

use crate::common::{assert_close, cube, labels, mapped, noise, plane, view};
use embedding::{Error, PointSet};
use quality::RowSample;
use quality::classes::{centroid_triplet_accuracy, kept_neighbor_classes, label_distortion};
use quality::distances::{distance_rank_correlation, random_triplet_accuracy};

/// The rows of a map in the opposite order: a map without relation to the data.
fn reversed(points: &PointSet) -> PointSet {
    let rows: Vec<u32> = (0..points.len() as u32).rev().collect();
    points.view().select(&rows)
}

/// zadu 0.5.4 (MIT), numpy 2.4.6: `label_trustworthiness_and_continuity.measure(X, Y, L)` and
/// `spearman_rho.measure(X, Y)` with X the cube, Y its skewed view (or the view with its rows in the
/// opposite order) and L the classes, 200 points; the rank correlation for random points and their view.
#[test]
fn values_of_zadu() {
    let (data, map, labels) = (cube(200), view(200), labels(200));
    let of = |data: &PointSet, map: &PointSet| {
        let found = label_distortion(data.view(), map.view(), &labels).unwrap();
        (found.trustworthiness, found.continuity)
    };
    let (trust, continuity) = of(&data, &map);
    assert_close(trust, 1.0, 1e-15);
    assert_close(continuity, 0.9478896419053671, 1e-14);
    let (trust, continuity) = of(&data, &reversed(&map));
    assert_close(trust, 0.807432305730573, 1e-14);
    assert_close(continuity, 1.0, 1e-15);
    // The cube has equal distances, whose order is a matter of rounding.
    let data = noise(200, 3);
    let map = mapped(&data, |x| vec![x[0] + 0.3 * x[1] * x[1], 0.5 * x[1] + 0.2 * x[2]]);
    let rho = distance_rank_correlation(data.view(), map.view(), RowSample::All).unwrap();
    assert_close(rho, 0.6706449764244868, 1e-12);
}

/// All measures have their best value for a similar map, and do not depend on scale.
#[test]
fn a_similar_map_keeps_everything() {
    let (data, labels) = (noise(150, 3), labels(150));
    for factor in [-3.0, 1e-6, 2f64.powi(520), 2f64.powi(-520)] {
        let map = mapped(&data, |row| row.iter().map(|value| factor * value).collect());
        let (data, map) = (data.view(), map.view());
        let found = label_distortion(data, map, &labels).unwrap();
        assert_eq!((found.trustworthiness, found.continuity), (1.0, 1.0));
        assert_eq!(random_triplet_accuracy(data, map, 5, 1).unwrap().value, 1.0);
        assert_eq!(centroid_triplet_accuracy(data, map, &labels).unwrap(), 1.0);
        assert_eq!(kept_neighbor_classes(data, map, &labels, 1).unwrap(), 1.0);
        assert_close(distance_rank_correlation(data, map, RowSample::All).unwrap(), 1.0, 1e-12);
    }
}

/// Random triplets estimate the fraction over all triplets; a random map keeps half of them.
#[test]
fn random_triplets_estimate_the_fraction_of_all() {
    let (data, map) = (cube(60), view(60));
    let distance = |points: &PointSet, i: usize, j: usize| {
        let (a, b) = (points.view().row(i), points.view().row(j));
        a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>()
    };
    let (mut kept, mut all) = (0.0, 0.0);
    for i in 0..60 {
        for j in (0..60).filter(|j| *j != i) {
            for k in (0..60).filter(|k| *k != i && *k != j) {
                let of = |points: &PointSet| distance(points, i, j) < distance(points, i, k);
                kept += f64::from(u8::from(of(&data) == of(&map)));
                all += 1.0;
            }
        }
    }
    let found = random_triplet_accuracy(data.view(), map.view(), 400, 7).unwrap();
    assert!((found.value - kept / all).abs() < 0.01, "{} and {}", found.value, kept / all);
    let of = |seed| random_triplet_accuracy(data.view(), map.view(), 5, seed).unwrap();
    assert_eq!(of(3), of(3));
    assert!(of(3) != of(4) && of(3).standard_error > 0.0);
    let random = random_triplet_accuracy(cube(900).view(), noise(900, 2).view(), 5, 0).unwrap();
    assert!((random.value - 0.5).abs() < 4.0 * random.standard_error, "{random:?}");
}

/// Four classes at the corners of a thin rectangle, and a map in which its sides have other lengths.
#[test]
fn classes_of_a_rectangle_have_counted_triplets_and_neighbors() {
    let corner = |i: usize| [[0.0, 0.0], [4.0, 0.0], [0.0, 1.0], [4.0, 1.0]][i % 4];
    let places: Vec<f64> = (0..40).flat_map(corner).collect();
    let data = PointSet::new(places, 2).unwrap();
    let labels: Vec<u32> = (0..40).map(|i| 10 * (i % 4)).collect();
    let map = mapped(&data, |row| vec![row[0], 9.0 * row[1]]);
    let (data, map) = (data.view(), map.view());
    // Of the three pairs per corner, only the comparison of the two sides is reversed.
    assert_close(centroid_triplet_accuracy(data, map, &labels).unwrap(), 2.0 / 3.0, 1e-15);
    assert_eq!(kept_neighbor_classes(data, map, &labels, 1).unwrap(), 0.0);
    assert_close(kept_neighbor_classes(data, map, &labels, 2).unwrap(), 1.0, 1e-15);
    // All classes are single places: apart in the data and in the map.
    let found = label_distortion(data, map, &labels).unwrap();
    assert_eq!((found.trustworthiness, found.continuity), (1.0, 1.0));
    let single = mapped(&data.to_owned(), |_| vec![0.0]);
    let found = label_distortion(data, single.view(), &labels).unwrap();
    assert_close(found.trustworthiness, 0.5, 1e-15);
    assert_eq!(found.continuity, 1.0);
}

#[test]
fn what_has_no_arrangement_is_refused() {
    let (data, map) = (plane(20), plane(20));
    let (x, y) = (data.view(), map.view());
    let one = [0; 20];
    assert!(matches!(label_distortion(x, y, &one), Err(Error::Parameter { .. })));
    assert!(matches!(label_distortion(x, y, &one[1..]), Err(Error::Shape { .. })));
    assert!(matches!(centroid_triplet_accuracy(x, y, &one), Err(Error::Parameter { .. })));
    assert!(matches!(kept_neighbor_classes(x, y, &labels(20), 9), Err(Error::Parameter { .. })));
    assert!(matches!(random_triplet_accuracy(x, y, 0, 0), Err(Error::Parameter { .. })));
    let two = plane(2);
    let few = random_triplet_accuracy(two.view(), two.view(), 5, 0);
    assert!(matches!(few, Err(Error::TooFewPoints { .. })));
    let single = mapped(&map, |_| vec![1.0]);
    let flat = distance_rank_correlation(x, single.view(), RowSample::All);
    assert!(matches!(flat, Err(Error::Degenerate { .. })));
}
