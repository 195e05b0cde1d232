//! How good is an embedding: rank, distance, shape and class measures.

mod classification;
mod distances;
mod procrustes;
mod ranks;
mod residual_variance;
mod sample;
mod trustworthiness;

pub use classification::{Validation, knn_accuracy};
pub use distances::{Distances, Geodesics, Matrix};
pub use procrustes::{Alignment, Reflection, affine_residual, align_to, procrustes};
pub use residual_variance::{distance_correlation, residual_variance};
pub use sample::{Estimate, Rows};
pub use trustworthiness::{continuity, continuity_over, trustworthiness, trustworthiness_over};
