//! The vocabulary of manifold learning: [`Points`] in, an [`Embedding`] out, the
//! interface of all methods, and one [`Error`].
//!
//! - [`Points`] (borrowed) and [`PointSet`] (owned): n points in D dimensions,
//!   one per row, every value finite; checked once, on construction.
//! - [`SparsePoints`] and [`SparsePointSet`]: the same in compressed rows, without their zeros.
//! - [`Neighbors`] and [`DistanceMatrix`]: neighbor lists and pairwise distances;
//!   [`NewNeighbors`]: lists of new points.
//! - [`Data`]: the data to embed: [`Rows`] (dense or sparse points), distances or neighbor lists.
//! - [`Input`]: the input of a fit: data and, where given, a [`Metric`], neighbor lists, labels,
//!   an [`Observer`] and a [`MemoryLimit`].
//! - [`Recipe`]: a struct whose fields declare the parameters of a method.
//! - [`Method`]: a recipe with its description and `fit`; [`DynMethod`] is its object-safe form.
//! - [`Model`], [`Transform`], [`Fitted`]: the coordinates of a fitted model, new
//!   points, and the facts it reports.
//! - [`mixed`]: tables with categories and gaps, for the metrics that compare them.
//! - [`implement`]: items that only authors of methods need.
//! - [`persist`]: fitted models as bytes and back, with version and checksum.
//!
//! ```
//! use embedding::PointSet;
//! let rows = vec![vec![0.0, 1.0], vec![2.0, 3.0], vec![4.0, 6.0]];
//! let points = PointSet::from_rows(&rows)?;
//! assert_eq!((points.len(), points.dim()), (3, 2));
//! # Ok::<(), embedding::Error>(())
//! ```
//!
//! # Matrices of other libraries
//!
//! Rows in vectors need nothing but [`PointSet::from_rows`], and
//! `embedding.rows().map(<[f64]>::to_vec).collect::<Vec<_>>()` returns coordinates as
//! such rows; rows in arrays are viewed by `Points::try_from(&rows[..])`. The features
//! `ndarray` (version 0.17) and `nalgebra` (0.35), off by default and present in every
//! method crate, add conversions that check as [`Points::new`]:
//!
//! | from | to | |
//! |---|---|---|
//! | `ArrayView2<f64>` or `<f32>`, standard layout | [`Points`] | a view |
//! | `ArrayView2<f64>`, `&Array2<f64>` | [`PointSet`] | a copy |
//! | `&DMatrix<f64>` | [`PointSet`] | a copy |
//! | `&Embedding` | `Array2<f64>`, `DMatrix<f64>` | a copy |
//!
//! ```
//! # #[cfg(feature = "ndarray")] {
//! use embedding::{Error, Method, Model, Points};
//! use ndarray::Array2;
//! fn embed(recipe: &impl Method, data: &Array2<f64>) -> Result<Array2<f64>, Error> {
//!     let fitted = recipe.fit(Points::try_from(data.view())?)?;
//!     Ok(fitted.embedding().into())
//! }
//! # }
//! ```
//!
//! # Single precision
//!
//! `Points<f32>` is a view of values in single precision. `neighbor_graph::NeighborSearch` finds
//! the same lists as for a copy in double precision; above 8 columns it makes no copy. Every
//! method that accepts neighbors can be fitted to these lists: Isomap, landmark Isomap,
//! C-Isomap, Laplacian eigenmaps, diffusion maps, UMAP, densMAP and t-SNE. The perplexity
//! of t-SNE is then at most the length of the lists. Such models place new points by their
//! [`NewNeighbors`].
//! Everything else takes [`Points::widened`], a copy in double precision.
//!
//! The methods are in crates of their own; the crate `swissroll` has them all.
//!
//! Architecture invariant: this crate depends on no other crate of the
//! workspace but its derive macro, prints nothing, reads no file, no clock and no environment.

mod conversions;
mod coordinates;
mod data;
mod distance;
mod distance_matrix;
mod dynamic;
mod error;
mod explanation;
mod extremes;
mod fact;
mod fixed;
mod further;
pub mod implement;
mod input;
mod labels;
mod linear_map;
mod lowered;
mod mean;
mod memory;
mod method;
mod metric;
mod metric_points;
pub mod mixed;
mod mixed_rows;
mod neighborhood;
mod neighbors;
mod new_neighbors;
mod normal;
mod observer;
mod owned_data;
mod pair_distances;
mod parameter;
pub mod persist;
mod points;
mod product;
mod range;
mod row_weights;
mod rows;
mod scalar;
mod sparse_distance;
mod sparse_metric_points;
mod sparse_points;
mod start;
mod status;
mod suggestion;
mod training_points;
mod training_rows;
mod transform;
mod validate;
mod value;

pub use coordinates::Embedding;
pub use data::{Data, DataKind};
pub use distance_matrix::DistanceMatrix;
pub use dynamic::{DynMethod, DynModel};
pub use embedding_derive::Recipe;
pub use error::{Error, Remedy};
pub use explanation::Explanation;
pub use fact::{FactInfo, PerPoint, Report};
/// The linear algebra library whose matrix views (`MatRef`, `Mat`) are part of this interface.
pub use faer;
pub use input::Input;
pub use labels::Labels;
pub use linear_map::LinearMap;
pub use memory::MemoryLimit;
pub use method::{About, Fitted, Method};
pub use metric::Metric;
pub use neighborhood::Neighborhood;
pub use neighbors::{Neighbors, Search};
pub use new_neighbors::NewNeighbors;
pub use observer::{Iteration, Observer, Silent};
pub use parameter::{ParameterInfo, Recipe};
pub use points::{PointSet, Points};
pub use rows::Rows;
pub use sparse_points::{SparsePointSet, SparsePoints};
pub use status::Status;
pub use training_rows::TrainingRows;
pub use transform::{Model, Transform};
