//! Decides which map of a data set serves which purpose, from the measured scores.
//!
//! A map serves a purpose if each measure of the purpose lies in the best fifth of its range
//! ([`quality::Measure::is_good`]). Of the maps that serve it, the one with the smallest loss is
//! recommended. The loss is the distance from the best value as a fraction of the range; of two measures
//! the larger loss counts. The linear baseline is recommended where no other map is better by more than
//! 0.01, because the axes of a linear map have a meaning. New points are judged by the
//! trustworthiness of sampled points, each placed in the map by the model without it.
//!
//! Maps of fewer points than others are not compared, and methods that read the classes are not compared
//! by how they separate these. Where classes are known, a map must also be better than the answer that
//! every point has the most frequent class.

use datasets::Labels;
use figure::number::{counted, score};

use crate::dataset_source::sentence;
use crate::methods::{reads_labels, title};
use crate::results::{Answer, DatasetResults, Purpose, Score, Verdict};
use crate::views::diagnosis::of_map;
use crate::views::scores::{placed, words};
use crate::views::trust::jumping;

/// The linear baseline.
const BASELINE: &str = "pca";

/// Differences up to this fraction of a measure's range do not decide between the baseline and other maps.
const CLOSE: f64 = 0.01;

/// A map, as far as a verdict depends on it.
struct Candidate<'a> {
    method: &'a str,
    /// The method's name in text.
    title: String,
    scores: &'a [Score],
    /// The number of points that it places.
    placed: usize,
    /// Whether the method read the classes.
    reads_classes: bool,
    /// The trustworthiness of points that are placed as new ones, where it was measured.
    new_points: Option<f64>,
}

/// What a verdict depends on.
struct Evidence<'a> {
    maps: Vec<Candidate<'a>>,
    n: usize,
    /// Whether the true coordinates have the shape of the data.
    shape_known: bool,
    /// The fraction of the points in the largest class, where classes are known.
    largest_class: Option<f64>,
    /// The sizes of the components of the neighbor graph.
    components: &'a [usize],
    /// The number of rows over which measures are averaged, where these are a sample.
    measured_rows: Option<usize>,
    /// What is wrong with the map of this index, in sentences.
    faults: &'a dyn Fn(usize) -> Vec<String>,
}

/// The verdicts on the maps of a data set, one per purpose; none without a map.
pub(crate) fn verdicts(results: &DatasetResults) -> Vec<Verdict> {
    let measured: Vec<_> = results.methods.iter().filter(|method| !method.scores.is_empty()).collect();
    let maps = measured.iter().map(|method| Candidate {
        method: &method.method,
        title: title(&method.method),
        scores: &method.scores,
        placed: placed(method),
        reads_classes: reads_labels(&method.method, &method.recipe),
        new_points: method.new_points.map(|new| new.trustworthiness),
    });
    decide(&Evidence {
        maps: maps.collect(),
        n: results.n,
        shape_known: shape_known(results),
        largest_class: results.data.labels.first().and_then(largest_class),
        components: &results.graph.components,
        measured_rows: results.measured_rows,
        faults: &|at| {
            let jumps = measured[at].trust.as_ref().and_then(jumping);
            of_map(results, measured[at]).into_iter().chain(jumps).collect()
        },
    })
}

/// Whether the true coordinates have the shape of the data.
fn shape_known(results: &DatasetResults) -> bool {
    results.data.truth_has_shape() && results.data.global_truth().is_some()
}

/// The measures that judge a purpose on a data set.
pub(crate) fn measures(results: &DatasetResults, purpose: Purpose) -> &'static [&'static str] {
    judges(purpose, shape_known(results))
}

fn judges(purpose: Purpose, shape_known: bool) -> &'static [&'static str] {
    match purpose {
        Purpose::Neighbors => &["trustworthiness", "continuity"],
        Purpose::Distances if shape_known => &["procrustes"],
        Purpose::Distances => &["residual_variance"],
        Purpose::Clusters => &["knn_accuracy"],
        Purpose::NewPoints => &["trustworthiness"],
    }
}

