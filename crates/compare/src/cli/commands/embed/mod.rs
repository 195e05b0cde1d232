//! `compare embed`.

pub(super) mod arguments;
mod extension;
mod fit_on;

use std::process::ExitCode;

use datasets::Labels;
use datasets::files::{SparseTable, Table, WholeFiles};
use embedding::{Data, DynMethod, Error, PointSet};
use neighbor_graph::{Neighborhood, neighbors_of_input, without_shortcuts};
use quality::diagnosis::{collapse, count_shortcuts, shortcuts as diagnosed};
use serde::Serialize;
use swissroll::columns::{self, Columns};
use swissroll::standardized;

use self::arguments::Embed;
use self::fit_on::Sample;
use crate::Failure;
use crate::cli::context::Context;
use crate::cli::files::embed_input::EmbedInput;
use crate::cli::files::suspicious::Use;
use crate::cli::files::{input, outputs, row_names, suspicious, unknown_label};
use crate::cli::plot;
use crate::cli::settings::{
    Common, InputSettings, input_settings, k_beside_radius, of_this_method, searches_itself, unused_flag,
};
use crate::cli::words::{command, typed};
use crate::graph::{approximate, tangents_of};
use crate::methods::find;
use crate::output::json;
use crate::results::MethodResults;
use crate::run::fit;
use crate::stopwatch::{Stopwatch, Times};
use crate::views::diagnosis::became;

