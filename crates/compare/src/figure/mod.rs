//! Pictures: a [`Scene`] says what is where, [`svg`] and [`png`] write it.
//!
//! A scene is plain data, drawn from back to front, so that one description
//! gives both formats and a test can look at it. Nothing here is random and
//! nothing reads the clock: the same scene gives the same bytes.

pub mod chart;
pub mod cloud;
pub mod color;
pub mod dataset;
mod filmstrip;
pub mod images;
mod landmarks;
mod legend;
pub mod measure;
pub mod number;
mod paint;
pub mod panel;
mod placement;
mod png;
#[cfg(test)]
pub(crate) mod sample;
mod scene;
mod slide;
pub mod spectra;
pub mod spectrum;
mod svg;
pub mod text;
pub mod view;

pub use chart::{Chart, chart_scene};
pub use dataset::{dataset_scene, painted_scene};
pub use filmstrip::filmstrip_scene;
pub use landmarks::{Reconstruction, landmarks_scene};
pub use legend::legend;
pub use paint::{Legend, Paint};
pub use panel::{Thumbnails, data_scene, method_scene};
pub use placement::{percent, placement_caption, placement_scene};
pub use png::{encode, paint, png};
pub use scene::{Anchor, Area, Disc, Item, Picture, Scene, Type, Weight};
pub use slide::slide_scene;
pub use spectra::spectra_scene;
pub use spectrum::spectrum_scene;
pub use svg::{escape, svg};