/// The fraction of the points of known class that are in the largest class; `None` for fewer than two classes.
fn largest_class(labels: &Labels) -> Option<f64> {
    let mut counts = vec![0_usize; labels.classes.len()];
    labels.known().into_iter().flatten().for_each(|class| counts[class as usize] += 1);
    let (known, most) = (counts.iter().sum::<usize>(), counts.iter().copied().max()?);
    (most < known).then(|| most as f64 / known as f64)
}

fn decide(evidence: &Evidence<'_>) -> Vec<Verdict> {
    if evidence.maps.is_empty() {
        return Vec::new();
    }
    [Purpose::Neighbors, Purpose::Distances, Purpose::Clusters, Purpose::NewPoints]
        .into_iter()
        .map(|purpose| evidence.verdict(purpose))
        .collect()
}

/// The values of the measures of a purpose, for one map.
struct Judged<'a> {
    map: &'a Candidate<'a>,
    purpose: Purpose,
    at: usize,
    values: Vec<(&'static quality::Measure, f64)>,
}

impl Judged<'_> {
    /// The largest distance from a best value, as a fraction of the range.
    fn loss(&self) -> f64 {
        let loss = |(measure, value): &(&quality::Measure, f64)| measure.loss(*value);
        self.values.iter().map(loss).fold(0.0, f64::max)
    }

    /// Whether each value lies in the best fifth.
    fn serves(&self) -> bool {
        self.values.iter().all(|(measure, value)| measure.is_good(*value))
    }

    /// The values with the names of their measures.
    fn named(&self) -> String {
        let one = |(measure, value): &(&quality::Measure, f64)| {
            format!("{} {}", named(measure.name, self.purpose), score(*value))
        };
        self.values.iter().map(one).collect::<Vec<_>>().join(" and ")
    }

    /// The values alone.
    fn numbers(&self) -> String {
        self.values.iter().map(|(_, value)| score(*value)).collect::<Vec<_>>().join(" and ")
    }
}

