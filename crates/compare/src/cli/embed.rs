//! `compare embed`.

use std::process::ExitCode;

use datasets::files;
use embedding::{Error, PointSet};
use neighbor_graph::Neighbors;

use super::Context;
use super::arguments::Embed;
use super::settings::{self, Common, own};
use super::{input, plot, scaling};
use crate::Failure;
use crate::figure::number::count;
use crate::methods::Input;
use crate::output::{json, write_text};
use crate::run::fit;
use crate::stopwatch::{Stopwatch, Times};

pub(super) fn embed(arguments: &Embed, context: &Context) -> Result<ExitCode, Failure> {
    let method = settings::method(&arguments.method)?;
    let outputs = [
        ("--output", Some(&arguments.output)),
        ("--save", arguments.save.as_ref()),
        ("--report", arguments.report.as_ref()),
        ("--plot", arguments.plot.as_ref()),
    ];
    let outputs = outputs.into_iter().filter_map(|(option, path)| Some((option, path?)));
    input::keep_apart([&arguments.input].into_iter().chain(&arguments.labels), outputs)?;
    arguments.plot.as_deref().map_or(Ok(()), plot::check)?;
    let common = Common::new(arguments.flags, context.memory);
    for name in common.unused(method) {
        context
            .progress
            .line(format!("note: {} has no parameter {name}; --{name} is not used", method.name()));
    }
    let settings = arguments.set.iter().map(|text| own(text)).collect::<Result<Vec<_>, _>>()?;
    let recipe = common.recipe(method, settings.into_iter())?;
    let table = input::read(&arguments.input, arguments.labels.as_deref(), &arguments.reading, context)?;
    let points = table.points.view();
    let labels = table.labels.as_ref();
    context.progress.begin(method.name());
    let search = Stopwatch::start(&context.progress);
    let wish = recipe.neighborhood(points.len());
    let mut neighbors = wish.map(|wish| Neighbors::find(points, wish, &search)).transpose()?;
    if let (Some(stretch), Some(lists)) = (arguments.cut_shortcuts, &mut neighbors) {
        let (rest, shortcuts) = lists.without_shortcuts(stretch, &search)?;
        let cut = shortcuts.len();
        let were = if cut == 1 { "edge was" } else { "edges were" };
        context.progress.line(format!("note: {} shortcut {were} cut", count(cut)));
        *lists = rest;
    }
    let Times { seconds: searched, stages: search, .. } = search.stop();
    let input = Input { points, labels: labels.map(|l| &l.values[..]), neighbors: neighbors.as_ref() };
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
    let saved = || scaling::save(fitted.save()?, table.scaling.as_ref());
    let model = arguments.save.as_ref().map(|path| Ok::<_, Error>((path, saved()?))).transpose()?;
    let coordinates = PointSet::from_mat(fitted.embedding().coordinates.as_ref())?;
    files::write_points(&arguments.output, coordinates.view())?;
    if let Some((path, bytes)) = model {
        files::write_whole(path, |file| file.write_all(&bytes))?;
    }
    if let Some(path) = &arguments.report {
        write_text(path, &json(&row))?;
    }
    if let Some(path) = &arguments.plot {
        let name = input::stem(&arguments.input);
        let title = arguments.title.clone().unwrap_or_else(|| format!("{} of {name}", method.name()));
        plot::write(path, &title, &table.into_dataset(name, ""), &row)?;
    }
    Ok(ExitCode::SUCCESS)
}
