//! Figures and sentences about results: turns [`results`](crate::results) into the
//! inputs of `figure` and into sentences.

pub(crate) mod axes;
pub(crate) mod dataset;
pub(crate) mod diagnosis;
pub(crate) mod drivers;
pub(crate) mod panel;
pub(crate) mod placement;
pub(crate) mod scores;
pub(crate) mod spectra;
pub(crate) mod sweep;
pub(crate) mod trust;
pub(crate) mod verdict;
use crate::results::Frame;

use figure::filmstrip::Still;
pub(crate) use scores::words;

/// The states of an iterative method, to be drawn.
pub(crate) fn stills(frames: &[Frame]) -> Vec<Still<'_>> {
    frames
        .iter()
        .map(|frame| Still {
            iteration: frame.iteration,
            objective: frame.objective,
            coordinates: frame.coordinates.as_ref(),
        })
        .collect()
}
