//! Coordinates that are linear in a basis.

use embedding::implement::Scale;
use embedding::{Embedding, Error, Model};
use faer::{Mat, MatRef};
use lle::FittedLle;
use serde::{Deserialize, Serialize};

use crate::basis_map::{BasisMap, require_map};

/// Coordinates that are linear in the basis they were made from, with a report of how they were
/// found and how good they are.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BasisCoordinates<R> {
    embedding: Embedding,
    #[serde(rename = "placing")]
    map: BasisMap,
    /// Intermediate results and quality measures.
    pub report: R,
}

impl<R> BasisCoordinates<R> {
    /// Combines coordinates with the map that gave them and the variances along their axes.
    pub(crate) fn new(coordinates: Mat<f64>, map: BasisMap, spectrum: Vec<f64>, report: R) -> Self {
        Self { embedding: Embedding::new(coordinates).with_spectrum(spectrum), map, report }
    }

    /// Returns the coordinates of rows of the basis with m entries: z = (y − mean) ·
    /// linear. Each row is computed independently, so training rows reproduce their
    /// coordinates exactly.
    ///
    /// Fails if the number of columns is not m.
    pub fn apply(&self, basis: MatRef<'_, f64>) -> Result<Mat<f64>, Error> {
        self.map.apply(basis)
    }

    /// Returns the mean of the basis, of length m.
    pub fn mean(&self) -> &[f64] {
        &self.map.mean
    }

    /// Returns the linear map from the centered basis, m × d.
    pub fn linear(&self) -> MatRef<'_, f64> {
        self.map.linear.as_ref()
    }

    /// Multiplies the coordinates by a power of two; fails where one leaves the range of numbers.
    pub(crate) fn multiplied(self, scale: Scale, basis: MatRef<'_, f64>) -> Result<Self, Error> {
        let (map, embedding) = self.map.multiplied(scale, basis, self.embedding)?;
        Ok(Self { embedding, map, report: self.report })
    }

    /// Fails unless the map leads from a saved basis to the coordinates.
    pub(crate) fn require_map(&self, basis: &FittedLle) -> Result<(), Error> {
        require_map(&self.map, basis, &self.embedding)
    }
}

impl<R> Model for BasisCoordinates<R> {
    fn embedding(&self) -> &Embedding {
        &self.embedding
    }
}
