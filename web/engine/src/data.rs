//! Data sets: generated, given, read and sampled.

use datasets::files::{Encoding, Missing, Reading};
use datasets::{Dataset, Geometry, Labels, Quantity, Request};
use embedding::{Error, PointSet};

use crate::failure::Failure;
use crate::message::{Array, Blocks, Message};
use crate::request::{File, Generate, Given, GivenLabels, GivenQuantity, Sample, Source};
use crate::state::{Answer, Engine};
use crate::stored::{MEMORY, Stored, check_count};
use crate::warnings;

fn keep(engine: &mut Engine, name: String, stored: Stored, blocks: &mut Blocks) -> Answer {
    let answer = stored.answer(&name, blocks);
    engine.data.insert(name, stored);
    Ok(answer)
}

/// Makes a data set of the catalog.
pub(crate) fn generate(engine: &mut Engine, request: Generate, blocks: &mut Blocks) -> Answer {
    let Generate { data, dataset, n, noise, seed, scale } = request;
    check_count(n.unwrap_or(0))?;
    let options = Request { n, seed, noise, scale, memory: MEMORY, ..Request::default() };
    let made = datasets::load(&dataset, &options)?;
    let source = Source::Listed { dataset, n: Some(made.points.len()), noise, seed, scale };
    keep(engine, data, Stored::new(made, Some(source))?, blocks)
}

/// Keeps points of the caller.
pub(crate) fn points(
    engine: &mut Engine,
    request: Given,
    message: Message<'_>,
    blocks: &mut Blocks,
) -> Answer {
    let points = matrix(message, request.points, request.columns)?;
    let n = points.len();
    let truth = request.truth.map(|truth| matrix(message, truth, request.truth_columns)).transpose()?;
    check_rows("the rows of the true coordinates", n, truth.as_ref().map_or(n, PointSet::len))?;
    let labels = request.labels.into_iter().map(|set| labels(message, set, n)).collect::<Result<_, _>>()?;
    let quantities =
        request.quantities.into_iter().map(|given| quantity(message, given, n)).collect::<Result<_, _>>()?;
    if let Some(names) = &request.row_names {
        check_rows("the names of rows", n, names.values.len())?;
    }
    let columns = request.images.map_or(0, |shape| shape.len());
    let pixels = request.pixels.map(|pixels| matrix(message, pixels, columns)).transpose()?;
    check_rows("the number of pictures", n, pixels.as_ref().map_or(n, PointSet::len))?;
    if request.images.is_some() && pixels.is_none() {
        check_rows("the columns of pictures", columns, points.dim())?;
    }
    let unknown = if truth.is_some() { Geometry::Parameters } else { Geometry::Unknown };
    let data = Dataset {
        name: request.title.unwrap_or_else(|| request.data.clone()),
        points,
        column_names: request.column_names,
        truth,
        truth_names: request.truth_names,
        geometry: request.geometry.unwrap_or(unknown),
        labels,
        quantities,
        row_names: request.row_names,
        images: request.images,
        pixels,
        notes: request.notes,
    };
    keep(engine, request.data, Stored::new(data, request.source)?, blocks)
}

/// A number per row, none where it is NaN.
fn quantity(message: Message<'_>, given: GivenQuantity, n: usize) -> Result<Quantity, Failure> {
    let values = message
        .reals(given.values)
        .ok_or_else(|| Failure::request("the numbers of a quantity are missing"))?;
    check_rows("the numbers of a quantity", n, values.len())?;
    if values.iter().any(|value| value.is_infinite()) {
        return Err(Failure::request("the numbers of a quantity must be finite or NaN"));
    }
    let values = values.into_iter().map(|value| Some(value).filter(|value| !value.is_nan())).collect();
    Ok(Quantity { name: given.name, values })
}

/// Points of a block; fails on a count that is not whole rows and on values that are not finite.
pub(crate) fn matrix(message: Message<'_>, array: Array, columns: usize) -> Result<PointSet, Failure> {
    let values = message.reals(array).ok_or_else(|| Failure::request("coordinates are missing"))?;
    Ok(PointSet::new(values, columns)?)
}

