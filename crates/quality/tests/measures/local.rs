//! Measures of neighborhoods: angles and local shape.

use crate::common::{assert_close, mapped, noise, plane};
use embedding::{Error, PointSet};
use neighbor_graph::{NeighborSearch, Neighbors};
use quality::RowSample;
use quality::shape::{Angles, angle_error, local_procrustes};

fn nearest(points: &PointSet, k: usize) -> Neighbors {
    NeighborSearch::nearest(k).find(points.view()).unwrap()
}

/// (x, y) ↦ exp(x + iy): conformal, and anything but isometric.
fn exponential(points: &PointSet) -> PointSet {
    mapped(points, |r| {
        let length = (2.0 * r[0]).exp();
        vec![length * (2.0 * r[1]).cos(), length * (2.0 * r[1]).sin()]
    })
}

#[test]
fn the_angle_error_of_one_triangle_is_its_value_by_hand() {
    // 45-45-90 becomes 60-60-60: errors 15, 15 and 30, seen from each corner.
    let right = PointSet::new(vec![0.0, 0.0, 1.0, 0.0, 0.0, 1.0], 2).unwrap();
    let even = PointSet::new(vec![0.0, 0.0, 2.0, 0.0, 1.0, 3f64.sqrt()], 2).unwrap();
    let got = angle_error(right.view(), even.view(), &nearest(&right, 2), RowSample::All).unwrap();
    assert_close(got.value, 20.0, 1e-12);
}

/// An equilateral triangle has the angles that a guess of 60° for every lost
/// angle would get right.
#[test]
fn a_collapsed_triangle_is_worse_than_a_random_one() {
    let even = PointSet::new(vec![0.0, 0.0, 2.0, 0.0, 1.0, 3f64.sqrt()], 2).unwrap();
    let neighbors = nearest(&even, 2);
    for collapsed in [vec![1.0; 6], vec![0.0, 0.0, 0.0, 0.0, 1.0, 3.0]] {
        let collapsed = PointSet::new(collapsed, 2).unwrap();
        let got = angle_error(even.view(), collapsed.view(), &neighbors, RowSample::All).unwrap();
        assert_close(got.value, 60.0, 1e-12);
        // A triangle without angles in the data is no triangle to judge by.
        let lists = nearest(&collapsed, 2);
        let refused = angle_error(collapsed.view(), even.view(), &lists, RowSample::All);
        assert!(matches!(refused, Err(Error::Degenerate { .. })), "{refused:?}");
    }
}

#[test]
fn angles_computed_once_give_the_same_error() {
    let (x, y) = (plane(300), noise(300, 2));
    let neighbors = nearest(&x, 6);
    for rows in [RowSample::All, RowSample::Sample { count: 50, seed: 2 }, RowSample::Spaced { count: 70 }] {
        let once = Angles::new(x.view(), &neighbors, rows).unwrap().error(y.view()).unwrap();
        assert_eq!(once, angle_error(x.view(), y.view(), &neighbors, rows).unwrap());
    }
    let wrong = Angles::new(x.view(), &neighbors, RowSample::All).unwrap().error(noise(299, 2).view());
    assert!(matches!(wrong, Err(Error::Shape { .. })));
}

/// One far point: the squares of the sides of its triangles leave the range of numbers, and
/// the squares of all other sides do not vanish.
#[test]
fn a_far_point_leaves_the_other_angles() {
    let x = plane(60);
    let neighbors = nearest(&x, 5);
    let far = |distance: f64| {
        let mut values = x.view().values().to_vec();
        values[14] = distance;
        PointSet::new(values, 2).unwrap()
    };
    let (far, farther) = (far(1e100), far(1e200));
    let error = |data: &PointSet, map: &PointSet| {
        angle_error(data.view(), map.view(), &neighbors, RowSample::All).unwrap().value
    };
    assert_close(error(&x, &farther), error(&x, &far), 1e-9);
    assert_close(error(&farther, &x), error(&far, &x), 1e-9);
}

