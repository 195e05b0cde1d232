//! The tests of this crate, in one program.

mod conversions;
mod daisy;
mod data;
mod metrics;
mod mixed;
mod persist;
mod product;
mod ranges;
