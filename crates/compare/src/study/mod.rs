//! The study: Isomap, LLE and t-SNE on digits, fruits and reviews, and placement of new
//! digits in a map by two methods.
//!
//! A preset of [`run`](crate::run::run) with three additions: [`separation()`] measures
//! the separation of classes for every label set; [`place`] places new points by
//! optimization and by a perceptron; [`LargestThatFits`] runs a method on the largest
//! subset of points that fits its memory limit.

mod files;
mod largest;
mod placement;
mod separation;

use serde::Serialize;

pub use files::{placement_csv, separation_csv, write};
pub use largest::{LargestThatFits, note_sizes};
pub use placement::{Placed, Placement, PlacementPlan, place};
pub use separation::{Separation, separation};

/// Additional results of the study.
#[derive(Clone, Debug, Serialize)]
pub struct StudyResults {
    /// By data set and label set: the original data, then every method.
    pub separation: Vec<Separation>,
    /// New points in a map.
    pub placement: Experiment,
}

/// Outcome of the placement experiment.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "status", rename_all = "kebab-case")]
pub enum Experiment {
    /// The points were placed.
    Done(Box<Placement>),
    /// The experiment failed.
    Failed {
        /// The reason, with advice.
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
