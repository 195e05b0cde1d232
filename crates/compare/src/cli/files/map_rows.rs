//! The rows of a map that match the rows of its data.

use std::collections::HashMap;

use datasets::files::Table;
use embedding::{Error, PointSet};

use crate::Failure;

/// The advice where a map has fewer rows than the data.
pub(in crate::cli) const FEWER_PLACES: &str = "; of a map of some rows, as embed --components largest writes it, \
                                       give these rows of the data: facts.rows of its --report lists them";

/// The row of a map for each of the `n` rows of the data, where the map has the numbers of its rows; `None`
/// where a row has none.
pub(in crate::cli) fn of_data(numbers: &[u32], n: usize, kept: Option<&[u32]>) -> Option<Vec<u32>> {
    let places: HashMap<u32, u32> = numbers.iter().copied().zip(0..).collect();
    let number = |row: u32| kept.map_or(row, |kept| kept[row as usize]);
    (0..n as u32).map(|row| places.get(&number(row)).copied()).collect()
}

/// One row per row of the data, with `advice` where there are fewer. If the file also has rows for
/// the rows that were left out, returns the `kept` ones.
pub(in crate::cli) fn rows(
    (expected, kept): (usize, Option<(usize, &[u32])>),
    what: &'static str,
    found: Table,
    advice: &str,
) -> Result<PointSet, Failure> {
    let got = found.points.len();
    // Without rows left out, the data may be the very rows that the map has.
    let numbered = found.kept.as_deref().filter(|_| kept.is_some() || got == expected);
    if let Some(rows) = numbered.and_then(|numbers| of_data(numbers, expected, kept.map(|kept| kept.1))) {
        return Ok(found.points.view().select(&rows));
    }
    match kept {
        Some(_) if numbered.is_some() && got == expected => Err(Error::Shape {
            what,
            expected: "the numbers of the rows of the data, in the column `row`".to_owned(),
            got: "other numbers of rows; give the data that the map was made of".to_owned(),
        }
        .into()),
        _ if got == expected => Ok(found.points),
        Some((all, kept)) if got == all => Ok(found.points.view().select(kept)),
        _ => {
            let advice = if got < expected { advice } else { "" };
            let expected = format!("{expected}, one per row of the data");
            Err(Error::Shape { what, expected, got: format!("{got}{advice}") }.into())
        }
    }
}
