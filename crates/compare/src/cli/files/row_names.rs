//! The names of rows, in the files that a command writes and measures.

use std::path::Path;

use datasets::files::{MapFile, Table, WholeFiles, map_columns};
use datasets::{Labels, RowNames};
use embedding::{Error, Points, Remedy};

use crate::Failure;
use crate::cli::context::Context;
use crate::cli::files::{input, map_rows, outputs};
use crate::cli::options::reading::{Header, ReadingOptions};
use crate::cli::options::values::STDIN;

/// The names of the rows of a table, where --name-column is given, or where the file has names that are in no
/// column, as a list of pairs has.
pub(in crate::cli) fn asked_for<'a>(
    flags: &ReadingOptions,
    table: Option<&'a Table>,
) -> Option<&'a RowNames> {
    let table = table?;
    let is_asked_for = flags.name_column.is_some() || table.columns.is_none();
    table.row_names.as_ref().filter(|_| is_asked_for)
}

/// What the rows of a map are written with.
#[derive(Default)]
pub(in crate::cli) struct Beside<'a> {
    /// The rows of the file that were not left out.
    pub(in crate::cli) kept: Option<&'a [u32]>,
    /// The rows among these that have a place.
    pub(in crate::cli) placed: Option<&'a [u32]>,
    pub(in crate::cli) names: Option<&'a RowNames>,
    pub(in crate::cli) labels: Option<&'a Labels>,
    /// The columns of `--with`.
    pub(in crate::cli) carried: &'a [RowNames],
}

impl Beside<'_> {
    /// The rows of the file that the points are.
    fn rows(&self, points: usize) -> Vec<u32> {
        let number = |row: u32| self.kept.map_or(row, |kept| kept[row as usize]);
        match self.placed {
            Some(placed) => placed.iter().map(|&row| number(row)).collect(),
            None => (0..points as u32).map(number).collect(),
        }
    }

    /// Their names, their classes, and the cells of other columns.
    fn columns(&self, with_classes: bool) -> Vec<RowNames> {
        let words = |labels: &Labels| {
            let values = labels.values.iter().map(|&class| labels.classes[class as usize].clone()).collect();
            RowNames { name: labels.name.clone(), values }
        };
        let classes = self.labels.filter(|_| with_classes).map(words);
        let mut columns: Vec<RowNames> = self.names.cloned().into_iter().chain(classes).collect();
        // A column of names or classes is written once.
        let known: Vec<String> = columns.iter().map(|column| column.name.clone()).collect();
        columns.extend(self.carried.iter().filter(|column| !known.contains(&column.name)).cloned());
        match self.placed {
            Some(placed) => columns.iter().map(|column| column.select(placed)).collect(),
            None => columns,
        }
    }
}

/// Writes coordinates: with the names of their rows where there are any, with the numbers of their rows where
/// these are not all rows of the file, and with all of that and their classes where columns are requested or
/// the file is an archive.
pub(in crate::cli) fn write(
    files: &mut WholeFiles,
    path: &Path,
    coordinates: Points<'_>,
    beside: &Beside<'_>,
    context: &Context,
) -> Result<(), Error> {
    if outputs::is_array(path) && beside.names.is_some() {
        context.progress.line(format!(
            "note: {} is an array, which has no names of rows; a .csv or .tsv file has the names of --name-column",
            path.display()
        ));
    }
    let whole = outputs::is_archive(path) || !beside.carried.is_empty();
    let some = beside.kept.is_some() || beside.placed.is_some();
    let columns = beside.columns(whole);
    if outputs::is_archive(path) {
        let longest =
            |column: &RowNames| column.values.iter().map(|word| word.chars().count()).max().unwrap_or(0);
        let bytes = columns.iter().map(|column| 4 * (column.values.len() * longest(column)) as u64).sum();
        let advice = "write a .csv file, where each word takes its own length";
        context.memory.allow("words of fixed width in an archive", bytes, advice)?;
    }
    // A first column `row` is read as the numbers of rows, which therefore precede names of that title.
    let titled = columns.first().is_some_and(|column| column.column() == "row");
    let rows = (whole || some || titled).then(|| beside.rows(coordinates.len()));
    files.write_map(path, &MapFile { coordinates, rows: rows.as_deref(), columns: &columns })
}

