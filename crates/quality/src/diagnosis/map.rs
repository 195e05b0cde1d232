//! What is wrong with a map.

use embedding::number::{count, counted, score};
use embedding::{Embedding, Error, Points};

use super::{concentrated, places};
use crate::{Reflection, affine_residual, procrustes};

/// Below this affine error a map is a linear image of the true coordinates.
const LINEAR: f64 = 0.01;
/// Above this similarity error, and at least as many times the affine one, it does not
/// have their shape.
const OTHER_SHAPE: f64 = 0.05;
const TIMES: f64 = 10.0;
/// Relative difference of variances that are called equal.
const EQUAL: f64 = 0.01;

/// A map whose extent is that of a few points: more than half are within 1 % of it; or a map of
/// a few places: 95 % of the points are within 1 % of the extent of one of 20 at most. All columns count.
pub fn collapse(map: &Embedding) -> Option<String> {
    let points: Vec<&[f64]> = map.rows().collect();
    let close = concentrated(&points);
    let places = places(&points);
    if 2 * close <= points.len() && !places.is_empty() {
        let held: usize = places.iter().map(Vec::len).sum();
        return Some(format!(
            "{} of {} are at {}: within 1 % of the extent of the map from one of them.",
            count(held),
            counted(points.len(), "point", "points"),
            counted(places.len(), "place", "places")
        ));
    }
    (2 * close > points.len()).then(|| {
        format!(
            "{} of {} are within 1 % of the extent of the map, which the other {} determine.",
            count(close),
            counted(points.len(), "point", "points"),
            count(points.len() - close)
        )
    })
}

/// A map that is a linear image of the true coordinates, but has another shape: an affine
/// error below 0.01 and a similarity error above 0.05 and above 10 times the affine one.
/// `truth` has one row per row of the map.
///
/// Fails as [`procrustes`](crate::procrustes).
pub fn stretched(map: &Embedding, truth: Points<'_>) -> Result<Option<String>, Error> {
    if map.dim() != truth.dim() || map.dim() < 2 {
        return Ok(None);
    }
    let coordinates = Points::new(map.values(), map.dim())?;
    let similarity = procrustes(truth, coordinates, Reflection::Allowed)?.residual;
    let affine = affine_residual(truth, coordinates)?;
    if affine > LINEAR || similarity < OTHER_SHAPE.max(TIMES * affine) {
        return Ok(None);
    }
    let cause = if equal_variances(coordinates) {
        "The columns of the map have equal variance, so that the proportions of the data are lost"
    } else {
        "The map is a stretched or skewed image of the true coordinates"
    };
    Ok(Some(format!("{cause}: affine error {}, similarity error {}.", score(affine), score(similarity))))
}

fn equal_variances(points: Points<'_>) -> bool {
    let n = points.len() as f64;
    let variance = |axis: usize| {
        let mean = points.rows().map(|row| row[axis]).sum::<f64>() / n;
        points.rows().map(|row| (row[axis] - mean).powi(2)).sum::<f64>() / n
    };
    let first = variance(0);
    (1..points.dim()).all(|axis| (variance(axis) - first).abs() <= EQUAL * first)
}

#[cfg(test)]
mod tests {
    use embedding::PointSet;
    use faer::Mat;

    use super::*;

    #[test]
    fn a_collapsed_map_is_named_with_its_counts() {
        let map = |far: bool| {
            let value = |i: usize, j: usize| (i * (j + 1) % 7) as f64;
            let moved = |i: usize, j: usize| if far && i < 2 { 1e4 * (i + 1) as f64 } else { value(i, j) };
            Embedding::new(Mat::from_fn(60, 2, moved))
        };
        assert_eq!(collapse(&map(false)), None);
        let said = collapse(&map(true)).expect("a sentence");
        assert!(said.contains("58 of 60 points") && said.contains("the other 2"), "{said}");
        // Apart in the third column.
        let apart = |i: usize, j: usize| if j < 2 { (i % 2) as f64 } else { i as f64 };
        assert!(collapse(&Embedding::new(Mat::from_fn(60, 2, apart))).is_some());
        assert_eq!(collapse(&Embedding::new(Mat::from_fn(60, 3, apart))), None);
    }

    /// A sheet four times as long as wide; a map of it with both columns at unit variance, a
    /// sheared one, a similar one, and one that is bent.
    #[test]
    fn a_stretched_map_is_named_with_both_errors() {
        let sheet = |i: usize| [(i % 20) as f64 * 0.2, (i / 20) as f64 * 0.1];
        let truth = PointSet::new((0..200).flat_map(sheet).collect(), 2).expect("points");
        let map =
            |f: &dyn Fn([f64; 2]) -> [f64; 2]| Embedding::new(Mat::from_fn(200, 2, |i, j| f(sheet(i))[j]));
        let said = |f: &dyn Fn([f64; 2]) -> [f64; 2]| stretched(&map(f), truth.view()).expect("two maps");
        // Standard deviations of 0, …, m − 1 evenly spaced: √((m² − 1) / 12).
        let deviation = |m: f64| ((m * m - 1.0) / 12.0).sqrt();
        let squeezed = said(&|[u, v]| [u / 0.2 / deviation(20.0), v / 0.1 / deviation(10.0)]);
        let squeezed = squeezed.expect("a sentence");
        assert!(squeezed.starts_with("The columns of the map have equal variance"), "{squeezed}");
        let skewed = said(&|[u, v]| [u, 3.0 * v + u]).expect("a sentence");
        assert!(skewed.starts_with("The map is a stretched or skewed image"), "{skewed}");
        assert_eq!(said(&|[u, v]| [5.0 * v, 5.0 * u]), None, "similar");
        assert_eq!(said(&|[u, v]| [u.cos() + u * u * u, v]), None, "not linear");
    }

    #[test]
    fn a_map_of_another_dimension_is_not_compared() {
        let map = Embedding::new(Mat::from_fn(9, 1, |i, _| i as f64));
        let truth = PointSet::new((0..18).map(f64::from).collect(), 2).expect("points");
        assert_eq!(stretched(&map, truth.view()).expect("no comparison"), None);
    }
}
