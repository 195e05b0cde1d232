//! Tables and figure of the study.

use figure::number::{count, duration, percent, score};
use figure::{escape, placement_scene};

use crate::results::{Experiment, Placement, Separation, StudyResults};
use crate::views::placement::{caption as placement_caption, page};
use crate::views::scores::{hint, words};

use super::picture::plot;
use super::table::column;

const MEASURES: [&str; 3] = ["knn_accuracy", "silhouette", "trustworthiness"];

/// Tabulates the separation of classes, in the data and in every map.
pub(super) fn separation(study: &StudyResults) -> String {
    let mut head: String = ["data set", "classes", "map", "n"].map(|name| column(name, "")).concat();
    for measure in MEASURES {
        head.push_str(&column(&words(measure), &hint(measure)));
    }
    let rows: String = study.separation.iter().map(|row| line(row, &study.separation)).collect();
    let k = study.separation.first().map_or(10, |row| row.k);
    format!(
        "<section aria-labelledby=\"separation\"><h2 id=\"separation\">Separation of classes</h2>\n<p>\
         Accuracy is that of leave-one-out {k}-NN classification; the \
         silhouette compares the distances to a point’s own class and to the nearest other class (−1 to 1). The first row of each \
         group is the original data. The best map of each group is highlighted.</p>\n\
         <div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Separation\"><table><thead><tr>{head}</tr>\
         </thead><tbody>{rows}</tbody></table></div></section>\n"
    )
}

fn value(row: &Separation, measure: &str) -> Option<f64> {
    match measure {
        "knn_accuracy" => row.knn_accuracy,
        "silhouette" => row.silhouette,
        _ => row.trustworthiness,
    }
}

fn line(row: &Separation, all: &[Separation]) -> String {
    let map = row.method.as_deref().unwrap_or("original data");
    let mut out = format!(
        "<tr><th scope=\"row\" data-value=\"{set}\"><a href=\"#{set}\">{}</a></th>",
        escape(&words(&row.dataset)),
        set = escape(&row.dataset)
    );
    for word in [&row.labels, map] {
        out.push_str(&format!("<td data-value=\"{0}\">{0}</td>", escape(word)));
    }
    out.push_str(&format!("<td data-value=\"{}\">{}</td>", row.n, count(row.n)));
    for measure in MEASURES {
        let maps = all.iter().filter(|other| {
            other.method.is_some() && (&other.dataset, &other.labels) == (&row.dataset, &row.labels)
        });
        let best = quality::measure(measure)
            .and_then(|known| known.better.best(maps.filter_map(|other| value(other, measure))));
        out.push_str(&match value(row, measure) {
            Some(value) => {
                let class = if row.method.is_some() && best == Some(value) { " class=\"best\"" } else { "" };
                format!("<td data-value=\"{value}\"{class}>{}</td>", score(value))
            }
            None => "<td>–</td>".to_owned(),
        });
    }
    out + "</tr>"
}

/// Describes new points in a map.
pub(super) fn placement(study: &StudyResults) -> String {
    let body = match &study.placement {
        Experiment::Done(placement) => figure_and_table(placement),
        Experiment::Failed { reason } => format!("<p>Not done: {}</p>\n", escape(reason)),
    };
    format!("<section id=\"placement\">\n<h2>New points in a map</h2>\n{body}</section>\n")
}

fn figure_and_table(placement: &Placement) -> String {
    let caption = placement_caption(placement);
    let spoken: Vec<String> = placement
        .placed
        .iter()
        .map(|placed| format!("{} by {}", percent(placed.accuracy), placed.by))
        .collect();
    let spoken = format!("{caption} {}-NN accuracy: {}.", placement.k, spoken.join(", "));
    let mut rows = row("original data, new points", placement.new, placement.data_accuracy, "–", "–");
    let made = duration(placement.map.seconds);
    rows += &row("the map, known points", placement.known, placement.map_accuracy, "–", &made);
    for placed in &placement.placed {
        let name = format!("placed by {}", placed.by);
        let training = placed.training_seconds.map_or_else(|| "–".to_owned(), duration);
        rows += &row(&name, placement.new, placed.accuracy, &training, &duration(placed.seconds));
    }
    let head = ["where", "points", &format!("{}-NN accuracy", placement.k), "training", "time"]
        .map(|name| column(name, ""))
        .concat();
    let hidden: Vec<String> = placement.perceptron.hidden.iter().map(|&units| count(units)).collect();
    format!(
        "<p>Optimization minimizes the divergence of each new point independently, in the fixed \
         map. The perceptron ({} rectified linear units, {} of at most {} epochs) was trained on the coordinates of \
         the known points; its validation error is {} in units of the map, {} of the variance.</p>\n<div class=\"panels wide\"><figure class=\"broad\">{}\
         <figcaption class=\"soft small\">{}</figcaption></figure></div>\n\
         <div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"New points\"><table><thead><tr>{head}</tr>\
         </thead><tbody>{rows}</tbody></table></div>\n",
        hidden.join(" and "),
        count(placement.training.iterations()),
        count(placement.perceptron.epochs),
        score(placement.validation.root_mean_square),
        percent(placement.validation.unexplained),
        plot(&placement_scene(&page(placement)), &spoken, &caption),
        escape(&caption),
    )
}

fn row(name: &str, points: usize, accuracy: f64, training: &str, time: &str) -> String {
    format!(
        "<tr><th scope=\"row\">{name}</th><td data-value=\"{points}\">{}</td>\
         <td data-value=\"{accuracy}\">{}</td><td>{training}</td><td>{time}</td></tr>",
        count(points),
        score(accuracy)
    )
}
