//! Table of the scores of all methods on one data set.

use figure::number::{bytes, duration, score};
use maud::{Markup, html};

use crate::methods::title;
use crate::results::{DatasetResults, MethodResults, Outcome};
use crate::views::scores::{Standing, hint, partial, words};

/// What the column of memory holds.
const MEMORY: &str = "largest resident memory of the whole process while the method ran, with the data and \
                      the results of earlier methods";

/// The purposes by which columns are grouped, each with its measures.
const GROUPS: [(&str, &[&str]); 4] = [
    ("neighbors", &["trustworthiness", "continuity"]),
    ("distances", &["procrustes", "affine", "residual_variance"]),
    ("local shape", &["angle_error", "local_procrustes"]),
    ("clusters", &["knn_accuracy", "silhouette"]),
];

/// Writes a table sortable by every column, with failed methods and their reasons last.
pub(super) fn table(results: &DatasetResults) -> Markup {
    let measured = |name: &str| results.methods.iter().any(|method| method.score(name).is_some());
    let groups = GROUPS.map(|(purpose, names)| {
        (purpose, names.iter().copied().filter(|name| measured(name)).collect::<Vec<&str>>())
    });
    let measures = groups.iter().map(|(_, names)| names.clone()).collect::<Vec<_>>().concat();
    let done = |method: &&MethodResults| method.outcome == Outcome::Done;
    let (kept, rest): (Vec<_>, Vec<_>) = results.methods.iter().partition(done);
    let head = html! {
        tr {
            td class="group" colspan="3" {}
            @for (purpose, names) in groups.iter().filter(|(_, names)| !names.is_empty()) {
                th class="group" scope="colgroup" colspan=(names.len()) { (purpose) }
            }
        }
        tr {
            (column("method", ""))
            (column("time", ""))
            (column("process memory", MEMORY))
            @for measure in &measures { (column(&breakable(measure), &hint(measure))) }
        }
    };
    let rows = html! {
        @for method in kept { (row(results, method, &measures)) }
        @for method in rest { (reason_row(method, 2 + measures.len())) }
    };
    html! {
        h3 { "Scores" }
        p class="facts" {
            "The best value of each measure is highlighted if it lies in the best fifth of the range; = marks \
             methods that share it to the digits shown."
            @if partial(&results.methods) { " Maps of fewer points than others are not compared." }
        }
        (region(&format!("Scores on {}", words(&results.name)), Some("many"), &head, &rows))
    }
}

/// The name of a measure, with places at which long words may break.
fn breakable(measure: &str) -> String {
    words(measure).replace("worthiness", "\u{ad}worthiness").replace("rustes", "\u{ad}rustes")
}

/// Returns a sortable table of a heading row and rows, which scrolls by itself where it is wide.
pub(super) fn scrolled(label: &str, head: &Markup, rows: &Markup) -> Markup {
    region(label, None, &html! { tr { (head) } }, rows)
}

/// The same of heading rows, the last one with the columns.
fn region(label: &str, class: Option<&str>, head: &Markup, rows: &Markup) -> Markup {
    html! {
        div class="scroll" tabindex="0" role="region" aria-label=(label) {
            table class=[class] {
                thead { (head) }
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
            th scope="row" data-value=(name) { a href={ "#" (results.name) "--" (name) } { (title(name)) } }
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
            th scope="row" data-value=(method.method) { (title(&method.method)) }
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
        let rows: Vec<&str> = html.split("<tr").skip(3).collect();
        assert_eq!(rows.len(), 7);
        assert!(rows[6].contains("failed") && rows[6].contains("colspan=\"4\""));
        assert!(rows[..6].iter().all(|row| !row.contains("failed")));
        // All samples have the same value per measure, and all tie.
        assert_eq!(html.matches("class=\"best\"").count(), 0);
        assert!(html.contains("<th class=\"group\" scope=\"colgroup\" colspan=\"1\">distances</th>"));
        for measure in quality::measures() {
            let groups = GROUPS.iter().filter(|(_, names)| names.contains(&measure.name));
            assert_eq!(groups.count(), 1, "{}", measure.name);
        }
        assert!(html.contains("process memory") && !html.contains("peak memory"));
    }
}
