//! Labels of a file of their own: one for each row of the points.

use std::path::Path;

use embedding::{Error, MemoryLimit, Remedy};

use super::cells::{ADVICE, TextCells, WORD, delimiter_of, lines};
use super::classes::{numbered, worded};
use super::errors::allow;
use super::format::Format;
use super::missing::no_label;
use super::npz;
use super::packed::unpacked;
use super::reading::{HeaderRow, Missing, Reading};
use super::resolve_missing::left_out_note;
use super::sparse::SparseTable;
use super::table::Table;
use crate::Labels;

/// The labels of a file.
struct Found {
    /// The labels of the rows that have one.
    labels: Labels,
    /// The rows that have none, ascending.
    missing: Vec<u32>,
}

impl Found {
    fn rows(&self) -> usize {
        self.labels.values.len() + self.missing.len()
    }

    /// Fails unless there is one label for each of the rows.
    fn one_per_row(self, rows: usize, path: &Path) -> Result<Self, Error> {
        let got = self.rows();
        if got != rows {
            let problem = format!("there must be one label for each of the {rows} rows, but there are {got}");
            let error = Error::file(path.display(), problem);
            // If there is one more label than rows, the first may be the name of the column.
            return Err(if got > rows { error.with_remedy(Remedy::LabelHeader) } else { error });
        }
        Ok(self)
    }

    /// All labels; fails where one is missing.
    fn all(self, path: &Path) -> Result<Labels, Error> {
        self.missing.first().map_or(Ok(self.labels), |row| Err(lacking(*row, path)))
    }

    /// The labels of some rows; fails where one of them is missing.
    fn of_rows(&self, rows: &[u32], path: &Path) -> Result<Labels, Error> {
        if let Some(row) = rows.iter().find(|row| self.missing.binary_search(row).is_ok()) {
            return Err(lacking(*row, path));
        }
        let place = |row: &u32| row - self.missing.partition_point(|missing| missing < row) as u32;
        Ok(self.labels.select(&rows.iter().map(place).collect::<Vec<_>>()))
    }
}

/// The failure of a row without a label.
fn lacking(row: u32, path: &Path) -> Error {
    let what = format!("every row must have a label, but row {row} (counted from 0) has none");
    no_label(what).in_file(path)
}

impl Reading {
    /// Reads the labels of `table` from a file, one for each row of the table's file. Rows without one are
    /// handled by [`Missing`], as in a label column: refused, or left out of the table.
    pub fn label(&self, table: &mut Table, path: &Path) -> Result<(), Error> {
        self.give(table, self.found(path, Some(table.rows))?, path)
    }

    /// Reads the labels of `rows` rows from a file, one for each, as [`Reading::label`] does. Fails
    /// where one is missing.
    pub fn labels(&self, rows: usize, path: &Path) -> Result<Labels, Error> {
        self.found(path, Some(rows))?.one_per_row(rows, path)?.all(path)
    }

    /// The labels of the rows `kept`; other rows may lack a label.
    fn labels_of(&self, kept: &[u32], rows: usize, path: &Path) -> Result<Labels, Error> {
        self.found(path, Some(rows))?.one_per_row(rows, path)?.of_rows(kept, path)
    }

    /// As [`Reading::label`], from bytes; formats and `name` as [`Reading::read_bytes`].
    pub fn label_bytes(&self, table: &mut Table, bytes: Vec<u8>, name: &str) -> Result<(), Error> {
        let path = Path::new(name);
        let bytes = unpacked(bytes, path, self.memory)?;
        let found = match Format::of_bytes(&bytes, path)? {
            Format::Text { delimiter } => self.words(
                &self.encoding.decode(bytes, path, self.memory)?,
                path,
                delimiter,
                Some(table.rows),
            )?,
            _ => array(self.array_options().read_bytes(bytes, name)?, path)?,
        };
        self.give(table, found, path)
    }

    /// All labels of a file, by extension.
    pub(super) fn all_labels(&self, path: &Path) -> Result<Labels, Error> {
        self.found(path, None)?.all(path)
    }

