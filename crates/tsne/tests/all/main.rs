//! The tests of this crate, in one program; tests of memory are programs of their own.

mod contract;
mod curvature;
mod draws;
mod estimates;
mod placing;
mod scales;
mod starts;
mod steps;
mod tear;
mod ties;
mod tsne;
