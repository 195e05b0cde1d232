//! New points in a map, placed in two ways.

use std::time::Instant;

use datasets::{Labels, Request};
use embedding::{Error, Observer, PointSet, Status, Transform};
use faer::Mat;
use neighbor_graph::Neighbors;
use quality::Validation;
use regression::{Perceptron, Regressor, ValidationError};
use serde::Serialize;

use crate::methods::{Input, Recipe};
use crate::progress::Progress;
use crate::results::MethodResults;
use crate::run::fit;

/// A map of some points, and others to be placed into it.
pub struct PlacementPlan {
    /// The data set, with classes.
    pub dataset: &'static str,
    /// Points of the map.
    pub known: usize,
    /// Points to be placed, none of them among those.
    pub new: usize,
    /// Makes the map and places new points into it.
    pub recipe: Box<dyn Recipe>,
    /// Learns the map and places new points by what it learned.
    pub perceptron: Perceptron,
    /// The neighborhood size of the accuracies.
    pub k: usize,
    /// What of the data set is wanted, but for the number of points.
    pub request: Request,
}

/// The map, and the new points in it.
#[derive(Clone, Debug, Serialize)]
pub struct Placement {
    /// The data set.
    pub dataset: String,
    /// Points of the map.
    pub known: usize,
    /// Points placed into it.
    pub new: usize,
    /// The neighborhood size of the accuracies.
    pub k: usize,
    /// The share of new points whose class is that of most of their k nearest
    /// known points, in the data itself.
    pub data_accuracy: f64,
    /// The share of known points whose class is that of most of their k nearest
    /// others, in the map.
    pub map_accuracy: f64,
    /// How the map was made, and what was found out about it.
    pub map: MethodResults,
    /// By optimization, then by the perceptron.
    pub placed: Vec<Placed>,
    /// What learned the map.
    pub perceptron: Perceptron,
    /// Its error on known points held out of its training.
    pub validation: ValidationError,
    /// How its training ended; iterations are epochs.
    pub training: Status,
    /// The classes, of known points first.
    #[serde(skip)]
    pub labels: Labels,
    /// Where the known points are, n × 2.
    #[serde(skip)]
    pub coordinates: Mat<f64>,
}

/// New points, placed in one way.
#[derive(Clone, Debug, Serialize)]
pub struct Placed {
    /// How: `optimization` or `perceptron`.
    pub by: String,
    /// The share of new points whose class is that of most of their k nearest
    /// known points, in the map.
    pub accuracy: f64,
    /// Time for learning the map, where anything is learned.
    pub training_seconds: Option<f64>,
    /// Time for placing all new points.
    pub seconds: f64,
    /// Where they are.
    #[serde(skip)]
    pub coordinates: Mat<f64>,
}

/// Makes the map, places the new points, and measures.
pub fn place(plan: &PlacementPlan, progress: &Progress) -> Result<Placement, Error> {
    let PlacementPlan { dataset, known: n, new: m, k, .. } = *plan;
    progress.begin(format!("{m} new points of {dataset} in a map of {n}"));
    let info = datasets::find(dataset)?;
    let data = info.load(&Request { n: Some(n + m), ..plan.request.clone() })?;
    let labels = data.labels.into_iter().next().ok_or_else(|| {
        Error::degenerate("the data set has no classes", "take one with labels to measure placements")
    })?;
    let (known_rows, new_rows): (Vec<u32>, Vec<u32>) = (0..(n + m) as u32).partition(|&row| row < n as u32);
    let all = data.points.view();
    let (known, new) = (all.select(&known_rows), all.select(&new_rows));
    let (known, new) = (known.view(), new.view());
    let (known_labels, new_labels) = labels.values.split_at(n);

    let wish = plan.recipe.neighborhood(n);
    let neighbors = wish.map(|wish| Neighbors::find(known, wish, progress)).transpose()?;
    let input = Input { points: known, labels: Some(known_labels), neighbors: neighbors.as_ref() };
    let (map, model) = fit(plan.recipe.as_ref(), input, progress);
    let model = model?;
    let coordinates = model.embedding().coordinates.clone();
    let points = PointSet::from_mat(coordinates.as_ref())?;
    let accuracy_of = |placed: &Mat<f64>| {
        let placed = PointSet::from_mat(placed.as_ref())?;
        quality::knn_accuracy_of_new(points.view(), known_labels, placed.view(), new_labels, k)
    };

    progress.stage("placing");
    let (optimized, seconds) = timed(|| model.transform(new));
    let optimized = optimized.ok_or_else(|| {
        Error::degenerate(
            "the method of the map does not place new points",
            "take one that does, such as tsne",
        )
    })??;
    let by_optimization = Placed {
        by: "optimization".to_owned(),
        accuracy: accuracy_of(&optimized)?,
        training_seconds: None,
        seconds,
        coordinates: optimized,
    };

    let (learned, training_seconds) = timed(|| plan.perceptron.fit(known, coordinates.as_ref(), progress));
    let learned = learned?;
    let (guessed, seconds) = timed(|| learned.transform(new));
    let guessed = guessed?;
    let by_perceptron = Placed {
        by: "perceptron".to_owned(),
        accuracy: accuracy_of(&guessed)?,
        training_seconds: Some(training_seconds),
        seconds,
        coordinates: guessed,
    };

    progress.stage("measuring");
    Ok(Placement {
        dataset: dataset.to_owned(),
        known: n,
        new: m,
        k,
        data_accuracy: quality::knn_accuracy_of_new(known, known_labels, new, new_labels, k)?,
        map_accuracy: quality::knn_accuracy(points.view(), known_labels, k, Validation::LeaveOneOut)?,
        map,
        placed: vec![by_optimization, by_perceptron],
        perceptron: plan.perceptron.clone(),
        validation: learned.validation(),
        training: learned.status(),
        labels,
        coordinates,
    })
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let begun = Instant::now();
    let result = work();
    (result, begun.elapsed().as_secs_f64())
}
