//! Faults of a map, by comparison with the true coordinates.

use embedding::implement::number::score;
use embedding::{Embedding, Points};

use super::collapse::collapse;
use super::tears_and_overlaps::{FEWEST, overlapping, torn};
use crate::procrustes::{Reflection, affine_residual, procrustes};

/// Below this affine error a map is a linear image of the true coordinates.
const LINEAR: f64 = 0.01;
/// Above this similarity error, and at least as many times the affine one, it does not
/// have their shape.
const OTHER_SHAPE: f64 = 0.05;
const TIMES: f64 = 10.0;
/// Relative difference of variances that are called equal.
const EQUAL: f64 = 0.01;

/// Whether a right map has the shape of the true coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// It does: for example, lengths or angles of the data agree with the true coordinates, and the data
    /// are connected.
    Known,
    /// It need not: for example, the true coordinates are parameters.
    Free,
}

/// Returns the faults of a map, by comparison with the true coordinates, in this order:
///
/// - It is a linear image of them, but has another shape: an affine error below 0.01 and a similarity
///   error above 0.05 and above 10 times the affine one. Such a map is not examined further.
/// - It tears neighbors apart: at five points and 2 % of them at least, one of the 4 nearest by the true
///   coordinates is farther away in the map than a tenth of all points.
/// - It puts distant parts over each other: at five points and 2 % of them at least, one of the 4 nearest in the
///   map is farther away by the true coordinates than a tenth of all points.
/// - It has none of these faults and at least 100 points, but a similarity error above 0.05, where a
///   right map has the [`Shape`] of the true coordinates.
///
/// `truth` has one row per row of the map. Errors need as many columns as the map has. Tears and overlaps
/// are searched at 500 evenly spaced points at most, in maps of at least 100 points. There is no sentence
/// on a map that has another number of rows or is collapsed ([`collapse`]). *Cost.* O(500 n (d + D)).
pub fn by_truth(map: &Embedding, truth: Points<'_>, shape: Shape) -> Vec<String> {
    let Ok(coordinates) = Points::new(map.values(), map.dim()) else { return Vec::new() };
    if coordinates.len() != truth.len() || collapse(map).is_some() {
        return Vec::new();
    }
    let errors = errors(coordinates, truth);
    // A linear image tears and folds nothing.
    if let Some(stretched) = errors.and_then(|errors| stretched(coordinates, errors)) {
        return vec![stretched];
    }
    let broken = [torn(coordinates, truth), overlapping(coordinates, truth)];
    let mut sentences: Vec<String> = broken.into_iter().flatten().collect();
    if sentences.is_empty() && shape == Shape::Known && truth.len() >= FEWEST {
        sentences.extend(errors.and_then(bent));
    }
    sentences
}

/// How far a map is from the true coordinates.
#[derive(Clone, Copy)]
struct Errors {
    similarity: f64,
    affine: f64,
}

/// `None` where the numbers of columns differ, or there is no extent to compare.
fn errors(map: Points<'_>, truth: Points<'_>) -> Option<Errors> {
    if map.dim() != truth.dim() {
        return None;
    }
    let similarity = procrustes(truth, map, Reflection::Allowed).ok()?.residual;
    Some(Errors { similarity, affine: affine_residual(truth, map).ok()? })
}

fn stretched(map: Points<'_>, Errors { similarity, affine }: Errors) -> Option<String> {
    if map.dim() < 2 || affine > LINEAR || similarity < OTHER_SHAPE.max(TIMES * affine) {
        return None;
    }
    let cause = if equal_variances(map) {
        "The columns of the map have equal variance, so that the proportions of the data are lost"
    } else {
        "The map is a stretched or skewed image of the true coordinates"
    };
    Some(format!("{cause}: affine error {}, similarity error {}.", score(affine), score(similarity)))
}

