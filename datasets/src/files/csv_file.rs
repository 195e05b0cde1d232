//! Text files: comma, semicolon or tab between cells, with or without header.

use std::fmt::Display;
use std::path::Path;

use csv::{ReaderBuilder, StringRecord, Trim};
use embedding::{Error, MemoryLimit};

use super::columns::{Chosen, choose, typed};
use super::missing::{HINT, is_missing};
use super::packed::unpacked;
use super::reading::{HeaderRow, Missing, Raw, Reading, bytes};
use super::whole::WholeFiles;
use super::{not_finite, worded};
use crate::Labels;

/// Reads numbers, and labels where one column holds them.
pub(super) fn read(text: &str, path: &Path, delimiter: Option<u8>, reading: &Reading) -> Result<Raw, Error> {
    let fail = |problem: String| Error::file(path.display(), problem);
    let mut records = records(text, delimiter);
    let mut record = StringRecord::new();
    if !next(&mut records, &mut record).map_err(fail)? {
        return Err(fail("the file is empty".to_owned()));
    }
    let width = record.len();
    let header = match reading.header {
        HeaderRow::Auto => is_header(&record),
        HeaderRow::Yes => true,
        HeaderRow::No => false,
    };
    let names = header.then(|| record.iter().map(str::to_owned).collect::<Vec<_>>());
    let mut more = !header || next(&mut records, &mut record).map_err(fail)?;
    if !more {
        return Err(fail("the file has a header but no row of numbers".to_owned()));
    }
    let Chosen { kept, label } = choose(names.as_deref(), width, reading).map_err(fail)?;
    let cells = Cells { names: names.as_deref(), reading };
    // A row has its own line and a character for each cell, so that there are no more.
    let most = lines(text).min(text.len() / width + 1);
    let words_too = label.map_or(0, |_| WORD * most as u64);
    let numbers = 8 * kept.len() as u64 * most as u64;
    allow("holding the points", text, numbers.saturating_add(words_too), reading.memory)?;
    let mut values = Vec::with_capacity(most * kept.len());
    let (mut words, mut row) = (Vec::new(), 0);
    while more {
        let line = record.position().map_or(0, csv::Position::line);
        if record.len() != width {
            return Err(fail(format!(
                "every row must have {width} cells as the first has, but row {row} (counted from 0, line {line}) has {}",
                record.len()
            )));
        }
        for &column in &kept {
            values.push(cells.number(&record[column], row, column, line).map_err(fail)?);
        }
        if let Some(column) = label {
            words.push(cells.label(&record[column], row, column, line).map_err(fail)?);
        }
        row += 1;
        more = next(&mut records, &mut record).map_err(fail)?;
    }
    let name = |column: usize| names.as_ref().map(|names| names[column].clone());
    let warnings = match reading.header {
        HeaderRow::Auto if !header => numeric_header(&values, kept.len()).into_iter().collect(),
        _ => Vec::new(),
    };
    Ok(Raw {
        names: kept.iter().map(|&column| name(column)).collect(),
        labels: label.map(|column| (name(column).unwrap_or_else(|| "label".to_owned()), words)),
        warnings,
        sources: kept.clone(),
        ..Raw::new(values, kept.len())
    })
}

/// Bytes of a short word in memory: those that allocators take for its text, and the
/// numbers that it may be.
const WORD: u64 = size_of::<String>() as u64 + 32 + 24;

/// Fails when a text and what is read from it exceed the limit.
fn allow(stage: &'static str, text: &str, needed: u64, memory: MemoryLimit) -> Result<(), Error> {
    let advice = "read fewer rows, save the numbers as .npy, or allow more memory";
    memory.allow(stage, needed.saturating_add(text.len() as u64), advice)
}

/// The number of lines, whichever of the two characters ends them.
fn lines(text: &str) -> usize {
    let count = |end: u8| text.bytes().filter(|byte| *byte == end).count();
    1 + count(b'\n').max(count(b'\r'))
}

