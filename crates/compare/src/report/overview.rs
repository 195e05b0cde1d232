//! Table of every method on every data set.

use figure::escape;
use figure::number::{duration, score};

use crate::results::{DatasetResults, Outcome, Results};
use crate::views::scores::{Standing, hint, words};

use super::table::column;

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
    let head: String = results
        .datasets
        .iter()
        .map(|dataset| column(&words(&dataset.name), &measures(dataset).join(", ")))
        .collect();
    let rows: String = methods
        .iter()
        .map(|name| {
            let cells: String = results.datasets.iter().map(|dataset| cell(dataset, name)).collect();
            let name = escape(name);
            format!("<tr><th scope=\"row\" data-value=\"{name}\">{name}</th>{cells}</tr>")
        })
        .collect();
    let recall: String = results.datasets.iter().filter_map(recall).collect();
    format!(
        "<section aria-labelledby=\"overview\"><h2 id=\"overview\">At a glance</h2>\n<p>Where the true \
         coordinates are known, each cell has the errors against them after a similarity and after an affine \
         map ({similarity} and {affine}, 0 is best); elsewhere the {} ({}; about 0.5 is chance). The best of a \
         column is highlighted, = marks a tie to the digits shown; maps of fewer points than others are not \
         compared. The time is that of the method.</p>\n\
         <div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Overview\"><table><thead><tr>{}{head}</tr>\
         </thead><tbody>{rows}</tbody></table></div>{recall}</section>\n",
        words(WITHOUT_TRUTH[0]),
        escape(&hint(WITHOUT_TRUTH[0])),
        column("method", ""),
        similarity = words(BY_TRUTH[0]),
        affine = words(BY_TRUTH[1]),
    )
}

/// The recall of an approximate search, where one was requested.
fn recall(dataset: &DatasetResults) -> Option<String> {
    let recall = dataset.graph.recall?;
    Some(format!("<p class=\"soft\">{}: {}.</p>", escape(&words(&dataset.name)), escape(&recall.to_string())))
}

fn cell(dataset: &DatasetResults, name: &str) -> String {
    let Some(method) = dataset.methods.iter().find(|method| method.method == name) else {
        return "<td>–</td>".to_owned();
    };
    let time = duration(method.seconds);
    let [measure, others @ ..] = measures(dataset) else { return "<td>–</td>".to_owned() };
    match (&method.outcome, method.score(measure)) {
        (Outcome::Done, Some(value)) => {
            let standing = Standing::of(&dataset.methods, method, measure);
            let class = if standing.leads() { " class=\"best\"" } else { "" };
            let others = others.iter().filter_map(|other| method.score(other));
            let others: String = others.map(|value| format!(" · {}", score(value))).collect();
            format!(
                "<td data-value=\"{value}\"{class}>{}{}<span class=\"soft small\">{others} {time}</span></td>",
                score(value),
                standing.mark()
            )
        }
        (Outcome::Done, None) => format!("<td><span class=\"soft small\">{time}</span></td>"),
        (Outcome::Failed { reason }, _) => format!("<td title=\"{}\">failed</td>", escape(reason)),
        (Outcome::Skipped { reason }, _) => format!("<td title=\"{}\">–</td>", escape(reason)),
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
        let cell = cell(&roll, "method-1");
        assert!(cell.starts_with("<td data-value=\"0.125\" class=\"best\">0.125<span"), "{cell}");
        assert!(cell.contains("0.062") || cell.contains("0.063"), "{cell}");
        assert_eq!(measures(&roll), BY_TRUTH);
        let mut unknown = digits;
        unknown.methods.iter_mut().for_each(|method| method.scores.truncate(1));
        assert_eq!(measures(&unknown), WITHOUT_TRUTH);
    }
}
