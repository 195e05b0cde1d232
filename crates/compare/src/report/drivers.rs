//! The columns that drive the axes of each map, where columns have names.

use embedding::Input;
use figure::number::count;
use maud::{Markup, html};
use quality::drivers::{Drivers, MapGradients, Unit, explained_columns};

use crate::results::{DatasetResults, MethodResults};
use crate::views::drivers::axis;

use super::table::{column, scrolled};

/// Most points, and most values of the data, for which the regressions are computed.
const MOST_POINTS: usize = 5000;
const MOST_VALUES: usize = 500_000;
/// A column is listed as not shown if the map explains less than this fraction of it.
const HIDDEN: f64 = 0.25;
/// Most of these that are listed.
const LISTED: usize = 5;

/// A table with the columns that drive the axes of each map, the fraction that the columns explain, and
/// the columns that the map does not show; empty for data without names of columns.
pub(super) fn drivers(results: &DatasetResults) -> Markup {
    let data = &results.data;
    let names = &data.column_names;
    if names.len() != data.points.dim() || names.is_empty() || results.columns != names.len() {
        return Markup::default();
    }
    let title = html! { h3 { "What drives the maps" } };
    if results.n > MOST_POINTS || data.points.view().values().len() > MOST_VALUES {
        return html! {
            (title)
            p class="facts" {
                "Not computed for more than " (count(MOST_POINTS)) " rows or " (count(MOST_VALUES)) " values; \
                 `compare drivers` computes it for a saved model."
            }
        };
    }
    let found: Vec<(&MethodResults, MapGradients, Vec<f64>)> =
        results.methods.iter().filter_map(|method| of_method(results, method)).collect();
    if found.is_empty() {
        return Markup::default();
    }
    let head = html! {
        (column("method", ""))
        (column("axes", ""))
        (column("R²", "median fraction of the places of neighbors that the columns predict, for neighbors left out"))
        (column("columns not shown", "the map explains less than a quarter of these columns"))
    };
    let rows = html! {
        @for (method, gradients, explained) in &found {
            tr {
                th scope="row" { (method.method) }
                td {
                    @for coordinate in 0..gradients.dim() {
                        (axis(gradients, coordinate, names, Unit::Deviation)) " "
                    }
                }
                td { (format!("{:.2}", gradients.median_certainty())) }
                td { (hidden(names, explained)) }
            }
        }
    };
    html! {
        (title)
        p class="facts" {
            "Local regressions of the map on the columns, per standard deviation of a column. Where R² is low, \
             the columns explain little of the map."
        }
        (scrolled("What drives the maps", &head, &rows))
    }
}

/// The gradients of a map and the fractions of the columns that it explains; `None` where they are
/// undefined.
fn of_method<'a>(
    results: &DatasetResults,
    method: &'a MethodResults,
) -> Option<(&'a MethodResults, MapGradients, Vec<f64>)> {
    let map = method.embedding.as_ref()?;
    let input = Input::from(&results.data.points);
    let gradients = Drivers::default().of_map(map, &input).ok()?;
    let explained = explained_columns(map, &input).ok()?;
    Some((method, gradients, explained.local().to_vec()))
}

/// The columns that a map hardly explains.
fn hidden(names: &[String], explained: &[f64]) -> String {
    let hidden: Vec<&str> = names
        .iter()
        .zip(explained)
        .filter(|(_, fraction)| **fraction < HIDDEN)
        .map(|(name, _)| name.as_str())
        .collect();
    let more = if hidden.len() > LISTED { ", …" } else { "" };
    hidden[..hidden.len().min(LISTED)].join(", ") + more
}
