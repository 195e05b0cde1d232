//! A fitted map.

use embedding::implement::{Fact, Scale, Validate, Value, require};
use embedding::{
    Embedding, Error, Fitted, Model, NewNeighbors, PointSet, Rows, Silent, Status, TrainingRows, Transform,
};
use neighbor_graph::{NeighborIndex, Neighbors};
use serde::{Deserialize, Serialize};

use crate::kernel::Kernel;
use crate::leave_one_out::{LeaveOneOut, of_fit, own_neighbors};
use crate::optimize::divergence;
use crate::repulsion::exact_normalization;
use crate::{Affinities, Gradient, TransformSettings, smallest_curvatures};

/// Largest relative difference of two computations of the divergence of the same map.
const SAME: f64 = 1e-9;

/// KL divergence of a map, in nats.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Divergence {
    /// Normalized over all pairs.
    Exact(f64),
    /// Normalized by the same approximation as the forces: beyond 20,000 points.
    Approximate(f64),
}

impl Divergence {
    /// The number.
    pub fn value(self) -> f64 {
        match self {
            Self::Exact(value) | Self::Approximate(value) => value,
        }
    }
}

/// A fitted map.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FittedTsne {
    pub(crate) embedding: Embedding,
    pub(crate) training: NeighborIndex,
    pub(crate) divergence: Divergence,
    pub(crate) divergences: Vec<(usize, f64)>,
    pub(crate) status: Status,
    pub(crate) gradient: Gradient,
    pub(crate) alpha: f64,
    pub(crate) placing: TransformSettings,
    /// The factor by which new points are divided before they are compared with the training points.
    pub(crate) scale: Scale,
}

impl FittedTsne {
    /// KL divergence of the final map.
    pub fn divergence(&self) -> Divergence {
        self.divergence
    }

    /// Iteration and KL divergence at every check, normalized as the forces were.
    pub fn divergences(&self) -> &[(usize, f64)] {
        &self.divergences
    }

    /// How the optimization ended.
    pub fn status(&self) -> Status {
        self.status
    }

    /// How the forces were computed.
    pub fn gradient(&self) -> Gradient {
        self.gradient
    }

    /// The [`smallest_curvatures`] of the map: the inverse of each is the singularity score of its point.
    /// The probabilities are computed again from the training points, at the perplexity of the fit as a
    /// third of the number of its neighbors tells it.
    ///
    /// Fails with [`Error::Degenerate`] for a model that does not have its training points with all values, and
    /// where 3 · perplexity exceeds n − 1: the neighbors are then all other points, whatever the perplexity.
    pub fn smallest_curvatures(&self) -> Result<Vec<f64>, Error> {
        let points = self.training.points().ok_or_else(|| {
            Error::degenerate(
                "the model does not have its training points, from which the probabilities are computed",
                "fit it to dense points",
            )
        })?;
        let lists = own_neighbors(&self.training, points)?;
        let neighbors = Neighbors::from_lists(lists, self.training.neighborhood())?;
        let (k, perplexity) = of_fit(&self.training);
        let affinities = Affinities::of_neighbors(&neighbors, perplexity, &Silent)?;
        if k + 1 == self.training.len() && !self.is_optimized_for(&affinities) {
            return Err(Error::degenerate(
                format!("the perplexity of the fit is unknown, because 3 · perplexity exceeds n − 1 = {k}"),
                "fit with a smaller perplexity",
            ));
        }
        let map = PointSet::new(self.embedding.values().to_vec(), self.embedding.dim())?;
        smallest_curvatures(&affinities, map.view(), self.alpha)
    }
}

impl FittedTsne {
    /// Whether the map has the recorded divergence from these affinities.
    fn is_optimized_for(&self, affinities: &Affinities) -> bool {
        let Divergence::Exact(recorded) = self.divergence else { return false };
        let (map, kernel) = ((self.embedding.values(), self.embedding.dim()), Kernel { alpha: self.alpha });
        let normalization = exact_normalization(kernel, map.1, map.0);
        let found = divergence((affinities, affinities.negative_entropy()), map, kernel, normalization);
        (found - recorded).abs() <= SAME * recorded.abs()
    }
}

impl Model for FittedTsne {
    fn embedding(&self) -> &Embedding {
        &self.embedding
    }
}

impl Transform for FittedTsne {
    /// Optimizes each new point alone in the fixed map; see [`TransformSettings`]. A row that equals a
    /// training row takes its coordinates. Fails for a model fitted to affinities alone; a model
    /// fitted to neighbor lists takes neighbor lists.
    ///
    /// Without a training row, the loss of the fit is minimized in the place of the new row: the
    /// Kullback–Leibler divergence, in which the new row replaces the row left out. The probabilities
    /// of the new row are computed at the perplexity of the fit, as a third of the number of its
    /// neighbors tells it; bandwidths of the other rows stay. Newton's method starts at the place of
    /// the row left out, at the mean of the neighbors and at the nearest neighbor; the lowest minimum
    /// counts.
    fn place(&self, new: Rows<'_>, known: TrainingRows<'_>) -> Result<Embedding, Error> {
        known.check(new.len())?;
        let kernel = Kernel { alpha: self.alpha };
        self.scale.divided_rows(new, |new| match known {
            TrainingRows::LeftOut(left_out) => self.place_left_out(new, left_out, kernel),
            TrainingRows::Stored | TrainingRows::Extended => {
                self.placing.place(new.into(), &self.training, &self.embedding, kernel, known)
            }
        })
    }

