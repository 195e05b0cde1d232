//! Stress by its four definitions.

use crate::common::{assert_close, cube, mapped, plane, view};
use embedding::Error;
use quality::Original;
use quality::distances::{Distances, stress};

#[test]
fn the_definitions_hold_pair_by_pair() {
    let (x, y) = (cube(30), view(30));
    let (x, y) = (x.view(), y.view());
    let (mut raw, mut given, mut embedded, mut both) = (0.0, 0.0, 0.0, 0.0);
    let (mut a, mut b) = (vec![0.0; 30], vec![0.0; 30]);
    for i in 0..30 {
        x.write_row(i, &mut a);
        y.write_row(i, &mut b);
        for j in i + 1..30 {
            raw += (a[j] - b[j]).powi(2);
            given += a[j] * a[j];
            embedded += b[j] * b[j];
            both += a[j] * b[j];
        }
    }
    let got = stress(&x, y).unwrap();
    assert_close(got.raw, raw, 1e-11);
    assert_close(got.one, (raw / embedded).sqrt(), 1e-13);
    assert_close(got.normalized, (raw / given).sqrt(), 1e-13);
    assert_close(got.scale, both / embedded, 1e-13);
    // At the best scale the normalized stress is the scale-normalized one.
    let scaled = mapped(&view(30), |r| r.iter().map(|v| got.scale * v).collect());
    assert_close(stress(&x, scaled.view()).unwrap().normalized, got.scale_normalized, 1e-12);
}

#[test]
fn scale_matters_to_three_and_not_to_the_fourth() {
    let x = plane(50);
    let far = mapped(&x, |r| vec![100.0 * r[1], -100.0 * r[0]]);
    let got = stress(&x.view(), far.view()).unwrap();
    assert!(got.one > 0.9 && got.normalized > 90.0 && got.scale_normalized < 1e-7);
}

#[test]
fn collapsed_sets_are_refused() {
    let x = plane(9);
    let point = mapped(&x, |_| vec![1.0, 2.0]);
    assert!(matches!(stress(&x.view(), point.view()), Err(Error::Degenerate { .. })));
    assert!(matches!(stress(&point.view(), x.view()), Err(Error::Degenerate { .. })));
    assert!(matches!(stress(&plane(1).view(), plane(1).view()), Err(Error::TooFewPoints { .. })));
}

#[test]
fn two_points_have_a_stress() {
    let (x, y) = (plane(2), mapped(&plane(2), |r| r.iter().map(|v| 3.0 * v).collect()));
    assert_close(stress(&x.view(), y.view()).unwrap().normalized, 2.0, 1e-12);
}

/// Distances of no points.
struct NoPoints;

impl Distances for NoPoints {
    fn len(&self) -> usize {
        0
    }

    fn write_row(&self, _: usize, _: &mut [f64]) {}
}

#[test]
fn only_distances_of_no_points_are_empty() {
    assert!(Distances::is_empty(&NoPoints));
    assert!(!Distances::is_empty(&plane(2).view()));
    assert!(!Original::from(plane(1).view()).is_empty());
}
