//! The engine of the web page: the methods, data sets and measures of the library behind
//! one message protocol.
//!
//! [`Engine::call`] takes a request and returns the answer, both as bytes: a JSON header
//! and blocks of numbers ([`message`]). The types of all messages, with their meaning, are
//! in `web/page/src/protocol.ts`. While a request is processed, an event function receives
//! stages, steps and the states of iterative methods.
//!
//! The same function is called natively (tests, tools) and, through three exports, in
//! WebAssembly. Lists of methods, parameters, data sets and measures are computed from the
//! registry and the catalogs: no method is named here, and a new one needs no change.
//!
//! Architecture invariant: this crate computes nothing itself; it reads no file, clock or
//! environment.

mod command;
mod data;
mod describe;
mod diagnose;
mod drivers;
mod engine;
#[cfg(target_arch = "wasm32")]
mod exports;
mod failure;
mod fit;
mod graph;
mod invert;
mod learned;
pub mod message;
mod observer;
mod request;
mod scores;
mod state;
mod stored;
mod trust;
mod warnings;

pub use state::Engine;
