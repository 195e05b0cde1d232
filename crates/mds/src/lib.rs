//! Multidimensional scaling: coordinates whose distances approximate given ones.
//!
//! - [`ClassicalMds`]: inner products from distances by double centering, then
//!   the leading eigenvectors.
//! - [`LandmarkMds`]: the same for a few landmarks; all others by their
//!   distances to those.
//! - [`Smacof`]: least squares on the distances themselves, by majorization.
//! - [`NonmetricMds`]: only the order of the dissimilarities counts.
//! - [`Sammon`]: least squares on relative errors.
//! - [`Distances`]: all pairwise distances, one triangle, in single or double
//!   precision; what geodesic methods fill row by row, each
//!   row through its [`Slot`].
//! - [`Dissimilarities`]: the same in full, with weights, for the iterative
//!   methods; [`Stress`] says how badly coordinates fit them.
//!
//! Architecture invariant: this crate knows no neighbor graph.

pub use embedding::{
    DistanceMatrix, DynMethod, Embedding, Error, Fitted, Input, Method, Model, PointSet, Points, Transform,
};

mod classical;
mod configuration;
mod curvature;
mod dissimilarities;
mod distances;
mod euclidean;
mod isotonic;
mod landmark;
mod landmarks;
mod lanes;
mod majorization;
mod negative;
mod nonmetric;
mod ordered;
mod packing;
mod placement;
mod residual_variance;
mod sammon;
mod scaling;
mod smacof;
mod squares;
mod start;
mod stress;
mod sweep;
mod triangle;

pub use classical::{ClassicalMds, FittedClassicalMds};
pub use configuration::{Configuration, FittedConfiguration};
pub use dissimilarities::Dissimilarities;
pub use distances::Distances;
pub use isotonic::isotonic_regression;
pub use landmark::{FittedLandmarkMds, LandmarkMds};
pub use landmarks::Landmarks;
pub use negative::NegativeEigenvalues;
pub use nonmetric::{NonmetricMds, Ties};
pub use packing::{Packing, Precision};
pub use residual_variance::residual_variances;
pub use sammon::Sammon;
pub use scaling::ClassicalScaling;
pub use smacof::Smacof;
pub use start::Start;
pub use stress::Stress;
pub use triangle::Slot;
