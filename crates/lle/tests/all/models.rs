//! The facts of fitted models, and refusals of damaged ones.
#![expect(clippy::unwrap_used, reason = "tests")]

use embedding::implement::squared_distance;
use embedding::{DistanceMatrix, Fitted, Method, Model, Points, Transform};
use faer::Mat;
use faer::linalg::solvers::Solve;
use lle::{HessianLle, Lle, Ltsa, ModifiedLle};
use neighbor_graph::Neighborhood;
use testkit::json;

use crate::common;
use common::s_curve;

/// The facts are the eigenpairs of the alignment matrix: `(eigenvalues, residuals, error)`.
fn reports(model: &impl Fitted, (eigenvalues, residuals, error): (&[f64], &[f64], f64)) {
    assert!(0.0 < eigenvalues[0] && eigenvalues[0] <= eigenvalues[1], "{eigenvalues:?}");
    assert!(residuals.iter().all(|residual| (0.0..1e-9).contains(residual)), "{residuals:?}");
    assert!(residuals.iter().any(|residual| *residual > 0.0));
    assert_eq!((eigenvalues.len(), residuals.len()), (2, 2));
    assert_eq!(error, eigenvalues.iter().sum::<f64>());
    let facts = model.report().facts;
    assert_eq!(facts["eigenvalues"], json!(eigenvalues));
    assert_eq!(facts["residuals"], json!(residuals));
    assert_eq!(facts["reconstruction_error"], json!(error));
}

#[test]
fn models_report_their_eigenpairs() {
    let points = s_curve(120);
    let lle = Lle::default().fit(&points).unwrap().into_single().unwrap();
    reports(&lle, (lle.eigenvalues(), lle.residuals(), lle.reconstruction_error()));
    let modified = ModifiedLle::default().fit(&points).unwrap().into_single().unwrap();
    reports(&modified, (modified.eigenvalues(), modified.residuals(), modified.reconstruction_error()));
    let ltsa = Ltsa::default().fit(&points).unwrap().into_single().unwrap();
    let hessian = HessianLle::default().fit(&points).unwrap().into_single().unwrap();
    for model in [ltsa, hessian] {
        reports(&model, (model.eigenvalues(), model.residuals(), model.reconstruction_error()));
    }
}

#[test]
fn damaged_models_are_refused() {
    let points = s_curve(40);
    let shorter = [
        ("/residuals", json!([1e-12])),
        ("/residuals/0", json!(null)),
        ("/embedding/spectrum", json!([1e-3])),
        ("/embedding/values", json!(vec![0.5; 78])),
        ("/extension/near/index/training/Points/points/values", json!(vec![0.5; 117])),
    ];
    let barycentric = ("/extension/regularization", json!(-1e-3));
    let ltsa = Ltsa::default().fit(&points).unwrap().into_single().unwrap();
    testkit::refuses_damage(&ltsa, &shorter);
    testkit::refuses_damage(&ltsa, &[("/extension/dim", json!(3))]);
    let modified = ModifiedLle::default().fit(&points).unwrap().into_single().unwrap();
    testkit::refuses_damage(&modified, &shorter);
    testkit::refuses_damage(&modified, std::slice::from_ref(&barycentric));
    let lle = Lle::default().fit(&points).unwrap().into_single().unwrap();
    testkit::refuses_damage(
        &lle,
        &[
            ("/alignment/residuals", json!([1e-12])),
            ("/alignment/extension/regularization", json!(-1e-3)),
            ("/weights/ncols", json!(41)),
        ],
    );
    // A model of distances has the distances between its training points, and no points.
    let apart = testkit::cases::distances(points.view(), points.view());
    let distances = DistanceMatrix::new(&apart, 40).unwrap();
    let lle = Lle::default().fit(distances).unwrap().into_single().unwrap();
    let triangle = "/alignment/extension/near/triangle";
    testkit::refuses_damage(
        &lle,
        &[
            (triangle, json!(null)),
            (triangle, json!(vec![1.0; 779])),
            (&format!("{triangle}/3"), json!(-1.0)),
            (&format!("{triangle}/779"), json!(null)),
        ],
    );
}

