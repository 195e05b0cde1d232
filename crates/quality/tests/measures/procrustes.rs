//! Procrustes and affine residuals.

use crate::common::{assert_close, cube, mapped, noise, plane, view};
use embedding::{Error, PointSet};
use quality::shape::{Reflection, Similarity, affine_residual, align_to, procrustes};

/// scipy 1.17.1, numpy 2.4.6, 2026-11-21: `scipy.spatial.procrustes(T, Y)[2]`
/// with T = plane(60), Y = view(60); the affine residual by
/// `numpy.linalg.lstsq([Y 1], T)`, divided by the centered sum of squares.
#[test]
fn residuals_agree_with_scipy() {
    let (t, y) = (plane(60), view(60));
    let fit = procrustes(t.view(), y.view(), Reflection::Allowed).unwrap();
    assert_close(fit.residual, 0.14669032325285553, 1e-14);
    assert_close(affine_residual(t.view(), y.view()).unwrap(), 0.07257314887638149, 1e-14);
}

fn turned(points: &PointSet, mirror: f64) -> PointSet {
    let (sin, cos) = 0.7_f64.sin_cos();
    mapped(points, |p| {
        vec![5e6 + 1e3 * (cos * p[0] - mirror * sin * p[1]), 1e3 * (sin * p[0] + mirror * cos * p[1]) - 2.0]
    })
}

#[test]
fn similarities_leave_nothing_and_are_undone() {
    let truth = plane(200);
    for mirror in [1.0, -1.0] {
        let moved = turned(&truth, mirror);
        let fit = procrustes(truth.view(), moved.view(), Reflection::Allowed).unwrap();
        // Far from the origin, coordinates carry a relative 1e-16 · 5e6 / 1e3.
        assert!(fit.residual < 1e-20, "{}", fit.residual);
        assert_close(fit.scale, 1e-3, 1e-12);
        for i in 0..200 {
            for j in 0..2 {
                assert_close(fit.coordinates[(i, j)], truth.view().row(i)[j], 1e-10);
            }
        }
    }
}

#[test]
fn a_mirror_image_differs_where_reflections_are_forbidden() {
    let truth = plane(200);
    let rotated = procrustes(truth.view(), turned(&truth, 1.0).view(), Reflection::Forbidden).unwrap();
    assert!(rotated.residual < 1e-20);
    let mirrored = procrustes(truth.view(), turned(&truth, -1.0).view(), Reflection::Forbidden).unwrap();
    assert!(mirrored.residual > 0.5, "{}", mirrored.residual);
}

#[test]
fn the_residual_is_the_best_over_rotations() {
    let (truth, other) = (plane(80), view(80));
    let best = procrustes(truth.view(), other.view(), Reflection::Forbidden).unwrap();
    // Brute force: every angle, and the best scale for each.
    let center = |p: &PointSet| -> Vec<[f64; 2]> {
        let n = p.len() as f64;
        let mean = |j: usize| p.view().rows().map(|r| r[j]).sum::<f64>() / n;
        let (a, b) = (mean(0), mean(1));
        let rows: Vec<[f64; 2]> = p.view().rows().map(|r| [r[0] - a, r[1] - b]).collect();
        let norm = rows.iter().map(|r| r[0] * r[0] + r[1] * r[1]).sum::<f64>().sqrt();
        rows.iter().map(|r| [r[0] / norm, r[1] / norm]).collect()
    };
    let (a, b) = (center(&truth), center(&other));
    let lowest = (0..20_000)
        .map(|step| {
            let (sin, cos) = (f64::from(step) * std::f64::consts::TAU / 20_000.0).sin_cos();
            let agreement: f64 = a
                .iter()
                .zip(&b)
                .map(|(x, y)| x[0] * (cos * y[0] - sin * y[1]) + x[1] * (sin * y[0] + cos * y[1]))
                .sum();
            1.0 - agreement.max(0.0).powi(2)
        })
        .fold(f64::INFINITY, f64::min);
    assert_close(best.residual, lowest, 1e-6);
    assert!(best.residual <= lowest + 1e-15);
}

#[test]
fn affine_forgives_stretch_and_shear_and_nothing_else() {
    let truth = plane(150);
    let sheared = mapped(&truth, |p| vec![1e-4 * (p[0] + 0.4 * p[1]) + 9.0, 40.0 * p[1] - 3.0 * p[0]]);
    let similarity = procrustes(truth.view(), sheared.view(), Reflection::Allowed).unwrap().residual;
    assert!(similarity > 0.3, "{similarity}");
    assert!(affine_residual(truth.view(), sheared.view()).unwrap() < 1e-18);
    let bent = mapped(&truth, |p| vec![p[0] * p[0], p[1]]);
    assert!(affine_residual(truth.view(), bent.view()).unwrap() > 1e-3);
    let nothing = affine_residual(truth.view(), noise(150, 2).view()).unwrap();
    assert!(nothing > 0.9, "{nothing}");
}

#[test]
fn the_residual_of_noise_is_near_one() {
    let (truth, nothing) = (plane(500), noise(500, 2));
    let residual = procrustes(truth.view(), nothing.view(), Reflection::Allowed).unwrap().residual;
    assert!(residual > 0.97 && residual <= 1.0, "{residual}");
}

