//! Correlation of distances.

use crate::common::{assert_close, cube, mapped, noise, set, view};
use embedding::{Error, Points};
use faer::Mat;
use neighbor_graph::{Graph, NeighborSearch, Symmetry};
use quality::distances::{Distances, Geodesics, Matrix, distance_correlation, residual_variance};

/// scipy 1.17.1, numpy 2.4.6, 2026-11-21:
/// `scipy.stats.pearsonr(pdist(X), pdist(Y))`, X = cube(60), Y = view(60).
#[test]
fn residual_variances_agree_with_scipy() {
    let (x, y) = (cube(60), view(60));
    assert_close(distance_correlation(&x.view(), y.view()).unwrap(), 0.706373753274876, 1e-14);
    assert_close(residual_variance(&x.view(), y.view()).unwrap(), 0.5010361206843648, 1e-14);
}

#[test]
fn scale_does_not_matter_and_noise_explains_nothing() {
    let x = cube(200);
    for factor in [1e-6, 1.0, 1e6] {
        let scaled = mapped(&x, |p| p.iter().map(|v| factor * v + 1.0).collect());
        assert!(residual_variance(&x.view(), scaled.view()).unwrap() < 1e-12);
    }
    assert!(residual_variance(&x.view(), noise(200, 3).view()).unwrap() > 0.98);
}

#[test]
fn geodesics_see_what_straight_lines_do_not() {
    let angle = |i: usize| 5.0 * i as f64 / 150.0;
    let arc = set(150, 2, |i| vec![angle(i).cos(), angle(i).sin()]);
    let length = set(150, 1, |i| vec![angle(i)]);
    let neighbors = NeighborSearch::nearest(4).find(arc.view()).unwrap();
    let graph = Graph::new(&neighbors, Symmetry::Union);
    let along = residual_variance(&Geodesics(&graph), length.view()).unwrap();
    let across = residual_variance(&arc.view(), length.view()).unwrap();
    assert!(along < 1e-4 && across > 0.1, "{along} {across}");
}

#[test]
fn a_matrix_is_as_good_as_the_points() {
    let (x, y) = (cube(40), view(40));
    let mut row = vec![0.0; 40];
    let mut matrix = Mat::zeros(40, 40);
    for i in 0..40 {
        x.view().write_row(i, &mut row);
        (0..40).for_each(|j| matrix[(i, j)] = row[j]);
    }
    let (a, b) =
        (residual_variance(&Matrix(matrix.as_ref()), y.view()), residual_variance(&x.view(), y.view()));
    assert_eq!(a, b);
}

#[test]
fn what_cannot_be_correlated_is_refused() {
    let x = cube(20);
    let point = mapped(&x, |_| vec![0.3]);
    let corners = [0.0, 0.0, 1.0, 0.0, 0.5, 0.75_f64.sqrt()];
    let triangle = Points::new(&corners, 2).unwrap();
    for (a, b) in [(x.view(), point.view()), (point.view(), x.view()), (triangle, triangle)] {
        assert!(matches!(residual_variance(&a, b), Err(Error::Degenerate { .. })));
    }
    let pair = Points::new(&[0.0, 1.0], 1).unwrap();
    assert!(matches!(residual_variance(&pair, pair), Err(Error::TooFewPoints { .. })));
    let apart = set(20, 1, |i| vec![if i > 10 { 100.0 } else { 0.0 } + i as f64]);
    let neighbors = NeighborSearch::nearest(2).find(apart.view()).unwrap();
    let graph = Graph::new(&neighbors, Symmetry::Union);
    assert!(matches!(residual_variance(&Geodesics(&graph), apart.view()), Err(Error::Degenerate { .. })));
}
