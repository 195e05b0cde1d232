//! The tests of this crate, in one program.

mod coincident;
mod continued;
mod copies;
mod drivers;
mod explanations;
mod fixed;
mod further_eigenvalues;
mod golden_models;
mod inputs;
mod inverse;
mod listed;
mod memory_of_more_points;
mod metrics;
mod mixed;
mod near_training;
mod odd_inputs;
mod recorded;
mod row_weights;
mod saved_models;
mod scales;
mod scikit_learn;
mod sparse;
mod standardized;
mod starts;
mod tasks;
