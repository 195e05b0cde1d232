//! `compare embed`.

use std::process::ExitCode;

use datasets::files;
use embedding::PointSet;
use neighbor_graph::Neighbors;

use super::Context;
use super::arguments::Embed;
use super::settings::{Common, own};
use crate::Failure;
use crate::methods::{Input, find};
use crate::output::{json, write_text};
use crate::run::fit;
use crate::stopwatch::Stopwatch;

pub(super) fn embed(arguments: &Embed, context: &Context) -> Result<ExitCode, Failure> {
    let method = find(&arguments.method)?;
    let common = Common::new(None, None, None, context.memory);
    // Flags that this method has no parameter for are refused, not ignored.
    let flags = [
        ("k", arguments.k.map(|k| k.to_string())),
        ("dim", arguments.dim.map(|dim| dim.to_string())),
        ("seed", arguments.seed.map(|seed| seed.to_string())),
    ];
    let flags = flags.into_iter().filter_map(|(name, value)| Some(format!("{name}={}", value?)));
    let settings: Vec<String> = flags.chain(arguments.set.iter().cloned()).collect();
    let settings = settings.iter().map(|text| own(text)).collect::<Result<Vec<_>, _>>()?;
    let recipe = common.recipe(method, settings.into_iter())?;
    let table = files::read_points(&arguments.input, context.memory)?;
    let points = table.points.view();
    let labels =
        arguments.labels.as_ref().map(|path| files::read_labels(path, context.memory)).transpose()?;
    context.progress.begin(method.name());
    let search = Stopwatch::start(&context.progress);
    let neighbors = recipe.neighborhood().map(|wish| Neighbors::find(points, wish, &search)).transpose()?;
    let (searched, search) = search.stop();
    let input =
        Input { points, labels: labels.as_ref().map(|l| &l.values[..]), neighbors: neighbors.as_ref() };
    let (mut row, fitted) = fit(recipe.as_ref(), input, &context.progress);
    context.progress.end();
    if neighbors.is_some() {
        row.seconds += searched;
        row.stages.splice(0..0, search);
    }
    for note in &row.notes {
        context.progress.line(format!("note: {note}"));
    }
    let fitted = fitted?;
    let coordinates = PointSet::from_mat(fitted.embedding().coordinates.as_ref())?;
    files::write_points(&arguments.output, coordinates.view())?;
    if let Some(path) = &arguments.report {
        write_text(path, &json(&row))?;
    }
    Ok(ExitCode::SUCCESS)
}