/// Reads coordinates as [`read_coordinates`] does. Fails where the names differ from the names of the data.
pub(in crate::cli) fn read_map(
    path: &Path,
    (flags, data): (&ReadingOptions, Option<&Table>),
    context: &Context,
) -> Result<Table, Failure> {
    let map = read_coordinates(path, (flags, data), context)?;
    if let (Some(of_data), Some(names)) = (asked_for(flags, data), &map.row_names) {
        // If the map also has rows that the data left out, only the other rows are compared.
        let kept = data.filter(|data| data.rows == names.values.len()).and_then(|data| data.kept.as_ref());
        let rows = match (&map.kept, data) {
            (Some(numbers), Some(data)) => {
                map_rows::of_data(numbers, data.points.len(), data.kept.as_deref())
            }
            _ => kept.cloned(),
        };
        let names = rows.map_or_else(|| names.clone(), |rows| names.select(&rows));
        same(&of_data.values, &names.values).map_err(|problem| Error::file(input::name(path), problem))?;
    }
    Ok(map)
}

/// Reads coordinates, with or without a column of row names before them. The column has the header of
/// the data's names or of --name-column. `kept` of the table holds the numbers of rows that the file states in
/// a column `row`, as `embed` writes it; other columns of such a file are left out.
pub(in crate::cli) fn read_coordinates(
    path: &Path,
    (flags, data): (&ReadingOptions, Option<&Table>),
    context: &Context,
) -> Result<Table, Failure> {
    let of_data = asked_for(flags, data);
    let title = of_data.map(RowNames::column).or(flags.name_column.as_deref());
    // Without a header a number would name a column of coordinates.
    let title = title.filter(|title| title.parse::<usize>().is_err() && path != Path::new(STDIN));
    if path != Path::new(STDIN)
        && let Some((columns, dim)) = map_columns(path)?
    {
        return read_numbered(path, &columns[..columns.len() - dim], title, context);
    }
    let Some(title) = title else { return input::read_plain(path, context) };
    let named = ReadingOptions { name_column: Some(title.to_owned()), ..ReadingOptions::default() };
    match input::read_points(path, &[], &named, context) {
        Err(Failure::Failed(error)) if error.remedy() == Some(Remedy::ExistingColumn) => {
            input::read_plain(path, context)
        }
        read => read,
    }
}

/// Reads a map whose rows have numbers; `columns` are the columns before the coordinates.
fn read_numbered(
    path: &Path,
    columns: &[String],
    title: Option<&str>,
    context: &Context,
) -> Result<Table, Failure> {
    let is_name = |column: &&String| title == Some(column.as_str());
    let named = ReadingOptions {
        header: Some(Header::Yes),
        color_column: columns[..1].to_vec(),
        name_column: columns[1..].iter().find(is_name).cloned(),
        ignore: columns[1..].iter().filter(|column| !is_name(column)).cloned().collect(),
        ..ReadingOptions::default()
    };
    let mut table = input::read_points(path, &[], &named, context)?;
    let numbers = table.quantities.iter().flat_map(|rows| &rows.values);
    let whole = |number: &Option<f64>| {
        number
            .filter(|row| row.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(row))
            .map(|row| row as u32)
    };
    let rows: Option<Vec<u32>> = numbers.map(whole).collect();
    let rows = rows.ok_or_else(|| {
        let problem = "column `row` must hold the numbers of rows of the data, counted from 0, but another value is \
                       among them; write the file again, or rename the column";
        Error::file(path.display(), problem)
    })?;
    (table.quantities, table.kept) = (Vec::new(), Some(rows));
    Ok(table)
}

/// Fails where as many names are others.
fn same(data: &[String], map: &[String]) -> Result<(), String> {
    let differs = |row: &usize| data.len() == map.len() && data[*row] != map[*row];
    match (0..map.len()).find(differs) {
        None => Ok(()),
        Some(row) => Err(format!(
            "the rows must be the rows of the data, in the same order, but row {row} (counted from 0) is `{}` here and `{}` \
             in the data; sort both files alike",
            map[row], data[row]
        )),
    }
}
