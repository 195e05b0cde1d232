//! Rows that are left out, and values that are replaced by means.

use embedding::Remedy;

use super::columns::typed;
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
    let stays = matches!(reading.missing, Missing::Refuse | Missing::Keep);
    Ok((None, if stays { Vec::new() } else { fill(raw, reading.missing)? }))
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
    let costliest = costliest_column(raw, rows - kept.len());
    keep(raw, &kept);
    let note = left_out_note(
        &left_out(&kept, rows),
        rows,
        ["rows with a missing value was", "rows with missing values were"],
    );
    Ok((Some(kept), [note].into_iter().chain(costliest).collect()))
}

/// A note where one column alone costs many rows: how many of them lack a value in it.
fn costliest_column(raw: &Raw, left_out: usize) -> Option<String> {
    let missing = |column: usize| {
        raw.values.iter().skip(column).step_by(raw.width).filter(|value| value.is_nan()).count()
    };
    // Of equal ones the first.
    let (column, most) =
        (0..raw.width).map(|column| (column, missing(column))).rev().max_by_key(|(_, count)| *count)?;
    if raw.width < 2 || most < FEW || 2 * most < left_out {
        return None;
    }
    let (number, name) = raw.of_file(column);
    let shown = name.map(|name| format!(" `{name}`")).unwrap_or_default();
    Some(format!(
        "{most} of the rows left out lack a value in column {number}{shown}, which --ignore {} leaves out",
        typed(name, number)
    ))
}

/// Rows from which on the note names the column that costs most of them.
const FEW: usize = 5;

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
    for names in raw.row_names.iter_mut().chain(&mut raw.carried) {
        names.values = kept.iter().map(|&row| std::mem::take(&mut names.values[row as usize])).collect();
    }
}

fn fill(raw: &mut Raw, missing: Missing) -> Result<Vec<String>, Problem> {
    let width = raw.width;
    let mut filled = 0;
    for column in 0..width {
        let cells = || raw.values.iter().skip(column).step_by(width).copied();
        let empty = cells().filter(|value| value.is_nan()).count();
        if empty == 0 {
            continue;
        }
        let others = || cells().filter(|value| !value.is_nan());
        let replacement = match missing {
            Missing::Zero => Some(0.0),
            Missing::Median => median(others().collect()),
            Missing::Mean | Missing::Refuse | Missing::Drop | Missing::Keep => mean(others()),
        };
        let Some(replacement) = replacement else {
            let (number, name) = raw.of_file(column);
            let name = name.map(|name| format!(" `{name}`")).unwrap_or_default();
            let what = format!("column {number}{name} (counted from 0) holds no value");
            return Err(Problem::new(what, "ignore it (--ignore)", Remedy::Reading));
        };
        // Of the columns that are made from one column, one has its values.
        if column == 0 || raw.of_file(column).0 != raw.of_file(column - 1).0 {
            filled += empty;
        }
        for value in raw.values.iter_mut().skip(column).step_by(width) {
            if value.is_nan() {
                *value = replacement;
            }
        }
    }
    let by = match missing {
        Missing::Zero => "0",
        Missing::Median => "the median of the column",
        Missing::Mean | Missing::Refuse | Missing::Drop | Missing::Keep => "the mean of the column",
    };
    let values = if filled == 1 { "value was" } else { "values were" };
    let note = format!("{filled} missing {values} replaced by {by}");
    Ok((filled > 0).then_some(note).into_iter().collect())
}

/// The mean; `None` of no value.
fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (mut count, mut mean) = (0.0, 0.0);
    for value in values {
        count += 1.0;
        // The mean of the values so far: no sum that could overflow.
        mean += (value - mean) / count;
    }
    (count > 0.0).then_some(mean)
}

/// The median, of an even number of values the mean of the middle two; `None` of no value.
fn median(mut values: Vec<f64>) -> Option<f64> {
    let middle = values.len().checked_sub(1)? / 2;
    values.sort_unstable_by(f64::total_cmp);
    let next = if values.len().is_multiple_of(2) { middle + 1 } else { middle };
    Some(values[middle].midpoint(values[next]))
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
