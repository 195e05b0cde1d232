//! `compare measure`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use datasets::Labels;
use datasets::files::{Given, WholeFiles};
use embedding::{DistanceMatrix, Error, Input, PointSet, Points};
use neighbor_graph::{NeighborSearch, Neighborhood};
use quality::{Measure as Measured, Original, Outcome, RowSample, point_measures};
use serde_json::{Map, Value};

use crate::cli::context::Context;
use crate::cli::files::measure_input::MeasureInput;
use crate::cli::files::{input, map_rows, outputs, per_point, row_names, suspicious, unknown_label};
use crate::cli::options::labels::UnknownLabel;
use crate::cli::options::metric::MetricOption;
use crate::cli::options::reading::ReadingOptions;
use crate::cli::options::values::{file, whole};
use crate::cli::standard_output::print;
use crate::output::json;
use crate::{Failure, measures};

#[derive(Args)]
#[group(skip)]
pub(in crate::cli) struct Measure {
    /// The original data
    #[arg(long, value_name = "X")]
    pub(in crate::cli) input: PathBuf,
    /// What these are: points, one per row, or the distances or similarities of all points
    #[arg(long, value_name = "KIND", value_enum, default_value_t = OriginalData::Points)]
    pub(in crate::cli) given: OriginalData,
    /// The embedding, one row per row of the data
    #[arg(long, value_name = "Y")]
    pub(in crate::cli) embedding: PathBuf,
    /// The true coordinates
    #[arg(long, value_name = "T")]
    pub(in crate::cli) truth: Option<PathBuf>,
    /// Class labels, one per point
    #[arg(long, value_name = "L", value_parser = file())]
    pub(in crate::cli) labels: Option<PathBuf>,
    #[command(flatten)]
    pub(in crate::cli) unknown: UnknownLabel,
    /// Neighborhood size of the measures
    #[arg(long, value_name = "K", alias = "measure-k", default_value_t = 10, value_parser = whole::<usize>)]
    pub(in crate::cli) k: usize,
    #[command(flatten)]
    pub(in crate::cli) distance: MetricOption,
    /// Measure all rows of more than 3,000, instead of 500 chosen at random; residual_variance then
    /// takes 16 bytes for every pair of points
    #[arg(long)]
    pub(in crate::cli) all_rows: bool,
    /// Output file of the measures that have a value at every point, .csv or .tsv: one row per point,
    /// of all rows
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) per_point: Option<PathBuf>,
    #[command(flatten)]
    pub(in crate::cli) reading: ReadingOptions,
}

/// The original data of a map.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum OriginalData {
    Points,
    Distances,
    Similarities,
}

pub(super) fn measure(options: &Measure, context: &Context) -> Result<ExitCode, Failure> {
    let Measure { input, embedding, truth, labels, .. } = options;
    input::one_stdin([input, embedding].into_iter().chain(truth))?;
    let classes = input::Classes::of(labels.as_ref(), options.unknown.unknown_label.as_ref());
    check_given(options)?;
    if let Some(path) = &options.per_point {
        let inputs = [input, embedding].into_iter().chain(truth).chain(labels);
        outputs::check(inputs, [("--per-point", path)])?;
        per_point::check("--per-point", path)?;
    }
    let of_distances = |given| {
        let reading = ReadingOptions { given, ..options.reading.clone() };
        MeasureInput::of_distances(input, classes, &reading, context)
    };
    let mut data = match options.given {
        OriginalData::Points => {
            MeasureInput::read(input, classes, &options.reading, options.distance.metric, context)?
        }
        OriginalData::Distances => of_distances(Given::Distances)?,
        OriginalData::Similarities => of_distances(Given::Similarities)?,
    };
    if let Some(label) = &options.unknown.unknown_label {
        unknown_label::mark(data.labels_mut().into_iter(), label)?;
    }
    let distances = match (data.table(), options.given) {
        (Some(table), OriginalData::Distances | OriginalData::Similarities) => {
            let matrix = DistanceMatrix::from_mat(table.points.view().as_mat());
            Some(matrix.map_err(|error| input::of_file(error, input))?)
        }
        (Some(table), OriginalData::Points) => {
            let notes = suspicious::notes(table, options.distance.metric, suspicious::Use::Measures);
            input::note(&notes, input, context);
            None
        }
        (None, _) => None,
    };
    let original = distances.map_or_else(|| data.original(), Original::from);
    let classes = data.labels().map(Labels::known);
    let n = original.len();
    let read = |path, what, advice| {
        map_rows::rows(
            (n, data.kept()),
            what,
            row_names::read_map(path, (&options.reading, data.table()), context)?,
            advice,
        )
    };
    let coordinates = read(embedding, "the number of embedded points", map_rows::FEWER_PLACES)?;
    if let Some(note) = other_columns(coordinates.view()) {
        input::note(&[note], embedding, context);
    }
    let truth = truth.as_ref().map(|path| read(path, "the number of true coordinates", "")).transpose()?;
    if n < 3 {
        return Err(Error::TooFewPoints { what: "measuring a map", needed: 3, got: n }.into());
    }
    let most = (n - 1) / 2;
    if !(1..=most).contains(&options.k) {
        let requirement = format!("between 1 and {most}, below half of the {n} points");
        return Err(Error::parameter("k", requirement, options.k).into());
    }
    context.progress.begin("measuring");
    let neighborhood = Neighborhood::Nearest { k: options.k };
    let searched = distances.map_or_else(|| data.input(), Input::from);
    let searched = searched.with_metric(options.distance.metric).with_memory_limit(context.memory);
    let neighbors = NeighborSearch::from(neighborhood).find(searched.with_observer(&context.progress))?;
    let known = (truth.as_ref().map(PointSet::view), classes.as_deref());
    let sample = measures::sampled(n).filter(|_| !options.all_rows);
    let against = measures::context(
        original,
        measures::rows(sample),
        (&neighbors, options.k),
        options.distance.metric,
        known,
    );
    let outcomes = against.with_memory_limit(context.memory).outcomes(coordinates.view())?;
    if let Some(path) = &options.per_point {
        let all = measures::context(
            original,
            RowSample::All,
            (&neighbors, options.k),
            options.distance.metric,
            (None, None),
        );
        let all = all.with_memory_limit(context.memory);
        write_per_point(path, &all, coordinates.view(), (options, &data), context)?;
    }
    context.progress.end();
    if let Some(rows) = sample {
        context.progress.line(format!(
            "note: measures of neighborhoods are averages over {rows} of the {n} rows, chosen at random; \
             --all-rows takes all"
        ));
    }
    let dims = (data.dim(), coordinates.dim());
    print(&json(&Value::Object(report(options, (n, sample), dims, outcomes, context))))?;
    Ok(ExitCode::SUCCESS)
}

