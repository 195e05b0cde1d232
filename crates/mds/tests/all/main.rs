//! The tests of this crate, in one program; tests of memory are programs of their own.

mod axes;
mod classical_mds;
mod contract;
mod definitions;
mod distances;
mod european_cities;
mod iterative;
mod landmark_mds;
mod models;
mod settings;
