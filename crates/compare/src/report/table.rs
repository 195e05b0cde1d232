//! Table of the scores of all methods on one data set.

use figure::number::{bytes, duration, score};
use maud::{Markup, html};

use crate::results::{DatasetResults, MethodResults, Outcome};
use crate::views::scores::{Standing, hint, partial, words};

/// What the column of memory holds.
const MEMORY: &str = "largest resident memory of the whole process while the method ran, with the data and \
                      the results of earlier methods";

/// Writes a table sortable by every column, with failed methods and their reasons last.
pub(super) fn table(results: &DatasetResults) -> Markup {
    let mut measures: Vec<&str> = Vec::new();
    for found in results.methods.iter().flat_map(|method| &method.scores) {
        if !measures.contains(&found.measure.as_str()) {
            measures.push(&found.measure);
        }
    }
    let done = |method: &&MethodResults| method.outcome == Outcome::Done;
    let (kept, rest): (Vec<_>, Vec<_>) = results.methods.iter().partition(done);
    let head = html! {
        (column("method", ""))
        (column("time", ""))
        (column("process memory", MEMORY))
        @for measure in &measures { (column(&words(measure), &hint(measure))) }
    };
    let rows = html! {
        @for method in kept { (row(results, method, &measures)) }
        @for method in rest { (reason_row(method, 2 + measures.len())) }
    };
    html! {
        h3 { "Scores" }
        p class="facts" {
            "The best value of each measure is highlighted; = marks methods that share it to the digits shown."
            @if partial(&results.methods) { " Maps of fewer points than others are not compared." }
        }
        (scrolled(&format!("Scores on {}", words(&results.name)), &head, &rows))
    }
}

/// Returns a sortable table of a heading row and rows, which scrolls by itself where it is wide.
pub(super) fn scrolled(label: &str, head: &Markup, rows: &Markup) -> Markup {
    html! {
        div class="scroll" tabindex="0" role="region" aria-label=(label) {
            table {
                thead { tr { (head) } }
                tbody { (rows) }
            }
        }
    }
}

/// Returns a sortable column heading.
pub(super) fn column(name: &str, hint: &str) -> Markup {
    let hint = (!hint.is_empty()).then_some(hint);
    html! { th scope="col" title=[hint] { button type="button" { (name) } } }
}

/// Returns a cell that is sorted by its value; a dash without one.
pub(super) fn cell(value: Option<f64>, shown: impl Fn(f64) -> String, best: bool) -> Markup {
    let class = best.then_some("best");
    html! {
        @match value {
            Some(value) => td data-value=(value) class=[class] { (shown(value)) },
            None => td { "–" },
        }
    }
}

fn row(results: &DatasetResults, method: &MethodResults, measures: &[&str]) -> Markup {
    let measured = |measure: &str| {
        let value = method.score(measure).filter(|value| value.is_finite());
        let standing = value.map_or(Standing::Other, |_| Standing::of(&results.methods, method, measure));
        cell(value, |value| format!("{}{}", score(value), standing.mark()), standing.leads())
    };
    let name = &method.method;
    html! {
        tr {
            th scope="row" data-value=(name) { a href={ "#" (results.name) "--" (name) } { (name) } }
            (cell(Some(method.seconds), duration, false))
            (cell(method.peak_memory_bytes.map(|peak| peak as f64), |peak| bytes(peak as u64), false))
            @for measure in measures { (measured(measure)) }
        }
    }
}

fn reason_row(method: &MethodResults, columns: usize) -> Markup {
    let (class, word) = match method.outcome {
        Outcome::Skipped { .. } => ("skipped", "not applicable"),
        _ => ("failed", "failed"),
    };
    html! {
        tr class=(class) {
            th scope="row" data-value=(method.method) { (method.method) }
            td class="why" colspan=(columns) { (word) ": " (method.outcome.reason().unwrap_or_default()) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    #[test]
    fn the_best_is_marked_and_failures_come_last() {
        let html = table(&sample::results("swiss-roll", 40, 7)).into_string();
        let rows: Vec<&str> = html.split("<tr").skip(2).collect();
        assert_eq!(rows.len(), 7);
        assert!(rows[6].contains("failed") && rows[6].contains("colspan=\"4\""));
        assert!(rows[..6].iter().all(|row| !row.contains("failed")));
        // All samples have the same value per measure, and all tie.
        assert_eq!(html.matches("class=\"best\"").count(), 0);
        assert!(html.contains("process memory") && !html.contains("peak memory"));
    }
}