fn bent(Errors { similarity, affine }: Errors) -> Option<String> {
    (similarity >= OTHER_SHAPE).then(|| {
        format!(
            "Most near points stay near, but the map does not have the shape of the true coordinates: it is bent, or \
             stretched by other factors in other parts (affine error {}, similarity error {}).",
            score(affine),
            score(similarity)
        )
    })
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

    /// A sheet four times as long as wide; a map of it with both columns at unit variance, a
    /// sheared one, a similar one, and one that is bent.
    #[test]
    fn a_stretched_map_is_named_with_both_errors() {
        let sheet = |i: usize| [(i % 20) as f64 * 0.2, (i / 20) as f64 * 0.1];
        let truth = PointSet::new((0..200).flat_map(sheet).collect(), 2).expect("points");
        let map =
            |f: &dyn Fn([f64; 2]) -> [f64; 2]| Embedding::new(Mat::from_fn(200, 2, |i, j| f(sheet(i))[j]));
        let said = |f: &dyn Fn([f64; 2]) -> [f64; 2]| by_truth(&map(f), truth.view(), Shape::Known);
        // Standard deviations of 0, …, m − 1 evenly spaced: √((m² − 1) / 12).
        let deviation = |m: f64| ((m * m - 1.0) / 12.0).sqrt();
        let squeezed = said(&|[u, v]| [u / 0.2 / deviation(20.0), v / 0.1 / deviation(10.0)]);
        assert!(squeezed[0].starts_with("The columns of the map have equal variance"), "{squeezed:?}");
        let skewed = said(&|[u, v]| [u, 3.0 * v + u]);
        assert!(skewed[0].starts_with("The map is a stretched or skewed image"), "{skewed:?}");
        assert_eq!((squeezed.len(), skewed.len()), (1, 1));
        assert_eq!(said(&|[u, v]| [5.0 * v, 5.0 * u]), Vec::<String>::new(), "similar");
    }

    /// A sheet that is bent into an arc is whole and has another shape, which is wrong only where the shape is
    /// known; one that is folded has another sentence.
    #[test]
    fn a_bent_map_is_named_where_the_shape_is_known() {
        let sheet = |i: usize| [(i % 20) as f64 * 0.2, (i / 20) as f64 * 0.1];
        let truth = PointSet::new((0..200).flat_map(sheet).collect(), 2).expect("points");
        let map =
            |f: &dyn Fn([f64; 2]) -> [f64; 2]| Embedding::new(Mat::from_fn(200, 2, |i, j| f(sheet(i))[j]));
        let arc = map(&|[u, v]| [(1.0 + v) * u.sin(), (1.0 + v) * u.cos()]);
        let said = by_truth(&arc, truth.view(), Shape::Known);
        assert!(said.len() == 1 && said[0].starts_with("Most near points stay near"), "{said:?}");
        assert_eq!(by_truth(&arc, truth.view(), Shape::Free), Vec::<String>::new());
        let folded = map(&|[u, v]| [(u - 1.9).abs(), v]);
        let said = by_truth(&folded, truth.view(), Shape::Known);
        assert!(said.len() == 1 && said[0].starts_with("The map puts distant parts"), "{said:?}");
        // Of few points it is not known whether near ones stay near.
        let rows: Vec<u32> = (0..99).collect();
        let few = Embedding::new(Mat::from_fn(99, 2, |i, j| arc.coordinates()[(i, j)]));
        assert_eq!(by_truth(&few, truth.view().select(&rows).view(), Shape::Known), Vec::<String>::new());
        // Of another number of columns, neighbors alone are compared.
        let line = Embedding::new(Mat::from_fn(200, 1, |i, _| sheet(i)[0]));
        let said = by_truth(&line, truth.view(), Shape::Known);
        assert!(said.iter().all(|sentence| !sentence.contains("error")), "{said:?}");
        let fewer = Embedding::new(Mat::from_fn(199, 2, |i, j| sheet(i)[j]));
        assert_eq!(by_truth(&fewer, truth.view(), Shape::Known), Vec::<String>::new());
    }
}
