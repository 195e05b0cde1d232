//! The rows of a text file: a number or a class for each cell, or the problem with it.

use embedding::{Error, Remedy};

use super::cell_errors::{Hint, Look, truth};
use super::cells::{TextCells, excerpt, separator_of_numbers, separators};
use super::columns::typed;
use super::dates;
use super::errors::Problem;
use super::layout::{skip, titles};
use super::missing::{HINT, no_label, not_finite};
use super::number_format::Looks;
use super::reading::Missing;
use super::text_columns::Columns;

/// From this size on not all whole numbers are doubles.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// What the rows hold.
pub(super) struct Found {
    pub(super) values: Vec<f64>,
    /// The cells of the label column.
    pub(super) words: Vec<String>,
    /// The numbers of each color column.
    pub(super) colors: Vec<Vec<Option<f64>>>,
    /// The cells of the name column.
    pub(super) names: Vec<String>,
    pub(super) looks: Looks,
}

/// Where a cell is.
#[derive(Clone, Copy)]
struct Place {
    row: usize,
    column: usize,
    line: u64,
}

impl Columns<'_> {
    /// Reads all rows below the header, at most `most`, and counts them.
    pub(super) fn read_rows(&self, most: usize, may_group: bool) -> Result<(Found, usize), Error> {
        let mut found = Found {
            values: Vec::with_capacity(most * self.kept.len()),
            words: Vec::new(),
            colors: self.colors.iter().map(|_| Vec::with_capacity(most)).collect(),
            names: Vec::with_capacity(if self.name.is_some() { most } else { 0 }),
            looks: Looks::new(self.kept.len(), may_group),
        };
        let (mut cells, mut row) = (self.start.again(), 0);
        if self.names.is_some() {
            while cells.next()?.is_some_and(|cell| !cell.ends_row) {}
        }
        while self.read_row(&mut cells, row, &mut found)? {
            row += 1;
        }
        Ok((found, row))
    }

    /// Reads one row: its coordinates, and the cells of other columns. False at the end of the text.
    fn read_row(&self, cells: &mut TextCells<'_>, row: usize, found: &mut Found) -> Result<bool, Error> {
        let line = cells.line();
        let (mut kept, mut column, mut problem) = (self.kept.iter().enumerate().peekable(), 0, None);
        while let Some(cell) = cells.next()? {
            let place = Place { row, column, line };
            let read = if problem.is_some() {
                Ok(())
            } else if let Some((at, _)) = kept.next_if(|(_, kept)| **kept == column) {
                self.number(cell.text, at, place, &mut found.looks).map(|value| found.values.push(value))
            } else {
                self.other(cell.text, place, found)
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
            problem = Some(self.another_width(row, column, line).into());
        }
        problem.map_or(Ok(true), |problem| Err(problem.in_file(self.path)))
    }

    /// Reads a cell of a column that is no coordinate, by each use that it has.
    fn other(&self, cell: &str, place: Place, found: &mut Found) -> Result<(), Problem> {
        if self.label == Some(place.column) {
            found.words.push(self.label(cell, place)?);
        }
        if self.name == Some(place.column) {
            found.names.push(cell.to_owned());
        }
        for (values, _) in
            found.colors.iter_mut().zip(&self.colors).filter(|(_, color)| **color == place.column)
        {
            values.push(self.color(cell, place)?);
        }
        Ok(())
    }

    /// The number of a cell of a color column; `None` where it is missing.
    fn color(&self, cell: &str, place: Place) -> Result<Option<f64>, Problem> {
        if self.reading.is_missing(cell) {
            return Ok(None);
        }
        let (number, plain) = self.number_of(cell, place.column);
        let value = number
            .or_else(|| truth(cell).map(f64::from))
            .or_else(|| dates::days(cell, self.reading.date_order))
            .filter(|value: &f64| value.is_finite());
        if let Some(value) = value {
            self.exact(plain.as_deref().unwrap_or(cell), value, place)?;
        }
        value.map(Some).ok_or_else(|| {
            let hint = match self.looks_like(cell) {
                Some(Look::Number(hint) | Look::Perhaps(hint)) => hint,
                None if cell.parse::<f64>().is_ok() => {
                    Hint::plain("it must be finite".to_owned(), "remove or replace it")
                }
                None => Hint {
                    seen: None,
                    advice: format!(
                        "classes are named by --label-column {}; if this one stands for a missing value, say so (--missing-values)",
                        typed(self.name(place.column), place.column)
                    ),
                    remedy: Some(Remedy::Reading),
                },
            };
            hint.after(format!(
                "every cell of a color column must be a number or missing, but row {}, column {} is `{}`",
                place.row,
                self.place(place),
                excerpt(cell)
            ))
        })
    }

    /// The number of a cell of this coordinate; NaN where it is missing and missing values are allowed.
    fn number(&self, cell: &str, coordinate: usize, place: Place, looks: &mut Looks) -> Result<f64, Problem> {
        let missing = self.reading.is_missing(cell);
        if missing && self.reading.missing != Missing::Refuse {
            return Ok(f64::NAN);
        }
        let (number, plain) = self.number_of(cell, place.column);
        if plain.is_none() {
            looks.see(coordinate, cell);
        }
        match number {
            Some(value) if missing || !value.is_finite() => {
                Err(not_finite(place.row, place.column, self.name(place.column), value))
            }
            Some(value) if looks.takes_number(coordinate) => {
                self.exact(plain.as_deref().unwrap_or(cell), value, place)?;
                Ok(value)
            }
            Some(_) => {
                let others = looks.others(coordinate);
                let what = format!(
                    "every cell of a column must be a number, or {others} in all rows, but row {}, column {} is `{}` below others that are {others}",
                    place.row,
                    self.place(place),
                    excerpt(cell)
                );
                let advice = if others == "dates" {
                    "write this as a date, or as a missing value"
                } else {
                    "write these as 1 and 0"
                };
                Err(Problem::new(what, advice, None))
            }
            None if missing => Err(self.no_number(cell, place)),
            None if self.width == 1 && separator_of_numbers(cell).is_some() => {
                Err(self.one_cell(cell, place.line).into())
            }
            None => match truth(cell).filter(|_| looks.takes_truth(coordinate)) {
                Some(value) => Ok(f64::from(value)),
                None => self
                    .day(cell)
                    .filter(|_| looks.takes_date(coordinate))
                    .ok_or_else(|| self.no_number(cell, place)),
            },
        }
    }

    /// A truth value as 1 or 0, or a date as days, where dates are coordinates.
    pub(super) fn converted(&self, cell: &str) -> Option<f64> {
        truth(cell).map(f64::from).or_else(|| self.day(cell))
    }

    /// The days of a date, where dates are coordinates.
    fn day(&self, cell: &str) -> Option<f64> {
        dates::days(cell, self.reading.date_order).filter(|_| self.reading.dates_as_days)
    }

    /// Refuses a whole number that its double rounds.
    fn exact(&self, cell: &str, value: f64, place: Place) -> Result<(), Problem> {
        let digits = cell.trim_start_matches(['-', '+']);
        let is_whole = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        // With a precision, all digits of a double are printed.
        let is_exact = || digits.trim_start_matches('0') == format!("{:.0}", value.abs());
        if value.abs() < EXACT || !is_whole || is_exact() {
            return Ok(());
        }
        let column = typed(self.name(place.column), place.column);
        let what = format!(
            "a whole number above 2^53 must be one that a double represents, but row {}, column {} is `{}`, which would be rounded to {value:.0}",
            place.row,
            self.place(place),
            excerpt(cell)
        );
        let advice = format!(
            "leave out a column of identifiers (--ignore {column}), or read it as classes (--label-column {column}) or as names (--name-column {column})"
        );
        Err(Problem::new(what, advice, Remedy::Reading))
    }

    /// The class of a cell.
    fn label(&self, cell: &str, place: Place) -> Result<String, Problem> {
        if self.reading.missing == Missing::Refuse && self.reading.lacks_label(cell) {
            return Err(no_label(format!(
                "every row must have a label, but row {}, column {} has none",
                place.row,
                self.place(place)
            )));
        }
        Ok(cell.to_owned())
    }

    fn place(&self, Place { column, line, .. }: Place) -> String {
        let name = self.name(column).map(|name| format!(" `{}`", excerpt(name))).unwrap_or_default();
        match line {
            0 => format!("{column}{name} (counted from 0)"),
            line => format!("{column}{name} (counted from 0, line {line})"),
        }
    }

    /// The error for a row of this many cells.
    fn another_width(&self, row: usize, cells: usize, line: u64) -> String {
        let width = self.width;
        let twice = width < cells && (2 * width - 1..=2 * width).contains(&cells);
        let decimal = match self.start.delimiter() {
            b',' if twice => "; if the numbers have decimal commas, export the file with decimal points",
            _ => "",
        };
        let is_second = row == usize::from(self.names.is_none());
        let is_named = is_second && self.names.is_some() && width > 1 && cells == width + 1;
        let first = match is_named {
            true => "; if the first cell is the name of the row, give its column a name in the header",
            false => "",
        };
        let titles =
            titles(self.start.text()).filter(|_| first.is_empty()).map(|lines| format!("; {}", skip(lines)));
        let (first, decimal) = titles.as_deref().map_or((first, decimal), |titles| (titles, ""));
        format!(
            "every row must have {width} cells as the first has, but row {row} (counted from 0, line {line}) has {cells}{first}{decimal}"
        )
    }

    /// The error for a line that is one cell with several numbers.
    fn one_cell(&self, cell: &str, line: u64) -> String {
        let (found, sought) =
            (separator_of_numbers(cell).unwrap_or("spaces"), separators(self.start.delimiter()));
        let advice = match (found, sought) {
            ("commas" | "semicolons", "tabs") => {
                "a .tsv has tabs between cells; call the file .csv, and write decimal signs as points"
            }
            _ => {
                "cells must have commas, semicolons or tabs between them, as numpy.savetxt('FILE.csv', X, delimiter=',') writes them"
            }
        };
        let cell = excerpt(cell);
        format!(
            "line {line} is one cell, `{cell}`, which looks like numbers with {found} between them, but {sought} were looked for; {advice}"
        )
    }

    /// The error for a cell of a column of words that is missing.
    pub(super) fn no_word(&self, cell: &str, row: usize, column: usize, line: u64) -> Problem {
        let at = self.place(Place { row, column, line });
        let problem = format!("every cell must have a value, but row {row}, column {at} is {}", shown(cell));
        Problem::new(problem, HINT, Remedy::MissingValues)
    }

    /// The error for a cell that is not a number, with advice.
    fn no_number(&self, cell: &str, place: Place) -> Problem {
        let (row, at, what) = (place.row, self.place(place), shown(cell));
        let problem = format!("every cell must be a number, but row {row}, column {at} is {what}");
        if self.reading.is_missing(cell) {
            return Problem::new(problem, HINT, Remedy::MissingValues);
        }
        self.hint(cell, row, place.column).after(problem)
    }
}

/// A cell in words.
fn shown(cell: &str) -> String {
    if cell.is_empty() { "empty".to_owned() } else { format!("`{}`", excerpt(cell)) }
}
