//! A fitted map.

use embedding::implement::{Fact, Scale, Validate, require};
use embedding::{
    Embedding, Error, Fitted, Input, Model, NewNeighbors, PointSet, Rows, Silent, Status, TrainingRows,
    Transform,
};
use layout::History;
use neighbor_graph::{NeighborIndex, NeighborSearch};
use serde::{Deserialize, Serialize};

use crate::loss::Loss;
use crate::placing::Placing;
use crate::{Curve, FuzzyGraph, Radii, Surface, smallest_curvatures};

/// Largest relative difference of two computations of the cross entropy of the same map and graph.
const SAME: f64 = 1e-9;

/// Cross entropy of graph and map, in nats, over all pairs of points.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum CrossEntropy {
    /// Summed over all pairs.
    Exact(f64),
    /// Beyond 10,000 points: the terms of pairs that are no edges are estimated from a random sample.
    Estimated(f64),
}

impl CrossEntropy {
    /// The number.
    pub fn value(self) -> f64 {
        match self {
            Self::Exact(value) | Self::Estimated(value) => value,
        }
    }
}

/// A fitted map.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FittedUmap {
    pub(crate) embedding: Embedding,
    pub(crate) training: NeighborIndex,
    pub(crate) cross_entropy: CrossEntropy,
    /// Epochs with their estimated cross entropies, and the end.
    pub(crate) history: History,
    pub(crate) components: usize,
    pub(crate) edges: usize,
    pub(crate) radii: Radii,
    pub(crate) placing: Placing,
    /// The factor by which new points are divided before they are compared with the training points.
    pub(crate) scale: Scale,
}

impl FittedUmap {
    /// Cross entropy of graph and final map.
    pub fn cross_entropy(&self) -> CrossEntropy {
        self.cross_entropy
    }

    /// Epoch and estimated cross entropy, every 50 epochs.
    pub fn cross_entropies(&self) -> &[(usize, f64)] {
        &self.history.losses
    }

    /// How the optimization ended.
    pub fn status(&self) -> Status {
        self.history.status
    }

    /// The similarity of points of the map.
    pub fn curve(&self) -> Curve {
        self.placing.curve
    }

    /// The surface of the map.
    pub fn surface(&self) -> Surface {
        self.placing.pushes.surface
    }

    /// Local radii of the points in the data and in the map.
    pub fn radii(&self) -> &Radii {
        &self.radii
    }

    /// Number of connected components of the graph.
    pub fn components(&self) -> usize {
        self.components
    }

    /// The [`smallest_curvatures`] of the map: the inverse of each is the singularity score of its point.
    /// The graph is computed again from the training points.
    ///
    /// Fails with [`Error::Degenerate`] for a map on another surface than the plane, for a model that does not have its training points with all values,
    /// and where the graph was changed by labels, by a mix below 1 or by given neighbor lists: the cross
    /// entropy of map and graph is then not the cross entropy of the fit.
    pub fn smallest_curvatures(&self) -> Result<Vec<f64>, Error> {
        let surface = self.surface();
        if surface != Surface::Plane {
            return Err(Error::degenerate(
                format!(
                    "the map is on the {surface}, and curvatures of the loss are computed for the plane alone"
                ),
                "fit it with surface=plane",
            ));
        }
        let points = self.training.points().ok_or_else(|| {
            Error::degenerate(
                "the model does not have its training points, from which the graph is computed",
                "fit it to dense points",
            )
        })?;
        let input = Input::from(points).with_metric(self.training.metric());
        let neighbors = NeighborSearch::from(self.training.neighborhood()).find(input)?;
        let graph =
            FuzzyGraph::of_neighbors(&neighbors, self.placing.connectivity, 1.0, &Silent)?.into_graph();
        let Placing { curve, seed, .. } = self.placing;
        let loss = Loss { graph: &graph, curve, seed, surface };
        let map: Vec<f32> = self.embedding.values().iter().map(|&v| v as f32).collect();
        let dim = self.embedding.dim();
        let entropy = match self.cross_entropy {
            CrossEntropy::Exact(_) => loss.exact(&map, dim),
            CrossEntropy::Estimated(_) => loss.estimate(&map, dim),
        };
        let recorded = self.cross_entropy.value();
        if (entropy - recorded).abs() > SAME * recorded.abs() {
            return Err(Error::degenerate(
                format!(
                    "the graph of the training points has the cross entropy {entropy:.6}, but the graph of the \
                     fit has {recorded:.6}"
                ),
                "fit without labels, with the default mix, and without given neighbor lists",
            ));
        }
        let map = PointSet::new(self.embedding.values().to_vec(), dim)?;
        smallest_curvatures(&graph, map.view(), self.placing.curve)
    }
}

