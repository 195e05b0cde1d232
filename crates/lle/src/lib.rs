//! Locally linear embedding and its relatives: local models of each neighborhood,
//! then coordinates that fit all of them.
//!
//! - [`Lle`]: weights that reconstruct a point from its neighbors.
//! - [`ModifiedLle`]: all the weights that do so almost equally well.
//! - [`Ltsa`]: affine functions on tangent spaces.
//! - [`HessianLle`]: second derivatives on tangent spaces.
//!
//! Each is a sparse matrix whose bottom eigenvectors are the coordinates. The
//! steps are public, so that other methods can build on them: [`weights`],
//! [`residual_map`], [`alignment`], [`modified_alignment`],
//! [`tangent_alignment`], [`hessian_alignment`], and [`residual_basis`] or
//! [`spectral_basis`] for any number of eigenvectors. [`reconstruct_from_landmarks`] needs no eigenvector:
//! a few known positions and the weights determine all others.
//!
//! Architecture invariant: this crate knows no geodesic, and no matrix of n × n
//! numbers exists in it.

pub use embedding::{DynMethod, Embedding, Error, Fitted, Input, Method, Model, PointSet, Points, Transform};
pub use neighbor_graph::{Components, Neighborhood, Pieces};

mod assemble;
mod barycenter;
mod barycentric;
mod basis;
mod each_point;
mod eigen;
mod fitted;
mod frame;
mod hessian;
mod landmarks;
mod lle;
mod ltsa;
mod modified;
mod near;
mod tangent_maps;
mod weights;

pub use barycentric::Barycentric;
pub use basis::{Scale, residual_basis, spectral_basis};
pub use fitted::FittedAlignment;
pub use hessian::{FittedHessianLle, HessianLle, hessian_alignment};
pub use landmarks::reconstruct_from_landmarks;
pub use lle::{FittedLle, Lle};
pub use ltsa::{FittedLtsa, Ltsa, tangent_alignment};
pub use modified::{FittedModifiedLle, ModifiedLle, modified_alignment};
pub use tangent_maps::TangentMaps;
pub use weights::{alignment, regularization_parameter, residual_map, weights};
