//! Parts of the refinement and of the unfolding, by hand, and what they refuse.

use conformal_eigenmaps::steps::{
    LengthLoss, Quadratic, UnfoldingCertificate, maximize_variance, unfolding_certificate, whiten,
};
use conformal_eigenmaps::{Unfolding, unfold};
use embedding::{Error, MemoryLimit, PointSet, Silent};
use faer::{Mat, mat};
use neighbor_graph::{Manifold, NeighborSearch};

type Done = Result<(), Error>;

#[test]
fn a_gap_is_relative_to_the_size_and_finite() {
    let gap =
        |value: f64, lower_bound: f64, size: f64| UnfoldingCertificate { value, lower_bound, size }.gap();
    assert_eq!((gap(3.0, 1.0, 8.0), gap(-3.0, -5.0, 0.5)), (0.25, 4.0));
    assert_eq!((gap(3.0, 3.0, 8.0), gap(3.0, f64::MIN, 1e-5)), (0.0, f64::MAX));
}

/// E = 2 p² − 2 · 3 p + 9, of sums that are 9 times as large as in its definition.
#[test]
fn a_multiple_of_lengths_is_the_best_one_where_it_is_positive() -> Done {
    let loss = LengthLoss::from_gram(mat![[2.0, 3.0], [3.0, 9.0]].as_ref(), 1.0)?;
    assert_eq!((loss.order(), loss.unit()), (1, 1.0));
    for (p, value) in [(0.0, 1.0), (1.0, 5.0 / 9.0), (1.5, 0.5), (-1.0, 17.0 / 9.0)] {
        assert!((loss.value(&[p]) - value).abs() < 1e-15, "{p}: {}", loss.value(&[p]));
    }
    for p in [0.5, 1.5, 4.0] {
        let (factor, left) = loss.scaled(&[p]);
        assert!((factor * p - 1.5).abs() < 1e-15 && (left - 0.5).abs() < 1e-15, "{p}: {factor} {left}");
    }
    for p in [0.0, -0.5, -4.0] {
        assert_eq!(loss.scaled(&[p]), (0.0, 1.0), "{p}");
    }
    Ok(())
}

#[test]
fn sums_of_another_shape_or_without_lengths_are_refused() {
    let of = |gram: Mat<f64>, unit: f64| LengthLoss::from_gram(gram.as_ref(), unit).map(drop);
    let good = mat![[2.0, 3.0], [3.0, 9.0]];
    for (rows, columns) in [(0, 0), (1, 1), (2, 3), (2, 1), (3, 3)] {
        let refused = of(Mat::identity(rows, columns), 1.0);
        assert!(matches!(refused, Err(Error::Shape { .. })), "{rows} × {columns}: {refused:?}");
    }
    assert!(matches!(of(mat![[2.0, 3.0], [3.0, 0.0]], 1.0), Err(Error::Degenerate { .. })));
    assert!(matches!(of(mat![[f64::NAN, 3.0], [3.0, 9.0]], 1.0), Err(Error::Degenerate { .. })));
    for unit in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let refused = of(good.clone(), unit);
        assert!(matches!(refused, Err(Error::Parameter { .. })), "{unit}: {refused:?}");
    }
    for (rows, columns) in [(0, 0), (1, 2), (2, 2), (3, 1)] {
        let refused = Quadratic::from_matrix(Mat::<f64>::identity(rows, columns).as_ref()).map(drop);
        assert!(matches!(refused, Err(Error::Shape { .. })), "{rows} × {columns}: {refused:?}");
    }
    for bad in [0.0, f64::NAN, f64::INFINITY] {
        assert!(Quadratic::from_matrix(mat![[bad]].as_ref()).is_err(), "{bad}");
    }
}

#[test]
fn points_in_one_place_have_no_lengths() -> Done {
    let points = PointSet::new(vec![3.0; 20], 2)?;
    let neighbors = NeighborSearch::nearest(3).find(points.view())?;
    let basis = Mat::from_fn(10, 1, |i, _| i as f64 - 4.5);
    let limit = MemoryLimit::default();
    let pairs = conformal_eigenmaps::settings::PatchPairs::Clique;
    let refused = LengthLoss::build(points.view(), &neighbors, basis.as_ref(), pairs, limit, &Silent);
    let refused = refused.map(drop).expect_err("no lengths").to_string();
    assert!(refused.contains("the variance of the points is zero"), "{refused}");
    Ok(())
}

