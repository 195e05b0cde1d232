//! The study: Isomap, LLE and t-SNE on digits, fruits and reviews, and two ways
//! of placing new digits into a map.
//!
//! A preset of [`run`](crate::run::run) with three additions:
//! [`separation()`] tells how far the classes come apart, by every set of
//! labels; [`place`] places new points by optimization and by a perceptron; and
//! [`LargestThatFits`] gives a method whose memory does not suffice for all
//! points the largest part of them for which it does.

mod files;
mod largest;
mod placement;
mod separation;

use serde::Serialize;

pub use files::{placement_csv, separation_csv, write};
pub use largest::{LargestThatFits, note_sizes};
pub use placement::{Placed, Placement, PlacementPlan, place};
pub use separation::{Separation, separation};

/// What the study adds to the results of a run.
#[derive(Clone, Debug, Serialize)]
pub struct StudyResults {
    /// By data set, by set of labels: the data itself, then every method.
    pub separation: Vec<Separation>,
    /// New points in a map.
    pub placement: Experiment,
}

/// How the experiment with new points ended.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "status", rename_all = "kebab-case")]
pub enum Experiment {
    /// They were placed.
    Done(Box<Placement>),
    /// They were not.
    Failed {
        /// Why, and what to try.
        reason: String,
    },
}

impl From<Result<Placement, embedding::Error>> for Experiment {
    fn from(placed: Result<Placement, embedding::Error>) -> Self {
        match placed {
            Ok(placement) => Self::Done(Box::new(placement)),
            Err(error) => Self::Failed { reason: error.to_string() },
        }
    }
}
