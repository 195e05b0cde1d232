//! Every method of manifold learning in this workspace, behind one crate.
//!
//! - One module per crate: [`isomap`], [`lle`], [`umap`], [`quality`], [`datasets`] and the others.
//! - [`prelude`]: the common types, so that one `use` line serves most programs.
//! - [`methods`]: the list of all methods, and [`method`], which finds one by its name.
//! - [`load`]: reads a saved model of any method.
//! - [`saved`]: what is stored with a model, such as the names, kinds and units of columns.
//!
//! ```
//! use swissroll::{datasets, prelude::*};
//! let roll = datasets::generate("swiss-roll", 200, 0)?;
//! for name in ["pca", "isomap", "ltsa"] {
//!     let method = swissroll::method(name).expect("a method of this name");
//!     let map = method.fit_dyn(&Input::from(&roll.points))?;
//!     assert_eq!(map.embedding().len(), 200);
//! }
//! # Ok::<(), swissroll::embedding::Error>(())
//! ```
//!
//! Architecture invariant: this crate computes nothing itself.

pub mod prelude;
mod registry;
pub mod saved;

pub use conformal_eigenmaps;
pub use datasets;
pub use embedding;
pub use isomap;
pub use laplacian;
pub use linear;
pub use linear_projections;
pub use lle;
pub use mds;
pub use neighbor_graph;
pub use pacmap;
pub use phate;
pub use quality;
pub use regression;
pub use spectral;
pub use trimap;
pub use tsne;
pub use umap;

pub use registry::{MethodAndModel, load, method, methods};

/// The examples of the repository's README, as tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
