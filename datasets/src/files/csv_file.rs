//! Text files: comma, semicolon or tab between cells, with or without header.

use std::borrow::Cow;
use std::fmt::{self, Display};
use std::path::Path;

use embedding::Error;
#[cfg(feature = "parquet")]
use embedding::MemoryLimit;

use super::atomic_write::WholeFiles;
use super::categories::Indicators;
use super::cells::{ADVICE, TextCells, WORD, excerpt, first_line, lines};
use super::columns::{Chosen, choose, number_of_first};
use super::dialect::{Extra, Shape, Shapeless, empty_columns};
use super::errors::allow;
use super::json_lines;
use super::layout::{Layout, Roles, skip, titles};
use super::number_format::Looks;
use super::packed::write_text;
use super::raw::{LABEL, NAME, Raw, unnamed};
use super::reading::{HeaderRow, Reading};
use super::rows::Found;
use super::text_columns::Columns;
use super::transpose::transposed;
use super::vectors::Expanded;
use crate::{Quantity, RowNames};

/// Reads numbers, and what columns hold that are no coordinates.
pub(super) fn read(text: &str, path: &Path, delimiter: Option<u8>, reading: &Reading) -> Result<Raw, Error> {
    let Layout { text: table, delimiter, notes, roles } = Layout::of(text, path, delimiter, reading)?;
    let reading = &roles.map_or(Cow::Borrowed(reading), |roles| Cow::Owned(roles.applied(reading)));
    let copied = if matches!(table, Cow::Owned(_)) { text.len() as u64 } else { 0 };
    let cells = TextCells::new(&table, path, delimiter, reading.memory.beside(text.len() as u64 + copied));
    of_table(&cells, path, reading, notes)
}

/// Reads the cells of a table, transposed or not.
fn of_table(cells: &TextCells<'_>, path: &Path, reading: &Reading, notes: Vec<String>) -> Result<Raw, Error> {
    if !reading.transpose {
        return of_cells(cells, path, reading, (Vectors::Expand, notes));
    }
    let table = transposed(cells, path)?;
    let memory = cells.memory().beside(table.len() as u64);
    let cells = TextCells::new(&table, path, cells.delimiter(), memory).without_lines();
    of_cells(&cells, path, reading, (Vectors::Expand, notes))
}

/// What happens to columns of vectors.
#[derive(Clone, Copy, PartialEq)]
enum Vectors {
    Expand,
    /// They are expanded already.
    Refuse,
}

/// Reads JSON lines.
pub(super) fn read_json_lines(text: &str, path: &Path, reading: &Reading) -> Result<Raw, Error> {
    let table = json_lines::as_table(text, path, reading.memory)?;
    let memory = reading.memory.beside((text.len() + table.len()) as u64);
    let reading = Reading { header: HeaderRow::Yes, decimal_comma: false, ..reading.clone() };
    of_table(&TextCells::new(&table, path, b',', memory).below(1), path, &reading, Vec::new())
}

/// Reads a table with commas between cells below names, whose rows are no lines of a file.
#[cfg(feature = "parquet")]
pub(super) fn read_records(
    table: &str,
    path: &Path,
    reading: &Reading,
    memory: MemoryLimit,
) -> Result<Raw, Error> {
    let memory = memory.beside(table.len() as u64);
    let reading = Reading { header: HeaderRow::Yes, decimal_comma: false, ..reading.clone() };
    of_table(&TextCells::new(table, path, b',', memory).without_lines(), path, &reading, Vec::new())
}

