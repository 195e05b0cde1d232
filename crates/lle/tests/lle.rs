//! Theorems about standard locally linear embedding.

use embedding::{Error, Model, PointSet, Silent, Transform};
use lle::{Lle, Scale, alignment, residual_map, spectral_basis, weights};
use neighbor_graph::Neighborhood;

mod common;
use common::{nearest, s_curve, swiss_roll};

#[test]
fn weights_sum_to_one_and_do_not_feel_a_similarity() -> Result<(), Error> {
    let points = swiss_roll(300);
    let lists = nearest(points.view(), 8);
    let w = weights(points.view(), &lists, 1e-3, &Silent)?;
    for i in 0..300 {
        let (js, ws) = w.row(i);
        let mut expected = lists.of(i).0.to_vec();
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
    for scale in [Scale::UnitNorm, Scale::UnitCovariance] {
        let fitted = Lle { dim: 4, scale, ..Lle::default() }.fit(points.view(), &Silent)?;
        let y = &fitted.embedding().coordinates;
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
        let fitted = Lle { neighborhood, ..Lle::default() }.fit(points.view(), &Silent)?;
        assert_eq!(fitted.transform(points.view())?, fitted.embedding().coordinates);
    }
    Ok(())
}
