//! Table of every method on every data set.

use figure::number::{duration, score};
use maud::{Markup, html};

use crate::methods::title;
use crate::results::{DatasetResults, Outcome, Results};
use crate::views::scores::{Standing, hint, words};

use super::table::{column, scrolled};

/// The measures shown where the true coordinates are known: errors after a similarity and
/// after an affine map.
const BY_TRUTH: [&str; 2] = ["procrustes", "affine"];
/// The measure shown elsewhere.
const WITHOUT_TRUTH: [&str; 1] = ["trustworthiness"];

/// The measures shown of a data set; the first is the one that is compared.
fn measures(dataset: &DatasetResults) -> &'static [&'static str] {
    let known = dataset.methods.iter().any(|method| method.score(BY_TRUTH[0]).is_some());
    if known { &BY_TRUTH } else { &WITHOUT_TRUTH }
}

/// Tabulates the error against the truth, or trustworthiness, and time; omitted for a single data set, whose table
/// contains the same.
pub(super) fn overview(results: &Results) -> Markup {
    if results.datasets.len() < 2 {
        return Markup::default();
    }
    let mut methods: Vec<&str> = Vec::new();
    for method in results.datasets.iter().flat_map(|dataset| &dataset.methods) {
        if !methods.contains(&method.method.as_str()) {
            methods.push(&method.method);
        }
    }
    let head = html! {
        (column("method", ""))
        @for dataset in &results.datasets { (column(&words(&dataset.name), &measures(dataset).join(", "))) }
    };
    let rows = html! {
        @for name in methods {
            tr {
                th scope="row" data-value=(name) { (title(name)) }
                @for dataset in &results.datasets { (cell(dataset, name)) }
            }
        }
    };
    html! {
        section aria-labelledby="overview" {
            h2 id="overview" { "At a glance" }
            p {
                "Where the true coordinates are known, each cell has the errors against them after a similarity \
                 and after an affine map (" (words(BY_TRUTH[0])) " and " (words(BY_TRUTH[1])) ", 0 is best); \
                 elsewhere the " (words(WITHOUT_TRUTH[0])) " (" (hint(WITHOUT_TRUTH[0])) "; about 0.5 is chance). \
                 The best of a column is highlighted if it lies in the best fifth of the range, = marks a tie to the \
                 digits shown; maps of fewer points than others are not compared. The time is the time of the method alone."
            }
            (scrolled("Overview", &head, &rows))
            @for dataset in &results.datasets { (recall(dataset)) }
        }
    }
}

/// The recall of an approximate search, where one was requested.
fn recall(dataset: &DatasetResults) -> Markup {
    html! {
        @if let Some(recall) = dataset.graph.recall {
            p class="soft" { (words(&dataset.name)) ": " (recall.to_string()) "." }
        }
    }
}

fn cell(dataset: &DatasetResults, name: &str) -> Markup {
    let method = dataset.methods.iter().find(|method| method.method == name);
    let (Some(method), [measure, others @ ..]) = (method, measures(dataset)) else {
        return html! { td { "–" } };
    };
    let time = duration(method.seconds);
    match (&method.outcome, method.score(measure)) {
        (Outcome::Done, Some(value)) => {
            let standing = Standing::of(&dataset.methods, method, measure);
            let class = standing.leads().then_some("best");
            html! {
                td data-value=(value) class=[class] {
                    (score(value)) (standing.mark())
                    span class="soft small" {
                        @for value in others.iter().filter_map(|other| method.score(other)) { " · " (score(value)) }
                        ", " (time)
                    }
                }
            }
        }
        (Outcome::Done, None) => html! { td { span class="soft small" { (time) } } },
        (Outcome::Failed { reason }, _) => html! { td title=(reason) { "failed" } },
        (Outcome::Skipped { reason }, _) => html! { td title=(reason) { "–" } },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::Score;
    use crate::sample;

    #[test]
    fn maps_of_known_coordinates_are_compared_by_these() {
        let mut roll = sample::results("swiss-roll", 40, 3);
        let digits = sample::results("digits", 40, 3);
        for (method, value) in roll.methods.iter_mut().zip([0.25, 0.125, 0.5]) {
            method.scores[1].value = value;
            method.scores.push(Score { measure: "affine".to_owned(), value: 0.5 * value });
        }
        for method in &mut roll.methods {
            method.scores.iter_mut().filter(|s| s.measure == "trustworthiness").for_each(|s| s.value = 0.75);
        }
        let cell = cell(&roll, "method-1").into_string();
        assert!(cell.starts_with("<td data-value=\"0.125\" class=\"best\">0.125<span"), "{cell}");
        assert!(cell.contains("0.062") || cell.contains("0.063"), "{cell}");
        assert_eq!(measures(&roll), BY_TRUTH);
        let mut unknown = digits;
        unknown.methods.iter_mut().for_each(|method| method.scores.truncate(1));
        assert_eq!(measures(&unknown), WITHOUT_TRUTH);
    }
}