/// Reads the cells of a table.
fn of_cells(
    cells: &TextCells<'_>,
    path: &Path,
    reading: &Reading,
    (vectors, of_lines): (Vectors, Vec<String>),
) -> Result<Raw, Error> {
    let (text, delimiter, memory) = (cells.text(), cells.delimiter(), cells.memory());
    let fail = |problem: String| Error::file(path.display(), problem);
    let one_column = reading.decimal_comma && delimiter == b';' && !first_line(text).contains(';');
    if one_column && let Some(line) = separated_by_commas(text) {
        return Err(fail(format!(
            "cells must have semicolons or tabs between them with --decimal-comma, but the first line, `{}`, has commas \
             alone; leave out the option",
            excerpt(line)
        )));
    }
    // In such files the decimal sign may be a comma; if no number has one, points may be decimal signs, too.
    let may_group = delimiter == b';' && !reading.decimal_comma;
    let header = match (reading.header, reading.header_rows) {
        (HeaderRow::Auto, 1..) => HeaderRow::Yes,
        (header, _) => header,
    };
    let shape =
        Shape::of(cells, header, reading.name_column.as_deref()).map_err(|shapeless| match shapeless {
            Shapeless::Problem(problem) => fail(problem.to_owned()),
            Shapeless::Cell(error) => error,
        })?;
    let Shape { width, extra, .. } = shape;
    if width == 1
        && let Some(lines) = titles(text)
    {
        return Err(fail(format!(
            "every row must have as many cells as the first, but later rows have more; {}",
            skip(lines)
        )));
    }
    let extra_column = extra.map(|extra| extra.column(width));
    let named = matches!(extra, Some(Extra::RowNames));
    // A row has its own line and a character for each cell, so that there are no more.
    let most = lines(text).min(text.len() / width + 1);
    let needed = |kept: usize| {
        let numbering = 8 * width as u64 + Looks::bytes(kept, may_group) + shape.words;
        // Words of a file are no longer than its text.
        let words = if reading.label_column.is_some() || reading.name_column.is_some() || named {
            text.len()
        } else {
            0
        };
        (bytes_per_row(kept, named, reading) * most as u64).saturating_add(numbering + words as u64)
    };
    let fits = |kept: usize| allow(memory, path, "holding the points", needed(kept), ADVICE);
    let single = [reading.label_column.is_some(), reading.name_column.is_some(), extra.is_some()];
    let besides =
        reading.ignore.len() + reading.quantities() + single.into_iter().filter(|is_given| *is_given).count();
    let fewest = match reading.coordinates.len() {
        0 => width.saturating_sub(besides),
        wanted => wanted.min(width.saturating_sub(besides)),
    };
    fits(fewest)?;
    let start = cells.again().within(memory.beside(needed(fewest)));
    let mut names = shape.names.map(|count| names(&mut start.again(), count)).transpose()?;
    if let (Some(names), Some(column)) = (&mut names, extra_column)
        && names.len() < width
    {
        names.insert(column, String::new());
    }
    let empty = match reading.coordinates.len() {
        0 => empty_columns(&start, names.is_some(), width, extra_column)?,
        _ => Vec::new(),
    };
    let without: Vec<usize> = extra_column.into_iter().chain(empty.iter().copied()).collect();
    let Chosen { kept, label, colors, name: chosen, carried, ignored, unwanted } =
        choose(names.as_deref(), width, &without, reading).map_err(|problem| problem.in_file(path))?;
    let used: Vec<usize> = ignored.iter().chain(&colors).copied().chain(label).chain(chosen).collect();
    let is_extra = |column: usize| Some(column) == extra_column;
    let is_ignored = ignored.into_iter().any(is_extra);
    let is_used = label.is_some_and(is_extra)
        || chosen.is_some_and(is_extra)
        || colors.iter().any(|&column| is_extra(column));
    let name = chosen.or(extra_column.filter(|_| named && !is_ignored));
    // There are more numbers where a column is named twice.
    fits(kept.len())?;
    let left_out = unwanted_note(names.as_deref(), &unwanted);
    let formats = Vec::new();
    let mut columns = Columns { names, kept, label, colors, name, width, path, reading, formats, start };
    let carried = columns.carried(&carried)?;
    let without = extra_column.filter(|_| extra == Some(Extra::Empty));
    // The same table with other columns.
    let again = |text: &str, reading: Reading, vectors: Vectors, notes: Vec<String>| {
        let memory = memory.beside(text.len() as u64);
        let notes = of_lines.iter().cloned().chain(notes).collect();
        let cells = TextCells::new(text, path, delimiter, memory).below(cells.lines_above());
        of_cells(&cells, path, &Reading { carried: Vec::new(), ..reading }, (vectors, notes))
    };
    if let Some(found) = columns.indicators(without)? {
        let Indicators { text, reading, notes, origins, categories, first } = found;
        let raw = again(&text, reading, vectors, notes)?;
        let origins = (width, origins);
        return Ok(Raw { carried, origins, ..raw.with_categories(categories, first as f64) });
    }
    let mut read = columns.read_rows(most, may_group);
    if read.is_err() {
        let expanded = if vectors == Vectors::Expand { columns.vectors(without)? } else { None };
        if let Some(Expanded { text, reading, note }) = expanded {
            return Ok(Raw { carried, ..again(&text, reading, Vectors::Refuse, vec![note])? });
        }
        columns.formats = columns.number_formats()?;
        if !columns.formats.is_empty() {
            read = columns.read_rows(most, may_group);
        }
    }
    let (found, row) = read?;
    let Found { values, looks, .. } = &found;
    let doubted = reading.header == HeaderRow::Auto && columns.names.is_none();
    let doubt = if doubted { numeric_header(values, columns.kept.len()) } else { None };
    let percents = doubtful_header(&columns);
    let warnings = doubt.into_iter().chain(looks.grouped(&columns)).chain(percents).collect();
    let keeps = name.is_some_and(is_extra);
    let extra = extra.filter(|_| !is_used && !is_ignored);
    let extra = extra.map(|extra| extra.note(width, keeps, number_of_first(columns.names.as_deref())));
    let one_column = one_column.then(|| "read as one column of numbers with decimal commas".to_owned());
    // Columns with another use, or that are ignored, need no note.
    let unused: Vec<usize> = empty.into_iter().filter(|column| !used.contains(column)).collect();
    let empty = empty_note(&columns, &unused);
    let notes = of_lines.into_iter().chain(extra).chain(empty).chain(looks.converted(&columns));
    let notes = notes.chain(columns.format_notes());
    let orientation = wide_note(&columns, row);
    let notes = notes.chain(one_column).chain(left_out).chain(orientation).collect();
    Ok(Raw { carried, ..found.raw(columns, notes, warnings) })
}

