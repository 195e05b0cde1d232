//! A fitted map.

use embedding::implement::{Fact, Scale, Validate, Value, require};
use embedding::{Embedding, Error, ExactMatches, Fitted, Model, Rows, Status, Transform};
use neighbor_graph::NeighborIndex;
use serde::{Deserialize, Serialize};

use crate::kernel::Kernel;
use crate::{Gradient, TransformSettings};

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
}

impl Model for FittedTsne {
    fn embedding(&self) -> &Embedding {
        &self.embedding
    }
}

impl Transform for FittedTsne {
    /// Optimizes each new point alone in the fixed map; see [`TransformSettings`]. A row that equals a
    /// training row takes its coordinates. Fails for a model fitted to neighbor lists or
    /// affinities alone.
    fn place(&self, new: Rows<'_>, exact: ExactMatches) -> Result<Embedding, Error> {
        let kernel = Kernel { alpha: self.alpha };
        self.scale
            .divided_rows(new, |new| self.placing.place(new, &self.training, &self.embedding, kernel, exact))
    }
}

impl Fitted for FittedTsne {
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
