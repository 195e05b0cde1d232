//! Reads the user's files.

use std::io::{Read, stdin};
use std::path::{Path, PathBuf};

use datasets::files::{
    Categories, Color, DateOrder, Encoding, GraphFile, HeaderRow, Missing, Reading, SparseTable, Table,
    Thousands,
};
use embedding::{Error, MemoryLimit, Metric, Neighbors, NewNeighbors, Remedy};
use figure::number::count;

use crate::Failure;
use crate::cli::context::Context;
use crate::cli::files::embed_input::new_neighbors;
use crate::cli::options::reading::{
    Header, MissingValues, OrderOfDates, ReadingOptions, TextEncoding, ThousandsSign, WordColumns,
};
use crate::cli::options::values::STDIN;

/// The classes of an input, where it does not hold them itself.
#[derive(Clone, Copy, Default)]
pub(in crate::cli) struct Classes<'a> {
    /// The file that holds them.
    pub(in crate::cli) file: Option<&'a Path>,
    /// The label that stands for an unknown class.
    pub(in crate::cli) unknown: Option<&'a str>,
}

impl<'a> Classes<'a> {
    pub(in crate::cli) fn of(file: Option<&'a PathBuf>, unknown: Option<&'a String>) -> Self {
        Self { file: file.map(PathBuf::as_path), unknown: unknown.map(String::as_str) }
    }
}

impl ReadingOptions {
    /// The options of the readers.
    pub(in crate::cli) fn reading(&self, memory: MemoryLimit) -> Reading {
        Reading {
            given: self.given,
            encoding: match self.encoding {
                None | Some(TextEncoding::Utf8) => Encoding::Utf8,
                Some(TextEncoding::Windows1252) => Encoding::Windows1252,
            },
            header: match self.header {
                None | Some(Header::Auto) => HeaderRow::Auto,
                Some(Header::Yes) => HeaderRow::Yes,
                Some(Header::No) => HeaderRow::No,
            },
            transpose: self.transpose,
            skip_rows: self.skip_rows,
            header_rows: self.header_rows,
            decimal_comma: self.decimal_comma,
            thousands: self.thousands.map(|sign| match sign {
                ThousandsSign::Comma => Thousands::Comma,
                ThousandsSign::Point => Thousands::Point,
                ThousandsSign::Space => Thousands::Space,
                ThousandsSign::Apostrophe => Thousands::Apostrophe,
                ThousandsSign::Underscore => Thousands::Underscore,
            }),
            coordinates: Vec::new(),
            ignore: self.ignore.clone(),
            label_column: self.label_column.clone(),
            color_columns: self.color_column.clone(),
            weight_column: self.weight_column.clone(),
            target_column: self.target.clone(),
            name_column: self.name_column.clone(),
            carried: self.carried.clone(),
            unknown_label: None,
            without_labels: false,
            missing: match self.missing {
                None => Missing::Refuse,
                Some(MissingValues::Drop) => Missing::Drop,
                Some(MissingValues::Mean) => Missing::Mean,
                Some(MissingValues::Median) => Missing::Median,
                Some(MissingValues::Zero) => Missing::Zero,
                Some(MissingValues::Keep) => Missing::Keep,
            },
            missing_values: self.missing_values.clone(),
            categories: match self.categories {
                None => Categories::Refuse,
                Some(WordColumns::Ignore) => Categories::Ignore,
                Some(WordColumns::Indicators) => Categories::Indicators,
                Some(WordColumns::Gower) => Categories::Gower,
            },
            dates_as_days: self.dates_as_days,
            date_order: match self.date_order {
                None | Some(OrderOfDates::Year) => DateOrder::YearFirst,
                Some(OrderOfDates::Day) => DateOrder::DayFirst,
                Some(OrderOfDates::Month) => DateOrder::MonthFirst,
            },
            without_zero_rows: self.drop_zero_rows,
            standardize: self.standardize,
            size: self.image_size,
            mixed: self.mixed.clone(),
            asymmetric: self.asymmetric.clone(),
            weights: self.weighted.clone(),
            color: if self.color { Color::Rgb } else { Color::Gray },
            memory,
        }
    }

