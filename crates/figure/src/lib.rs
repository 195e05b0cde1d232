//! Figures: a [`Scene`] describes a drawing, [`svg()`] and [`png()`] export it.
//!
//! The input is data sets, embeddings, curves and strings. This crate is independent of the results of a
//! run; `compare` turns results into these inputs.
//!
//! A scene is plain data, drawn from back to front. One description gives both formats, and
//! tests inspect it. Nothing here is random or reads the clock: the same scene gives the same
//! bytes.

mod axes;
mod chart;
pub mod cloud;
pub mod color;
pub mod controls;
pub mod curves;
pub mod dataset;
pub mod decoded;
pub mod filmstrip;
pub mod grid;
pub mod heat;
mod images;
pub mod landmarks;
mod legend;
mod names;
pub mod number;
pub mod paint;
pub mod panel;
pub mod placement;
mod png;
pub mod scene;
mod shading;
mod slide;
mod spectra;
pub mod spectrum;
mod svg;
pub mod text;
mod view;

pub use axes::axes_scene;
pub use chart::chart_scene;
pub use png::png;
pub use scene::Scene;
pub use slide::slide_scene;
pub use spectra::spectra_scene;
pub use svg::{inline_svg, svg};
