//! The reports of fitted models, and the saved models that are refused.

use crate::common;

use common::uv;
use conformal_eigenmaps::settings::BasisSize;
use conformal_eigenmaps::{ConformalEigenmaps, MaximumVarianceUnfolding};
use embedding::{DynMethod, Error, Fitted, Method, Model, PointSet};
use faer::{Mat, MatRef};
use neighbor_graph::Neighborhood;
use spectral::Tolerance;
use testkit::json;

/// A quarter of a cylinder.
fn sheet() -> Result<PointSet, Error> {
    let place = |(u, v): (f64, f64)| [(1.5 * u).cos(), (1.5 * u).sin(), v];
    PointSet::new((1..=120).map(uv).flat_map(place).collect(), 3)
}

const BASIS: BasisSize = BasisSize::Vectors { count: 6 };
const NEIGHBORHOOD: Neighborhood = Neighborhood::Nearest { k: 8 };

/// The map is linear in the centered basis: z = (y − mean) · linear.
fn is_linear(basis: MatRef<'_, f64>, mean: &[f64], linear: MatRef<'_, f64>, map: MatRef<'_, f64>) {
    let column = |j: usize| basis.col(j).iter().sum::<f64>() / basis.nrows() as f64;
    assert_eq!(mean.len(), basis.ncols());
    assert!((0..mean.len()).all(|j| (mean[j] - column(j)).abs() < 1e-12));
    let centered = Mat::from_fn(basis.nrows(), basis.ncols(), |i, j| basis[(i, j)] - mean[j]);
    assert!((centered * linear - map).norm_max() < 1e-9 * map.norm_max());
}

#[test]
fn a_conformal_map_reports_how_it_was_found() -> Result<(), Error> {
    let method =
        ConformalEigenmaps { basis: BASIS, neighborhood: NEIGHBORHOOD, ..ConformalEigenmaps::default() };
    let fitted = method.fit(&sheet()?)?.into_single()?;
    let (basis, map) = (fitted.basis(), fitted.map());
    is_linear(basis.embedding().coordinates(), map.mean(), map.linear(), fitted.embedding().coordinates());
    // The basis has the requested neighborhoods.
    let lle = lle::Lle { dim: 6, neighborhood: NEIGHBORHOOD, ..lle::Lle::default() };
    assert_eq!(basis.eigenvalues(), lle.fit(&sheet()?)?.into_single()?.eigenvalues());
    let (report, said) = (fitted.report(), Fitted::report(&fitted));
    for (name, value) in [
        ("eigenvalues", json!(basis.eigenvalues())),
        ("residuals", json!(basis.residuals())),
        ("loss", json!(report.value)),
        ("loss_of_basis", json!(report.basis_value)),
        ("rank_profile", json!(report.rank_profile)),
        ("conformal_spectrum", json!(report.spectrum)),
        ("scale_variation", json!(report.scale_variation)),
        ("angle_error_before", json!(report.angle_error_before)),
        ("angle_error_after", json!(report.angle_error_after)),
    ] {
        assert_eq!(said.facts[name], value, "{name}");
    }
    let convex = report.convex.as_ref().expect("the default has a convex solution");
    assert_eq!(said.facts["certificate"]["value"], json!(convex.certificate.value));
    // The course of the alternation differs from the courses of the loops that it replaces:
    // they need more sweeps or end at their limit.
    let courses = said.facts["convergence"].as_object().expect("courses by name");
    assert_eq!(courses["midpoint"], json!(convex.trace));
    let mut lengths = Vec::new();
    for (name, course) in courses.iter().filter(|(name, _)| *name != "midpoint") {
        assert_ne!(course, &courses["midpoint"], "{name}");
        lengths.push(course.as_array().expect("states").len());
    }
    assert_eq!(lengths.len(), 3);
    assert!(lengths.iter().all(|length| (convex.trace.len()..=151).contains(length)), "{lengths:?}");
    let scales = &said.per_point[0];
    assert_eq!((scales.title.as_str(), scales.values.len()), ("local scale", 120));
    assert_eq!(report.local_scale[7], Some(scales.values[7]));
    Ok(())
}

