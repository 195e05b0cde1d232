//! Tables with a column per point.

use std::path::Path;

use embedding::Error;

use super::cells::{ADVICE, TextCells, WORD, has_decimal_comma};
use super::csv_file::cell;
use super::errors::allow;
use super::raw::Raw;

/// The text of a table with rows and columns exchanged. Where the first row holds names alone, its first cell is
/// left out, so that the names of the columns become names of rows.
pub(super) fn transposed(start: &TextCells<'_>, path: &Path) -> Result<String, Error> {
    let delimiter = start.delimiter();
    let count =
        start.text().bytes().filter(|byte| *byte == delimiter || *byte == b'\n' || *byte == b'\r').count();
    let needed = WORD.saturating_mul(count as u64 + 1).saturating_add(2 * start.text().len() as u64);
    allow(start.memory(), path, "exchanging rows and columns", needed, ADVICE)?;
    let (mut cells, mut rows, mut row) = (start.again(), Vec::new(), Vec::new());
    while let Some(found) = cells.next()? {
        row.push(found.text.to_owned());
        if found.ends_row {
            rows.push(std::mem::take(&mut row));
        }
    }
    let is_number = |cell: &String| cell.parse::<f64>().is_ok() || has_decimal_comma(cell);
    let width = rows.iter().map(Vec::len).max().unwrap_or(0);
    if let Some(first) = rows.first_mut().filter(|first| !first.iter().any(is_number)) {
        // R writes no name above the names of rows.
        if first.len() + 1 == width {
            first.insert(0, String::new());
        } else if let Some(corner) = first.first_mut() {
            corner.clear();
        }
    }
    if let Some(at) = rows.iter().position(|row| row.len() != width) {
        let got = rows[at].len();
        let problem = format!(
            "every row must have the same number of cells, but row {at} (counted from 0) has {got} and another one {width}"
        );
        return Err(Error::file(path.display(), problem));
    }
    let mut text = String::with_capacity(start.text().len());
    for column in 0..width {
        for (at, row) in rows.iter().enumerate() {
            if at > 0 {
                text.push(char::from(delimiter));
            }
            text.push_str(&cell(&row[column], Some(delimiter)));
        }
        text.push('\n');
    }
    Ok(text)
}

impl Raw {
    /// The numbers of an array with rows and columns exchanged.
    pub(super) fn transposed(self) -> Self {
        let (rows, width) = (self.rows(), self.width);
        let column = |column: usize| self.values.iter().skip(column).step_by(width).copied();
        Self::new((0..width).flat_map(column).collect(), rows)
    }
}
