//! The affine map x ↦ (x − origin) A.

use embedding::{Embedding, Error, Points, Validate, matrix, require, require_finite};
use faer::Mat;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// An affine map from D to d dimensions. Each image is computed from its row alone in a
/// fixed order, so it is bitwise identical in any batch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Affine {
    origin: Vec<f64>,
    /// D × d.
    #[serde(with = "matrix")]
    matrix: Mat<f64>,
}

impl Affine {
    pub(crate) fn new(origin: Vec<f64>, matrix: Mat<f64>) -> Self {
        debug_assert_eq!(origin.len(), matrix.nrows());
        Self { origin, matrix }
    }

    pub(crate) fn origin(&self) -> &[f64] {
        &self.origin
    }

    pub(crate) fn matrix(&self) -> &Mat<f64> {
        &self.matrix
    }

    pub(crate) fn apply(&self, points: Points<'_>) -> Result<Embedding, Error> {
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
}

impl Validate for Affine {
    fn validate(&self) -> Result<(), Error> {
        require(
            self.origin.len() == self.matrix.nrows(),
            "its map has another number of rows than columns of the data",
        )?;
        require_finite(&self.origin, "the origin of its map")
    }
}

/// Fails unless a saved map has as many columns as a saved embedding.
pub(crate) fn require_map(map: &Affine, embedding: &Embedding) -> Result<(), Error> {
    map.validate()?;
    require(
        map.matrix.ncols() == embedding.dim(),
        "its map has another number of columns than its coordinates",
    )
}
