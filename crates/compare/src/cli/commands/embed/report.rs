//! The fourth step of `compare embed`: what its report and its notes say beyond the fit itself.

use std::path::Path;

use embedding::DynMethod;
use quality::diagnosis::{collapse, shortcuts as diagnosed};
use serde::Serialize;

use super::arguments::Embed;
use super::read::ReadInput;
use super::search::Search;
use crate::cli::files::outputs::is_array;
use crate::results::MethodResults;
use crate::views::diagnosis::became;

/// What `--report` writes: the fit, and the command line that repeats it.
#[derive(Serialize)]
pub(super) struct Report<'a> {
    pub(super) version: &'static str,
    pub(super) command: String,
    #[serde(flatten)]
    pub(super) row: &'a MethodResults,
}

/// Adds to the row of a fit the facts of reading and neighbor search, and the diagnosis of its map.
pub(super) fn complete(
    row: &mut MethodResults,
    options: &Embed,
    method: &dyn DynMethod,
    (read, search, shortcuts): (&ReadInput, &Search, Option<usize>),
) {
    let searched = search.lists.is_some();
    if matches!(read, ReadInput::Sparse(..)) && searched && options.distance.metric.is_euclidean() {
        row.notes
            .push("shortcut edges are not counted, since that takes the points with their zeros".to_owned());
    }
    if searched {
        row.seconds += search.seconds;
        row.stages.splice(0..0, search.stages.iter().cloned());
    }
    row.left_out_rows = read.left_out();
    row.notes.splice(0..0, search.unrelated.iter().cloned());
    let diagnosis = diagnosed(shortcuts, None, became(options.graph.cut_shortcuts));
    row.notes.splice(0..0, search.recall.iter().cloned().chain(diagnosis));
    let collapsed = row.embedding.as_ref().and_then(collapse);
    row.notes.extend(collapsed);
    let labels = read.table().and_then(|table| table.labels.as_ref());
    let declared = options.unknown.unknown_label.is_some();
    let labels = labels.filter(|_| options.target_column.is_none());
    row.notes.extend(labels.and_then(|labels| of_labels(method, &labels.classes, declared)));
}

/// Where the rows of a map are listed that has some of the points only.
pub(super) fn listed_rows(row: &MethodResults, output: &Path) -> Option<String> {
    row.facts.get("rows")?;
    if !is_array(output) {
        return Some(
            "the output has no row for points that were not placed; its column `row` has the rows of the file \
             of the others, counted from 0"
                .to_owned(),
        );
    }
    let among =
        if row.left_out_rows.is_empty() { "" } else { " among those that left_out_rows does not list" };
    Some(format!(
        "the output has no row for points that were not placed; facts.rows of --report lists the rows of the \
         others, counted from 0{among}"
    ))
}

/// Labels that often stand for unknown classes.
const UNKNOWN: [&str; 5] = ["-1", "?", "unknown", "nan", "none"];

/// A note on a method that may use labels: that it does not use them, or that the name of a class
/// looks as if it stood for unknown classes.
fn of_labels(method: &dyn DynMethod, classes: &[String], declared: bool) -> Option<String> {
    let name = method.label_parameter()?;
    let weight = method.parameters().into_iter().find(|parameter| parameter.name == name)?;
    if weight.value == weight.default {
        return Some(format!(
            "labels do not change the map; with `--set {name}=0.5` they do, and then classes that are separated, even \
             random ones, show nothing about the data"
        ));
    }
    let word = classes.iter().find(|class| UNKNOWN.contains(&class.to_lowercase().as_str()))?;
    (!declared).then(|| {
        format!(
            "the label `{word}` is a class like the others; `--unknown-label {word}` makes it an unknown one"
        )
    })
}
