//! The program, as it is typed.

#![expect(clippy::unwrap_used, reason = "tests")]

mod advice;
mod align;
mod bad_input;
mod choose;
mod columns;
mod commands;
mod continued;
mod diagnosis;
mod digest;
mod dimension;
mod documents;
mod drivers;
mod fixed;
#[cfg(unix)]
mod forms;
mod interrupt;
mod invert;
mod lab;
mod metrics;
mod mixed;
mod models;
#[cfg(unix)]
mod outputs;
mod own_data;
mod plan;
mod recorded;
mod rows;
mod run;
mod sparse;
mod sparse_run;
mod starts;
mod study;
mod suspicious;
mod sweep;
mod targets;
mod temp_folder;
mod trust;
mod update;
mod verdict;
mod wrong_usage;
