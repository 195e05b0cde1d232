//! What the methods of the family return.

use embedding::{Embedding, Error, Model, Points, Transform};
use faer::Mat;
use serde::{Deserialize, Serialize};
use spectral::Pairs;

use crate::barycentric::Barycentric;
use crate::basis::Scale;
use crate::tangent_maps::TangentMaps;

/// Coordinates from the bottom of an alignment matrix; new points by an
/// extension `E`, [`Barycentric`] or [`TangentMaps`].
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Fitted<E> {
    embedding: Embedding,
    residuals: Vec<f64>,
    extension: E,
}

impl<E> Fitted<E> {
    pub(crate) fn new(basis: Pairs, scale: Scale, extension: E) -> Self {
        let norm = scale.norm(basis.vectors.nrows());
        let coordinates = &basis.vectors * faer::Scale(norm);
        Self {
            embedding: Embedding::with_spectrum(coordinates, basis.values),
            residuals: basis.residuals,
            extension,
        }
    }

    /// Eigenvalues of the alignment matrix, ascending, without the zero of the
    /// constant vector.
    pub fn eigenvalues(&self) -> &[f64] {
        self.embedding.spectrum.as_deref().unwrap_or_default()
    }

    /// |M v − λ v| of each eigenvector v of norm one.
    pub fn residuals(&self) -> &[f64] {
        &self.residuals
    }

    /// What the local models leave unexplained, tr YᵀMY for columns of norm one:
    /// the sum of the eigenvalues.
    pub fn reconstruction_error(&self) -> f64 {
        self.eigenvalues().iter().sum()
    }
}

impl<E> Model for Fitted<E> {
    fn embedding(&self) -> &Embedding {
        &self.embedding
    }
}

impl Transform for Fitted<Barycentric> {
    fn transform(&self, new: Points<'_>) -> Result<Mat<f64>, Error> {
        self.extension.place(new, self.embedding.coordinates.as_ref())
    }
}

impl Transform for Fitted<TangentMaps> {
    fn transform(&self, new: Points<'_>) -> Result<Mat<f64>, Error> {
        self.extension.place(new, self.embedding.coordinates.as_ref())
    }
}
