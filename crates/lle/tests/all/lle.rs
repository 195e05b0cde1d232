//! Theorems about standard locally linear embedding.
#![expect(clippy::unwrap_used, reason = "tests")]

use embedding::{Error, Method, Model, PointSet, Silent, Transform, persist};
use lle::steps::{alignment, residual_map, spectral_basis, weights};
use lle::{ColumnNorm, FittedHessianLle, FittedLle, HessianLle, Lle, Ltsa, ModifiedLle};
use neighbor_graph::Neighborhood;

use crate::common;
use common::{nearest, s_curve, swiss_roll};

#[test]
fn weights_sum_to_one_and_do_not_feel_a_similarity() -> Result<(), Error> {
    let points = swiss_roll(300);
    let lists = nearest(points.view(), 8);
    let w = weights(points.view(), &lists, 1e-3, &Silent)?;
    for i in 0..300 {
        let (js, ws) = w.row(i);
        let mut expected = lists.indices_of(i).to_vec();
        expected.sort_unstable();
        assert_eq!(js, expected);
        assert!((ws.iter().sum::<f64>() - 1.0).abs() < 1e-14);
    }
    for scale in [1e-6, 1e6] {
        // A rotation about the first axis, a scale, and a shift.
        let moved = points.view().rows().flat_map(|x| {
            [1.0 + scale * x[0], scale * (0.6 * x[1] - 0.8 * x[2]), scale * (0.8 * x[1] + 0.6 * x[2]) - 2.0]
        });
        let moved = PointSet::new(moved.collect(), 3)?;
        let other = weights(moved.view(), &lists, 1e-3, &Silent)?;
        let worst = (0..300)
            .flat_map(|i| w.row(i).1.iter().zip(other.row(i).1).map(|(a, b)| (a - b).abs()))
            .fold(0.0, f64::max);
        // Shifting by one at scale 1e-6 costs six digits of the differences.
        assert!(worst < 1e-6, "{scale}: {worst}");
    }
    Ok(())
}

#[test]
fn the_alignment_matrix_measures_the_reconstruction() -> Result<(), Error> {
    let points = s_curve(200);
    let w = weights(points.view(), &nearest(points.view(), 9), 1e-3, &Silent)?;
    let (b, m) = (residual_map(&w).to_dense(), alignment(&residual_map(&w), &Silent)?.to_dense());
    assert!((b.transpose() * &b - &m).norm_max() < 1e-14);
    let ones = faer::Mat::full(200, 1, 1.0);
    assert!((&m * &ones).norm_max() < 1e-14);
    Ok(())
}

#[test]
fn the_error_is_the_sum_of_the_eigenvalues_at_either_scale() -> Result<(), Error> {
    let points = swiss_roll(400);
    for scale in [ColumnNorm::UnitNorm, ColumnNorm::UnitCovariance] {
        let fitted = Lle { dim: 4, scale, ..Lle::default() }.fit(&points)?.into_single()?;
        let y = fitted.embedding().coordinates();
        let by = residual_map(fitted.weights()).to_dense() * y;
        let norm = scale.norm(400);
        let error = by.squared_norm_l2() / (norm * norm);
        assert!((error - fitted.reconstruction_error()).abs() < 1e-9 * error);
        let gram = y.transpose() * y;
        for a in 0..4 {
            for b in 0..4 {
                let expected = if a == b { norm * norm } else { 0.0 };
                assert!((gram[(a, b)] - expected).abs() < 1e-9 * norm * norm);
            }
            assert!(y.col(a).iter().sum::<f64>().abs() < 1e-9 * norm);
        }
    }
    Ok(())
}

#[test]
fn more_vectors_than_dimensions_are_allowed() -> Result<(), Error> {
    let points = swiss_roll(150);
    let w = weights(points.view(), &nearest(points.view(), 8), 1e-3, &Silent)?;
    let m = alignment(&residual_map(&w), &Silent)?;
    let basis = |count| {
        spectral_basis(&m, Some(&residual_map(&w)), count, Default::default(), Default::default(), &Silent)
    };
    let (ten, all) = (basis(10)?, basis(149)?);
    for j in 0..10 {
        assert!((ten.values[j] - all.values[j]).abs() < 1e-12);
    }
    assert!((all.values.iter().sum::<f64>() - m.trace()).abs() < 1e-9);
    assert!(matches!(basis(150), Err(Error::Parameter { .. })));
    assert!(matches!(basis(0), Err(Error::Parameter { .. })));
    Ok(())
}

#[test]
fn training_rows_return_their_own_coordinates() -> Result<(), Error> {
    let points = swiss_roll(300);
    for neighborhood in [Neighborhood::Nearest { k: 8 }, Neighborhood::Within { radius: 7.0 }] {
        let fitted = Lle { neighborhood, ..Lle::default() }.fit(points.view())?;
        assert_eq!(fitted.transform(points.view())?.coordinates(), fitted.embedding().coordinates());
    }
    Ok(())
}