#[test]
fn an_unfolding_reports_how_it_was_found() -> Result<(), Error> {
    let method = MaximumVarianceUnfolding { basis: BASIS, ..MaximumVarianceUnfolding::default() };
    let fitted = method.fit(&sheet()?)?.into_single()?;
    let (basis, map, report) = (fitted.basis(), fitted.map(), fitted.report());
    is_linear(basis.embedding().coordinates(), map.mean(), map.linear(), fitted.embedding().coordinates());
    let said = Fitted::report(&fitted);
    let total: f64 = report.spectrum.iter().sum();
    for (name, value) in [
        ("residuals", json!(basis.residuals())),
        ("explained_variance", json!(report.spectrum)),
        ("total_variance", json!(total)),
        ("length_error_before", json!(report.length_error_before)),
        ("length_error_unfolded", json!(report.length_error_unfolded)),
        ("length_error_after", json!(report.length_error_after)),
    ] {
        assert_eq!(said.facts[name], value, "{name}");
    }
    // For a sheet, in units of the points: the variances of the coordinates.
    let y = fitted.embedding().coordinates();
    for (column, variance) in report.spectrum[..2].iter().enumerate() {
        let own = y.col(column).iter().map(|value| value * value).sum::<f64>() / 120.0;
        assert!((own / variance - 1.0).abs() < 1e-9, "{own} {variance}");
    }
    assert!((report.variance_kept - (report.spectrum[0] + report.spectrum[1]) / total).abs() < 1e-12);
    assert_eq!(said.facts["explained_variance_ratio"][0], json!(report.spectrum[0] / total));
    assert_eq!(said.facts["certificate"]["value"], json!(report.solution.certificate.value));
    assert!(said.notes[0].contains("error of squared lengths between neighbors"), "{:?}", said.notes);
    Ok(())
}

/// Above its mean, and above a fifth.
#[test]
fn a_warning_is_given_above_a_limit_and_not_at_it() -> Result<(), Error> {
    let method = ConformalEigenmaps { basis: BASIS, ..ConformalEigenmaps::default() };
    let mut report = method.fit(&sheet()?)?.into_single()?.report().clone();
    for (variation, warns) in [(0.5, false), (1.0, false), (1.001, true)] {
        report.scale_variation = variation;
        assert_eq!(report.warning().is_some(), warns, "{variation}");
    }
    let method = MaximumVarianceUnfolding { basis: BASIS, ..MaximumVarianceUnfolding::default() };
    let mut report = method.fit(&sheet()?)?.into_single()?.report().clone();
    for (error, warns) in [(0.1, false), (0.2, false), (0.201, true)] {
        report.length_error_after = error;
        assert_eq!(report.warning().is_some(), warns, "{error}");
    }
    Ok(())
}

#[test]
fn damaged_models_are_refused() -> Result<(), Error> {
    let of_basis =
        [("/map/placing/mean", json!([0.5])), ("/basis/alignment/residuals", json!(vec![1e-3; 5]))];
    let method = ConformalEigenmaps { basis: BASIS, ..ConformalEigenmaps::default() };
    let conformal = method.fit(&sheet()?)?.into_single()?;
    testkit::refuses_damage(&conformal, &of_basis);
    testkit::refuses_damage(
        &conformal,
        &[
            ("/map/report/local_scale", json!([1.0])),
            ("/map/report/chosen", json!(conformal.report().candidates.len())),
            ("/map/report/quadratic/scale", json!(0.0)),
            ("/map/report/quadratic/scale", json!(null)),
            ("/map/report/quadratic/triangle/3", json!(null)),
            ("/map/report/quadratic/triangle", json!([])),
        ],
    );
    let method = MaximumVarianceUnfolding { basis: BASIS, ..MaximumVarianceUnfolding::default() };
    let unfolded = method.fit(&sheet()?)?.into_single()?;
    testkit::refuses_damage(&unfolded, &of_basis);
    testkit::refuses_damage(&unfolded, &[("/map/report/spectrum/0", json!(null))]);
    Ok(())
}

#[test]
fn the_size_of_the_basis_is_read_as_it_is_shown() -> Result<(), Error> {
    let mut method = ConformalEigenmaps::default();
    let shown = |method: &ConformalEigenmaps| {
        let found = DynMethod::parameters(method).into_iter().find(|parameter| parameter.name == "basis");
        found.expect("a parameter of this name").value
    };
    assert_eq!(shown(&method), "auto");
    method.set_dyn("basis", "7")?;
    assert_eq!((method.basis, shown(&method)), (BasisSize::Vectors { count: 7 }, "7".to_owned()));
    method.set_dyn("basis", "auto")?;
    assert_eq!(method.basis, BasisSize::Auto);
    assert!(method.set_dyn("basis", "all").is_err());
    Ok(())
}

