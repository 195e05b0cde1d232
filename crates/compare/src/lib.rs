//! Runs manifold-learning methods on data sets, evaluates them and draws figures.
//!
//! The library behind the program `compare`. [`methods`] lists all methods by name,
//! [`run::run`] applies them to data sets with one shared neighbor graph, [`results`]
//! holds the results, [`figure`] draws them, [`report`] writes an HTML page, [`output`]
//! writes all files, and [`cli`] is the command line.

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
