//! The tests of this crate, in one program; tests of memory are programs of their own.

mod conformal_isomap;
mod contract;
mod isomap;
mod scikit_learn;
mod variants;
