//! Figures: a [`Scene`] describes a drawing, [`svg`] and [`png`] export it.
//!
//! Drawing gets data sets, embeddings, charts and strings; it uses no results,
//! which [`views`](crate::views) turns into these.
//!
//! A scene is plain data, drawn from back to front, so that one description
//! gives both formats and a test can look at it. Nothing here is random and
//! nothing reads the clock: the same scene gives the same bytes.

pub mod axes;
pub mod chart;
pub mod cloud;
pub mod color;
pub(crate) mod controls;
pub mod dataset;
mod decoded;
mod filmstrip;
pub mod heat;
pub mod images;
mod landmarks;
mod legend;
mod names;
pub mod number;
mod paint;
pub mod panel;
pub mod placement;
mod png;
mod scene;
mod shading;
mod slide;
pub mod spectra;
pub mod spectrum;
mod svg;
pub mod text;
pub mod view;

pub use axes::axes_scene;
pub use chart::chart_scene;
pub use cloud::plane;
pub use dataset::dataset_scene;
pub use decoded::{Decoded, decoded_scene};
pub use filmstrip::{Still, filmstrip_scene};
pub use heat::{draws_scene, heat_scene};
pub use landmarks::{Reconstruction, landmarks_scene};
pub use legend::legend;
pub(crate) use paint::LISTED;
pub use paint::{Legend, Paint};
pub(crate) use panel::principal_components;
pub use panel::{Content, Thumbnails, data_scene, panel_scene};
pub use placement::{PlacementPage, PlacementPanel, placement_scene};
pub use png::{encode, paint, png};
pub use scene::{Anchor, Area, Disc, Item, Picture, Scene, Type, Weight};
pub use shading::MOST_DISCS;
pub use slide::slide_scene;
pub use spectra::spectra_scene;
pub use spectrum::spectrum_scene;
pub use svg::{escape, svg};
