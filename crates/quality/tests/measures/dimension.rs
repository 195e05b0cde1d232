//! Intrinsic dimension of sets whose dimension is known.

use crate::common::{assert_close, mapped, noise};
use embedding::{Error, MemoryLimit, PointSet};
use neighbor_graph::{NeighborSearch, Neighborhood, Neighbors};
use quality::RowSample;
use quality::dimension::{
    Averaging, CorrelationDimension, Evidence, correlation_dimension, elbow, estimators, local_pca,
    local_pca_of_rows, maximum_likelihood, maximum_likelihood_of_rows, principal_components, two_nn,
};

fn nearest(points: &PointSet, k: usize) -> Neighbors {
    NeighborSearch::nearest(k).find(points.view()).unwrap()
}

/// A uniform cube of `dim` dimensions on a periodic-free, curved graph: extra
/// columns hold squares, so that the ambient dimension says nothing.
fn cube(n: usize, dim: usize) -> PointSet {
    mapped(&noise(n, dim), |r| [r.to_vec(), r.iter().map(|v| 0.3 * v * v).collect()].concat())
}

#[test]
fn uniform_cubes_have_their_dimension_up_to_the_known_bias() {
    for (dim, low, high) in [(1, 0.95, 1.05), (2, 1.85, 2.1), (3, 2.6, 3.15), (5, 3.9, 5.1)] {
        let x = cube(2000, dim);
        let neighbors = nearest(&x, 15);
        let estimates = [
            ("maximum likelihood", maximum_likelihood(&neighbors, Averaging::MacKayGhahramani).unwrap()),
            ("Levina and Bickel", maximum_likelihood(&neighbors, Averaging::LevinaBickel).unwrap()),
            ("two neighbors", two_nn(&neighbors, 0.1).unwrap()),
        ];
        for (what, got) in estimates {
            let slack = if what == "two neighbors" { 0.3 } else { 0.0 };
            assert!((low - slack..=high + slack).contains(&got), "{what}, {dim} dimensions: {got}");
        }
    }
}

#[test]
fn pairs_grow_as_the_dimension_says() {
    for (dim, low, high) in [(1, 0.93, 1.05), (2, 1.8, 2.1), (3, 2.5, 3.1)] {
        let x = cube(2000, dim);
        let got = correlation_dimension(&x.view(), &CorrelationDimension::default()).unwrap();
        assert!((low..=high).contains(&got), "{dim} dimensions: {got}");
    }
}

#[test]
fn flat_neighborhoods_have_as_many_components_as_the_plane_they_lie_in() {
    for dim in 1..=4 {
        let flat = mapped(&noise(3000, dim), |r| [r, &[0.0; 3]].concat());
        let got =
            local_pca(flat.view(), &nearest(&flat, 30), 0.05, RowSample::Sample { count: 400, seed: 1 });
        let got = got.unwrap().value;
        assert!((got - dim as f64).abs() < 0.1, "{dim} dimensions: {got}");
    }
}

#[test]
fn averaging_inverses_is_nearly_unbiased_for_few_neighbors() {
    // On an interior-dominated even set with k = 5 the naive mean of 1/mean
    // estimates would be high by (k − 1)/(k − 2).
    let neighbors = nearest(&cube(4000, 2), 5);
    let inverse = maximum_likelihood(&neighbors, Averaging::MacKayGhahramani).unwrap();
    assert!((inverse - 2.0).abs() < 0.1, "{inverse}");
    let bickel = maximum_likelihood(&neighbors, Averaging::LevinaBickel).unwrap();
    assert!((bickel - 2.0).abs() < 0.2, "{bickel}");
}

