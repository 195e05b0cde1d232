//! What is stored with a model: names, kinds and units of columns, the parameters of the fit, the rotation of the map.
//!
//! [`load`](crate::load) reads all such models.

pub mod columns;
pub mod mixed;
pub mod recipe;
pub mod rotated;
pub mod standardized;
