//! The rows of a map that match the rows of its data.

use datasets::files::Table;
use embedding::{Error, PointSet};

use crate::Failure;

/// The advice where a map has fewer rows than the data.
pub(in crate::cli) const FEWER_PLACES: &str = "; of a map of some rows, as embed --components largest writes it, \
                                       give these rows of the data: facts.rows of its --report lists them";

/// One row per row of the data, with `advice` where there are fewer. If the file also has rows for
/// the rows that were left out, returns the `kept` ones.
pub(in crate::cli) fn rows(
    (expected, kept): (usize, Option<(usize, &[u32])>),
    what: &'static str,
    found: Table,
    advice: &str,
) -> Result<PointSet, Failure> {
    let got = found.points.len();
    match kept {
        _ if got == expected => Ok(found.points),
        Some((all, kept)) if got == all => Ok(found.points.view().select(kept)),
        _ => {
            let advice = if got < expected { advice } else { "" };
            let expected = format!("{expected}, one per row of the data");
            Err(Error::Shape { what, expected, got: format!("{got}{advice}") }.into())
        }
    }
}
