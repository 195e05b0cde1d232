//! Text files: comma, semicolon or tab between cells, with or without header.

use std::fmt::Display;
use std::path::Path;

use embedding::{Error, MemoryLimit};

use super::cells::{TextCells, excerpt, has_spaces_between_numbers};
use super::columns::{Chosen, choose, typed};
use super::missing::{HINT, LABEL_HINT, is_missing};
use super::packed::unpacked;
use super::reading::{HeaderRow, Missing, Raw, Reading, bytes};
use super::whole::WholeFiles;
use super::{allow, not_finite, worded};
use crate::Labels;

/// Reads numbers, and labels where one column holds them.
pub(super) fn read(text: &str, path: &Path, delimiter: Option<u8>, reading: &Reading) -> Result<Raw, Error> {
    let fail = |problem: String| Error::file(path.display(), problem);
    let memory = reading.memory.beside(text.len() as u64);
    let mut cells = TextCells::new(text, path, delimiter, memory);
    let first = FirstRow::read(&mut cells)?.ok_or_else(|| fail("the file is empty".to_owned()))?;
    let width = first.width;
    let header = match reading.header {
        HeaderRow::Auto => first.is_header,
        HeaderRow::Yes => true,
        HeaderRow::No => false,
    };
    if header && cells.next()?.is_none() {
        return Err(fail("the file has a header but no row of numbers".to_owned()));
    }
    // A row has its own line and a character for each cell, so that there are no more.
    let most = lines(text).min(text.len() / width + 1);
    let needed = |kept: usize| {
        let names = if header { first.words } else { 0 };
        let words = reading.label_column.as_ref().map_or(0, |_| WORD * most as u64);
        let (numbers, numbering) = (8 * kept as u64 * most as u64, 8 * width as u64);
        numbers.saturating_add(numbering + names + words)
    };
    let fits = |kept: usize| allow(memory, path, "holding the points", needed(kept), ADVICE);
    let fewest = width.saturating_sub(reading.ignore.len() + usize::from(reading.label_column.is_some()));
    fits(fewest)?;
    let mut cells = TextCells::new(text, path, delimiter, memory.beside(needed(fewest)));
    let mut names = if header { Some(names(&mut cells, width)?) } else { None };
    let Chosen { kept, label } = choose(names.as_deref(), width, reading).map_err(fail)?;
    // There are more where a column is named twice.
    fits(kept.len())?;
    let columns = Columns { names: names.as_deref(), kept: &kept, label, width, path, reading };
    let mut values = Vec::with_capacity(most * kept.len());
    let (mut words, mut row) = (Vec::new(), 0);
    while columns.read_row(&mut cells, row, &mut values, &mut words)? {
        row += 1;
    }
    let warnings = match reading.header {
        HeaderRow::Auto if !header => numeric_header(&values, kept.len()).into_iter().collect(),
        _ => Vec::new(),
    };
    let name =
        |column: usize| names.as_ref().map_or_else(|| "label".to_owned(), |names| names[column].clone());
    let labels = label.map(|column| (name(column), words));
    if let Some(names) = &mut names {
        let mut columns = 0..;
        names.retain(|_| columns.next().is_some_and(|column| kept.binary_search(&column).is_ok()));
    }
    Ok(Raw { values, width: kept.len(), sources: kept, names, labels, images: None, warnings })
}

/// What the first row tells.
struct FirstRow {
    /// Its cells.
    width: usize,
    /// Whether it names the columns: none of its cells is a number, or only the
    /// first is empty and the others count up from 0 or 1.
    is_header: bool,
    /// The memory of its cells as words, in bytes.
    words: u64,
}

