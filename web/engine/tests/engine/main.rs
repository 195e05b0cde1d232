//! The engine, natively: the same function that the WebAssembly module exports.
#![expect(clippy::unwrap_used, reason = "tests")]

mod client;
mod data;
mod drivers;
mod failures;
mod fit;
mod graph;
mod invert;
mod lists;
mod maps;
mod trust;
