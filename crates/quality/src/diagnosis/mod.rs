//! Diagnoses: sentences that name what spoils a map, and what its axes mean.
//!
//! There is one function per cause; it reads measured values, not the name of the method. Reports, terminal
//! and page show the same sentences: [`collapse`](collapse()), [`by_truth`], [`components`], [`shortcuts`],
//! [`axes`](axes()), [`classes`](classes()).

mod axes;
mod classes;
mod collapse;
mod extent;
mod graph;
mod tears_and_overlaps;
mod tight_clusters;
mod truth;

pub use axes::axes;
pub use classes::classes;
pub use collapse::collapse;
pub use extent::{count_concentrated, inner_points};
pub use graph::{Found, components, count_shortcuts, shortcuts};
pub use tight_clusters::tight_clusters;
pub use truth::{Shape, by_truth};
