//! The local scale of a map.

use embedding::Error;
use embedding::implement::PairDistances;
use faer::MatRef;
use neighbor_graph::Neighbors;
use rayon::prelude::*;

use crate::PatchPairs;
use crate::angles::{overflow, require_finite};

/// Returns s_h, the factor by which the map multiplies squared distances around each
/// point h: s_h = Σ_e g_e |z_i − z_j|² / Σ_e g_e², g_e = |x_i − x_j|², over the pairs of
/// its patch. `None` if the points of the patch coincide.
///
/// O(n k² D) time, in parallel. Fails if shapes differ, if a coordinate is not finite, or
/// if squared distances overflow.
pub fn local_scale<'a>(
    distances: impl Into<PairDistances<'a>>,
    neighbors: &Neighbors,
    pairs: PatchPairs,
    coordinates: MatRef<'_, f64>,
) -> Result<Vec<Option<f64>>, Error> {
    let distances = distances.into();
    let n = distances.len();
    crate::patches::check_rows("the number of neighbor lists", n, neighbors.len())?;
    crate::patches::check_rows("the number of rows of the map", n, coordinates.nrows())?;
    require_finite(coordinates)?;
    let rows = embedding::implement::matrix::to_rows(coordinates);
    let image = |i: u32| &rows[i as usize * coordinates.ncols()..][..coordinates.ncols()];
    let scale = |edges: &mut Vec<(u32, u32)>, h: usize| {
        pairs.collect(h, neighbors, edges);
        let g: Vec<f64> =
            edges.iter().map(|&(i, j)| distances.squared_distance(i as usize, j as usize)).collect();
        let largest = g.iter().fold(0.0_f64, |most, v| most.max(*v));
        let mapped = |i: u32, j: u32| embedding::implement::squared_distance(image(i), image(j));
        let (mut along, mut norm) = (0.0, 0.0);
        for (&(i, j), g) in edges.iter().zip(&g) {
            let weight = g / largest;
            along += weight * mapped(i, j);
            norm += weight * weight;
        }
        (largest > 0.0).then(|| along / norm / largest)
    };
    let scales: Vec<Option<f64>> = (0..n).into_par_iter().map_init(Vec::new, scale).collect();
    if scales.iter().flatten().any(|s| !s.is_finite()) {
        return Err(overflow());
    }
    Ok(scales)
}

/// Returns the mean of the defined scales, and their coefficient of variation.
pub(crate) fn mean_and_variation(scales: &[Option<f64>]) -> Option<(f64, f64)> {
    let alive: Vec<f64> = scales.iter().copied().flatten().collect();
    let mean = alive.iter().sum::<f64>() / alive.len() as f64;
    // Relative to the mean, whose square can leave the range of numbers.
    let variance = alive.iter().map(|s| (s / mean - 1.0).powi(2)).sum::<f64>() / alive.len() as f64;
    (mean.is_finite() && mean > 0.0).then(|| (mean, variance.sqrt()))
}