impl Model for FittedUmap {
    fn embedding(&self) -> &Embedding {
        &self.embedding
    }
}

impl Transform for FittedUmap {
    /// Optimizes each new point alone in the fixed map; see [`TransformSettings`](crate::TransformSettings). A
    /// row that equals a training row takes its coordinates. A model fitted to neighbor lists alone takes
    /// neighbor lists.
    fn place(&self, new: Rows<'_>, known: TrainingRows<'_>) -> Result<Embedding, Error> {
        self.scale
            .divided_rows(new, |new| self.placing.place(new.into(), &self.training, &self.embedding, known))
    }

    fn place_listed(&self, new: &NewNeighbors, known: TrainingRows<'_>) -> Result<Embedding, Error> {
        self.placing.place(new.into(), &self.training, &self.embedding, known)
    }

    fn lists_among(&self) -> Option<usize> {
        self.training.lists_among()
    }

    /// The [`FittedUmap::smallest_curvatures`].
    fn curvatures(&self) -> Result<Option<Vec<f64>>, Error> {
        self.smallest_curvatures().map(Some)
    }
}

impl Fitted for FittedUmap {
    fn training_points(&self) -> Result<Option<PointSet>, Error> {
        self.training.points().map(|points| self.scale.inverse().divide(points)).transpose()
    }

    fn multiplied(self, scale: Scale) -> Result<Self, Error> {
        let radii = self.radii.multiplied(self.training.metric().scale(scale));
        Ok(Self { radii, scale, ..self })
    }

    fn facts() -> Vec<Fact<Self>> {
        vec![
            Fact::metric(|m: &Self| m.training.metric()),
            Fact::new(
                "cross_entropy",
                "the cross entropy of graph and map, summed over all pairs of points, in nats",
                |m: &Self| m.cross_entropy.value(),
            ),
            Fact::new("cross_entropy_exact", "whether every pair was computed", |m: &Self| {
                matches!(m.cross_entropy, CrossEntropy::Exact(_))
            }),
            Fact::new(
                "cross_entropies",
                "epoch and cross entropy every 50 epochs, estimated from a sample of pairs",
                |m: &Self| m.history.losses.clone(),
            ),
            Fact::optional(
                "radius_correlation",
                "the correlation of the logarithms of local radii in the data and in the map",
                |m: &Self| m.radii.correlation(),
            ),
            Fact::new("a", "factor of the similarity 1 / (1 + a x^(2b)) in the map", |m: &Self| {
                m.placing.curve.a
            }),
            Fact::new("b", "half the exponent of that similarity", |m: &Self| m.placing.curve.b),
            Fact::optional("surface", "the surface of the map, where it is not the plane", |m: &Self| {
                Some(m.surface().to_string()).filter(|_| m.surface() != Surface::Plane)
            }),
            Fact::new("edges", "number of edges of the graph that are visited", |m: &Self| m.edges),
            Fact::new("graph_components", "number of connected components of the graph", |m: &Self| {
                m.components
            }),
            Fact::new("status", "how the iteration ended", |m: &Self| m.history.status),
        ]
    }
}

impl Validate for FittedUmap {
    fn validate(&self) -> Result<(), Error> {
        self.training.validate()?;
        let n = self.embedding.len();
        require(self.training.len() == n, "it does not have a training point for every row")?;
        let entropies = self.history.losses.iter().map(|(_, value)| *value);
        let finite = entropies.chain([self.cross_entropy.value()]).all(f64::is_finite);
        require(finite, "a cross entropy is not finite")?;
        self.radii.require(n)?;
        let columns = self.surface().check_dim(self.embedding.dim());
        require(columns.is_ok(), "its map does not have the coordinates of its surface")?;
        self.placing.require()
    }
}
