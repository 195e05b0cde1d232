//! Runs manifold-learning methods on data sets, evaluates them and draws figures.
//!
//! The library behind the program `compare`, which exports its command line, [`cli`], the page in which
//! methods run live, [`lab`], the default limit of memory, [`memory`], and [`landmarks_scene`], the
//! figure of an example. `methods` knows every method by name, `run` drives them over data sets on one
//! shared neighbor graph, `results` is what comes out, plain data that imports nothing of this crate but
//! `chart`. `figure` draws and uses no results; `views` turns results into its inputs. `report` makes a
//! page of them, and `output` writes it down.

mod applicability;
mod chart;
pub mod cli;
mod failure;
mod figure;
mod folder;
mod graph;
mod history;
pub mod lab;
mod loaded;
mod measures;
pub mod memory;
mod methods;
mod output;
mod places;
mod progress;
mod report;
mod results;
mod run;
#[cfg(test)]
mod sample;
mod stopwatch;
mod study;
mod suggestion;
mod unfinished;
mod views;

pub use figure::{Paint, Reconstruction, Scene, landmarks_scene, png};

pub(crate) use failure::Failure;
