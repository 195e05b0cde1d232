//! How a map stretches the data around each point, and in which direction.

use embedding::implement::scale::times_power_of_two;
use embedding::implement::{Division, Scale};
use embedding::{Embedding, Error, Input, PointSet, Points};
use neighbor_graph::NeighborSearch;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use spectral::canonical_signs;
use spectral::dense::symmetric_eigen;

use crate::local_fit::LocalFit;
use crate::map_rows::map_rows;

/// The distortion ellipses of a map: the dual metric h at every point.
///
/// *Idea.* A small circle on the data manifold becomes an ellipse in the map. Its axes say how much the
/// map stretches lengths, and in which directions; equal axes mean that angles are right.
///
/// *Definition.* h = J Jᵀ, with J (d × d) the slope of the map in orthonormal tangent coordinates: the
/// least squares regression of the places on the first d principal directions of the point and its k
/// neighbors. The axes of the ellipse are the square roots of the eigenvalues of h: the length in the map
/// of a unit length of the data. The inverse of h is the metric that makes the map an isometry.
///
/// Perrault-Joncas and Meilă define h by a Laplacian L of the data, h_ab = ½ [L(y_a y_b) − y_a L y_b −
/// y_b L y_a]. Both are the dual metric where neighborhoods are small. The regression has no bandwidth on
/// which the scale depends, and is exact for linear maps of flat data. At the boundary all neighbors are on
/// one side.
///
/// *Values.* The stereographic image of a hemisphere (5,000 rows) has axes of ratio 1 within 5 %, with the
/// conformal factor as their length, within the rim.
///
/// *When it misleads.* The data are assumed to have as many dimensions as the map. Where noise, curvature
/// or a low density exceed the distance of neighbors, tangent directions are wrong. At tears the slope is
/// the slope of the gap.
///
/// *Cost.* A search of neighbors, and O(n k min(k, D) D) time.
///
/// *Reference.* Perrault-Joncas and Meilă, Non-linear dimensionality reduction: Riemannian metric
/// estimation and the problem of geometric discovery (2013), arXiv:1305.7255.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ellipses {
    /// Number of neighbors k, between d and n − 1; default 10.
    pub k: usize,
}

impl Default for Ellipses {
    fn default() -> Self {
        Self { k: 10 }
    }
}

impl Ellipses {
    /// The ellipses of a map of the points of `input`.
    ///
    /// Fails as the neighbor search does, and
    ///
    /// - with [`Error::Parameter`] unless k is between d and the number of points of the map less one;
    /// - with [`Error::Shape`] unless the points have a row for every row of the map;
    /// - with [`Error::Degenerate`] where an axis leaves the range of numbers.
    pub fn of_map(&self, map: &Embedding, input: &Input<'_>) -> Result<MapEllipses, Error> {
        let (rows, data) = map_rows(map, input)?;
        let most = rows.len().saturating_sub(1);
        if !(map.dim()..=most).contains(&self.k) {
            let requirement = format!("between {} and {most}, below the number of points", map.dim());
            return Err(Error::parameter("k", requirement, self.k));
        }
        let searched = Input::from(&data).with_metric(input.metric()).with_observer(input.observer());
        let searched = searched.with_memory_limit(input.memory_limit());
        let neighbors = NeighborSearch::nearest(self.k).find(searched)?;
        let places = PointSet::new(map.values().to_vec(), map.dim())?;
        let scales = [data.view(), places.view()]
            .map(|points| Scale::of_points(points, Division::ToUnit { power: 4 }));
        let found: Vec<(Vec<f64>, Vec<f64>)> = scales[0].divided(data.view(), |data| {
            scales[1].divided(places.view(), |places| {
                let of_point = |i: usize| {
                    let rows: Vec<u32> =
                        [i as u32].into_iter().chain(neighbors.indices_of(i).iter().copied()).collect();
                    ellipse(data, places, &rows)
                };
                (0..neighbors.len()).into_par_iter().map(of_point).collect()
            })
        })?;
        let (axes, directions): (Vec<Vec<f64>>, Vec<Vec<f64>>) = found.into_iter().unzip();
        let exponent = scales[1].exponent() - scales[0].exponent();
        let axes: Vec<f64> =
            axes.concat().into_iter().map(|axis| times_power_of_two(axis, exponent)).collect();
        if !axes.iter().all(|axis| axis.is_finite()) {
            return Err(Error::degenerate(
                "an axis of an ellipse leaves the range of numbers",
                "divide the columns of the data by their spread",
            ));
        }
        Ok(MapEllipses { rows, dim: map.dim(), axes, directions: directions.concat() })
    }
}

/// The axes of one ellipse, the longest first, and their directions one after the other.
fn ellipse(data: Points<'_>, map: Points<'_>, rows: &[u32]) -> Result<(Vec<f64>, Vec<f64>), Error> {
    let metric = LocalFit::new(data, map, rows)?.dual_metric();
    let (values, mut vectors) = symmetric_eigen(metric.as_ref())?;
    canonical_signs(vectors.as_mut());
    let dim = values.len();
    let axes = values.iter().rev().map(|value| value.max(0.0).sqrt()).collect();
    let directions = (0..dim).rev().flat_map(|c| (0..dim).map(move |row| (row, c)));
    Ok((axes, directions.map(|at| vectors[at]).collect()))
}

/// The ellipse of every point of a map. See [`Ellipses`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MapEllipses {
    rows: Vec<u32>,
    dim: usize,
    axes: Vec<f64>,
    directions: Vec<f64>,
}

impl MapEllipses {
    /// The rows of the input that are the points of the map, in its order.
    pub fn rows(&self) -> &[u32] {
        &self.rows
    }

    /// The axes at a point, d numbers, the longest first: lengths in the map per unit of length of the
    /// data. 0 where the neighborhood has no extent.
    ///
    /// # Panics
    /// If the map does not have this point.
    pub fn axes(&self, point: usize) -> &[f64] {
        &self.axes[point * self.dim..][..self.dim]
    }

    /// The unit vectors of the axes in the map, d × d, one axis after the other. The entry of largest
    /// magnitude of each is positive.
    ///
    /// # Panics
    /// If the map does not have this point.
    pub fn directions(&self, point: usize) -> &[f64] {
        &self.directions[point * self.dim * self.dim..][..self.dim * self.dim]
    }
}
