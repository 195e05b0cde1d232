//! Theorems about the linear projections.

use embedding::{DynMethod, Embedding, Error, Method, Model, PointSet, Points};
use faer::Mat;
use laplacian::LaplacianEigenmaps;
use linear_projections::{FittedProjection, Lltsa, Lpp, Neighborhood, Npe};
use lle::{Lle, Ltsa};
use neighbor_graph::ComponentFits;
use spectral::dense::{product, solve_spd, symmetric_eigen};
use testkit::cases::{cloud, sheet};
use testkit::structure::distance_gap;

const NEAREST: Neighborhood = Neighborhood::Nearest { k: 9 };

fn all(dim: usize, principal: Option<usize>) -> [Box<dyn DynMethod>; 3] {
    [
        Box::new(Lpp { neighborhood: NEAREST, dim, principal, ..Lpp::default() }),
        Box::new(Npe { neighborhood: NEAREST, dim, principal, ..Npe::default() }),
        Box::new(Lltsa { neighborhood: NEAREST, dim, principal, ..Lltsa::default() }),
    ]
}

fn fits(dim: usize, points: Points<'_>) -> Result<[FittedProjection; 3], Error> {
    let single = |pieces: ComponentFits<FittedProjection>| pieces.into_single();
    Ok([
        single(Lpp { neighborhood: NEAREST, dim, ..Lpp::default() }.fit(points)?)?,
        single(Npe { neighborhood: NEAREST, dim, ..Npe::default() }.fit(points)?)?,
        single(Lltsa { neighborhood: NEAREST, dim, ..Lltsa::default() }.fit(points)?)?,
    ])
}

/// Rows of `columns` numbers, linear in the coordinates of the points, with a constant column first.
fn mixed(points: Points<'_>, columns: usize) -> PointSet {
    let row = |x: &[f64]| -> Vec<f64> {
        let mix = |j: usize| {
            x.iter().enumerate().map(|(c, x)| x * (1.0 + j as f64 * (1.7 + c as f64)).sin()).sum::<f64>()
        };
        (0..columns).map(|j| if j == 0 { 0.1 } else { mix(j) + 3.0 }).collect()
    };
    PointSet::from_rows(&points.rows().map(row).collect::<Vec<_>>()).expect("finite")
}

/// The distance of the best affine image of a map from the points, relative to their size.
fn affine_misfit(map: &Embedding, points: Points<'_>) -> f64 {
    let plane = Mat::from_fn(map.len(), map.dim() + 1, |i, j| if j < map.dim() { map[(i, j)] } else { 1.0 });
    let gram = product(plane.transpose(), plane.as_ref());
    let right = product(plane.transpose(), points.as_mat());
    let affine = solve_spd(gram.as_ref(), right.as_ref()).expect("the map spans its dimensions");
    (product(plane.as_ref(), affine.as_ref()) - points.as_mat()).norm_max() / points.as_mat().norm_max()
}

#[test]
fn a_flat_subspace_is_recovered_up_to_an_affine_map() -> Result<(), Error> {
    for columns in [5, 400] {
        let points = mixed(cloud(200, 2, 1).view(), columns);
        for fitted in fits(2, points.view())? {
            assert_eq!(fitted.rank(), 2, "{columns} columns that vary in two directions");
            let misfit = affine_misfit(fitted.embedding(), points.view());
            assert!(misfit < 1e-10, "{columns}: {misfit:e}");
        }
        // On flat data every linear function is affine on every tangent space.
        let [_, _, lltsa] = fits(2, points.view())?;
        assert!(lltsa.eigenvalues().iter().all(|v| v.abs() < 1e-12), "{:?}", lltsa.eigenvalues());
    }
    // On a curved sheet it is not.
    let [_, _, lltsa] = fits(2, sheet(200, 1).view())?;
    assert!(lltsa.eigenvalues()[1] > 1e-6);
    Ok(())
}

#[test]
fn more_dimensions_than_the_data_span_are_refused() -> Result<(), Error> {
    let points = mixed(cloud(100, 2, 1).view(), 6);
    for method in all(3, None) {
        let refused = method.fit_dyn(&(&points).into()).map(drop);
        assert!(refused.is_err_and(|e| e.to_string().contains("2 directions")), "{}", method.about().name);
    }
    Ok(())
}

/// The minimum over linear functions is at least the minimum over all functions.
#[test]
fn eigenvalues_bound_those_of_the_nonlinear_method() -> Result<(), Error> {
    let case = sheet(250, 3);
    let linear = fits(2, case.view())?;
    let eigenmaps = LaplacianEigenmaps { neighborhood: NEAREST, ..LaplacianEigenmaps::default() };
    let spectra = [
        eigenmaps.fit(case.view())?.single()?.eigenvalues().to_vec(),
        Lle { neighborhood: NEAREST, ..Lle::default() }.fit(case.view())?.single()?.eigenvalues().to_vec(),
        Ltsa { neighborhood: NEAREST, ..Ltsa::default() }.fit(case.view())?.single()?.eigenvalues().to_vec(),
    ];
    for (model, all) in linear.iter().zip(&spectra) {
        for (a, b) in model.eigenvalues().iter().zip(all) {
            assert!(a > b, "{a} is a minimum over fewer functions than {b}");
        }
        assert!(model.residuals().iter().all(|r| *r < 1e-12), "{:?}", model.residuals());
    }
    Ok(())
}

