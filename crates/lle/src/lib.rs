//! Locally linear embedding: reconstruct each point from its neighbors, then
//! find coordinates that the same weights reconstruct.
//!
//! - [`Lle`]: the method of the paper.
//!
//! The steps are public, so that other methods can build on them: [`weights`],
//! [`residual_map`], [`alignment`], [`spectral_basis`].
//!
//! Architecture invariant: this crate knows no geodesic, and no matrix of n × n
//! numbers exists in it.

mod barycenter;
mod basis;
mod each_point;
mod extension;
mod lle;
mod weights;

pub use basis::{Scale, spectral_basis};
pub use lle::{FittedLle, Lle};
pub use weights::{alignment, residual_map, weights};