fn labels(message: Message<'_>, set: GivenLabels, n: usize) -> Result<Labels, Failure> {
    let values = message.indices(set.values).ok_or_else(|| Failure::request("labels are missing"))?;
    check_rows("the number of labels", n, values.len())?;
    let outside = |value: &&u32| **value as usize >= set.classes.len();
    if let Some(value) = values.iter().chain(&set.unknown).find(outside) {
        let requirement = format!("below {}, the number of classes", set.classes.len());
        return Err(Error::parameter("a label", requirement, value).into());
    }
    Ok(Labels { name: set.name, classes: set.classes, values, unknown: set.unknown })
}

fn check_rows(what: &'static str, expected: usize, got: usize) -> Result<(), Error> {
    if expected == got {
        return Ok(());
    }
    Err(Error::Shape { what, expected: expected.to_string(), got: got.to_string() })
}

/// Reads a file of the caller.
pub(crate) fn read(engine: &mut Engine, request: File, message: Message<'_>, blocks: &mut Blocks) -> Answer {
    let File {
        data,
        name,
        bytes,
        label_column,
        labels,
        ignore,
        color_columns,
        name_column,
        windows_1252,
        decimal_comma,
        standardize,
        missing,
        missing_values,
    } = request;
    let content = |bytes| {
        let bytes = message.bytes(bytes).ok_or_else(|| Failure::request("the bytes of a file are missing"));
        bytes.map(<[u8]>::to_vec)
    };
    let mut options = Vec::new();
    let mut option = |words: &[&str]| options.extend(words.iter().map(|word| (*word).to_owned()));
    if let Some(column) = &label_column {
        option(&["--label-column", column]);
    }
    if let Some(file) = &labels {
        option(&["--labels", &file.name]);
    }
    if !ignore.is_empty() {
        option(&["--ignore", &ignore.join(",")]);
    }
    if !color_columns.is_empty() {
        option(&["--color-column", &color_columns.join(",")]);
    }
    if let Some(column) = &name_column {
        option(&["--name-column", column]);
    }
    if windows_1252 {
        option(&["--encoding", "windows-1252"]);
    }
    if decimal_comma {
        option(&["--decimal-comma"]);
    }
    if standardize {
        option(&["--standardize"]);
    }
    let (missing, word) = missing.choice();
    if missing != Missing::Refuse {
        option(&["--missing", word]);
    }
    if !missing_values.is_empty() {
        option(&["--missing-values", &missing_values.join(",")]);
    }
    let reading = Reading {
        encoding: if windows_1252 { Encoding::Windows1252 } else { Encoding::Utf8 },
        ignore,
        label_column,
        color_columns,
        name_column,
        decimal_comma,
        standardize,
        missing,
        missing_values,
        memory: MEMORY,
        ..Reading::default()
    };
    let mut table = reading.read_bytes(content(bytes)?, &name)?;
    if let Some(file) = labels {
        reading.label_bytes(&mut table, content(file.bytes)?, &file.name)?;
    }
    let sentences = table.notes.iter().chain(&table.warnings);
    let notes = sentences.map(|sentence| format!(" {sentence}.")).collect::<String>();
    let notes = format!("Read from {name}.{notes}");
    let stem = name.split('.').next().filter(|stem| !stem.is_empty()).unwrap_or(&name).to_owned();
    let source = Source::File { file: name, sample: None, options };
    let warnings = warnings::of(&table);
    let mut stored = Stored::new(table.into_dataset(stem, notes), Some(source))?;
    stored.warnings = warnings;
    keep(engine, data, stored, blocks)
}

/// Samples another data set.
pub(crate) fn sample(engine: &mut Engine, request: &Sample, blocks: &mut Blocks) -> Answer {
    let Sample { data, of, n, seed } = request;
    let whole = engine.stored(of)?;
    let rows = whole.data.sample_rows(*n, *seed)?;
    let part = whole.data.select(&rows)?;
    // The command line samples files with the same seed, but has no sample of a generated set.
    let source = match whole.source.clone() {
        Some(Source::File { file, sample: None, options }) => {
            Some(Source::File { file, sample: Some((*n, *seed)), options })
        }
        _ => None,
    };
    let rows = match &whole.rows {
        Some(of_whole) => rows.iter().map(|&row| of_whole[row as usize]).collect(),
        None => rows,
    };
    let mut stored = Stored::new(part, source)?;
    stored.rows = Some(rows);
    keep(engine, data.clone(), stored, blocks)
}
