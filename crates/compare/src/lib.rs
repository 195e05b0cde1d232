//! Runs manifold-learning methods on data sets, evaluates them and draws figures.
//!
//! The library behind the program `compare` exports its command line, [`cli`], the page in which
//! methods run live, [`lab`], and the default memory limit, [`memory`]. It also exports the models of old and new
//! rows, [`update`], and the maps of several data sets, [`align`]. `methods` finds every
//! method by name, and `run` fits them to data sets on one shared neighbor graph. `results` is plain
//! data and imports no other module of this crate. `verdict` recommends maps by their scores. `views` turns results
//! into the inputs of the crate `figure`, `report` makes a page of them, `film` a page of aligned maps, and `output`
//! writes files.

pub mod align;
mod applicability;
mod checkpoint;
mod choose;
pub mod cli;
mod cost;
mod dataset_names;
mod dataset_source;
mod document;
mod failure;
mod film;
mod folder;
mod graph;
mod history;
pub mod lab;
mod map_grid;
mod measures;
pub mod memory;
mod methods;
mod output;
mod progress;
mod report;
mod results;
mod run;
#[cfg(test)]
mod sample;
mod stopwatch;
mod study;
mod suggestion;
pub mod update;
mod verdict;
mod views;

pub(crate) use failure::Failure;
