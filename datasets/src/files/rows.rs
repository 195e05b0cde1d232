//! The rows of a text file: a number or a class for each cell, or the problem with it.

use embedding::{Error, Remedy};

use super::cell_errors::{self, Decimal, Hint, Look, truth};
use super::cells::{TextCells, excerpt, has_decimal_comma, separator_of_numbers, separators};
use super::columns::typed;
use super::dates;
use super::errors::Problem;
use super::layout::{skip, titles};
use super::missing::{HINT, no_label, not_finite, option_for};
use super::number_format::Looks;
use super::reading::{DateOrder, Missing, Reading};
use super::text_columns::Columns;

/// From this size on not all whole numbers are doubles.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// Most columns that a message lists.
const LISTED: usize = 20;

/// Numbers below the words of a header that show that they are no data.
const FEW: usize = 3;

/// Most rows of words below the names of columns that a message takes for a header.
const MOST_HEADER: usize = 3;

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
    /// Reads one row: its coordinates, and the cells of other columns. False at the end of the text.
    pub(super) fn read_row(
        &self,
        cells: &mut TextCells<'_>,
        row: usize,
        found: &mut Found,
    ) -> Result<bool, Error> {
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
        let value = self
            .reading
            .number(cell)
            .or_else(|| truth(cell).map(f64::from))
            .or_else(|| dates::days(cell, self.reading.date_order))
            .filter(|value: &f64| value.is_finite());
        if let Some(value) = value {
            self.exact(cell, value, place)?;
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
        looks.see(coordinate, cell);
        match self.reading.number(cell) {
            Some(value) if missing || !value.is_finite() => {
                Err(not_finite(place.row, place.column, self.name(place.column), value))
            }
            Some(value) if looks.takes_number(coordinate) => {
                self.exact(cell, value, place)?;
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
        if value.abs() < EXACT || cell.parse::<i128>().is_ok_and(|whole| whole == value as i128) {
            return Ok(());
        }
        if cell.parse::<i128>().is_err() {
            return Ok(());
        }
        let column = typed(self.name(place.column), place.column);
        let what = format!(
            "a whole number above 2^53 must be one that a double represents, but row {}, column {} is `{}`, which would be rounded to {value}",
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
        let first = match width {
            _ if is_second && self.names.is_some() && width > 1 && cells == width + 1 => {
                "; if the first cell is the name of the row, give its column a name in the header"
            }
            _ => "",
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

    /// The error for a cell that is not a number, with advice.
    fn no_number(&self, cell: &str, place: Place) -> Problem {
        let what = if cell.is_empty() { "empty".to_owned() } else { format!("`{}`", excerpt(cell)) };
        let (row, at) = (place.row, self.place(place));
        let problem = format!("every cell must be a number, but row {row}, column {at} is {what}");
        if self.reading.is_missing(cell) {
            return Problem::new(problem, HINT, Remedy::MissingValues);
        }
        self.hint(cell, place).after(problem)
    }

    /// What a cell that is not a number looks like; `None` where it looks like a word.
    fn looks_like(&self, cell: &str) -> Option<Look> {
        let decimal_comma = self.reading.decimal_comma;
        // Several points and no comma indicate a date, unless groups of three digits are between the points.
        let is_number = |cell: &str| {
            cell.contains(',')
                || cell.matches('.').count() == 1
                || cell_errors::without_separators(cell).is_some()
        };
        if decimal_comma
            && cell.contains('.')
            && is_number(cell)
            && cell.replace(['.', ','], "").parse::<f64>().is_ok()
        {
            let advice = "a number has no point with --decimal-comma: leave out points between thousands, \
                          or the option";
            let (advice, remedy) = (advice.to_owned(), Some(Remedy::Reading));
            return Some(Look::Number(Hint { seen: None, advice, remedy }));
        }
        let sign = match (decimal_comma, self.start.delimiter()) {
            (true, _) => Decimal::Comma,
            (false, b',') => Decimal::Point,
            (false, _) => Decimal::Either,
        };
        cell_errors::advice(cell, sign)
    }

    /// The advice on a cell that is neither a number nor missing.
    fn hint(&self, cell: &str, place: Place) -> Hint {
        if self.start.delimiter() == b','
            || self.reading.decimal_comma
            || matches!(self.looks_like(cell), Some(Look::Number(_)))
            || !self.has_decimal_commas()
        {
            return self.hint_alone(cell, place);
        }
        // Numbers are numbers once the option is given, so that its advice comes first.
        let reading = Reading { decimal_comma: true, ..self.reading.clone() };
        let columns = Columns {
            names: self.names.clone(),
            kept: self.kept.clone(),
            colors: self.colors.clone(),
            path: self.path,
            reading: &reading,
            start: self.start.again(),
            ..*self
        };
        let Hint { seen, advice, .. } = columns.hint_alone(cell, place);
        let seen = seen.map(|seen| format!("{seen}; ")).unwrap_or_default();
        let advice = format!(
            "if the numbers of the file have decimal commas, say --decimal-comma; for this column: {seen}{advice}"
        );
        Hint { seen: None, advice, remedy: Some(Remedy::Reading) }
    }

    /// Whether the first rows have numbers with decimal commas.
    fn has_decimal_commas(&self) -> bool {
        let (mut cells, mut row) = (self.start.again(), 0);
        while row <= LISTED
            && let Ok(Some(cell)) = cells.next()
        {
            if cell.text.contains(',') && has_decimal_comma(cell.text) {
                return true;
            }
            row += usize::from(cell.ends_row);
        }
        false
    }

    fn hint_alone(&self, cell: &str, Place { row, column, .. }: Place) -> Hint {
        let perhaps = match self.looks_like(cell) {
            Some(Look::Number(hint)) => return hint,
            Some(Look::Perhaps(hint)) => Some(hint),
            None => None,
        };
        if let Some(hint) = self.of_date(cell, column) {
            return hint;
        }
        let (header, of_header) = match self.names {
            None if row == 0 => {
                (", and if the first row is a header, say --header yes".to_owned(), Some(Remedy::Reading))
            }
            Some(_) if row == 0 => match self.words_on_top(column) {
                Some(_) if self.names.as_ref().is_some_and(|names| names.iter().any(String::is_empty)) => (
                    "; if this row holds the names of the columns, say --skip-rows 1".to_owned(),
                    Some(Remedy::Reading),
                ),
                Some(rows) => {
                    let header = 1 + rows;
                    (
                        format!("; if the header has {header} rows, say --header-rows {header}"),
                        Some(Remedy::Reading),
                    )
                }
                None => (String::new(), None),
            },
            _ => (String::new(), None),
        };
        let (numbers, others) = self.tally(column);
        if numbers > others {
            return match perhaps {
                Some(Hint { seen, advice, .. }) => {
                    Hint { seen, advice: format!("{advice}{header}"), remedy: of_header }
                }
                None => Hint {
                    seen: Some(format!("{numbers} cells of this column are numbers")),
                    advice: format!("if this one stands for a missing value, {}{header}", option_for(cell)),
                    remedy: Some(Remedy::MissingValues),
                },
            };
        }
        let otherwise = if perhaps.is_some() { "else " } else { "" };
        let seen = perhaps.and_then(|Hint { seen, advice, .. }| Some(format!("{}; {advice}", seen?)));
        let others = self.of_words(column);
        let column = typed(self.name(column), column);
        let header = if self.names.is_none() { header } else { String::new() };
        let categories = if numbers == 0 { "; words as coordinates: --categories indicators" } else { "" };
        let advice = format!(
            "{otherwise}a column of classes is named by --label-column {column}, one of names by --name-column {column}, another that is no coordinate left out by --ignore {column}{header}{others}{categories}"
        );
        Hint { seen, advice, remedy: Some(Remedy::Reading) }
    }

    /// The advice on a date.
    fn of_date(&self, cell: &str, column: usize) -> Option<Hint> {
        let found = dates::order(cell)?;
        let order = match found {
            _ if found == self.reading.date_order => "",
            DateOrder::YearFirst => " --date-order year-first",
            DateOrder::DayFirst => " --date-order day-first",
            DateOrder::MonthFirst => " --date-order month-first",
        };
        let typed = typed(self.name(column), column);
        let advice = format!(
            "it is left out by --ignore {typed}, colors maps by --color-column {typed}{order}, and is a coordinate in days by --dates-as-days{order}"
        );
        Some(Hint { seen: Some("it looks like a date".to_owned()), advice, remedy: Some(Remedy::Reading) })
    }

    /// How many rows at the top hold words in this column above numbers alone in the next rows.
    fn words_on_top(&self, column: usize) -> Option<usize> {
        let mut cells = self.start.again();
        let (mut at, mut row, mut words, mut numbers) = (0, 0, 0, 0);
        while numbers < FEW && words <= MOST_HEADER {
            let Ok(Some(cell)) = cells.next() else { break };
            if at == column && row > 0 && !self.reading.is_missing(cell.text) {
                match self.reading.number(cell.text) {
                    Some(_) => numbers += 1,
                    None if numbers > 0 => return None,
                    None => words += 1,
                }
            }
            (at, row) = if cell.ends_row { (0, row + 1) } else { (at + 1, row) };
        }
        (numbers > 0 && words <= MOST_HEADER).then_some(words)
    }

    /// The other coordinates that are mostly words, and the option that leaves them out.
    fn of_words(&self, known: usize) -> String {
        let tallies = self.tallies();
        let words = |column: &usize| *column != known && tallies[*column].0 < tallies[*column].1;
        let others: Vec<usize> = self.kept.iter().copied().filter(words).collect();
        let typed = |column: &usize| typed(self.name(*column), *column);
        match &others[..] {
            [] => String::new(),
            few if few.len() <= LISTED => {
                let list = few.iter().map(typed).collect::<Vec<_>>().join(",");
                let columns = if few.len() == 1 { "column" } else { "columns" };
                format!("; the other {columns} of words: --ignore {list}")
            }
            many => format!("; {} other columns are words, too", many.len()),
        }
    }

    /// How many cells of a column are numbers, and how many are not; missing cells are not counted.
    fn tally(&self, column: usize) -> (usize, usize) {
        self.tallies()[column]
    }

    /// The same of all columns.
    pub(super) fn tallies(&self) -> Vec<(usize, usize)> {
        let (mut cells, mut at, mut row) = (self.start.again(), 0, 0);
        let mut tallies = vec![(0, 0); self.width];
        // A cell that exceeds the memory limit ends the count.
        while let Ok(Some(cell)) = cells.next() {
            let is_name = row == 0 && self.names.is_some();
            if let Some((numbers, others)) = tallies.get_mut(at).filter(|_| !is_name)
                && !self.reading.is_missing(cell.text)
            {
                *(if self.reading.number(cell.text).is_some() { numbers } else { others }) += 1;
            }
            (at, row) = if cell.ends_row { (0, row + 1) } else { (at + 1, row) };
        }
        tallies
    }
}