#[test]
fn spaces_of_unequal_dimension_are_padded() {
    let truth = plane(50);
    let lifted = mapped(&truth, |p| vec![p[1], 0.0, -p[0]]);
    for reflection in [Reflection::Allowed, Reflection::Forbidden] {
        assert!(procrustes(truth.view(), lifted.view(), reflection).unwrap().residual < 1e-28);
        assert!(procrustes(lifted.view(), truth.view(), reflection).unwrap().residual < 1e-28);
    }
    let aligned = align_to(truth.view(), lifted.view(), Reflection::Allowed).unwrap();
    assert_eq!((aligned.nrows(), aligned.ncols()), (50, 3));
    let refused = align_to(lifted.view(), truth.view(), Reflection::Allowed);
    assert!(matches!(refused, Err(Error::Shape { .. })));
}

#[test]
fn collapsed_sets_are_errors_not_numbers() {
    let truth = plane(30);
    let point = mapped(&truth, |_| vec![0.1, 0.3]);
    for (a, b) in [(&truth, &point), (&point, &truth)] {
        let error = procrustes(a.view(), b.view(), Reflection::Allowed).unwrap_err();
        assert!(matches!(error, Error::Degenerate { .. }), "{error}");
    }
    assert_eq!(affine_residual(truth.view(), point.view()).unwrap(), 1.0);
    assert!(affine_residual(point.view(), truth.view()).is_err());
    // A line in the plane explains one of two directions, not none and not both.
    let line = mapped(&truth, |p| vec![p[0], 2.0 * p[0]]);
    let residual = affine_residual(truth.view(), line.view()).unwrap();
    assert!((0.3..0.7).contains(&residual), "{residual}");
    assert!(matches!(
        procrustes(truth.view(), cube(31).view(), Reflection::Allowed),
        Err(Error::Shape { .. })
    ));
}

#[test]
fn huge_and_tiny_coordinates_neither_overflow_nor_vanish() {
    let truth = plane(40);
    for factor in [1e-200, 1e200] {
        let scaled = mapped(&truth, |p| vec![factor * p[0], factor * p[1]]);
        assert!(procrustes(truth.view(), scaled.view(), Reflection::Allowed).unwrap().residual < 1e-28);
        assert!(procrustes(scaled.view(), truth.view(), Reflection::Allowed).unwrap().residual < 1e-28);
        assert!(affine_residual(scaled.view(), truth.view()).unwrap() < 1e-28);
    }
}

/// In more than two dimensions, where the sign of a determinant takes an elimination.
#[test]
fn turns_in_many_dimensions_are_told_from_mirror_images() {
    for dim in 3..6 {
        let truth = noise(60, dim);
        for step in 1..12 {
            for mirror in [1.0, -1.0] {
                let turned = mapped(&truth, |p| {
                    let mut p = p.to_vec();
                    p[0] *= mirror;
                    for (a, b) in (0..dim).flat_map(|a| (0..a).map(move |b| (a, b))) {
                        let (sin, cos) = f64::from(step * (a * dim + b) as u32).sin_cos();
                        (p[a], p[b]) = (cos * p[a] - sin * p[b], sin * p[a] + cos * p[b]);
                    }
                    p
                });
                let fit = procrustes(truth.view(), turned.view(), Reflection::Forbidden).unwrap();
                assert_eq!(fit.residual < 1e-20, mirror > 0.0, "{dim} {step} {mirror} {}", fit.residual);
            }
        }
    }
}

/// A mirror image of three dimensions is none without reflection; a rotation needs none.
#[test]
fn reflections_are_found_in_any_number_of_dimensions() {
    for dim in 2..=5 {
        let x = noise(40, dim);
        let mirrored = mapped(&x, |row| [&[-row[0]], &row[1..]].concat());
        // The first two axes rotated by 1.1, the last two by 2.3.
        let rotated = mapped(&x, |row| {
            let mut row = row.to_vec();
            for (a, angle) in [(0, 1.1_f64), (dim - 2, 2.3)] {
                let (u, v) = (row[a], row[a + 1]);
                (row[a], row[a + 1]) = (u * angle.cos() - v * angle.sin(), u * angle.sin() + v * angle.cos());
            }
            row
        });
        let residual =
            |y: &PointSet, reflection| procrustes(x.view(), y.view(), reflection).unwrap().residual;
        assert!(residual(&rotated, Reflection::Forbidden) < 1e-12, "{dim}");
        assert!(residual(&mirrored, Reflection::Allowed) < 1e-12, "{dim}");
        assert!(residual(&mirrored, Reflection::Forbidden) > 0.1, "{dim}");
    }
}

/// The second column is a multiple of the first, to rounding, and says nothing more.
#[test]
fn dependent_columns_explain_no_more_than_one() {
    let line = mapped(&noise(7, 1), |r| vec![r[0], r[0] / 3.0, r[0] * 0.7]);
    let alone = mapped(&line, |r| vec![r[0]]);
    let truth = noise(7, 2);
    let [all, one] = [line, alone].map(|map| affine_residual(truth.view(), map.view()).unwrap());
    assert_close(all, one, 1e-12);
}

/// A line in a plane: the second coordinate of the moved points is 0 before.
#[test]
fn points_of_fewer_columns_are_moved_like_those_with_zeros() {
    let (truth, line) = (plane(20), noise(20, 1));
    let found = Similarity::between(truth.view(), line.view(), Reflection::Allowed).unwrap();
    let whole = procrustes(truth.view(), line.view(), Reflection::Allowed).unwrap();
    let moved = found.apply(line.view()).unwrap();
    assert!((&moved - &whole.coordinates).norm_max() < 1e-12);
}
