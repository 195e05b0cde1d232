//! A fitted map.

use embedding::implement::{Fact, Scale, Validate, require};
use embedding::{Embedding, Error, Fitted, Model, PointSet, Rows, Status, TrainingRows, Transform};
use layout::{History, ReducedPoints};
use serde::{Deserialize, Serialize};

use crate::placing::PairPlacing;

/// A fitted map of PaCMAP or LocalMAP.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FittedPacmap {
    pub(crate) embedding: Embedding,
    pub(crate) placing: PairPlacing,
    pub(crate) loss: f64,
    pub(crate) history: History,
    pub(crate) recall: f64,
    /// Numbers of near, mid-near and further pairs.
    pub(crate) pairs: [usize; 3],
}

impl FittedPacmap {
    /// The loss of the final map with the weights of the third phase.
    pub fn loss(&self) -> f64 {
        self.loss
    }

    /// Iteration, and loss with the weights of that iteration, every 50 iterations.
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

    /// Numbers of near, mid-near and further pairs.
    pub fn pairs(&self) -> [usize; 3] {
        self.pairs
    }
}

impl Model for FittedPacmap {
    fn embedding(&self) -> &Embedding {
        &self.embedding
    }
}

impl Transform for FittedPacmap {
    /// Places each new point independently in the fixed map. It minimizes the sum of the terms of its near
    /// pairs, each divided by the pair's scaled distance. It starts at the best of the neighbors' positions
    /// and takes at most `placing_steps` steps; no step raises the sum. The position of a row tends to the
    /// position of a training row as it approaches it; one that equals a training row takes its coordinates.
    fn place(&self, rows: Rows<'_>, known: TrainingRows<'_>) -> Result<Embedding, Error> {
        rows.place_dense(known, |new, known| self.placing.place(new, &self.embedding, known))
    }
}

impl Fitted for FittedPacmap {
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
            Fact::new("loss", "the loss of the final map with the weights of the third phase", |m: &Self| {
                m.loss
            }),
            Fact::new(
                "losses",
                "iteration, and loss with the weights of that iteration, every 50 iterations",
                |m: &Self| m.history.losses.clone(),
            ),
            Fact::new("near_pairs", "number of near pairs", |m: &Self| m.pairs[0]),
            Fact::new("mid_near_pairs", "number of mid-near pairs", |m: &Self| m.pairs[1]),
            Fact::new("further_pairs", "number of further pairs", |m: &Self| m.pairs[2]),
            ReducedPoints::recall_fact(|m: &Self| m.recall),
            Fact::new("status", "how the iteration ended", |m: &Self| m.history.status),
        ]
    }
}

impl Validate for FittedPacmap {
    fn validate(&self) -> Result<(), Error> {
        self.history.validate()?;
        require(self.loss.is_finite(), "a loss is not finite")?;
        require((0.0..=1.0).contains(&self.recall), "its recall is no fraction")?;
        self.placing.require(self.embedding.len())
    }
}
