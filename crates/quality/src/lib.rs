//! Quality measures of embeddings, based on ranks, distances, shape and classes, and
//! estimators of intrinsic dimension.
//!
//! [`measures`] lists the measures by which methods are compared, each [`Measure`] with its
//! name, meaning, range and direction. [`point_measures`] lists measures with a value at
//! every point, by which a map can be colored. [`diagnosis`] turns measured facts into sentences.
//!
//! The data that a map is compared with, [`Original`], are points, sparse points or distances.
//!
//! All measures compute one row of distances at a time: none holds n × n numbers.
//! Measures that are means over points also take a sample of [`Rows`] and then come with
//! a standard error.
//!
//! ```
//! use embedding::Points;
//! use quality::{Reflection, procrustes};
//! let square = [0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 1.0];
//! let larger: Vec<f64> = square.iter().map(|v| 3.0 * v + 1.0).collect();
//! let fit = procrustes(Points::new(&square, 2)?, Points::new(&larger, 2)?, Reflection::Allowed)?;
//! assert!(fit.residual < 1e-20);
//! # Ok::<(), embedding::Error>(())
//! ```

mod angles;
mod classification;
mod context;
mod coranking;
pub mod diagnosis;
pub mod dimension;
mod distances;
mod local_procrustes;
mod local_scale;
mod measures;
mod original;
mod per_point;
mod procrustes;
mod ranks;
mod residual_variance;
mod sample;
mod shared_ranks;
mod silhouette;
mod stress;
mod trustworthiness;

pub use angles::{Angles, angle_error, angle_error_of_rows};
pub use classification::{Validation, knn_accuracy, knn_accuracy_of_new};
pub use context::{Context, OfData};
pub use coranking::{Coranking, coranking};
pub use distances::{Distances, Geodesics, Matrix};
pub use local_procrustes::{local_procrustes, local_procrustes_of_rows};
pub use local_scale::local_scale_of_rows;
pub use measures::{Better, Measure, Outcome, Range, measure, measures};
pub use original::Original;
pub use per_point::{PointMeasure, point_measures};
pub use procrustes::{Alignment, Reflection, Similarity, affine_residual, align_to, procrustes};
pub use residual_variance::{distance_correlation, residual_variance};
pub use sample::{Estimate, Rows};
pub use shared_ranks::{RankScores, SharedRanks};
pub use silhouette::{silhouette, silhouette_over};
pub use stress::{Stress, stress};
pub use trustworthiness::{continuity, continuity_over, trustworthiness, trustworthiness_over};
