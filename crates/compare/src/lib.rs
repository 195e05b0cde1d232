//! Runs manifold-learning methods side by side, measures them, and draws what
//! they found.

pub mod figure;
pub mod results;
