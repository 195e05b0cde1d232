//! The study: Isomap, LLE, t-SNE and UMAP on digits, fruits and reviews, and placement of new
//! digits in a map by two methods.
//!
//! A preset of [`run`](crate::run::run) with three additions: [`separation()`] measures
//! the separation of classes for every label set; [`place`] places new points by
//! optimization and by a perceptron; [`LargestThatFits`] runs a method on the largest
//! subset of points that fits its memory limit.

mod files;
mod largest;
mod placement;
mod separation;

pub(crate) use files::{write, written};
pub(crate) use largest::{LargestThatFits, note_sizes};
pub(crate) use placement::{PlacementPlan, place};
pub(crate) use separation::separation;
