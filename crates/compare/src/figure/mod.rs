//! Figures: a [`Scene`] describes a drawing, [`svg`] and [`png`] export it.
//!
//! Drawing gets data sets, embeddings, charts and strings; it uses no results,
//! which [`views`](crate::views) turns into these.
//!
//! A scene is plain data, drawn from back to front, so that one description
//! gives both formats and a test can look at it. Nothing here is random and
//! nothing reads the clock: the same scene gives the same bytes.

pub(crate) mod axes;
pub(crate) mod chart;
pub(crate) mod cloud;
pub(crate) mod color;
pub(crate) mod controls;
pub(crate) mod dataset;
mod decoded;
mod filmstrip;
pub(crate) mod grid;
pub(crate) mod heat;
pub(crate) mod images;
mod landmarks;
mod legend;
mod names;
pub(crate) mod number;
mod paint;
pub(crate) mod panel;
pub(crate) mod placement;
mod png;
pub(crate) mod scene;
mod shading;
mod slide;
pub(crate) mod spectra;
pub(crate) mod spectrum;
mod svg;
pub(crate) mod text;
pub(crate) mod view;

pub(crate) use axes::axes_scene;
pub(crate) use chart::chart_scene;
pub(crate) use dataset::dataset_scene;
pub(crate) use decoded::{Decoded, decoded_scene};
pub(crate) use filmstrip::{Still, filmstrip_scene};
pub(crate) use grid::grid_scene;
pub(crate) use heat::{draws_scene, heat_scene};
pub use landmarks::{Reconstruction, landmarks_scene};
pub(crate) use paint::LISTED;
pub(crate) use paint::Legend;
pub use paint::Paint;
pub(crate) use panel::principal_components;
pub(crate) use panel::{Thumbnails, data_scene, panel_scene};
pub(crate) use placement::{PlacementPage, PlacementPanel, placement_scene};
pub use png::png;
pub use scene::Scene;
pub(crate) use slide::slide_scene;
pub(crate) use spectra::spectra_scene;
pub(crate) use svg::{escape, svg};
