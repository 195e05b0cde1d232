//! Pictures: a [`Scene`] says what is where, [`svg`] and [`png`] write it.
//!
//! A scene is plain data, drawn from back to front, so that one description
//! gives both formats and a test can look at it. Nothing here is random and
//! nothing reads the clock: the same scene gives the same bytes.

pub mod color;
mod png;
mod scene;
mod svg;
pub mod text;
pub mod view;

pub use png::{encode, paint, png};
pub use scene::{Anchor, Area, Disc, Item, Picture, Scene, Type, Weight};
pub use svg::{escape, svg};
