//! `compare trust`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use datasets::files::{Scaling, Table, WholeFiles};
use embedding::{
    DynModel, Embedding, Error, Input, Metric, PointSet, Points, Remedy, Rows, TrainingRows, Transform,
};
use figure::number::{count, counted};
use quality::RowSample;
use quality::trust::{Perturbation, PerturbationScores};

use super::singularity::{self, Score};
use crate::Failure;
use crate::cli::context::Context;
use crate::cli::files::saved_model::SavedModel;
use crate::cli::files::{input, model_columns, outputs, per_point, row_names};
use crate::cli::options::reading::ReadingOptions;
use crate::cli::options::values::{seed, whole};
use crate::cli::standard_output::print;

/// Points up to which all are scored.
const ALL: usize = 2000;
/// Number of points that are scored of more.
const SAMPLE: usize = 1000;
/// Training rows that are compared with the map.
const COMPARED: usize = 20;
/// Largest distance of a training row from its place, as a fraction of the extent of the map.
const SAME: f64 = 1e-6;
/// Most rows that the summary names.
const NAMED: usize = 10;

/// Writes one row per point of the map: its row in the data, its name where --name-column is given,
/// and its perturbation score: how far it jumps when its data change by the distance to their own
/// k-th neighbor, in distances to the k-th neighbor in the map. Scores above 8 mark points at tears,
/// and between clusters that the map separates.
#[derive(Args)]
#[group(skip)]
// Refused with the reason.
#[command(mut_arg("standardize", |arg| arg.hide(true)), mut_arg("weights", |arg| arg.hide(true)), mut_arg("asymmetric", |arg| arg.hide(true)))]
pub(in crate::cli) struct Trust {
    /// A model written by `compare embed --save`
    #[arg(long, value_name = "MODEL")]
    pub(in crate::cli) model: PathBuf,
    /// The data to which the model was fitted, one row per point
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) input: PathBuf,
    /// Output file of the scores, .csv or .tsv
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) output: PathBuf,
    /// Scores to write; `compare choose --per-point` writes the stability over draws of the data
    #[arg(long, value_name = "SCORE,…", value_enum, value_delimiter = ',', default_value = "perturbation")]
    pub(in crate::cli) scores: Vec<Score>,
    /// Number of neighbors in data and map
    #[arg(long, value_name = "K", default_value_t = 10, value_parser = whole::<usize>)]
    pub(in crate::cli) k: usize,
    /// Score all points of maps of more than 2,000, instead of 1,000 chosen at random
    #[arg(long)]
    pub(in crate::cli) all_rows: bool,
    /// Seed of that choice
    #[arg(long, value_name = "S", default_value_t = 0, value_parser = seed)]
    pub(in crate::cli) seed: u64,
    #[command(flatten)]
    pub(in crate::cli) reading: ReadingOptions,
}

pub(super) fn trust(options: &Trust, context: &Context) -> Result<ExitCode, Failure> {
    outputs::check([&options.model, &options.input], [("--output", &options.output)])?;
    per_point::check("--output", &options.output)?;
    options.reading.check_for_model()?;
    let model = SavedModel::read(&options.model)?;
    model.require_coordinates("trust")?;
    let data = read((&options.input, &options.reading), &model, context)?;
    let map = model.fitted.embedding();
    of_this_data(&*model.fitted, data.points.view(), (&options.model, &options.input))?;
    let curvatures = if options.scores.contains(&Score::Singularity) {
        context.progress.begin(format!("{}: singularity scores", model.method));
        Some(singularity::curvatures(&model)?)
    } else {
        None
    };
    let n = map.len();
    let sampled = n > ALL && !options.all_rows;
    let rows = if sampled { RowSample::Sample { count: SAMPLE, seed: options.seed } } else { RowSample::All };
    let score = Perturbation { k: options.k, rows, ..Perturbation::default() };
    let mut columns: Vec<(&str, Vec<Option<f64>>)> = Vec::new();
    let names = row_names::asked_for(&options.reading, Some(&data));
    let (mut rows, mut told): (Vec<u32>, String) = (map.input_rows().collect(), String::new());
    if options.scores.contains(&Score::Perturbation) {
        context.progress.begin(format!("{}: perturbation scores", model.method));
        let scores = scores(&score, &model, data.points.view(), (model.metric(), context))?;
        rows = scores.rows().to_vec();
        told += &summary(&scores, options.k, &data, names.map(|names| &names.values[..]));
        columns.push(("perturbation", scores.values().iter().copied().map(Some).collect()));
    }
    if let Some(curvatures) = &curvatures {
        let (values, sentence) = singularity::scores(&model, curvatures, map, &rows);
        told += &sentence;
        columns.push(("singularity", values));
    }
    context.progress.end();
    let mut files = WholeFiles::default();
    let columns: Vec<(&str, &[Option<f64>])> =
        columns.iter().map(|(name, values)| (*name, &values[..])).collect();
    per_point::write(&mut files, &options.output, (&rows, data.kept.as_deref(), names), &columns)?;
    files.complete()?;
    if sampled && rows.len() < n {
        context.progress.line(format!(
            "note: {} of the {} points are scored, chosen at random; --all-rows scores all",
            count(SAMPLE),
            count(n)
        ));
    }
    print(&told)?;
    Ok(ExitCode::SUCCESS)
}

