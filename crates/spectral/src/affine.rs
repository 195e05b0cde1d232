//! The affine map x ↦ (x − origin) A.

use embedding::{Embedding, Error, Points, Validate, matrix, require, require_finite};
use faer::Mat;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// An affine map from D to d dimensions. Each image is computed from its row alone in a
/// fixed order, so it is bitwise identical in any batch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AffineMap {
    origin: Vec<f64>,
    /// D × d.
    #[serde(with = "matrix")]
    matrix: Mat<f64>,
}

impl AffineMap {
    /// The map with this origin, D numbers, and this matrix, D × d.
    pub fn new(origin: Vec<f64>, matrix: Mat<f64>) -> Self {
        debug_assert_eq!(origin.len(), matrix.nrows());
        Self { origin, matrix }
    }

    /// The point that is mapped to 0.
    pub fn origin(&self) -> &[f64] {
        &self.origin
    }

    /// The matrix A, D × d.
    pub fn matrix(&self) -> &Mat<f64> {
        &self.matrix
    }

    /// The images of the rows. Fails where they have another number of columns than D.
    /// O(n D d).
    pub fn apply(&self, points: Points<'_>) -> Result<Embedding, Error> {
        let d = self.matrix.ncols();
        points.check_columns(self.origin.len())?;
        let matrix = matrix::to_rows(self.matrix.as_ref());
        // Minus zero is the neutral element of the addition.
        let mut images = vec![-0.0; points.len() * d];
        images.par_chunks_mut(d).zip(points.values().par_chunks(points.dim())).for_each(|(image, row)| {
            for ((x, origin), weights) in row.iter().zip(&self.origin).zip(matrix.chunks_exact(d)) {
                let centered = x - origin;
                image.iter_mut().zip(weights).for_each(|(y, a)| *y += centered * a);
            }
        });
        Ok(Embedding::from_rows(images, d))
    }

    /// Fails unless a map that was read from a file has as many columns as the embedding that
    /// was read with it.
    pub fn require_fits(&self, embedding: &Embedding) -> Result<(), Error> {
        self.validate()?;
        require(
            self.matrix.ncols() == embedding.dim(),
            "its map has another number of columns than its coordinates",
        )
    }
}

impl Validate for AffineMap {
    fn validate(&self) -> Result<(), Error> {
        require(
            self.origin.len() == self.matrix.nrows(),
            "its map has another number of rows than columns of the data",
        )?;
        require_finite(&self.origin, "the origin of its map")
    }
}
