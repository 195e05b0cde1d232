//! PHATE: multidimensional scaling of the potentials of a diffusion process.
//!
//! [`Phate`] diffuses over a graph of neighbors, compares points by the logarithms of the
//! probabilities with which they reach all others, and scales the distances between these
//! potentials.
//!
//! ```
//! use phate::{Method, Model, PointSet, Phate};
//! let arms: Vec<[f64; 2]> = (0..60)
//!     .map(|i| (1.0 + f64::from(i / 3), f64::from(i % 3) * 2.1))
//!     .map(|(r, angle)| [r * angle.cos(), r * angle.sin()])
//!     .collect();
//! let fitted = Phate::default().fit(&PointSet::from_rows(&arms)?)?.into_single()?;
//! assert_eq!(fitted.embedding().row(0).len(), 2);
//! # Ok::<(), phate::Error>(())
//! ```
//!
//! Next: `laplacian` for diffusion maps, `umap` for clusters, `swissroll` for all methods
//! together.

pub use embedding::{
    self, DistanceMatrix, Embedding, Error, Fitted, Input, Method, Model, PointSet, Points, Transform,
};
pub use mds::{self, Landmarks};
pub use neighbor_graph::{self, ComponentFits, Components, Duplicates, Neighborhood};

mod diffusion;
mod entropy;
mod fitted;
mod kernel;
mod kernel_support;
mod landmark_observer;
#[cfg(test)]
mod oracle;
mod phate;
mod potential;
mod power;
mod triangle;

pub use fitted::FittedPhate;
pub use phate::Phate;
