//! Maps with what came in with their rows: row numbers, names, classes and other columns.

use std::io::{self, Write};
use std::path::Path;

use embedding::{Error, MemoryLimit, Points};

use super::atomic_write::WholeFiles;
use super::cells::TextCells;
use super::csv_file::{Double, cell};
use super::errors::reason;
use super::format::{Format, unwritten};
use super::npz_write::Archive;
use super::packed::{start, write_text};
use super::{cells, npy};
use crate::RowNames;

/// A map, and what came in with its rows.
#[derive(Clone, Copy, Debug)]
pub struct MapFile<'a> {
    /// The coordinates, one row per point.
    pub coordinates: Points<'a>,
    /// The row of the data file that each point is, counted from 0.
    pub rows: Option<&'a [u32]>,
    /// Words per row, such as names, classes and columns of the data file.
    pub columns: &'a [RowNames],
}

/// The header of row numbers.
const ROW: &str = "row";

/// Bytes of a file in which its first line is looked for.
const START: u64 = 1 << 16;

impl WholeFiles {
    /// A map by extension, as one file of the set. Text has a header: `row`, the names of the other columns, and
    /// x1, x2 and so on for the coordinates. An `.npz` archive has an array for each column, words as text of
    /// fixed width, and `coordinates`. A `.npy` file has the coordinates alone, as text has where there is
    /// nothing else to write.
    ///
    /// Fails unless there is one value per row in every column.
    pub fn write_map(&mut self, path: &Path, map: &MapFile<'_>) -> Result<(), Error> {
        let n = map.coordinates.len();
        let lengths = map.columns.iter().map(|column| column.values.len()).chain(map.rows.map(<[u32]>::len));
        if let Some(other) = lengths.into_iter().find(|length| *length != n) {
            return Err(Error::Shape {
                what: "the number of values of a column",
                expected: format!("{n}, one per row"),
                got: other.to_string(),
            });
        }
        match Format::of_output(path)? {
            Format::Text { delimiter } if map.rows.is_some() || !map.columns.is_empty() => {
                map.write_text(self, path, delimiter)
            }
            Format::Npz => self.write(path, |file| map.write_archive(file)),
            _ => self.write_points(path, map.coordinates),
        }
    }
}

/// Fails unless a map can be written under a name, by its extension; nothing is written.
pub fn check_map_output(path: &Path) -> Result<(), Error> {
    match Format::of_output(path)? {
        Format::Npy | Format::Npz | Format::Text { .. } => Ok(()),
        _ => Err(unwritten(path)),
    }
}

/// The columns of a text file of a map that [`WholeFiles::write_map`] wrote with row numbers: their names, and
/// how many of them, at the end, are coordinates. `None` for any other file.
///
/// Fails where the file cannot be read.
pub fn map_columns(path: &Path) -> Result<Option<(Vec<String>, usize)>, Error> {
    let Ok(Format::Text { delimiter }) = Format::of(path) else { return Ok(None) };
    let bytes = start(path, START).map_err(|error| Error::file(path.display(), reason(&error)))?;
    let text = String::from_utf8_lossy(&bytes);
    let line = cells::first_line(&text);
    let delimiter = delimiter.unwrap_or_else(|| cells::delimiter_of(line, false));
    let (mut cells, mut names) = (TextCells::new(line, path, delimiter, MemoryLimit::new(START)), Vec::new());
    while let Ok(Some(cell)) = cells.next() {
        names.push(cell.text.to_owned());
    }
    if names.first().is_none_or(|name| name != ROW) {
        return Ok(None);
    }
    let dim = names.last().and_then(|last| {
        let letter = last.trim_end_matches(|c: char| c.is_ascii_digit());
        let dim = last[letter.len()..].parse().ok().filter(|dim| (1..names.len()).contains(dim))?;
        let ends = names[names.len() - dim..].iter().zip(1..);
        ends.into_iter().all(|(name, at)| *name == format!("{letter}{at}")).then_some(dim)
    });
    Ok(dim.map(|dim| (names, dim)))
}

/// Names of coordinates before their numbers: the first with which no other column begins.
const LETTERS: [&str; 4] = ["x", "y", "z", "axis"];

/// The name of the coordinates of an archive.
const COORDINATES: &str = "coordinates";

impl MapFile<'_> {
    /// The names of all columns, each once and none of `taken`, which come first.
    fn titles(&self, taken: &[&str], name_of: impl Fn(&str) -> String) -> Vec<String> {
        let mut titles: Vec<String> = taken.iter().map(|name| (*name).to_owned()).collect();
        for column in self.columns {
            let name = name_of(column.column());
            let free = |title: &String| !titles.contains(title);
            let numbered = (2..).map(|number| format!("{name}_{number}"));
            titles.extend(std::iter::once(name.clone()).chain(numbered).find(free));
        }
        titles
    }

    fn write_text(&self, files: &mut WholeFiles, path: &Path, delimiter: Option<u8>) -> Result<(), Error> {
        let between = char::from(delimiter.unwrap_or(b','));
        let titles = self.titles(if self.rows.is_some() { &[ROW] } else { &[] }, str::to_owned);
        let begins =
            |letter: &String| titles.iter().any(|title| title != ROW && title.starts_with(&**letter));
        let longer = (1..).map(|count| format!("axis{}", "_".repeat(count)));
        let mut letters = LETTERS.into_iter().map(str::to_owned).chain(longer);
        let letter = letters.find(|letter| !begins(letter)).expect("the titles end");
        let coordinates = (1..=self.coordinates.dim()).map(|column| format!("{letter}{column}"));
        let head: Vec<String> =
            titles.iter().map(|title| cell(title, delimiter)).chain(coordinates).collect();
        write_text(files, path, &mut |file| {
            writeln!(file, "{}", head.join(&between.to_string()))?;
            for (at, point) in self.coordinates.rows().enumerate() {
                let row = self.rows.map(|rows| rows[at].to_string());
                let words = self.columns.iter().map(|column| cell(&column.values[at], delimiter));
                let numbers = point.iter().map(|value| Double(*value).to_string());
                let cells: Vec<String> = row.into_iter().chain(words).chain(numbers).collect();
                writeln!(file, "{}", cells.join(&between.to_string()))?;
            }
            Ok(())
        })
    }

    fn write_archive(&self, file: &mut dyn Write) -> io::Result<()> {
        let mut archive = Archive::new(file);
        archive.add(COORDINATES, &npy::of_doubles(self.coordinates)?)?;
        if let Some(rows) = self.rows {
            archive.add(ROW, &npy::of_whole(rows)?)?;
        }
        // Each array is a file, which needs a name without a path.
        let titles = self.titles(&[COORDINATES, ROW], |name| name.replace(['/', '\\'], "_"));
        for (title, column) in titles[2..].iter().zip(self.columns) {
            archive.add(title, &npy::of_words(&column.values)?)?;
        }
        archive.finish()
    }
}