    /// The same where a label may stand for an unknown class.
    pub(in crate::cli) fn reading_classes(&self, unknown: Option<&str>, memory: MemoryLimit) -> Reading {
        Reading { unknown_label: unknown.map(str::to_owned), ..self.reading(memory) }
    }
}

/// Reads the points of a file, a folder of pictures or standard input, with their classes; notes and
/// warnings go to standard error.
pub(in crate::cli) fn read(
    path: &Path,
    classes: Classes<'_>,
    flags: &ReadingOptions,
    context: &Context,
) -> Result<Table, Failure> {
    read_coordinates(path, &[], classes, flags, context)
}

/// The same as [`read()`], only with the given coordinates if the header has all of them.
pub(in crate::cli) fn read_coordinates(
    path: &Path,
    coordinates: &[String],
    classes: Classes<'_>,
    flags: &ReadingOptions,
    context: &Context,
) -> Result<Table, Failure> {
    if classes.file.is_some() && flags.label_column.is_some() {
        return Err(Failure::usage("--labels and --label-column both name the classes; give one of them"));
    }
    let table = read_quietly(path, coordinates, classes, flags, context)?;
    report_notes(&table, path, context);
    Ok(table)
}

/// The same as [`read()`], without warnings: for a matrix of distances or lists, whose columns are no
/// coordinates.
pub(in crate::cli) fn read_matrix(
    path: &Path,
    classes: Classes<'_>,
    flags: &ReadingOptions,
    context: &Context,
) -> Result<Table, Failure> {
    let table = read_quietly(path, &[], classes, flags, context)?;
    note(&table.notes, path, context);
    Ok(table)
}

/// The same as [`read_matrix`] for a matrix of distances, which must be complete.
pub(in crate::cli) fn read_distances(
    path: &Path,
    classes: Classes<'_>,
    flags: &ReadingOptions,
    context: &Context,
) -> Result<Table, Failure> {
    let advice = "every distance must be known: leave the point out of rows and columns, or read the distances that are \
                  known as neighbor lists (--set given=neighbors of embed)";
    read_matrix(path, classes, flags, context)
        .map_err(|failure| advised(failure, &[Remedy::MissingValues], advice))
}

fn read_quietly(
    path: &Path,
    coordinates: &[String],
    classes: Classes<'_>,
    flags: &ReadingOptions,
    context: &Context,
) -> Result<Table, Failure> {
    flags.check()?;
    let reading = Reading {
        coordinates: coordinates.to_vec(),
        ..flags.reading_classes(classes.unknown, context.memory)
    };
    let mut table = read_by(&reading, path, context)?;
    if let Some(labels) = classes.file {
        reading.label(&mut table, labels)?;
    }
    Ok(table)
}

/// Reads points without classes: a column of classes is left out. Reads only the given coordinates if
/// the header has all of them.
pub(in crate::cli) fn read_points(
    path: &Path,
    coordinates: &[String],
    flags: &ReadingOptions,
    context: &Context,
) -> Result<Table, Failure> {
    flags.check()?;
    let reading =
        Reading { without_labels: true, coordinates: coordinates.to_vec(), ..flags.reading(context.memory) };
    let table = read_by(&reading, path, context)?;
    report_notes(&table, path, context);
    Ok(table)
}

fn read_by(reading: &Reading, path: &Path, context: &Context) -> Result<Table, Failure> {
    if path == Path::new(STDIN) {
        return Ok(reading.read_bytes(standard_input(context.memory)?, "standard input")?);
    }
    Ok(reading.read(path)?)
}

fn report_notes(table: &Table, path: &Path, context: &Context) {
    note(&table.notes, path, context);
    let name = name(path);
    let warnings = table.warnings.iter().map(|warning| format!("warning: {name}: {warning}"));
    warnings.for_each(|line| context.progress.line(line));
}

/// Prints notes about an input.
pub(in crate::cli) fn note(notes: &[String], path: &Path, context: &Context) {
    let name = name(path);
    notes.iter().for_each(|note| context.progress.line(format!("note: {name}: {note}")));
}