/// Whether the first row names the columns: none of its cells is a number, or
/// only the first is empty and the others count up from 0 or 1.
fn is_header(first: &StringRecord) -> bool {
    let number = |cell: &str| cell.parse::<f64>().is_ok() || has_decimal_comma(cell);
    let counts = |from: usize| {
        first.len() > 1 && first.iter().skip(1).zip(from..).all(|(cell, number)| cell == number.to_string())
    };
    !first.iter().any(number) || first[0].is_empty() && (counts(0) || counts(1))
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
    let distinct = (1..width).all(|j| !first[..j].contains(&first[j]));
    let whole = first.iter().all(|value| value.fract() == 0.0);
    let counts = |row: &[f64]| row.windows(2).all(|pair| pair[1] - pair[0] == 1.0);
    let fractions = |column: usize| (1..rows).filter(|&i| row(i)[column].fract() != 0.0).count();
    let among_fractions = || (0..width).all(|column| 2 * fractions(column) > rows - 1);
    let counting = width > 2 && counts(first) && !counts(row(1));
    if !(whole && distinct && (counting || among_fractions())) {
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
    allow("holding the labels", text, WORD * lines(text) as u64 + text.len() as u64, memory)?;
    let mut records = records(text, delimiter);
    let (mut record, mut words) = (StringRecord::new(), Vec::with_capacity(lines(text)));
    while next(&mut records, &mut record).map_err(fail)? {
        if record.len() != 1 {
            let row = words.len();
            return Err(fail(format!(
                "labels must be one column, but row {row} (counted from 0) has {} cells",
                record.len()
            )));
        }
        words.push(record[0].to_owned());
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
    let text = String::from_utf8(bytes).map_err(|error| {
        fail(format!("byte {} is not UTF-8 text; save the file as UTF-8", error.utf8_error().valid_up_to()))
    })?;
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}

/// By default the delimiter is a semicolon when the first line has one,
/// else a tab when it has one and no comma, else a comma.
fn records(text: &str, delimiter: Option<u8>) -> csv::Reader<&[u8]> {
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let found = match (first.contains(';'), first.contains('\t') && !first.contains(',')) {
        (true, _) => b';',
        (false, true) => b'\t',
        (false, false) => b',',
    };
    let delimiter = delimiter.unwrap_or(found);
    ReaderBuilder::new()
        .delimiter(delimiter)
        .has_headers(false)
        .flexible(true)
        .trim(Trim::All)
        .from_reader(text.as_bytes())
}

fn next(records: &mut csv::Reader<&[u8]>, record: &mut StringRecord) -> Result<bool, String> {
    records.read_record(record).map_err(|error| error.to_string())
}

/// Cells of a file with the options that concern them.
struct Cells<'a> {
    names: Option<&'a [String]>,
    reading: &'a Reading,
}

impl Cells<'_> {
    /// The number of a cell; NaN where it is missing and that is no failure.
    fn number(&self, cell: &str, row: usize, column: usize, line: u64) -> Result<f64, String> {
        if self.reading.missing != Missing::Refuse && is_missing(cell) {
            return Ok(f64::NAN);
        }
        match cell.parse::<f64>() {
            Ok(value) if value.is_finite() => Ok(value),
            Ok(value) => Err(not_finite(row, column, self.name(column), value)),
            Err(_) => {
                let what = if cell.is_empty() { "empty".to_owned() } else { format!("`{cell}`") };
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
        if is_missing(cell) && self.reading.missing == Missing::Refuse {
            return Err(format!(
                "every row must have a label, but row {row}, column {} has none; leave out such rows (--missing drop)",
                self.place(column, line)
            ));
        }
        Ok(cell.to_owned())
    }

    fn name(&self, column: usize) -> Option<&str> {
        self.names.map(|names| names[column].as_str())
    }

    fn place(&self, column: usize, line: u64) -> String {
        let name = self.name(column).map(|name| format!(" `{name}`")).unwrap_or_default();
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
