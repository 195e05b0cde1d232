//! `compare embed`.

use std::process::ExitCode;

use datasets::files;
use embedding::{Error, PointSet};
use neighbor_graph::Neighbors;

use super::Context;
use super::arguments::Embed;
use super::settings::{Common, own};
use crate::Failure;
use crate::methods::{Input, find};
use crate::output::{json, write_text};
use crate::run::fit;
use crate::stopwatch::{Stopwatch, Times};

pub(super) fn embed(arguments: &Embed, context: &Context) -> Result<ExitCode, Failure> {
    let method = find(&arguments.method)?;
    let common = Common::new(arguments.flags, context.memory);
    for name in common.unused(method) {
        context
            .progress
            .line(format!("note: {} has no parameter {name}; --{name} is not used", method.name()));
    }
    let settings = arguments.set.iter().map(|text| own(text)).collect::<Result<Vec<_>, _>>()?;
    let recipe = common.recipe(method, settings.into_iter())?;
    let table = files::read_points(&arguments.input, context.memory)?;
    let points = table.points.view();
    let labels =
        arguments.labels.as_ref().map(|path| files::read_labels(path, context.memory)).transpose()?;
    context.progress.begin(method.name());
    let search = Stopwatch::start(&context.progress);
    let neighborhood = recipe.neighborhood(points.len());
    let mut neighbors =
        neighborhood.map(|neighborhood| Neighbors::find(points, neighborhood, &search)).transpose()?;
    if let (Some(stretch), Some(lists)) = (arguments.cut_shortcuts, &mut neighbors) {
        let (rest, shortcuts) = lists.without_shortcuts(stretch, &search)?;
        context.progress.line(match shortcuts.len() {
            1 => "note: 1 shortcut edge was removed".to_owned(),
            count => format!("note: {count} shortcut edges were removed"),
        });
        *lists = rest;
    }
    let Times { seconds: searched, stages: search, .. } = search.stop();
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
    let model = arguments.save.as_ref().map(|path| Ok::<_, Error>((path, fitted.save()?))).transpose()?;
    let coordinates = PointSet::from_mat(fitted.embedding().coordinates.as_ref())?;
    files::write_points(&arguments.output, coordinates.view())?;
    if let Some((path, bytes)) = model {
        files::write_whole(path, |file| file.write_all(&bytes))?;
    }
    if let Some(path) = &arguments.report {
        write_text(path, &json(&row))?;
    }
    Ok(ExitCode::SUCCESS)
}
