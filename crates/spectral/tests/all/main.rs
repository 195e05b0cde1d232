//! The tests of this crate, in one program; tests of memory are programs of their own.

#[path = "../common/mod.rs"]
mod common;

mod affine;
mod by_products;
mod choice;
mod dense;
mod exact_integer_gram;
mod extra_eigenvalues;
mod largest;
mod principal;
mod rayleigh_ritz;
mod smallest;
mod sparse;
mod speed;
mod tolerance;
