//! The rows of a text file: a number or a class for each cell, or what is wrong with it.

use std::path::Path;

use embedding::Error;

use super::cells::{TextCells, excerpt, has_decimal_comma, has_spaces_between_numbers};
use super::columns::typed;
use super::looks::Looks;
use super::missing::{HINT, LABEL_HINT, is_missing};
use super::not_finite;
use super::reading::{Missing, Reading};

/// What the rows hold.
pub(super) struct Found {
    pub(super) values: Vec<f64>,
    /// The cells of the label column.
    pub(super) words: Vec<String>,
    pub(super) looks: Looks,
}

/// The columns of a file with the options that concern their cells.
pub(super) struct Columns<'a> {
    pub(super) names: Option<&'a [String]>,
    /// The coordinates, ascending.
    pub(super) kept: &'a [usize],
    pub(super) label: Option<usize>,
    pub(super) width: usize,
    pub(super) path: &'a Path,
    pub(super) reading: &'a Reading,
}

impl Columns<'_> {
    /// Reads one row: its numbers, and its class where a column holds them. False at the end of
    /// the text.
    pub(super) fn read_row(
        &self,
        cells: &mut TextCells<'_>,
        row: usize,
        found: &mut Found,
    ) -> Result<bool, Error> {
        let line = cells.line();
        let (mut kept, mut column, mut problem) = (self.kept.iter().enumerate().peekable(), 0, None);
        while let Some(cell) = cells.next()? {
            let read = if let Some((at, _)) = kept.next_if(|(_, kept)| **kept == column) {
                found.looks.see(at, cell.text);
                self.number(cell.text, row, column, line).map(|value| found.values.push(value))
            } else if self.label == Some(column) {
                self.label(cell.text, row, column, line).map(|word| found.words.push(word))
            } else {
                Ok(())
            };
            problem = problem.or(read.err());
            column += 1;
            if cell.ends_row {
                break;
            }
        }
        if column == 0 {
            return Ok(false);
        }
        if column != self.width {
            problem = Some(format!(
                "every row must have {} cells as the first has, but row {row} (counted from 0, line {line}) has {column}",
                self.width
            ));
        }
        problem.map_or(Ok(true), |problem| Err(Error::file(self.path.display(), problem)))
    }

    /// The number of a cell; NaN where it is missing and that is no failure.
    fn number(&self, cell: &str, row: usize, column: usize, line: u64) -> Result<f64, String> {
        if self.reading.missing != Missing::Refuse && is_missing(cell) {
            return Ok(f64::NAN);
        }
        match cell.parse::<f64>() {
            Ok(value) if value.is_finite() => Ok(value),
            Ok(value) => Err(not_finite(row, column, self.name(column), value)),
            Err(_) if self.width == 1 && has_spaces_between_numbers(cell) => Err(format!(
                "line {line} is one cell, `{}`, which looks like numbers with spaces between them; cells must have commas, semicolons or tabs between them, as numpy.savetxt('FILE.csv', X, delimiter=',') writes them",
                excerpt(cell)
            )),
            Err(_) => {
                let what = if cell.is_empty() { "empty".to_owned() } else { format!("`{}`", excerpt(cell)) };
                let hint = self.hint(cell, row, column);
                Err(format!(
                    "every cell must be a number, but row {row}, column {} is {what}; {hint}",
                    self.place(column, line)
                ))
            }
        }
    }

    /// The class of a cell.
    fn label(&self, cell: &str, row: usize, column: usize, line: u64) -> Result<String, String> {
        if self.reading.missing == Missing::Refuse && self.reading.lacks_label(cell) {
            return Err(format!(
                "every row must have a label, but row {row}, column {} has none; {LABEL_HINT}",
                self.place(column, line)
            ));
        }
        Ok(cell.to_owned())
    }

    pub(super) fn name(&self, column: usize) -> Option<&str> {
        self.names.map(|names| names[column].as_str())
    }

    fn place(&self, column: usize, line: u64) -> String {
        let name = self.name(column).map(|name| format!(" `{}`", excerpt(name))).unwrap_or_default();
        format!("{column}{name} (counted from 0, line {line})")
    }

    /// What to try about a cell that is no number.
    fn hint(&self, cell: &str, row: usize, column: usize) -> String {
        if is_missing(cell) {
            return HINT.to_owned();
        }
        if has_decimal_comma(cell) {
            return "numbers must have a decimal point, not a comma: export the file so, or replace the commas".to_owned();
        }
        let column = typed(self.name(column), column);
        let header = match self.names {
            None if row == 0 => ", and if the first row is a header, say --header yes",
            _ => "",
        };
        format!(
            "a column of classes is named by --label-column {column}, one that is no coordinate left out by --ignore {column}{header}"
        )
    }
}