#[test]
fn conformal_maps_keep_angles_and_shears_do_not() {
    let x = plane(2000);
    let neighbors = nearest(&x, 6);
    let error = |y: &PointSet| angle_error(x.view(), y.view(), &neighbors, RowSample::All).unwrap().value;
    let similar = mapped(&x, |r| vec![5.0 * r[1] + 1.0, 5.0 * r[0]]);
    assert!(error(&similar) < 1e-5);
    let conformal = error(&exponential(&x));
    let sheared = error(&mapped(&x, |r| vec![r[0] + r[1], r[1]]));
    assert!(conformal < 3.0 && sheared > 20.0, "{conformal} {sheared}");
    let random = error(&noise(2000, 2));
    assert!((40.0..60.0).contains(&random), "{random}");
    let some =
        angle_error(x.view(), noise(2000, 2).view(), &neighbors, RowSample::Sample { count: 300, seed: 1 });
    let some = some.unwrap();
    assert!((some.value - random).abs() < 5.0 * some.standard_error);
}

#[test]
fn neighborhoods_are_followed_by_index() {
    // A turned copy with small noise: near 0. A program that searched neighbors
    // anew in the embedding would compare different points.
    let x = plane(500);
    let wobble = noise(500, 2);
    let neighbors = nearest(&x, 10);
    let turned: Vec<f64> = x
        .view()
        .rows()
        .zip(wobble.view().rows())
        .flat_map(|(r, e)| [-r[1] + 0.004 * (e[0] - 0.5), r[0] + 0.004 * (e[1] - 0.5)])
        .collect();
    let turned = PointSet::new(turned, 2).unwrap();
    let got = local_procrustes(x.view(), turned.view(), &neighbors, RowSample::All).unwrap().value;
    assert!(got > 1e-5 && got < 0.01, "{got}");
    let conformal =
        local_procrustes(x.view(), exponential(&x).view(), &neighbors, RowSample::All).unwrap().value;
    assert!(conformal < 0.02, "{conformal}");
    let random = local_procrustes(x.view(), wobble.view(), &neighbors, RowSample::All).unwrap().value;
    assert!(random > 0.5, "{random}");
}

#[test]
fn columns_without_content_change_nothing() {
    let x = plane(60);
    let wide = mapped(&x, |r| [r, &[0.0; 40]].concat());
    let bent = mapped(&x, |r| vec![r[0] * r[0], r[1]]);
    let neighbors = nearest(&x, 6);
    let narrow = local_procrustes(x.view(), bent.view(), &neighbors, RowSample::All).unwrap().value;
    let padded = local_procrustes(wide.view(), bent.view(), &neighbors, RowSample::All).unwrap().value;
    assert_close(narrow, padded, 1e-12);
}

#[test]
fn collapsed_triangles_count_and_no_triangle_is_an_error() {
    let x = plane(40);
    let neighbors = nearest(&x, 5);
    let point = mapped(&x, |_| vec![0.5, 0.5]);
    let collapsed = local_procrustes(x.view(), point.view(), &neighbors, RowSample::All).unwrap().value;
    assert_close(collapsed, 1.0, 0.0);
    let error = angle_error(x.view(), point.view(), &neighbors, RowSample::All).unwrap().value;
    // Angles near 0° and 180° are accurate to the root of the machine precision.
    assert_close(error, 60.0, 1e-6);
    let copies = nearest(&point, 5);
    let refused = angle_error(point.view(), x.view(), &copies, RowSample::All);
    assert!(matches!(refused, Err(Error::Degenerate { .. })));
    assert!(matches!(
        local_procrustes(point.view(), x.view(), &copies, RowSample::All),
        Err(Error::Degenerate { .. })
    ));
}

/// Three copies, far from a plane: in their neighborhoods no triangle has angles.
#[test]
fn points_without_a_triangle_are_left_out_of_the_standard_error() {
    let rows = [plane(60).view().values(), &[50.0; 6]].concat();
    let (points, map) = (PointSet::new(rows, 2).unwrap(), noise(63, 2));
    let lists = nearest(&points, 2);
    let sample = RowSample::Spaced { count: 62 };
    assert!(sample.choose(63).contains(&61), "one of the copies");
    let found = angle_error(points.view(), map.view(), &lists, sample).unwrap();
    assert!(found.standard_error > 0.0, "{found:?}");
}
