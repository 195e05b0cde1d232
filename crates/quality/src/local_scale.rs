//! The local scale of a map.

use embedding::implement::scale::times_power_of_two;
use embedding::implement::{Division, Scale};
use embedding::{Error, Points};
use neighbor_graph::Neighbors;
use rayon::prelude::*;

use crate::reference_distances::same_length;
use crate::{Original, RowSample};

/// Computes the factor by which the embedding multiplies lengths around each row.
///
/// *Definition.* √(Σⱼ |yⱼ − yᵢ|² / Σⱼ |xⱼ − xᵢ|²) over the neighbors j of i **in the
/// data**. An isometric map has 1 everywhere, a map that is isometric up to its size has
/// one value everywhere. 0 where all neighbors coincide with the point in the embedding;
/// `None` where they do in the data, and for a point without neighbors.
///
/// *Cost.* O(rows · k (D + d)) time.
///
/// *Fails* if the sizes differ, and if the factor is no finite number.
///
/// ```
/// use embedding::Points;
/// use neighbor_graph::NeighborSearch;
/// use quality::RowSample;
/// use quality::shape::local_scale_of_rows;
/// let line = [0.0, 1.0, 2.0, 3.0];
/// let (x, y) = (Points::new(&line, 1)?, [0.0, 1.0, 4.0, 7.0]);
/// let neighbors = NeighborSearch::nearest(1).find(x)?;
/// let scales = local_scale_of_rows(x, Points::new(&y, 1)?, &neighbors, RowSample::All)?;
/// assert_eq!((scales[0], scales[3]), (Some(1.0), Some(3.0)));
/// # Ok::<(), embedding::Error>(())
/// ```
pub fn local_scale_of_rows<'a>(
    data: impl Into<Original<'a>>,
    embedding: Points<'_>,
    neighbors: &Neighbors,
    rows: RowSample,
) -> Result<Vec<Option<f64>>, Error> {
    let data = data.into();
    let n = data.len();
    same_length("the number of embedded points", n, embedding.len())?;
    same_length("the number of neighbor lists", n, neighbors.len())?;
    let (unit, unit_of_map) = (data.scale(), Scale::of_points(embedding, Division::Least));
    let power = unit_of_map.exponent() - unit.exponent();
    let scales: Vec<Option<f64>> = data.divided(unit, |data| {
        unit_of_map.divided(embedding, |embedding| {
            let of_row = |h: u32| {
                let near = neighbors.indices_of(h as usize);
                let sum = |points: Original<'_>| -> f64 {
                    near.iter().map(|&j| points.squared_distance(h as usize, j as usize)).sum()
                };
                let (before, after) = (sum(data), sum(embedding.into()));
                (before > 0.0).then(|| times_power_of_two((after / before).sqrt(), power))
            };
            Ok(rows.choose(n).into_par_iter().map(of_row).collect())
        })
    })?;
    if scales.iter().flatten().any(|scale| !scale.is_finite()) {
        return Err(Error::degenerate(
            "the factor between lengths of the data and of the embedding is no finite number",
            "bring data and embedding to units that are nearer to each other",
        ));
    }
    Ok(scales)
}
