//! Ellipses of maps whose metric is known.

use crate::common::{assert_close, mapped, noise, plane};
use embedding::{Embedding, Error, Input, PointSet};
use quality::ellipses::{Ellipses, MapEllipses};

fn ellipses(data: &PointSet, map: &PointSet) -> MapEllipses {
    let map = Embedding::from_rows(map.view().values().to_vec(), map.dim());
    Ellipses::default().of_map(&map, &Input::from(data)).unwrap()
}

/// A plane in space, and an affine map of it: the singular values of its matrix, exactly.
#[test]
fn a_tilted_plane_has_the_singular_values_of_its_map() {
    let plane = plane(300);
    let tilted = mapped(&plane, |p| vec![0.6 * p[0] + 5.0, 0.8 * p[0], p[1] - 2.0]);
    let same = ellipses(&tilted, &plane);
    let stretched = ellipses(&tilted, &mapped(&plane, |p| vec![3.0 * p[0], 0.5 * p[1]]));
    let cut = ellipses(&tilted, &mapped(&plane, |p| vec![p[1]]));
    for point in 0..300 {
        assert!(same.axes(point).iter().all(|axis| (axis - 1.0).abs() < 1e-9), "{:?}", same.axes(point));
        assert_close(stretched.axes(point)[0], 3.0, 1e-9);
        assert_close(stretched.axes(point)[1], 0.5, 1e-9);
        assert!((stretched.directions(point)[0] - 1.0).abs() < 1e-9);
        assert!(cut.axes(point)[0] <= 1.0 + 1e-9);
    }
}

/// Points of the unit sphere above −0.1, uniform.
fn hemisphere(n: usize) -> PointSet {
    mapped(&noise(n, 2), |u| {
        let (z, angle) = (1.0 - 1.1 * u[0], std::f64::consts::TAU * u[1]);
        let r = (1.0 - z * z).sqrt();
        vec![r * angle.cos(), r * angle.sin(), z]
    })
}

/// Stereographic projection is conformal: equal axes, as long as the factor 1 / (1 + z).
#[test]
fn the_stereographic_hemisphere_is_conformal() {
    let sphere = hemisphere(5000);
    let map = mapped(&sphere, |p| vec![p[0] / (1.0 + p[2]), p[1] / (1.0 + p[2])]);
    let found = ellipses(&sphere, &map);
    let inner: Vec<usize> = (0..5000).filter(|i| sphere.view().row(*i)[2] > 0.2).collect();
    let (mut ratios, mut sizes) = (0.0_f64, 0.0_f64);
    for &point in &inner {
        let [long, short] = [found.axes(point)[0], found.axes(point)[1]];
        let factor = 1.0 / (1.0 + sphere.view().row(point)[2]);
        ratios = ratios.max(long / short - 1.0);
        sizes = sizes.max(((long * short).sqrt() / factor - 1.0).abs());
    }
    assert!(inner.len() > 1000 && ratios < 0.05 && sizes < 0.05, "{ratios} {sizes}");
    // Seen from above it is not conformal: the short axis is z times the long one.
    let seen = ellipses(&sphere, &mapped(&sphere, |p| vec![p[0], p[1]]));
    let worst = inner.iter().map(|&point| {
        let axes = seen.axes(point);
        (axes[1] / axes[0] - sphere.view().row(point)[2]).abs()
    });
    assert!(worst.fold(0.0, f64::max) < 0.15);
}

/// A fishbowl, the sphere without its top, from the top: the factor grows without bound to the rim.
#[test]
fn the_fishbowl_is_conformal() {
    let bowl = mapped(&noise(8000, 2), |u| {
        let (z, angle) = (1.7 * u[0] - 1.0, std::f64::consts::TAU * u[1]);
        let r = (1.0 - z * z).max(0.0).sqrt();
        vec![r * angle.cos(), r * angle.sin(), z]
    });
    let map = mapped(&bowl, |p| vec![p[0] / (1.0 - p[2]), p[1] / (1.0 - p[2])]);
    let found = ellipses(&bowl, &map);
    let mut errors: Vec<f64> = Vec::new();
    for point in (0..8000).filter(|i| bowl.view().row(*i)[2] < 0.2) {
        let axes = found.axes(point);
        let factor = 1.0 / (1.0 - bowl.view().row(point)[2]);
        errors.push((axes[0] / axes[1] - 1.0).max(((axes[0] * axes[1]).sqrt() / factor - 1.0).abs()));
    }
    errors.sort_unstable_by(f64::total_cmp);
    assert!(errors[errors.len() * 99 / 100] < 0.05, "{}", errors[errors.len() * 99 / 100]);
}

#[test]
fn scales_multiply_axes_and_copies_have_none() {
    let plane = plane(80);
    let scaled = |by: f64| mapped(&plane, |p| vec![by * p[0], by * p[1]]);
    let found = ellipses(&scaled(2f64.powi(-450)), &scaled(2f64.powi(-460)));
    assert!((0..80).all(|point| (found.axes(point)[1] * 1024.0 - 1.0).abs() < 1e-9));
    let copies = mapped(&plane, |_| vec![1.0, 2.0, 3.0]);
    let found = ellipses(&copies, &plane);
    assert!((0..80).all(|point| found.axes(point) == [0.0, 0.0]));
    let few = plane.view().select(&[0, 1, 2]);
    let map = Embedding::from_rows(few.view().values().to_vec(), 2);
    let refused = Ellipses::default().of_map(&map, &Input::from(&few));
    assert!(matches!(refused, Err(Error::Parameter { .. })));
}
