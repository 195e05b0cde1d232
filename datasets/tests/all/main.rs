//! The tests of this crate, in one program; tests of memory are programs of their own.

#[path = "../common/read.rs"]
mod common;
#[path = "../common/damaged.rs"]
mod damaged;
#[path = "../common/stored.rs"]
mod stored;

mod bundled;
mod catalog;
mod columns;
mod dialects;
mod distances;
mod files;
mod folder;
mod idx;
mod json_lines;
mod layout;
mod mammoth;
mod missing;
mod mixed;
mod mutated;
mod other_programs;
mod pictures;
mod reading;
mod sparse;
mod suspicious;
mod synthetic;
mod text;
mod text_files;
mod thousands;
mod vectors;
