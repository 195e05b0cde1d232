//! The list of measures: every entry against its own function, its range and a
//! random embedding.

use crate::common::{assert_close, cube, labels, mapped, noise, plane, view};
use embedding::{Error, PointSet, Silent};
use neighbor_graph::{Neighborhood, Neighbors, find_neighbors};
use quality::{Better, Context, Range, Rows, Validation, measure, measures};

const N: usize = 200;
const K: usize = 8;

fn lists(points: &PointSet) -> Neighbors {
    find_neighbors(points.view(), Neighborhood::Nearest { k: K }, &Silent).unwrap()
}

#[test]
fn names_are_unique_and_found() {
    for (i, one) in measures().iter().enumerate() {
        assert_eq!(measure(one.name).map(|found| found.name), Some(one.name));
        assert!(measures()[..i].iter().all(|other| other.name != one.name));
        assert!(one.range.low < one.range.high && !one.meaning.ends_with('.'));
        assert!(one.range.contains(one.best_value()));
    }
    assert!(measure("trust").is_none());
}

/// The data themselves are the best embedding, random coordinates are worse, and
/// no value leaves its range.
#[test]
fn the_direction_and_the_range_hold() {
    let (x, classes) = (plane(N), labels(N));
    let neighbors = lists(&x);
    let context = Context::new(x.view(), &neighbors, K, Rows::All).with_truth(x.view()).with_labels(&classes);
    let bent = mapped(&x, |r| vec![r[0], r[1] * r[1]]);
    let point = mapped(&x, |_| vec![0.5, 0.5]);
    for measure in measures() {
        let score = |y: &PointSet| measure.score(&context, y.view()).unwrap();
        let (own, random) = (score(&x).unwrap(), score(&noise(N, 2)).unwrap());
        assert_eq!(measure.better.best([random, own]), Some(own), "{measure:?}: {own} {random}");
        assert!(own != random, "{measure:?}");
        // Classes overlap, and paths along the graph are longer than straight lines.
        if !["knn_accuracy", "silhouette", "residual_variance"].contains(&measure.name) {
            assert_close(own, measure.best_value(), 1e-5);
        }
        for value in [own, random].into_iter().chain(score(&bent)).chain(score(&point)) {
            assert!(measure.range.contains(value), "{measure:?}: {value}");
        }
    }
}

#[test]
fn every_entry_computes_its_own_measure() {
    let (x, y, truth, classes) = (cube(N), view(N), plane(N), labels(N));
    let neighbors = lists(&x);
    for rows in [Rows::All, Rows::Sample { count: 60, seed: 3 }] {
        let context =
            Context::new(x.view(), &neighbors, K, rows).with_truth(truth.view()).with_labels(&classes);
        let (x, y) = (x.view(), y.view());
        let graph = neighbor_graph::Graph::new(&neighbors, neighbor_graph::Symmetry::Union);
        let along = quality::residual_variance(&quality::Geodesics(&graph), y).unwrap();
        let mut expected = vec![
            ("trustworthiness", quality::trustworthiness_over(x, y, K, rows).unwrap().value),
            ("continuity", quality::continuity_over(x, y, K, rows).unwrap().value),
            ("procrustes", quality::procrustes(truth.view(), y, Default::default()).unwrap().residual),
            ("affine", quality::affine_residual(truth.view(), y).unwrap()),
            ("residual_variance", along),
            ("angle_error", quality::angle_error(x, y, &neighbors, rows).unwrap().value),
            ("local_procrustes", quality::local_procrustes(x, y, &neighbors, rows).unwrap().value),
            ("knn_accuracy", quality::knn_accuracy(y, &classes, K, Validation::LeaveOneOut).unwrap()),
            ("silhouette", quality::silhouette(y, &classes).unwrap()),
        ];
        if rows != Rows::All {
            expected.retain(|(name, _)| *name != "residual_variance");
        }
        let got: Vec<(&str, f64)> =
            context.score(y).unwrap().into_iter().map(|(measure, value)| (measure.name, value)).collect();
        assert_eq!(got.len(), expected.len());
        for ((name, value), (expected_name, expected)) in got.into_iter().zip(expected) {
            assert_eq!(name, expected_name);
            assert_close(value, expected, 1e-12);
        }
    }
}

#[test]
fn what_is_not_known_is_not_measured() {
    let x = cube(N);
    let neighbors = lists(&x);
    let names = |context: &Context<'_>, y: &PointSet| -> Vec<&str> {
        context.score(y.view()).unwrap().into_iter().map(|(measure, _)| measure.name).collect()
    };
    let bare = Context::new(x.view(), &neighbors, K, Rows::All);
    let always = ["trustworthiness", "continuity", "residual_variance", "angle_error", "local_procrustes"];
    assert_eq!(names(&bare, &view(N)), always);
    // A single point has no distances that could correlate.
    assert!(!names(&bare, &mapped(&x, |_| vec![0.0])).contains(&"residual_variance"));
    let one_class = vec![4; N];
    let context = Context::new(x.view(), &neighbors, N / 2, Rows::All).with_labels(&one_class);
    let without_ranks = ["residual_variance", "angle_error", "local_procrustes", "knn_accuracy"];
    assert_eq!(names(&context, &view(N)), without_ranks);
    let wrong = bare.score(view(N - 1).view());
    assert!(matches!(wrong, Err(Error::Shape { .. })), "{wrong:?}");
}

#[test]
fn the_best_of_nothing_and_of_not_a_number_is_nothing() {
    assert_eq!(Better::Higher.best([0.2, 0.7, 0.5]), Some(0.7));
    assert_eq!(Better::Lower.best([0.2, 0.7, 0.1]), Some(0.1));
    for better in [Better::Higher, Better::Lower] {
        assert_eq!(better.best([]), None);
        assert_eq!(better.best([0.1, f64::NAN, 0.9]), None);
    }
    assert!(!Range { low: 0.0, high: 1.0 }.contains(f64::NAN));
}