#[test]
fn copies_of_points_do_not_change_the_dimension() {
    let x = cube(1000, 2);
    let twice = PointSet::new([x.view().values(), x.view().values()].concat(), 4).unwrap();
    let single = two_nn(&nearest(&x, 6), 0.1).unwrap();
    let double = two_nn(&nearest(&twice, 13), 0.1).unwrap();
    assert!((single - double).abs() < 1e-2, "{single} {double}");
    let likelihood = maximum_likelihood(&nearest(&twice, 15), Averaging::default()).unwrap();
    assert!((1.4..2.6).contains(&likelihood), "{likelihood}");
}

#[test]
fn an_elbow_is_a_corner() {
    assert_eq!(elbow(&[0.5, 0.2, 0.01, 0.008, 0.007], 0.05).unwrap(), 3);
    assert_eq!(elbow(&[0.3], 0.05).unwrap(), 1);
    // .04 is more than a twentieth of the explained half.
    assert_eq!(elbow(&[0.54, 0.5], 0.05).unwrap(), 2);
    assert_eq!(elbow(&[0.4, 0.3, 0.2, 0.1], 0.0).unwrap(), 4);
    assert_eq!(elbow(&[1.2, 1.1], 0.05).unwrap(), 2);
    assert!(matches!(elbow(&[0.5], 1.0), Err(Error::Parameter { .. })));
    assert!(matches!(elbow(&[], 0.05), Err(Error::TooFewPoints { .. })));
    assert!(matches!(elbow(&[0.3, f64::NAN], 0.05), Err(Error::NotFinite { row: 1, .. })));
}

#[test]
fn the_unit_of_the_points_does_not_change_their_local_dimension() {
    let near = noise(80, 3);
    let of = |unit: f64| {
        let points = mapped(&near, |row| row.iter().map(|v| unit * v).collect());
        local_pca(points.view(), &nearest(&points, 8), 0.05, RowSample::All).unwrap()
    };
    for unit in [2f64.powi(900), 2f64.powi(-900)] {
        assert_eq!(of(unit), of(1.0), "{unit:e}");
    }
}

#[test]
fn ratios_of_distances_beyond_the_range_of_numbers_have_a_dimension() {
    let list = |i: u32| vec![((i + 1) % 4, 1e-300), ((i + 2) % 4, 1e300)];
    let lists = Neighbors::from_lists((0..4).map(list).collect(), Neighborhood::Nearest { k: 2 }).unwrap();
    let found = two_nn(&lists, 0.0).unwrap();
    assert!(found > 0.0 && found < 1e-2, "{found}");
}

#[test]
fn coinciding_points_and_wrong_shares_are_refused() {
    let same = PointSet::new(vec![1.0; 60], 2).unwrap();
    let neighbors = nearest(&same, 4);
    assert!(matches!(maximum_likelihood(&neighbors, Averaging::default()), Err(Error::Degenerate { .. })));
    assert!(matches!(two_nn(&neighbors, 0.1), Err(Error::Degenerate { .. })));
    assert!(matches!(two_nn(&neighbors, 1.0), Err(Error::Parameter { .. })));
    assert!(matches!(
        local_pca(same.view(), &neighbors, 0.05, RowSample::All),
        Err(Error::Degenerate { .. })
    ));
    for threshold in [0.0, 1.0] {
        let refused = local_pca(same.view(), &neighbors, threshold, RowSample::All);
        assert!(matches!(refused, Err(Error::Parameter { .. })), "{threshold}");
    }
    let default = CorrelationDimension::default();
    assert!(matches!(correlation_dimension(&same.view(), &default), Err(Error::Degenerate { .. })));
    let swapped = CorrelationDimension { low: 0.5, high: 0.1, ..default };
    assert!(matches!(correlation_dimension(&same.view(), &swapped), Err(Error::Parameter { .. })));
    let one = PointSet::new(vec![1.0], 1).unwrap();
    assert!(matches!(correlation_dimension(&one.view(), &default), Err(Error::TooFewPoints { .. })));
}

