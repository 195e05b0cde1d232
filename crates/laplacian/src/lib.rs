//! Laplacian eigenmaps and diffusion maps: the slow modes of a random walk on
//! the neighbor graph.
//!
//! - [`LaplacianEigenmaps`]: smoothest functions on the graph.
//! - [`DiffusionMaps`]: the same walk, run for a time t, with the density of
//!   the sample divided out.
//!
//! Both place new points by Nyström's formula ([`embedding::Transform`]).
//!
//! Architecture invariant: this crate knows no geodesic.

pub use embedding::{
    DistanceMatrix, DynMethod, Embedding, Error, Fitted, Input, Method, Model, PointSet, Points, Transform,
};
pub use neighbor_graph::{Components, Neighborhood, Pieces, Symmetry};

mod affinity;
mod diffusion_maps;
mod laplacian_eigenmaps;
mod nystrom;
mod walk;

pub use affinity::{Weights, Width};
pub use diffusion_maps::{DiffusionMaps, FittedDiffusionMaps};
pub use laplacian_eigenmaps::{FittedLaplacianEigenmaps, Form, LaplacianEigenmaps};
