//! Linear projections that preserve neighborhoods: each minimizes the objective of a method on
//! the neighbor graph among linear maps of the data.
//!
//! - [`Lpp`]: locality preserving projections, the linear form of Laplacian eigenmaps.
//! - [`Npe`]: neighborhood preserving embedding, the linear form of locally linear embedding.
//! - [`Lltsa`]: linear local tangent space alignment.
//!
//! Each is one symmetric eigenproblem of order D or less, whatever the number of points,
//! instead of a sparse one of order n. The map is known everywhere: new points are projected
//! exactly.
//!
//! ```
//! use linear_projections::{Method, Model, Npe, PointSet};
//! // A strip with a wave across it; the wave is higher than the strip is wide.
//! let row = |i: u32| {
//!     let (u, v) = (f64::from(i) * 0.0125, f64::from(i * 89 % 320) * 0.0025);
//!     [u, v, 0.5 * (4.0 * u).sin()]
//! };
//! let points = PointSet::from_rows(&(0..320).map(row).collect::<Vec<_>>())?;
//! let fitted = Npe::default().fit(&points)?;
//! let map = fitted.single()?.directions();
//! assert_eq!((map.nrows(), map.ncols()), (3, 2));
//! # Ok::<(), linear_projections::Error>(())
//! ```
//!
//! A linear map cannot unroll a curved manifold; where it suffices, it is the simplest map with
//! the property.
//!
//! Architecture invariant: this crate solves no problem of order n.

pub use embedding::{Error, Method, Model, PointSet, Transform};
pub use neighbor_graph::{Components, Duplicates, Neighborhood, Symmetry};

/// The crates of the public types that are not defined here.
pub use {embedding, linear, neighbor_graph};

mod lltsa;
mod lpp;
mod npe;
mod projection;

pub use lltsa::Lltsa;
pub use lpp::Lpp;
pub use npe::Npe;
pub use projection::FittedProjection;
