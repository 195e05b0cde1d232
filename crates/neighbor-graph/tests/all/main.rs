//! The tests of this crate, in one program; tests of memory are programs of their own.

#[path = "../common/mod.rs"]
mod common;

mod approximate;
mod approximate_sparse;
mod components;
mod graph;
mod index;
mod metrics;
mod policies;
mod radii;
mod search;
mod shortcuts;
mod sparse;
mod views;