impl FirstRow {
    /// Reads the first row; none of an empty text.
    fn read(cells: &mut TextCells<'_>) -> Result<Option<Self>, Error> {
        let number = |cell: &str| cell.parse::<f64>().is_ok() || has_decimal_comma(cell);
        let (mut width, mut words, mut any_number, mut first_empty) = (0, 0, false, false);
        let mut counts = [true; 2];
        while let Some(cell) = cells.next()? {
            if width == 0 {
                first_empty = cell.text.is_empty();
            } else {
                for (from, counts) in counts.iter_mut().enumerate() {
                    *counts = *counts && cell.text == (width - 1 + from).to_string();
                }
            }
            any_number = any_number || number(cell.text);
            words += word(cell.text.len());
            width += 1;
            if cell.ends_row {
                break;
            }
        }
        let numbered = first_empty && width > 1 && counts.contains(&true);
        Ok((width > 0).then_some(Self { width, is_header: !any_number || numbered, words }))
    }
}

/// The names of the columns, which are the first row.
fn names(cells: &mut TextCells<'_>, width: usize) -> Result<Vec<String>, Error> {
    let mut names = Vec::with_capacity(width);
    while names.len() < width
        && let Some(cell) = cells.next()?
    {
        names.push(cell.text.to_owned());
    }
    Ok(names)
}

/// Bytes of a word of this length in memory, with those that allocators take for its text.
const fn word(length: usize) -> u64 {
    let text = (length + 8).next_multiple_of(16);
    (size_of::<String>() + if text < 32 { 32 } else { text }) as u64
}

/// Bytes of a short word, and of the numbers that it may be.
const WORD: u64 = word(0) + 24;

/// What a refusal advises.
const ADVICE: &str = "read fewer rows, save the numbers as .npy, or allow more memory";

/// The number of lines, whichever of the two characters ends them.
fn lines(text: &str) -> usize {
    let count = |end: u8| text.bytes().filter(|byte| *byte == end).count();
    count(b'\n').max(count(b'\r')) + usize::from(!text.ends_with(['\n', '\r']))
}

/// A warning where the first row of numbers looks like a header: integers in
/// columns of fractions, or integers that count up by one where the next row
/// does not.
fn numeric_header(values: &[f64], width: usize) -> Option<String> {
    let rows = values.len() / width;
    let row = |row: usize| &values[row * width..][..width];
    if width < 2 || rows < 3 {
        return None;
    }
    let first = row(0);
    let distinct = || {
        let mut sorted = first.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        sorted.windows(2).all(|pair| pair[0] != pair[1])
    };
    let whole = first.iter().all(|value| value.fract() == 0.0);
    let counts = |row: &[f64]| row.windows(2).all(|pair| pair[1] - pair[0] == 1.0);
    let fractions = |column: usize| (1..rows).filter(|&i| row(i)[column].fract() != 0.0).count();
    let among_fractions = || (0..width).all(|column| 2 * fractions(column) > rows - 1);
    let counting = width > 2 && counts(first) && !counts(row(1));
    if !(whole && (counting || among_fractions()) && distinct()) {
        return None;
    }
    let shown: Vec<String> = first.iter().take(5).map(f64::to_string).collect();
    let dots = if width > 5 { ",…" } else { "" };
    Some(format!(
        "the first row ({}{dots}) looks like a header of numbers, and counts as a point; say --header yes, or --header no if it is data",
        shown.join(",")
    ))
}

/// Reads labels: one column, words or whole numbers. By default the
/// first row is a header when there is one cell more than `rows`; where these
/// are unknown, when it is no number while all others are, or when it is `label`
/// or `labels`.
pub(super) fn read_labels(
    text: &str,
    path: &Path,
    delimiter: Option<u8>,
    header: HeaderRow,
    rows: Option<usize>,
    memory: MemoryLimit,
) -> Result<Labels, Error> {
    let fail = |problem: String| Error::file(path.display(), problem);
    let memory = memory.beside(text.len() as u64);
    let needed = WORD * lines(text) as u64 + text.len() as u64;
    allow(memory, path, "holding the labels", needed, ADVICE)?;
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
        return Err(fail(format!(
            "labels must be one column, but row {row} (counted from 0) has {width} cells"
        )));
    }
    let is_number = |word: &String| word.parse::<f64>().is_ok_and(f64::is_finite);
    let has_header = match (header, rows) {
        (HeaderRow::Yes, _) => !words.is_empty(),
        (HeaderRow::No, _) => false,
        (HeaderRow::Auto, Some(rows)) => words.len() == rows + 1,
        (HeaderRow::Auto, None) => words.first().is_some_and(|first| {
            !is_number(first)
                && (words.len() > 1 && words[1..].iter().all(is_number)
                    || ["label", "labels"].contains(&first.to_ascii_lowercase().as_str()))
        }),
    };
    let name = if has_header { words.remove(0) } else { "label".to_owned() };
    if words.is_empty() {
        return Err(fail("the file holds no labels".to_owned()));
    }
    worded(&name, words).map_err(fail)
}