#[test]
fn two_neighbors_is_the_slope_of_the_empirical_distribution() {
    // Four points with ln(r₂/r₁) = 1, 2, 3, 4; the last is left out, as F = 1 there.
    let lists = (0..4_u32).map(|i| vec![((i + 1) % 4, 1.0), ((i + 2) % 4, f64::from(i + 1).exp())]);
    let neighbors = Neighbors::from_lists(lists.collect(), Neighborhood::Nearest { k: 2 }).unwrap();
    let expected = [(1.0, 0.75_f64), (2.0, 0.5), (3.0, 0.25)];
    let slope = expected.iter().map(|(x, left)| -x * left.ln()).sum::<f64>() / (1.0 + 4.0 + 9.0);
    assert!((two_nn(&neighbors, 0.0).unwrap() - slope).abs() < 1e-12);
}

/// The estimate from a line through the origin, over the smallest ratios only.
#[test]
fn two_neighbors_leave_out_the_largest_ratios() {
    let x = PointSet::new((1..=60).flat_map(plane).collect(), 2).unwrap();
    let neighbors = nearest(&x, 5);
    let mut logs: Vec<f64> =
        (0..60).map(|i| (neighbors.distances_of(i)[1] / neighbors.distances_of(i)[0]).ln()).collect();
    logs.sort_by(f64::total_cmp);
    for (discard, kept) in [(0.0, 59), (0.1, 54), (0.5, 30)] {
        let points = (1..=kept).map(|i| (logs[i - 1], -(1.0 - i as f64 / 60.0).ln()));
        let (xy, xx) = points.fold((0.0, 0.0), |(xy, xx), (x, y)| (xy + x * y, xx + x * x));
        assert_close(two_nn(&neighbors, discard).unwrap(), xy / xx, 1e-12);
    }
}

/// The slope between the radii within which these fractions of all pairs are.
#[test]
fn the_correlation_dimension_is_the_slope_between_two_radii() {
    let x = PointSet::new((1..=41).flat_map(plane).collect(), 2).unwrap();
    let apart = testkit::cases::distances(x.view(), x.view());
    let mut pairs: Vec<f64> = (0..41 * 41).filter(|e| e / 41 != e % 41).map(|e| apart[e]).collect();
    pairs.sort_by(f64::total_cmp);
    let recipe = CorrelationDimension { low: 0.1, high: 0.4, ..CorrelationDimension::default() };
    let radius = |share: f64| pairs[(share * pairs.len() as f64) as usize];
    let expected = 4.0_f64.ln() / (radius(0.4) / radius(0.1)).ln();
    assert_close(correlation_dimension(&x.view(), &recipe).unwrap(), expected, 1e-12);
    // 41 rows of 41 numbers.
    let limited = |bytes| CorrelationDimension { memory_limit: MemoryLimit::new(bytes), ..recipe };
    assert!(correlation_dimension(&x.view(), &limited(8 * 41 * 41)).is_ok());
    assert!(matches!(correlation_dimension(&x.view(), &limited(8 * 41 * 41 - 1)), Err(Error::Memory { .. })));
}

fn plane(i: usize) -> [f64; 2] {
    [(i as f64 * 0.754_877_666).fract(), ((i * i) as f64 * 0.569_840_291).fract()]
}

/// Points whose neighbors are all equally far say nothing.
#[test]
fn points_without_distances_to_compare_are_left_out_of_the_average() {
    let lists = |rows: &[&[f64]]| {
        let others = |i: usize| (0..rows.len() as u32).filter(move |&j| j as usize != i);
        let list = |(i, row): (usize, &&[f64])| others(i).zip(row.iter().copied()).collect();
        let rows: Vec<Vec<(u32, f64)>> = rows.iter().enumerate().map(list).collect();
        Neighbors::from_lists(rows, Neighborhood::Nearest { k: 3 }).unwrap()
    };
    let ordinary: [&[f64]; 4] = [&[1.0, 2.0, 4.0], &[1.0, 3.0, 4.0], &[2.0, 3.0, 5.0], &[1.0, 1.5, 3.0]];
    let equal: &[f64] = &[2.0, 2.0, 2.0];
    let of = |rows: &[&[f64]]| maximum_likelihood(&lists(rows), Averaging::LevinaBickel);
    let with: Vec<&[f64]> = ordinary.iter().copied().chain([equal, equal]).collect();
    assert_close(of(&with).unwrap(), of(&ordinary).unwrap(), 1e-12);
    assert!(of(&[equal, equal, equal, equal]).is_err());
}

