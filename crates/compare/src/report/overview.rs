//! Table of every method on every data set.

use crate::figure::escape;
use crate::figure::number::{duration, score};
use crate::results::{DatasetResults, Outcome, Results};
use crate::views::scores::{best, hint, words};

use super::table::column;

/// The measure shown; every data set has it.
const MEASURE: &str = "trustworthiness";

/// Tabulates trustworthiness and time; omitted for a single data set, whose table
/// contains the same.
pub(super) fn overview(results: &Results) -> String {
    if results.datasets.len() < 2 {
        return String::new();
    }
    let mut methods: Vec<&str> = Vec::new();
    for method in results.datasets.iter().flat_map(|dataset| &dataset.methods) {
        if !methods.contains(&method.method.as_str()) {
            methods.push(&method.method);
        }
    }
    let head: String = results.datasets.iter().map(|dataset| column(&words(&dataset.name), "")).collect();
    let rows: String = methods
        .iter()
        .map(|name| {
            let cells: String = results.datasets.iter().map(|dataset| cell(dataset, name)).collect();
            let name = escape(name);
            format!("<tr><th scope=\"row\" data-value=\"{name}\">{name}</th>{cells}</tr>")
        })
        .collect();
    format!(
        "<section aria-labelledby=\"overview\"><h2 id=\"overview\">At a glance</h2>\n<p>Each cell has the {} \
         ({}; about 0.5 is chance) and the time of the method.</p>\n\
         <div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Overview\"><table><thead><tr>{}{head}</tr>\
         </thead><tbody>{rows}</tbody></table></div></section>\n",
        words(MEASURE),
        escape(&hint(MEASURE)),
        column("method", "")
    )
}

fn cell(dataset: &DatasetResults, name: &str) -> String {
    let Some(method) = dataset.methods.iter().find(|method| method.method == name) else {
        return "<td>–</td>".to_owned();
    };
    let time = duration(method.seconds);
    match (&method.outcome, method.score(MEASURE)) {
        (Outcome::Done, Some(value)) => {
            let best = best(&dataset.methods, MEASURE) == Some(value);
            let class = if best { " class=\"best\"" } else { "" };
            format!(
                "<td data-value=\"{value}\"{class}>{} <span class=\"soft small\">{time}</span></td>",
                score(value)
            )
        }
        (Outcome::Done, None) => format!("<td><span class=\"soft small\">{time}</span></td>"),
        (Outcome::Failed { reason }, _) => format!("<td title=\"{}\">failed</td>", escape(reason)),
        (Outcome::Skipped { reason }, _) => format!("<td title=\"{}\">–</td>", escape(reason)),
    }
}
