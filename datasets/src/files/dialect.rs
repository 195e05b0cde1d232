//! The shape of a text file: how many cells a row has, and whether the first row names the columns.

use embedding::Error;

use super::cell_errors::{truth, without_separators};
use super::cells::{TextCells, has_decimal_comma, word};
use super::reading::HeaderRow;
use super::vectors;

/// The shape of a text file.
pub(super) struct Shape {
    /// The cells of a row of numbers.
    pub(super) width: usize,
    /// How many names the first row holds, where it is a header.
    pub(super) names: Option<usize>,
    /// The memory of the names, in bytes.
    pub(super) words: u64,
    /// A column that is not part of the table.
    pub(super) extra: Option<Extra>,
}

/// A column that the rows of a file have in addition to the columns of its table.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Extra {
    /// The first column without a name in the header, where it holds the names of rows, as R writes them.
    RowNames,
    /// The first column without a name in the header, where it counts the rows, as pandas does from 0 and R
    /// from 1.
    RowNumbers,
    /// The last column, which is empty in all rows: the rows end with a separator.
    Empty,
}

/// Why a file has no shape.
pub(super) enum Shapeless {
    /// It is empty, or has a header alone.
    Problem(&'static str),
    /// A cell exceeds the memory.
    Cell(Error),
}

impl From<Error> for Shapeless {
    fn from(error: Error) -> Self {
        Self::Cell(error)
    }
}

impl Shape {
    /// The shape of these cells. A first column without a name holds row names if `name_column` selects it.
    pub(super) fn of(
        start: &TextCells<'_>,
        header: HeaderRow,
        name_column: Option<&str>,
    ) -> Result<Self, Shapeless> {
        let mut cells = start.again();
        let first = Row::read(&mut cells)?.ok_or(Shapeless::Problem("the file is empty"))?;
        let header = match header {
            HeaderRow::Auto => first.is_header,
            HeaderRow::Yes => true,
            HeaderRow::No => false,
        };
        let Row { width: names, words, .. } = first;
        let asked_for = match name_column {
            Some("") => true,
            Some("0") => !first.has_zero,
            _ => false,
        };
        if !header {
            let extra = Some(Extra::Empty).filter(|_| first.ends_empty && names > 1);
            let extra = all_rows(start, header, names, extra, false)?;
            return Ok(Self { width: names, names: None, words: 0, extra });
        }
        let none = Shapeless::Problem("the file has a header but no row of numbers");
        let row = Row::read(&mut cells)?.ok_or(none)?;
        let extra = match row.ends_empty {
            true if row.width == names + 1 || row.width == names && names > 1 && first.ends_empty => {
                Some(Extra::Empty)
            }
            false if row.width == names + 1 => Some(Extra::RowNames),
            false if row.width == names && names > 1 && first.starts_empty => Some(Extra::RowNames),
            _ => None,
        };
        let extra = all_rows(start, header, row.width, extra, asked_for)?;
        let width = if extra.is_some() { row.width } else { names };
        Ok(Self { width, names: Some(names), words, extra })
    }
}

/// The extra column, where all rows have it. Names of rows are words, or count from 0 or 1. Other numbers may
/// be values, unless the names were requested.
fn all_rows(
    start: &TextCells<'_>,
    header: bool,
    width: usize,
    extra: Option<Extra>,
    asked_for: bool,
) -> Result<Option<Extra>, Error> {
    let Some(extra) = extra else { return Ok(None) };
    let (mut cells, mut is_name, mut count, mut row) = (start.again(), header, 0, 0_u64);
    let (mut words, mut numberings) = (true, [true; 2]);
    while let Some(cell) = cells.next()? {
        count += 1;
        if count == 1 && !is_name {
            for (from, numbering) in (0..).zip(&mut numberings) {
                *numbering = *numbering && cell.text.parse() == Ok(row + from);
            }
            row += 1;
            words = words && cell.text.parse::<f64>().is_err() && !has_decimal_comma(cell.text);
        }
        if cell.ends_row {
            let fits = match extra {
                Extra::RowNames | Extra::RowNumbers => asked_for || words || numberings.contains(&true),
                Extra::Empty => cell.text.is_empty(),
            };
            if !is_name && (!fits || count != width) {
                return Ok(None);
            }
            (is_name, count) = (false, 0);
        }
    }
    let counts = extra == Extra::RowNames && numberings.contains(&true) && !asked_for;
    Ok(Some(if counts { Extra::RowNumbers } else { extra }))
}

/// The columns whose cells are all empty, except for `extra`; none in a file of one row, whose empty cells are
/// missing values.
pub(super) fn empty_columns(
    start: &TextCells<'_>,
    header: bool,
    width: usize,
    extra: Option<usize>,
) -> Result<Vec<usize>, Error> {
    let (mut cells, mut row, mut column) = (start.again(), 0, 0);
    let first = usize::from(header);
    let mut empty = Vec::new();
    while row <= first || !empty.is_empty() {
        let Some(cell) = cells.next()? else { break };
        if row == first && cell.text.is_empty() && extra != Some(column) && column < width {
            empty.push(column);
        } else if row > first && !cell.text.is_empty() {
            empty.retain(|found| *found != column);
        }
        (row, column) = if cell.ends_row { (row + 1, 0) } else { (row, column + 1) };
    }
    Ok(if row > first + 1 { empty } else { Vec::new() })
}

impl Extra {
    /// Its number in a file of this width.
    pub(super) fn column(self, width: usize) -> usize {
        match self {
            Self::RowNames | Self::RowNumbers => 0,
            Self::Empty => width - 1,
        }
    }

