//! Files that list rows: those that keep their places in a fit, and those that leave in an update.

use std::fs;
use std::path::Path;

use datasets::RowNames;
use embedding::Error;
use figure::number::counted;

use super::start::numbered;
use crate::cli::context::Context;
use crate::cli::files::input;

/// The words for the rows of a file, and for the rows among which they are.
pub(in crate::cli) struct RowList {
    /// One row, and several ones: `fixed row`, `fixed rows`.
    pub(in crate::cli) words: [&'static str; 2],
    /// The option that gives the file.
    pub(in crate::cli) option: &'static str,
    /// All rows: `the data`.
    pub(in crate::cli) all: &'static str,
    /// How rows are given by name, after "give --name-column".
    pub(in crate::cli) by_name: &'static str,
}

/// The rows that keep their places.
pub(in crate::cli) const FIXED: RowList = RowList {
    words: ["fixed row", "fixed rows"],
    option: "--fixed",
    all: "the data",
    by_name: "to fix rows by name",
};

/// The rows of a model that leave.
pub(in crate::cli) const LEAVING: RowList = RowList {
    words: ["leaving row", "leaving rows"],
    option: "--leave",
    all: "the model",
    by_name: "to `embed`, so that the model has names",
};

impl RowList {
    /// Reads which of `n` rows a file lists: one per line, by name where they have names, else by number, counted
    /// from 0 in the file of the data. `kept` holds the number of all rows of that file and the rows that were not
    /// left out; listed rows that were left out are passed over, which a note says.
    pub(in crate::cli) fn read(
        &self,
        path: &Path,
        names: Option<&RowNames>,
        (n, kept): (usize, Option<(usize, &[u32])>),
        context: &Context,
    ) -> Result<Vec<bool>, Error> {
        let Self { words: [one, many], option, all: whole, by_name } = *self;
        let file = |problem: String| Error::file(input::name(path), problem);
        let text = fs::read_to_string(path).map_err(|error| file(format!("cannot be read: {error}")))?;
        let text = text.trim_start_matches('\u{feff}');
        let is_title = |line: &str| {
            names.is_some_and(|names| names.column() == line && names.values.iter().all(|name| name != line))
        };
        let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty()).peekable();
        lines.next_if(|line| is_title(line));
        if lines.peek().is_none() {
            return Err(file(format!("it must have a {one} per line, but has none; leave out {option}")));
        }
        let (mut listed, mut others) = (vec![false; n], 0);
        match names {
            Some(names) => {
                let rows = numbered(&names.values, whole).map_err(file)?;
                for line in lines {
                    match rows.get(line) {
                        Some(&row) => listed[row as usize] = true,
                        None if kept.is_some() => others += 1,
                        None => {
                            return Err(file(format!("`{line}` is no name of a row of {whole}; remove it")));
                        }
                    }
                }
            }
            None => {
                let all = kept.map_or(n, |(all, _)| all);
                for line in lines {
                    let row = line.parse().ok().filter(|row: &usize| *row < all).ok_or_else(|| {
                        file(format!(
                            "each line must be the number of a row, 0 to {}, but one is `{line}`; give \
                             --name-column {by_name}",
                            all.saturating_sub(1)
                        ))
                    })?;
                    let place = kept.map_or(Ok(row), |(_, kept)| kept.binary_search(&(row as u32)));
                    match place {
                        Ok(place) => listed[place] = true,
                        Err(_) => others += 1,
                    }
                }
            }
        }
        if !listed.contains(&true) {
            return Err(file(format!(
                "all its rows were left out of {whole}; give rows that are kept, or leave out {option}"
            )));
        }
        if others > 0 {
            context.progress.line(format!(
                "note: {}: {} {} not among the {} of {whole}",
                input::name(path),
                counted(others, one, many),
                if others == 1 { "is" } else { "are" },
                counted(n, "row", "rows")
            ));
        }
        Ok(listed)
    }
}
