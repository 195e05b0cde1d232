//! New points in a map, placed in two ways.

use std::time::Instant;

use datasets::Request;
use embedding::{Error, Observer, PointSet, Transform};
use faer::Mat;
use neighbor_graph::Neighbors;
use quality::Validation;
use regression::{Perceptron, Regressor};

use crate::methods::{Input, Recipe};
use crate::progress::Progress;
use crate::results::{Placed, Placement};
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
