//! The tests of this crate, in one program; tests of memory are programs of their own.

mod components;
mod contract;
mod distances;
mod factors;
mod linear;
mod scikit_learn;
mod sparse;
