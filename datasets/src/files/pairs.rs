//! Lists of pairs: two names and the distance between them on each line.

use std::collections::{HashMap, HashSet};

use embedding::Error;

use super::cells::excerpt;
use super::distances::{Matrix, ROUNDING, Source};
use super::reading::Given;

/// Reads a list of pairs; `None` where the lines are no pairs. Points are in the order of their names where
/// these are whole numbers, else in the order in which they occur first. Fails where a pair has no distance,
/// or two.
pub(super) fn read(source: &Source<'_>) -> Result<Option<Matrix>, Error> {
    let is_pair = |cells: &[&str]| cells.len() == 3 && source.number(cells[2]).is_some();
    let Some(first) = source.lines.first() else { return Ok(None) };
    let head = source.cells(*first);
    let has_header = head.len() == 3 && !is_pair(&head);
    let lines = &source.lines[usize::from(has_header)..];
    let (mut numbers, mut names, mut is_numbered) = (HashMap::new(), Vec::new(), true);
    for line in lines {
        let cells = source.cells(*line);
        if !is_pair(&cells) {
            return Ok(None);
        }
        for name in &cells[..2] {
            is_numbered = is_numbered && name.parse::<u64>().is_ok();
            numbers.entry(*name).or_insert_with(|| {
                names.push(*name);
                names.len() - 1
            });
        }
    }
    let has_words = names.iter().any(|name| source.number(name).is_none());
    // Three rows of numbers are a matrix.
    if names.len() < 2 || !is_numbered && !has_words || is_numbered && !has_header && lines.len() == 3 {
        return Ok(None);
    }
    if is_numbered {
        names.sort_by_key(|name| name.parse::<u64>().unwrap_or(0));
        numbers = names.iter().copied().zip(0..).collect();
    }
    let (n, given) = (names.len(), source.reading.given);
    let all = n * (n - 1) / 2 + if given == Given::Distances { 0 } else { n };
    if lines.len() < all {
        let place = |name: &str| numbers[name];
        let known = lines.iter().map(|line| source.cells(*line)).map(|cells| {
            let (i, j) = (place(cells[0]), place(cells[1]));
            (i.min(j), i.max(j))
        });
        let known: HashSet<(usize, usize)> =
            known.filter(|(i, j)| i != j || given != Given::Distances).collect();
        let first = if given == Given::Distances { 1 } else { 0 };
        let pair =
            (0..n).flat_map(|i| (i + first..n).map(move |j| (i, j))).find(|pair| !known.contains(pair));
        if let Some(pair) = pair {
            return Err(missing(source, &names, pair, all - known.len() - 1));
        }
    }
    source.allow(n)?;
    let mut values = vec![f64::NAN; n * n];
    if given == Given::Distances {
        (0..n).for_each(|i| values[i * n + i] = 0.0);
    }
    let mut largest: f64 = 0.0;
    for line in lines {
        let cells = source.cells(*line);
        let (i, j) = (numbers[cells[0]], numbers[cells[1]]);
        let value = source.number(cells[2]).unwrap_or(f64::NAN);
        largest = largest.max(value.abs());
        let known = values[i * n + j];
        if (known - value).abs() > ROUNDING * largest {
            let [a, b] = [cells[0], cells[1]].map(excerpt);
            let problem =
                format!("`{a}` and `{b}` have the value {value}, but {known} above; give each pair once");
            return Err(source.fail(line.number, &problem));
        }
        (values[i * n + j], values[j * n + i]) = (value, value);
    }
    let without =
        || (0..n).flat_map(|i| (i..n).map(move |j| (i, j))).filter(|(i, j)| values[i * n + j].is_nan());
    if let Some(pair) = without().next() {
        return Err(missing(source, &names, pair, without().count() - 1));
    }
    let names = names.into_iter().map(str::to_owned).collect();
    Ok(Some(Matrix { n, names: Some(names), values, form: "a list of pairs" }))
}

/// The error for a pair without a value, of several more.
fn missing(source: &Source<'_>, names: &[&str], (i, j): (usize, usize), more: usize) -> Error {
    let more = match more {
        0 => String::new(),
        1 => ", nor has another pair".to_owned(),
        more => format!(", nor have {more} other pairs"),
    };
    let (what, advice) = match source.reading.given {
        Given::Similarities => ("similarity", "add a line for each pair, and for each point with itself"),
        Given::Distances | Given::Points => (
            "distance",
            "add a line for each pair, or read the known ones as neighbor lists (--set given=neighbors of embed)",
        ),
    };
    let ([a, b], n) = ([names[i], names[j]].map(excerpt), names.len());
    let problem = format!(
        "every pair of the {n} points must have a {what}, but `{a}` and `{b}` have none{more}; {advice}"
    );
    Error::file(source.path.display(), problem)
}
