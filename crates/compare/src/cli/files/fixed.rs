//! The rows that keep their places in a fit.

use std::fs;
use std::path::Path;

use datasets::files::Table;
use embedding::Error;
use figure::number::counted;

use super::start::numbered;
use crate::cli::context::Context;
use crate::cli::files::{input, row_names};
use crate::cli::options::reading::ReadingOptions;

/// Reads which of the `n` rows of the data are fixed: one per line, by the names of --name-column, else by the
/// number of the row in the file of the data, counted from 0. `kept` holds the number of all rows of that file
/// and the rows that were not left out; fixed rows that were left out are passed over, which a note says.
pub(in crate::cli) fn read(
    path: &Path,
    (flags, data): (&ReadingOptions, Option<&Table>),
    (n, kept): (usize, Option<(usize, &[u32])>),
    context: &Context,
) -> Result<Vec<bool>, Error> {
    let file = |problem: String| Error::file(input::name(path), problem);
    let text = fs::read_to_string(path).map_err(|error| file(format!("cannot be read: {error}")))?;
    let text = text.trim_start_matches('\u{feff}');
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    if lines.is_empty() {
        return Err(file("it must have a fixed row per line, but has none; leave out --fixed".to_owned()));
    }
    let (mut fixed, mut others) = (vec![false; n], 0);
    match row_names::asked_for(flags, data) {
        Some(names) => {
            let rows = numbered(&names.values, "the data").map_err(file)?;
            let titled = lines[0] == names.column() && !rows.contains_key(lines[0]);
            for line in &lines[usize::from(titled)..] {
                match rows.get(line) {
                    Some(&row) => fixed[row as usize] = true,
                    None if kept.is_some() => others += 1,
                    None => return Err(file(format!("`{line}` is no name of a row of the data; remove it"))),
                }
            }
        }
        None => {
            let all = kept.map_or(n, |(all, _)| all);
            for line in lines {
                let row = line.parse().ok().filter(|row: &usize| *row < all).ok_or_else(|| {
                    file(format!(
                        "each line must be the number of a row, 0 to {}, but one is `{line}`; give --name-column \
                         to fix rows by name",
                        all.saturating_sub(1)
                    ))
                })?;
                let place = kept.map_or(Ok(row), |(_, kept)| kept.binary_search(&(row as u32)));
                match place {
                    Ok(place) => fixed[place] = true,
                    Err(_) => others += 1,
                }
            }
        }
    }
    if !fixed.contains(&true) {
        return Err(file(
            "all its rows were left out of the data; fix rows that are kept, or leave out --fixed".to_owned(),
        ));
    }
    if others > 0 {
        context.progress.line(format!(
            "note: {}: {} {} not among the {} of the data",
            input::name(path),
            counted(others, "fixed row", "fixed rows"),
            if others == 1 { "is" } else { "are" },
            counted(n, "row", "rows")
        ));
    }
    Ok(fixed)
}