impl Evidence<'_> {
    /// A map by the measures of a purpose; `None` if one of them has no value.
    fn judged<'a>(&'a self, purpose: Purpose, at: usize) -> Option<Judged<'a>> {
        let map = &self.maps[at];
        let value = |name: &&str| {
            let found = match purpose {
                Purpose::NewPoints => map.new_points?,
                _ => map.scores.iter().find(|score| score.measure == **name)?.value,
            };
            Some((quality::measure(name)?, found))
        };
        let values = judges(purpose, self.shape_known).iter().map(value).collect::<Option<Vec<_>>>()?;
        values.iter().all(|(_, value)| value.is_finite()).then_some(Judged { map, purpose, at, values })
    }

    fn verdict(&self, purpose: Purpose) -> Verdict {
        let without = |answer, reason| Verdict {
            purpose,
            answer,
            recommended: None,
            runner_up: None,
            reason,
            not_to_read: Vec::new(),
        };
        if purpose == Purpose::Clusters && self.largest_class.is_none() {
            let (answer, reason) = self.without_classes();
            return without(answer, reason);
        }
        let most = self.maps.iter().map(|map| map.placed).max().unwrap_or(0);
        let compared = |judged: &Judged<'_>| {
            judged.map.placed == most && !(purpose == Purpose::Clusters && judged.map.reads_classes)
        };
        let mut judged: Vec<Judged<'_>> =
            (0..self.maps.len()).filter_map(|at| self.judged(purpose, at)).filter(compared).collect();
        // Equal ones keep the order of the run.
        judged.sort_by(|a, b| a.loss().total_cmp(&b.loss()));
        let Some(best) = judged.first() else {
            return without(Answer::NotMeasured, self.not_measured(purpose));
        };
        if !best.serves() {
            return without(Answer::NoMap, no_map(best, judged.len()));
        }
        let baseline = judged.iter().position(|judged| judged.map.method == BASELINE);
        if let (Purpose::Clusters, Some(largest)) = (purpose, self.largest_class)
            && best.values.iter().all(|(measure, value)| measure.loss(*value) + CLOSE >= 1.0 - largest)
        {
            let reason = format!(
                "The largest class has a fraction of {} of the points, and no map is better than naming it \
                 everywhere: the best is {} with {}.",
                score(largest),
                best.map.title,
                best.named()
            );
            return without(Answer::NoMap, reason);
        }
        let close = |at: &usize| judged[*at].serves() && judged[*at].loss() <= best.loss() + CLOSE;
        let chosen = baseline.filter(close).unwrap_or(0);
        let recommended = &judged[chosen];
        let next = judged.iter().enumerate().find(|(at, other)| *at != chosen && other.serves());
        let numbers = recommended.named();
        let reason = match baseline {
            Some(at) if at == chosen && judged.len() == 1 => numbers,
            Some(at) if at == chosen => format!(
                "{numbers}; no other map is better by more than {CLOSE}, and the axes of a linear map have a meaning"
            ),
            Some(at) => format!("{numbers}; {} has {}", judged[at].map.title, judged[at].numbers()),
            None => numbers,
        };
        Verdict {
            purpose,
            answer: Answer::Map,
            recommended: Some(recommended.map.method.to_owned()),
            runner_up: next.map(|(_, other)| other.map.method.to_owned()),
            reason: sentence(&reason),
            not_to_read: self.not_to_read(purpose, recommended),
        }
    }

    /// The verdict on clusters of data without classes: of a connected graph no groups are supported.
    fn without_classes(&self) -> (Answer, String) {
        match self.components {
            [] | [_] => (
                Answer::NoMap,
                "No classes are known, and the neighbor graph is connected: gaps in a map may come from the method."
                    .to_owned(),
            ),
            sizes => (
                Answer::NotMeasured,
                format!(
                    "The neighbor graph has {} components, the largest with {}: these are groups of the data. \
                     Without classes no measure compares how maps show them.",
                    sizes.len(),
                    counted(sizes[0], "point", "points")
                ),
            ),
        }
    }

    /// Why no map has a value.
    fn not_measured(&self, purpose: Purpose) -> String {
        let measures: Vec<String> =
            judges(purpose, self.shape_known).iter().map(|name| named(name, purpose)).collect();
        let reason = match (purpose, self.components.len()) {
            (Purpose::Distances, 2..) => {
                format!(": the neighbor graph has {} components", self.components.len())
            }
            (Purpose::Distances, _) if self.measured_rows.is_some() => {
                ": it is left out for this number of points".to_owned()
            }
            _ => String::new(),
        };
        format!("No map has a value of {}{reason}.", measures.join(" and "))
    }

    /// What not to read from the map that is recommended for a purpose: what other purposes' measures
    /// contradict, what is not measured, and what is known to be wrong.
    fn not_to_read(&self, purpose: Purpose, chosen: &Judged<'_>) -> Vec<String> {
        let mut sentences = Vec::new();
        for (other, what) in [
            (Purpose::Neighbors, "neighborhoods"),
            (Purpose::Distances, "distances between far points"),
            (Purpose::Clusters, "classes"),
            (Purpose::NewPoints, "places of new points"),
        ] {
            match self.judged(other, chosen.at).filter(|_| other != purpose) {
                Some(judged) if !judged.serves() => {
                    sentences.push(format!("Do not read {what} from it: {}.", judged.named()));
                }
                None if other == Purpose::Distances && purpose != other => {
                    sentences.push(format!("Its {what} are not measured."));
                }
                _ => {}
            }
        }
        let left_out = self.n.saturating_sub(chosen.map.placed);
        if left_out > 0 {
            sentences.push(format!("It leaves out {}.", counted(left_out, "point", "points")));
        }
        sentences.extend((self.faults)(chosen.at));
        sentences
    }
}

/// A measure in words, for a purpose.
fn named(measure: &str, purpose: Purpose) -> String {
    let of = if purpose == Purpose::NewPoints { " of new points" } else { "" };
    words(measure).to_string() + of
}

/// Why even the best map does not serve.
fn no_map(best: &Judged<'_>, compared: usize) -> String {
    let limit = |(measure, _): &(&quality::Measure, f64)| {
        let bound = match measure.better {
            quality::Better::Higher => "at least",
            quality::Better::Lower => "at most",
        };
        format!("{} {bound} {}", named(measure.name, best.purpose), score(measure.limit()))
    };
    let needed: Vec<String> = best.values.iter().map(limit).collect();
    format!(
        "The best of {} is {} with {}; a map to rely on has {}.",
        counted(compared, "map", "maps"),
        best.map.title,
        best.named(),
        needed.join(" and ")
    )
}

#[cfg(test)]
mod tests;
