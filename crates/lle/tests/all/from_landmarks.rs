//! All positions from a few known ones.
#![expect(clippy::unwrap_used, reason = "tests")]

use embedding::{Error, MemoryLimit, PointSet, Silent};
use faer::Mat;
use lle::steps::{alignment, reconstruct_from_landmarks, residual_map, weights};
use spectral::Sparse;

use crate::common;
use common::{nearest, swiss_roll};

fn roll_weights(n: usize) -> Sparse {
    let points = swiss_roll(n);
    weights(points.view(), &nearest(points.view(), 12), 1e-3, &Silent).unwrap()
}

fn positions(rows: &[[f64; 2]]) -> PointSet {
    PointSet::new(rows.as_flattened().to_vec(), 2).unwrap()
}

fn reconstruct(w: &Sparse, landmarks: &[u32], known: &PointSet) -> Result<Mat<f64>, Error> {
    reconstruct_from_landmarks(w, landmarks, known.view(), MemoryLimit::default(), &Silent)
}

/// The demonstration of the lectures: 15, 10 and 5 landmarks of 2,000 points.
#[test]
fn a_few_landmarks_place_two_thousand_points() {
    let data = datasets::synthetic::swiss_roll(2000, 7).unwrap();
    let truth = data.truth.as_ref().unwrap().view();
    let points = data.points.view();
    let w = weights(points, &nearest(points, 12), 1e-3, &Silent).unwrap();
    let mut errors = Vec::new();
    for count in [15, 10, 5] {
        let landmarks = spread(truth.as_mat().to_owned(), count);
        let y = reconstruct(&w, &landmarks, &truth.select(&landmarks)).unwrap();
        for &l in &landmarks {
            assert!((0..2).all(|j| y[(l as usize, j)] == truth.row(l as usize)[j]));
        }
        let off = (&y - truth.as_mat()).norm_l2();
        let mean = Mat::from_fn(2000, 2, |_, j| truth.as_mat().col(j).iter().sum::<f64>() / 2000.0);
        errors.push(off / (truth.as_mat() - mean).norm_l2());
    }
    assert!(errors[0] < 0.02 && errors[1] < 0.03 && errors[2] < 0.25, "{errors:?}");
}

/// Landmarks far from each other, the first one first.
fn spread(truth: Mat<f64>, count: usize) -> Vec<u32> {
    let mut chosen = vec![0];
    while chosen.len() < count {
        let gap = |i: usize| {
            chosen
                .iter()
                .map(|&c: &u32| (truth.row(i) - truth.row(c as usize)).norm_l2())
                .fold(f64::MAX, f64::min)
        };
        let next = (0..truth.nrows()).max_by(|&a, &b| gap(a).total_cmp(&gap(b))).unwrap();
        chosen.push(next as u32);
    }
    chosen
}

/// The gradient of |(I − W) Y|² vanishes at every point that is free.
#[test]
fn positions_satisfy_the_normal_equations() {
    let w = roll_weights(300);
    let known = positions(&[[0.0, 1.0], [3.0, -1.0], [2.0, 2.0], [-4.0, 0.5]]);
    let landmarks = [7, 60, 141, 299];
    let y = reconstruct(&w, &landmarks, &known).unwrap();
    let m = alignment(&residual_map(&w), &Silent).unwrap().to_dense();
    let gradient = &m * &y;
    for i in (0..300).filter(|i| !landmarks.contains(i)) {
        assert!(gradient.row(i as usize).norm_max() < 1e-12);
    }
    assert!(gradient.row(7).norm_max() > 1e-6);
}

/// Moving the landmarks by an affine map moves everything by that map.
#[test]
fn an_affine_map_of_the_landmarks_is_one_of_all_points() {
    let w = roll_weights(300);
    let landmarks = [3, 77, 150, 222, 290];
    let known = [[0.0, 1.0], [3.0, -1.0], [2.0, 2.0], [-4.0, 0.5], [1.0, 1.0]];
    let moved = known.map(|[x, y]| [2.0 * x - y + 1.0, 0.5 * x + y - 3.0]);
    let (a, b) = (
        reconstruct(&w, &landmarks, &positions(&known)).unwrap(),
        reconstruct(&w, &landmarks, &positions(&moved)).unwrap(),
    );
    for i in 0..300 {
        let (x, y) = (a[(i, 0)], a[(i, 1)]);
        assert!((b[(i, 0)] - (2.0 * x - y + 1.0)).abs() < 1e-6);
        assert!((b[(i, 1)] - (0.5 * x + y - 3.0)).abs() < 1e-6);
    }
}

#[test]
fn landmarks_at_all_points_change_nothing() {
    let w = roll_weights(60);
    let all: Vec<u32> = (0..60).collect();
    let known = PointSet::new((0..120).map(f64::from).collect(), 2).unwrap();
    let y = reconstruct(&w, &all, &known).unwrap();
    assert_eq!(embedding::implement::matrix::to_rows(y.as_ref()), known.view().values());
}

#[test]
fn impossible_landmarks_are_refused() {
    let w = roll_weights(60);
    let three = positions(&[[0.0, 1.0], [3.0, -1.0], [2.0, 2.0]]);
    let refused = |landmarks: &[u32]| reconstruct(&w, landmarks, &three).unwrap_err();
    assert!(matches!(refused(&[1, 2]), Error::Shape { .. }));
    assert!(matches!(refused(&[1, 2, 60]), Error::Parameter { .. }));
    assert!(matches!(refused(&[1, 2, 1]), Error::Parameter { .. }));
    let two = positions(&[[0.0, 1.0], [3.0, -1.0]]);
    let few = reconstruct(&w, &[1, 2], &two).unwrap_err();
    assert!(matches!(few, Error::TooFewPoints { needed: 3, got: 2, .. }));
    let none = MemoryLimit::new(10);
    let memory = reconstruct_from_landmarks(&w, &[1, 2, 3], three.view(), none, &Silent).unwrap_err();
    assert!(matches!(memory, Error::Memory { allowed: 10, .. }));
}

#[test]
fn a_component_without_landmark_is_refused() {
    // Two pieces of a line, far apart.
    let line = (0..20).chain(100..120).map(f64::from).collect();
    let points = PointSet::new(line, 1).unwrap();
    let w = weights(points.view(), &nearest(points.view(), 2), 1e-3, &Silent).unwrap();
    let known = PointSet::new(vec![0.0, 10.0], 1).unwrap();
    let error = reconstruct(&w, &[0, 19], &known).unwrap_err();
    assert!(error.to_string().contains("20 points are not connected to any landmark"), "{error}");
    let known = PointSet::new(vec![0.0, 19.0, 100.0, 119.0], 1).unwrap();
    let y = reconstruct(&w, &[0, 19, 20, 39], &known).unwrap();
    assert!((0..40).all(|i| (y[(i, 0)] - points.view().row(i)[0]).abs() < 0.5));
}

#[test]
fn positions_beyond_the_range_of_numbers_are_refused() {
    let w = roll_weights(60);
    let huge = positions(&[[1.7e308, -1.7e308], [-1.7e308, 1.7e308], [1.7e308, 1.7e308], [-1e308, 1e308]]);
    for landmarks in [[0, 20, 40, 59], [1, 2, 3, 4], [5, 30, 31, 50]] {
        let found = reconstruct(&w, &landmarks, &huge);
        let finite = |y: &Mat<f64>| (0..2).all(|j| y.col(j).iter().all(|v| v.is_finite()));
        assert!(found.as_ref().map_or(true, finite), "{landmarks:?}: {found:?}");
    }
}
