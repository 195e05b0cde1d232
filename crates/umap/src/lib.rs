//! UMAP: uniform manifold approximation and projection.
//!
//! [`Umap`] computes a weighted graph of neighbors, the [`FuzzyGraph`], and moves points
//! of the map until its edges are short and other pairs are apart.
//!
//! ```
//! use umap::{Method, Model, PointSet, Umap};
//! let groups: Vec<[f64; 2]> =
//!     (0..60).map(|i| [f64::from(i % 2) * 50.0 + f64::from(i) * 0.1, f64::from(i * 7 % 11)]).collect();
//! let fitted = Umap::default().fit(&PointSet::from_rows(&groups)?)?;
//! assert_eq!(fitted.embedding().row(0).len(), 2);
//! # Ok::<(), umap::Error>(())
//! ```
//!
//! Next: `tsne` for neighbor probabilities, `laplacian` for a spectral embedding of a
//! similar graph, `swissroll` for all methods together.

pub use embedding::{
    self, DistanceMatrix, Embedding, Error, Fitted, Input, Method, Model, PointSet, Points, Transform,
};
pub use neighbor_graph::{self, Neighborhood};

mod curvature;
mod curve;
mod curved;
mod density;
mod densmap;
mod edges;
mod fitted;
mod fitted_densmap;
mod forces;
mod fuzzy;
mod labels;
mod loss;
mod memory;
mod negative_samples;
mod optimizer;
mod pairs;
mod placing;
mod radii;
mod smooth;
mod start;
mod surface;
mod targets;
mod umap;

pub use curvature::smallest_curvatures;
pub use curve::Curve;
pub use densmap::Densmap;
pub use fitted::{CrossEntropy, FittedUmap};
pub use fitted_densmap::FittedDensmap;
pub use fuzzy::FuzzyGraph;
pub use labels::Target;
pub use placing::TransformSettings;
pub use radii::Radii;
pub use start::Start;
pub use surface::Surface;
pub use umap::Umap;
