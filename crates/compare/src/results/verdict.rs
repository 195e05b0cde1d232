//! Which map of a data set serves a purpose.

use serde::{Deserialize, Serialize};

/// What a map is read for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Purpose {
    /// Which points are close to each other.
    Neighbors,
    /// How far apart distant points are, along the data.
    Distances,
    /// Which groups the points form.
    Clusters,
    /// Where points lie that the map was not made of.
    NewPoints,
}

/// Whether a map serves a purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Answer {
    /// A map is recommended.
    Map,
    /// No map serves the purpose.
    NoMap,
    /// No map has a score by which to judge it.
    NotMeasured,
}

/// The map to read for one purpose, with its reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Verdict {
    /// What the map is read for.
    pub purpose: Purpose,
    /// Whether some map serves it.
    pub answer: Answer,
    /// The method of the recommended map.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recommended: Option<String>,
    /// The method of the next map that serves the purpose, if any does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub runner_up: Option<String>,
    /// The reason, with its numbers, in one sentence.
    pub reason: String,
    /// What not to read from the recommended map, in sentences.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub not_to_read: Vec<String>,
}
