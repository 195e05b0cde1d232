//! How far points of a map jump when their data change a little.

use serde::{Deserialize, Serialize};

/// The perturbation scores of a map; see [`quality::trust::Perturbation`].
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct MapTrust {
    /// The scored rows, ascending.
    pub rows: Vec<u32>,
    /// The score of each of them, in distances of neighbors in the map.
    pub scores: Vec<f64>,
    /// The number of points of the map: larger than the number of scores where these are a sample.
    pub of: usize,
    /// The rows that jump, the largest score first.
    pub jumps: Vec<u32>,
}
