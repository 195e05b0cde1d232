//! Multidimensional scaling: coordinates whose distances approximate given ones.
//!
//! Given δ_ij, metric scaling minimizes Σ w_ij (δ_ij − |y_i − y_j|)²; classical scaling
//! factorizes the inner products B = −½ J (δ_ij²) J.
//!
//! ```
//! use mds::{DistanceMatrix, Method, Model, Smacof};
//! // The corners of a square.
//! let d = 2f64.sqrt();
//! let distances = [0.0, 1.0, d, 1.0, 1.0, 0.0, 1.0, d, d, 1.0, 0.0, 1.0, 1.0, d, 1.0, 0.0];
//! let fitted = Smacof::default().fit(DistanceMatrix::new(&distances, 4)?)?;
//! assert!(fitted.configuration().stress().raw < 1e-12);
//! # Ok::<(), mds::Error>(())
//! ```
//!
//! - [`ClassicalMds`]: double centering of squared distances, then the leading
//!   eigenvectors.
//! - [`LandmarkMds`]: classical MDS of a few landmarks; all other points by
//!   distance-based triangulation.
//! - [`Smacof`]: metric MDS, least squares on the distances by majorization.
//! - [`NonmetricMds`]: uses only the order of the dissimilarities.
//! - [`Sammon`]: Sammon mapping, which weights errors by 1/δ.
//! - [`steps::Distances`]: one triangle of pairwise distances in single or double precision,
//!   filled by rows, each through its [`steps::Slot`].
//! - [`Dissimilarities`]: a full matrix with optional weights, for the iterative methods;
//!   [`Stress`] measures the misfit of coordinates.
//!
//! Architecture invariant: this crate does not depend on neighbor graphs.

pub use embedding::{DistanceMatrix, Error, Method, Model, PointSet, Transform};

/// The crates of the public types that are not defined here.
pub use {embedding, spectral};

mod classical_mds;
mod configuration;
mod curvature;
mod disparities;
mod dissimilarities;
mod distances;
mod euclidean;
mod farthest;
mod isotonic;
mod landmark_mds;
mod landmark_selection;
mod majorization;
mod negative_eigenvalues;
mod nonmetric_mds;
mod placement;
mod residual_variance;
mod sammon;
mod scaling;
mod smacof;
mod squared_operator;
mod start;
mod state;
mod storage;
mod stress;
mod sweep;
mod triangle;
mod vector_sums;

pub use classical_mds::{ClassicalMds, FittedClassicalMds};
pub use configuration::{Configuration, FittedConfiguration};
pub use dissimilarities::Dissimilarities;
pub use landmark_mds::{FittedLandmarkMds, LandmarkMds};
pub use landmark_selection::Landmarks;
pub use negative_eigenvalues::NegativeEigenvalues;
pub use nonmetric_mds::{NonmetricMds, Ties};
pub use sammon::Sammon;
pub use smacof::Smacof;
pub use start::Start;
pub use storage::Precision;
pub use stress::Stress;

/// Building blocks for other methods: stored distances and their classical scaling.
pub mod steps {
    pub use crate::distances::Distances;
    pub use crate::isotonic::isotonic_regression;
    pub use crate::residual_variance::residual_variances;
    pub use crate::scaling::ClassicalScaling;
    pub use crate::storage::Packing;
    pub use crate::triangle::Slot;
}
