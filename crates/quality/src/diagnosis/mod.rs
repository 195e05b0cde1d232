//! Diagnoses: sentences that name what spoils a map, one function per cause, from what was
//! measured and not from the name of the method, and what its axes mean. Reports, terminal
//! and page print the same ones.

mod axes;
mod extent;
mod graph;
mod map;
mod torn;

pub use axes::axes;
pub use extent::{concentrated, inner, places};
pub use graph::{Found, components, count_shortcuts, shortcuts};
pub use map::{Shape, by_truth, collapse};
