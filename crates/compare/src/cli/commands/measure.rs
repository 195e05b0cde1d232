//! `compare measure`.

use std::process::ExitCode;

use datasets::Labels;
use datasets::files::Table;
use embedding::{DistanceMatrix, Error, Input, PointSet, Points};
use neighbor_graph::{Neighborhood, neighbors_of_input};
use quality::{Measure as Measured, Original, Outcome};
use serde_json::{Map, Value};

use crate::Failure;
use crate::cli::arguments::{Measure, OriginalData};
use crate::cli::files::measure_input::Data;
use crate::cli::files::{input, row_names, suspicious, unknown_label};
use crate::cli::{Context, print};
use crate::measures;
use crate::output::json;

pub(in crate::cli) fn measure(arguments: &Measure, context: &Context) -> Result<ExitCode, Failure> {
    let Measure { input, embedding, truth, labels, .. } = arguments;
    input::one_stdin([input, embedding].into_iter().chain(truth))?;
    let classes = input::Classes::of(labels.as_ref(), arguments.unknown_label.as_ref());
    check_given(arguments)?;
    let mut data = match arguments.given {
        OriginalData::Points => Data::read(input, classes, &arguments.reading, arguments.metric, context)?,
        OriginalData::Distances => Data::of_distances(input, classes, &arguments.reading, context)?,
    };
    if let Some(label) = &arguments.unknown_label {
        unknown_label::mark(data.labels_mut().into_iter(), label)?;
    }
    let distances = match (data.table(), arguments.given) {
        (Some(table), OriginalData::Distances) => {
            let matrix = DistanceMatrix::from_mat(table.points.view().as_mat());
            Some(matrix.map_err(|error| input::of_file(error, input))?)
        }
        (Some(table), OriginalData::Points) => {
            let notes = suspicious::notes(table, arguments.metric, suspicious::Use::Measures);
            input::tell(&notes, input, context);
            None
        }
        (None, _) => None,
    };
    let original = distances.map_or_else(|| data.original(), Original::from);
    let classes = data.labels().map(Labels::known);
    let n = original.len();
    let read = |path, what, advice| {
        rows(
            (n, data.kept()),
            what,
            row_names::read_map(path, (&arguments.reading, data.table()), context)?,
            advice,
        )
    };
    let coordinates = read(embedding, "the number of embedded points", FEWER_PLACES)?;
    if let Some(note) = other_columns(coordinates.view()) {
        input::tell(&[note], embedding, context);
    }
    let truth = truth.as_ref().map(|path| read(path, "the number of true coordinates", "")).transpose()?;
    if n < 3 {
        return Err(Error::TooFewPoints { what: "measuring a map", needed: 3, got: n }.into());
    }
    let most = (n - 1) / 2;
    if !(1..=most).contains(&arguments.k) {
        let requirement = format!("between 1 and {most}, below half of the {n} points");
        return Err(Error::parameter("k", requirement, arguments.k).into());
    }
    context.progress.begin("measuring");
    let neighborhood = Neighborhood::Nearest { k: arguments.k };
    let searched = distances.map_or_else(|| data.input(), Input::from);
    let searched = searched.metric(arguments.metric).memory_limit(context.memory);
    let neighbors = neighbors_of_input(&searched.observer(&context.progress), neighborhood)?;
    let known = (truth.as_ref().map(PointSet::view), classes.as_deref());
    let sample = measures::sampled(n).filter(|_| !arguments.all_rows);
    let against = measures::context(
        original,
        measures::rows(sample),
        (&neighbors, arguments.k),
        arguments.metric,
        known,
    );
    let outcomes = against.with_memory_limit(context.memory).outcomes(coordinates.view())?;
    context.progress.end();
    if let Some(rows) = sample {
        context.progress.line(format!(
            "note: measures of neighborhoods are averages over {rows} of the {n} rows, chosen at random; \
             --all-rows takes all"
        ));
    }
    let mut object = Map::new();
    object.insert("n".to_owned(), n.into());
    match arguments.given {
        OriginalData::Points => {
            object.insert("D".to_owned(), data.dim().into());
            object.insert("metric".to_owned(), arguments.metric.to_string().into());
        }
        OriginalData::Distances => {
            object.insert("given".to_owned(), "distances".into());
        }
    }
    object.insert("dim".to_owned(), coordinates.dim().into());
    object.insert("k".to_owned(), arguments.k.into());
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
    print(&json(&Value::Object(object)))?;
    Ok(ExitCode::SUCCESS)
}

/// Fails where an option is given that a matrix of distances has no use for.
fn check_given(arguments: &Measure) -> Result<(), Failure> {
    let Measure { given, metric, reading, .. } = arguments;
    let refused = match given {
        OriginalData::Distances if !metric.is_euclidean() => "--metric needs points",
        OriginalData::Distances if reading.standardize => "--standardize needs points",
        OriginalData::Distances if reading.drop_zero_rows => "--drop-zero-rows needs points",
        _ => return Ok(()),
    };
    Err(Failure::usage(format!("{refused}, but --given distances is set, which have their own metric")))
}

/// What is said of an embedding with more columns than a picture has, or with one that may hold
/// classes: whole numbers beside columns of others.
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

/// The advice where a map has fewer rows than the data.
pub(in crate::cli) const FEWER_PLACES: &str = "; of a map of some rows, as embed --components largest writes it, \
                                       give these rows of the data: facts.rows of its --report lists them";

/// One row per row of the data, with `advice` where there are fewer; of a file that has rows
/// for those that were left out too, those `kept` of all.
pub(in crate::cli) fn rows(
    (expected, kept): (usize, Option<(usize, &[u32])>),
    what: &'static str,
    found: Table,
    advice: &str,
) -> Result<PointSet, Failure> {
    let got = found.points.len();
    match kept {
        _ if got == expected => Ok(found.points),
        Some((all, kept)) if got == all => Ok(found.points.view().select(kept)),
        _ => {
            let advice = if got < expected { advice } else { "" };
            let expected = format!("{expected}, one per row of the data");
            Err(Error::Shape { what, expected, got: format!("{got}{advice}") }.into())
        }
    }
}
