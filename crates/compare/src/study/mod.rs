//! The study: Isomap, LLE and t-SNE on digits, fruits and reviews, and two ways
//! of placing new digits into a map.
//!
//! A preset of [`run`](crate::run::run) with three additions:
//! [`separation()`] tells how far the classes come apart, by every set of
//! labels; [`place`] places new points by optimization and by a perceptron; and
//! [`LargestThatFits`] gives a method whose memory does not suffice for all
//! points the largest part of them for which it does.

mod files;
mod largest;
mod placement;
mod separation;

pub use files::{placement_csv, separation_csv, write};
pub use largest::{LargestThatFits, note_sizes};
pub use placement::{PlacementPlan, place};
pub use separation::separation;
