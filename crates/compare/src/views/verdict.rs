//! Verdicts and warnings of a data set in words.

use figure::number::score;
use quality::diagnosis::components;

use crate::methods::title;
use crate::results::{Answer, DatasetResults, Purpose, Statistics, Sweep, Verdict};
use crate::verdict::measures;

use super::{diagnosis, words};

/// The purpose in a word.
pub(crate) fn purpose(purpose: Purpose) -> &'static str {
    match purpose {
        Purpose::Neighbors => "neighbors",
        Purpose::Distances => "distances",
        Purpose::Clusters => "clusters",
        Purpose::NewPoints => "new points",
    }
}

/// The question that a map answers.
pub(crate) fn question(purpose: Purpose) -> &'static str {
    match purpose {
        Purpose::Neighbors => "which points are close to each other",
        Purpose::Distances => "how far apart distant points are, along the data",
        Purpose::Clusters => "which groups the points form",
        Purpose::NewPoints => "where points lie that the map was not made of",
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

/// Mean and spread over several draws of the values by which a map is recommended; `None` without draws.
pub(crate) fn spread(sweeps: &[Sweep], results: &DatasetResults, verdict: &Verdict) -> Option<String> {
    if verdict.purpose == Purpose::NewPoints {
        return None;
    }
    let sweep = sweeps.iter().find(|sweep| sweep.dataset == results.name)?;
    // The results of a sweep are the ones of its first setting.
    let row = sweep.method(0, verdict.recommended.as_deref()?)?;
    let names = measures(results, verdict.purpose);
    let found: Vec<(&str, &Statistics, f64)> = names
        .iter()
        .filter_map(|name| {
            let values = row.score(name)?;
            Some((*name, values, values.deviation?))
        })
        .collect();
    let (_, values, _) = found.first()?;
    let parts: Vec<String> = found
        .iter()
        .map(|(name, values, deviation)| {
            format!("{} {} ± {}", words(name), score(values.mean), score(*deviation))
        })
        .collect();
    Some(format!("Mean and standard deviation of {} draws: {}.", values.count, parts.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;
    use crate::views::sweep::tests::sweep;

    #[test]
    fn the_spread_over_draws_is_stated_where_there_are_draws() {
        let results = sample::results("swiss-roll", 40, 3);
        let verdict = Verdict {
            purpose: Purpose::Distances,
            answer: Answer::Map,
            recommended: Some("method-0".to_owned()),
            runner_up: None,
            reason: String::new(),
            not_to_read: Vec::new(),
        };
        let said = spread(&[sweep()], &results, &verdict).expect("two draws");
        assert!(
            said.starts_with("Mean and standard deviation of 2 draws: procrustes 0.161 ± 0.001"),
            "{said}"
        );
        assert_eq!(spread(&[], &results, &verdict), None);
        assert_eq!(line(&verdict), "distances: method 0. ");
    }
}
