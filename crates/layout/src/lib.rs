//! Shared parts of the layouts that move points by pairs and triplets: UMAP, PaCMAP, TriMap and
//! their variants.
//!
//! - [`ReducedPoints`]: the points of an input in a limited number of columns, with the
//!   neighbor lists from which pairs are selected.
//! - [`ScaledNeighbors`]: neighbors by distances relative to the scale of both points.
//! - [`Sampler`]: distinct random points among those that are not excluded, and
//!   [`for_each_point`], which draws in parallel.
//! - [`Start`]: initial coordinates.
//! - [`Reporter`] and [`History`]: maps after every iteration, losses, and the end.
//! - [`on_pool`]: runs an optimization on the threads of the pool.
//! - [`Vectors`]: differences of points of the plane, eight at a time.
//! - [`Placing`]: the data that a model stores to place new points.
//!
//! ```
//! use embedding::Points;
//! use layout::ScaledNeighbors;
//! use neighbor_graph::NeighborSearch;
//! let line = [0.0, 1.0, 2.0, 4.0, 8.0];
//! let candidates = NeighborSearch::nearest(4).find(Points::new(&line, 1)?)?;
//! let neighbors = ScaledNeighbors::select(&candidates, 2);
//! assert_eq!(neighbors.of(0), &[1, 2]);
//! # Ok::<(), embedding::Error>(())
//! ```
//!
//! Architecture invariant: this crate has no method, and no loop over iterations.

pub use {embedding, neighbor_graph};

mod measured;
mod memory;
mod observer;
mod placing;
mod pool;
mod reduced_points;
mod sampler;
mod scaled_neighbors;
mod simd2;
mod start;

pub use memory::Bytes;
pub use observer::{History, Reporter, embedding_of};
pub use placing::Placing;
pub use pool::on_pool;
pub use reduced_points::{Preparation, ReducedPoints, Training};
pub use sampler::{Sampler, for_each_point, stream};
pub use scaled_neighbors::{ScaledNeighbors, Scales};
pub use simd2::{LANES, Vectors};
pub use start::{Start, given_coordinates};