/// The whole text of a file, packed or not, without a byte-order mark.
pub(super) fn text(path: &Path, memory: MemoryLimit) -> Result<String, Error> {
    decoded(unpacked(bytes(path, memory)?, path, memory)?, path)
}

/// Bytes as text, without a byte-order mark.
pub(super) fn decoded(bytes: Vec<u8>, path: &Path) -> Result<String, Error> {
    let fail = |problem: String| Error::file(path.display(), problem);
    let mut text = String::from_utf8(bytes).map_err(|error| {
        fail(format!("byte {} is not UTF-8 text; save the file as UTF-8", error.utf8_error().valid_up_to()))
    })?;
    if text.starts_with(BYTE_ORDER_MARK) {
        text.drain(..BYTE_ORDER_MARK.len_utf8());
    }
    Ok(text)
}

/// What editors of some systems put before a text.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// The columns of a file with the options that concern their cells.
struct Columns<'a> {
    names: Option<&'a [String]>,
    /// The coordinates, ascending.
    kept: &'a [usize],
    label: Option<usize>,
    width: usize,
    path: &'a Path,
    reading: &'a Reading,
}

impl Columns<'_> {
    /// Reads one row: its numbers, and its class where a column holds them. False at the end of
    /// the text.
    fn read_row(
        &self,
        cells: &mut TextCells<'_>,
        row: usize,
        values: &mut Vec<f64>,
        words: &mut Vec<String>,
    ) -> Result<bool, Error> {
        let line = cells.line();
        let (mut kept, mut column, mut problem) = (self.kept.iter().peekable(), 0, None);
        while let Some(cell) = cells.next()? {
            let read = if kept.next_if_eq(&&column).is_some() {
                self.number(cell.text, row, column, line).map(|value| values.push(value))
            } else if self.label == Some(column) {
                self.label(cell.text, row, column, line).map(|word| words.push(word))
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

    fn name(&self, column: usize) -> Option<&str> {
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

/// Whether a cell is a number once its only comma is a point: `1,5`, `1.234,5`.
fn has_decimal_comma(cell: &str) -> bool {
    let digits = |part: &str| part.bytes().any(|byte| byte.is_ascii_digit());
    match cell.split_once(',') {
        Some((whole, rest)) => {
            digits(rest) && format!("{}.{rest}", whole.replace('.', "")).parse::<f64>().is_ok()
        }
        None => false,
    }
}

/// A word as the cell of a row, quoted where it needs that.
pub(super) fn cell(word: &str, delimiter: Option<u8>) -> String {
    let delimiter = char::from(delimiter.unwrap_or(b','));
    if word.contains([delimiter, '"', '\n', '\r']) {
        format!("\"{}\"", word.replace('"', "\"\""))
    } else {
        word.to_owned()
    }
}

/// Writes rows without header; a double is written with the fewest digits that
/// read back to the same bits.
pub(super) fn write<T: Display>(
    files: &mut WholeFiles,
    path: &Path,
    delimiter: Option<u8>,
    columns: usize,
    values: &[T],
) -> Result<(), Error> {
    let delimiter = char::from(delimiter.unwrap_or(b','));
    files.write(path, |file| {
        for row in values.chunks_exact(columns) {
            for (column, value) in row.iter().enumerate() {
                if column > 0 {
                    write!(file, "{delimiter}")?;
                }
                write!(file, "{value}")?;
            }
            writeln!(file)?;
        }
        Ok(())
    })
}
