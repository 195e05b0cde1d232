//! Rows that are left out, and values that are replaced by means.

use embedding::Remedy;

use super::errors::Problem;
use super::missing::no_label;
use super::raw::Raw;
use super::reading::{Missing, Reading};
use super::table::left_out;

/// Leaves out rows or fills in means. Returns the rows that were kept, if some were left out, and a note on
/// what was done.
pub(super) fn resolve_missing(
    raw: &mut Raw,
    reading: &Reading,
) -> Result<(Option<Vec<u32>>, Vec<String>), Problem> {
    let rows = raw.rows();
    let (mut kept, mut notes) = drop_or_fill(raw, reading)?;
    if reading.without_zero_rows {
        let width = raw.width;
        let zero = |row: &u32| raw.values[*row as usize * width..][..width].iter().all(|value| *value == 0.0);
        let (without, others): (Vec<u32>, Vec<u32>) = (0..raw.rows() as u32).partition(zero);
        let number = |row: u32| kept.as_ref().map_or(row, |kept| kept[row as usize]);
        if others.is_empty() {
            return Err(all_zero(without.len()).into());
        }
        if !without.is_empty() {
            notes.push(zero_rows_note(&without.into_iter().map(number).collect::<Vec<_>>(), rows));
            kept = Some(others.iter().map(|&row| number(row)).collect());
            keep(raw, &others);
        }
    }
    Ok((kept, notes))
}

fn drop_or_fill(raw: &mut Raw, reading: &Reading) -> Result<(Option<Vec<u32>>, Vec<String>), Problem> {
    if reading.missing == Missing::Drop {
        return drop_rows(raw, reading);
    }
    if let Some((name, words)) = &raw.labels
        && let Some(row) = words.iter().position(|word| reading.lacks_label(word))
    {
        return Err(no_label(format!(
            "every row must have a label, but row {row} (counted from 0) has none in column `{name}`"
        )));
    }
    Ok((None, if reading.missing == Missing::Mean { fill(raw)? } else { Vec::new() }))
}

fn drop_rows(raw: &mut Raw, reading: &Reading) -> Result<(Option<Vec<u32>>, Vec<String>), Problem> {
    let (rows, width) = (raw.rows(), raw.width);
    let labeled = |row: usize| raw.labels.as_ref().is_none_or(|(_, words)| !reading.lacks_label(&words[row]));
    let whole = |row: usize| raw.values[row * width..][..width].iter().all(|value| !value.is_nan());
    let kept: Vec<u32> = (0..rows).filter(|&row| whole(row) && labeled(row)).map(|row| row as u32).collect();
    if kept.len() == rows {
        return Ok((None, Vec::new()));
    }
    if kept.is_empty() {
        return Err(Problem::new(
            format!("every one of the {rows} rows has a missing value"),
            "fill them in (--missing mean) or ignore columns (--ignore)",
            Remedy::MissingValues,
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

/// Keeps only these rows.
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

fn fill(raw: &mut Raw) -> Result<Vec<String>, Problem> {
    let width = raw.width;
    let mut filled = 0;
    for column in 0..width {
        let cells = || raw.values.iter().skip(column).step_by(width);
        let (mut count, mut sum) = (0.0, 0.0);
        for value in cells().filter(|value| !value.is_nan()) {
            count += 1.0;
            // The mean of the values so far: no sum that could overflow.
            sum += (value - sum) / count;
        }
        let empty = cells().filter(|value| value.is_nan()).count();
        if empty == 0 {
            continue;
        }
        if count == 0.0 {
            let number = raw.sources[column];
            let name = raw.names.as_ref().map(|names| format!(" `{}`", names[column])).unwrap_or_default();
            let what = format!("column {number}{name} (counted from 0) holds no value");
            return Err(Problem::new(what, "ignore it (--ignore)", Remedy::Reading));
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

/// The note on rows that are left out because all of their values are 0.
pub(super) fn zero_rows_note(left_out: &[u32], rows: usize) -> String {
    left_out_note(left_out, rows, ["rows whose values are all 0 was", "rows whose values are all 0 were"])
}

/// The failure where no other row is left.
pub(super) fn all_zero(rows: usize) -> String {
    format!("the values of all {rows} rows are 0, so that --drop-zero-rows leaves none")
}

/// Most rows that the note names.
const NAMED: usize = 10;

/// A note that lists the rows left out, as many as fit into a line; `what` describes them in the singular and
/// the plural.
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
