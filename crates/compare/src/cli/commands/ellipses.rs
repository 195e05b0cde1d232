//! The distortion ellipses of `compare trust`.

use embedding::{Embedding, Input};
use figure::number::counted;
use quality::ellipses::Ellipses;

use super::singularity::median;
use crate::Failure;

/// Columns of the table: a name, and a value for each row.
pub(super) type Columns = Vec<(String, Vec<Option<f64>>)>;

/// The axes at the given rows, the longest first, and in maps of two dimensions the angle of the longest; and what
/// they say, in a sentence.
pub(super) fn columns(
    map: &Embedding,
    input: &Input<'_>,
    k: usize,
    rows: &[u32],
) -> Result<(Columns, String), Failure> {
    let ellipses = Ellipses { k }.of_map(map, input)?;
    let mut wanted = rows.iter().peekable();
    let points: Vec<usize> =
        (0..map.len()).filter(|&point| wanted.next_if_eq(&&ellipses.rows()[point]).is_some()).collect();
    let of_points = |value: &dyn Fn(usize) -> f64| points.iter().map(|&point| Some(value(point))).collect();
    let mut columns: Columns = (0..map.dim())
        .map(|axis| (format!("axis_{}", axis + 1), of_points(&|point| ellipses.axes(point)[axis])))
        .collect();
    if map.dim() == 2 {
        let angle = |point: usize| {
            let [x, y] = [ellipses.directions(point)[0], ellipses.directions(point)[1]];
            // An axis has no sign: angles are from 0 below 180.
            y.atan2(x).to_degrees().rem_euclid(180.0) % 180.0
        };
        columns.push(("angle".to_owned(), of_points(&angle)));
    }
    let medians: Vec<String> = columns[..map.dim()]
        .iter()
        .map(|(_, values)| median(values).map_or("undefined".to_owned(), |median| format!("{median:.3}")))
        .collect();
    let sentence = format!(
        "Ellipses of {}: a small circle of the data becomes an ellipse with {} per unit of length, in the median.\n",
        counted(points.len(), "point", "points"),
        match &medians[..] {
            [one] => format!("an axis of {one}"),
            [first, others @ ..] => format!("axes of {first} and {}", others.join(" and ")),
            [] => "no axis".to_owned(),
        },
    );
    Ok((columns, sentence))
}
