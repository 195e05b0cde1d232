//! The first screen: which map of each data set serves which purpose, why, and what not to read from it.

use maud::{Markup, html};

use crate::methods::title;
use crate::results::{DatasetResults, Results, Verdict};
use crate::views::verdict::{purpose, question, refusal, spread, warnings};
use crate::views::words;

/// The verdicts and the warnings of every data set; empty where no map was measured.
pub(super) fn verdicts(results: &Results) -> Markup {
    if results.datasets.iter().all(|dataset| dataset.verdicts.is_empty()) {
        return Markup::default();
    }
    let single = results.datasets.len() == 1;
    html! {
        section class="verdicts" aria-labelledby="verdict" {
            h2 id="verdict" { "Which map to show" }
            @for (i, dataset) in results.datasets.iter().enumerate() {
                @if !single { h3 { a href={ "#" (dataset.name) } { (words(&dataset.name)) } } }
                (table(results, dataset, i == 0))
                (cautions(dataset))
            }
            p class="facts" {
                "A map serves a purpose if its measures lie in the best fifth of their ranges. Of these maps, the \
                 one with the best value is recommended, where of two values the worse one counts; the linear one, \
                 if no other is better by more than 0.01."
            }
        }
    }
}

/// The verdicts of a data set; `explained` with the question of each purpose.
fn table(results: &Results, dataset: &DatasetResults, explained: bool) -> Markup {
    html! {
        table class="verdict" {
            thead {
                tr {
                    @for head in ["Read it for", "Map", "Runner-up", "Why", "What not to read"] {
                        th scope="col" { (head) }
                    }
                }
            }
            tbody { @for verdict in &dataset.verdicts { (row(results, dataset, verdict, explained)) } }
        }
    }
}

fn row(results: &Results, dataset: &DatasetResults, verdict: &Verdict, explained: bool) -> Markup {
    let link = |name: &String| html! { a href={ "#" (dataset.name) "--" (name) } { (title(name)) } };
    let map = |found: &Option<String>| html! { @if let Some(name) = found { (link(name)) } @else { "–" } };
    html! {
        tr {
            th scope="row" { (purpose(verdict.purpose)) @if explained { small { (question(verdict.purpose)) } } }
            @match refusal(verdict) {
                Some(refusal) => td class="none" colspan="2" data-head="Map" { (refusal) },
                None => {
                    td class="chosen" data-head="Map" { (map(&verdict.recommended)) }
                    td data-head="Runner-up" { (map(&verdict.runner_up)) }
                },
            }
            td data-head="Why" {
                (verdict.reason)
                @if let Some(spread) = spread(&results.sweeps, dataset, verdict) { small { (spread) } }
            }
            td data-head="What not to read" {
                @if verdict.not_to_read.is_empty() { "–" }
                @for sentence in &verdict.not_to_read { p { (sentence) } }
            }
        }
    }
}

/// The warnings about the data.
fn cautions(dataset: &DatasetResults) -> Markup {
    let warnings = warnings(dataset);
    html! {
        @if !warnings.is_empty() {
            ul class="warnings" aria-label={ "Warnings about " (words(&dataset.name)) } {
                @for warning in &warnings { li { (marked(warning)) } }
            }
        }
    }
}

/// A text whose parts between backticks, and whose options, are code.
pub(super) fn marked(text: &str) -> Markup {
    html! {
        @for (i, part) in text.split('`').enumerate() {
            @if i % 2 == 1 { code { (part) } } @else { @for word in part.split_inclusive(' ') { (option(word)) } }
        }
    }
}

/// A word, as code where it is an option.
fn option(word: &str) -> Markup {
    let end = word.find(|c: char| c != '-' && !c.is_ascii_alphanumeric()).unwrap_or(word.len());
    let (name, rest) = word.split_at(end);
    html! { @if name.starts_with("--") { code { (name) } } @else { (name) } (rest) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_columns_and_options_are_code() {
        assert_eq!(
            marked("Column `a<b` has; --standardize, or -1.").into_string(),
            "Column <code>a&lt;b</code> has; <code>--standardize</code>, or -1."
        );
    }
}
