//! Isomap: geodesic distances by shortest paths, then classical scaling.
//!
//! - [`Isomap`]: geodesics between all points.
//! - [`LandmarkIsomap`]: geodesics from a few landmarks.
//! - [`ConformalIsomap`]: geodesics in units of the local spacing.
//!
//! All place new points through their nearest training neighbors
//! ([`embedding::Transform`]).
//!
//! Architecture invariant: this crate knows neighbor graphs and `mds`, and no
//! other method.

mod conformal;
mod geodesic_scaling;
mod isomap;
mod landmark;
mod landmark_geodesics;

pub use conformal::{ConformalIsomap, FittedConformalIsomap};
pub use embedding::{
    DistanceMatrix, DynMethod, Embedding, Error, Fitted, Input, Method, Model, PointSet, Points, Transform,
};
pub use isomap::{FittedIsomap, Isomap};
pub use landmark::{FittedLandmarkIsomap, LandmarkIsomap};
pub use mds::{Landmarks, NegativeEigenvalues, Precision};
pub use neighbor_graph::{Components, Neighborhood, Pieces, Symmetry};