    /// The note on an extra column; `kept` states whether the names of rows are kept, and `column` is how an
    /// option refers to the first column.
    pub(super) fn note(self, width: usize, kept: bool, column: &str) -> String {
        match self {
            Self::RowNames if kept => format!("the first column (0) has no name in the header, as R writes the names of rows: it was read as these, which are no coordinate; --name-column {column} writes them with a map"),
            Self::RowNames => "the first column (0) has no name in the header, as R writes the names of rows: it was left out".to_owned(),
            Self::RowNumbers => "the first column (0) has no name in the header and counts the rows, as pandas and R write them: it was left out".to_owned(),
            Self::Empty => format!(
                "the rows end with a separator: the empty column {} (counted from 0) after it was left out",
                self.column(width)
            ),
        }
    }
}

/// Cells from which on a row of a word and numbers that count up names the columns, as pandas writes an index
/// with a name.
const COUNTED: usize = 4;

/// Properties of a row that may be the first.
struct Row {
    /// Its cells.
    width: usize,
    /// Whether it names the columns: none of its cells is a number and not all are `true` or
    /// `false`, or the first is empty and the others count up from 0 or 1, or the first is a word and at least
    /// four others do.
    is_header: bool,
    /// The memory of its cells as words, in bytes.
    words: u64,
    /// Whether one of its cells is `0`, which then names a column.
    has_zero: bool,
    /// Whether its first cell is empty.
    starts_empty: bool,
    /// Whether its last cell is empty.
    ends_empty: bool,
}

impl Row {
    /// Reads a row; `None` at the end of the text.
    fn read(cells: &mut TextCells<'_>) -> Result<Option<Self>, Error> {
        let number = |cell: &str| {
            cell.parse::<f64>().is_ok()
                || has_decimal_comma(cell)
                || without_separators(cell).is_some()
                || vectors::numbers(cell, false).is_some()
        };
        let (mut width, mut words, mut any_number, mut first_empty) = (0, 0, false, false);
        let (mut all_truths, mut ends_empty, mut first_word) = (true, false, false);
        let (mut counts, mut has_zero) = ([true; 2], false);
        while let Some(cell) = cells.next()? {
            if width == 0 {
                first_empty = cell.text.is_empty();
                first_word = !number(cell.text);
            } else {
                for (from, counts) in counts.iter_mut().enumerate() {
                    *counts = *counts && cell.text == (width - 1 + from).to_string();
                }
            }
            has_zero = has_zero || cell.text == "0";
            any_number = any_number || number(cell.text);
            all_truths = all_truths && truth(cell.text).is_some();
            words += word(cell.text.len());
            width += 1;
            ends_empty = cell.text.is_empty();
            if cell.ends_row {
                break;
            }
        }
        let counted = counts.contains(&true);
        let numbered = counted && (first_empty && width > 1 || first_word && width > COUNTED);
        Ok((width > 0).then_some(Self {
            width,
            is_header: !any_number && !all_truths || numbered,
            words,
            has_zero,
            starts_empty: first_empty,
            ends_empty,
        }))
    }
}

/// The separator that a line such as `sep=;` states for Excel.
pub(super) fn separator_line(line: &str) -> Option<u8> {
    let (name, separator) =
        line.trim_start().trim_end_matches(['\n', '\r']).trim_matches('"').split_once('=')?;
    if !name.eq_ignore_ascii_case("sep") {
        return None;
    }
    match separator.as_bytes() {
        [byte] if byte.is_ascii_punctuation() && *byte != b'"' || *byte == b'\t' => Some(*byte),
        _ => None,
    }
}