/// Reads the points of a sparse matrix without their zeros, for a search by `metric`; `None`
/// where the file holds none, and where the metric or an option of reading needs the zeros.
pub(in crate::cli) fn read_sparse(
    path: &Path,
    flags: &ReadingOptions,
    metric: Metric,
    context: &Context,
) -> Result<Option<SparseTable>, Failure> {
    let read = find_sparse(path, flags, metric, context)?;
    if let Some(table) = &read {
        note(&sparse_notes(table), path, context);
    }
    Ok(read)
}

/// The same without notes.
pub(in crate::cli) fn find_sparse(
    path: &Path,
    flags: &ReadingOptions,
    metric: Metric,
    context: &Context,
) -> Result<Option<SparseTable>, Failure> {
    if path == Path::new(STDIN) || flags.needs_zeros() || !metric.takes_sparse() {
        return Ok(None);
    }
    Ok(flags.reading(context.memory).read_sparse(path)?)
}

/// Notes on points that are read without their zeros.
pub(in crate::cli) fn sparse_notes(table: &SparseTable) -> Vec<String> {
    let points = table.points.view();
    let [n, columns, entries] = [table.rows, points.dim(), points.entries()].map(count);
    let note = format!("{n} × {columns} values, {entries} of them not 0, are read without the zeros");
    std::iter::once(note).chain(table.notes.iter().cloned()).collect()
}

/// Reads the neighbor graph of a sparse matrix of distances; `None` where the file holds other
/// numbers.
pub(in crate::cli) fn read_graph(
    path: &Path,
    flags: &ReadingOptions,
    context: &Context,
) -> Result<Option<Neighbors>, Failure> {
    if path == Path::new(STDIN) {
        return Ok(None);
    }
    let Some(GraphFile { neighbors, notes }) = datasets::files::read_graph(path, context.memory)? else {
        return Ok(None);
    };
    if flags.given() {
        return Err(no_options(path));
    }
    for note in notes {
        context.progress.line(format!("note: {}: {note}", name(path)));
    }
    Ok(Some(neighbors))
}

/// Reads the neighbor lists of new points of a model of `training` points: a sparse matrix of distances, or rows of
/// new point, training point and distance.
pub(in crate::cli) fn read_new_neighbors(
    path: &Path,
    training: usize,
    flags: &ReadingOptions,
    context: &Context,
) -> Result<NewNeighbors, Failure> {
    let of_matrix = if path == Path::new(STDIN) {
        None
    } else {
        datasets::files::read_new_neighbors(path, context.memory)?
    };
    if of_matrix.is_some() && flags.given() {
        return Err(no_options(path));
    }
    let found = match of_matrix {
        Some(found) => found,
        None => {
            let table = read_matrix(path, Classes::default(), flags, context)?;
            new_neighbors(table.points.view(), training).map_err(|error| of_file(error, path))?
        }
    };
    found.check_training(training).map_err(|error| of_file(error, path))?;
    Ok(found)
}

/// Refuses options of reading files with a sparse matrix of distances.
fn no_options(path: &Path) -> Failure {
    Failure::usage(format!(
        "{} holds a neighbor graph, which options of reading files do not apply to; leave them out",
        name(path)
    ))
}

/// Reads plain numbers, without options.
pub(in crate::cli) fn read_plain(path: &Path, context: &Context) -> Result<Table, Failure> {
    let table = read_matrix(path, Classes::default(), &ReadingOptions::default(), context);
    table.map_err(|failure| {
        let advice = "options of reading act on --input only: this file must hold coordinates alone, a number in \
                      every cell; its first column may hold the names of the rows if it has the name of the column of \
                      --name-column";
        advised(failure, &[Remedy::MissingValues, Remedy::Reading], advice)
    })
}

