//! Which points of a map can be trusted.

mod directions;
mod perturbation;

pub use directions::{Directions, Length};
pub use perturbation::{Perturbation, PerturbationScores};
