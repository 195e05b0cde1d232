//! Data sets for manifold learning: synthetic manifolds with known truth,
//! bundled real data, and readers and writers for the user's own files.
//!
//! ```
//! let roll = datasets::generate("swiss-roll", 1000, 0)?;
//! let truth = roll.truth.as_ref().expect("a generator knows the truth");
//! assert_eq!((roll.points.dim(), truth.dim()), (3, 2));
//! # Ok::<(), embedding::Error>(())
//! ```
//!
//! [`list`] names them all. Everything is deterministic by seed, and where a
//! sample is drawn point by point a smaller one is a prefix of a larger one.
//!
//! Architecture invariant: this crate knows `embedding` alone, and it is the
//! only library of the workspace that touches files.

mod bundled;
mod catalog;
mod dataset;
pub mod files;
mod pictures;
mod random;
mod sample;
mod suggestion;
pub mod synthetic;
pub mod text;

pub use bundled::{Reviews, reviews};
pub use catalog::{Info, Request, find, generate, list, load};
pub use dataset::{Dataset, Geometry, ImageShape, Labels};
