//! The section of a sweep: heat maps, draws, and all numbers.

use figure::grid::MapGrid;
use figure::number::{duration, score};
use figure::{draws_scene, escape, grid_scene, heat_scene};

use crate::results::{MethodCell, Results, Sweep};
use crate::views::sweep::{SHOWN, heads, heat_map, map_grid, measures, sentence};
use crate::views::words;

use super::picture::plot;
use super::table::column;

/// The sections of all sweeps of a run.
pub(super) fn sweeps(results: &Results) -> String {
    results.sweeps.iter().map(section).collect()
}

fn section(sweep: &Sweep) -> String {
    let name = words(&sweep.dataset);
    let measures = measures(sweep);
    let (shown, rest) = measures.split_at(measures.len().min(SHOWN));
    let figures =
        |measures: &[&str]| -> String { measures.iter().map(|measure| figure(sweep, measure)).collect() };
    let more = if rest.is_empty() {
        String::new()
    } else {
        format!(
            "<details><summary>The other measures</summary><div class=\"panels wide\">{}</div></details>\n",
            figures(rest)
        )
    };
    let draws = measures.first().filter(|_| sweep.draws() > 1);
    let draws = draws.map(|measure| stability(sweep, measure)).unwrap_or_default();
    format!(
        "<section id=\"sweep--{id}\">\n<h2>{name}: a sweep</h2>\n<p class=\"facts\">{}. The measures are the same \
         in all of them; what follows below shows the first setting in full.</p>\n{}<div class=\"panels wide\">{}</div>\n\
         {draws}{more}{}</section>\n",
        escape(&sentence(sweep)),
        maps(sweep),
        figures(shown),
        tables(sweep, &measures),
        id = escape(&sweep.dataset),
        name = escape(&name),
    )
}

/// The maps of every method at every setting.
fn maps(sweep: &Sweep) -> String {
    let Some(grid) = map_grid(sweep) else { return String::new() };
    let caption = format!("{}: the map of each method at each setting", words(&sweep.dataset));
    // The page says the settings above.
    let grid = MapGrid { title: String::new(), ..grid };
    format!(
        "<div class=\"panels wide\"><figure class=\"broad\">{}<figcaption class=\"soft small\">{}</figcaption></figure></div>\n",
        plot(&grid_scene(&grid), &caption, &caption),
        escape(&caption)
    )
}

fn figure(sweep: &Sweep, measure: &str) -> String {
    let caption = format!("{}: {}, method by setting", words(&sweep.dataset), words(measure));
    format!(
        "<figure>{}</figure>\n",
        plot(&heat_scene("", "", &[heat_map(sweep, measure)]), &caption, &caption)
    )
}

/// The draws behind the means of a measure.
fn stability(sweep: &Sweep, measure: &str) -> String {
    let caption =
        format!("{}: {} of every draw, with a bar at the mean", words(&sweep.dataset), words(measure));
    format!(
        "<h3>Stability over the draws</h3>\n<div class=\"panels wide\"><figure class=\"broad\">{}<figcaption \
         class=\"soft small\">{}</figcaption></figure></div>\n",
        plot(&draws_scene(&heat_map(sweep, measure)), &caption, &caption),
        escape(&caption)
    )
}

/// Every number, one table per setting.
fn tables(sweep: &Sweep, measures: &[&str]) -> String {
    let tables: String = sweep
        .cells
        .iter()
        .zip(heads(sweep))
        .map(|(cell, head)| {
            let name = head.join(", ");
            let label = if name.is_empty() { "All draws".to_owned() } else { name };
            let head: String = ["method", "maps", "time"].iter().map(|name| column(name, "")).collect();
            let head = head + &measures.iter().map(|name| column(&words(name), "")).collect::<String>();
            let rows: String = cell.methods.iter().map(|method| row(method, measures)).collect();
            format!(
                "<h4>{label}</h4><div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{label}\"><table>\
                 <thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>\n",
                label = escape(&label)
            )
        })
        .collect();
    format!("<details><summary>All numbers of the sweep</summary>{tables}</details>\n")
}

fn row(method: &MethodCell, measures: &[&str]) -> String {
    let cell = |measure: &&str| {
        method.score(measure).map_or_else(
            || "<td>–</td>".to_owned(),
            |values| {
                let spread = values.deviation.map(|deviation| format!(" ± {}", score(deviation)));
                format!(
                    "<td data-value=\"{}\">{}{}</td>",
                    values.mean,
                    score(values.mean),
                    spread.unwrap_or_default()
                )
            },
        )
    };
    let time = method.seconds.as_ref();
    format!(
        "<tr><th scope=\"row\" data-value=\"{name}\">{name}</th><td data-value=\"{done}\"{why}>{done} of {runs}</td>{time}{}</tr>",
        measures.iter().map(cell).collect::<String>(),
        name = escape(&method.method),
        done = method.done,
        runs = method.runs,
        why = method.reason.as_ref().map(|why| format!(" title=\"{}\"", escape(why))).unwrap_or_default(),
        time = time.map_or_else(
            || "<td>–</td>".to_owned(),
            |time| format!("<td data-value=\"{}\">{}</td>", time.mean, duration(time.mean))
        ),
    )
}
