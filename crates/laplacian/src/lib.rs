//! Laplacian eigenmaps and diffusion maps: the slow modes of a random walk on the
//! neighbor graph.
//!
//! - [`LaplacianEigenmaps`]: the smoothest functions on the graph, L y = λ D y.
//! - [`DiffusionMaps`]: the transition probabilities of the walk after a time t, with the
//!   density of the sample divided out: P ψ = λ ψ, coordinates λᵗ ψ.
//!
//! ```
//! use laplacian::{LaplacianEigenmaps, Method, Model, Neighborhood, PointSet};
//! // Along a path the first mode is monotone.
//! let path: Vec<[f64; 1]> = (0..20).map(|i| [f64::from(i)]).collect();
//! let recipe =
//!     LaplacianEigenmaps { neighborhood: Neighborhood::Nearest { k: 2 }, dim: 1, ..Default::default() };
//! let fitted = recipe.fit(&PointSet::from_rows(&path)?)?;
//! let y: Vec<f64> = fitted.embedding().rows().map(|row| row[0]).collect();
//! assert!(y.is_sorted() || y.iter().rev().is_sorted());
//! # Ok::<(), laplacian::Error>(())
//! ```
//!
//! Both place new points by Nyström's formula. Next: `isomap` for geodesic distances,
//! `tsne` for clusters, `swissroll` for all methods together.
//!
//! Architecture invariant: this crate uses no geodesic.

pub use embedding::{Error, Method, Model, PointSet, Transform};
pub use neighbor_graph::{Components, Duplicates, Neighborhood, Symmetry};
pub use spectral::Tolerance;

/// The crates of the public types that are not defined here.
pub use {embedding, neighbor_graph, spectral};

mod affinity;
mod diffusion_maps;
mod laplacian_eigenmaps;
mod nystrom;
mod walk;

pub use affinity::{Weights, Width};
pub use diffusion_maps::{DiffusionMaps, FittedDiffusionMaps};
pub use laplacian_eigenmaps::{Eigenproblem, FittedLaplacianEigenmaps, LaplacianEigenmaps};
