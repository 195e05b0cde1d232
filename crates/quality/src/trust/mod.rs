//! Which points of a map can be trusted, whether the map shows structure of the data, and which setting of
//! a method to choose.

mod choice;
mod directions;
mod fit_rows;
mod perturbation;
mod stability;
mod structure;

pub use choice::{CRITERIA, Choice, Criteria, Criterion, choose, pbic, singular_fraction};
pub use directions::{Directions, Length};
pub use perturbation::{Perturbation, PerturbationScores};
pub use stability::{Draw, Stability, StabilityScores};
pub use structure::{Structure, StructureFound, area};
