//! TriMap: a layout by weighted triplets of points.
//!
//! A triplet (i, j, k) states that i is closer to j than to k. [`Trimap`] samples triplets of neighbors and
//! of random points, weights them by scaled distances, and moves the points of the map until triplets of as
//! much weight as possible hold.
//!
//! ```
//! use trimap::{Method, Model, PointSet, Trimap};
//! let groups: Vec<[f64; 2]> =
//!     (0..60).map(|i| [f64::from(i % 2) * 50.0 + f64::from(i) * 0.1, f64::from(i * 7 % 11)]).collect();
//! let fitted = Trimap::default().fit(&PointSet::from_rows(&groups)?)?;
//! assert_eq!(fitted.embedding().len(), 60);
//! # Ok::<(), trimap::Error>(())
//! ```
//!
//! Next: `pacmap` for layouts by pairs, `umap` for a layout of a weighted graph, `swissroll`
//! for all methods together.

pub use embedding::{
    self, DistanceMatrix, Embedding, Error, Fitted, Input, Method, Model, PointSet, Points, Transform,
};
pub use layout::Start;
pub use neighbor_graph::{self, Deduplicated, Duplicates};

mod descent;
mod fitted;
mod forces;
mod memory;
mod optimize;
mod placing;
mod trimap;
mod triplets;
mod weights;

pub use descent::Descent;
pub use fitted::FittedTrimap;
pub use trimap::Trimap;
