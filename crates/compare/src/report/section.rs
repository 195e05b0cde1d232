//! The section of one data set: figures, tables and parameters.

use embedding::Error;
use figure::cloud::input_rows;
use figure::number::{count, score};
use figure::panel::data_caption;
use figure::{Paint, Scene, Thumbnails, data_scene, escape, panel_scene};

use crate::results::{DatasetResults, MethodResults, Outcome, Score};
use crate::views::axes::most_trusted;
use crate::views::panel::{content, effort, method_caption};
use crate::views::scores::{Standing, chief};
use crate::views::spectra::eigenvalues;
use crate::views::words;
use crate::views::{axes, dataset, diagnosis};

use super::extras::extras;
use super::legend::legend;
use super::picture::{plot, spectrum};
use super::{live, recipes, stages, table};

/// Size of a panel in page pixels, before scaling.
const PANEL: [f64; 2] = [320.0, 240.0];

/// Largest number of methods for which panels are large and all figures are expanded.
pub(super) const UNFOLDED: usize = 4;

/// Writes the section of a data set, with a link where there is a lab beside the report;
/// `stage_names` are those of the whole page.
pub(super) fn section(
    results: &DatasetResults,
    stage_names: &[&str],
    has_lab: bool,
) -> Result<String, Error> {
    let name = escape(&results.name);
    let paints = Paint::all(&results.data);
    let mut out = format!(
        "<section id=\"{name}\">\n<h2>{}</h2>\n<p>{}</p>\n<p class=\"facts\">{} points in {} dimensions{}{}. {}</p>\n",
        escape(&words(&results.name)),
        escape(&results.shows),
        count(results.n),
        count(results.columns),
        dataset::noise(results),
        dataset::sample(results),
        escape(&dataset::note(results)),
    );
    if let Some(story) = dataset::expected(results) {
        out.push_str(&format!("<p class=\"failure\"><b>Expected to fail.</b> {}</p>\n", escape(story)));
    }
    if has_lab {
        out.push_str(&live::link(results));
    }
    let few = if results.methods.len() <= UNFOLDED { " few" } else { "" };
    out.push_str(&format!("<div class=\"panels{few}\">\n"));
    out.push_str(&data_figure(results, &paints[0]));
    for method in &results.methods {
        out.push_str(&method_figure(results, method, &paints[0]));
    }
    out.push_str("</div>\n");
    out.push_str(&table::table(results));
    out.push_str(&policies(results, &paints[0]));
    out.push_str(&galleries(results, &paints[0]));
    out.push_str(&extras(results, &paints[0]));
    out.push_str(&colorings(results));
    for paint in &paints[1..] {
        out.push_str(&repainted(results, paint));
    }
    out.push_str(&stages::stages(results, stage_names));
    out.push_str(&recipes::recipes(results));
    out.push_str("</section>\n");
    Ok(out)
}

fn method_scene(
    results: &DatasetResults,
    method: &MethodResults,
    paint: &Paint,
    thumbnails: Thumbnails,
    width: f64,
    height: f64,
) -> Scene {
    panel_scene(&results.data, content(method), paint, thumbnails, width, height)
}

fn data_figure(results: &DatasetResults, paint: &Paint) -> String {
    let caption = data_caption(&results.data, results.columns);
    let scene = data_scene(&results.data, paint, 1.5 * PANEL[0], 1.4 * PANEL[1]);
    let words = format!("{}: {caption}, colored by {}", words(&results.name), paint.title);
    format!(
        "<figure class=\"data\">{}<figcaption><span class=\"soft\">{}</span>{}</figcaption></figure>\n",
        plot(&scene, &words, &caption),
        escape(&caption),
        legend(paint)
    )
}

fn method_figure(results: &DatasetResults, method: &MethodResults, paint: &Paint) -> String {
    let identifier = escape(&format!("{}--{}", results.name, method.method.replace(' ', "-")));
    let skipped = matches!(method.outcome, Outcome::Skipped { .. });
    let time = effort(results, method);
    let name = format!(
        "<div class=\"name\"><h4>{}</h4><span class=\"time\">{time}</span></div>",
        escape(&method.method)
    );
    if method.embedding.is_none() {
        let (class, word) = if skipped { (" class=\"skipped\"", "not applicable") } else { ("", "failed") };
        let reason = escape(method.outcome.reason().unwrap_or("the coordinates were not stored"));
        return format!(
            "<figure id=\"{identifier}\"{class}><div class=\"reason\"><strong>{word}</strong>{reason}</div>\
             <figcaption>{name}</figcaption></figure>\n"
        );
    }
    let scene = method_scene(results, method, paint, Thumbnails::None, PANEL[0], PANEL[1]);
    let caption = format!("{} on {}, {time}", method.method, words(&results.name));
    let bars = eigenvalues(method).map(|values| spectrum(&values)).unwrap_or_default();
    format!(
        "<figure id=\"{identifier}\">{}<figcaption>{name}<div class=\"under\">{}{bars}</div>{}</figcaption></figure>\n",
        plot(&scene, &spoken(method), &caption),
        scores(results, method),
        notes(results, method)
    )
}

