//! Spreadsheets of Excel and LibreOffice.

use std::io::Cursor;
use std::path::Path;

use calamine::{Data, Range, Reader, open_workbook_auto_from_rs};
use embedding::{Error, MemoryLimit};

use super::cells::ADVICE;
use super::csv_file::cell;
use super::errors::allow;

/// The named sheet, or the only one with cells, as text with commas between cells.
pub(super) fn as_table(
    content: Vec<u8>,
    sheet: Option<&str>,
    path: &Path,
    memory: MemoryLimit,
) -> Result<String, Error> {
    let fail = |problem: String| Error::file(path.display(), problem);
    // Sheets are packed; their cells take more than their text.
    let needed = (content.len() as u64).saturating_mul(UNPACKED);
    allow(memory, path, "reading a spreadsheet", needed, ADVICE)?;
    let damaged =
        |error: calamine::Error| fail(format!("the spreadsheet is damaged, or no spreadsheet ({error})"));
    let mut book = open_workbook_auto_from_rs(Cursor::new(content)).map_err(damaged)?;
    let names = book.sheet_names();
    let listed = || names.join("`, `");
    if let Some(name) = sheet.filter(|name| !names.iter().any(|known| known == name)) {
        return Err(fail(format!("the spreadsheet has no sheet `{name}`; it has `{}`", listed())));
    }
    let mut found: Vec<(&String, Range<Data>)> = Vec::new();
    for name in names.iter().filter(|name| sheet.is_none_or(|sheet| sheet == *name)) {
        let range = book.worksheet_range(name).map_err(damaged)?;
        if !range.is_empty() {
            found.push((name, range));
        }
    }
    let range = match &found[..] {
        [(_, range)] => range,
        [] => return Err(fail("the spreadsheet has no cells".to_owned())),
        [(first, _), ..] => {
            return Err(fail(format!(
                "the spreadsheet has {} sheets with cells: `{}`; name one behind a colon, as in {}:{first}",
                found.len(),
                listed(),
                path.display()
            )));
        }
    };
    let mut table = String::new();
    for row in range.rows() {
        let cells: Vec<String> = row.iter().map(|data| cell(&text(data), None)).collect();
        table.push_str(&cells.join(","));
        table.push('\n');
        allow(
            memory,
            path,
            "making a table of a spreadsheet",
            needed.saturating_add(table.len() as u64),
            ADVICE,
        )?;
    }
    Ok(table)
}

/// Bytes in memory for each byte of a file.
const UNPACKED: u64 = 20;

fn text(data: &Data) -> String {
    match data {
        Data::Empty => String::new(),
        Data::Int(number) => number.to_string(),
        Data::Float(number) => number.to_string(),
        Data::Bool(truth) => truth.to_string(),
        Data::String(text) | Data::DateTimeIso(text) | Data::DurationIso(text) => text.clone(),
        Data::DateTime(date) => {
            // Workbooks count days from 1900 or from 1904.
            let (year, month, day, hour, minute, second, milli) = date.to_ymd_hms_milli();
            let date = format!("{year:04}-{month:02}-{day:02}");
            let fraction = if milli == 0 { String::new() } else { format!(".{milli:03}") };
            match (hour, minute, second, milli) {
                (0, 0, 0, 0) => date,
                _ => format!("{date}T{hour:02}:{minute:02}:{second:02}{fraction}"),
            }
        }
        Data::Error(error) => error.to_string(),
    }
}
