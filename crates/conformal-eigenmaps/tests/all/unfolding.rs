//! Quality of the unfolding on the manifolds of the literature.

use crate::common;

use common::procrustes;
use conformal_eigenmaps::settings::BasisSize;
use conformal_eigenmaps::{
    ConformalEigenmaps, FittedMaximumVarianceUnfolding, MaximumVarianceUnfolding, Outcome, Unfolding,
};
use embedding::{Error, Method, Model};
use faer::{Mat, MatRef};

/// Draws whose graph stays on the sheet; seed 2 of the roll has one edge between
/// layers, see `manifolds.rs`.
const ROLLS: [u64; 5] = [0, 1, 3, 4, 5];
const DRAWS: [u64; 5] = [0, 1, 2, 3, 4];

/// The squared distance of centered sets after the best turn, without scaling,
/// relative to the variance of the truth.
fn apart(z: MatRef<'_, f64>, truth: MatRef<'_, f64>) -> Result<f64, Error> {
    let centered = |a: MatRef<'_, f64>| {
        let n = a.nrows() as f64;
        let means: Vec<f64> = (0..a.ncols()).map(|j| a.col(j).iter().sum::<f64>() / n).collect();
        Mat::from_fn(a.nrows(), a.ncols(), |i, j| a[(i, j)] - means[j])
    };
    let (z, truth) = (centered(z), centered(truth));
    let turned: f64 = spectral::dense::thin_svd((z.transpose() * &truth).as_ref())?.1.iter().sum();
    Ok((z.squared_norm_l2() + truth.squared_norm_l2() - 2.0 * turned) / truth.squared_norm_l2())
}

#[derive(Default)]
struct Means {
    procrustes: f64,
    procrustes_conformal: f64,
    apart: f64,
    angle: f64,
    angle_conformal: f64,
    length: f64,
    kept: f64,
}

fn means(name: &str, seeds: [u64; 5]) -> Result<Means, Error> {
    let mut sum = Means::default();
    for seed in seeds {
        let set = datasets::generate(name, 1000, seed)?;
        let truth = set.truth.as_ref().expect("a generator knows the truth").view();
        let fitted = MaximumVarianceUnfolding::default().fit(set.points.view())?.into_single()?;
        let conformal = ConformalEigenmaps::default().fit(set.points.view())?.into_single()?;
        let report = fitted.report();
        assert_eq!(report.solution.outcome, Outcome::Certified, "{name} {seed}");
        assert!(report.solution.certificate.gap() <= 1e-6);
        let z = fitted.embedding().coordinates();
        sum.procrustes += procrustes(z, truth)? / 5.0;
        sum.procrustes_conformal += procrustes(conformal.embedding().coordinates(), truth)? / 5.0;
        sum.apart += apart(z, truth.as_mat())? / 5.0;
        sum.angle += report.angle_error_after / 5.0;
        sum.angle_conformal += conformal.report().angle_error_after / 5.0;
        sum.length += report.length_error_after / 5.0;
        sum.kept += report.variance_kept / 5.0;
        assert!(report.length_error_after >= report.length_error_unfolded || report.variance_kept > 0.999);
    }
    Ok(sum)
}

/// The roll in its true shape and its true size.
#[test]
fn a_swiss_roll_is_unrolled_to_its_true_size() -> Result<(), Error> {
    let means = means("swiss-roll", ROLLS)?;
    assert!(means.procrustes < 1e-4, "{:e}", means.procrustes);
    assert!(means.apart < 2e-4, "{:e}", means.apart);
    assert!(means.procrustes < 0.5 * means.procrustes_conformal, "isometric beats conformal on what is flat");
    assert!(means.angle < 1.2, "{}", means.angle);
    assert!(means.length < 0.06 && means.kept > 0.995, "{} {}", means.length, means.kept);
    Ok(())
}

#[test]
fn an_s_curve_is_flattened_to_its_true_size() -> Result<(), Error> {
    let means = means("s-curve", DRAWS)?;
    assert!(means.procrustes < 1e-4, "{:e}", means.procrustes);
    assert!(means.apart < 3e-4, "{:e}", means.apart);
    assert!(means.procrustes < 0.5 * means.procrustes_conformal, "isometric beats conformal on what is flat");
    assert!(means.angle < 1.0, "{}", means.angle);
    Ok(())
}