/// Returns a text alternative: the caption with the main scores.
fn spoken(method: &MethodResults) -> String {
    let scores =
        chief(method).into_iter().map(|found| format!("{} {}", words(&found.measure), score(found.value)));
    [method_caption(method)].into_iter().chain(scores).collect::<Vec<_>>().join("; ")
}

fn scores(results: &DatasetResults, method: &MethodResults) -> String {
    let item = |found: &Score| {
        let standing = Standing::of(&results.methods, method, &found.measure);
        let class = if standing.leads() { " class=\"best\"" } else { "" };
        format!(
            "<div{class}><dt>{}</dt><dd>{}{}</dd></div>",
            escape(&words(&found.measure)),
            score(found.value),
            standing.mark()
        )
    };
    let items: String = chief(method).into_iter().map(item).collect();
    format!("<dl class=\"scores\">{items}</dl>")
}

fn notes(results: &DatasetResults, method: &MethodResults) -> String {
    let diagnosis = diagnosis::of_map(results, method);
    let notes = method.notes.iter().chain(&diagnosis);
    let items: String = notes.map(|note| format!("<li>{}</li>", escape(note))).collect();
    if items.is_empty() {
        return items;
    }
    format!("<ul class=\"notes\">{items}</ul>")
}

/// Draws every method that refuses a disconnected graph under each policy for components.
fn policies(results: &DatasetResults, paint: &Paint) -> String {
    if results.policies.is_empty() {
        return String::new();
    }
    let figure = |row: &MethodResults| {
        method_figure(results, &MethodResults { method: dataset::by_policy(row), ..row.clone() }, paint)
    };
    let figures: String = results.policies.iter().map(figure).collect();
    format!("<h3>What each policy for components does</h3>\n<div class=\"panels\">{figures}</div>\n")
}

/// Draws, for image data, the two maps of highest trustworthiness: with images along their
/// axes, beside which the map is not covered, and with images in place of the points.
fn galleries(results: &DatasetResults, paint: &Paint) -> String {
    let chosen = most_trusted(results);
    if chosen.is_empty() {
        return String::new();
    }
    let figure = |scene: &Scene, caption: &str| {
        let shown = plot(scene, caption, caption);
        format!("<figure>{shown}<figcaption class=\"soft\">{}</figcaption></figure>\n", escape(caption))
    };
    let along = |method: &&MethodResults| {
        let scene = axes::scene(results, method, paint)?;
        Some(figure(&scene, &axes::title(results, method)))
    };
    let at = |method: &&MethodResults| {
        let thumbnails = Thumbnails::Side { side: 28.0, pitch: 1.1 };
        let scene = method_scene(results, method, paint, thumbnails, 800.0, 600.0);
        figure(&scene, &format!("{}: images at their map positions", method.method))
    };
    let (along, at): (String, String) =
        (chosen.iter().filter_map(along).collect(), chosen.iter().map(at).collect());
    format!(
        "<h3>Images along the axes</h3>\n<div class=\"panels wide\">{along}</div>\n\
         <h3>Images at their map positions</h3>\n<div class=\"panels wide\">{at}</div>\n"
    )
}

/// Panels colored by values that the methods offer.
fn colorings(results: &DatasetResults) -> String {
    let mut figures = String::new();
    for method in &results.methods {
        let Some(embedding) = &method.embedding else { continue };
        for coloring in &method.colors {
            let rows = input_rows(embedding);
            let paint = Paint::placed(&coloring.title, &coloring.values, &rows, results.n);
            let scene = method_scene(results, method, &paint, Thumbnails::None, PANEL[0], PANEL[1]);
            let caption = format!("{} by {}", method.method, coloring.title);
            figures.push_str(&format!(
                "<figure>{}<figcaption><h4>{}</h4>{}</figcaption></figure>\n",
                plot(&scene, &caption, &caption),
                escape(&method.method),
                legend(&paint)
            ));
        }
    }
    if figures.is_empty() {
        return String::new();
    }
    format!("<h3>Colored by results of the methods</h3>\n<div class=\"panels\">{figures}</div>\n")
}

/// Draws all panels in another coloring, collapsed if there are many.
fn repainted(results: &DatasetResults, paint: &Paint) -> String {
    let figure = |method: &MethodResults| {
        let scene = method_scene(results, method, paint, Thumbnails::None, PANEL[0], PANEL[1]);
        let caption = format!("{} by {}", method.method, paint.title);
        let name = escape(&method.method);
        format!(
            "<figure>{}<figcaption><h4>{name}</h4></figcaption></figure>\n",
            plot(&scene, &caption, &caption)
        )
    };
    let figures: String = results.methods.iter().filter(|m| m.embedding.is_some()).map(figure).collect();
    let [open, few] = if results.methods.len() <= UNFOLDED { [" open", " few"] } else { [""; 2] };
    format!(
        "<details{open}><summary>The same colored by {}</summary>{}<div class=\"panels{few}\">{figures}</div></details>\n",
        escape(&paint.title),
        legend(paint)
    )
}
