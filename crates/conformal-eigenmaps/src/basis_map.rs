//! The affine map from the basis to coordinates.

use embedding::implement::{Scale, Validate, matrix, require, require_finite};
use embedding::{Embedding, Error, Model};
use faer::{Mat, MatRef};
use lle::FittedLle;
use serde::{Deserialize, Serialize};
use spectral::{canonical_signs, dense};

use crate::Whitened;

/// z = (y − mean) · linear.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct BasisMap {
    /// The mean of the basis, m numbers.
    pub(crate) mean: Vec<f64>,
    /// m × d.
    #[serde(with = "matrix")]
    pub(crate) linear: Mat<f64>,
}

impl BasisMap {
    /// Composes whitening with `axes` (m × d).
    pub(crate) fn new(white: &Whitened, axes: MatRef<'_, f64>) -> Self {
        Self { mean: white.mean.clone(), linear: dense::product(white.transform.as_ref(), axes) }
    }

    /// Returns the coordinates of rows with m entries; fails if the number of columns is
    /// not m.
    pub(crate) fn apply(&self, basis: MatRef<'_, f64>) -> Result<Mat<f64>, Error> {
        if basis.ncols() != self.mean.len() {
            return Err(Error::Shape {
                what: "the number of basis vectors",
                expected: format!("{} as in the fit", self.mean.len()),
                got: basis.ncols().to_string(),
            });
        }
        Ok(self.coordinates(basis))
    }

    /// As [`apply`](Self::apply), for rows known to have m columns; the order of
    /// summation is the same for every row.
    pub(crate) fn coordinates(&self, basis: MatRef<'_, f64>) -> Mat<f64> {
        Mat::from_fn(basis.nrows(), self.linear.ncols(), |i, j| {
            self.mean.iter().enumerate().map(|(a, mean)| (basis[(i, a)] - mean) * self.linear[(a, j)]).sum()
        })
    }

    /// The map of a fit to the data divided by a power of two, in the unit of the data, and its
    /// coordinates of the basis, which were `near`; fails where one leaves the range of numbers.
    pub(crate) fn multiplied(
        mut self,
        scale: Scale,
        basis: MatRef<'_, f64>,
        near: Embedding,
    ) -> Result<(Self, Embedding), Error> {
        if scale.is_one() {
            return Ok((self, near));
        }
        for j in 0..self.linear.ncols() {
            self.linear.col_mut(j).iter_mut().for_each(|v| *v = scale.times(*v));
        }
        // Numbers that are not normal round otherwise here than in a product.
        let spectrum = near.multiplied(scale)?.spectrum().to_vec();
        let coordinates = self.coordinates(basis);
        Ok((self, Embedding::new(coordinates).with_spectrum(spectrum)))
    }

    /// Divides by the unit of length, fixes the signs by the given coordinates, and
    /// returns the new coordinates.
    pub(crate) fn normalize(
        &mut self,
        basis: MatRef<'_, f64>,
        coordinates: &Mat<f64>,
        size: f64,
    ) -> Mat<f64> {
        let mut fixed = coordinates.clone();
        canonical_signs(fixed.as_mut());
        for j in 0..self.linear.ncols() {
            let flipped =
                coordinates.col(j).iter().zip(fixed.col(j).iter()).any(|(before, after)| before != after);
            let scale = if flipped { -1.0 / size } else { 1.0 / size };
            self.linear.col_mut(j).iter_mut().for_each(|v| *v *= scale);
        }
        self.coordinates(basis)
    }
}

/// Fails unless a saved map leads from the rows of its basis to its coordinates.
pub(crate) fn require_map(map: &BasisMap, basis: &FittedLle, embedding: &Embedding) -> Result<(), Error> {
    basis.validate()?;
    let m = basis.embedding().dim();
    let shaped = map.mean.len() == m && map.linear.shape() == (m, embedding.dim());
    require(shaped, "its map does not lead from its basis to its coordinates")?;
    require(basis.embedding().len() == embedding.len(), "its basis has other rows than its coordinates")?;
    require_finite(&map.mean, "the mean of its basis")
}
