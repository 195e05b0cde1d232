//! Theorems about factor analysis.

use embedding::{Error, Fitted, Method, Model, PointSet, Status, Transform};
use faer::Mat;
use linear::{FactorAnalysis, FittedFactorAnalysis, Rotation};
use spectral::dense::{product, solve_spd, symmetric_eigenvalues};
use testkit::cases::{Case, cloud};
use testkit::structure::distance_gap;

/// Six columns with two factors and noise.
fn case() -> Case {
    cloud(400, 8, 1).mapped(|z| {
        let row = |j: usize| {
            let factors = (0.4 + j as f64).sin() * z[0] + (1.3 * j as f64).cos() * z[1];
            factors + (0.2 + 0.1 * j as f64) * z[2 + j]
        };
        (0..6).map(row).collect()
    })
}

fn fit(case: &Case, recipe: FactorAnalysis) -> Result<FittedFactorAnalysis, Error> {
    FactorAnalysis { tolerance: 1e-9, ..recipe }.fit(case.view())
}

/// −n/2 (D log 2π + log det C + tr(C⁻¹ S)) from the matrices themselves.
#[test]
fn the_likelihood_is_that_of_the_normal_distribution() -> Result<(), Error> {
    let case = case();
    let fitted = fit(&case, FactorAnalysis::default())?;
    let (n, d) = (case.len() as f64, 6);
    let centered = Mat::from_fn(case.len(), d, |i, j| case.view().row(i)[j] - fitted.mean()[j]);
    let covariance = product(centered.transpose(), centered.as_ref()) * faer::Scale(1.0 / n);
    let w = fitted.loadings();
    let own = product(w.as_ref(), w.transpose());
    let model =
        Mat::from_fn(d, d, |i, j| own[(i, j)] + if i == j { fitted.noise_variance()[i] } else { 0.0 });
    let determinant: f64 = symmetric_eigenvalues(model.as_ref())?.iter().map(|v| v.ln()).sum();
    let ratio = solve_spd(model.as_ref(), covariance.as_ref()).expect("positive definite");
    let trace: f64 = (0..d).map(|j| ratio[(j, j)]).sum();
    let expected = -0.5 * n * (d as f64 * std::f64::consts::TAU.ln() + determinant + trace);
    assert!((fitted.log_likelihood() - expected).abs() < 1e-9 * expected.abs(), "{expected}");
    // At the maximum the model has the variances of the data.
    for j in 0..d {
        assert!((model[(j, j)] - covariance[(j, j)]).abs() < 1e-5 * covariance[(j, j)], "column {j}");
    }
    assert!(fitted.log_likelihoods().is_sorted(), "each step increases the likelihood");
    assert!(fitted.log_likelihoods().len() > 3);
    Ok(())
}

/// (I + Wᵀ Ψ⁻¹ W)⁻¹ Wᵀ Ψ⁻¹ (x − μ), with rotated factors as without.
#[test]
fn scores_are_the_mean_of_the_factors_given_the_point() -> Result<(), Error> {
    let case = case();
    let plain = fit(&case, FactorAnalysis::default())?;
    for rotation in [Rotation::None, Rotation::Varimax, Rotation::Quartimax] {
        let fitted = fit(&case, FactorAnalysis { rotation, ..FactorAnalysis::default() })?;
        let w = fitted.loadings();
        let scaled = Mat::from_fn(6, 2, |j, c| w[(j, c)] / fitted.noise_variance()[j]);
        let precision = product(w.transpose(), scaled.as_ref()) + Mat::<f64>::identity(2, 2);
        let map = solve_spd(precision.as_ref(), scaled.transpose()).expect("positive definite");
        for (row, y) in case.view().rows().zip(fitted.embedding().rows()) {
            for (c, y) in y.iter().enumerate() {
                let expected: f64 = (0..6).map(|j| map[(c, j)] * (row[j] - fitted.mean()[j])).sum();
                assert!((expected - y).abs() < 1e-10, "{rotation}");
            }
        }
        assert_eq!(fitted.log_likelihood(), plain.log_likelihood(), "a rotation does not change the model");
        assert!(distance_gap(plain.embedding(), fitted.embedding(), 1.0) < 1e-10, "{rotation}");
    }
    Ok(())
}

/// At the rotation of largest Σ_c (Σ l⁴ − (Σ l²)²/D · [varimax]), no plane rotation increases it.
#[test]
fn rotations_maximize_their_criteria() -> Result<(), Error> {
    let criterion = |rotation: Rotation, l: &Mat<f64>| -> f64 {
        let column = |c: usize| {
            let fourth: f64 = l.col(c).iter().map(|v| v.powi(4)).sum();
            let square = l.col(c).squared_norm_l2();
            fourth - if rotation == Rotation::Varimax { square * square / l.nrows() as f64 } else { 0.0 }
        };
        (0..l.ncols()).map(column).sum()
    };
    for rotation in [Rotation::Varimax, Rotation::Quartimax] {
        let recipe = FactorAnalysis { rotation, ..FactorAnalysis::default() };
        let loadings = fit(&case(), recipe)?.loadings().clone();
        let best = criterion(rotation, &loadings);
        for degree in 1..90 {
            let (s, c) = f64::from(degree).to_radians().sin_cos();
            let other = product(loadings.as_ref(), faer::mat![[c, -s], [s, c]].as_ref());
            assert!(criterion(rotation, &other) <= best * (1.0 + 1e-9), "{rotation}: {degree} degrees");
        }
        let plain = fit(&case(), FactorAnalysis::default())?.loadings().clone();
        assert!(
            criterion(rotation, &plain) < best * (1.0 - 1e-6),
            "{rotation}: there is something to rotate"
        );
    }
    Ok(())
}

