//! Table of the scores of all methods on one data set.

use figure::escape;
use figure::number::{bytes, duration, score};

use crate::results::{DatasetResults, MethodResults, Outcome};
use crate::views::scores::{Standing, hint, partial, words};

/// What the column of memory holds.
const MEMORY: &str = "largest resident memory of the whole process while the method ran, with the data and \
                      the results of earlier methods";

/// Writes a table sortable by every column, with failed methods and their reasons last.
pub(super) fn table(results: &DatasetResults) -> String {
    let mut measures: Vec<&str> = Vec::new();
    for found in results.methods.iter().flat_map(|method| &method.scores) {
        if !measures.contains(&found.measure.as_str()) {
            measures.push(&found.measure);
        }
    }
    let mut head = column("method", "") + &column("time", "") + &column("process memory", MEMORY);
    for measure in &measures {
        head.push_str(&column(&words(measure), &hint(measure)));
    }
    let done = |method: &&MethodResults| method.outcome == Outcome::Done;
    let (kept, rest): (Vec<_>, Vec<_>) = results.methods.iter().partition(done);
    let mut body: String = kept.iter().map(|method| row(results, method, &measures)).collect();
    body.extend(rest.iter().map(|method| reason_row(method, 2 + measures.len())));
    format!(
        "<h3>Scores</h3><p class=\"facts\">The best value of each measure is highlighted; \
         = marks methods that share it to the digits shown.{apart}</p>\n\
         <div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Scores on {name}\"><table>\
         <thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>\n",
        name = escape(&words(&results.name)),
        apart = if partial(&results.methods) { FEWER } else { "" }
    )
}

/// What is said where some maps lack points.
const FEWER: &str = " Maps of fewer points than others are not compared.";

/// Returns a sortable column heading.
pub(super) fn column(name: &str, hint: &str) -> String {
    let title = if hint.is_empty() { String::new() } else { format!(" title=\"{}\"", escape(hint)) };
    format!("<th scope=\"col\"{title}><button type=\"button\">{}</button></th>", escape(name))
}

fn row(results: &DatasetResults, method: &MethodResults, measures: &[&str]) -> String {
    let cell = |value: Option<(f64, String)>, class: &str| match value {
        Some((value, shown)) => format!("<td data-value=\"{value}\"{class}>{shown}</td>"),
        None => "<td>–</td>".to_owned(),
    };
    let mut out = head(results, method, "");
    out.push_str(&cell(Some((method.seconds, duration(method.seconds))), ""));
    out.push_str(&cell(method.peak_memory_bytes.map(|peak| (peak as f64, bytes(peak))), ""));
    for measure in measures {
        let value = method.score(measure).filter(|value| value.is_finite());
        let standing = value.map_or(Standing::Other, |_| Standing::of(&results.methods, method, measure));
        let class = if standing.leads() { " class=\"best\"" } else { "" };
        let shown = |value| (value, format!("{}{}", score(value), standing.mark()));
        out.push_str(&cell(value.map(shown), class));
    }
    out.push_str("</tr>");
    out
}

fn head(results: &DatasetResults, method: &MethodResults, class: &str) -> String {
    format!(
        "<tr{class}><th scope=\"row\" data-value=\"{name}\"><a href=\"#{dataset}--{name}\">{name}</a></th>",
        name = escape(&method.method),
        dataset = escape(&results.name)
    )
}

fn reason_row(method: &MethodResults, columns: usize) -> String {
    let (class, word) = match method.outcome {
        Outcome::Skipped { .. } => ("skipped", "not applicable"),
        _ => ("failed", "failed"),
    };
    format!(
        "<tr class=\"{class}\"><th scope=\"row\" data-value=\"{name}\">{name}</th>\
         <td class=\"why\" colspan=\"{columns}\">{word}: {}</td></tr>",
        escape(method.outcome.reason().unwrap_or_default()),
        name = escape(&method.method),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    #[test]
    fn the_best_is_marked_and_failures_come_last() {
        let html = table(&sample::results("swiss-roll", 40, 7));
        let rows: Vec<&str> = html.split("<tr").skip(2).collect();
        assert_eq!(rows.len(), 7);
        assert!(rows[6].contains("failed") && rows[6].contains("colspan=\"4\""));
        assert!(rows[..6].iter().all(|row| !row.contains("failed")));
        // All samples have the same value per measure, and all tie.
        assert_eq!(html.matches("class=\"best\"").count(), 0);
        assert!(html.contains("process memory") && !html.contains("peak memory"));
    }
}