/// A surface without isometric map to the plane preserves its lengths in three dimensions
/// but not in two, and the report has a warning; the conformal map preserves its angles.
#[test]
fn a_hemisphere_is_not_flattened() -> Result<(), Error> {
    let means = means("hemisphere", DRAWS)?;
    assert!(means.angle > 4.0 * means.angle_conformal, "{} {}", means.angle, means.angle_conformal);
    assert!(means.length > 0.3 && means.kept < 0.95, "{} {}", means.length, means.kept);
    let set = datasets::generate("hemisphere", 1000, 0)?;
    let fitted = MaximumVarianceUnfolding::default().fit(set.points.view())?.into_single()?;
    let said = fitted.report().warning().expect("distorted lengths give a warning");
    assert!(said.contains("squared lengths"), "{said}");
    let space =
        MaximumVarianceUnfolding { dim: 3, ..Default::default() }.fit(set.points.view())?.into_single()?;
    let (space, plane) = (space.report(), fitted.report());
    assert!(space.length_error_after < 0.7 * plane.length_error_after, "{}", space.length_error_after);
    assert!(plane.length_error_unfolded < 0.1 * plane.length_error_after);
    Ok(())
}

/// A shortcut edge between layers distorts the map: the report has a warning.
#[test]
fn a_shortcut_between_layers_is_reported() -> Result<(), Error> {
    let set = datasets::generate("swiss-roll", 1000, 2)?;
    let broken = MaximumVarianceUnfolding::default().fit(set.points.view())?.into_single()?;
    assert!(broken.report().warning().is_some());
    let clean = datasets::generate("swiss-roll", 1000, 0)?;
    let clean = MaximumVarianceUnfolding::default().fit(clean.points.view())?.into_single()?;
    assert!(clean.report().warning().is_none());
    assert!(broken.report().length_error_after > 3.0 * clean.report().length_error_after);
    Ok(())
}

/// Less stiffness, more variance and longer neighbors; each parameter counts.
#[test]
fn stiffness_trades_lengths_for_variance() -> Result<(), Error> {
    let set = datasets::generate("s-curve", 500, 0)?;
    let fit = |stiffness: f64, count: usize| -> Result<FittedMaximumVarianceUnfolding, Error> {
        let unfolding = Unfolding { stiffness, ..Unfolding::default() };
        let basis = BasisSize::Vectors { count };
        MaximumVarianceUnfolding { basis, unfolding, ..MaximumVarianceUnfolding::default() }
            .fit(set.points.view())?
            .into_single()
    };
    let mut before: Option<(f64, f64)> = None;
    for stiffness in [1e1, 1e2, 1e3, 1e4] {
        let fitted = fit(stiffness, 12)?;
        let report = fitted.report();
        let now = (report.spectrum.iter().sum::<f64>(), report.length_error_unfolded);
        if let Some(before) = before {
            assert!(now.0 < before.0 && now.1 < before.1, "{stiffness}: {now:?} after {before:?}");
        }
        before = Some(now);
    }
    // A wider basis holds every map of a narrower one.
    let (narrow, wide) = (fit(1e3, 6)?, fit(1e3, 12)?);
    let bound = |f: &FittedMaximumVarianceUnfolding| f.report().solution.certificate;
    assert!(bound(&wide).lower_bound < bound(&narrow).value);
    assert!(wide.report().length_error_unfolded < narrow.report().length_error_unfolded);
    Ok(())
}

/// The default number of basis vectors.
#[test]
fn the_usual_basis_has_fifteen_vectors() -> Result<(), Error> {
    let case = testkit::cases::sheet(120, 2);
    let fitted = MaximumVarianceUnfolding::default().fit(case.view())?.into_single()?;
    assert_eq!(fitted.basis().embedding().dim(), 15);
    assert_eq!(fitted.report().spectrum.len(), 15);
    Ok(())
}
