//! The user's own data sets.

use std::path::{Path, PathBuf};

use datasets::Dataset;
use datasets::files::SparseTable;
use embedding::mixed::MixedColumns;
use embedding::{Input, Metric};
use figure::number::counted;

use crate::Failure;
use crate::cli::context::Context;
use crate::cli::files::{input, suspicious, unknown_label, unrelated};
use crate::cli::options::reading::ReadingOptions;
use crate::cli::options::unrelated::Policy;
use crate::cli::options::user_files::UserFiles;
use crate::cli::plot::without_coordinates;
use crate::dataset_source::{DatasetSource, too_many_zeros};

/// The options that name and read files.
pub(in crate::cli) struct FilesToRead<'a> {
    pub(in crate::cli) files: &'a UserFiles,
    pub(in crate::cli) reading: &'a ReadingOptions,
    /// Number of rows of each, and the seed of their choice; all where there is none.
    pub(in crate::cli) sample: Option<(usize, u64)>,
    /// The distance between the rows.
    pub(in crate::cli) metric: Metric,
    /// What becomes of rows that are related to no other.
    pub(in crate::cli) unrelated: Policy,
    /// Whether sparse points are needed with their zeros, however many these are.
    pub(in crate::cli) zeros: bool,
}

/// Reads each file as a data set, named after the file.
pub(in crate::cli) fn read(
    request: &FilesToRead<'_>,
    context: &Context,
) -> Result<Vec<DatasetSource>, Failure> {
    let FilesToRead { files: UserFiles { input, labels, images, unknown }, reading, sample, .. } = *request;
    let unknown_label = unknown.unknown_label.as_ref();
    input::one_stdin(input)?;
    for (option, given) in [("--labels", labels.len()), ("--images", images.len())] {
        if given != 0 && given != input.len() {
            let inputs = counted(input.len(), "input", "inputs");
            return Err(Failure::usage(format!(
                "{option} must name one for each of {inputs}, but names {given}"
            )));
        }
    }
    let mut sets: Vec<DatasetSource> = Vec::new();
    for (i, (path, name)) in input.iter().zip(input::names(input)).enumerate() {
        context.progress.begin(input::name(path));
        let classes = input::Classes::of(labels.get(i), unknown_label);
        let source = match sparse(path, request, context)? {
            Some(table) => without_zeros(name, path, table, classes, reading, context)?,
            None => with_zeros(name, path, images.get(i).map(PathBuf::as_path), classes, request, context)?,
        };
        let source = related(source, path, request, context)?;
        sets.push(match sample {
            Some((n, seed)) => source.sample(n, seed)?,
            None => source,
        });
    }
    if let Some(label) = unknown_label {
        unknown_label::mark(sets.iter_mut().filter_map(|set| set.data.labels.first_mut()), label)?;
        let marked = |set: &&mut Dataset| set.labels.iter().any(|labels| labels.unknown.is_some());
        for set in sets.iter_mut().map(|set| &mut set.data).filter(marked) {
            set.notes += &format!(
                " The class of rows labeled `{label}` is unknown: measures of classes leave them out, and pictures \
                 show them gray."
            );
        }
    }
    Ok(sets)
}

/// The rows of a set that stay by the policy for unrelated rows.
fn related(
    source: DatasetSource,
    path: &Path,
    request: &FilesToRead<'_>,
    context: &Context,
) -> Result<DatasetSource, Failure> {
    let rows = Input::from(source.points()).with_metric(request.metric).with_memory_limit(context.memory);
    let Some((kept, note)) = unrelated::related(&rows, request.unrelated, path, |row| row, context)? else {
        return Ok(source);
    };
    let mut rest = source.select(&kept)?;
    rest.data.notes += &format!(" Note: {note}.");
    Ok(rest)
}

/// A sparse matrix that has too many zeros to read them, unless these are needed.
fn sparse(path: &Path, request: &FilesToRead<'_>, context: &Context) -> Result<Option<SparseTable>, Failure> {
    if request.zeros || !request.files.images.is_empty() {
        return Ok(None);
    }
    let found = input::find_sparse(path, request.reading, request.metric, context)?;
    Ok(found.filter(|table| too_many_zeros(table.points.view())))
}

/// The data set of a sparse matrix without its zeros.
fn without_zeros(
    name: String,
    path: &Path,
    table: SparseTable,
    classes: input::Classes<'_>,
    reading: &ReadingOptions,
    context: &Context,
) -> Result<DatasetSource, Failure> {
    let notes = input::sparse_notes(&table);
    input::note(&notes, path, context);
    let reading = reading.reading_classes(classes.unknown, context.memory);
    let labels = classes.file.map(|file| table.labels(&reading, file)).transpose()?;
    let of_labels: Vec<String> = labels.as_ref().and_then(suspicious::unlikely).into_iter().collect();
    input::note(&of_labels, path, context);
    let mut known = without_coordinates(name, table.points.view().len(), labels, None)?;
    known.notes = noted(path, notes.iter().chain(&of_labels));
    Ok(DatasetSource::without_zeros(known, table.points).with_warnings(&of_labels))
}

/// The data set of a table.
fn with_zeros(
    name: String,
    path: &Path,
    images: Option<&Path>,
    classes: input::Classes<'_>,
    &FilesToRead { reading, metric, .. }: &FilesToRead<'_>,
    context: &Context,
) -> Result<DatasetSource, Failure> {
    let mut table = input::read(path, classes, &reading.for_metric(metric, None)?, context)?;
    if let Some(folder) = images {
        reading.reading(context.memory).illustrate(&mut table, folder)?;
    }
    let of_data = suspicious::notes(&table, metric, suspicious::Use::Methods);
    input::note(&of_data, path, context);
    let mut notes = noted(path, table.notes.iter().chain(&of_data));
    notes.extend(reading.standardize.then_some(" The columns are standardized."));
    notes.extend(table.warnings.iter().map(|warning| format!(" Warning: {warning}.")));
    let warnings: Vec<String> = table.warnings.iter().chain(&of_data).cloned().collect();
    let columns = table.mixed.as_ref().map(MixedColumns::len);
    let data = table.into_dataset(name, notes);
    let source = match columns {
        Some(columns) => DatasetSource::of_mixed(data, (metric, columns), context.memory)?,
        None => data.into(),
    };
    Ok(source.with_warnings(&warnings))
}

/// Where a data set is from, with what was noted about it.
fn noted<'a>(path: &Path, notes: impl IntoIterator<Item = &'a String>) -> String {
    let mut text = format!("Read from {}.", input::name(path));
    text.extend(notes.into_iter().map(|note| format!(" Note: {note}.")));
    text
}
