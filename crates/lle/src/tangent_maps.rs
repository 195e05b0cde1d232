//! Out-of-sample extension by affine maps of local tangent spaces.

use embedding::{Embedding, Error, Points, Validate};
use serde::{Deserialize, Serialize};

use crate::frame::{Frame, Origin};
use crate::near::Near;

/// Maps a new point by the least-squares affine map from the tangent coordinates of its
/// nearest training points to their embedding.
///
/// With X − 1 x̄ᵀ = U Σ Vᵀ for the nearest training points and Y for their coordinates, y
/// = ȳ + YᵀU Σ⁻¹ Vᵀ(x − x̄), restricted to the d largest singular values: the affine map
/// that the alignment assumes. It is exact on flat data.
///
/// A point equal to a training point gets exactly its coordinates (those of the first of
/// several equal ones). With a radius, a point without training points within it is an
/// error. O(k D min(k, D)) per point in addition to the search. A model of distances
/// takes those of a new point to all training points and keeps those between training
/// points, 4 n² bytes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TangentMaps {
    near: Near,
    dim: usize,
}

impl TangentMaps {
    pub(crate) fn new(near: Near, dim: usize) -> Self {
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

    pub(crate) fn place(&self, new: Points<'_>, y: &Embedding) -> Result<Embedding, Error> {
        let scratch = || (Frame::default(), Vec::new());
        self.near.place(new, y, scratch, |(frame, inner), _, chart, near, out| {
            frame.decompose(chart, Origin::Mean, self.dim);
            // Differences are relative to the new point, so relative to the mean it is
            // −mean.
            frame.inner_with_mean(inner);
            for (c, value) in out.iter_mut().enumerate() {
                let at = |j: &u32| y[(*j as usize, c)];
                *value = near.iter().map(at).sum::<f64>() / near.len() as f64;
                for j in 0..frame.columns() {
                    let u = frame.column(j);
                    let along: f64 = u.iter().zip(&*inner).map(|(u, g)| u * g).sum();
                    let slope: f64 = u.iter().zip(near).map(|(u, j)| u * at(j)).sum();
                    *value -= slope * along / frame.squares[j];
                }
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
