//! What the study found.

use datasets::Labels;
use embedding::Status;
use faer::Mat;
use regression::{Perceptron, ValidationError};
use serde::Serialize;

use super::MethodResults;

/// What the study adds to the results of a run.
#[derive(Clone, Serialize)]
pub(crate) struct StudyResults {
    /// By data set, by set of labels: the data itself, then every method.
    pub separation: Vec<Separation>,
    /// New points in a map.
    pub placement: Experiment,
}

/// How the experiment with new points ended.
#[derive(Clone, Serialize)]
#[serde(tag = "status", rename_all = "kebab-case")]
pub(crate) enum Experiment {
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

/// The classes of one set of labels, in the data or in one map of it.
#[derive(Clone, PartialEq, Serialize)]
pub(crate) struct Separation {
    /// The data set.
    pub dataset: String,
    /// What the classes are.
    pub labels: String,
    /// The method; `None` for the data itself.
    pub method: Option<String>,
    /// The number of points.
    pub n: usize,
    /// The neighborhood size of accuracy and trustworthiness.
    pub k: usize,
    /// The fraction of points whose class is the most frequent one among their k nearest.
    pub knn_accuracy: Option<f64>,
    /// How much nearer a point's own class is than the next.
    pub silhouette: Option<f64>,
    /// Are neighbors in the map neighbors in the data.
    pub trustworthiness: Option<f64>,
}

/// The map, and the new points in it.
#[derive(Clone, Serialize)]
pub(crate) struct Placement {
    /// The data set.
    pub dataset: String,
    /// Points of the map.
    pub known: usize,
    /// Points placed into it.
    pub new: usize,
    /// The neighborhood size of the accuracies.
    pub k: usize,
    /// The fraction of new points whose class is the most frequent one among their k nearest
    /// known points, in the data itself.
    pub data_accuracy: f64,
    /// The fraction of known points whose class is the most frequent one among their k nearest
    /// others, in the map.
    pub map_accuracy: f64,
    /// How the map was made, and what was found out about it.
    pub map: MethodResults,
    /// By optimization, then by the perceptron.
    pub placed: Vec<Placed>,
    /// What learned the map.
    pub perceptron: Perceptron,
    /// Its error on known points held out of its training.
    pub validation: ValidationError,
    /// How its training ended; iterations are epochs.
    pub training: Status,
    /// The classes, of known points first.
    #[serde(skip)]
    pub labels: Labels,
    /// Where the known points are, n × 2.
    #[serde(skip)]
    pub coordinates: Mat<f64>,
}

/// New points, placed in one way.
#[derive(Clone, Serialize)]
pub(crate) struct Placed {
    /// How: `optimization` or `perceptron`.
    pub by: String,
    /// The fraction of new points whose class is the most frequent one among their k nearest
    /// known points, in the map.
    pub accuracy: f64,
    /// Time for learning the map, where anything is learned.
    pub training_seconds: Option<f64>,
    /// Time for placing all new points.
    pub seconds: f64,
    /// Where they are.
    #[serde(skip)]
    pub coordinates: Mat<f64>,
}
