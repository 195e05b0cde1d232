//! The names of rows, in the files that a command writes and measures.

use std::path::Path;

use datasets::RowNames;
use datasets::files::{Table, WholeFiles};
use embedding::{Error, Points, Remedy};

use crate::Failure;
use crate::cli::context::Context;
use crate::cli::files::input;
use crate::cli::options::reading::ReadingOptions;
use crate::cli::options::values::STDIN;

/// The names of the rows of a table, where --name-column is given.
pub(in crate::cli) fn asked_for<'a>(
    flags: &ReadingOptions,
    table: Option<&'a Table>,
) -> Option<&'a RowNames> {
    flags.name_column.as_ref().and(table?.row_names.as_ref())
}

/// Writes coordinates, with the names of their rows where there are any.
pub(in crate::cli) fn write(
    files: &mut WholeFiles,
    path: &Path,
    coordinates: Points<'_>,
    names: Option<&RowNames>,
    context: &Context,
) -> Result<(), Error> {
    let Some(names) = names else { return files.write_points(path, coordinates) };
    if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("npy")) {
        context.progress.line(format!(
            "note: {} is an array, which has no names of rows; a .csv or .tsv file has the names of --name-column",
            path.display()
        ));
    }
    files.write_named_points(path, coordinates, names)
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
        let names = kept.map_or_else(|| names.clone(), |kept| names.select(kept));
        same(&of_data.values, &names.values).map_err(|problem| Error::file(input::name(path), problem))?;
    }
    Ok(map)
}

/// Reads coordinates, with or without a column of row names before them. The column has the header of
/// the data's names or of --name-column.
pub(in crate::cli) fn read_coordinates(
    path: &Path,
    (flags, data): (&ReadingOptions, Option<&Table>),
    context: &Context,
) -> Result<Table, Failure> {
    let of_data = asked_for(flags, data);
    let title = of_data.map(RowNames::column).or(flags.name_column.as_deref());
    // Without a header a number would name a column of coordinates.
    let title = title.filter(|title| title.parse::<usize>().is_err() && path != Path::new(STDIN));
    let Some(title) = title else { return input::read_plain(path, context) };
    let named = ReadingOptions { name_column: Some(title.to_owned()), ..ReadingOptions::default() };
    match input::read_points(path, &[], &named, context) {
        Err(Failure::Failed(error)) if error.remedy() == Some(Remedy::ExistingColumn) => {
            input::read_plain(path, context)
        }
        read => read,
    }
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
