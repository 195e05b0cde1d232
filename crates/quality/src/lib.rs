//! Quality measures of embeddings, based on ranks, distances, shape and classes, and
//! estimators of intrinsic dimension.
//!
//! [`measures`] lists the measures by which methods are compared, each [`Measure`] with its
//! name, meaning, range and direction. [`point_measures`] lists measures with a value at
//! every point, by which a map can be colored. [`diagnosis`] turns measured facts into sentences.
//!
//! The measures themselves are in [`ranks`], [`distances`], [`shape`] and [`classes`]. A map is
//! compared with its [`Original`] data: points, sparse points or distances.
//!
//! Measures of Euclidean distances compute one row of distances at a time. Geodesic distances, and the
//! ranks that several measures of one data set share, take one row of n numbers per evaluated row: n × n
//! without a sample. Measures that are means over points also take a sample of [`RowSample`] and then
//! come with a standard error.
//!
//! ```
//! use embedding::Points;
//! use quality::shape::{Reflection, procrustes};
//! let square = [0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 1.0];
//! let larger: Vec<f64> = square.iter().map(|v| 3.0 * v + 1.0).collect();
//! let fit = procrustes(Points::new(&square, 2)?, Points::new(&larger, 2)?, Reflection::Allowed)?;
//! assert!(fit.residual < 1e-20);
//! # Ok::<(), embedding::Error>(())
//! ```

mod angle_error;
mod classification;
mod context;
mod coranking;
pub mod diagnosis;
pub mod dimension;
pub mod drivers;
pub mod ellipses;
mod label_distortion;
mod local_fit;
mod local_procrustes;
mod local_scale;
mod map_rows;
mod measures;
mod original;
mod per_point;
mod procrustes;
mod rank_correlation;
mod ranked_row;
mod reference_distances;
mod residual_variance;
mod row_sample;
mod shared_ranks;
mod silhouette;
mod stress;
mod triplets;
pub mod trust;
mod trustworthiness;

pub use context::{Context, OfData};
pub use measures::{Better, Measure, Outcome, Range, measure, measures};
pub use original::Original;
pub use per_point::{PointMeasure, point_measures};
pub use row_sample::{Estimate, RowSample};

/// The crates of the public types that are not defined here.
pub use {embedding, neighbor_graph};

/// Measures based on the ranks of neighbors.
pub mod ranks {
    pub use crate::coranking::{Coranking, coranking};
    pub use crate::shared_ranks::{RankScores, SharedRanks};
    pub use crate::trustworthiness::{continuity, continuity_over, trustworthiness, trustworthiness_over};
}

/// Measures based on all pairwise distances.
pub mod distances {
    pub use crate::rank_correlation::distance_rank_correlation;
    pub use crate::reference_distances::{Distances, Geodesics, Matrix};
    pub use crate::residual_variance::{distance_correlation, residual_variance};
    pub use crate::stress::{Stress, stress};
    pub use crate::triplets::{TRIPLETS_PER_POINT, random_triplet_accuracy};
}

/// Measures of shape, of the whole map or of its neighborhoods: Procrustes analysis, angles
/// and local scales.
pub mod shape {
    pub use crate::angle_error::{Angles, angle_error, angle_error_of_rows};
    pub use crate::local_procrustes::{local_procrustes, local_procrustes_of_rows};
    pub use crate::local_scale::local_scale_of_rows;
    pub use crate::procrustes::{Alignment, Reflection, Similarity, affine_residual, align_to, procrustes};
}

/// Measures of the separation of classes.
pub mod classes {
    pub use crate::classification::{Validation, knn_accuracy, knn_accuracy_of_new};
    pub use crate::label_distortion::{LabelDistortion, label_distortion};
    pub use crate::silhouette::{silhouette, silhouette_over};
    pub use crate::triplets::{centroid_triplet_accuracy, kept_neighbor_classes};
}
