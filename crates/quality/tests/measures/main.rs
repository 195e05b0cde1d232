//! One test program for all measures; one module per source file.
#![expect(clippy::unwrap_used, reason = "tests")]

mod arrangement;
mod bounds;
mod classification;
mod common;
mod coranking;
mod diagnosis;
mod dimension;
mod drivers;
mod ellipses;
mod list;
mod local;
mod original;
mod per_point;
mod procrustes;
mod residual_variance;
mod row_samples;
mod scales;
mod silhouette;
mod stability;
mod stress;
mod trust;
mod trustworthiness;
