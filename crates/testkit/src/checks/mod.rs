//! The checks, one idea per file. Each is a method of [`crate::Contract`]. When a promise is broken, it
//! panics with the method's name and the case.

mod copies;
mod degenerate;
mod determinism;
mod disconnected;
mod inputs;
mod invariance;
mod limits;
mod observer;
mod plain;