/// Where the data span n − 1 dimensions, every function of the points is linear.
#[test]
fn with_as_many_columns_as_points_the_nonlinear_method_is_reproduced() -> Result<(), Error> {
    let case = cloud(60, 80, 2);
    let linear = fits(2, case.view())?;
    let eigenmaps = LaplacianEigenmaps { neighborhood: NEAREST, ..LaplacianEigenmaps::default() };
    let maps = [
        eigenmaps.fit(case.view())?.embedding().clone(),
        Lle { neighborhood: NEAREST, ..Lle::default() }.fit(case.view())?.embedding().clone(),
        Ltsa { neighborhood: NEAREST, ..Ltsa::default() }.fit(case.view())?.embedding().clone(),
    ];
    for (model, map) in linear.iter().zip(&maps) {
        assert_eq!(model.rank(), 59);
        let gap = distance_gap(map, model.embedding(), 1.0);
        assert!(gap < 1e-7, "{gap:e}");
    }
    Ok(())
}

/// Yᵀ D Y = tr D · I, with mean zero in the weights D; the weights are all ones except for LPP.
#[test]
fn coordinates_have_unit_covariance() -> Result<(), Error> {
    let case = sheet(200, 4);
    for fitted in &fits(2, case.view())?[1..] {
        let y = fitted.embedding().coordinates();
        assert!((y.transpose() * y - Mat::<f64>::identity(2, 2) * faer::Scale(200.0)).norm_max() < 1e-9);
        assert!((0..2).all(|j| y.col(j).iter().sum::<f64>().abs() < 1e-9));
    }
    Ok(())
}

/// Neither makes the eigenproblem singular.
#[test]
fn constant_and_repeated_columns_change_nothing() -> Result<(), Error> {
    // Constant columns and copies of columns change distances only by a factor.
    let case = sheet(150, 5);
    let padded = |x: &[f64]| [x, x, &[0.3, -7.0]].concat();
    let padded = PointSet::from_rows(&case.view().rows().map(padded).collect::<Vec<_>>())?;
    for (a, b) in fits(2, case.view())?.iter().zip(&fits(2, padded.view())?) {
        assert_eq!((a.rank(), b.rank()), (3, 3));
        let gap = distance_gap(a.embedding(), b.embedding(), 1.0);
        assert!(gap < 1e-9, "{gap:e}");
    }
    Ok(())
}

/// Coordinates are the same at the ends of the range of numbers.
#[test]
fn data_of_any_scale_have_the_same_map() -> Result<(), Error> {
    let case = sheet(150, 6);
    // Powers of two, so that the points are the same.
    for exponent in [498, -498, 1019] {
        let scaled = case.mapped(|r| r.iter().map(|v| v * 2_f64.powi(exponent)).collect());
        for (a, b) in fits(2, case.view())?.iter().zip(&fits(2, scaled.view())?) {
            let gap = distance_gap(a.embedding(), b.embedding(), 1.0);
            assert!(gap < 1e-9, "2^{exponent}: {gap:e}");
        }
    }
    Ok(())
}

/// The map is made of the leading principal directions alone.
#[test]
fn principal_directions_restrict_the_map() -> Result<(), Error> {
    let case = cloud(150, 6, 7);
    let pca = linear::Pca { dim: 3, ..linear::Pca::default() }.fit(case.view())?;
    let v = pca.directions();
    for method in all(2, Some(3)) {
        let name = method.about().name;
        let restricted = method.fit_dyn(&case.view().into())?;
        assert_eq!(restricted.report().facts["rank"], 3, "{name}");
        // Points that differ off the three directions only have the same place.
        let moved = case.mapped(|x| {
            let rest = |c: usize| {
                let own: f64 = (0..6)
                    .map(|j| {
                        v.row(c).iter().zip(v.row(j).iter()).map(|(a, b)| a * b).sum::<f64>() * (x[j] + 1.0)
                    })
                    .sum();
                x[c] + 0.5 * (x[c] + 1.0 - own)
            };
            (0..6).map(rest).collect()
        });
        let offset = restricted.transform(moved.view())?;
        let gap = distance_gap(restricted.embedding(), &offset, 1.0);
        assert!(gap < 1e-10, "{name}: {gap:e}");
        let whole = method.boxed();
        let whole = {
            let mut whole = whole;
            whole.set_dyn("principal", "auto")?;
            whole.fit_dyn(&case.view().into())?
        };
        assert!(
            distance_gap(whole.embedding(), restricted.embedding(), 1.0) > 1e-3,
            "{name}: nothing changed"
        );
    }
    Ok(())
}

/// A direction without variation is no solution, although it makes both sides zero.
#[test]
fn directions_of_rounding_noise_are_left_out() -> Result<(), Error> {
    // Four columns, the last of them a sum of two others up to rounding.
    let case = sheet(150, 8);
    let dependent = case.mapped(|r| vec![r[0], r[1], r[2], (r[0] + r[1] / 3.0) * 0.7]);
    for fitted in fits(3, dependent.view())? {
        assert_eq!(fitted.rank(), 3);
        // The columns of the map have ordinary size: no rounding error was divided by itself.
        assert!(fitted.directions().norm_max() < 100.0, "{:?}", fitted.directions());
        let y = fitted.embedding().coordinates();
        let gram = product(y.transpose(), y);
        let (values, _) = symmetric_eigen(gram.as_ref())?;
        assert!(values[0] > 1.0, "three independent coordinates");
    }
    Ok(())
}
