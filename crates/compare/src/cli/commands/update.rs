//! `compare update`.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use datasets::RowNames;
use datasets::files::{Table, WholeFiles};
use embedding::{Error, PointSet, Remedy};
use figure::number::tick;
use swissroll::saved::columns::{self, Columns};
use swissroll::saved::recipe::{self, FitSettings};
use swissroll::saved::standardized;

use crate::Failure;
use crate::cli::context::Context;
use crate::cli::files::row_names::{self, Beside};
use crate::cli::files::saved_model::SavedModel;
use crate::cli::files::{input, model_columns, outputs, row_list};
use crate::cli::options::reading::ReadingOptions;
use crate::update::{Update as Fit, Updated};

/// Fits the method of a saved model, with its parameters, to the rows of the model and new ones, or without rows
/// that leave. Iterative methods start at the old map, with new rows where the model places them; others are fitted
/// anew, and their map is rotated onto the old one. A note says how far old rows moved.
#[derive(Args)]
#[group(skip)]
// Refused with the reason.
#[command(mut_arg("standardize", |arg| arg.hide(true)), mut_arg("weights", |arg| arg.hide(true)), mut_arg("asymmetric", |arg| arg.hide(true)))]
pub(in crate::cli) struct Update {
    /// A model written by `compare embed --save` or `compare update --save`
    #[arg(long, value_name = "MODEL")]
    pub(in crate::cli) model: PathBuf,
    /// The new points, one per row, with the columns of the model
    #[arg(long, value_name = "FILE", required_unless_present = "leave")]
    pub(in crate::cli) input: Option<PathBuf>,
    /// Rows of the model that leave: one per line, by name if the model has names, else by row of the model,
    /// counted from 0. They are in neither the new map nor the new model
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) leave: Option<PathBuf>,
    /// Output file of the coordinates of all rows, first the rows of the model
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) output: PathBuf,
    /// How strongly rows of the model are drawn to their old places: `inf`, they stay there, `0`, they only
    /// start there, or a number between [default: inf, for iterative methods]
    #[arg(long, value_name = "L", value_parser = pull)]
    pub(in crate::cli) pull: Option<f64>,
    /// The points that the model was fitted to, where it does not keep them, as linear models do
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) data: Option<PathBuf>,
    /// Output file of the new model
    #[arg(long, value_name = "MODEL")]
    pub(in crate::cli) save: Option<PathBuf>,
    #[command(flatten)]
    pub(in crate::cli) reading: ReadingOptions,
}

pub(super) fn update(options: &Update, context: &Context) -> Result<ExitCode, Failure> {
    let inputs =
        [&options.model].into_iter().chain(&options.input).chain(&options.leave).chain(&options.data);
    let written = [("--output", Some(&options.output)), ("--save", options.save.as_ref())];
    outputs::check(inputs, written.into_iter().filter_map(|(option, path)| Some((option, path?))))?;
    outputs::check_table("--output", &options.output)?;
    options.reading.check_for_model()?;
    let model = SavedModel::read(&options.model)?;
    model.require_coordinates("update")?;
    let of_model = |problem: String| Error::file(options.model.display(), problem);
    let fit = model.settings().map_err(of_model)?;
    let method = fit.method(model.method).map_err(|error| of_model(error.to_string()))?;
    if options.pull.is_some() && !method.fixes_rows() {
        return Err(Failure::usage(format!(
            "--pull needs a model of an iterative method, but the new map of {} is rotated onto the old one; leave \
             --pull out",
            model.method
        )));
    }
    let new = match &options.input {
        Some(path) => Some(read(options, path, &model, context)?),
        None => None,
    };
    let old = match model.fitted.training_points()? {
        Some(points) => points,
        None => match &options.data {
            Some(path) => read(options, path, &model, context)?.points,
            None => {
                let problem = "it does not keep the points that it was fitted to; give them by --data";
                return Err(of_model(problem.to_owned()).into());
            }
        },
    };
    let old_names = fit.names.as_ref();
    let n = model.fitted.embedding().len();
    if old_names.is_some_and(|names| names.values.len() != n) {
        return Err(of_model(format!("it does not have a name for each of its {n} rows")).into());
    }
    let leaving = match &options.leave {
        Some(path) => Some(row_list::LEAVING.read(path, old_names, (n, None), context)?),
        None => None,
    };
    let update = Fit {
        method: method.as_ref(),
        model: model.fitted.as_ref(),
        old: old.view(),
        new: new.as_ref().map(|new| new.points.view()),
        leaving: leaving.as_deref(),
        scaling: model.scaling.as_ref(),
        metric: model.metric(),
        pull: options.pull,
    };
    let remaining = update.remaining()?;
    let old_names = old_names.map(|names| names.select(&remaining));
    let names = match &new {
        Some(new) => names(old_names, row_names::asked_for(&options.reading, Some(new)), context)?,
        None => old_names,
    };
    if names.is_none() && new.as_ref().is_some_and(|new| new.kept.is_some()) {
        context.progress.line(
            "note: rows that were left out have no row in the output either, and only names tell the others apart: give \
             --name-column, to `embed` as well",
        );
    }
    let known = model.columns.as_ref().map(|known| {
        let of_old =
            leaving.as_ref().map(|_| Columns::new(&known.names, old.view().select(&remaining).view()));
        let known = of_old.unwrap_or_else(|| known.clone());
        new.as_ref().map_or_else(|| known.clone(), |new| wider(&known, &new.points))
    });
    context.progress.begin(format!("{}: old and new points", model.method));
    let Updated { model: fitted, moved, note } = update.run(context.memory, &context.progress)?;
    context.progress.end();
    context.progress.line(format!("note: {note}"));
    context.progress.line(format!(
        "note: rows of the model moved by {} at most, {} in the median; 1 is the distance to the tenth neighbor in the old map",
        tick(moved.largest),
        tick(moved.median)
    ));
    let coordinates = PointSet::from_mat(fitted.embedding().coordinates())?;
    let mut files = WholeFiles::default();
    let beside = Beside { names: names.as_ref(), ..Beside::default() };
    row_names::write(&mut files, &options.output, coordinates.view(), &beside, context)?;
    if let Some(path) = &options.save {
        let fit = FitSettings { names, ..FitSettings::of(method.as_ref(), fitted.as_ref())? };
        let bytes = match &model.scaling {
            Some(scaling) => standardized::save(fitted.save()?, scaling)?,
            None => fitted.save()?,
        };
        let bytes = recipe::save(columns::save(bytes, known.as_ref())?, Some(&fit))?;
        files.write(path, |file| file.write_all(&bytes))?;
    }
    files.complete()?;
    Ok(ExitCode::SUCCESS)
}

