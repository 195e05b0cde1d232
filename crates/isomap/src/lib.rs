//! Isomap: distances along the manifold, then classical scaling.
//!
//! - [`Isomap`]: geodesics between all points.
//!
//! All place new points through their nearest training neighbors
//! ([`embedding::Transform`]).
//!
//! Architecture invariant: this crate knows neighbor graphs and `mds`, and no
//! other method.

mod entrance;
mod geodesic_scaling;
mod isomap;

pub use isomap::{FittedIsomap, Isomap};
pub use mds::{NegativeEigenvalues, Precision};
