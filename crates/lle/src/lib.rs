//! Locally linear embedding and its relatives: local models of each neighborhood,
//! then coordinates that fit all of them.
//!
//! - [`Lle`]: weights that reconstruct a point from its neighbors.
//! - [`ModifiedLle`]: all the weights that do so almost equally well.
//! - [`Ltsa`]: affine functions on tangent spaces.
//! - [`HessianLle`]: second derivatives on tangent spaces.
//!
//! Each minimizes tr YᵀMY under YᵀY = n I and Σ yᵢ = 0 for a sparse, positive
//! semidefinite M: the bottom eigenvectors beside the constant one are the coordinates.
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
//! Each is a sparse matrix whose bottom eigenvectors are the coordinates. The
//! steps are public, so that other methods can build on them: [`weights`],
//! [`residual_map`], [`alignment`], [`modified_alignment`],
//! [`tangent_alignment`], [`hessian_alignment`], and [`residual_basis`] or
//! [`spectral_basis`] for any number of eigenvectors. [`reconstruct_from_landmarks`] needs no eigenvector:
//! a few known positions and the weights determine all others.
//!
//! All four, and the steps, also take distances between points instead of points. Classical
//! scaling of the distances within each neighborhood then gives its geometry.
//!
//! Architecture invariant: this crate uses no geodesic and forms no matrix of n × n
//! numbers; a model of distances keeps those it was given, for new points.

pub use embedding::{DynMethod, Embedding, Error, Fitted, Input, Method, Model, PointSet, Points, Transform};
pub use neighbor_graph::{Components, Duplicates, Neighborhood, Pieces};

mod barycenter;
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
mod tangent_alignment;
mod tangent_maps;
mod training_neighbors;
mod weights;

pub use barycentric_extension::Barycentric;
pub use basis::{Normalization, Scale, residual_basis, spectral_basis};
pub use fitted_alignment::FittedAlignment;
pub use from_landmarks::reconstruct_from_landmarks;
pub use hessian_lle::{FittedHessianLle, HessianLle, hessian_alignment};
pub use lle::{FittedLle, Lle};
pub use ltsa::{FittedLtsa, Ltsa, tangent_alignment};
pub use modified_lle::{FittedModifiedLle, ModifiedLle, modified_alignment};
pub use tangent_maps::TangentMaps;
pub use weights::{alignment, regularization_parameter, residual_map, weights};
