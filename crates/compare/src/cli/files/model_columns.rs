//! Checks that new points have the columns of a model, found by name where both have names, and the
//! same units.

use std::path::Path;

use datasets::files::Table;
use embedding::{Error, PointSet, Points};
use figure::number::{count, counted, ends};
use swissroll::saved::columns::Columns;

use crate::Failure;
use crate::cli::context::Context;
use crate::cli::files::input;

/// Most names that a message lists.
const LISTED: usize = 10;

/// Relative rounding of the ends of ranges.
const ROUNDING: f64 = 1e-9;

/// A table with its columns in the order of a model, where both have names. Fails where these are others.
pub(in crate::cli) fn in_order(
    table: Table,
    known: &Columns,
    path: &Path,
    context: &Context,
) -> Result<Table, Failure> {
    let Some(names) = &table.columns else { return Ok(table) };
    let other = |problem: String| Error::file(input::name(path), problem);
    let Some(order) = order(names, &known.names).map_err(other)? else { return Ok(table) };
    context.progress.line("note: the columns are put into the order of the model, by their names");
    let points = reordered(table.points, &order)?;
    Ok(Table { points, columns: Some(known.names.clone()), ..table })
}

/// Finds the columns of a model by their names: for each the column of the new points, or `None`
/// where the order is the same. Fails where the new points have other names, and where names occur
/// twice in another order.
fn order(new: &[String], model: &[String]) -> Result<Option<Vec<usize>>, String> {
    if new.len() != model.len() {
        // Where a name is there twice, the model says what number of columns it needs.
        another_number(new, model)?;
        return Ok(None);
    }
    let Some(at) = (0..model.len()).find(|at| new[*at] != model[*at]) else {
        return Ok(None);
    };
    let sorted = |names: &[String]| {
        let mut columns: Vec<usize> = (0..names.len()).collect();
        columns.sort_by(|a, b| names[*a].cmp(&names[*b]));
        columns
    };
    let (here, there) = (sorted(new), sorted(model));
    let twice = |pair: &[usize]| new[pair[0]] == new[pair[1]];
    if here.iter().zip(&there).all(|(i, j)| new[*i] == model[*j]) && !here.windows(2).any(twice) {
        let mut order = vec![0; model.len()];
        here.into_iter().zip(there).for_each(|(i, j)| order[j] = i);
        return Ok(Some(order));
    }
    let more = if model.len() > LISTED { ", …" } else { "" };
    let names = model[..model.len().min(LISTED)].join(", ") + more;
    Err(format!(
        "the columns must be the columns of the model, but coordinate {at} (counted from 0) is `{}`, not `{}`; give \
         the columns of the model, {names}, and rename columns that differ in name only",
        new[at], model[at]
    ))
}

/// Puts the columns of points into another order, without a second copy of the points.
fn reordered(points: PointSet, order: &[usize]) -> Result<PointSet, Error> {
    let mut values = points.into_values();
    let mut row = vec![0.0; order.len()];
    for values in values.chunks_exact_mut(order.len()) {
        row.copy_from_slice(values);
        values.iter_mut().zip(order).for_each(|(value, &column)| *value = row[column]);
    }
    PointSet::new(values, order.len())
}

/// A sentence on new points that are farther outside the range of a model's column than the range is
/// wide. It names the column with most such points; `None` where there is no such point.
pub(in crate::cli) fn far(points: Points<'_>, model: &Columns) -> Option<String> {
    let outside = |value: f64, [low, high]: [f64; 2]| {
        // Halves do not overflow. The means of standardized columns are rounded.
        let (middle, half) = (low / 2.0 + high / 2.0, high / 2.0 - low / 2.0);
        (value / 2.0 - middle / 2.0).abs() > 1.5 * half + ROUNDING * low.abs().max(high.abs())
    };
    let mut found = vec![0_usize; model.ranges.len()];
    let mut rows = 0;
    for row in points.rows().filter(|row| row.len() == model.ranges.len()) {
        let mut some = false;
        for ((value, range), found) in row.iter().zip(&model.ranges).zip(&mut found) {
            let far = outside(*value, *range);
            *found += usize::from(far);
            some |= far;
        }
        rows += usize::from(some);
    }
    let most = *found.iter().max().filter(|most| **most > 0)?;
    let column = found.iter().position(|count| *count == most)?;
    let values = || points.rows().map(|row| row[column]);
    let [low, high] = ends(embedding::implement::minimum(values()), embedding::implement::maximum(values()));
    let [known_low, known_high] = model.ranges[column];
    let [known_low, known_high] = ends(known_low, known_high);
    Some(format!(
        "{} of {} {} outside of the data of the model by more than the range of a column: `{}` goes from {low} to {high} \
         here and from {known_low} to {known_high} there; check its unit, or do not rely on the places of these rows",
        count(rows),
        counted(points.len(), "row", "rows"),
        are(rows),
        model.names[column],
    ))
}

