//! Tables and figure of the study.

use figure::number::{count, duration, percent, score};
use figure::placement::placement_scene;
use maud::{Markup, html};

use crate::results::{Experiment, Placement, Separation, StudyResults};
use crate::views::placement::{caption as placement_caption, page};
use crate::views::scores::{hint, words};

use super::picture::captioned;
use super::table::{cell, column, scrolled};

const MEASURES: [&str; 3] = ["knn_accuracy", "silhouette", "trustworthiness"];

/// Tabulates the separation of classes, in the data and in every map.
pub(super) fn separation(study: &StudyResults) -> Markup {
    let head = html! {
        @for name in ["data set", "classes", "map", "n"] { (column(name, "")) }
        @for measure in MEASURES { (column(&words(measure), &hint(measure))) }
    };
    let rows = html! { @for row in &study.separation { (line(row, &study.separation)) } };
    let k = study.separation.first().map_or(10, |row| row.k);
    html! {
        section aria-labelledby="separation" {
            h2 id="separation" { "Separation of classes" }
            p {
                "Accuracy is the accuracy of leave-one-out " (k) "-NN classification; the silhouette compares the distances \
                 to a point’s own class and to the nearest other class (−1 to 1). The first row of each group is \
                 the original data. The best map of each group is highlighted."
            }
            (scrolled("Separation", &head, &rows))
        }
    }
}

fn value(row: &Separation, measure: &str) -> Option<f64> {
    match measure {
        "knn_accuracy" => row.knn_accuracy,
        "silhouette" => row.silhouette,
        _ => row.trustworthiness,
    }
}

fn line(row: &Separation, all: &[Separation]) -> Markup {
    let map = row.method.as_deref().unwrap_or("original data");
    let measured = |measure: &str| {
        let maps = all.iter().filter(|other| {
            other.method.is_some() && (&other.dataset, &other.labels) == (&row.dataset, &row.labels)
        });
        let best = quality::measure(measure)
            .and_then(|known| known.better.best(maps.filter_map(|other| value(other, measure))));
        let value = value(row, measure);
        cell(value, score, row.method.is_some() && best == value)
    };
    html! {
        tr {
            th scope="row" data-value=(row.dataset) { a href={ "#" (row.dataset) } { (words(&row.dataset)) } }
            td data-value=(row.labels) { (row.labels) }
            td data-value=(map) { (map) }
            td data-value=(row.n) { (count(row.n)) }
            @for measure in MEASURES { (measured(measure)) }
        }
    }
}

/// Describes new points in a map.
pub(super) fn placement(study: &StudyResults) -> Markup {
    html! {
        section id="placement" {
            h2 { "New points in a map" }
            @match &study.placement {
                Experiment::Done(placement) => (figure_and_table(placement)),
                Experiment::Failed { reason } => p { "Not done: " (reason) },
            }
        }
    }
}

fn figure_and_table(placement: &Placement) -> Markup {
    let caption = placement_caption(placement);
    let accuracies: Vec<String> = placement
        .placed
        .iter()
        .map(|placed| format!("{} by {}", percent(placed.accuracy), placed.by))
        .collect();
    let alternative = format!("{caption} {}-NN accuracy: {}.", placement.k, accuracies.join(", "));
    let rows = html! {
        (row("original data, new points", placement.new, placement.data_accuracy, "–", "–"))
        (row("the map, known points", placement.known, placement.map_accuracy, "–", &duration(placement.map.seconds)))
        @for placed in &placement.placed {
            @let training = placed.training_seconds.map_or_else(|| "–".to_owned(), duration);
            (row(&format!("placed by {}", placed.by), placement.new, placed.accuracy, &training, &duration(placed.seconds)))
        }
    };
    let head = html! {
        @for name in ["where", "points", &format!("{}-NN accuracy", placement.k), "training", "time"] {
            (column(name, ""))
        }
    };
    let hidden: Vec<String> = placement.perceptron.hidden.iter().map(|&units| count(units)).collect();
    html! {
        p {
            "Optimization minimizes the divergence of each new point independently, in the fixed map. \
             The perceptron (" (hidden.join(" and ")) " rectified linear units, "
            (count(placement.training.iterations())) " of at most " (count(placement.perceptron.epochs))
            " epochs) was trained on the coordinates of the known points; its validation error is "
            (score(placement.validation.root_mean_square)) " in units of the map, "
            (percent(placement.validation.unexplained)) " of the variance."
        }
        div class="panels wide" {
            (captioned(&placement_scene(&page(placement)), &alternative, &caption, Some("broad")))
        }
        (scrolled("New points", &head, &rows))
    }
}

fn row(name: &str, points: usize, accuracy: f64, training: &str, time: &str) -> Markup {
    html! {
        tr {
            th scope="row" { (name) }
            td data-value=(points) { (count(points)) }
            td data-value=(accuracy) { (score(accuracy)) }
            td { (training) }
            td { (time) }
        }
    }
}
