//! Locally linear embedding and its relatives: local models of each neighborhood,
//! then coordinates that fit all of them.
//!
//! - [`Lle`]: weights that reconstruct a point from its neighbors.
//! - [`ModifiedLle`]: all the weights that do so almost equally well.
//! - [`Ltsa`]: affine functions on tangent spaces.
//! - [`HessianLle`]: second derivatives on tangent spaces.
//!
//! Each minimizes tr YᵀMY under YᵀY = n I and Σ yᵢ = 0 for a sparse, positive
//! semidefinite M: the bottom eigenvectors except the constant one are the coordinates.
//!
//! ```
//! use lle::{Ltsa, Method, Model, Neighborhood, PointSet};
//! // A quarter of a cylinder, unrolled.
//! let point = |i: u32| {
//!     let (angle, height) = (f64::from(i % 10) * 0.15, f64::from(i / 10) * 0.15);
//!     [angle.cos(), angle.sin(), height]
//! };
//! let points: Vec<[f64; 3]> = (0..100).map(point).collect();
//! let recipe = Ltsa { neighborhood: Neighborhood::Nearest { k: 8 }, ..Ltsa::default() };
//! let fitted = recipe.fit(&PointSet::from_rows(&points)?)?;
//! assert_eq!(fitted.embedding().row(7).len(), 2);
//! # Ok::<(), lle::Error>(())
//! ```
//!
//! The steps are public, so that other methods can build on them: [`steps`] computes the
//! weights, the alignment matrices and their bottom eigenvectors. New points are placed by an
//! [`extension`].
//!
//! All four methods, and the steps, also take distances between points instead of points. Classical scaling
//! of the distances within each neighborhood then gives its geometry.
//!
//! Architecture invariant: this crate uses no geodesic and forms no matrix of n × n
//! numbers; only a model of distances keeps the given distances, for new points.

pub use embedding::{Error, Method, Model, PointSet, Transform};
pub use neighbor_graph::{Components, Duplicates, Neighborhood};
pub use spectral::Tolerance;

/// The crates of the public types that are not defined here.
pub use {embedding, neighbor_graph, spectral};

mod alignment;
mod barycentric_extension;
mod basis;
mod chart;
mod eigen;
mod fitted_alignment;
mod frame;
mod from_landmarks;
mod hessian_lle;
mod lle;
mod ltsa;
mod modified_lle;
mod patch_columns;
mod patches;
mod per_point;
mod tangent_maps;
mod tangents;
mod training_neighbors;
mod weights;

pub use basis::{ColumnNorm, Normalization};
pub use fitted_alignment::FittedAlignment;
pub use hessian_lle::{FittedHessianLle, HessianLle};
pub use lle::{FittedLle, Lle};
pub use ltsa::{FittedLtsa, Ltsa};
pub use modified_lle::{FittedModifiedLle, ModifiedLle};

/// The steps of the methods: weights, alignment matrices and their bottom eigenvectors.
///
/// Each alignment matrix is sparse, and its bottom eigenvectors are coordinates.
/// [`reconstruct_from_landmarks`](steps::reconstruct_from_landmarks) needs no eigenvector: the
/// weights and a few known positions determine all others.
pub mod steps {
    pub use crate::alignment::{alignment, residual_map};
    pub use crate::basis::{residual_basis, spectral_basis};
    pub use crate::from_landmarks::reconstruct_from_landmarks;
    pub use crate::hessian_lle::hessian_alignment;
    pub use crate::ltsa::tangent_alignment;
    pub use crate::modified_lle::modified_alignment;
    pub use crate::weights::weights;
}

/// Extensions of the coordinates to new points.
pub mod extension {
    pub use crate::barycentric_extension::BarycentricExtension;
    pub use crate::tangent_maps::TangentMaps;
}
