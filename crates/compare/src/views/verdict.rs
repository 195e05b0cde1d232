//! Verdicts and warnings of a data set in words.

use quality::diagnosis::components;

use crate::methods::title;
use crate::results::{Answer, DatasetResults, Purpose, Verdict};

use super::diagnosis;

/// The purpose in a word.
pub(crate) fn purpose(purpose: Purpose) -> &'static str {
    match purpose {
        Purpose::Neighbors => "neighbors",
        Purpose::Distances => "distances",
        Purpose::Clusters => "clusters",
    }
}

/// The question that a map answers.
pub(crate) fn question(purpose: Purpose) -> &'static str {
    match purpose {
        Purpose::Neighbors => "which points are close to each other",
        Purpose::Distances => "how far apart distant points are, along the data",
        Purpose::Clusters => "which groups the points form",
    }
}

/// The answer without a recommended map; `None` with one.
pub(crate) fn refusal(verdict: &Verdict) -> Option<&'static str> {
    match (verdict.answer, verdict.purpose) {
        (Answer::Map, _) => None,
        (Answer::NoMap, Purpose::Clusters) => Some("no clusters supported"),
        (Answer::NoMap, _) => Some("no map serves this purpose"),
        (Answer::NotMeasured, _) => Some("not measured"),
    }
}

/// The verdict in one line.
pub(crate) fn line(verdict: &Verdict) -> String {
    let maps: Vec<String> =
        verdict.recommended.iter().chain(&verdict.runner_up).map(|name| title(name)).collect();
    let answer = refusal(verdict).map_or_else(|| maps.join(", then "), str::to_owned);
    format!("{}: {answer}. {}", purpose(verdict.purpose), verdict.reason)
}

/// What a reader must know about the data before the maps.
pub(crate) fn warnings(results: &DatasetResults) -> Vec<String> {
    let graph = diagnosis::of_graph(&results.graph);
    results
        .warnings
        .iter()
        .cloned()
        .chain(components(results.graph.neighborhood, &results.graph.components))
        .chain(graph)
        .collect()
}
