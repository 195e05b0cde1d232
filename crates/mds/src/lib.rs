//! Multidimensional scaling: coordinates whose distances are the given ones,
//! as nearly as they can be.
//!
//! - [`ClassicalMds`]: inner products from distances by double centering, then
//!   the leading eigenvectors.
//! - [`Distances`]: all pairwise distances, one triangle, in single or double
//!   precision; what geodesic methods fill row by row.
//!
//! Architecture invariant: this crate knows no neighbor graph.

mod classical;
mod distances;
mod negative;
mod residual_variance;
mod scaling;

pub use classical::{ClassicalMds, FittedClassicalMds};
pub use distances::{Distances, Precision};
pub use negative::NegativeEigenvalues;
pub use residual_variance::residual_variances;
pub use scaling::ClassicalScaling;
