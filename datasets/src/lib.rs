//! Data sets for manifold learning: synthetic manifolds with known true coordinates,
//! bundled real data, and readers and writers for data files.
//!
//! ```
//! let roll = datasets::generate("swiss-roll", 1000, 0)?;
//! let truth = roll.truth.as_ref().expect("synthetic sets have true coordinates");
//! assert_eq!((roll.points.dim(), truth.dim()), (3, 2));
//! # Ok::<(), embedding::Error>(())
//! ```
//!
//! [`list`] returns all data sets. All are deterministic for a given seed; sets sampled
//! point by point give prefixes of larger samples.
//!
//! Architecture invariant: this crate depends only on `embedding`, and is the only library of the workspace
//! that accesses files.

pub use embedding;

#[cfg(feature = "bundled")]
mod bundled;
mod catalog;
mod dataset;
pub mod files;
mod info;
mod labels;
mod pictures;
mod random;
mod sample;
mod suggestion;
pub mod synthetic;
pub mod text;

#[cfg(feature = "bundled")]
pub use bundled::{Reviews, reviews};
pub use catalog::{failures, find, generate, list, load};
pub use dataset::{Dataset, Geometry, ImageShape};
pub use info::{Info, Request};
pub use labels::{Labels, PerRow, Quantity, RowNames};
