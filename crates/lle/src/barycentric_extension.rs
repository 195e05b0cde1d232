//! Out-of-sample extension by barycentric weights.

use embedding::implement::{Validate, require};
use embedding::{Embedding, Error, Points, TrainingRows};
use serde::{Deserialize, Serialize};

use crate::training_neighbors::TrainingNeighbors;
use crate::weights::{LocalWeights, check_regularization, singular};

/// The map y = Σⱼ wⱼ yⱼ with the weights that reconstruct a new point from its nearest training points: they
/// minimize |x − Σⱼ wⱼ xⱼ|² + r k Σⱼ wⱼ² |x − xⱼ|² with sum one, r the regularization.
///
/// The penalty on wⱼ is relative to the distance of its own point; in the fit it is the same for all (the
/// traces are equal). The map therefore interpolates. At a distance δ from a training point its weight is 1 −
/// O(δ). With a radius, a point without training points within it is an error. O(k² D + k³) per point in
/// addition to the search. A model of distances takes the distances from a new point to all training points
/// and keeps the distances between training points, 4 n² bytes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BarycentricExtension {
    near: TrainingNeighbors,
    regularization: f64,
}

impl BarycentricExtension {
    /// The training points, of a model of points.
    pub(crate) fn points(&self) -> Option<Points<'_>> {
        self.near.points()
    }

    pub(crate) fn new(near: TrainingNeighbors, regularization: f64) -> Self {
        Self { near, regularization }
    }

    /// The map that uses the `k` nearest of the points, or all where there are no more than k + 1.
    ///
    /// Fails where k is 0, where the regularization is not finite and positive, and when all
    /// points coincide.
    pub fn of_points(points: Points<'_>, k: usize, regularization: f64) -> Result<Self, Error> {
        check_regularization(regularization)?;
        Ok(Self::new(TrainingNeighbors::of_points(points, k)?, regularization))
    }

    /// The number of training points.
    #[expect(clippy::len_without_is_empty, reason = "there is no empty data set")]
    pub fn len(&self) -> usize {
        self.near.len()
    }

    /// The images of `new` where the training points have the images `y`, one per point and of
    /// any dimension; a row equal to a training point (the first of several) has its image, to the bit,
    /// unless the extension is requested.
    ///
    /// Fails where the new points have another number of columns, and where they lie too far
    /// away for floating point.
    pub fn place(&self, new: Points<'_>, y: &Embedding, known: TrainingRows<'_>) -> Result<Embedding, Error> {
        let scratch = || (LocalWeights::default(), Vec::new());
        self.near.place(new, y, known, scratch, |(solver, w), row, chart, near, out| {
            w.resize(near.len(), 0.0);
            solver
                .interpolate(chart, self.regularization, w)
                .ok_or_else(|| singular(format!("new point {row}"), self.regularization))?;
            for (c, value) in out.iter_mut().enumerate() {
                *value = w.iter().zip(near.iter()).map(|(w, &j)| w * y[(j as usize, c)]).sum();
            }
            Ok(())
        })
    }
}

impl Validate for BarycentricExtension {
    fn validate(&self) -> Result<(), Error> {
        let legal = self.regularization.is_finite() && self.regularization >= 0.0;
        require(legal, "its regularization is negative or not finite")?;
        self.near.validate()
    }
}
