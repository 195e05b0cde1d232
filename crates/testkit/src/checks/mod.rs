//! The checks, one idea per file. Each is a method of [`crate::Contract`] that
//! panics with the method's name and what was asked when a promise is broken.

mod copies;
mod degenerate;
mod determinism;
mod disconnected;
mod inputs;
mod invariance;
mod limits;
mod observer;
mod plain;
