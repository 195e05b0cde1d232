//! The names of rows, in the files that a command writes and measures.

use std::path::Path;

use datasets::RowNames;
use datasets::files::{Table, WholeFiles};
use embedding::{Error, Points};

use super::arguments::ReadingFlags;
use super::{Context, input};
use crate::Failure;

/// The names of the rows of a table, where --name-column asks for them.
pub(super) fn asked_for<'a>(flags: &ReadingFlags, table: Option<&'a Table>) -> Option<&'a RowNames> {
    flags.name_column.as_ref().and(table?.row_names.as_ref())
}

/// Writes coordinates, with the names of their rows where there are any.
pub(super) fn write(
    files: &mut WholeFiles,
    path: &Path,
    coordinates: Points<'_>,
    names: Option<&RowNames>,
    context: &Context,
) -> Result<(), Error> {
    let Some(names) = names else { return files.write_points(path, coordinates) };
    if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("npy")) {
        context.progress.line(format!(
            "note: {} is an array, which has no names; a .csv or .tsv has those of --name-column",
            path.display()
        ));
    }
    files.write_named_points(path, coordinates, names)
}

/// Reads the coordinates of a map, with or without the names of its rows before them; fails where
/// they are other names than those of the data.
pub(super) fn read_map(
    path: &Path,
    (flags, data): (&ReadingFlags, Option<&Table>),
    context: &Context,
) -> Result<Table, Failure> {
    // Without a header a number would name a column of coordinates.
    let of_data = asked_for(flags, data).filter(|names| names.title.parse::<usize>().is_err());
    let named = of_data.and_then(|names| {
        let flags = ReadingFlags { name_column: Some(names.title.clone()), ..ReadingFlags::default() };
        Some((names, input::read_points(path, &flags, context).ok()?))
    });
    let Some((of_data, map)) = named else { return input::read_plain(path, context) };
    let of_map = map.row_names.as_ref().map_or(&[][..], |names| &names.values);
    let mut pairs = of_data.values.iter().zip(of_map).enumerate();
    if let (true, Some((row, (data, map)))) =
        (of_data.values.len() == of_map.len(), pairs.find(|(_, (data, map))| data != map))
    {
        let problem = format!(
            "the rows must be those of the data, in the same order, but row {row} (counted from 0) is `{map}`, which is \
             `{data}` in the data; sort both files alike"
        );
        return Err(Error::file(input::name(path), problem).into());
    }
    Ok(map)
}
