//! Which columns drive the axes of a map, in sentences.

use crate::results::AxisDrivers;

/// Columns that a sentence names.
const NAMED: usize = 3;
/// A column is named if its change is at least this fraction of the largest one.
const FRACTION: f64 = 0.25;
/// The fraction of the mean length of its change by which a column must keep its direction.
const STEADY: f64 = 0.5;

/// The names of columns; `column 0` and so on where they have no names.
pub(crate) fn names_of(names: Option<&[String]>, count: usize) -> Vec<String> {
    match names.filter(|names| names.len() == count) {
        Some(names) => names.to_vec(),
        None => (0..count).map(|column| format!("column {column}")).collect(),
    }
}

/// A sentence on the columns with which a coordinate of a map changes.
pub(crate) fn axis(found: &AxisDrivers, coordinate: usize, names: &[String]) -> String {
    let AxisDrivers { signed, lengths } = found;
    let largest = lengths.iter().copied().fold(0.0, f64::max);
    if largest == 0.0 {
        return format!("No column drives axis {}.", coordinate + 1);
    }
    let mut order: Vec<usize> = (0..lengths.len()).collect();
    order.sort_by(|a, b| lengths[*b].total_cmp(&lengths[*a]));
    let named: Vec<usize> =
        order.into_iter().take(NAMED).filter(|column| lengths[*column] >= FRACTION * largest).collect();
    let (steady, varying): (Vec<usize>, Vec<usize>) =
        named.into_iter().partition(|column| signed[*column].abs() >= STEADY * lengths[*column]);
    let (up, down): (Vec<usize>, Vec<usize>) = steady.into_iter().partition(|column| signed[*column] > 0.0);
    let listed = |columns: &[usize]| {
        let quoted: Vec<String> = columns.iter().map(|column| format!("`{}`", names[*column])).collect();
        quoted.join(" and ")
    };
    let part = |columns: &[usize], words: &str| {
        (!columns.is_empty()).then(|| format!("{words} {}", listed(columns)))
    };
    let parts = [
        part(&up, "increases with"),
        part(&down, "decreases with"),
        part(&varying, "changes, in different directions in different places, with"),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    format!("Axis {} {}.", coordinate + 1, parts.join(" and "))
}
