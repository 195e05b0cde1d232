//! The section of one data set: figures, tables and parameters.

use embedding::PerPoint;
use figure::cloud::input_rows;
use figure::number::{count, score};
use figure::panel::data_caption;
use figure::{
    Scene,
    paint::Paint,
    panel::{Thumbnails, data_scene, panel_scene},
};
use maud::{Markup, html};

use crate::methods::title;
use crate::results::{DatasetResults, MethodResults, Outcome, Score};
use crate::views::axes::most_trusted;
use crate::views::panel::{content, effort, method_caption};
use crate::views::scores::{Standing, chief};
use crate::views::spectra::eigenvalues;
use crate::views::words;
use crate::views::{axes, dataset, diagnosis};

use super::extra_figures::extra_figures;
use super::legend::legend;
use super::picture::{map, plot, spectrum, unfolded};
use super::{drivers, live_page, recipes, stages, table, trust};

/// Size of a panel in page pixels, before scaling.
const PANEL: [f64; 2] = [320.0, 240.0];

/// Writes the section of a data set, with a link where the report has a lab;
/// `stage_names` are the stages on the whole page.
pub(super) fn section(results: &DatasetResults, stage_names: &[&str], has_lab: bool) -> Markup {
    let paints = Paint::all(&results.data);
    let Some((first, others)) = paints.split_first() else { return Markup::default() };
    html! {
        section id=(results.name) {
            (introduction(results))
            @if has_lab { (live_page::link(results)) }
            div class=(panels(results)) {
                (data_figure(results, first))
                @for method in &results.methods { (method_figure(results, method, first)) }
            }
            (trust::trusted(results))
            (table::table(results))
            (drivers::drivers(results))
            (policies(results, first))
            (galleries(results, first))
            (extra_figures(results, first))
            (colorings(results))
            @for paint in others { (repainted(results, paint)) }
            (stages::stages(results, stage_names))
            (recipes::recipes(results))
        }
    }
}

fn introduction(results: &DatasetResults) -> Markup {
    html! {
        h2 { (words(&results.name)) }
        p { (results.shows) }
        p class="facts" {
            (count(results.n)) " points in " (count(results.columns)) " dimensions" (dataset::noise(results))
            (dataset::sample(results)) ". " (dataset::note(results))
        }
        @if let Some(story) = dataset::expected(results) {
            p class="failure" { b { "Expected to fail." } " " (story) }
        }
    }
}

/// The class of the panels of all methods: few are larger.
fn panels(results: &DatasetResults) -> &'static str {
    if unfolded(results) { "panels few" } else { "panels" }
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

fn data_figure(results: &DatasetResults, paint: &Paint) -> Markup {
    let caption = data_caption(&results.data, results.columns);
    let scene = data_scene(&results.data, paint, 1.5 * PANEL[0], 1.4 * PANEL[1]);
    let alternative = format!("{}: {caption}, colored by {}", words(&results.name), paint.title);
    html! {
        figure class="data" {
            (map(&scene, &alternative, &caption))
            figcaption { span class="soft" { (caption) } (legend(paint)) }
        }
    }
}

fn method_figure(results: &DatasetResults, method: &MethodResults, paint: &Paint) -> Markup {
    let identifier = format!("{}--{}", results.name, method.method.replace(' ', "-"));
    let time = effort(results, method);
    let title = title(&method.method);
    let name = html! { div class="name" { h4 { (title) } span class="time" { (time) } } };
    if method.embedding.is_none() {
        let skipped = matches!(method.outcome, Outcome::Skipped { .. });
        let reason = method.outcome.reason().unwrap_or("the coordinates were not stored");
        return html! {
            figure id=(identifier) class=[skipped.then_some("skipped")] {
                div class="reason" { strong { @if skipped { "not applicable" } @else { "failed" } } (reason) }
                figcaption { (name) }
            }
        };
    }
    let scene = method_scene(results, method, paint, Thumbnails::None, PANEL[0], PANEL[1]);
    let caption = format!("{title} on {}, {time}", words(&results.name));
    html! {
        figure id=(identifier) {
            (map(&scene, &text_alternative(method), &caption))
            figcaption {
                (name)
                div class="under" {
                    (scores(results, method))
                    @if let Some(values) = eigenvalues(method) { (spectrum(&values)) }
                }
                (notes(results, method))
            }
        }
    }
}