    /// Labels by extension; `rows` is the number of rows that they belong to, where it is known.
    fn found(&self, path: &Path, rows: Option<usize>) -> Result<Found, Error> {
        let file = npz::split(path).0;
        // A list with one class per line needs no particular extension.
        let is_list = file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("txt"));
        match if is_list { Format::Text { delimiter: None } } else { Format::of(&file)? } {
            Format::Text { delimiter } => {
                self.words(&self.encoding.text(path, self.memory)?, path, delimiter, rows)
            }
            _ => array(self.array_options().read(path)?, path),
        }
    }

    /// How an array of labels is read: NaN is a missing one.
    fn array_options(&self) -> Self {
        Self { memory: self.memory, missing: Missing::Drop, ..Self::default() }
    }

    /// Gives the rows of a table their labels, one for each row of its file.
    fn give(&self, table: &mut Table, found: Found, path: &Path) -> Result<(), Error> {
        let found = found.one_per_row(table.rows, path)?;
        let missing = &found.missing;
        if table.kept.is_none() && missing.is_empty() {
            table.labels = Some(found.labels);
            return Ok(());
        }
        let kept = table.kept.clone().unwrap_or_else(|| (0..table.rows as u32).collect());
        let (lack, have): (Vec<u32>, Vec<u32>) =
            kept.iter().partition(|row| missing.binary_search(row).is_ok());
        if let Some(row) = lack.first() {
            if self.missing != Missing::Drop {
                return Err(lacking(*row, path));
            }
            if have.is_empty() {
                let problem = "every row that has all its values lacks a label; choose the label file that belongs to these rows";
                return Err(Error::file(path.display(), problem));
            }
            let places: Vec<u32> = (0..)
                .zip(&kept)
                .filter(|(_, row)| lack.binary_search(row).is_err())
                .map(|(at, _)| at)
                .collect();
            table.select(&places)?;
            let note =
                left_out_note(&lack, table.rows, ["rows without a label was", "rows without a label were"]);
            table.notes.push(note);
        }
        table.labels = Some(found.of_rows(&have, path)?);
        Ok(())
    }

    /// Reads labels: one column, words or whole numbers. By default the
    /// first row is a header when there is one cell more than `rows`; where these
    /// are unknown, when it is no number while all others are, or when it is `label`
    /// or `labels`.
    fn words(
        &self,
        text: &str,
        path: &Path,
        delimiter: Option<u8>,
        rows: Option<usize>,
    ) -> Result<Found, Error> {
        let fail = |problem: String| Error::file(path.display(), problem);
        let mut words = cells(text, path, delimiter, self.memory)?;
        let is_number = |word: &String| word.parse::<f64>().is_ok_and(f64::is_finite);
        let below = |word: &String| is_number(word) || self.lacks_label(word);
        let has_header = match (self.header, rows) {
            (HeaderRow::Yes, _) => !words.is_empty(),
            (HeaderRow::No, _) => false,
            (HeaderRow::Auto, Some(rows)) => words.len() == rows + 1,
            (HeaderRow::Auto, None) => words.first().is_some_and(|first| {
                !is_number(first)
                    && (words.len() > 1 && words[1..].iter().all(below)
                        || ["label", "labels"].contains(&first.to_ascii_lowercase().as_str()))
            }),
        };
        let name = if has_header { words.remove(0) } else { "label".to_owned() };
        let missing: Vec<u32> =
            (0..).zip(&words).filter(|(_, word)| self.lacks_label(word)).map(|(row, _)| row).collect();
        words.retain(|word| !self.lacks_label(word));
        if words.is_empty() {
            return Err(fail("the file holds no labels".to_owned()));
        }
        Ok(Found { labels: worded(&name, words).map_err(fail)?, missing })
    }
}

impl SparseTable {
    /// The classes of the points, from a file that has one for each row of the file of points.
    ///
    /// Fails as [`Reading::labels`].
    pub fn labels(&self, reading: &Reading, path: &Path) -> Result<Labels, Error> {
        match &self.kept {
            Some(kept) => reading.labels_of(kept, self.rows, path),
            None => reading.labels(self.rows, path),
        }
    }
}

/// Labels of numbers.
fn array(table: Table, path: &Path) -> Result<Found, Error> {
    Ok(Found { labels: numbered(path, table.points.view())?, missing: table.left_out() })
}

/// The cells of the one column of a text file.
fn cells(text: &str, path: &Path, delimiter: Option<u8>, memory: MemoryLimit) -> Result<Vec<String>, Error> {
    let memory = memory.beside(text.len() as u64);
    let needed = WORD * lines(text) as u64 + text.len() as u64;
    allow(memory, path, "holding the labels", needed, ADVICE)?;
    let delimiter = delimiter.unwrap_or_else(|| delimiter_of(text, false));
    let mut cells = TextCells::new(text, path, delimiter, memory.beside(needed));
    let mut words = Vec::with_capacity(lines(text));
    while let Some(cell) = cells.next()? {
        if cell.ends_row {
            words.push(cell.text.to_owned());
            continue;
        }
        let (row, mut width) = (words.len(), 1);
        while let Some(cell) = cells.next()? {
            width += 1;
            if cell.ends_row {
                break;
            }
        }
        let problem = format!("labels must be one column, but row {row} (counted from 0) has {width} cells");
        return Err(Error::file(path.display(), problem));
    }
    Ok(words)
}
