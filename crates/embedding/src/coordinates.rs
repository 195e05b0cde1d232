//! What every method returns.

use faer::Mat;
use serde::{Deserialize, Serialize};

use crate::{Error, matrix};

/// Coordinates of n points in d dimensions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "RawEmbedding")]
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

/// An embedding as it is stored, before its rows are counted.
#[derive(Deserialize)]
struct RawEmbedding {
    #[serde(with = "matrix")]
    coordinates: Mat<f64>,
    spectrum: Option<Vec<f64>>,
    rows: Option<Vec<u32>>,
}

impl TryFrom<RawEmbedding> for Embedding {
    type Error = Error;

    fn try_from(raw: RawEmbedding) -> Result<Self, Error> {
        let n = raw.coordinates.nrows();
        if let Some(rows) = raw.rows.as_ref().filter(|rows| rows.len() != n) {
            return Err(Error::Shape {
                what: "the number of input rows of an embedding",
                expected: format!("{n}, one for each point"),
                got: rows.len().to_string(),
            });
        }
        Ok(Self { coordinates: raw.coordinates, spectrum: raw.spectrum, rows: raw.rows })
    }
}
