//! The tests of this crate, in one program; tests of memory are programs of their own.

#[path = "../common/mod.rs"]
mod common;

mod contract;
mod distances;
mod duplicates;
mod family;
mod from_landmarks;
mod lle;
mod models;
mod refusals;
mod scikit_learn;
