//! Isomap: approximates geodesic distances by shortest paths in the neighbor graph, then
//! applies classical multidimensional scaling.
//!
//! - [`Isomap`]: geodesics between all points.
//! - [`LandmarkIsomap`]: geodesics from a few landmarks.
//! - [`ConformalIsomap`]: geodesics in units of the local spacing.
//!
//! With G the matrix of geodesics and J the centering matrix,
//! B = -1/2 J (G_ij^2) J = V Λ Vᵀ, and the coordinates are the leading columns of V Λ^½.
//!
//! ```
//! use isomap::{Isomap, Method, Model, Neighborhood, PointSet};
//! // A spiral is a line.
//! let turn = |i: u32| 0.1 * f64::from(i);
//! let spiral: Vec<[f64; 2]> = (0..60).map(|i| [turn(i) * (2.0 * turn(i)).cos(), turn(i) * (2.0 * turn(i)).sin()]).collect();
//! let recipe = Isomap { neighborhood: Neighborhood::Nearest { k: 2 }, dim: 1, ..Isomap::default() };
//! let fitted = recipe.fit(&PointSet::from_rows(&spiral)?)?;
//! assert!(fitted.embedding().row(59)[0].abs() > fitted.embedding().row(30)[0].abs());
//! // The model of the connected graph has the method's own results.
//! assert!(fitted.single()?.residual_variances()[0] < 1e-3);
//! # Ok::<(), isomap::Error>(())
//! ```
//!
//! Next: `lle` and `laplacian` for local methods, `quality` to measure the result,
//! `swissroll` for all methods together.
//!
//! Architecture invariant: this crate depends on neighbor graphs and `mds`, and on no
//! other method.

mod conformal_isomap;
mod geodesic_scaling;
mod isomap;
mod landmark_geodesics;
mod landmark_isomap;

pub use conformal_isomap::{ConformalIsomap, FittedConformalIsomap};
pub use embedding::{Error, Method, Model, PointSet, Transform};
pub use isomap::{FittedIsomap, Isomap};
pub use landmark_isomap::{FittedLandmarkIsomap, LandmarkIsomap};
pub use mds::{Landmarks, NegativeEigenvalues, Precision};
pub use neighbor_graph::{Components, Duplicates, Neighborhood, Symmetry};
pub use spectral::Tolerance;

/// The crates of the public types that are not defined here.
pub use {embedding, mds, neighbor_graph, spectral};
