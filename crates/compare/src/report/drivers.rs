//! The columns that drive the axes of each map, where columns have names.

use figure::number::count;
use maud::{Markup, html};

use crate::methods::title;
use crate::results::{DatasetResults, MapDrivers, MethodResults};
use crate::views::drivers::axis;

use super::table::{column, scrolled};

/// A column is listed as not shown if the map explains less than this fraction of it.
const HIDDEN: f64 = 0.25;
/// Most columns that are listed as not shown.
const LISTED: usize = 5;

/// A table with the columns that drive the axes of each map, the fraction that the columns explain, and
/// the columns that the map does not show; empty for data without names of columns.
pub(super) fn drivers(results: &DatasetResults) -> Markup {
    let data = &results.data;
    let names = &data.column_names;
    if names.len() != data.points.dim() || names.is_empty() || results.columns != names.len() {
        return Markup::default();
    }
    let heading = html! { h3 { "What drives the maps" } };
    let (points, values) = (MapDrivers::MOST_POINTS, MapDrivers::MOST_VALUES);
    if results.n > points || data.points.view().values().len() > values {
        return html! {
            (heading)
            p class="facts" {
                "Not computed for more than " (count(points)) " rows or " (count(values)) " values; \
                 `compare drivers` computes it for a saved model."
            }
        };
    }
    let found: Vec<(&MethodResults, &MapDrivers)> =
        results.methods.iter().filter_map(|method| Some((method, method.drivers.as_ref()?))).collect();
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
        @for (method, drivers) in &found {
            tr {
                th scope="row" { (title(&method.method)) }
                td {
                    @for (coordinate, found) in drivers.axes.iter().enumerate() {
                        (axis(found, coordinate, names)) " "
                    }
                }
                td { (drivers.certainty.map_or("exact".to_owned(), |median| format!("{median:.2}"))) }
                td { (hidden(names, &drivers.explained)) }
            }
        }
    };
    html! {
        (heading)
        p class="facts" {
            "Local regressions of the map on the columns, per standard deviation of a column. Where R² is low, \
             the columns explain little of the map. Linear maps have exact changes, the same at every point."
        }
        (scrolled("What drives the maps", &head, &rows))
    }
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
