//! A fitted map.

use embedding::implement::{Fact, Scale, Validate, require};
use embedding::{Embedding, Error, Fitted, Model, PointSet, Rows, Status, TrainingRows, Transform};
use layout::{History, ReducedPoints};
use serde::{Deserialize, Serialize};

use crate::placing::TripletPlacing;

/// A fitted map of TriMap.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FittedTrimap {
    pub(crate) embedding: Embedding,
    pub(crate) placing: TripletPlacing,
    pub(crate) loss: f64,
    pub(crate) violated: f64,
    pub(crate) history: History,
    pub(crate) recall: f64,
    /// Numbers of triplets of neighbors and of random points.
    pub(crate) triplets: [usize; 2],
}

impl FittedTrimap {
    /// The mean loss of a triplet in the final map.
    pub fn loss(&self) -> f64 {
        self.loss
    }

    /// The fraction of triplets whose inlier is farther from the point than their outlier, in
    /// the final map.
    pub fn violated(&self) -> f64 {
        self.violated
    }

    /// Iteration and mean loss of a triplet, every 50 iterations.
    pub fn losses(&self) -> &[(usize, f64)] {
        &self.history.losses
    }

    /// How the optimization ended.
    pub fn status(&self) -> Status {
        self.history.status
    }

    /// Fraction of the true neighbors that the search found, in a sample; 1 where it was exact.
    pub fn recall(&self) -> f64 {
        self.recall
    }

    /// Numbers of triplets of neighbors and of random points.
    pub fn triplets(&self) -> [usize; 2] {
        self.triplets
    }
}

impl Model for FittedTrimap {
    fn embedding(&self) -> &Embedding {
        &self.embedding
    }
}

impl Transform for FittedTrimap {
    /// Places each new point independently in the fixed map. It starts at the position of the inlier where
    /// the loss of its triplets of neighbors is smallest, and takes at most `placing_steps` steps; each step
    /// lowers the loss. A row that equals a training row takes its coordinates.
    fn place(&self, rows: Rows<'_>, known: TrainingRows<'_>) -> Result<Embedding, Error> {
        rows.place_dense(known, |new, known| self.placing.place(new, &self.embedding, known))
    }
}

impl Fitted for FittedTrimap {
    fn training_points(&self) -> Result<Option<PointSet>, Error> {
        self.placing.shared.training.points()
    }

    fn multiplied(mut self, scale: Scale) -> Result<Self, Error> {
        self.placing.shared = self.placing.shared.multiplied(scale);
        Ok(self)
    }

    fn facts() -> Vec<Fact<Self>> {
        vec![
            Fact::metric(|m: &Self| m.placing.shared.training.metric()),
            Fact::new("loss", "the mean loss of a triplet in the final map", |m: &Self| m.loss),
            Fact::new("losses", "iteration and mean loss of a triplet, every 50 iterations", |m: &Self| {
                m.history.losses.clone()
            }),
            Fact::new(
                "violated_triplets",
                "fraction of the triplets whose inlier is farther than their outlier in the map",
                |m: &Self| m.violated,
            ),
            Fact::new("neighbor_triplets", "number of triplets of neighbors", |m: &Self| m.triplets[0]),
            Fact::new("random_triplets", "number of triplets of random points", |m: &Self| m.triplets[1]),
            ReducedPoints::recall_fact(|m: &Self| m.recall),
            Fact::new("status", "how the iteration ended", |m: &Self| m.history.status),
        ]
    }
}

impl Validate for FittedTrimap {
    fn validate(&self) -> Result<(), Error> {
        self.history.validate()?;
        require(self.loss.is_finite(), "a loss is not finite")?;
        require((0.0..=1.0).contains(&self.violated), "its fraction of violated triplets is not a fraction")?;
        require((0.0..=1.0).contains(&self.recall), "its recall is no fraction")?;
        self.placing.require(self.embedding.len())
    }
}
