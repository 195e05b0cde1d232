//! Neighbors by distances relative to local scales.

use std::ops::Range;

use embedding::implement::{Validate, require};
use embedding::{Error, Neighbors};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// Neighbors whose mean distance is the scale of a point, counted from 0.
const SCALED_BY: Range<usize> = 3..6;

/// For each point the neighbors with the smallest scaled distances
///
/// ```text
/// d_ij² / (σ_i σ_j),  σ_i = mean distance of i to its 4th to 6th neighbor
/// ```
///
/// selected from longer lists of nearest neighbors. Scaling increases the distances between points of dense
/// and sparse regions. With fewer than six neighbors σ_i is the mean of the distances from the 4th on, or the
/// largest distance. A point with σ_j = 0 is infinitely far from all but its copies.
///
/// *Reference.* Zelnik-Manor and Perona (2004), Self-tuning spectral clustering; the form with
/// the 4th to 6th neighbor: Wang, Huang, Rudin and Shaposhnik (2021),
/// <https://jmlr.org/papers/v22/20-1061.html>.
#[derive(Clone, Debug, PartialEq)]
pub struct ScaledNeighbors {
    starts: Vec<usize>,
    indices: Vec<u32>,
    scales: Scales,
}

/// The scales σ of all points, by which neighbors of new points are selected.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Scales(Vec<f64>);

impl ScaledNeighbors {
    /// Selects `k` neighbors of each point from `candidates`, or all where there are fewer.
    /// O(n c log c) for lists of c candidates.
    pub fn select(candidates: &Neighbors, k: usize) -> Self {
        let n = candidates.len();
        let scales = Scales(
            (0..n).into_par_iter().map(|i| Scales::of_distances(candidates.distances_of(i))).collect(),
        );
        let lists: Vec<Vec<u32>> = (0..n)
            .into_par_iter()
            .map(|i| {
                let (js, ds) = candidates.of(i);
                let nearest = scales.nearest(js.iter().copied().zip(ds.iter().copied()), k);
                nearest.into_iter().map(|(j, _)| j).collect()
            })
            .collect();
        let mut starts = vec![0];
        starts.extend(lists.iter().scan(0, |sum, list| {
            *sum += list.len();
            Some(*sum)
        }));
        Self { starts, indices: lists.concat(), scales }
    }

    /// Number of points.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Whether there is no point.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The neighbors of point `i`, by scaled distance, then by index.
    pub fn of(&self, i: usize) -> &[u32] {
        &self.indices[self.starts[i]..self.starts[i + 1]]
    }

    /// The scales of all points.
    pub fn scales(&self) -> &Scales {
        &self.scales
    }

    /// The scales alone.
    pub fn into_scales(self) -> Scales {
        self.scales
    }
}

impl Scales {
    /// The `k` candidates (training point, distance) of one new point with the smallest scaled distances.
    ///
    /// The scale of the new point itself is a common factor, which changes no order.
    pub fn nearest(&self, candidates: impl Iterator<Item = (u32, f64)>, k: usize) -> Vec<(u32, f64)> {
        let key = |(j, d): (u32, f64)| (self.root(j, d), d, j);
        let mut keys: Vec<(f64, f64, u32)> = candidates.map(key).collect();
        keys.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.cmp(&b.2)));
        keys.truncate(k);
        keys.into_iter().map(|(_, d, j)| (j, d)).collect()
    }

    /// The inverse of the scaled distances of one new point to these neighbors (training
    /// point, distance), relative to the largest: 1 for the nearest, and 0 for all others where
    /// it coincides with the new point.
    pub fn closeness(&self, neighbors: &[(u32, f64)]) -> Vec<f64> {
        let mut roots: Vec<f64> = neighbors.iter().map(|&(j, d)| self.root(j, d)).collect();
        if roots.iter().all(|root| root.is_infinite()) {
            roots = neighbors.iter().map(|&(_, d)| d).collect();
        }
        let least = roots.iter().copied().fold(f64::INFINITY, f64::min);
        roots.iter().map(|&root| if root == least { 1.0 } else { (least / root).powi(2) }).collect()
    }

    /// The root of the scaled distance, without the factor of the new point: squares could
    /// leave the range of numbers.
    fn root(&self, j: u32, distance: f64) -> f64 {
        if distance > 0.0 { distance / self.0[j as usize].sqrt() } else { 0.0 }
    }

    /// σ of a point with these distances to its neighbors, ascending.
    pub fn of_distances(distances: &[f64]) -> f64 {
        let m = distances.len();
        let range = SCALED_BY.start.min(m.saturating_sub(1))..SCALED_BY.end.min(m);
        let count = range.len().max(1) as f64;
        // Each distance is divided separately, since a sum could leave the range of numbers.
        distances[range].iter().map(|d| d / count).sum()
    }

    /// σ of each point.
    pub fn values(&self) -> &[f64] {
        &self.0
    }

    /// Number of points.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no point.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Validate for Scales {
    fn validate(&self) -> Result<(), Error> {
        require(self.0.iter().all(|s| s.is_finite() && *s >= 0.0), "the scale of a point is not a distance")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scale_is_the_mean_of_the_fourth_to_sixth_distance() {
        assert_eq!(Scales::of_distances(&[1.0, 2.0, 4.0, 6.0, 9.0, 12.0, 100.0]), 9.0);
        assert_eq!(Scales::of_distances(&[1.0, 2.0, 4.0, 6.0, 10.0]), 8.0);
        assert_eq!(Scales::of_distances(&[1.0, 2.0]), 2.0);
        assert_eq!(Scales::of_distances(&[]), 0.0);
        assert!(Scales::of_distances(&[1e308; 6]).is_finite());
    }

    #[test]
    fn copies_come_first_and_points_without_scale_last() {
        let scales = Scales(vec![0.0, 1.0, 4.0]);
        let order = |candidates: &[(u32, f64)]| -> Vec<u32> {
            scales.nearest(candidates.iter().copied(), 3).into_iter().map(|(j, _)| j).collect()
        };
        assert_eq!(order(&[(0, 1e-9), (1, 2.0), (2, 3.0)]), [2, 1, 0]);
        assert_eq!(order(&[(0, 0.0), (1, 2.0), (2, 3.0)]), [0, 2, 1]);
        assert_eq!(order(&[(1, 1e200), (2, 1.5e200)]), [2, 1]);
    }

    #[test]
    fn closeness_is_the_inverse_of_scaled_distances() {
        let scales = Scales(vec![0.0, 1.0, 4.0]);
        // Scaled distances ∞, 9 and 4.
        assert_eq!(scales.closeness(&[(0, 3.0), (1, 3.0), (2, 4.0)]), [0.0, 4.0 / 9.0, 1.0]);
        assert_eq!(scales.closeness(&[(1, 1e-200), (2, 4e-200)]), [1.0, 0.25]);
        assert_eq!(scales.closeness(&[(0, 0.0), (1, 0.0), (2, 1e-300)]), [1.0, 1.0, 0.0]);
        // Points with as many copies as neighbors have no scale.
        assert_eq!(scales.closeness(&[(0, 1.0), (0, 2.0)]), [1.0, 0.25]);
    }
}
