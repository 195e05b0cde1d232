//! What fitted models report, and which saved ones are refused.
#![expect(clippy::unwrap_used, reason = "tests")]

use embedding::{DistanceMatrix, Fitted, Method};
use lle::{HessianLle, Lle, Ltsa, ModifiedLle};
use testkit::json;

mod common;
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
    // A model of distances has those between its training points, and no points.
    let apart = testkit::distances(points.view(), points.view());
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
