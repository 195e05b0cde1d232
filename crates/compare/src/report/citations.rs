//! The methods and measures of a run as a paragraph with citations, to be copied into a paper.

use embedding::Explanation;
use embedding::implement::Part;
use figure::number::count;
use maud::{Markup, html};

use crate::methods::title;
use crate::results::{DatasetResults, MethodResults, Outcome, Results};
use crate::views::words;

use super::measures::linked;

/// The paragraph and its list of references, collapsed; `None` without a map.
pub(super) fn citations(results: &Results) -> Option<Markup> {
    let mut references = References(Vec::new());
    let done = |method: &&MethodResults| method.outcome == Outcome::Done;
    let mut names: Vec<&str> = Vec::new();
    for method in results.datasets.iter().flat_map(|set| set.methods.iter().filter(done)) {
        if !names.contains(&method.method.as_str()) {
            names.push(&method.method);
        }
    }
    let cited: Vec<String> = names
        .iter()
        .filter_map(|name| {
            let explanation = swissroll::method(name)?.about().explanation;
            Some(references.cite(&title(name), &explanation))
        })
        .collect();
    let measured = |measure: &&quality::Measure| {
        let mut methods = results.datasets.iter().flat_map(|set| &set.methods);
        methods.any(|method| method.score(measure.name).is_some())
    };
    let measures: Vec<String> = quality::measures()
        .iter()
        .filter(measured)
        .map(|measure| references.cite(&words(measure.name), &measure.explanation))
        .collect();
    let sets: Vec<String> = results.datasets.iter().map(described).collect();
    let judged = match measures.is_empty() {
        true => String::new(),
        false => format!(
            " Maps were evaluated by {}, with {} neighbors.",
            listed(&measures),
            count(results.measure_k)
        ),
    };
    (!cited.is_empty()).then(|| {
        html! {
            details class="citations" {
                summary { "Methods and measures as a paragraph with citations" }
                p {
                    "Maps of " (listed(&sets)) " were computed with " (listed(&cited)) " (swissroll "
                    (results.version) ", seed " (results.seed) ")." (judged) " All parameters are in results.json."
                }
                ol { @for reference in &references.0 { li { (linked(reference)) } } }
            }
        }
    })
}

/// A data set with its size.
fn described(set: &DatasetResults) -> String {
    format!("{} ({} points, {} dimensions)", words(&set.name), count(set.n), count(set.columns))
}

/// Words in a sentence.
fn listed(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [only] => only.clone(),
        [first, second] => format!("{first} and {second}"),
        [first @ .., last] => format!("{}, and {last}", first.join(", ")),
    }
}

/// References in the order of their first citation, each once.
struct References(Vec<String>);

impl References {
    /// The name with the number of its reference.
    fn cite(&mut self, name: &str, explanation: &Explanation) -> String {
        let sections = explanation.sections();
        let text =
            sections.iter().filter(|section| section.title == "Reference").flat_map(|section| &section.parts);
        let text: Vec<&str> = text
            .filter_map(|part| match part {
                Part::Text(text) => Some(text.as_str()),
                Part::Equations(_) | Part::Steps(_) => None,
            })
            .collect();
        let text = text.join(" ");
        let at = self.0.iter().position(|known| *known == text).unwrap_or_else(|| {
            self.0.push(text);
            self.0.len() - 1
        });
        format!("{name} [{}]", at + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_references_are_listed_once_in_order() {
        let mut references = References(Vec::new());
        let measure = |name: &str| quality::measure(name).expect("a measure").explanation;
        assert_eq!(references.cite("A", &measure("trustworthiness")), "A [1]");
        assert_eq!(references.cite("B", &measure("silhouette")), "B [2]");
        assert_eq!(references.cite("C", &measure("trustworthiness")), "C [1]");
        assert!(references.0[0].starts_with("Venna and Kaski (2001)"), "{}", references.0[0]);
        assert_eq!(listed(&["A", "B", "C"].map(str::to_owned)), "A, B, and C");
        for method in swissroll::methods() {
            references.cite("D", &method.about().explanation);
        }
        assert!(references.0.iter().all(|text| !text.is_empty()));
    }
}