/// New points are at the positions given by the weights of the definition, whatever their nearest neighbor.
#[test]
fn new_points_are_reconstructed_from_their_neighbors() {
    let all = s_curve(130);
    let (points, new) = (
        all.view().select(&(0..120).collect::<Vec<_>>()),
        all.view().select(&(120..130).collect::<Vec<_>>()),
    );
    let k = 8;
    for regularization in [1e-3, 0.2] {
        let method = Lle { neighborhood: Neighborhood::Nearest { k }, regularization, ..Lle::default() };
        let fitted = method.fit(&points).unwrap().into_single().unwrap();
        let placed = fitted.transform_ignoring_matches(new.view()).unwrap();
        for (i, row) in new.view().rows().enumerate() {
            let distance = |j: &usize| squared_distance(row, points.view().row(*j));
            let mut near: Vec<usize> = (0..120).collect();
            near.sort_by(|a, b| distance(a).total_cmp(&distance(b)));
            near.truncate(k);
            let edge = |a: usize| -> Vec<f64> {
                points.view().row(near[a]).iter().zip(row).map(|(p, x)| p - x).collect()
            };
            let dot = |a: usize, b: usize| edge(a).iter().zip(edge(b)).map(|(u, v)| u * v).sum::<f64>();
            let gram = Mat::from_fn(k, k, |a, b| {
                dot(a, b) * if a == b { 1.0 + regularization * k as f64 } else { 1.0 }
            });
            let w = gram.partial_piv_lu().solve(Mat::full(k, 1, 1.0));
            let total: f64 = w.col(0).iter().sum();
            for c in 0..2 {
                let y = fitted.embedding();
                let expected: f64 = (0..k).map(|a| w[(a, 0)] / total * y[(near[a], c)]).sum();
                assert!((placed[(i, c)] - expected).abs() < 1e-9, "{i}: {} {expected}", placed[(i, c)]);
                assert!((placed[(i, c)] - y[(near[0], c)]).abs() > 1e-9);
            }
        }
    }
}

/// The affine map of the nearest training points, plus its residuals there with weights 1/|x − xⱼ|² of sum 1.
#[test]
fn new_points_of_tangent_alignment_are_placed_by_the_affine_map_and_its_remainders() {
    let points = s_curve(90);
    let k = 7;
    let method = Ltsa { neighborhood: Neighborhood::Nearest { k }, ..Ltsa::default() };
    let fitted = method.fit(&points).unwrap().into_single().unwrap();
    let new = [[0.3, 0.9, 0.1], [-0.8, 0.4, -1.5], [0.6, 1.7, 0.25]];
    let placed = fitted.transform(Points::new(new.as_flattened(), 3).unwrap()).unwrap();
    for (row, x) in new.iter().enumerate() {
        let square = |j: usize| squared_distance(points.view().row(j), x);
        let mut near: Vec<usize> = (0..90).collect();
        near.sort_by(|&a, &b| square(a).total_cmp(&square(b)));
        near.truncate(k);
        let mean = |of: &dyn Fn(usize) -> f64| near.iter().map(|&j| of(j)).sum::<f64>() / k as f64;
        let center: Vec<f64> = (0..3).map(|c| mean(&|j| points.view().row(j)[c])).collect();
        let rows = Mat::from_fn(k, 3, |i, c| points.view().row(near[i])[c] - center[c]);
        let (u, sigma, v) = spectral::dense::thin_svd(rows.as_ref()).unwrap();
        let shares: Vec<f64> = near.iter().map(|&j| 1.0 / square(j)).collect();
        let total: f64 = shares.iter().sum();
        for c in 0..2 {
            let y = |j: usize| fitted.embedding()[(j, c)];
            let middle = mean(&y);
            let (mut value, mut left): (f64, Vec<f64>) =
                (middle, near.iter().map(|&j| y(j) - middle).collect());
            for a in 0..2 {
                let slope: f64 = (0..k).map(|i| u[(i, a)] * y(near[i])).sum();
                let along: f64 = (0..3).map(|d| v[(d, a)] * (x[d] - center[d])).sum();
                value += slope * along / sigma[a];
                left.iter_mut().enumerate().for_each(|(i, left)| *left -= slope * u[(i, a)]);
            }
            value += left.iter().zip(&shares).map(|(left, share)| left * share / total).sum::<f64>();
            let scale = fitted.embedding().values().iter().fold(0.0_f64, |most, v| most.max(v.abs()));
            assert!(
                (placed[(row, c)] - value).abs() < 1e-6 * scale,
                "{row}: {} and {value}",
                placed[(row, c)]
            );
        }
    }
}

/// The training points of a model are checked separately.
#[test]
fn damaged_training_points_of_tangent_maps_are_refused() {
    let points = s_curve(40);
    let ltsa = Ltsa::default().fit(&points).unwrap().into_single().unwrap();
    testkit::refuses_damage(
        &ltsa,
        &[
            ("/extension/near/index/neighborhood", json!({"Nearest": {"k": 0}})),
            ("/extension/near/triangle", json!([1.0, 2.0])),
        ],
    );
}
