//! The coordinates at which an iterative method starts.

use std::collections::HashMap;
use std::path::Path;

use datasets::RowNames;
use datasets::files::Table;
use embedding::{Error, PointSet};

use crate::Failure;
use crate::cli::context::Context;
use crate::cli::files::{input, map_rows, row_names};
use crate::cli::options::reading::ReadingOptions;

/// The start of the `n` rows of the data: matched by name where both files have names, else row by row. `kept`
/// holds the number of all rows of the data and the rows that were not left out.
pub(in crate::cli) fn read(
    path: &Path,
    (flags, data): (&ReadingOptions, Option<&Table>),
    (n, kept): (usize, Option<(usize, &[u32])>),
    context: &Context,
) -> Result<PointSet, Failure> {
    let found = row_names::read_coordinates(path, (flags, data), context)?;
    match (row_names::asked_for(flags, data), &found.row_names) {
        (Some(of_data), Some(of_start)) => {
            let strict = kept.is_none();
            let rows = by_name(of_data, &of_start.values, strict)
                .map_err(|problem| Error::file(input::name(path), problem))?;
            Ok(found.points.view().select(&rows))
        }
        _ => map_rows::rows((n, kept), "the number of rows of the start", found, ""),
    }
}

/// The row of each name of the data. If `strict`, every row must have a row of the data.
fn by_name(data: &RowNames, start: &[String], strict: bool) -> Result<Vec<u32>, String> {
    let numbers = numbered(start, "this file")?;
    let of_data = numbered(&data.values, "the data")?;
    let missing: Vec<&str> =
        data.values.iter().map(String::as_str).filter(|name| !numbers.contains_key(name)).collect();
    if let Some(first) = missing.first() {
        return Err(format!(
            "it must have a row for each of the {} rows of the data, but {} of them, such as `{first}`, have none; \
             add them, or match by row without --name-column",
            data.values.len(),
            missing.len()
        ));
    }
    let other: Vec<&str> =
        start.iter().map(String::as_str).filter(|name| !of_data.contains_key(name)).collect();
    if let (true, Some(first)) = (strict, other.first()) {
        return Err(format!(
            "its rows must be the rows of the data, in any order, but {} of {}, such as `{first}`, are not among \
             them; remove them",
            other.len(),
            start.len()
        ));
    }
    Ok(data.values.iter().map(|name| numbers[name.as_str()]).collect())
}

/// The row of each name. Fails where a name occurs twice.
pub(super) fn numbered<'a>(names: &'a [String], place: &str) -> Result<HashMap<&'a str, u32>, String> {
    let mut rows = HashMap::new();
    for (row, name) in names.iter().enumerate() {
        if let Some(first) = rows.insert(name.as_str(), row as u32) {
            return Err(format!(
                "rows are matched by names, which must differ, but rows {first} and {row} of {place} (counted from 0) \
                 are both `{name}`; give a column of distinct names as --name-column, or leave it out to match by row"
            ));
        }
    }
    Ok(rows)
}
