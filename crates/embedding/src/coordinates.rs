//! What every method returns.

use faer::Mat;
use serde::{Deserialize, Serialize};

use crate::matrix;

/// Coordinates of n points in d dimensions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Embedding {
    /// One point per row, n × d.
    #[serde(with = "matrix")]
    pub coordinates: Mat<f64>,
    /// The eigenvalues behind the coordinates, in the method's own order and
    /// meaning; none for methods without a spectrum.
    pub spectrum: Option<Vec<f64>>,
    /// The input row of each coordinate row, ascending; `None` means that every
    /// input row was placed. A component policy may leave rows out.
    pub rows: Option<Vec<u32>>,
}

impl Embedding {
    /// Coordinates for every input row, without a spectrum.
    pub fn new(coordinates: Mat<f64>) -> Self {
        Self { coordinates, spectrum: None, rows: None }
    }

    /// The same with the eigenvalues behind it.
    pub fn with_spectrum(coordinates: Mat<f64>, spectrum: Vec<f64>) -> Self {
        Self { coordinates, spectrum: Some(spectrum), rows: None }
    }

    /// The number of placed points.
    pub fn len(&self) -> usize {
        self.coordinates.nrows()
    }

    /// Whether no point was placed.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The target dimension, d.
    pub fn dim(&self) -> usize {
        self.coordinates.ncols()
    }
}
