//! Runs manifold-learning methods on data sets, evaluates them and draws figures.
//!
//! The library behind the program `compare`. [`methods`] knows every method by
//! name, [`run::run`] drives them over data sets on one shared neighbor graph,
//! [`results`] is what comes out, plain data that imports nothing of this crate
//! but [`chart`]. [`figure`] draws and uses no results; [`views`] turns results
//! into its inputs. [`report`] makes a page of them, [`output`] writes it down,
//! and [`cli`] is the command line. [`lab`] writes the page in which methods run live.

mod applicability;
pub mod chart;
pub mod cli;
mod failure;
pub mod figure;
pub mod folder;
mod graph;
mod history;
pub mod lab;
pub mod measures;
pub mod memory;
pub mod methods;
pub mod output;
pub mod places;
pub mod progress;
pub mod report;
pub mod results;
pub mod run;
#[cfg(test)]
mod sample;
pub mod stopwatch;
pub mod study;
mod suggestion;
mod unfinished;
pub mod views;

pub use failure::Failure;
pub use unfinished::Unfinished;
