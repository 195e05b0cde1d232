//! The section of a sweep: heat maps, draws, and all numbers.

use figure::grid::MapGrid;
use figure::number::{duration, score};
use figure::{
    grid::grid_scene,
    heat::{draws_scene, heat_scene},
};
use maud::{Markup, html};

use crate::results::{MethodCell, Results, Statistics, Sweep};
use crate::views::sweep::{SHOWN, heads, heat_map, map_grid, measures, sentence};
use crate::views::words;

use super::picture::{captioned, plot};
use super::table::{column, scrolled};

/// The sections of all sweeps of a run.
pub(super) fn sweeps(results: &Results) -> Markup {
    html! { @for sweep in &results.sweeps { (section(sweep)) } }
}

fn section(sweep: &Sweep) -> Markup {
    let measures = measures(sweep);
    let (shown, rest) = measures.split_at(measures.len().min(SHOWN));
    let drawn = measures.first().filter(|_| sweep.draws() > 1);
    html! {
        section id={ "sweep--" (sweep.dataset) } {
            h2 { (words(&sweep.dataset)) ": a sweep" }
            p class="facts" {
                (sentence(sweep)) ". The measures are the same in all of them; what follows below shows the first \
                 setting in full."
            }
            (maps(sweep))
            div class="panels wide" { @for measure in shown { (figure(sweep, measure)) } }
            @if let Some(measure) = drawn { (stability(sweep, measure)) }
            @if !rest.is_empty() {
                details {
                    summary { "The other measures" }
                    div class="panels wide" { @for measure in rest { (figure(sweep, measure)) } }
                }
            }
            (tables(sweep, &measures))
        }
    }
}

/// The maps of every method at every setting.
fn maps(sweep: &Sweep) -> Markup {
    let Some(grid) = map_grid(sweep) else { return Markup::default() };
    let caption = format!("{}: the map of each method at each setting", words(&sweep.dataset));
    // The page says the settings above.
    let grid = MapGrid { title: String::new(), ..grid };
    html! {
        div class="panels wide" { (captioned(&grid_scene(&grid), &caption, &caption, Some("broad"))) }
    }
}

fn figure(sweep: &Sweep, measure: &str) -> Markup {
    let caption = format!("{}: {}, method by setting", words(&sweep.dataset), words(measure));
    html! {
        figure { (plot(&heat_scene("", "", &[heat_map(sweep, measure)]), &caption, &caption)) }
    }
}

/// The draws behind the means of a measure.
fn stability(sweep: &Sweep, measure: &str) -> Markup {
    let caption =
        format!("{}: {} of every draw, with a bar at the mean", words(&sweep.dataset), words(measure));
    html! {
        h3 { "Stability over the draws" }
        div class="panels wide" {
            (captioned(&draws_scene(&heat_map(sweep, measure)), &caption, &caption, Some("broad")))
        }
    }
}

/// Every number, one table per setting.
fn tables(sweep: &Sweep, measures: &[&str]) -> Markup {
    let head = html! {
        @for name in ["method", "maps", "time"] { (column(name, "")) }
        @for name in measures { (column(&words(name), "")) }
    };
    html! {
        details {
            summary { "All numbers of the sweep" }
            @for (cell, settings) in sweep.cells.iter().zip(heads(sweep)) {
                @let label = if settings.is_empty() { "All draws".to_owned() } else { settings.join(", ") };
                @let rows = html! { @for method in &cell.methods { (row(method, measures)) } };
                h4 { (label) }
                (scrolled(&label, &head, &rows))
            }
        }
    }
}

fn row(method: &MethodCell, measures: &[&str]) -> Markup {
    let MethodCell { method: name, done, runs, reason, .. } = method;
    html! {
        tr {
            th scope="row" data-value=(name) { (name) }
            td data-value=(done) title=[reason.as_ref()] { (done) " of " (runs) }
            (cell(method.seconds.as_ref(), |time| duration(time.mean)))
            @for measure in measures { (cell(method.score(measure), mean_and_spread)) }
        }
    }
}

fn cell(values: Option<&Statistics>, shown: impl Fn(&Statistics) -> String) -> Markup {
    html! {
        @match values {
            Some(values) => td data-value=(values.mean) { (shown(values)) },
            None => td { "–" },
        }
    }
}

fn mean_and_spread(values: &Statistics) -> String {
    let spread = values.deviation.map(|deviation| format!(" ± {}", score(deviation)));
    score(values.mean) + &spread.unwrap_or_default()
}