/// Units of the columns scale the loadings and change nothing else; at any scale of all.
#[test]
fn units_of_columns_do_not_matter() -> Result<(), Error> {
    let case = case();
    let plain = fit(&case, FactorAnalysis::default())?;
    for scale in [1.0, 1e140, 1e-140] {
        let units = |j: usize| scale * [1.0, 1e3, 1e-3, 7.0, 0.1, 40.0][j];
        let other = case.mapped(|r| r.iter().enumerate().map(|(j, v)| v * units(j)).collect());
        let fitted = fit(&other, FactorAnalysis::default())?;
        assert!(distance_gap(plain.embedding(), fitted.embedding(), 1.0) < 1e-6, "{scale:e}");
        for j in 0..6 {
            let ratio = fitted.noise_variance()[j] / units(j) / units(j) / plain.noise_variance()[j];
            assert!((ratio - 1.0).abs() < 1e-6, "{scale:e}: column {j}: {ratio}");
        }
    }
    Ok(())
}

/// Loadings and likelihood refer to the data themselves where the noise variances exceed the range of
/// numbers.
#[test]
fn loadings_and_likelihood_have_the_unit_of_the_data_at_any_scale() -> Result<(), Error> {
    let case = case();
    let near = fit(&case, FactorAnalysis::default())?;
    for e in [450, -450, 700, -700] {
        let far =
            fit(&case.mapped(|r| r.iter().map(|v| v * 2f64.powi(e)).collect()), FactorAnalysis::default())?;
        let (n, columns) = (near.embedding().len(), 6);
        let expected = near.log_likelihood() - (n * columns) as f64 * f64::from(e) * std::f64::consts::LN_2;
        assert!((far.log_likelihood() / expected - 1.0).abs() < 1e-9, "2^{e}: {}", far.log_likelihood());
        for (a, b) in far.loadings().col_iter().zip(near.loadings().col_iter()) {
            let gap = a.iter().zip(b.iter()).map(|(a, b)| (a * 2f64.powi(-e) - b).abs()).fold(0.0, f64::max);
            assert!(gap < 1e-9, "2^{e}: {gap:e}");
        }
        assert_eq!(far.notes().len(), near.notes().len() + usize::from(e.abs() == 700), "2^{e}");
    }
    Ok(())
}

#[test]
fn constant_columns_are_left_out() -> Result<(), Error> {
    let case = case();
    let padded = case.mapped(|r| [&[0.1], r, &[7.0]].concat());
    let (plain, fitted) = (fit(&case, FactorAnalysis::default())?, fit(&padded, FactorAnalysis::default())?);
    assert_eq!(fitted.log_likelihood(), plain.log_likelihood());
    assert_eq!((fitted.noise_variance()[0], fitted.noise_variance()[7]), (0.0, 0.0));
    assert_eq!(fitted.embedding().values(), plain.embedding().values());
    let constant = PointSet::new(vec![0.1; 60], 3)?;
    let refused = FactorAnalysis::default().fit(&constant).map(drop);
    assert!(refused.is_err_and(|e| e.to_string().contains("all 20 points coincide")));
    Ok(())
}

/// With more columns than points, products with the data give the same model as the covariance.
#[test]
fn wide_and_tall_data_have_the_same_model() -> Result<(), Error> {
    // Six columns of 400 points, and the same 12 points with 24 columns, four copies of six.
    let few = case().first(12);
    let noise = cloud(12, 24, 3);
    let wide: Vec<f64> = few
        .view()
        .rows()
        .zip(noise.view().rows())
        .flat_map(|(row, noise)| (0..24).map(move |j| row[j % 6] + 0.5 * noise[j]))
        .collect();
    let wide = PointSet::new(wide, 24)?;
    let recipe = FactorAnalysis { dim: 1, tolerance: 1e-9, ..FactorAnalysis::default() };
    let by_rows = recipe.fit(&wide)?;
    // Every point twice has the same covariance, and no more columns than points.
    let twice = PointSet::new([wide.view().values(), wide.view().values()].concat(), 24)?;
    let by_covariance = recipe.fit(&twice)?;
    let gap = (2.0 * by_rows.log_likelihood() - by_covariance.log_likelihood()).abs();
    assert!(gap < 1e-6 * by_covariance.log_likelihood().abs(), "{gap:e}");
    let placed = by_covariance.transform(wide.view())?;
    assert!(distance_gap(by_rows.embedding(), &placed, 1.0) < 1e-4);
    Ok(())
}

#[test]
fn factor_analysis_reports_lack_of_convergence_and_refuses_degenerate_data() -> Result<(), Error> {
    let case = case();
    let short = FactorAnalysis { max_iterations: 2, ..FactorAnalysis::default() }.fit(case.view())?;
    assert_eq!(short.status(), Status::IterationLimit { iterations: 2 });
    assert!(short.notes().iter().any(|note| note.contains("did not converge in 2 iterations")));
    // A column that is a factor itself has no noise.
    let exact = case.mapped(|r| vec![r[0], r[0] + 1e-4 * r[1], r[2], r[3]]);
    let fitted = fit(&exact, FactorAnalysis { dim: 2, ..FactorAnalysis::default() })?;
    assert!(fitted.notes().iter().any(|note| note.contains("Heywood")), "{:?}", fitted.notes());
    // A single column shares nothing.
    let single = cloud(50, 1, 2);
    let fitted = fit(&single, FactorAnalysis { dim: 1, ..FactorAnalysis::default() })?;
    assert!(fitted.notes().iter().any(|note| note.contains("0 of 1 factors")), "{:?}", fitted.notes());
    Ok(())
}
