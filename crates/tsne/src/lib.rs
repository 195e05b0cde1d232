//! t-SNE: t-distributed stochastic neighbor embedding.
//!
//! The method is [`Tsne`]. [`Affinities`] are the joint probabilities of the data, and
//! [`Gradient`] selects how forces between all pairs are computed.

pub use embedding::{
    DistanceMatrix, DynMethod, Embedding, Error, Fitted, Input, Method, Model, PointSet, Points, Transform,
};

mod affinities;
mod attraction;
#[cfg(test)]
mod gradients;
mod kernel;
mod lanes;
mod optimize;
mod perplexity;
mod place;
mod repulsion;
mod start;
mod tsne;

pub use affinities::Affinities;
pub use place::Placing;
pub use repulsion::Gradient;
pub use start::Start;
pub use tsne::{Divergence, FittedTsne, LearningRate, Schedule, Tsne};