/// The data of the model, with its columns.
pub(super) fn read(
    (path, options): (&Path, &ReadingOptions),
    model: &SavedModel,
    context: &Context,
) -> Result<Table, Failure> {
    let wanted = model.columns.as_ref().map_or(&[][..], |known| &known.names);
    let advice = "leave out such rows (--missing drop), as for the fit";
    let read = match options.label_column {
        None => input::read_points(path, wanted, options, context),
        Some(_) => input::read_coordinates(path, wanted, input::Classes::default(), options, context),
    };
    let data = read.map_err(|failure| input::advised(failure, &[Remedy::MissingValues], advice))?;
    match &model.columns {
        Some(known) => model_columns::in_order(data, known, path, context),
        None => Ok(data),
    }
}

/// Fails unless some rows of the data are where the map has them.
pub(super) fn of_this_data(
    model: &dyn DynModel,
    data: Points<'_>,
    (of_model, of_data): (&Path, &Path),
) -> Result<(), Failure> {
    let map = model.embedding();
    let other = |problem: String| {
        let problem = format!("these are not the data of the model {}: {problem}", of_model.display());
        Failure::from(Error::file(input::name(of_data), problem))
    };
    let placed: Vec<u32> = map.input_rows().collect();
    if let Some(last) = placed.last().filter(|row| **row as usize >= data.len()) {
        return Err(other(format!("{} rows, but the map has row {last}", count(data.len()))));
    }
    let some: Vec<usize> =
        (0..COMPARED.min(map.len())).map(|at| at * map.len() / COMPARED.min(map.len())).collect();
    let rows: Vec<u32> = some.iter().map(|at| placed[*at]).collect();
    let places =
        model.place(data.select(&rows).view().into(), TrainingRows::Stored).map_err(|error| match error {
            Error::Shape { .. } => input::of_file(error, of_data),
            other => other,
        })?;
    let extent = map.values().iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    for (place, at) in places.rows().zip(some) {
        let gap = place.iter().zip(map.row(at)).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
        if gap > SAME * extent {
            return Err(other(format!("row {} is at another place of the map", placed[at])));
        }
    }
    Ok(())
}

/// The scores, in the units in which the model measures distances.
fn scores(
    score: &Perturbation,
    model: &SavedModel,
    data: Points<'_>,
    (metric, context): (Metric, &Context),
) -> Result<PerturbationScores, Error> {
    let map = model.fitted.embedding();
    let scaled = model.scaling.as_ref().map(|scaling| scaling.apply(data)).transpose()?;
    let input = Input::from(scaled.as_ref().map_or(data, PointSet::view)).with_metric(metric);
    let input = input.with_memory_limit(context.memory).with_observer(&context.progress);
    match &model.scaling {
        None => score.scores(&*model.fitted, map, &input),
        Some(scaling) => score.scores(&Unscaled { model: &*model.fitted, scaling }, map, &input),
    }
}

/// A model that takes standardized rows, where the model itself standardizes them.
struct Unscaled<'a> {
    model: &'a dyn DynModel,
    scaling: &'a Scaling,
}

impl Transform for Unscaled<'_> {
    fn place(&self, rows: Rows<'_>, known: TrainingRows<'_>) -> Result<Embedding, Error> {
        rows.place_dense(known, |new, known| {
            let new: PointSet = self.scaling.undo(new)?;
            self.model.place(new.view().into(), known)
        })
    }
}

/// What the scores say, in sentences.
fn summary(scores: &PerturbationScores, k: usize, data: &Table, names: Option<&[String]>) -> String {
    let values = scores.values();
    let mut text = format!(
        "Perturbation score of {}, in distances to neighbor {k} in the map: median {:.2}, 99 % below {:.2}, \
         largest {:.2}.\n",
        counted(values.len(), "point", "points"),
        scores.quantile(0.5),
        scores.quantile(0.99),
        scores.quantile(1.0),
    );
    text += &scores.caution();
    let jumps = scores.jumps();
    let named = jumps.iter().take(NAMED).map(|&row| {
        let line = data.kept.as_ref().map_or(row, |kept| kept[row as usize]);
        names.map_or_else(|| line.to_string(), |names| format!("{line} ({})", names[row as usize]))
    });
    let named = named.collect::<Vec<_>>().join(", ");
    if !jumps.is_empty() {
        let more = if jumps.len() > NAMED { ", …" } else { "" };
        text += &format!(" Rows, largest score first: {named}{more}.");
    }
    text += "\n";
    text
}