/// One vector: f = ν (2 p² − 6 p + 9) / 9 − p has its minimum at p = 3/2 + 9 / 4 ν, and the lower bound is
/// no higher than it at any other p.
#[test]
fn the_bound_of_an_unfolding_is_below_its_optimum() -> Done {
    let loss = LengthLoss::from_gram(mat![[2.0, 3.0], [3.0, 9.0]].as_ref(), 1.0)?;
    for stiffness in [0.5, 3.0, 100.0] {
        let best = 1.5 + 9.0 / (4.0 * stiffness);
        let f = |p: f64| stiffness * (2.0 * p * p - 6.0 * p + 9.0) / 9.0 - p;
        let solution = maximize_variance(&loss, stiffness, 1e-10, &Silent)?;
        assert!((solution.factor[(0, 0)].powi(2) / best - 1.0).abs() < 1e-4, "{:?}", solution.factor);
        for p in [0.3 * best, 0.9 * best, best, 1.2 * best, 5.0 * best] {
            let factor = mat![[f64::sqrt(p)]];
            let found = unfolding_certificate(&loss, stiffness, factor.as_ref())?;
            let scale = stiffness + best;
            assert!((found.value - f(p)).abs() < 1e-12 * scale, "{p}: {found:?}, {}", f(p));
            assert!((found.size - (f(p) + 2.0 * p)).abs() < 1e-12 * scale, "{p}: {found:?}");
            assert!(found.lower_bound <= f(best) + 1e-12 * scale, "{p}: {found:?}, {}", f(best));
            // The proof, with H, c and the gradient of f.
            let (h, c) = (2.0 * stiffness * 2.0 / 9.0, 2.0 * stiffness * 3.0 / 9.0 + 1.0);
            let gradient = h * p - c;
            let ratio = (gradient / c).min(0.0);
            let t = -ratio / (1.0 + ratio);
            let proved = f(p) - (gradient * p + (t + 0.5 * t * t) * h * p * p).max(0.0);
            assert!(
                (found.lower_bound - proved).abs() < 1e-12 * scale * (1.0 + p * p),
                "{p}: {found:?}, {proved}"
            );
            if p == best {
                assert!(found.gap() < 1e-12, "{found:?}");
            }
        }
    }
    Ok(())
}

#[test]
fn stiffnesses_and_gaps_that_are_not_positive_are_refused() -> Done {
    let loss = LengthLoss::from_gram(mat![[2.0, 3.0], [3.0, 9.0]].as_ref(), 1.0)?;
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let name = |refused: Result<(), Error>| match refused {
            Err(Error::Parameter { name, .. }) => name.to_owned(),
            other => format!("{other:?}"),
        };
        assert_eq!(
            name(unfolding_certificate(&loss, bad, mat![[1.0]].as_ref()).map(drop)),
            "stiffness",
            "{bad}"
        );
        assert_eq!(name(maximize_variance(&loss, bad, 1e-6, &Silent).map(drop)), "stiffness", "{bad}");
        assert_eq!(name(maximize_variance(&loss, 1e3, bad, &Silent).map(drop)), "gap", "{bad}");
    }
    Ok(())
}

/// Before anything is computed.
#[test]
fn settings_of_an_unfolding_are_refused_before_its_first_stage() -> Done {
    let points = PointSet::new((0..60).map(|e| f64::from(e * e % 37)).collect(), 3)?;
    let neighbors = NeighborSearch::nearest(6).find(points.view())?;
    let basis = Mat::from_fn(20, 3, |i, j| points.view().row(i)[j]);
    for (stiffness, tolerance) in [(0.0, 1e-8), (1e3, -1.0)] {
        let recorder = testkit::observers::Recorder::default();
        let manifold = Manifold { observer: &recorder, ..Manifold::new(points.view(), &neighbors) };
        let settings = Unfolding { stiffness, tolerance, ..Unfolding::default() };
        let refused = unfold(manifold, basis.as_ref(), 2, &settings).map(drop);
        assert!(matches!(refused, Err(Error::Parameter { .. })), "{refused:?}");
        assert_eq!(recorder.events(), []);
    }
    Ok(())
}

/// P = 0 is no optimum: f decreases along every direction.
#[test]
fn a_factor_of_zeros_is_not_certified() -> Done {
    let loss = LengthLoss::from_gram(mat![[2.0, 3.0], [3.0, 9.0]].as_ref(), 1.0)?;
    for stiffness in [0.5, 1.0, 4.5, 12.0, 22.5, 100.0] {
        let found = unfolding_certificate(&loss, stiffness, mat![[0.0]].as_ref())?;
        let best = maximize_variance(&loss, stiffness, 1e-8, &Silent)?.certificate.value;
        assert!(found.lower_bound <= best, "{stiffness}: {found:?}, {best}");
    }
    Ok(())
}

#[test]
fn whitening_does_not_depend_on_the_units_of_columns() -> Done {
    let value = |i: usize, j: usize| ((i * i * (j + 3) + 7 * i) % 31) as f64 - 11.0;
    let white = whiten(Mat::from_fn(30, 3, value).as_ref())?.basis;
    for exponents in [[600, -600, 0], [-900, 900, 500]] {
        let scaled = Mat::from_fn(30, 3, |i, j| 2f64.powi(exponents[j]) * value(i, j));
        assert_eq!(whiten(scaled.as_ref())?.basis, white, "{exponents:?}");
    }
    Ok(())
}

/// Whatever the number of points: √eps of its length is left of a column.
#[test]
fn a_column_that_is_constant_up_to_half_of_its_digits_is_refused() -> Done {
    for n in [4, 400] {
        let column = |by: f64| {
            whiten(Mat::from_fn(n, 1, |i, _| if i % 2 == 0 { 1.0 + by } else { 1.0 - by }).as_ref())
        };
        let refused = column(1e-8).map(drop);
        assert!(matches!(refused, Err(Error::Degenerate { .. })), "{n}: {refused:?}");
        assert!(column(3e-8).is_ok(), "{n}");
    }
    let refused = whiten(Mat::zeros(9, 1).as_ref()).map(drop);
    assert!(matches!(refused, Err(Error::Degenerate { .. })), "{refused:?}");
    Ok(())
}
