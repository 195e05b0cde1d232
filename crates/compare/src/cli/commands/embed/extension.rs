//! How far a saved model places training rows from where they are.

use embedding::{DynModel, Error, PointSet, Rows, TrainingRows};
use figure::number::part;
use serde_json::json;

use super::fit_on::radius;
use crate::results::MethodResults;

/// Rows that are placed anew.
const ROWS: usize = 50;

/// Places up to 50 evenly spaced training rows by the extension of their model, as if they were
/// new, and records in `row` their distances from the stored places, divided by the
/// map's radius. New points near training rows are placed about as well.
pub(in crate::cli) fn measure(
    points: Rows<'_>,
    fitted: &dyn DynModel,
    row: &mut MethodResults,
) -> Result<(), Error> {
    let map = fitted.embedding();
    let n = map.len();
    let count = n.min(ROWS);
    let places: Vec<u32> = (0..count).map(|at| (at * n / count) as u32).collect();
    let training: Vec<u32> = map.input_rows().collect();
    let rows: Vec<u32> = places.iter().map(|&place| training[place as usize]).collect();
    let by_extension = |chosen: Rows<'_>| fitted.place(chosen, TrainingRows::Extended);
    let placed = match points {
        Rows::Dense(points) => by_extension(points.select(&rows).view().into()),
        Rows::Sparse(points) => by_extension(points.select(&rows).view().into()),
    };
    let placed = match placed {
        Err(Error::Cancelled) => return Err(Error::Cancelled),
        Err(error) => {
            row.notes.push(format!("the model places no training row as a new one: {error}"));
            return Ok(());
        }
        Ok(placed) => placed,
    };
    let radius = radius(PointSet::from_mat(map.coordinates())?.view())?;
    let gap = |(stored, placed): (&[f64], &[f64])| {
        let scaled = stored.iter().zip(placed).map(|(a, b)| ((a - b) / radius).powi(2));
        scaled.sum::<f64>().sqrt()
    };
    let mut gaps: Vec<f64> =
        places.iter().map(|&place| map.row(place as usize)).zip(placed.rows()).map(gap).collect();
    gaps.sort_by(f64::total_cmp);
    let (median, largest) = (gaps[count / 2], gaps[count - 1]);
    if !largest.is_finite() {
        row.notes.push("the radius of the map is 0, so that no placing is measured in it".to_owned());
        return Ok(());
    }
    row.facts.insert("extension_gap_median".to_owned(), json!(median));
    row.facts.insert("extension_gap_largest".to_owned(), json!(largest));
    row.notes.push(format!(
        "{count} rows were placed again as if they were new: they lie {} of the map's radius from their places in \
         the median, and at most {}; new points are placed about as well",
        part(median),
        part(largest)
    ));
    Ok(())
}
