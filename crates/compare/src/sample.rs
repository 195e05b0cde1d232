//! Small results for tests of figures.

use embedding::{Embedding, PerPoint, Status};
use faer::Mat;
use neighbor_graph::Neighborhood;
use regression::{Perceptron, ValidationError};
use serde_json::json;

use crate::results::{DatasetResults, GraphFacts, MethodResults, Outcome, Placed, Placement, Score, Stage};
use crate::verdict::verdicts;

/// Results of a method that returns the first `dim` true coordinates, slightly distorted.
pub(crate) fn done(data: &datasets::Dataset, name: &str, dim: usize) -> MethodResults {
    let points = data.points.view();
    let bend = |i: usize, j: usize| points.row(i)[j % points.dim()] + 0.1 * (i % 7) as f64 * j as f64;
    let coordinates = Mat::from_fn(points.len(), dim, bend);
    MethodResults {
        method: name.to_owned(),
        recipe: json!({"neighborhood": {"Nearest": {"k": 12}}, "dim": dim}),
        n: points.len(),
        columns: points.dim(),
        dim,
        outcome: Outcome::Done,
        seconds: 0.25,
        stages: ["neighbors", "eigenvectors"]
            .map(|name| Stage { name: name.into(), seconds: 0.125 })
            .to_vec(),
        peak_memory_bytes: Some(20_000_000),
        facts: [("eigenvalues".to_owned(), json!([3.0, 2.0, -0.5]))].into_iter().collect(),
        left_out_rows: Vec::new(),
        scores: vec![
            Score { measure: "trustworthiness".into(), value: 0.9 + 0.01 * name.len() as f64 / 10.0 },
            Score { measure: "procrustes".into(), value: 0.5 / name.len() as f64 },
        ],
        notes: vec!["two pieces were joined by 1 bridge".into()],
        embedding: Some(Embedding::new(coordinates).with_spectrum(vec![3.0, 2.0])),
        colors: vec![PerPoint {
            title: "local scale".to_owned(),
            values: (0..points.len()).map(|i| i as f64).collect(),
        }],
        charts: Vec::new(),
        frames: Vec::new(),
        drivers: None,
        trust: None,
        new_points: None,
        spectrum: Vec::new(),
    }
}

/// Results of a failed method.
pub(crate) fn failed(data: &datasets::Dataset, name: &str) -> MethodResults {
    let reason =
        "the neighbor graph must be connected, but <3> components & more were found; use more neighbors";
    MethodResults {
        outcome: Outcome::Failed { reason: reason.to_owned() },
        embedding: None,
        scores: Vec::new(),
        stages: Vec::new(),
        colors: Vec::new(),
        facts: serde_json::Map::new(),
        ..done(data, name, 2)
    }
}

/// Results of `count` methods of 1 to 4 dimensions, every fifth one failed.
pub(crate) fn results(name: &str, n: usize, count: usize) -> DatasetResults {
    let data = datasets::generate(name, n, 0).expect("a data set");
    let method = |i: usize| match i % 5 {
        4 => failed(&data, &format!("method-{i}")),
        _ => done(&data, &format!("method-{i}"), 1 + (i + 1) % 4),
    };
    let mut results = DatasetResults {
        name: name.to_owned(),
        notes: data.notes.clone(),
        shows: "whether the sheet is followed".to_owned(),
        n,
        columns: data.points.dim(),
        entries: None,
        geometry: data.geometry,
        seed: 0,
        noise: 0.0,
        checksum: "0123456789abcdef".to_owned(),
        measured_rows: None,
        warnings: Vec::new(),
        verdicts: Vec::new(),
        graph: GraphFacts {
            neighborhood: Neighborhood::Nearest { k: 12 },
            metric: "euclidean".to_owned(),
            edges: 7 * n,
            components: vec![n],
            shortcuts: Some(0),
            true_shortcuts: None,
            cut: None,
            search: "kd-tree".to_owned(),
            recall: None,
            seconds: 0.01,
        },
        policies: Vec::new(),
        methods: (0..count).map(method).collect(),
        data,
    };
    results.verdicts = verdicts(&results);
    results
}

/// Digits on a spiral, with new ones next to it.
pub(crate) fn placement(known: usize, new: usize) -> Placement {
    let data = datasets::generate("digits", known + new, 0).expect("digits");
    let spiral = |count: usize, from: f64| {
        Mat::from_fn(count, 2, |i, j| {
            let angle = 0.1 * i as f64;
            (from + angle) * if j == 0 { angle.cos() } else { angle.sin() }
        })
    };
    let placed = |by: &str, training_seconds| Placed {
        by: by.to_owned(),
        accuracy: 0.9,
        training_seconds,
        seconds: 0.7,
        coordinates: spiral(new, 1.1),
    };
    Placement {
        dataset: "digits".to_owned(),
        known,
        new,
        k: 10,
        data_accuracy: 0.95,
        map_accuracy: 0.93,
        map: done(&data, "tsne", 2),
        placed: vec![placed("optimization", None), placed("perceptron", Some(30.0))],
        perceptron: Perceptron::default(),
        validation: ValidationError { root_mean_square: 12.3, unexplained: 0.2 },
        training: Status::Converged { iterations: 40 },
        labels: data.labels[0].clone(),
        coordinates: spiral(known, 1.0),
    }
}
