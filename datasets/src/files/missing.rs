//! Missing values.

use super::raw::Raw;
use super::reading::{Missing, Reading};

/// What to do about them.
pub(super) const HINT: &str =
    "leave out such rows (--missing drop) or fill in the mean of the column (--missing mean)";

/// The same of a missing label, which has no mean.
pub(super) const LABEL_HINT: &str = "leave out such rows (--missing drop), or name the word that stands for an unknown class (--unknown-label, of commands that read classes for a fit or a measure)";

/// How a cell of text is told to be missing, and what to do then.
pub(super) fn option_for(cell: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || ['-', '_', '.', '/'].contains(&c);
    let typed = if cell.chars().all(plain) { cell.to_owned() } else { format!("'{cell}'") };
    // Commas separate values of the option.
    match cell.contains([',', '\'']) || cell.len() > LONGEST {
        true => format!("make such cells empty, and {HINT}"),
        false => format!("say so (--missing-values {typed}), and {HINT}"),
    }
}

/// Longest word, in bytes, that is repeated as the value of an option.
const LONGEST: usize = 20;

/// Words that always stand for a missing value.
const WORDS: [&str; 8] = ["", "na", "n/a", "nan", "null", "none", "?", "."];

impl Reading {
    /// Whether the cell of a coordinate stands for a missing value.
    pub(super) fn is_missing(&self, cell: &str) -> bool {
        self.is_word_for_missing(cell)
            || !self.missing_values.is_empty()
                && self
                    .number(cell)
                    .is_some_and(|value| self.numbers_for_missing().any(|number| number == value))
    }

    /// The number that a cell is.
    pub(super) fn number(&self, cell: &str) -> Option<f64> {
        if !self.decimal_comma {
            return cell.parse().ok();
        }
        // A point may group thousands.
        if cell.contains('.') { None } else { cell.replacen(',', ".", 1).parse().ok() }
    }

    fn is_word_for_missing(&self, cell: &str) -> bool {
        let words = self.missing_values.iter().map(|word| word.trim());
        WORDS.into_iter().chain(words).any(|word| cell.eq_ignore_ascii_case(word))
    }

    /// The numbers among [`Reading::missing_values`].
    fn numbers_for_missing(&self) -> impl Iterator<Item = f64> {
        self.missing_values.iter().filter_map(|word| word.trim().parse().ok())
    }

    /// The numbers that stand for missing values in an array, in either precision.
    pub(super) fn missing_in_arrays(&self) -> Vec<f64> {
        self.numbers_for_missing().flat_map(|number| [number, f64::from(number as f32)]).collect()
    }

    /// Whether a cell of the label column holds no label. Numbers are classes there.
    pub(super) fn lacks_label(&self, cell: &str) -> bool {
        self.is_word_for_missing(cell)
            && !cell.parse::<f64>().is_ok_and(f64::is_finite)
            && self.unknown_label.as_deref() != Some(cell)
    }
}

/// Leaves out rows or fills in means. Returns which rows were kept, where some
/// were not, and what was done.
pub(super) fn resolve_missing(
    raw: &mut Raw,
    reading: &Reading,
) -> Result<(Option<Vec<u32>>, Vec<String>), String> {
    let rows = raw.rows();
    let (mut kept, mut notes) = settle_missing(raw, reading)?;
    if reading.without_zero_rows {
        let width = raw.width;
        let zero = |row: &u32| raw.values[*row as usize * width..][..width].iter().all(|value| *value == 0.0);
        let (without, others): (Vec<u32>, Vec<u32>) = (0..raw.rows() as u32).partition(zero);
        let number = |row: u32| kept.as_ref().map_or(row, |kept| kept[row as usize]);
        if others.is_empty() {
            return Err(all_zero(without.len()));
        }
        if !without.is_empty() {
            notes.push(zero_rows_note(&without.into_iter().map(number).collect::<Vec<_>>(), rows));
            kept = Some(others.iter().map(|&row| number(row)).collect());
            keep(raw, &others);
        }
    }
    Ok((kept, notes))
}

/// What is said of rows that are left out because all of their values are 0.
pub(super) fn zero_rows_note(left_out: &[u32], rows: usize) -> String {
    left_out_note(left_out, rows, ["rows whose values are all 0 was", "rows whose values are all 0 were"])
}

/// The failure where no other row is left.
pub(super) fn all_zero(rows: usize) -> String {
    format!("the values of all {rows} rows are 0, so that --drop-zero-rows leaves none")
}