    /// As [`FittedTsne::place`], but for rows that are left out, whose loss needs the neighbors of training rows.
    fn place_listed(&self, new: &NewNeighbors, known: TrainingRows<'_>) -> Result<Embedding, Error> {
        if let TrainingRows::LeftOut(_) = known {
            return Err(Error::degenerate(
                "without a training row, the affinities of the other rows are computed again, and the model has no \
                 points for that",
                "fit it to points",
            ));
        }
        self.placing.place(new.into(), &self.training, &self.embedding, Kernel { alpha: self.alpha }, known)
    }

    fn lists_among(&self) -> Option<usize> {
        self.training.lists_among()
    }

    /// The [`FittedTsne::smallest_curvatures`].
    fn curvatures(&self) -> Result<Option<Vec<f64>>, Error> {
        self.smallest_curvatures().map(Some)
    }
}

impl FittedTsne {
    fn place_left_out(
        &self,
        new: Rows<'_>,
        left_out: &[Option<u32>],
        kernel: Kernel,
    ) -> Result<Embedding, Error> {
        let (n, dim) = (self.embedding.len(), self.embedding.dim());
        let contained = |row: &Option<u32>| row.filter(|row| (*row as usize) < n);
        let (mut others, mut rows, mut without) = (Vec::new(), Vec::new(), Vec::new());
        for (row, left_out) in (0..).zip(left_out.iter().map(contained)) {
            match left_out {
                Some(left_out) => {
                    rows.push(row);
                    without.push(left_out);
                }
                None => others.push(row),
            }
        }
        let mut values = vec![0.0; new.len() * dim];
        let mut write = |rows: &[u32], places: &[f64]| {
            for (&row, place) in rows.iter().zip(places.chunks_exact(dim)) {
                values[row as usize * dim..][..dim].copy_from_slice(place);
            }
        };
        if !rows.is_empty() {
            let map = self.embedding.values();
            let normalization = exact_normalization(kernel, dim, map);
            let map = LeaveOneOut::new(&self.training, (map, dim), kernel, normalization)?;
            let places = new.selected(&rows, |new| map.place(new, &without))?;
            write(&rows, &places);
        }
        if !others.is_empty() {
            let place = |new: Rows<'_>| {
                self.placing.place(
                    new.into(),
                    &self.training,
                    &self.embedding,
                    kernel,
                    TrainingRows::Extended,
                )
            };
            write(&others, new.selected(&others, place)?.values());
        }
        Ok(Embedding::from_rows(values, dim))
    }
}

impl Fitted for FittedTsne {
    fn training_points(&self) -> Result<Option<PointSet>, Error> {
        self.training.points().map(|points| self.scale.inverse().divide(points)).transpose()
    }

    fn multiplied(self, scale: Scale) -> Result<Self, Error> {
        Ok(Self { scale, ..self })
    }

    fn facts() -> Vec<Fact<Self>> {
        vec![
            Fact::metric(|m: &Self| m.training.metric()),
            Fact::new(
                "kl_divergence",
                "the divergence of the map's neighbor probabilities from the data's, in nats",
                |m: &Self| m.divergence.value(),
            ),
            Fact::new("kl_divergence_exact", "whether it is summed over all pairs", |m: &Self| {
                matches!(m.divergence, Divergence::Exact(_))
            }),
            Fact::new(
                "kl_divergences",
                "iteration and divergence at every evaluation, as approximated for the forces",
                |m: &Self| m.divergences.clone(),
            ),
            Fact::new("status", "how the iteration ended", |m: &Self| m.status),
            Fact::new("gradient", "how the forces were computed", |m: &Self| m.gradient.show()),
        ]
    }
}

impl Validate for FittedTsne {
    fn validate(&self) -> Result<(), Error> {
        self.training.validate()?;
        require(
            self.training.len() == self.embedding.len(),
            "it does not have a training point for every row",
        )?;
        require(self.alpha.is_finite() && self.alpha > 0.0, "its degrees of freedom are not positive")?;
        let divergences = self.divergences.iter().map(|(_, value)| *value);
        let finite = divergences.chain([self.divergence.value()]).all(f64::is_finite);
        require(finite, "a divergence is not finite")?;
        self.placing.validate()
    }
}

#[cfg(test)]
mod tests {
    use embedding::Method;
    use embedding::implement::Validate;
    use testkit::cases::cloud;

    use crate::{Schedule, Tsne};

    #[test]
    fn a_model_needs_positive_degrees_of_freedom() {
        let schedule = Schedule { early_iterations: 1, iterations: 1, ..Schedule::default() };
        let recipe = Tsne { perplexity: 5.0, schedule, ..Tsne::default() };
        let fitted = recipe.fit(cloud(30, 3, 1).view()).expect("enough points");
        let mut fitted = fitted.into_model();
        assert_eq!(fitted.validate(), Ok(()));
        for alpha in [0.0, -1.0, f64::INFINITY, f64::NAN] {
            fitted.alpha = alpha;
            assert!(fitted.validate().is_err(), "{alpha}");
        }
    }
}
