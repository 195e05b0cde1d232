//! Placement of new points in a map, by two methods.

use std::time::Instant;

use datasets::Request;
use embedding::{Embedding, Error, Input, Observer, PointSet, Transform};
use quality::classes::Validation;
use regression::{Perceptron, Regressor};

use crate::progress::Progress;
use crate::results::{Placed, Placement};
use crate::run::{Eigenvalues, Planned, fit};

/// A map of some points, and new points to be placed in it.
pub(crate) struct PlacementPlan {
    /// The data set, with classes.
    pub dataset: &'static str,
    /// Number of points of the map.
    pub known: usize,
    /// Number of points to be placed, disjoint from the points of the map.
    pub new: usize,
    /// Makes the map and places new points into it.
    pub map: Planned,
    /// Learns the map and places new points by what it learned.
    pub perceptron: Perceptron,
    /// The neighborhood size of the accuracies.
    pub k: usize,
    /// Request for the data set, except the number of points.
    pub request: Request,
}

/// Makes the map, places the new points, and measures.
pub(crate) fn place(plan: &PlacementPlan, progress: &Progress) -> Result<Placement, Error> {
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

    let input = Input::from(known).with_labels(known_labels).with_memory_limit(plan.map.memory);
    let (map, model) =
        fit(plan.map.method.as_ref(), plan.map.dim_chosen, &input, Eigenvalues::OfMap, progress);
    let model = model?;
    let coordinates = model.embedding().clone();
    let points = PointSet::from_mat(coordinates.coordinates())?;
    let accuracy_of = |placed: &Embedding| {
        let placed = PointSet::from_mat(placed.coordinates())?;
        quality::classes::knn_accuracy_of_new(points.view(), known_labels, placed.view(), new_labels, k)
    };

    progress.stage("placing");
    let (optimized, seconds) = timed(|| model.transform(new));
    let optimized = optimized?;
    let by_optimization = Placed {
        by: "optimization".to_owned(),
        accuracy: accuracy_of(&optimized)?,
        training_seconds: None,
        seconds,
        coordinates: optimized.coordinates().to_owned(),
    };

    let (learned, training_seconds) =
        timed(|| plan.perceptron.fit(known, coordinates.coordinates(), progress));
    let learned = learned?;
    let (guessed, seconds) = timed(|| learned.transform(new));
    let guessed = guessed?;
    let by_perceptron = Placed {
        by: "perceptron".to_owned(),
        accuracy: accuracy_of(&guessed)?,
        training_seconds: Some(training_seconds),
        seconds,
        coordinates: guessed.coordinates().to_owned(),
    };

    progress.stage("measuring");
    Ok(Placement {
        dataset: dataset.to_owned(),
        known: n,
        new: m,
        k,
        data_accuracy: quality::classes::knn_accuracy_of_new(known, known_labels, new, new_labels, k)?,
        map_accuracy: quality::classes::knn_accuracy(
            points.view(),
            known_labels,
            k,
            Validation::LeaveOneOut,
        )?,
        map,
        placed: vec![by_optimization, by_perceptron],
        perceptron: plan.perceptron.clone(),
        validation: learned.validation(),
        training: learned.status(),
        labels,
        coordinates: coordinates.coordinates().to_owned(),
    })
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let begun = Instant::now();
    let result = work();
    (result, begun.elapsed().as_secs_f64())
}
