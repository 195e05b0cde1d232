//! Placement of new points in a map, by two methods.

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

/// A map of some points, and new points to be placed in it.
pub struct PlacementPlan {
    /// The data set, with classes.
    pub dataset: &'static str,
    /// Number of points of the map.
    pub known: usize,
    /// Number of points to be placed, disjoint from those of the map.
    pub new: usize,
    /// Computes the map and places new points by its out-of-sample extension.
    pub recipe: Box<dyn Recipe>,
    /// Learns the map and places new points by regression.
    pub perceptron: Perceptron,
    /// The neighborhood size of the accuracies.
    pub k: usize,
    /// Request for the data set, except the number of points.
    pub request: Request,
}

/// The map with the new points.
#[derive(Clone, Debug, Serialize)]
pub struct Placement {
    /// The data set.
    pub dataset: String,
    /// Number of points of the map.
    pub known: usize,
    /// Number of points placed.
    pub new: usize,
    /// The neighborhood size of the accuracies.
    pub k: usize,
    /// k-nearest-neighbor accuracy of the new points in the original space, classified by
    /// the known points.
    pub data_accuracy: f64,
    /// Leave-one-out k-nearest-neighbor accuracy of the known points in the map.
    pub map_accuracy: f64,
    /// Results of the method that computed the map.
    pub map: MethodResults,
    /// By optimization, then by the perceptron.
    pub placed: Vec<Placed>,
    /// Parameters of the perceptron.
    pub perceptron: Perceptron,
    /// Its error on held-out known points.
    pub validation: ValidationError,
    /// How its training ended; iterations are epochs.
    pub training: Status,
    /// The classes, of known points first.
    #[serde(skip)]
    pub labels: Labels,
    /// Coordinates of the known points, n × 2.
    #[serde(skip)]
    pub coordinates: Mat<f64>,
}

/// New points placed by one method.
#[derive(Clone, Debug, Serialize)]
pub struct Placed {
    /// The method: `optimization` or `perceptron`.
    pub by: String,
    /// k-nearest-neighbor accuracy of the new points in the map, classified by the known
    /// points.
    pub accuracy: f64,
    /// Training time in seconds, if there was training.
    pub training_seconds: Option<f64>,
    /// Time of placing all new points in seconds.
    pub seconds: f64,
    /// Their coordinates.
    #[serde(skip)]
    pub coordinates: Mat<f64>,
}

/// Computes the map, places the new points, and measures accuracies.
pub fn place(plan: &PlacementPlan, progress: &Progress) -> Result<Placement, Error> {
    let PlacementPlan { dataset, known: n, new: m, k, .. } = *plan;
    progress.begin(format!("{m} new points of {dataset} in a map of {n}"));
    let info = datasets::find(dataset)?;
    let data = info.load(&Request { n: Some(n + m), ..plan.request.clone() })?;
    let labels = data.labels.into_iter().next().ok_or_else(|| {
        Error::degenerate("the data set has no classes", "use one with labels to measure accuracy")
    })?;
    let (known_rows, new_rows): (Vec<u32>, Vec<u32>) = (0..(n + m) as u32).partition(|&row| row < n as u32);
    let all = data.points.view();
    let (known, new) = (all.select(&known_rows), all.select(&new_rows));
    let (known, new) = (known.view(), new.view());
    let (known_labels, new_labels) = labels.values.split_at(n);

    let neighborhood = plan.recipe.neighborhood(n);
    let neighbors =
        neighborhood.map(|neighborhood| Neighbors::find(known, neighborhood, progress)).transpose()?;
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
            "use one that does, such as tsne",
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