fn settle_missing(raw: &mut Raw, reading: &Reading) -> Result<(Option<Vec<u32>>, Vec<String>), String> {
    if reading.missing == Missing::Drop {
        return drop_rows(raw, reading);
    }
    if let Some((name, words)) = &raw.labels
        && let Some(row) = words.iter().position(|word| reading.lacks_label(word))
    {
        return Err(format!(
            "every row must have a label, but row {row} (counted from 0) has none in column `{name}`; {LABEL_HINT}"
        ));
    }
    Ok((None, if reading.missing == Missing::Mean { fill(raw)? } else { Vec::new() }))
}

fn drop_rows(raw: &mut Raw, reading: &Reading) -> Result<(Option<Vec<u32>>, Vec<String>), String> {
    let (rows, width) = (raw.rows(), raw.width);
    let labeled = |row: usize| raw.labels.as_ref().is_none_or(|(_, words)| !reading.lacks_label(&words[row]));
    let whole = |row: usize| raw.values[row * width..][..width].iter().all(|value| !value.is_nan());
    let kept: Vec<u32> = (0..rows).filter(|&row| whole(row) && labeled(row)).map(|row| row as u32).collect();
    if kept.len() == rows {
        return Ok((None, Vec::new()));
    }
    if kept.is_empty() {
        return Err(format!(
            "every one of the {rows} rows has a missing value; fill them in (--missing mean) or ignore columns (--ignore)"
        ));
    }
    keep(raw, &kept);
    let note = left_out_note(
        &left_out(&kept, rows),
        rows,
        ["rows with a missing value was", "rows with missing values were"],
    );
    Ok((Some(kept), vec![note]))
}

/// Leaves out all rows but these.
fn keep(raw: &mut Raw, kept: &[u32]) {
    let width = raw.width;
    raw.values =
        kept.iter().flat_map(|&row| raw.values[row as usize * width..][..width].iter().copied()).collect();
    if let Some((_, words)) = &mut raw.labels {
        *words = kept.iter().map(|&row| std::mem::take(&mut words[row as usize])).collect();
    }
    for quantity in &mut raw.quantities {
        quantity.values = kept.iter().map(|&row| quantity.values[row as usize]).collect();
    }
    if let Some(names) = &mut raw.row_names {
        names.values = kept.iter().map(|&row| std::mem::take(&mut names.values[row as usize])).collect();
    }
}

/// The rows of a file that are not among those kept, both ascending.
pub(super) fn left_out(kept: &[u32], rows: usize) -> Vec<u32> {
    (0..rows as u32).filter(|row| kept.binary_search(row).is_err()).collect()
}

/// Most rows that the note names.
const NAMED: usize = 10;

/// Which rows were left out, as far as a line holds them; `what` says of one and of several what they are.
pub(super) fn left_out_note(left_out: &[u32], rows: usize, what: [&str; 2]) -> String {
    let count = left_out.len();
    let named: Vec<String> = left_out.iter().take(NAMED).map(u32::to_string).collect();
    let (were, which) = match count {
        1 => (what[0], "row"),
        _ => (what[1], "rows"),
    };
    let more = if count > NAMED { format!(" and {} more", count - NAMED) } else { String::new() };
    format!("{count} of {rows} {were} left out: {which} {}{more} (counted from 0)", named.join(", "))
}

fn fill(raw: &mut Raw) -> Result<Vec<String>, String> {
    let width = raw.width;
    let mut filled = 0;
    for column in 0..width {
        let cells = || raw.values.iter().skip(column).step_by(width);
        let (mut count, mut sum) = (0.0, 0.0);
        for value in cells().filter(|value| !value.is_nan()) {
            count += 1.0;
            // The mean of what came so far: no sum that could overflow.
            sum += (value - sum) / count;
        }
        let empty = cells().filter(|value| value.is_nan()).count();
        if empty == 0 {
            continue;
        }
        if count == 0.0 {
            let number = raw.sources[column];
            let name = raw.names.as_ref().map(|names| format!(" `{}`", names[column])).unwrap_or_default();
            return Err(format!(
                "column {number}{name} (counted from 0) holds no value; ignore it (--ignore)"
            ));
        }
        filled += empty;
        for value in raw.values.iter_mut().skip(column).step_by(width) {
            if value.is_nan() {
                *value = sum;
            }
        }
    }
    let values = if filled == 1 { "value was" } else { "values were" };
    let note = format!("{filled} missing {values} replaced by the mean of the column");
    Ok((filled > 0).then_some(note).into_iter().collect())
}
