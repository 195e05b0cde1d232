//! Repulsive forces between all pairs of points.

mod barnes_hut;
mod butterfly;
mod exact;
mod grid;
mod interpolation;
mod precision;
mod sums;
mod transform;

pub(crate) use barnes_hut::{BarnesHut, Tree};
pub(crate) use exact::{Exact, exact_normalization};
pub(crate) use interpolation::Interpolation;
pub(crate) use sums::Repulsion;