/// Returns a text alternative: the caption with the main scores.
fn text_alternative(method: &MethodResults) -> String {
    let scores =
        chief(method).into_iter().map(|found| format!("{} {}", words(&found.measure), score(found.value)));
    [method_caption(method)].into_iter().chain(scores).collect::<Vec<_>>().join("; ")
}

fn scores(results: &DatasetResults, method: &MethodResults) -> Markup {
    let item = |found: &Score| {
        let standing = Standing::of(&results.methods, method, &found.measure);
        html! {
            div class=[standing.leads().then_some("best")] {
                dt { (words(&found.measure)) }
                dd { (score(found.value)) (standing.mark()) }
            }
        }
    };
    html! { dl class="scores" { @for found in chief(method) { (item(found)) } } }
}

fn notes(results: &DatasetResults, method: &MethodResults) -> Markup {
    let diagnosis = diagnosis::of_map(results, method);
    if method.notes.is_empty() && diagnosis.is_empty() {
        return Markup::default();
    }
    html! { ul class="notes" { @for note in method.notes.iter().chain(&diagnosis) { li { (note) } } } }
}

/// Draws every method that refuses a disconnected graph under each policy for components.
fn policies(results: &DatasetResults, paint: &Paint) -> Markup {
    if results.policies.is_empty() {
        return Markup::default();
    }
    let figure = |row: &MethodResults| {
        method_figure(results, &MethodResults { method: dataset::by_policy(row), ..row.clone() }, paint)
    };
    html! {
        h3 { "What each policy for components does" }
        div class="panels" { @for row in &results.policies { (figure(row)) } }
    }
}

/// Draws, for image data, the two maps of highest trustworthiness: with images along their
/// axes, outside the area of the map, and with images instead of the points.
fn galleries(results: &DatasetResults, paint: &Paint) -> Markup {
    let chosen = most_trusted(results);
    if chosen.is_empty() {
        return Markup::default();
    }
    let figure = |scene: &Scene, caption: &str| {
        html! { figure { (plot(scene, caption, caption)) figcaption class="soft" { (caption) } } }
    };
    let along = |method: &MethodResults| {
        axes::scene(results, method, paint).map(|scene| figure(&scene, &axes::title(results, method)))
    };
    let at = |method: &MethodResults| {
        let thumbnails = Thumbnails::Side { side: 28.0, pitch: 1.1 };
        let scene = method_scene(results, method, paint, thumbnails, 800.0, 600.0);
        figure(&scene, &format!("{}: images at their map positions", title(&method.method)))
    };
    html! {
        h3 { "Images along the axes" }
        div class="panels wide" { @for shown in chosen.iter().filter_map(|method| along(method)) { (shown) } }
        h3 { "Images at their map positions" }
        div class="panels wide" { @for method in &chosen { (at(method)) } }
    }
}

/// Panels colored by values that the methods offer.
fn colorings(results: &DatasetResults) -> Markup {
    let figure = |method: &MethodResults, rows: &[usize], coloring: &PerPoint| {
        let paint = Paint::placed(&coloring.title, &coloring.values, rows, results.n);
        colored(results, method, &paint, &coloring.title, legend(&paint))
    };
    let figures = html! {
        @for method in &results.methods {
            @if let Some(embedding) = &method.embedding {
                @for coloring in &method.colors { (figure(method, &input_rows(embedding), coloring)) }
            }
        }
    };
    if figures.0.is_empty() {
        return figures;
    }
    html! {
        h3 { "Colored by results of the methods" }
        div class="panels" { (figures) }
    }
}

/// Draws all panels in another coloring, collapsed if there are many.
fn repainted(results: &DatasetResults, paint: &Paint) -> Markup {
    html! {
        details open[unfolded(results)] {
            summary { "The same colored by " (paint.title) }
            (legend(paint))
            div class=(panels(results)) {
                @for method in results.methods.iter().filter(|method| method.embedding.is_some()) {
                    (colored(results, method, paint, &paint.title, Markup::default()))
                }
            }
        }
    }
}

/// Draws the panel of a method in a coloring, with its legend.
pub(super) fn colored(
    results: &DatasetResults,
    method: &MethodResults,
    paint: &Paint,
    coloring: &str,
    legend: Markup,
) -> Markup {
    let scene = method_scene(results, method, paint, Thumbnails::None, PANEL[0], PANEL[1]);
    let name = title(&method.method);
    let caption = format!("{name} by {coloring}");
    html! {
        figure {
            (map(&scene, &caption, &caption))
            figcaption { h4 { (name) } (legend) }
        }
    }
}
