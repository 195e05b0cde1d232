//! Samples of rows, points of a known class, units and ties, by the definitions.

use crate::common::{cube, mapped, noise};
use embedding::{Error, PointSet};
use neighbor_graph::{NeighborSearch, Neighborhood, Neighbors};
use quality::classes::silhouette_over;
use quality::dimension::{
    Averaging, CorrelationDimension, correlation_dimension, local_pca, maximum_likelihood,
};
use quality::distances::distance_correlation;
use quality::ranks::{SharedRanks, continuity_over, coranking, trustworthiness_over};
use quality::shape::{angle_error, angle_error_of_rows, local_procrustes};
use quality::{Context, OfData, Outcome, RowSample, measure};
use testkit::observers::Recorder;

fn nearest(points: &PointSet, k: usize) -> Neighbors {
    NeighborSearch::nearest(k).find(points.view()).unwrap()
}

/// Rows are the sampled units: s/√m · √(1 − m/n) of the angle errors of the rows.
#[test]
fn the_angle_error_of_a_sample_has_the_standard_error_of_its_rows() {
    let (data, map) = (cube(200), noise(200, 2));
    let neighbors = nearest(&data, 5);
    let rows = RowSample::Sample { count: 30, seed: 4 };
    let errors: Vec<f64> = angle_error_of_rows(data.view(), map.view(), &neighbors, rows)
        .unwrap()
        .into_iter()
        .map(|error| error.unwrap())
        .collect();
    let mean = errors.iter().sum::<f64>() / 30.0;
    let variance = errors.iter().map(|error| (error - mean).powi(2)).sum::<f64>() / 29.0;
    let expected = (variance / 30.0 * (1.0 - 30.0 / 200.0)).sqrt();
    let found = angle_error(data.view(), map.view(), &neighbors, rows).unwrap();
    assert!((found.standard_error - expected).abs() < 1e-9, "{found:?}, {expected}");
}

#[test]
fn a_mean_over_no_row_is_refused() {
    let (data, map) = (cube(40), noise(40, 2));
    let neighbors = nearest(&data, 5);
    let labels: Vec<u32> = (0..40).map(|i| i % 2).collect();
    let (x, y) = (data.view(), map.view());
    for rows in [RowSample::Sample { count: 0, seed: 1 }, RowSample::Spaced { count: 0 }] {
        let fraction = CorrelationDimension { rows, ..CorrelationDimension::default() };
        for result in [
            trustworthiness_over(x, y, 5, rows).map(drop),
            continuity_over(x, y, 5, rows).map(drop),
            SharedRanks::new(x, rows).score(y, 5).map(drop),
            coranking(x, y, rows).map(drop),
            silhouette_over(y, &labels, rows).map(drop),
            angle_error(x, y, &neighbors, rows).map(drop),
            local_procrustes(x, y, &neighbors, rows).map(drop),
            local_pca(x, &neighbors, 0.05, rows).map(drop),
            correlation_dimension(&x, &fraction).map(drop),
        ] {
            let said = result.expect_err("no row").to_string();
            assert_eq!(said, "the number of rows must be at least 1, but is 0");
        }
    }
}

/// Ranks and distances that were already computed are taken from the shared data.
#[test]
fn contexts_of_the_same_data_compute_geodesic_distances_once() {
    let data = cube(60);
    let (neighbors, of_data) = (nearest(&data, 15), OfData::default());
    let stages = |of_data: &OfData| {
        let recorder = Recorder::default();
        let context = Context::new(data.view(), &neighbors, 6, RowSample::All).with_observer(&recorder);
        context.with_data(of_data).outcomes(data.view()).unwrap();
        recorder.events().iter().filter(|event| event.stage() == Some("geodesics")).count()
    };
    assert_eq!([stages(&of_data), stages(&of_data), stages(&OfData::default())], [1, 0, 1]);
}

/// More than 10,000 points: with a sample of rows, 2,000 of them are measured.
#[test]
fn the_silhouette_of_many_points_is_that_of_a_sample() {
    let n = 10_001;
    let map = noise(n, 1);
    let labels: Vec<u32> = (0..n as u32).map(|i| i % 3).collect();
    let neighbors = nearest(&map, 1);
    let of = |rows| {
        let context = Context::new(map.view(), &neighbors, 1, rows).with_labels(&labels);
        measure("silhouette").unwrap().outcome(&context, map.view()).unwrap()
    };
    for (rows, expected) in [
        (RowSample::Sample { count: 50, seed: 9 }, RowSample::Sample { count: 2000, seed: 9 }),
        (RowSample::Spaced { count: 50 }, RowSample::Spaced { count: 2000 }),
    ] {
        let expected = silhouette_over(map.view(), &labels, expected).unwrap().value;
        assert_eq!(of(rows), Outcome::Value(expected), "{rows:?}");
    }
}

/// As many points of a known class as neighbors are too few.
#[test]
fn classes_of_as_many_points_as_neighbors_have_no_accuracy() {
    let data = cube(12);
    let neighbors = nearest(&data, 3);
    for (known, defined) in [(3, false), (4, true)] {
        let labels: Vec<Option<u32>> = (0..12).map(|i| (i < known).then_some(i % 2)).collect();
        let context = Context::new(data.view(), &neighbors, 3, RowSample::All).with_partial_labels(&labels);
        let outcome = measure("knn_accuracy").unwrap().outcome(&context, data.view()).unwrap();
        assert_eq!(outcome.value().is_some(), defined, "{outcome:?}");
    }
}

#[test]
fn neighbors_at_one_distance_have_no_dimension() {
    let lists = (0..4).map(|i| (0..4).filter(|j| *j != i).map(|j| (j, 1.0)).collect()).collect();
    let neighbors = Neighbors::from_lists(lists, Neighborhood::Nearest { k: 3 }).unwrap();
    for averaging in [Averaging::MacKayGhahramani, Averaging::LevinaBickel] {
        let refused = maximum_likelihood(&neighbors, averaging);
        assert!(matches!(refused, Err(Error::Degenerate { .. })), "{averaging:?}: {refused:?}");
    }
}

#[test]
fn a_correlation_of_distances_does_not_depend_on_the_unit_of_the_map() {
    let (data, map) = (cube(40), noise(40, 2));
    let near = distance_correlation(&data.view(), map.view()).unwrap();
    for exponent in [-40, 40] {
        let far = mapped(&map, |row| row.iter().map(|v| v * 2f64.powi(exponent)).collect());
        assert_eq!(distance_correlation(&data.view(), far.view()), Ok(near), "2^{exponent}");
    }
}
