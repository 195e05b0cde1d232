//! How much the angles of small triangles change.

use embedding::{Error, Points};
use faer::MatRef;
use neighbor_graph::Neighbors;
use rayon::prelude::*;

/// Patches that are measured at most, evenly spaced among all.
const PATCHES: usize = 1000;

/// The mean change of angle, in degrees, from the points to a map of them.
///
/// **Definition.** The mean of |angle in the data − angle in the map| over the
/// three corners of every triangle (h, i, j) with i and j among the neighbors of
/// h, for every h, or for 1,000 evenly spaced h of more points than that.
/// Corners at which a side of the data has no length are skipped; where a side
/// of the map has none, its angle counts as 0. Random angles differ by about 50.
///
/// **Cost.** O(k² D) per patch, in parallel; the result does not depend on the
/// number of threads.
#[derive(Clone, Debug)]
pub struct Angles<'a> {
    neighbors: &'a Neighbors,
    patches: Vec<u32>,
    /// Cosines' angles in the data, patch by patch; none at dead corners.
    reference: Vec<Vec<Option<f64>>>,
}

impl<'a> Angles<'a> {
    /// Measures the angles of the data.
    ///
    /// Fails when there is not one neighbor list per point.
    pub fn new(points: Points<'_>, neighbors: &'a Neighbors) -> Result<Self, Error> {
        let n = points.len();
        crate::quadratic::check_rows("the number of neighbor lists", n, neighbors.len())?;
        let count = n.min(PATCHES);
        let patches: Vec<u32> = (0..count).map(|c| (c * n / count) as u32).collect();
        let reference = patches
            .par_iter()
            .map(|&h| triangles(h, neighbors, |i, j| crate::pairs::squared_distance(points, i, j)).collect())
            .collect();
        Ok(Self { neighbors, patches, reference })
    }

    /// The mean change in degrees; 0 when no triangle has a corner to measure.
    ///
    /// Fails when there is not one row per point.
    pub fn mean_change(&self, coordinates: MatRef<'_, f64>) -> Result<f64, Error> {
        crate::quadratic::check_rows(
            "the number of rows of the map",
            self.neighbors.len(),
            coordinates.nrows(),
        )?;
        let squared = |i: u32, j: u32| -> f64 {
            (0..coordinates.ncols())
                .map(|c| (coordinates[(i as usize, c)] - coordinates[(j as usize, c)]).powi(2))
                .sum()
        };
        let sums: Vec<(f64, usize)> = self
            .patches
            .par_iter()
            .zip(&self.reference)
            .map(|(&h, before)| {
                let after = triangles(h, self.neighbors, squared);
                let changes =
                    before.iter().zip(after).filter_map(|(b, a)| b.map(|b| (b - a.unwrap_or(0.0)).abs()));
                changes.fold((0.0, 0), |(sum, count), change| (sum + change, count + 1))
            })
            .collect();
        let (sum, count) = sums.iter().fold((0.0, 0), |(s, c), part| (s + part.0, c + part.1));
        Ok(if count > 0 { (sum / count as f64).to_degrees() } else { 0.0 })
    }
}

/// [`Angles::mean_change`] of one map.
pub fn angle_error(
    points: Points<'_>,
    neighbors: &Neighbors,
    coordinates: MatRef<'_, f64>,
) -> Result<f64, Error> {
    Angles::new(points, neighbors)?.mean_change(coordinates)
}

/// The three angles of each triangle (h, i, j), in radians.
fn triangles<'a>(
    h: u32,
    neighbors: &'a Neighbors,
    squared: impl Fn(u32, u32) -> f64 + 'a,
) -> impl Iterator<Item = Option<f64>> + 'a {
    let near = neighbors.of(h as usize).0;
    let spokes: Vec<f64> = near.iter().map(|&j| squared(h, j)).collect();
    (0..near.len()).flat_map(move |a| {
        let spokes = spokes.clone();
        let rims: Vec<f64> = near[a + 1..].iter().map(|&j| squared(near[a], j)).collect();
        rims.into_iter().enumerate().flat_map(move |(offset, rim)| {
            let (left, right) = (spokes[a], spokes[a + 1 + offset]);
            [corner(left, right, rim), corner(left, rim, right), corner(right, rim, left)]
        })
    })
}

/// The angle between sides of squared lengths a and b, c the squared length of
/// the third side.
fn corner(a: f64, b: f64, c: f64) -> Option<f64> {
    let product = a.sqrt() * b.sqrt();
    (product > 0.0).then(|| ((a + b - c) / (2.0 * product)).clamp(-1.0, 1.0).acos())
}
