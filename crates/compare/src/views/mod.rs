//! What is drawn and said of results: turns [`results`](crate::results) into the
//! inputs of [`figure`](crate::figure) and into sentences.

pub mod axes;
pub mod dataset;
pub mod diagnosis;
pub mod panel;
pub mod placement;
pub mod scores;
pub mod spectra;
pub mod sweep;

use crate::figure::Still;
use crate::results::Frame;

pub use scores::words;

/// The states of an iterative method, to be drawn.
pub fn stills(frames: &[Frame]) -> Vec<Still<'_>> {
    frames
        .iter()
        .map(|frame| Still {
            iteration: frame.iteration,
            objective: frame.objective,
            coordinates: frame.coordinates.as_ref(),
        })
        .collect()
}
