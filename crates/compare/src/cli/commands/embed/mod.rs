//! `compare embed`: reads points, searches their neighbors, fits one method, and reports and writes
//! the map.

pub(super) mod arguments;
mod earlier;
mod extension;
mod fit_on;
mod read;
mod report;
mod search;
mod task;
mod write;

use std::process::ExitCode;

use datasets::Labels;

use self::arguments::Embed;
use self::fit_on::Sample;
use self::read::ReadInput;
use self::search::Search;
use self::task::Task;
use crate::Failure;
use crate::cli::context::Context;
use crate::cli::files::embed_input::EmbedInput;
use crate::methods::has;
use crate::run::{Eigenvalues, fit};

/// Runs the command.
pub(super) fn embed(options: &Embed, context: &Context) -> Result<ExitCode, Failure> {
    let task = Task::new(options, context)?;
    let method = task.method.as_ref();
    let (read, of_data) = ReadInput::read(options, &task, context)?;
    let classes = read.labels().map(Labels::known);
    let targets = read.targets(options);
    let sample = draw(options, &read, (classes.as_deref(), targets.as_deref()))?;
    let data = read.embed_input(options, &task, sample.as_ref())?;
    let mut input = data.input().with_memory_limit(task.input.memory).with_metric(options.distance.metric);
    if let Some(labels) = sample.as_ref().map_or(classes.as_deref(), |sample| sample.labels.as_deref()) {
        input = input.with_partial_labels(labels);
    }
    if let Some(weights) = read.table().and_then(|table| table.row_weights.as_deref()) {
        input = input.with_row_weights(weights);
    }
    if let Some(targets) = sample.as_ref().map_or(targets.as_deref(), |sample| sample.targets.as_deref()) {
        input = input.with_targets(targets);
    }
    let start = read.start(options, input.len(), context)?;
    if let Some(start) = &start {
        input = input.with_start(start.view());
    }
    let earlier =
        task.earlier.as_ref().map(|earlier| earlier::map(earlier, &input, read.table())).transpose()?;
    if let Some((map, state)) = &earlier {
        input = input.with_continued(map.view(), state.as_deref());
    }
    let fixed = read.fixed(options, input.len(), context)?;
    if let Some(fixed) = &fixed {
        input = input.with_fixed(fixed);
    }
    if !matches!(data, EmbedInput::Neighbors(_)) {
        method.check_memory_dyn(&input, input.len())?;
    }
    context.progress.begin(method.about().name);
    let search = Search::run(options, method, &data, &input, &context.progress)?;
    if let Some(lists) = &search.lists {
        input = input.with_neighbors(lists);
    }
    // Only the report has eigenvalues; those beyond the map cost as much as the map's.
    let eigenvalues = if options.report.is_some() { Eigenvalues::WithNext } else { Eigenvalues::OfMap };
    let (mut row, fitted) = fit(method, task.dim_chosen, &input, eigenvalues, &context.progress);
    let shortcuts = search.count_shortcuts(options, &data, &input, &context.progress)?;
    context.progress.end();
    report::complete(&mut row, options, method, (&read, &search, shortcuts));
    if let (Ok(fitted), Some(points), Some(_), None) = (&fitted, data.rows(), &options.save, &sample) {
        extension::measure(points, fitted.as_ref(), &mut row)?;
    }
    row.notes.extend(method.start_note(&input));
    if sample.is_none() {
        let listed = report::listed_rows(&row, &options.output);
        row.notes.extend(listed);
    }
    for note in &row.notes {
        context.progress.line(format!("note: {note}"));
    }
    row.notes.splice(0..0, of_data);
    let fitted = fitted?;
    let placed = match (&sample, read.table()) {
        (Some(sample), Some(table)) => {
            let mut lowered = method.boxed();
            if has(method, "dim") {
                lowered.set_dyn("dim", &row.dim.to_string())?;
            }
            let models = (lowered.as_ref(), fitted.as_ref());
            let placed = sample.place(
                table.points.view(),
                models,
                (task.input.memory, &context.progress),
                &mut row,
            )?;
            row.notes.last().into_iter().for_each(|note| context.progress.line(format!("note: {note}")));
            context.progress.end();
            placed
        }
        _ => fitted.embedding().clone(),
    };
    write::write(options, &task, read, (fitted.as_ref(), &placed, &row), context)?;
    Ok(ExitCode::SUCCESS)
}

/// The rows that `--fit-on` fits, where it is given.
fn draw(
    options: &Embed,
    read: &ReadInput,
    known: (Option<&[Option<u32>]>, Option<&[f64]>),
) -> Result<Option<Sample>, Failure> {
    let (Some(count), Some(table)) = (options.fit_on, read.table()) else { return Ok(None) };
    let seed = options.method_options.map.seed.unwrap_or(0);
    Ok(Some(Sample::draw(table, known, count, seed, options.distance.metric)?))
}
