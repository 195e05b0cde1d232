//! Out-of-sample extension by affine maps of local tangent spaces.

use embedding::implement::{Validate, inner_product};
use embedding::{Embedding, Error, Points, TrainingRows};
use serde::{Deserialize, Serialize};

use crate::chart::Chart;
use crate::frame::{Frame, Origin};
use crate::training_neighbors::TrainingNeighbors;

/// Maps a new point by the least-squares affine map from the tangent coordinates of its
/// nearest training points to their embedding.
///
/// With X − 1 x̄ᵀ = U Σ Vᵀ for the nearest training points and Y for their coordinates, y
/// = ȳ + YᵀU Σ⁻¹ Vᵀ(x − x̄), restricted to the d largest singular values: the affine map
/// that the alignment assumes. It is exact on flat data. Its residuals at the training points are added,
/// weighted by 1/|x − xⱼ|², so that the whole interpolates (Shepard 1968, "A two-dimensional interpolation
/// function for irregularly-spaced data", doi:10.1145/800186.810616). With a radius, a point without training
/// points within it is an error. O(k D min(k, D)) per point in addition to the search. A model of distances
/// takes the distances from a new point to all training points and keeps the distances between training
/// points, 4 n² bytes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TangentMaps {
    near: TrainingNeighbors,
    dim: usize,
}

impl TangentMaps {
    /// The training points, of a model of points.
    pub(crate) fn points(&self) -> Option<Points<'_>> {
        self.near.points()
    }

    pub(crate) fn new(near: TrainingNeighbors, dim: usize) -> Self {
        Self { near, dim }
    }

    /// The number of training points.
    pub(crate) fn len(&self) -> usize {
        self.near.len()
    }

    /// The dimension of the tangent spaces.
    pub(crate) fn dim(&self) -> usize {
        self.dim
    }

    pub(crate) fn place(
        &self,
        new: Points<'_>,
        y: &Embedding,
        known: TrainingRows<'_>,
    ) -> Result<Embedding, Error> {
        let scratch = || (Frame::default(), Vec::new(), Vec::new(), Vec::new());
        self.near.place(new, y, known, scratch, |(frame, inner, left, shares), _, chart, near, out| {
            inverse_squares(chart, shares);
            frame.decompose(chart, Origin::Mean, self.dim);
            // Differences are relative to the new point, so relative to the mean it is
            // −mean.
            frame.inner_with_mean(inner);
            for (c, value) in out.iter_mut().enumerate() {
                let at = |j: &u32| y[(*j as usize, c)];
                let mean = near.iter().map(at).sum::<f64>() / near.len() as f64;
                *value = mean;
                left.clear();
                left.extend(near.iter().map(|j| at(j) - mean));
                for j in 0..frame.columns() {
                    let u = frame.column(j);
                    let along: f64 = u.iter().zip(&*inner).map(|(u, g)| u * g).sum();
                    let slope: f64 = u.iter().zip(near).map(|(u, j)| u * at(j)).sum();
                    *value -= slope * along / frame.squares[j];
                    left.iter_mut().zip(u).for_each(|(left, u)| *left -= slope * u);
                }
                *value += left.iter().zip(&*shares).map(|(left, share)| left * share).sum::<f64>();
            }
            Ok(())
        })
    }
}

impl Validate for TangentMaps {
    fn validate(&self) -> Result<(), Error> {
        self.near.validate()
    }
}

/// Weights of sum one, proportional to the inverse squared lengths of a chart's rows.
fn inverse_squares(chart: &Chart, shares: &mut Vec<f64>) {
    shares.clear();
    shares.extend(chart.rows().chunks_exact(chart.dim()).map(|row| inner_product(row, row)));
    let least = shares.iter().copied().fold(f64::INFINITY, f64::min);
    shares.iter_mut().for_each(|square| *square = if *square > least { least / *square } else { 1.0 });
    let total: f64 = shares.iter().sum();
    shares.iter_mut().for_each(|share| *share /= total);
}

#[cfg(test)]
mod tests {
    use embedding::Points;

    use super::*;

    /// The nearest has the largest, and a row of length 0 has all of it.
    #[test]
    fn shares_are_as_the_inverse_squares() {
        let (mut chart, mut shares) = (Chart::default(), Vec::new());
        let mut of = |rows: &[f64]| {
            let members: Vec<u32> = (0..rows.len() as u32).collect();
            chart.differences(Points::new(rows, 1).expect("finite"), &[0.0], &members);
            inverse_squares(&chart, &mut shares);
            shares.clone()
        };
        assert_eq!(of(&[1.0, 2.0, 2.0]), [2.0 / 3.0, 1.0 / 6.0, 1.0 / 6.0]);
        assert_eq!(of(&[0.0, 1.0, -3.0]), [1.0, 0.0, 0.0]);
    }
}
