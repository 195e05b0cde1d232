//! The tests of this crate, in one program; tests of memory are programs of their own.

#[path = "../common/mod.rs"]
mod common;

mod alternation;
mod bridges;
mod contract;
mod definitions;
mod distances;
mod manifolds;
mod models;
mod octagon;
mod pipeline;
mod quadratic;
mod refinement;
mod refused;
mod scales;
mod steps;
mod unfolding;
mod unfolding_contract;
mod variance;
