#![doc = include_str!("../../README.md")]

pub mod columns;
mod registry;
pub mod standardized;

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

pub use embedding::{
    DistanceMatrix, DynMethod, DynModel, Embedding, Error, Fitted, Input, Method, Metric, Model, PointSet,
    Points, Transform,
};
pub use neighbor_graph::{Components, Duplicates, Neighborhood, Pieces};
pub use registry::{MethodAndModel, load, method, methods};
