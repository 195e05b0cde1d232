//! t-SNE: t-distributed stochastic neighbor embedding.
//!
//! [`Tsne`] minimizes KL(P‖Q) = Σ p_ij ln(p_ij / q_ij) between the neighbor probabilities
//! of the data, [`Affinities`], and of the map. The three ways to compute forces
//! between all pairs are a [`Gradient`].
//!
//! ```
//! use tsne::{Method, Model, PointSet, Tsne};
//! let groups: Vec<[f64; 2]> =
//!     (0..60).map(|i| [f64::from(i % 2) * 50.0 + f64::from(i) * 0.1, f64::from(i * 7 % 11)]).collect();
//! let fitted = Tsne { perplexity: 10.0, ..Tsne::default() }.fit(&PointSet::from_rows(&groups)?)?;
//! assert_eq!(fitted.embedding().row(0).len(), 2);
//! # Ok::<(), tsne::Error>(())
//! ```
//!
//! Next: `laplacian` for a spectral embedding of the same graph, `swissroll` for all
//! methods together.

pub use embedding::{
    self, DistanceMatrix, Embedding, Error, Fitted, Input, Method, Model, PointSet, Points, Transform,
};
pub use neighbor_graph::{self, Deduplicated, Duplicates};

mod affinities;
mod attraction;
mod curvature;
mod fitted;
mod gradient;
#[cfg(test)]
mod gradient_tests;
mod kernel;
mod lanes;
mod leave_one_out;
mod memory;
mod optimize;
mod perplexity;
mod placing;
mod repulsion;
mod row_loss;
mod schedule;
mod start;
mod tsne;

pub use affinities::Affinities;
pub use curvature::smallest_curvatures;
pub use fitted::{Divergence, FittedTsne};
pub use gradient::Gradient;
pub use placing::TransformSettings;
pub use schedule::{LearningRate, Schedule};
pub use start::Start;
pub use tsne::Tsne;
