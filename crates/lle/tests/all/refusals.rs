//! Refusals before anything is computed, and eigenpairs of a matrix in units of its diagonal.
#![expect(clippy::unwrap_used, reason = "tests")]

use embedding::{DynMethod, Error, Input, MemoryLimit, Method, Points, Silent, Transform};
use faer::Mat;
use lle::steps::{
    modified_alignment, residual_basis, residual_map, spectral_basis, tangent_alignment, weights,
};
use lle::{HessianLle, Lle, Ltsa, ModifiedLle, Normalization};
use neighbor_graph::{NeighborSearch, Neighborhood};
use spectral::{Tolerance, dense};

use crate::common;
use common::s_curve;

fn is_of<T>(name: &str, refused: Result<T, Error>) -> bool {
    matches!(refused, Err(Error::Parameter { name: found, .. }) if found == name)
}

#[test]
fn a_regularization_that_is_not_positive_is_refused() {
    let points = s_curve(60);
    let neighbors = NeighborSearch::nearest(8).find(points.view()).unwrap();
    for reg in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(is_of("reg", weights(points.view(), &neighbors, reg, &Silent)), "{reg}");
        assert!(is_of("reg", modified_alignment(points.view(), &neighbors, 2, reg, &Silent)), "{reg}");
    }
    assert!(weights(points.view(), &neighbors, 1e-3, &Silent).is_ok());
}

#[test]
fn from_one_vector_to_one_less_than_points_are_computed() {
    let points = s_curve(12);
    let neighbors = NeighborSearch::nearest(5).find(points.view()).unwrap();
    let map = residual_map(&weights(points.view(), &neighbors, 1e-3, &Silent).unwrap());
    let matrix = map.gram();
    let (tolerance, limit) = (Tolerance::default(), MemoryLimit::default());
    for (count, allowed) in [(0, false), (1, true), (11, true), (12, false)] {
        let found = spectral_basis(&matrix, None, count, tolerance, limit, &Silent);
        assert!(if allowed { found.is_ok() } else { is_of("dim", found) }, "{count}");
        let found = residual_basis(&map, count, tolerance, limit, &Silent);
        assert!(if allowed { found.is_ok() } else { is_of("dim", found) }, "{count}");
    }
    let one = spectral::Sparse::from_rows(1, vec![vec![]]).unwrap();
    let refused = spectral_basis(&one, None, 1, tolerance, limit, &Silent);
    assert!(matches!(refused, Err(Error::TooFewPoints { needed: 2, got: 1, .. })));
}

#[test]
fn new_points_beyond_the_range_of_numbers_have_no_place() {
    let points = s_curve(120);
    let lle = Lle::default().fit(&points).unwrap();
    for far in [1e300, -1e305] {
        let placed = lle.transform(Points::new(&[far, far, far], 3).unwrap());
        assert!(placed.is_err() || placed.unwrap().values().iter().all(|v| v.is_finite()), "{far}");
    }
}

/// D^(−½) M D^(−½), with the diagonal D of M in units of its mean, apart from its null vector √D 1; and with
/// D = I the eigenpairs of M.
#[test]
fn a_normalized_alignment_has_the_eigenvalues_in_units_of_its_diagonal() {
    let points = s_curve(90);
    let rule = Neighborhood::Nearest { k: 10 };
    let neighbors = NeighborSearch::from(rule).find(points.view()).unwrap();
    let matrix = tangent_alignment(points.view(), &neighbors, 2, &Silent).unwrap().to_dense();
    let mean = (0..90).map(|i| matrix[(i, i)]).sum::<f64>() / 90.0;
    for normalization in [Normalization::None, Normalization::Diagonal] {
        let root = |i: usize| {
            if normalization == Normalization::None { 1.0 } else { (matrix[(i, i)] / mean).sqrt() }
        };
        let scaled = Mat::from_fn(90, 90, |i, j| matrix[(i, j)] / (root(i) * root(j)));
        let (values, vectors) = dense::symmetric_eigen(scaled.as_ref()).unwrap();
        let method = Ltsa { neighborhood: rule, normalization, ..Ltsa::default() };
        let fitted = method.fit(&points).unwrap().into_single().unwrap();
        for (found, value) in fitted.eigenvalues().iter().zip(&values[1..3]) {
            assert!((found / value - 1.0).abs() < 1e-6, "{normalization:?}: {found}, {value}");
        }
        // The map spans D^(−½) z without its mean.
        let spanned = Mat::from_fn(90, 3, |i, j| if j == 2 { 1.0 } else { vectors[(i, 1 + j)] / root(i) });
        let q = dense::thin_q(spanned.as_ref());
        let map = embedding::Model::embedding(&fitted).coordinates().to_owned();
        let rest = &map - &q * (q.transpose() * &map);
        assert!(rest.norm_l2() < 1e-6 * map.norm_l2(), "{normalization:?}: {}", rest.norm_l2());
    }
}

#[test]
fn as_many_dimensions_as_neighborhoods_span_are_allowed() {
    let points = s_curve(60);
    let neighborhood = Neighborhood::Nearest { k: 6 };
    for (dim, allowed) in [(5, true), (6, false)] {
        let found = ModifiedLle { dim, neighborhood, ..ModifiedLle::default() }.fit(&points);
        assert_eq!(is_of("dim", found), !allowed, "{dim}");
    }
}

/// Neighbors of 3 tangent dimensions have 5 members at least.
#[test]
fn dimensions_of_tangent_alignment_are_two_less_than_neighbors() {
    let points = s_curve(40);
    for k in [4, 9] {
        let method = Ltsa { neighborhood: Neighborhood::Nearest { k }, ..Ltsa::default() };
        let at = method.parameters().iter().position(|p| p.name == "dim").unwrap();
        let most = method.limits(&Input::from(&points))[at].unwrap().high;
        assert_eq!(most, Some((k - 2) as f64));
    }
}

/// Whatever the distance, coordinates are finite or refused.
#[test]
fn new_points_of_every_alignment_have_a_finite_place_or_none() {
    let points = s_curve(80);
    let models: [Box<dyn DynMethod>; 4] = [
        Box::new(Lle::default()),
        Box::new(Ltsa::default()),
        Box::new(HessianLle::default()),
        Box::new(ModifiedLle::default()),
    ];
    let (mut placed, mut refused) = (0, 0);
    for model in models {
        let fitted = model.fit_dyn(&Input::from(&points)).unwrap();
        for exponent in (0..308).step_by(7) {
            let far = 10f64.powi(exponent);
            match fitted.transform(Points::new(&[far, -0.7 * far, 0.3 * far], 3).unwrap()) {
                Ok(place) => {
                    assert!(
                        place.values().iter().all(|v| v.is_finite()),
                        "{}, 1e{exponent}",
                        model.about().name
                    );
                    placed += 1;
                }
                Err(_) => refused += 1,
            }
        }
    }
    assert!(placed > 20 && refused > 20, "{placed} placed, {refused} refused");
}