/// Reads a number, at least 0, or `inf`.
fn pull(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(pull) if pull >= 0.0 => Ok(pull),
        _ => Err("must be at least 0, or inf, so that rows of the model stay".to_owned()),
    }
}

/// Reads points with the columns of the model.
fn read(options: &Update, path: &Path, model: &SavedModel, context: &Context) -> Result<Table, Failure> {
    let wanted = model.columns.as_ref().map_or(&[][..], |known| &known.names);
    let table = input::read_points(path, wanted, &options.reading, context);
    let advice = "leave out such rows (--missing drop) or fill in their values";
    let table = table.map_err(|failure| input::advised(failure, &[Remedy::MissingValues], advice))?;
    let Some(known) = &model.columns else { return Ok(table) };
    let table = model_columns::in_order(table, known, path, context)?;
    let far = model_columns::far(table.points.view(), known);
    far.into_iter().for_each(|note| context.progress.line(format!("note: {note}")));
    Ok(table)
}

/// The names of all rows, where both the model and the new rows have names; where only one of them has, a note says
/// that they are left out. Fails where a new row has the name of another row.
fn names(
    old: Option<RowNames>,
    new: Option<&RowNames>,
    context: &Context,
) -> Result<Option<RowNames>, Error> {
    let (old, new) = match (old, new) {
        (Some(old), Some(new)) => (old, new),
        (None, None) => return Ok(None),
        (Some(_), None) => {
            let advice = "name those by --name-column, so that the output has all names";
            context
                .progress
                .line(format!("note: rows of the model have names, new rows have none; {advice}"));
            return Ok(None);
        }
        (None, Some(_)) => {
            let advice = "fit the model with --name-column, so that the output has all names";
            context
                .progress
                .line(format!("note: new rows have names, rows of the model have none; {advice}"));
            return Ok(None);
        }
    };
    let mut known: HashSet<&str> = old.values.iter().map(String::as_str).collect();
    if let Some(twice) = new.values.iter().find(|name| !known.insert(name.as_str())) {
        let whose = if old.values.contains(twice) { "a row of the model" } else { "another new row" };
        return Err(Error::degenerate(
            format!("the new row `{twice}` has the name of {whose}"),
            "give rows with names of their own, or leave out --name-column",
        ));
    }
    Ok(Some(RowNames { name: old.name, values: [old.values.as_slice(), &new.values].concat() }))
}

/// The columns with ranges that contain further points.
fn wider(known: &Columns, points: &PointSet) -> Columns {
    let new = Columns::new(&known.names, points.view()).ranges;
    let both = |(a, b): (&[f64; 2], &[f64; 2])| [a[0].min(b[0]), a[1].max(b[1])];
    Columns { names: known.names.clone(), ranges: known.ranges.iter().zip(&new).map(both).collect() }
}