#[test]
fn the_basis_is_that_of_lle_by_the_same_parameters() -> Result<(), Error> {
    let points = sheet()?;
    let of = |regularization: f64| -> Result<Vec<f64>, Error> {
        let lle = lle::Lle { dim: 6, neighborhood: NEIGHBORHOOD, regularization, ..lle::Lle::default() };
        Ok(lle.fit(&points)?.into_single()?.eigenvalues().to_vec())
    };
    assert_ne!(of(1e-3)?, of(0.1)?);
    for regularization in [1e-3, 0.1] {
        let conformal = ConformalEigenmaps {
            basis: BASIS,
            neighborhood: NEIGHBORHOOD,
            regularization,
            ..ConformalEigenmaps::default()
        };
        assert_eq!(conformal.fit(&points)?.into_single()?.basis().eigenvalues(), of(regularization)?);
        let unfolding = MaximumVarianceUnfolding {
            basis: BASIS,
            neighborhood: NEIGHBORHOOD,
            regularization,
            ..MaximumVarianceUnfolding::default()
        };
        assert_eq!(unfolding.fit(&points)?.into_single()?.basis().eigenvalues(), of(regularization)?);
    }
    Ok(())
}

#[test]
fn the_tolerance_is_that_of_the_basis() -> Result<(), Error> {
    let tolerance = Tolerance::new(1e-300)?;
    let conformal = ConformalEigenmaps { basis: BASIS, tolerance, ..ConformalEigenmaps::default() };
    let unfolding =
        MaximumVarianceUnfolding { basis: BASIS, tolerance, ..MaximumVarianceUnfolding::default() };
    for refused in [conformal.fit(&sheet()?).map(drop), unfolding.fit(&sheet()?).map(drop)] {
        assert!(matches!(refused, Err(Error::NoConvergence { .. })), "{refused:?}");
    }
    Ok(())
}

#[test]
fn the_largest_entry_of_every_coordinate_is_positive() -> Result<(), Error> {
    let conformal = ConformalEigenmaps { basis: BASIS, ..ConformalEigenmaps::default() };
    let unfolding = MaximumVarianceUnfolding { basis: BASIS, ..MaximumVarianceUnfolding::default() };
    let (conformal, unfolding) = (conformal.fit(&sheet()?)?, unfolding.fit(&sheet()?)?);
    for map in [conformal.embedding(), unfolding.embedding()] {
        for column in map.coordinates().col_iter() {
            let (least, most) = column.iter().fold((0.0_f64, 0.0_f64), |(l, m), v| (l.min(*v), m.max(*v)));
            assert!(most > -least, "{least} {most}");
        }
    }
    Ok(())
}

/// Triangles need at least two neighbors, and patches that differ need fewer neighbors than all other
/// points.
#[test]
fn lists_that_make_no_triangles_or_equal_patches_are_refused() -> Result<(), Error> {
    let rows: Vec<u32> = (0..12).collect();
    let points = sheet()?.view().select(&rows);
    let fit = |n: usize, k: usize| {
        let neighborhood = Neighborhood::Nearest { k };
        let method = ConformalEigenmaps {
            basis: BasisSize::Vectors { count: 2 },
            neighborhood,
            ..ConformalEigenmaps::default()
        };
        method.fit(&points.view().select(&rows[..n])).map(drop)
    };
    for k in [1, 11] {
        assert!(matches!(fit(12, k), Err(Error::Parameter { name: "k", .. })), "{k}: {:?}", fit(12, k));
    }
    assert!(!matches!(fit(12, 10), Err(Error::Parameter { name: "k", .. })), "{:?}", fit(12, 10));
    assert!(
        matches!(fit(3, 2), Err(Error::TooFewPoints { .. } | Error::Parameter { .. })),
        "{:?}",
        fit(3, 2)
    );
    Ok(())
}

/// From the dimensions of the map to one less than the points, and 30; maps have at most as many dimensions
/// as the basis.
#[test]
fn the_basis_has_as_many_vectors_as_dimensions_and_fewer_than_points() -> Result<(), Error> {
    let all = sheet()?;
    for (n, dim, most) in [(12, 2, 11.0), (31, 3, 30.0), (32, 2, 30.0), (120, 5, 30.0)] {
        let points = all.view().select(&(0..n).collect::<Vec<u32>>());
        let input = embedding::Input::from(&points);
        let basis = BasisSize::Vectors { count: 7 };
        let methods: [Box<dyn DynMethod>; 2] = [
            Box::new(ConformalEigenmaps { dim, basis, ..ConformalEigenmaps::default() }),
            Box::new(MaximumVarianceUnfolding { dim, basis, ..MaximumVarianceUnfolding::default() }),
        ];
        for method in methods {
            let limits = |name: &str| {
                let at = method.parameters().iter().position(|p| p.name == name).expect("a parameter");
                let limits = method.limits(&input)[at].expect("a range");
                (limits.low, limits.high)
            };
            assert_eq!(limits("basis"), (Some(dim as f64), Some(most)), "{n} points");
            assert_eq!(limits("dim"), (Some(1.0), Some(7.0)), "{n} points");
        }
    }
    Ok(())
}
