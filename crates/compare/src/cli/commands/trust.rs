//! `compare trust`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use datasets::files::{Scaling, WholeFiles};
use embedding::{DynModel, Embedding, Error, Input, PointSet, Rows, TrainingRows, Transform};
use figure::number::{count, counted};
use quality::RowSample;
use quality::trust::{Perturbation, PerturbationScores};

use super::ellipses::{self, Columns};
use super::singularity::{self, Score};
use crate::Failure;
use crate::cli::context::Context;
use crate::cli::files::fitted_rows::FittedRows;
use crate::cli::files::saved_model::SavedModel;
use crate::cli::files::{outputs, per_point};
use crate::cli::options::reading::ReadingOptions;
use crate::cli::options::values::{seed, whole};
use crate::cli::standard_output::print;

/// Points up to which all are scored.
const ALL: usize = 2000;
/// Number of points that are scored of more.
const SAMPLE: usize = 1000;
/// Most rows that the summary names.
const NAMED: usize = 10;

/// Writes one row per point of the map: its row in the data, its name where rows have names,
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
    /// The data to which the model was fitted, one row per point; needed where the model does not keep them: linear
    /// models and models of several components
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) input: Option<PathBuf>,
    /// Output file of the scores, .csv or .tsv
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) output: PathBuf,
    /// Scores to write; `compare choose --per-point` writes the stability over draws of the data
    #[arg(long, value_name = "SCORE,…", value_enum, value_delimiter = ',', default_value = "perturbation")]
    pub(in crate::cli) scores: Vec<Score>,
    /// Write also the ellipse that a small circle of the data becomes at each point: its axes, as lengths in the map per
    /// unit of length of the data, and in maps of two dimensions the angle of the longest, in degrees
    #[arg(long)]
    pub(in crate::cli) ellipses: bool,
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
    outputs::check([&options.model].into_iter().chain(&options.input), [("--output", &options.output)])?;
    per_point::check("--output", &options.output)?;
    let model = SavedModel::read(&options.model)?;
    model.require_coordinates("trust")?;
    let file = options.input.as_deref();
    let data = FittedRows::read(&options.model, file, &options.reading, &model, context)?;
    let map = model.fitted.embedding();
    let curvatures = if options.scores.contains(&Score::Singularity) {
        context.progress.begin(format!("{}: singularity scores", model.method));
        Some(singularity::curvatures(&model)?)
    } else {
        None
    };
    let scaled = model.scaling.as_ref().map(|scaling| scaling.apply(data.points.view())).transpose()?;
    // In the units in which the model measures distances.
    let input = Input::from(scaled.as_ref().unwrap_or(&data.points)).with_metric(model.metric());
    let input = input.with_memory_limit(context.memory).with_observer(&context.progress);
    let n = map.len();
    let sampled = n > ALL && !options.all_rows;
    let rows = if sampled { RowSample::Sample { count: SAMPLE, seed: options.seed } } else { RowSample::All };
    let score = Perturbation { k: options.k, rows, ..Perturbation::default() };
    let mut columns = Columns::new();
    let (mut rows, mut told): (Vec<u32>, String) = (map.input_rows().collect(), String::new());
    if options.scores.contains(&Score::Perturbation) {
        context.progress.begin(format!("{}: perturbation scores", model.method));
        let scores = scores(&score, &model, &input)?;
        rows = scores.rows().to_vec();
        told += &summary(&scores, options.k, &data);
        columns.push(("perturbation".to_owned(), scores.values().iter().copied().map(Some).collect()));
    }
    if let Some(curvatures) = &curvatures {
        let (values, sentence) = singularity::scores(&model, curvatures, map, &rows);
        told += &sentence;
        columns.push(("singularity".to_owned(), values));
    }
    if options.ellipses {
        context.progress.begin(format!("{}: ellipses", model.method));
        let (axes, sentence) = ellipses::columns(map, &input, options.k, &rows)?;
        told += &sentence;
        columns.extend(axes);
    }
    context.progress.end();
    let mut files = WholeFiles::default();
    let columns: Vec<(&str, &[Option<f64>])> =
        columns.iter().map(|(name, values)| (name.as_str(), &values[..])).collect();
    per_point::write(
        &mut files,
        &options.output,
        (&rows, data.kept.as_deref(), data.names.as_ref()),
        &columns,
    )?;
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

/// The scores of data in the units in which the model measures distances.
fn scores(score: &Perturbation, model: &SavedModel, data: &Input<'_>) -> Result<PerturbationScores, Error> {
    let map = model.fitted.embedding();
    match &model.scaling {
        None => score.scores(&*model.fitted, map, data),
        Some(scaling) => score.scores(&Unscaled { model: &*model.fitted, scaling }, map, data),
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
fn summary(scores: &PerturbationScores, k: usize, data: &FittedRows) -> String {
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
        let name = data.names.as_ref().map(|names| &names.values[row as usize]);
        name.map_or_else(|| line.to_string(), |name| format!("{line} ({name})"))
    });
    let named = named.collect::<Vec<_>>().join(", ");
    if !jumps.is_empty() {
        let more = if jumps.len() > NAMED { ", …" } else { "" };
        text += &format!(" Rows, largest score first: {named}{more}.");
    }
    text += "\n";
    text
}
