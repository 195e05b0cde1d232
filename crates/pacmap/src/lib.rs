//! PaCMAP and LocalMAP: layouts by near, mid-near and further pairs.
//!
//! [`Pacmap`] selects three kinds of pairs of points and moves the points of the map until
//! near and mid-near pairs are close and further pairs apart. [`Localmap`] reweights near
//! pairs and draws further pairs again while it moves them, which separates clusters.
//!
//! ```
//! use pacmap::{Localmap, Method, Model, Pacmap, PointSet};
//! let groups: Vec<[f64; 2]> =
//!     (0..60).map(|i| [f64::from(i % 2) * 50.0 + f64::from(i) * 0.1, f64::from(i * 7 % 11)]).collect();
//! let points = PointSet::from_rows(&groups)?;
//! assert_eq!(Pacmap::default().fit(&points)?.embedding().row(0).len(), 2);
//! assert_eq!(Localmap::default().fit(&points)?.embedding().len(), 60);
//! # Ok::<(), pacmap::Error>(())
//! ```
//!
//! Next: `umap` for a layout of a weighted graph, `tsne` for neighbor probabilities,
//! `swissroll` for all methods together.

pub use embedding::{
    self, DistanceMatrix, Embedding, Error, Fitted, Input, Method, Model, PointSet, Points, Transform,
};
pub use layout::Start;
pub use neighbor_graph::{self, Deduplicated, Duplicates};

mod fitted;
mod forces;
mod localmap;
mod loss;
mod memory;
mod nearby;
mod optimize;
mod pacmap;
mod pairs;
mod phases;
mod placing;

pub use fitted::FittedPacmap;
pub use localmap::Localmap;
pub use loss::Saturation;
pub use pacmap::Pacmap;
pub use phases::{Phase, Phases};
