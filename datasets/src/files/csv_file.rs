//! Text files: comma, semicolon or tab between cells, with or without header.

use std::fmt::Display;
use std::fs;
use std::path::Path;

use csv::{ReaderBuilder, StringRecord, Trim};
use embedding::{Error, MemoryLimit, PointSet};

use super::whole::{reason, write_whole};
use super::{Table, not_finite, numbered};
use crate::Labels;

/// Reads numbers. The first row is a header when none of its cells is a
/// number.
pub(super) fn read(path: &Path, delimiter: Option<u8>, memory: MemoryLimit) -> Result<Table, Error> {
    let fail = |problem: String| Error::file(path.display(), problem);
    let text = read_text(path, memory)?;
    let mut records = records(&text, delimiter);
    let mut record = StringRecord::new();
    let (mut columns, mut width, mut values) = (None, 0, Vec::new());
    while next(&mut records, &mut record).map_err(fail)? {
        let line = record.position().map_or(0, csv::Position::line);
        if width == 0 {
            width = record.len();
            if record.iter().all(|cell| cell.parse::<f64>().is_err()) {
                columns = Some(record.iter().map(str::to_owned).collect::<Vec<_>>());
                continue;
            }
        }
        let row = values.len() / width;
        if record.len() != width {
            return Err(fail(format!(
                "every row must have {width} cells as the first has, but row {row} (counted from 0, line {line}) has {}",
                record.len()
            )));
        }
        for (column, cell) in record.iter().enumerate() {
            let name = columns.as_ref().map(|names| names[column].as_str());
            values.push(number(cell, row, column, name, line).map_err(fail)?);
        }
    }
    if values.is_empty() {
        let problem =
            if width == 0 { "the file is empty" } else { "the file has a header but no row of numbers" };
        return Err(fail(problem.to_owned()));
    }
    Ok(Table { points: PointSet::new(values, width)?, columns, images: None })
}

/// Reads labels: one column, words or whole numbers. The first row is a header
/// when it is no number while all others are, or when it is `label` or
/// `labels`.
pub(super) fn read_labels(path: &Path, delimiter: Option<u8>) -> Result<Labels, Error> {
    let fail = |problem: String| Error::file(path.display(), problem);
    let text = read_text(path, MemoryLimit::default())?;
    let mut records = records(&text, delimiter);
    let (mut record, mut words) = (StringRecord::new(), Vec::new());
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
    let has_header = words.first().is_some_and(|first| {
        !is_number(first)
            && (words.len() > 1 && words[1..].iter().all(is_number)
                || ["label", "labels"].contains(&first.to_ascii_lowercase().as_str()))
    });
    let name = if has_header { words.remove(0) } else { "label".to_owned() };
    if words.is_empty() {
        return Err(fail("the file holds no labels".to_owned()));
    }
    if words.iter().all(is_number) {
        let values = words.iter().filter_map(|word| word.parse().ok()).collect();
        return Ok(Labels { name, ..numbered(path, PointSet::new(values, 1)?.view())? });
    }
    let mut classes: Vec<String> = Vec::new();
    let mut known = std::collections::HashMap::new();
    let values = words
        .into_iter()
        .map(|word| {
            *known.entry(word).or_insert_with_key(|word| {
                classes.push(word.clone());
                classes.len() as u32 - 1
            })
        })
        .collect();
    Ok(Labels { name, classes, values })
}

/// The whole text, without a byte-order mark.
fn read_text(path: &Path, memory: MemoryLimit) -> Result<String, Error> {
    let fail = |problem: String| Error::file(path.display(), problem);
    let length = fs::metadata(path).map_err(|error| fail(reason(&error)))?.len();
    memory.allow("reading the text", length, "allow more memory, or save the numbers as .npy")?;
    let bytes = fs::read(path).map_err(|error| fail(reason(&error)))?;
    let text = String::from_utf8(bytes).map_err(|error| {
        fail(format!("byte {} is not UTF-8 text; save the file as UTF-8", error.utf8_error().valid_up_to()))
    })?;
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}

/// The delimiter is a semicolon when the first line has one, a comma
/// otherwise.
fn records(text: &str, delimiter: Option<u8>) -> csv::Reader<&[u8]> {
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let delimiter = delimiter.unwrap_or(if first.contains(';') { b';' } else { b',' });
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

fn number(cell: &str, row: usize, column: usize, name: Option<&str>, line: u64) -> Result<f64, String> {
    match cell.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value),
        Ok(value) => Err(not_finite(row, column, name, value)),
        Err(_) => {
            let name = name.map(|name| format!(" `{name}`")).unwrap_or_default();
            let what = if cell.is_empty() { "empty".to_owned() } else { format!("`{cell}`") };
            Err(format!(
                "every cell must be a number, but row {row}, column {column}{name} (counted from 0, line {line}) is {what}"
            ))
        }
    }
}

/// Writes rows without header; a double is written with the fewest digits that
/// read back to the same bits.
pub(super) fn write<T: Display>(
    path: &Path,
    delimiter: Option<u8>,
    columns: usize,
    values: &[T],
) -> Result<(), Error> {
    let delimiter = char::from(delimiter.unwrap_or(b','));
    write_whole(path, |file| {
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
