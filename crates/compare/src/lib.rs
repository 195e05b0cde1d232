//! Runs manifold-learning methods side by side, measures them, and draws what
//! they found.
//!
//! The library behind the program `compare`. [`methods`] knows every method by
//! name, [`run::run`] drives them over data sets on one shared neighbor graph,
//! [`results`] is what comes out, [`figure`] draws it, [`report`] makes a page
//! of it, [`output`] writes it down, and [`cli`] is the command line.

pub mod cli;
mod failure;
pub mod figure;
mod graph;
mod history;
pub mod measures;
pub mod memory;
pub mod methods;
pub mod output;
pub mod progress;
pub mod report;
pub mod results;
pub mod run;
pub mod stopwatch;
pub mod study;
mod suggestion;

pub use failure::Failure;
