//! Laplacian eigenmaps and diffusion maps: embeddings by eigenvectors of a random walk on
//! the neighbor graph.
//!
//! - [`LaplacianEigenmaps`]: the smoothest functions on the graph.
//! - [`DiffusionMaps`]: diffusion for a time t, with the sampling density normalized out.
//!
//! Both map new points by Nyström's formula ([`embedding::Transform`]).
//!
//! Architecture invariant: this crate does not use geodesic distances.

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
