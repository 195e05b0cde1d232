//! Preservation of angles.

use embedding::{Error, Points};
use neighbor_graph::Neighbors;
use rayon::prelude::*;

use crate::distances::{same_length, squared_distance};
use crate::{Estimate, Rows};

/// Computes the mean angle error of neighborhood triangles, in degrees.
///
/// *Definition.* The mean of |angle in the data − angle in the embedding| over the three
/// corners of all triangles (h, i, j) with i, j among the neighbors of h. A conformal map
/// scores 0 in the limit of dense data, random coordinates about 50.
///
/// Triangles with two coinciding corners in the data have no angles and are omitted. If
/// corners coincide only in the embedding, each angle of the triangle counts with its
/// difference from 60°, the mean angle of any triangle.
///
/// *Cost.* O(rows · k² (D + d)) time.
///
/// *Fails* if the sizes differ, or if no triangle has angles.
///
/// *Reference.* The objective of Sha and Saul, Analysis and extension of spectral methods
/// for nonlinear dimensionality reduction, ICML 2005,
/// <https://doi.org/10.1145/1102351.1102450>, expressed as an angle.
pub fn angle_error(
    data: Points<'_>,
    embedding: Points<'_>,
    neighbors: &Neighbors,
    rows: Rows,
) -> Result<Estimate, Error> {
    let n = data.len();
    same_length("the number of embedded points", n, embedding.len())?;
    same_length("the number of neighbor lists", n, neighbors.len())?;
    let sums: Vec<(f64, usize)> =
        rows.choose(n).into_par_iter().map(|h| around(data, embedding, neighbors, h as usize)).collect();
    let means: Vec<f64> = sums.iter().filter(|s| s.1 > 0).map(|s| s.0 / s.1 as f64).collect();
    let corners: usize = sums.iter().map(|s| s.1).sum();
    if corners == 0 {
        return Err(Error::degenerate(
            "no neighborhood contains a triangle with angles",
            "give every point at least two neighbors that do not coincide",
        ));
    }
    // The value weights all triangles equally; its standard error treats points as the
    // sampling units.
    let value = sums.iter().map(|s| s.0).sum::<f64>() / corners as f64;
    Ok(Estimate { value, ..Estimate::mean(&means, n) })
}

/// Returns the sum of the angle errors around one point, and the number of corners.
fn around(data: Points<'_>, embedding: Points<'_>, neighbors: &Neighbors, h: usize) -> (f64, usize) {
    let near = neighbors.of(h).0;
    let (mut sum, mut corners) = (0.0, 0);
    for (a, &i) in near.iter().enumerate() {
        for &j in &near[..a] {
            let triangle = [h, i as usize, j as usize];
            let Some(before) = angles(data, triangle) else { continue };
            let after = angles(embedding, triangle).unwrap_or([60.0; 3]);
            sum += before.iter().zip(&after).map(|(x, y)| (x - y).abs()).sum::<f64>();
            corners += 3;
        }
    }
    (sum, corners)
}

/// Returns the three angles in degrees, by the law of cosines.
fn angles(points: Points<'_>, [a, b, c]: [usize; 3]) -> Option<[f64; 3]> {
    let squared = |i: usize, j: usize| squared_distance(points.row(i), points.row(j));
    let (ab, bc, ca) = (squared(a, b), squared(b, c), squared(c, a));
    let angle = |x: f64, y: f64, opposite: f64| {
        ((x + y - opposite) / (2.0 * x.sqrt() * y.sqrt())).clamp(-1.0, 1.0).acos().to_degrees()
    };
    (ab > 0.0 && bc > 0.0 && ca > 0.0).then(|| [angle(ab, ca, bc), angle(ab, bc, ca), angle(bc, ca, ab)])
}
