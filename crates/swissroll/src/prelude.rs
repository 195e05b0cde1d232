//! The types that most programs name, for `use swissroll::prelude::*;`.

pub use embedding::mixed::MixedColumns;
pub use embedding::{
    DistanceMatrix, DynMethod, DynModel, Embedding, Error, Fitted, Input, Method, Metric, Model, PointSet,
    Points, Transform,
};
pub use neighbor_graph::{ComponentFits, Components, Duplicates, Neighborhood};
