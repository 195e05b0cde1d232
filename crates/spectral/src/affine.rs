//! The affine map x ↦ (x − origin) A.

use embedding::{Embedding, Error, Points, Validate, matrix, require, require_finite, unit};
use faer::Mat;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::dense;

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

    /// The points nearest to the origin that are mapped to given images, y ↦ origin + y A⁺ with
    /// the pseudo-inverse A⁺, d × D: one per row, in the subspace spanned by the columns of A.
    /// Where these are linearly dependent, the map takes the points to the images nearest to
    /// those given.
    ///
    /// Fails where the images have another number of columns than d. O(D d²) and O(m D d) for m
    /// images.
    pub fn invert(&self, images: Points<'_>) -> Result<Embedding, Error> {
        images.check_columns(self.matrix.ncols())?;
        let pseudo_inverse = Self { origin: vec![0.0; images.dim()], matrix: self.pseudo_inverse()? };
        let mut values = matrix::to_rows(pseudo_inverse.apply(images)?.coordinates());
        for row in values.chunks_exact_mut(self.origin.len()) {
            row.iter_mut().zip(&self.origin).for_each(|(x, origin)| *x += origin);
        }
        Ok(Embedding::from_rows(values, self.origin.len()))
    }

    /// A⁺, d × D. Singular values up to max(D, d) eps of the largest count as zero. O(D d²).
    pub fn pseudo_inverse(&self) -> Result<Mat<f64>, Error> {
        let unit = unit(matrix::to_rows(self.matrix.as_ref()).as_slice());
        let (u, values, v) = dense::thin_svd((&self.matrix * faer::Scale(1.0 / unit)).as_ref())?;
        let rank_limit = self.matrix.nrows().max(self.matrix.ncols()) as f64 * f64::EPSILON * values[0];
        let inverse = |value: f64| if value > rank_limit { 1.0 / value / unit } else { 0.0 };
        let scaled = Mat::from_fn(v.nrows(), v.ncols(), |i, j| v[(i, j)] * inverse(values[j]));
        Ok(dense::product(scaled.as_ref(), u.transpose()))
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
