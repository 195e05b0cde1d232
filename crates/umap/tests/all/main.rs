//! The tests of this crate, in one program; tests of memory are programs of their own.

mod contract;
mod curvature;
mod densmap;
mod graph;
mod surface;
mod targets;
mod umap;
