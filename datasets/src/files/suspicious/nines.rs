//! Numbers of nines far outside of the other values of a column, which may stand for missing values.

use embedding::Points;
use embedding::implement::{maximum, minimum};

use super::Suspicion;
use crate::files::table::Table;

/// Fewest nines of such a number; 9 is a grade.
const NINES: usize = 2;

/// A column and the number that its lowest or highest value is, in the units of the file.
struct Found {
    column: usize,
    number: f64,
    /// The value in the units of the table.
    value: f64,
    /// The range of the other values, in the units of the file.
    others: [f64; 2],
}

/// The suspicions about such numbers; `extents` are the extents of the columns.
pub(super) fn find(table: &Table, extents: &[(f64, f64)]) -> Vec<Suspicion> {
    let points = table.points.view();
    let mut found: Vec<Found> = Vec::new();
    for (column, &(low, high)) in extents.iter().enumerate() {
        found.extend(look(table, points, column, low));
        found.extend(look(table, points, column, high));
    }
    let mut suspicions = Vec::new();
    while let Some(Found { number, .. }) = found.first() {
        let number = *number;
        let same: Vec<Found> = found.extract_if(.., |found| found.number == number).collect();
        suspicions.push(suspicion(&same, points));
    }
    suspicions
}

/// Whether a value is a number of nines from which the others are farther away than their range is wide.
fn look(table: &Table, points: Points<'_>, column: usize, value: f64) -> Option<Found> {
    let unit = |value: f64| match &table.scaling {
        Some(scaling) => scaling.mean[column] + scaling.deviation[column] * value,
        None => value,
    };
    let number = of_nines(unit(value))?;
    let others = || points.rows().map(move |row| row[column]).filter(move |other| *other != value);
    let (low, high) = (minimum(others()), maximum(others()));
    let apart = if value < low { low - value } else { value - high };
    // A single other value has no range.
    (apart > high - low && high > low).then_some(Found {
        column,
        number,
        value,
        others: [unit(low), unit(high)],
    })
}

/// The number if it is whole and all its digits are nines; standardized columns are rounded.
fn of_nines(number: f64) -> Option<f64> {
    let whole = number.round();
    let digits = format!("{:.0}", whole.abs());
    let rounded = (number - whole).abs() <= 1e-9 * whole.abs();
    (rounded && digits.len() >= NINES && digits.bytes().all(|digit| digit == b'9')).then_some(whole)
}

/// The suspicion about a number, of the columns that have it.
fn suspicion(found: &[Found], points: Points<'_>) -> Suspicion {
    let rows = points.rows().filter(|row| found.iter().any(|found| row[found.column] == found.value)).count();
    Suspicion::Nines {
        number: found[0].number,
        columns: found.iter().map(|found| found.column).collect(),
        others: found.iter().map(|found| found.others).collect(),
        rows,
    }
}
