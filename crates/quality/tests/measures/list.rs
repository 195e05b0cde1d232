//! The list of measures: every entry against its own function, its range and a
//! random embedding.

use crate::common::{assert_close, cube, labels, mapped, noise, plane, view};
use embedding::{Error, Metric, Observer, PointSet};
use neighbor_graph::{NeighborSearch, Neighbors};
use quality::classes::Validation;
use quality::{Better, Context, Outcome, Range, RowSample, measure, measures};
use std::ops::ControlFlow;
use std::sync::Mutex;

const N: usize = 200;
const K: usize = 8;

fn lists(points: &PointSet) -> Neighbors {
    NeighborSearch::nearest(K).find(points.view()).unwrap()
}

#[test]
fn names_are_unique_and_found() {
    for (i, one) in measures().iter().enumerate() {
        assert_eq!(measure(one.name).map(|found| found.name), Some(one.name));
        assert!(measures()[..i].iter().all(|other| other.name != one.name));
        assert!(one.range.low < one.range.high && !one.meaning.ends_with('.'));
        assert!(one.range.contains(one.best_value()));
        assert!(format!("{one:?}").contains(one.name));
    }
    assert!(measure("trust").is_none());
}

/// The data themselves are the best embedding, random coordinates are worse, and
/// no value leaves its range.
#[test]
fn the_direction_and_the_range_hold() {
    let (x, classes) = (plane(N), labels(N));
    let neighbors = lists(&x);
    let context =
        Context::new(x.view(), &neighbors, K, RowSample::All).with_truth(x.view()).with_labels(&classes);
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
    for rows in [RowSample::All, RowSample::Sample { count: 60, seed: 3 }] {
        let context =
            Context::new(x.view(), &neighbors, K, rows).with_truth(truth.view()).with_labels(&classes);
        let (x, y) = (x.view(), y.view());
        let graph = neighbor_graph::Graph::new(&neighbors, neighbor_graph::Symmetry::Union);
        let along = quality::distances::residual_variance(&quality::distances::Geodesics(&graph), y).unwrap();
        let mut expected = vec![
            ("trustworthiness", quality::ranks::trustworthiness_over(x, y, K, rows).unwrap().value),
            ("continuity", quality::ranks::continuity_over(x, y, K, rows).unwrap().value),
            ("procrustes", quality::shape::procrustes(truth.view(), y, Default::default()).unwrap().residual),
            ("affine", quality::shape::affine_residual(truth.view(), y).unwrap()),
            ("residual_variance", along),
            ("angle_error", quality::shape::angle_error(x, y, &neighbors, rows).unwrap().value),
            ("local_procrustes", quality::shape::local_procrustes(x, y, &neighbors, rows).unwrap().value),
            (
                "knn_accuracy",
                quality::classes::knn_accuracy(y, &classes, K, Validation::LeaveOneOut).unwrap(),
            ),
            ("silhouette", quality::classes::silhouette(y, &classes).unwrap()),
        ];
        if rows != RowSample::All {
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
fn measures_without_their_reference_are_not_computed() {
    let x = cube(N);
    let neighbors = lists(&x);
    let names = |context: &Context<'_>, y: &PointSet| -> Vec<&str> {
        context.score(y.view()).unwrap().into_iter().map(|(measure, _)| measure.name).collect()
    };
    let bare = Context::new(x.view(), &neighbors, K, RowSample::All);
    let always = ["trustworthiness", "continuity", "residual_variance", "angle_error", "local_procrustes"];
    assert_eq!(names(&bare, &view(N)), always);
    // A single point has no distances that could correlate.
    assert!(!names(&bare, &mapped(&x, |_| vec![0.0])).contains(&"residual_variance"));
    let one_class = vec![4; N];
    let context = Context::new(x.view(), &neighbors, N / 2, RowSample::All).with_labels(&one_class);
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

/// Points of unknown class are left out of the measures of classes, and of no others.
#[test]
fn measures_of_classes_are_those_of_the_points_of_known_class() {
    let (x, y, classes) = (cube(N), view(N), labels(N));
    let neighbors = lists(&x);
    let partial: Vec<Option<u32>> = (0..N).map(|i| (i % 3 > 0).then_some(classes[i])).collect();
    let rows: Vec<u32> = (0..N as u32).filter(|i| i % 3 > 0).collect();
    let known: Vec<u32> = rows.iter().map(|&row| classes[row as usize]).collect();
    let context = Context::new(x.view(), &neighbors, K, RowSample::All);
    let score =
        |context: &Context<'_>, name: &str| measure(name).unwrap().score(context, y.view()).unwrap().unwrap();
    let some = context.along(&neighbors).with_partial_labels(&partial);
    let selected = y.view().select(&rows);
    let accuracy =
        quality::classes::knn_accuracy(selected.view(), &known, K, Validation::LeaveOneOut).unwrap();
    assert_eq!(score(&some, "knn_accuracy"), accuracy);
    assert_eq!(score(&some, "silhouette"), quality::classes::silhouette(selected.view(), &known).unwrap());
    let whole: Vec<Option<u32>> = classes.iter().copied().map(Some).collect();
    let (all, full) = (context.along(&neighbors).with_labels(&classes), context.with_partial_labels(&whole));
    assert!(score(&all, "knn_accuracy") != accuracy, "the rows make a difference");
    for one in measures().iter().filter(|one| !one.name.contains("procrustes") && one.name != "affine") {
        assert_eq!(score(&all, one.name), score(&full, one.name), "{}", one.name);
        if !["knn_accuracy", "silhouette"].contains(&one.name) {
            assert_eq!(score(&all, one.name), score(&some, one.name), "{}", one.name);
        }
    }
    let none = vec![None; N];
    let unknown = Context::new(x.view(), &neighbors, K, RowSample::All).with_partial_labels(&none);
    for name in ["knn_accuracy", "silhouette"] {
        let outcome = measure(name).unwrap().outcome(&unknown, y.view()).unwrap();
        assert_eq!(outcome, Outcome::Undefined("no point has a known class".to_owned()));
    }
}

/// Counts stages, and cancels at one.
struct Cancelling {
    at: &'static str,
    stages: Mutex<Vec<&'static str>>,
}

impl Observer for Cancelling {
    fn stage(&self, name: &'static str) {
        self.stages.lock().unwrap().push(name);
    }

    fn step(&self, _: usize, _: usize) -> ControlFlow<()> {
        let cancels = self.stages.lock().unwrap().last() == Some(&self.at);
        if cancels { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

#[test]
fn an_observer_receives_the_measures_and_may_cancel_between_and_within_them() {
    let (x, y, classes) = (cube(N), view(N), labels(N));
    let neighbors = lists(&x);
    for (at, last) in [("", "silhouette"), ("continuity", "continuity"), ("geodesics", "geodesics")] {
        let observer = Cancelling { at, stages: Mutex::default() };
        let context = Context::new(x.view(), &neighbors, K, RowSample::All).with_labels(&classes);
        let outcomes = context.with_observer(&observer).outcomes(y.view());
        assert_eq!(outcomes.err(), (!at.is_empty()).then_some(Error::Cancelled), "{at}");
        let stages = observer.stages.into_inner().unwrap();
        assert_eq!(stages.last(), Some(&last));
        assert!(stages.contains(&"trustworthiness"), "{stages:?}");
    }
}

#[test]
fn silhouettes_are_exact_up_to_ten_thousand_points_whatever_rows_are_sampled() {
    let (y, classes) = (view(2500), labels(2500));
    let neighbors = lists(&y);
    let sampled = RowSample::Sample { count: 60, seed: 3 };
    let context = Context::new(y.view(), &neighbors, K, sampled).with_labels(&classes);
    let score = measure("silhouette").unwrap().score(&context, y.view()).unwrap().unwrap();
    assert_close(score, quality::classes::silhouette(y.view(), &classes).unwrap(), 0.0);
}

/// By cosines, ranks agree with the ranks of rows divided by their lengths. Along another graph, residual
/// variance agrees with a context that has the lists of that graph. Both are computed after the measures
/// by the first metric and graph.
#[test]
fn another_metric_and_another_graph_are_followed() {
    let (x, y) = (cube(N), view(N));
    let unit = mapped(&x, |p| {
        let length = p.iter().map(|v| v * v).sum::<f64>().sqrt();
        p.iter().map(|v| v / length).collect()
    });
    let score =
        |context: &Context<'_>, name: &str| measure(name).unwrap().score(context, y.view()).unwrap().unwrap();
    let (near, far) = (lists(&x), NeighborSearch::nearest(3 * K).find(x.view()).unwrap());
    let context = Context::new(x.view(), &near, K, RowSample::All);
    let [trust, variance] = ["trustworthiness", "residual_variance"];
    let (plain, own) = (score(&context, trust), score(&context, variance));
    let other = score(&context.along(&far), variance);
    assert!(other != own);
    assert_close(other, score(&Context::new(x.view(), &far, K, RowSample::All), variance), 1e-12);
    let cosine = score(&context.with_metric(Metric::Cosine), trust);
    assert!((cosine - plain).abs() > 0.01, "{cosine} {plain}");
    // Rounding may exchange two ranks.
    assert_close(cosine, score(&Context::new(unit.view(), &near, K, RowSample::All), trust), 1e-5);
}

#[test]
fn ranges_and_directions_are_said_in_words() {
    let said: Vec<String> =
        measures().iter().map(|measure| format!("{}, {}", measure.range, measure.better)).collect();
    assert!(said.contains(&"0 to 1, higher is better".to_owned()), "{said:?}");
    assert!(said.contains(&"0 to 1, lower is better".to_owned()), "{said:?}");
}