/// The failure, with `advice` instead of its own where that is one of the remedies, which do not help here.
pub(in crate::cli) fn advised(failure: Failure, remedies: &[Remedy], advice: &str) -> Failure {
    match failure {
        Failure::Failed(Error::File { path, problem, remedy: Some(remedy), .. })
            if remedies.contains(&remedy) =>
        {
            Failure::Failed(Error::File { path, problem, advice: Some(advice.to_owned()), remedy: None })
        }
        other => other,
    }
}

/// An error in the contents of a file, with the name of the file.
pub(in crate::cli) fn of_file(error: Error, path: &Path) -> Error {
    error.in_file(name(path))
}

/// How messages name an input.
pub(in crate::cli) fn name(path: &Path) -> String {
    if path == Path::new(STDIN) { "standard input".to_owned() } else { path.display().to_string() }
}

/// How figures and folders name an input: the name of its file without
/// extensions, and of the array in it.
pub(in crate::cli) fn stem(path: &Path) -> String {
    if path == Path::new(STDIN) {
        return "standard-input".to_owned();
    }
    // Of `.` and `..` the folder that they are.
    let whole = path.file_name().map(|name| name.to_string_lossy().into_owned()).or_else(|| {
        let folder = path.canonicalize().ok()?;
        Some(folder.file_name()?.to_string_lossy().into_owned())
    });
    let whole = whole.unwrap_or_default();
    let cut = |text: &str, end: &str| {
        let at = text.len().checked_sub(end.len()).filter(|at| *at > 0 && text.is_char_boundary(*at))?;
        text[at..].eq_ignore_ascii_case(end).then(|| text[..at].to_owned())
    };
    let base = cut(&whole, ".gz").unwrap_or(whole);
    let base = match base.split_once(".npz:") {
        Some((file, array)) => format!("{file}-{array}"),
        None => {
            let known = [
                ".csv", ".tsv", ".tab", ".txt", ".dat", ".data", ".jsonl", ".ndjson", ".npy", ".npz", ".mtx",
                ".idx", ".phy", ".phylip", ".dist", ".dst",
            ];
            known.iter().find_map(|end| cut(&base, end)).unwrap_or(base)
        }
    };
    let safe = |c: char| if c.is_alphanumeric() || ['-', '_', '.'].contains(&c) { c } else { '-' };
    let safe: String = base.trim_start_matches('.').chars().map(safe).collect();
    if safe.is_empty() { "data".to_owned() } else { safe }
}

/// The names of several inputs, all different: the [`stem`] of each, with a number where another has it.
pub(in crate::cli) fn names(paths: &[PathBuf]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for path in paths {
        let stem = stem(path);
        let mut tried = std::iter::once(stem.clone()).chain((2..).map(|i| format!("{stem}-{i}")));
        names.push(tried.find(|name| !names.contains(name)).expect("some number is free"));
    }
    names
}

/// Standard input can be read once.
pub(in crate::cli) fn one_stdin<'a>(inputs: impl IntoIterator<Item = &'a PathBuf>) -> Result<(), Failure> {
    if inputs.into_iter().filter(|path| path.as_path() == Path::new(STDIN)).count() > 1 {
        return Err(Failure::usage("standard input (-) can be read once, but is named twice"));
    }
    Ok(())
}

fn standard_input(memory: MemoryLimit) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    // One byte above the limit shows that the input is too long.
    let read = stdin().lock().take(memory.bytes.saturating_add(1)).read_to_end(&mut bytes);
    read.map_err(|error| Error::file("standard input", error))?;
    memory.allow("reading standard input", bytes.len() as u64, "allow more memory")?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_data_set_is_named_after_its_file() {
        for (path, name) in [
            ("a/iris.csv", "iris"),
            ("Iris.CSV.gz", "Iris"),
            ("x.y.npy", "x.y"),
            ("data.npz:X", "data-X"),
            ("train-images-idx3-ubyte.gz", "train-images-idx3-ubyte"),
            ("my data (2).tsv", "my-data--2-"),
            ("../../etc/<b>.csv", "-b-"),
            (".csv", "csv"),
            ("pictures/", "pictures"),
            ("-", "standard-input"),
        ] {
            assert_eq!(stem(Path::new(path)), name, "{path}");
        }
    }
}