#[test]
fn copies_stay_together_and_no_point_is_its_own_neighbor() -> Result<(), Error> {
    let sites = s_curve(60);
    let four: Vec<u32> = (0..240).map(|i| i % 60).collect();
    let points = sites.view().select(&four);
    let lists = nearest(points.view(), 14);
    let w = weights(points.view(), &lists, 1e-3, &Silent)?;
    assert!((0..240).all(|i| !w.row(i).0.contains(&(i as u32))));
    let near = Neighborhood::Nearest { k: 14 };
    let standard = Lle { neighborhood: near, ..Lle::default() }.fit(points.view())?;
    let modified = ModifiedLle { neighborhood: near, ..ModifiedLle::default() }.fit(points.view())?;
    let tangent = Ltsa { neighborhood: near, ..Ltsa::default() }.fit(points.view())?;
    for model in [&standard as &dyn Model, &modified, &tangent] {
        let y = model.embedding().coordinates();
        // In units of the standard deviation of a column.
        for i in 60..240 {
            assert!((y.row(i) - y.row(i % 60)).norm_max() < 0.05);
        }
        let apart = (0..59).filter(|&i| (y.row(i) - y.row(i + 1)).norm_max() > 0.05).count();
        assert!(apart > 55, "{apart} of 59 pairs of sites lie apart");
    }
    Ok(())
}

/// More neighbors than dimensions leave the weights open; the penalty settles
/// them, and a flat sheet comes out flat.
#[test]
fn more_neighbors_than_dimensions_give_weights_all_the_same() -> Result<(), Error> {
    let sheet = |i: usize| [common::unit_square(i).0, common::unit_square(i).1];
    let points = PointSet::new((1..=300).flat_map(sheet).collect(), 2)?;
    let w = weights(points.view(), &nearest(points.view(), 12), 1e-3, &Silent)?;
    for i in 0..300 {
        let (js, ws) = w.row(i);
        assert!(ws.iter().all(|w| w.is_finite()));
        // The affine combination hits the point up to the penalty's pull to the mean.
        for c in 0..2 {
            let built: f64 = js.iter().zip(ws).map(|(&j, w)| w * points.view().row(j as usize)[c]).sum();
            assert!((built - points.view().row(i)[c]).abs() < 0.01);
        }
    }
    let fitted = Lle { neighborhood: Neighborhood::Nearest { k: 12 }, ..Lle::default() };
    let fitted = fitted.fit(points.view())?;
    let truth = points.view().as_mat().to_owned();
    assert!(common::affine_residual(truth.as_ref(), fitted.embedding().coordinates()) < 0.05);
    Ok(())
}

#[test]
fn every_parameter_changes_the_result() -> Result<(), Error> {
    let points = swiss_roll(200);
    let plain = Lle::default();
    let base = plain.fit(points.view())?;
    let differs = |recipe: Lle| {
        let other = recipe.fit(points.view()).unwrap().embedding().clone();
        other.dim() != base.embedding().dim() || other != *base.embedding()
    };
    assert!(differs(Lle { neighborhood: Neighborhood::Nearest { k: 9 }, ..plain }));
    assert!(differs(Lle { dim: 3, ..plain }));
    assert!(differs(Lle { regularization: 1e-2, ..plain }));
    assert!(differs(Lle { scale: ColumnNorm::UnitNorm, ..plain }));
    for wrong in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let error = Lle { regularization: wrong, ..plain }.fit(points.view()).unwrap_err();
        assert!(matches!(error, Error::Parameter { name: "reg", .. }));
        let modified = ModifiedLle { regularization: wrong, ..ModifiedLle::default() };
        assert!(matches!(modified.fit(points.view()), Err(Error::Parameter { .. })));
    }
    Ok(())
}

#[test]
fn a_saved_model_places_points_as_the_original_does() -> Result<(), Error> {
    let points = swiss_roll(200);
    let new = s_curve(20);
    let fitted = Lle::default().fit(&points)?.into_single()?;
    let again: FittedLle = persist::decode("lle", &persist::encode("lle", &fitted)?)?;
    assert_eq!(again.transform(new.view())?, fitted.transform(new.view())?);
    assert_eq!(again.weights(), fitted.weights());
    let fitted = HessianLle::default().fit(&points)?.into_single()?;
    let again: FittedHessianLle = persist::decode("hessian-lle", &persist::encode("hessian-lle", &fitted)?)?;
    assert_eq!(again.transform(new.view())?, fitted.transform(new.view())?);
    assert_eq!(again.eigenvalues(), fitted.eigenvalues());
    Ok(())
}