/// A warning where a first row of percentages, or of a word and numbers that count up, is taken for names.
fn doubtful_header(columns: &Columns<'_>) -> Option<String> {
    let names = columns.names.as_ref().filter(|_| columns.reading.header == HeaderRow::Auto)?;
    let is_percent =
        |name: &String| name.strip_suffix('%').is_some_and(|name| name.trim().parse::<f64>().is_ok());
    let are_percents =
        !columns.formats.is_empty() && columns.kept.iter().all(|&column| is_percent(&names[column]));
    let (first, others) = names.split_first()?;
    let counts = |from: usize| (from..).zip(others).all(|(number, name)| *name == number.to_string());
    let is_counted = !first.is_empty() && first.parse::<f64>().is_err() && (counts(0) || counts(1));
    let what = match (are_percents, is_counted && others.len() > 1) {
        (true, _) => "holds percentages",
        (false, true) => "is a word and numbers that count up",
        (false, false) => return None,
    };
    Some(format!("the first row {what}, and was taken for names; say --header no if it is data"))
}

/// The note on columns that are not among the requested coordinates.
fn unwanted_note(names: Option<&[String]>, unwanted: &[usize]) -> Option<String> {
    let names = names.filter(|_| !unwanted.is_empty())?;
    let shown: Vec<&str> = unwanted.iter().take(LISTED).map(|&column| names[column].as_str()).collect();
    let more = if unwanted.len() > LISTED { ", …" } else { "" };
    let (columns, are) = if unwanted.len() == 1 { ("column", "is") } else { ("columns", "are") };
    let list = shown.join("`, `");
    Some(format!("{columns} `{list}`{more} {are} left out, not being among the requested coordinates"))
}

/// The note on a table with names of rows and more columns than rows, whose rows may be coordinates.
fn wide_note(columns: &Columns<'_>, rows: usize) -> Option<String> {
    let width = columns.kept.len();
    let is_wide =
        columns.names.is_some() && columns.name == Some(0) && width > rows && !columns.reading.transpose;
    is_wide.then(|| {
        format!(
            "the {rows} rows have names and {width} columns: if the columns are the points and the rows their coordinates, say --transpose"
        )
    })
}

/// The note on columns without a value.
fn empty_note(columns: &Columns<'_>, empty: &[usize]) -> Option<String> {
    let shown = |&column: &usize| match columns.name(column) {
        Some(name) if !name.is_empty() => format!("{column} `{}`", excerpt(name)),
        _ => column.to_string(),
    };
    let list: Vec<String> = empty.iter().take(LISTED).map(shown).collect();
    let (what, was) = if empty.len() == 1 { ("column", "was") } else { ("columns", "were") };
    let more = if empty.len() > LISTED { ", …" } else { "" };
    (!empty.is_empty()).then(|| {
        format!("{what} {}{more} (counted from 0) {was} left out: all cells are empty", list.join(", "))
    })
}

