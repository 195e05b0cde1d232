//! The program, as it is typed.

#![expect(clippy::unwrap_used, reason = "tests")]

mod bad_input;
mod commands;
mod models;
mod place;
mod run;
mod study;
