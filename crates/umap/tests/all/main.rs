//! The tests of this crate, in one program; those of memory are programs of their own.

mod contract;
mod curvature;
mod densmap;
mod graph;
mod umap;