impl Roles {
    /// The options of reading where these roles hold for what they leave open.
    fn applied(self, reading: &Reading) -> Reading {
        let mut reading = reading.clone();
        reading.label_column = reading.label_column.or(self.class);
        let Reading { name_column, weight_column, target_column, color_columns, .. } = &reading;
        let named = |name: &String| {
            name_column
                .iter()
                .chain(weight_column)
                .chain(target_column)
                .chain(color_columns)
                .any(|column| column == name)
        };
        let others: Vec<String> = self.others.into_iter().filter(|name| !named(name)).collect();
        reading.ignore.extend(others);
        reading
    }
}

/// Bytes that a row takes after reading: numbers, and words where the names of rows are kept, too.
fn bytes_per_row(kept: usize, named: bool, reading: &Reading) -> u64 {
    let words =
        usize::from(reading.label_column.is_some()) + usize::from(reading.name_column.is_some() || named);
    let colors = size_of::<Option<f64>>() * reading.quantities();
    (8 * kept + colors) as u64 + WORD * words as u64
}

impl Found {
    /// The numbers and words that were read, with the names of their columns.
    fn raw(self, columns: Columns<'_>, notes: Vec<String>, warnings: Vec<String>) -> Raw {
        let Self { values, words, colors, names: of_rows, .. } = self;
        let titled = |column: usize, without: String| {
            columns.name(column).filter(|title| !title.is_empty()).map_or(without, str::to_owned)
        };
        let label = |column| (columns.name(column).unwrap_or(LABEL).to_owned(), words);
        let labels = columns.label.map(label);
        let row_names = |column| RowNames { name: titled(column, NAME.to_owned()), values: of_rows };
        let row_names = columns.name.map(row_names);
        let quantity =
            |(&column, values): (&usize, Vec<_>)| Quantity { name: titled(column, unnamed(column)), values };
        let quantities = columns.colors.iter().zip(colors).map(quantity).collect();
        let Columns { mut names, kept: sources, .. } = columns;
        if let Some(names) = &mut names {
            let mut columns = 0..;
            names.retain(|_| columns.next().is_some_and(|column| sources.binary_search(&column).is_ok()));
        }
        Raw { names, labels, quantities, row_names, notes, warnings, ..Raw::of_columns(values, sources) }
    }
}

/// The first line, where commas separate its cells and are not decimal commas.
fn separated_by_commas(text: &str) -> Option<&str> {
    let line = first_line(text).trim();
    let is_number = || line.replacen(',', ".", 1).parse::<f64>().is_ok();
    (line.contains(',') && !line.starts_with('"') && !is_number()).then_some(line)
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

/// Most columns that a note lists.
const LISTED: usize = 10;

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

/// A word as the cell of a row, quoted where it needs that.
pub(super) fn cell(word: &str, delimiter: Option<u8>) -> String {
    let delimiter = char::from(delimiter.unwrap_or(b','));
    if word.contains([delimiter, '"', '\n', '\r']) {
        format!("\"{}\"", word.replace('"', "\"\""))
    } else {
        word.to_owned()
    }
}

/// A number as text of the fewest digits that read back to the same bits; with an exponent where
/// many zeros would be needed.
pub(super) struct Double(pub(super) f64);

impl Display for Double {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.0.abs();
        if size == 0.0 || (1e-5..1e16).contains(&size) {
            write!(out, "{}", self.0)
        } else {
            write!(out, "{:e}", self.0)
        }
    }
}

/// Writes rows without header, each value as `shown`.
pub(super) fn write<T, S: Display>(
    files: &mut WholeFiles,
    path: &Path,
    delimiter: Option<u8>,
    columns: usize,
    values: &[T],
    shown: impl Fn(&T) -> S,
) -> Result<(), Error> {
    let between = char::from(delimiter.unwrap_or(b','));
    write_text(files, path, &mut |file| {
        for row in values.chunks_exact(columns) {
            write!(file, "{}", shown(&row[0]))?;
            row[1..].iter().try_for_each(|value| write!(file, "{between}{}", shown(value)))?;
            writeln!(file)?;
        }
        Ok(())
    })
}