pub(in crate::cli) fn embed(arguments: &Embed, context: &Context) -> Result<ExitCode, Failure> {
    let method = find(&arguments.method)?;
    let written = [
        ("--output", Some(&arguments.output)),
        ("--save", arguments.save.as_ref()),
        ("--report", arguments.report.as_ref()),
        ("--plot", arguments.plot.as_ref()),
    ];
    let written = written.into_iter().filter_map(|(option, path)| Some((option, path?)));
    outputs::check([&arguments.input].into_iter().chain(&arguments.labels), written)?;
    outputs::check_table("--output", &arguments.output)?;
    arguments.plot.as_deref().map_or(Ok(()), plot::check)?;
    let common = Common::new(arguments.method_options).with_recall(arguments.search.neighbor_recall);
    let drawn = |name: &&str| arguments.fit_on.is_some() && *name == "seed";
    for name in common.unused(method.as_ref()).filter(|name| !drawn(name)) {
        context.progress.line(format!("note: {}", unused_flag(method.about().name, name)));
    }
    let settings = arguments
        .set
        .iter()
        .map(|text| of_this_method(text, method.about().name))
        .collect::<Result<Vec<_>, _>>()?;
    let (settings, given) = input_settings(settings, context.memory)?;
    let of_points = arguments.reading.standardize || arguments.fit_on.is_some();
    if given.given != Data::Points && of_points {
        return Err(Failure::usage(format!(
            "--standardize and --fit-on need points, but given={} is set",
            given.given
        )));
    }
    if arguments.graph.cut_shortcuts.is_some() {
        tangents_of(arguments.distance.metric)?;
    }
    if given.given != Data::Points && !arguments.distance.metric.is_euclidean() {
        return Err(Failure::usage(format!(
            "--metric needs points, but given={} is set, which have their own metric",
            given.given
        )));
    }
    if let Some(problem) = common.contradicted(&settings) {
        return Err(Failure::usage(problem));
    }
    let method = common.configured(method, settings.into_iter())?;
    if common.has_radius_for_k(method.as_ref()) {
        context.progress.line(format!("note: {}", k_beside_radius(method.about().name)));
    }
    let method = method.as_ref();
    let sparse = if reads_sparse(method, arguments, given) {
        input::read_sparse(&arguments.input, &arguments.reading, arguments.distance.metric, context)?
    } else {
        None
    };
    let graph = match given.given {
        Data::Neighbors => input::read_graph(&arguments.input, &arguments.reading, context)?,
        Data::Points | Data::Distances => None,
    };
    let mut table = if graph.is_some() || sparse.is_some() {
        None
    } else {
        let classes = input::Classes::of(arguments.labels.as_ref(), arguments.unknown.unknown_label.as_ref());
        let read = match given.given {
            Data::Points => input::read,
            Data::Distances => input::read_distances,
            Data::Neighbors => input::read_matrix,
        };
        Some(read(&arguments.input, classes, &arguments.reading, context)?)
    };
    let of_data = match (&table, given.given) {
        (Some(table), Data::Points) => {
            suspicious::notes(table, arguments.distance.metric, Use::Method(method))
        }
        _ => Vec::new(),
    };
    input::tell(&of_data, &arguments.input, context);
    let reading =
        arguments.reading.reading_classes(arguments.unknown.unknown_label.as_deref(), context.memory);
    let mut own = match (&sparse, &graph, &arguments.labels) {
        (Some(sparse), _, Some(path)) => Some(sparse.labels(&reading, path)?),
        (None, Some(graph), Some(path)) => Some(reading.labels(graph.len(), path)?),
        _ => None,
    };
    if let Some(label) = &arguments.unknown.unknown_label {
        unknown_label::mark(
            table.iter_mut().filter_map(|table| table.labels.as_mut()).chain(&mut own),
            label,
        )?;
    }
    let labels = table.as_ref().map_or(own.as_ref(), |table| table.labels.as_ref());
    let classes = labels.map(Labels::known);
    let seed = arguments.method_options.map.seed.unwrap_or(0);
    let draw = |count| {
        Some(Sample::draw(table.as_ref()?, classes.as_deref(), count, seed, arguments.distance.metric))
    };
    let sample = arguments.fit_on.and_then(draw).transpose()?;
    let labels = match &sample {
        Some(sample) => sample.labels.as_deref(),
        None => classes.as_deref(),
    };
    let points = sample.as_ref().map(|sample| &sample.points).or(table.as_ref().map(|table| &table.points));
    let data = match (&sparse, graph, points) {
        (Some(table), ..) => EmbedInput::Sparse(table.points.view()),
        (None, Some(lists), _) => EmbedInput::Neighbors(lists),
        (None, None, Some(points)) => EmbedInput::new(points.view(), given.given)
            .map_err(|error| input::of_file(error, &arguments.input))?,
        (None, None, None) => return Err(Error::no_points().into()),
    };
    let mut input = data.input().memory_limit(given.memory).metric(arguments.distance.metric);
    let n = input.len();
    if let Some(labels) = labels {
        input = input.partial_labels(labels);
    }
    if !matches!(data, EmbedInput::Neighbors(_)) {
        method.check_memory_dyn(&input)?;
    }
    context.progress.begin(method.about().name);
    let search = Stopwatch::start(&context.progress);
    let mut recall = None;
    let mut neighbors = match (&data, method.neighborhood_dyn(input.len()), arguments.search.neighbor_recall)
    {
        (EmbedInput::Points(_), Some(Neighborhood::Nearest { k }), Some(goal)) => {
            let (lists, found) = approximate(&input.observer(&search), k, goal)?;
            recall = Some(found.to_string());
            Some(lists)
        }
        (EmbedInput::Points(_), None, Some(_)) if searches_itself(method) => None,
        (_, _, Some(_)) => {
            return Err(Failure::usage(
                "--neighbor-recall needs points, and a method of a number of nearest neighbors".to_owned(),
            ));
        }
        (EmbedInput::Neighbors(given), _, None) => Some(given.clone()),
        (_, Some(wanted), None) => Some(neighbors_of_input(&input.observer(&search), wanted)?),
        (_, None, None) => None,
    };
    let mut shortcuts = None;
    if let (Some(lists), Some(stretch)) = (&mut neighbors, arguments.graph.cut_shortcuts) {
        let (rest, removed) = without_shortcuts(&input.observer(&search), lists, stretch)?;
        *lists = rest;
        shortcuts = Some(removed.len());
    }
    let Times { seconds: searched, stages: search, .. } = search.stop();
    if let Some(neighbors) = &neighbors {
        input = input.neighbors(neighbors);
    }
    let (mut row, fitted) = fit(method, &input, &context.progress);
    if sparse.is_some() && neighbors.is_some() && arguments.distance.metric.is_euclidean() {
        row.notes
            .push("shortcut edges are not counted, since that takes the points with their zeros".to_owned());
    }
    let diagnosed_here = data.has_distances() && arguments.distance.metric.is_euclidean();
    if let (Some(lists), None, true) = (&neighbors, arguments.graph.cut_shortcuts, diagnosed_here) {
        // A diagnosis, no part of the fit: it is not timed.
        shortcuts = count_shortcuts(&input.observer(&context.progress), lists)?;
    }
    let diagnosis = diagnosed(shortcuts, None, became(arguments.graph.cut_shortcuts));
    context.progress.end();
    if neighbors.is_some() {
        row.seconds += searched;
        row.stages.splice(0..0, search);
    }
    let left_out = table.as_ref().map(Table::left_out).or(sparse.as_ref().map(SparseTable::left_out));
    row.left_out_rows = left_out.unwrap_or_default();
    row.notes.splice(0..0, recall.into_iter().chain(diagnosis));
    let collapsed = row.embedding.as_ref().and_then(collapse);
    row.notes.extend(collapsed);
    let names = table.as_ref().and_then(|table| table.labels.as_ref()).map(|labels| &labels.classes[..]);
    row.notes
        .extend(names.and_then(|names| of_labels(method, names, arguments.unknown.unknown_label.is_some())));
    if let (Ok(fitted), Some(points), Some(_), None) = (&fitted, data.rows(), &arguments.save, &sample) {
        extension::measure(points, fitted.as_ref(), &mut row)?;
    }
    if sample.is_none() {
        let listed = listed_rows(&row);
        row.notes.extend(listed);
    }
    for note in &row.notes {
        context.progress.line(format!("note: {note}"));
    }
    row.notes.splice(0..0, of_data);
    let fitted = fitted?;
    let placed = match (&sample, &table) {
        (Some(sample), Some(table)) => {
            let models = (method, fitted.as_ref());
            let placed =
                sample.place(table.points.view(), models, (given.memory, &context.progress), &mut row)?;
            row.notes.last().into_iter().for_each(|note| context.progress.line(format!("note: {note}")));
            context.progress.end();
            placed
        }
        _ => fitted.embedding().clone(),
    };
    let scaling = table.as_ref().and_then(|table| table.scaling.as_ref());
    let columns = || {
        let table = table.as_ref().filter(|_| given.given != Data::Neighbors)?;
        let known = Columns::new(table.columns.as_deref()?, table.points.view());
        Some(match scaling {
            Some(scaling) => known.unscaled(scaling),
            None => known,
        })
    };
    let saved = || {
        let model = match scaling {
            Some(scaling) => standardized::save(fitted.save()?, scaling)?,
            None => fitted.save()?,
        };
        columns::save(model, columns().as_ref())
    };
    let model = arguments.save.as_ref().map(|path| Ok::<_, Error>((path, saved()?))).transpose()?;
    let coordinates = PointSet::from_mat(placed.coordinates())?;
    let of_rows = row_names::asked_for(&arguments.reading, table.as_ref());
    let of_rows =
        of_rows.map(|names| placed.placed_rows().map_or_else(|| names.clone(), |rows| names.select(rows)));
    // All of them or none: a map without its model would be mistaken for a finished run.
    let mut files = WholeFiles::default();
    row_names::write(&mut files, &arguments.output, coordinates.view(), of_rows.as_ref(), context)?;
    if let Some((path, bytes)) = model {
        files.write(path, |file| file.write_all(&bytes))?;
    }
    if let Some(path) = &arguments.report {
        let report = Report { version: env!("CARGO_PKG_VERSION"), command: command(&typed()), row: &row };
        files.write(path, |file| file.write_all(json(&report).as_bytes()))?;
    }
    if let Some(path) = &arguments.plot {
        let name = input::stem(&arguments.input);
        let title = arguments.title.clone().unwrap_or_else(|| format!("{} of {name}", method.about().name));
        let drawn = match table {
            Some(table) if given.given == Data::Points => table.into_dataset(name, ""),
            Some(table) => plot::without_coordinates(name, n, table.labels)?,
            None => plot::without_coordinates(name, n, own)?,
        };
        plot::write(&mut files, path, &title, &drawn, &placed)?;
    }
    files.complete()?;
    Ok(ExitCode::SUCCESS)
}