/// Writes the measures per point, one row per point; an undefined value is an empty cell. A measure without
/// any value keeps its column, with a note, so that tables of several maps have the same columns.
fn write_per_point(
    path: &Path,
    measured: &quality::Context<'_>,
    map: Points<'_>,
    (options, data): (&Measure, &MeasureInput),
    context: &Context,
) -> Result<(), Failure> {
    let mut columns = Vec::new();
    for measure in point_measures() {
        match measure.values(measured, map)? {
            Some(values) => columns.push((measure.name, values)),
            None => {
                let name = measure.name;
                context.progress.line(format!("note: {name} has no value at any point; its column is empty"));
                columns.push((name, vec![None; map.len()]));
            }
        }
    }
    let columns: Vec<(&str, &[Option<f64>])> =
        columns.iter().map(|(name, values)| (*name, values.as_slice())).collect();
    let rows: Vec<u32> = (0..map.len() as u32).collect();
    let names = row_names::asked_for(&options.reading, data.table());
    let kept = data.kept().map(|kept| kept.1);
    let mut files = WholeFiles::default();
    per_point::write(&mut files, path, (&rows, kept, names), &columns)?;
    Ok(files.complete()?)
}

/// The values of the measures as JSON, with what was measured; those without a value with the reason.
fn report(
    options: &Measure,
    (n, sample): (usize, Option<usize>),
    (columns, dim): (usize, usize),
    outcomes: Vec<(&'static Measured, Outcome)>,
    context: &Context,
) -> Map<String, Value> {
    let mut object = Map::new();
    object.insert("n".to_owned(), n.into());
    match options.given {
        OriginalData::Points => {
            object.insert("D".to_owned(), columns.into());
            object.insert("metric".to_owned(), options.distance.metric.to_string().into());
        }
        OriginalData::Distances => {
            object.insert("given".to_owned(), "distances".into());
        }
        OriginalData::Similarities => {
            object.insert("given".to_owned(), "similarities".into());
        }
    }
    object.insert("dim".to_owned(), dim.into());
    object.insert("k".to_owned(), options.k.into());
    object.insert("rows".to_owned(), sample.unwrap_or(n).into());
    let mut left_out = Map::new();
    for (Measured { name, .. }, outcome) in outcomes {
        let reason = match outcome {
            Outcome::Value(value) => {
                object.insert((*name).to_owned(), value.into());
                continue;
            }
            Outcome::NotGiven(what) => format!("{what} were not given"),
            Outcome::Undefined(reason) => {
                context.progress.line(format!("note: {name} is left out: {reason}"));
                reason
            }
        };
        left_out.insert((*name).to_owned(), reason.into());
    }
    if !left_out.is_empty() {
        object.insert("left_out".to_owned(), left_out.into());
    }
    object
}

/// Fails where an option is given that a matrix of distances has no use for.
fn check_given(options: &Measure) -> Result<(), Failure> {
    let Measure { given, distance, reading, .. } = options;
    let what = match given {
        OriginalData::Points => return Ok(()),
        OriginalData::Distances => "distances",
        OriginalData::Similarities => "similarities",
    };
    let refused = if !distance.metric.is_euclidean() {
        "--metric needs points"
    } else if reading.standardize {
        "--standardize needs points"
    } else if reading.drop_zero_rows {
        "--drop-zero-rows needs points"
    } else {
        return Ok(());
    };
    Err(Failure::usage(format!("{refused}, but --given {what} is set, which have their own metric")))
}

/// A note on an embedding with more columns than a picture has, or with one that may hold
/// classes: a column of whole numbers next to others.
fn other_columns(coordinates: Points<'_>) -> Option<String> {
    let dim = coordinates.dim();
    let whole = |column: &usize| coordinates.rows().all(|row| row[*column].fract() == 0.0);
    let found: Vec<usize> = (0..dim).filter(whole).collect();
    match found[..] {
        [column] if dim > 1 => Some(format!(
            "all {dim} columns are measured as coordinates; column {column} (counted from 0) has whole numbers only: if \
             it holds classes, leave it out of this file and give it by --labels"
        )),
        _ => (dim > 2).then(|| format!("all {dim} columns are measured as coordinates")),
    }
}
