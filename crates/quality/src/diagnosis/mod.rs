//! Diagnoses: sentences that name what spoils a map, one function per cause, from what was
//! measured and not from the name of the method. Reports, terminal and page print the same
//! ones.

mod extent;
mod graph;
mod map;

pub use extent::{concentrated, inner};
pub use graph::{components, count_shortcuts, shortcuts};
pub use map::{collapse, left_out, stretched};