#[test]
fn estimates_of_points_average_to_the_estimate_of_the_set() {
    let x = cube(600, 2);
    let neighbors = nearest(&x, 12);
    let counts: Vec<f64> =
        local_pca_of_rows(x.view(), &neighbors, 0.05).unwrap().into_iter().flatten().collect();
    let mean = local_pca(x.view(), &neighbors, 0.05, RowSample::All).unwrap().value;
    assert_eq!(counts.len(), 600);
    assert_close(counts.iter().sum::<f64>() / 600.0, mean, 1e-12);
    let local: Vec<f64> = maximum_likelihood_of_rows(&neighbors).into_iter().flatten().collect();
    let joint = maximum_likelihood(&neighbors, Averaging::LevinaBickel).unwrap();
    assert_close(local.iter().sum::<f64>() / local.len() as f64, joint, 1e-12);
}

#[test]
fn points_without_three_neighbors_at_positive_distances_have_no_local_estimate() {
    let lists = vec![
        vec![(1, 0.0), (2, 1.0), (3, 2.0)],
        vec![(0, 0.0), (2, 1.0), (3, 1.0)],
        vec![(0, 1.0), (1, 1.0), (3, 1.0)],
        vec![(2, 1.0), (0, 2.0), (1, 4.0)],
    ];
    let neighbors = Neighbors::from_lists(lists, Neighborhood::Nearest { k: 3 }).unwrap();
    let found = maximum_likelihood_of_rows(&neighbors);
    assert_eq!(found[..3], [None, None, None]);
    // (k − 2)/(ln 4 + ln 2)
    assert_close(found[3].unwrap(), 1.0 / 8f64.ln(), 1e-12);
}

#[test]
fn a_flat_subspace_has_as_many_principal_components_as_dimensions() {
    for dim in 1..=4 {
        let flat = mapped(&noise(300, dim), |r| [r, &[0.0; 3]].concat());
        assert_eq!(principal_components(flat.view(), 0.01).unwrap(), dim as f64);
    }
    let same = PointSet::new(vec![1.0; 60], 2).unwrap();
    assert!(matches!(principal_components(same.view(), 0.05), Err(Error::Degenerate { .. })));
}

#[test]
fn every_estimator_finds_the_two_dimensions_of_a_sheet_and_names_what_it_assumes() {
    let x = mapped(&noise(2000, 2), |r| [r, &[0.0; 2]].concat());
    let neighbors = nearest(&x, 15);
    let evidence = Evidence { points: x.view(), neighbors: &neighbors, memory_limit: MemoryLimit::default() };
    let names: Vec<_> = estimators().iter().map(|e| e.name).collect();
    assert_eq!(names, ["maximum-likelihood", "two-nn", "local-pca", "correlation", "principal-components"]);
    for estimator in estimators() {
        let got = estimator.estimate(&evidence).unwrap();
        assert!((1.7..2.3).contains(&got), "{}: {got}", estimator.name);
        assert!(!estimator.assumes.is_empty() && !estimator.meaning.is_empty());
        if let Some(values) = estimator.of_rows(&evidence).unwrap() {
            assert_eq!(values.len(), 2000, "{}", estimator.name);
        }
    }
    let small = Evidence { memory_limit: MemoryLimit::new(1000), ..evidence };
    let refused = estimators()[3].estimate(&small);
    assert!(matches!(refused, Err(Error::Memory { .. })), "{refused:?}");
}