/// What `--report` writes: the fit, and what repeats it.
#[derive(Serialize)]
struct Report<'a> {
    version: &'static str,
    command: String,
    #[serde(flatten)]
    row: &'a MethodResults,
}

/// Whether a sparse matrix is read without its zeros: no option asks for coordinates.
fn reads_sparse(method: &dyn DynMethod, arguments: &Embed, given: InputSettings) -> bool {
    let coordinates = arguments.reading.standardize
        || arguments.fit_on.is_some()
        || arguments.graph.cut_shortcuts.is_some()
        || arguments.search.neighbor_recall.is_some();
    method.accepts_sparse() && given.given == Data::Points && !coordinates
}

/// Where the rows of a map are listed that has some of the points only.
fn listed_rows(row: &MethodResults) -> Option<String> {
    row.facts.get("rows")?;
    let among =
        if row.left_out_rows.is_empty() { "" } else { " among those that left_out_rows does not list" };
    Some(format!(
        "the output has no row for points that were not placed; facts.rows of --report lists the rows of the \
         others, counted from 0{among}"
    ))
}

/// The parameter by which a method that needs no labels uses them.
const LABELS_BY: &str = "target-weight";

/// Labels that often stand for unknown classes.
const UNKNOWN: [&str; 5] = ["-1", "?", "unknown", "nan", "none"];

/// What a user of labels should know of a method that may use them: that it does not, or that one
/// of these classes looks like an unknown one.
fn of_labels(method: &dyn DynMethod, classes: &[String], declared: bool) -> Option<String> {
    let parameters = method.parameters();
    let weight = parameters.iter().find(|parameter| parameter.name == LABELS_BY)?;
    if weight.value == weight.default {
        return Some(format!("labels do not change the map; `--set {LABELS_BY}=0.5` separates classes"));
    }
    let word = classes.iter().find(|class| UNKNOWN.contains(&class.to_lowercase().as_str()))?;
    (!declared).then(|| {
        format!(
            "the label `{word}` is a class like the others; `--unknown-label {word}` makes it an unknown one"
        )
    })
}