/// Fails with the names of missing and of superfluous columns, if there are any.
fn another_number(new: &[String], model: &[String]) -> Result<(), String> {
    let without = |all: &[String], others: &[String]| {
        let rest: Vec<&str> = all.iter().filter(|name| !others.contains(name)).map(String::as_str).collect();
        let more = if rest.len() > LISTED { ", …" } else { "" };
        (rest.len(), format!("`{}`{more}", rest[..rest.len().min(LISTED)].join("`, `")))
    };
    let ((lacking, missing), (surplus, additional)) = (without(model, new), without(new, model));
    let (problem, advice) = match (lacking, surplus) {
        (0, 0) => return Ok(()),
        (_, 0) => (format!("{missing} {} missing", are(lacking)), "add what is missing"),
        (0, _) => (
            format!("{additional} {} none of them", are(surplus)),
            "leave out what the model does not have (--ignore)",
        ),
        _ => (
            format!("{missing} {} missing, and {additional} {} none of them", are(lacking), are(surplus)),
            "add what is missing, or rename it, and leave out what the model does not have (--ignore)",
        ),
    };
    Err(format!(
        "the columns must be the {} of the model, but there are {}: {problem}; {advice}",
        model.len(),
        new.len()
    ))
}

/// The verb of this number of columns.
fn are(count: usize) -> &'static str {
    if count == 1 { "is" } else { "are" }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn rows_far_outside_of_the_ranges_of_a_model_are_counted() {
        let rows = |values: &[f64]| PointSet::new(values.to_vec(), 2).expect("finite");
        let model = Columns { names: names("height mass"), ranges: vec![[1.5, 2.0], [40.0, 90.0]] };
        let message = |values: &[f64], model: &Columns| far(rows(values).view(), model);
        // As far outside as the range is wide, and less.
        assert_eq!(message(&[1.0, -10.0, 2.5, 140.0, 1.7, 60.0], &model), None);
        let note = message(&[170.0, 60.0, 150.0, 50.0, 1.7, 200.0, 1.6, 55.0], &model).expect("a note");
        assert!(note.starts_with("3 of 4 rows are outside"), "{note}");
        assert!(
            note.contains("`height` goes from 1.6 to 170 here and from 1.5 to 2 there; check its unit"),
            "{note}"
        );
        let note = message(&[0.99, 60.0], &model).expect("a note");
        assert!(note.starts_with("1 of 1 row is outside"), "{note}");
        let constant = Columns { names: names("a b"), ranges: vec![[0.1, 0.1], [-1e308, 1e308]] };
        assert_eq!(message(&[0.1 + 1e-17, 1e308], &constant), None);
        assert!(message(&[0.2, 0.0], &constant).is_some_and(|note| note.contains("from 0.1 to 0.1 there")));
        let unknown = Columns { names: names("a b"), ranges: Vec::new() };
        assert_eq!(message(&[1e9, -1e9], &unknown), None);
    }

    #[test]
    fn the_first_difference_is_named() {
        assert_eq!(order(&names("a b c"), &names("a b c")), Ok(None));
        assert_eq!(order(&names("c a b"), &names("a b c")), Ok(Some(vec![1, 2, 0])));
        let points = PointSet::new(vec![3.0, 1.0, 2.0, 6.0, 4.0, 5.0], 3).expect("finite");
        let reordered = reordered(points, &[1, 2, 0]).expect("as many");
        assert_eq!(reordered.view().values(), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        let message = order(&names("b a a"), &names("a b a")).expect_err("a name twice");
        assert!(message.contains("coordinate 0 (counted from 0) is `b`, not `a`"), "{message}");
        let message = order(&names("a b d"), &names("a b c")).expect_err("another column");
        assert!(
            message.contains("coordinate 2 (counted from 0) is `d`, not `c`") && message.contains("rename"),
            "{message}"
        );
        let message = order(&names("c a x y"), &names("a b c")).expect_err("another number");
        assert!(
            message.contains("the 3 of the model, but there are 4: `b` is missing, and `x`, `y` are none"),
            "{message}"
        );
        let message = order(&names("b"), &names("a b c")).expect_err("fewer");
        assert!(message.contains("`a`, `c` are missing; add"), "{message}");
        let message = order(&names("a b c d"), &names("a b c")).expect_err("more");
        assert!(
            message.contains("`d` is none of them; leave out") && message.contains("--ignore"),
            "{message}"
        );
        // The model says what number of columns it needs.
        assert_eq!(order(&names("a a b"), &names("a b")), Ok(None));
    }
}
