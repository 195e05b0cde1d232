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
    /// The map with an origin in D dimensions and a D × d matrix.
    ///
    /// Panics unless both have D rows.
    pub fn new(origin: Vec<f64>, matrix: Mat<f64>) -> Self {
        assert_eq!(origin.len(), matrix.nrows(), "a row of the matrix per dimension");
        Self { origin, matrix }
    }

    /// The point that is mapped to zero.
    pub fn origin(&self) -> &[f64] {
        &self.origin
    }

    /// The matrix A, D × d.
    pub fn matrix(&self) -> &Mat<f64> {
        &self.matrix
    }

    /// The images of all rows; fails with [`Error::Shape`] for another number of columns than D.
    pub fn apply(&self, points: Points<'_>) -> Result<Embedding, Error> {
        let d = self.matrix.ncols();
        points.check_columns(self.origin.len())?;
        let mut rows = vec![0.0; points.len() * d];
        rows.par_chunks_mut(d).zip(points.values().par_chunks(points.dim())).for_each(|(image, row)| {
            for (j, value) in image.iter_mut().enumerate() {
                let column = self.matrix.col(j);
                *value = row.iter().zip(&self.origin).zip(column.iter()).map(|((x, o), a)| (x - o) * a).sum();
            }
        });
        Ok(Embedding::from_rows(rows, d))
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
