//! The rows of data that a map has.

use embedding::{Embedding, Error, Input, PointSet};

/// The rows of the input that the map has, and their values.
pub(crate) fn map_rows(map: &Embedding, input: &Input<'_>) -> Result<(Vec<u32>, PointSet), Error> {
    let points = input.require_points()?;
    let rows: Vec<u32> = map.input_rows().collect();
    if let Some(row) = rows.iter().find(|row| **row as usize >= points.len()) {
        return Err(Error::Shape {
            what: "the points of the map",
            expected: format!("at least {} rows, as the map was made of", row + 1),
            got: points.len().to_string(),
        });
    }
    let data = points.select(&rows);
    Ok((rows, data))
}
