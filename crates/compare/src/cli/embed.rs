//! `compare embed`.

use std::process::ExitCode;

use datasets::files;
use embedding::{Error, Input, PointSet};
use neighbor_graph::{find_neighbors, without_shortcuts};

use super::Context;
use super::arguments::Embed;
use super::settings::{Common, input_settings, own};
use crate::Failure;
use crate::methods::find;
use crate::output::{json, write_text};
use crate::run::fit;
use crate::stopwatch::{Stopwatch, Times};

pub(super) fn embed(arguments: &Embed, context: &Context) -> Result<ExitCode, Failure> {
    let method = find(&arguments.method)?;
    let common = Common::new(arguments.flags);
    for name in common.unused(method.as_ref()) {
        context
            .progress
            .line(format!("note: {} has no parameter {name}; --{name} is not used", method.about().name));
    }
    let settings = arguments.set.iter().map(|text| own(text)).collect::<Result<Vec<_>, _>>()?;
    let (settings, given) = input_settings(settings, context.memory)?;
    let method = common.configured(method, settings.into_iter())?;
    let table = files::read_points(&arguments.input, context.memory)?;
    let points = table.points.view();
    let labels =
        arguments.labels.as_ref().map(|path| files::read_labels(path, context.memory)).transpose()?;
    context.progress.begin(method.about().name);
    let search = Stopwatch::start(&context.progress);
    let wish = method.neighborhood_dyn(points.len());
    let mut neighbors = wish.map(|wish| find_neighbors(points, wish, &search)).transpose()?;
    if let (Some(stretch), Some(lists)) = (arguments.cut_shortcuts, &mut neighbors) {
        let (rest, shortcuts) = without_shortcuts(lists, stretch, &search)?;
        context.progress.line(format!("note: {} shortcuts were cut", shortcuts.len()));
        *lists = rest;
    }
    let Times { seconds: searched, stages: search, .. } = search.stop();
    let mut input = Input::from(points).memory_limit(given.memory);
    if let Some(labels) = &labels {
        input = input.labels(&labels.values);
    }
    if let Some(neighbors) = &neighbors {
        input = input.neighbors(neighbors);
    }
    let (mut row, fitted) = fit(method.as_ref(), &input, &context.progress);
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
    let coordinates = PointSet::from_mat(fitted.embedding().coordinates())?;
    files::write_points(&arguments.output, coordinates.view())?;
    if let Some((path, bytes)) = model {
        files::write_whole(path, |file| file.write_all(&bytes))?;
    }
    if let Some(path) = &arguments.report {
        write_text(path, &json(&row))?;
    }
    Ok(ExitCode::SUCCESS)
}
