//! The affine map x ↦ (x − origin) A, with points and images in units of powers of two.

use embedding::implement::scale::times_power_of_two;
use embedding::implement::{Scale, Validate, matrix, require, require_finite, unit};
use embedding::{Embedding, Error, LinearMap, Points};
use faer::Mat;
use faer::traits::pulp::{Arch, NullaryFnOnce};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::dense;

/// Rows that a thread maps at a time.
const ROWS: usize = 64;

/// An affine map from D to d dimensions. Each image is computed from its row alone in a
/// fixed order, so it is bitwise identical in any batch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AffineMap {
    origin: Vec<f64>,
    /// D × d.
    #[serde(with = "matrix")]
    matrix: Mat<f64>,
    /// Points are divided by it before they are mapped.
    points: Scale,
    /// Images are multiplied by it.
    images: Scale,
}

impl AffineMap {
    /// The map with this origin, D numbers, and this matrix, D × d.
    pub fn new(origin: Vec<f64>, matrix: Mat<f64>) -> Self {
        debug_assert_eq!(origin.len(), matrix.nrows());
        Self { origin, matrix, points: Scale::ONE, images: Scale::ONE }
    }

    /// The point that is mapped to 0, in the unit of the points.
    pub fn origin(&self) -> &[f64] {
        &self.origin
    }

    /// The matrix A, D × d, from points in their unit to images in theirs.
    pub fn matrix(&self) -> &Mat<f64> {
        &self.matrix
    }

    /// The unit of the points in which origin and matrix are given: 1, unless a number of the
    /// map of the points themselves would be outside the range of normal numbers, which can
    /// happen for data near 1e-310; see [`AffineMap::multiplied`].
    pub fn unit(&self) -> Scale {
        self.points
    }

    /// The map from points to images, both in units of the data.
    pub fn in_units_of_data(&self) -> LinearMap {
        let e = self.images.exponent() - self.points.exponent();
        let (rows, columns) = self.matrix.shape();
        LinearMap {
            origin: self.origin.iter().map(|v| self.points.times(*v)).collect(),
            directions: Mat::from_fn(rows, columns, |i, j| times_power_of_two(self.matrix[(i, j)], e)),
            loadings: None,
        }
    }

    /// A sentence on [`AffineMap::unit`]; `None` where the unit is 1.
    pub fn note(&self) -> Option<String> {
        self.points.note("the origin and the directions of the map")
    }

    /// The images of the rows. Fails where the rows do not have D columns, and where an image is
    /// beyond the range of numbers. O(n D d).
    pub fn apply(&self, points: Points<'_>) -> Result<Embedding, Error> {
        points.check_columns(self.origin.len())?;
        self.points.divided(points, |points| self.images_of(points))?.multiplied(self.images)
    }

    /// The images of the rows, both in their own units.
    fn images_of(&self, points: Points<'_>) -> Result<Embedding, Error> {
        let (d, width) = (self.matrix.ncols(), self.origin.len());
        let matrix = matrix::to_rows(self.matrix.as_ref());
        let mut images = vec![0.0; points.len() * d];
        images.par_chunks_mut(ROWS * d).zip(points.values().par_chunks(ROWS * width)).for_each(
            |(images, rows)| {
                Arch::new().dispatch(Block { rows, origin: &self.origin, matrix: &matrix, images });
            },
        );
        within_range(images, d)
    }

    /// The points nearest to the origin that are mapped to given images, y ↦ origin + y A⁺ with
    /// the pseudo-inverse A⁺, d × D: one per row, in the subspace spanned by the columns of A.
    /// Where these are linearly dependent, the map takes the points to the images nearest to
    /// those given.
    ///
    /// Fails where the images do not have d columns, and where a point is beyond the range of
    /// numbers. O(D d²) and O(m D d) for m images.
    pub fn invert(&self, images: Points<'_>) -> Result<Embedding, Error> {
        images.check_columns(self.matrix.ncols())?;
        let pseudo_inverse = Self::new(vec![0.0; images.dim()], self.pseudo_inverse()?);
        let centered = self.images.divided(images, |images| pseudo_inverse.apply(images))?;
        let mut values = matrix::to_rows(centered.coordinates());
        for row in values.chunks_exact_mut(self.origin.len()) {
            row.iter_mut().zip(&self.origin).for_each(|(x, origin)| *x += origin);
        }
        within_range(values, self.origin.len())?.multiplied(self.points)
    }

    /// Turns a map from points divided by 2ᵖ to images divided by 2ⁱ into the map from points to
    /// images. Its origin and matrix are multiplied where the multiplication is exact. Otherwise
    /// they are kept, and points are divided and images multiplied, as [`AffineMap::unit`] then
    /// says.
    pub fn multiplied(self, points: Scale, images: Scale) -> Self {
        debug_assert!(self.points.is_one() && self.images.is_one(), "multiplied once");
        let e = images.exponent() - points.exponent();
        let origin: Vec<f64> = self.origin.iter().map(|v| points.times(*v)).collect();
        let (rows, columns) = self.matrix.shape();
        let matrix = Mat::from_fn(rows, columns, |i, j| times_power_of_two(self.matrix[(i, j)], e));
        let exact = |before: f64, after: f64| after.is_normal() || before == 0.0;
        let after = matrix.col_iter().flat_map(|column| column.iter()).chain(&origin);
        let before = self.matrix.col_iter().flat_map(|column| column.iter()).chain(&self.origin);
        if before.zip(after).all(|(before, after)| exact(*before, *after)) {
            Self::new(origin, matrix)
        } else {
            Self { points, images, ..self }
        }
    }

    /// A⁺, d × D, from images in their unit to points in their unit. Singular values up to max(D, d)
    /// eps of the largest count as zero. O(D d²).
    pub fn pseudo_inverse(&self) -> Result<Mat<f64>, Error> {
        let unit = unit(matrix::to_rows(self.matrix.as_ref()).as_slice());
        let (rows, columns) = self.matrix.shape();
        let scaled = Mat::from_fn(rows, columns, |i, j| self.matrix[(i, j)] / unit);
        let (u, values, v) = dense::thin_svd(scaled.as_ref())?;
        let rank_limit = rows.max(columns) as f64 * f64::EPSILON * values[0];
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

/// Rows of `dim` values; fails where one is infinite or NaN.
fn within_range(values: Vec<f64>, dim: usize) -> Result<Embedding, Error> {
    match values.iter().position(|v| !v.is_finite()) {
        None => Ok(Embedding::from_rows(values, dim)),
        Some(at) => Err(Error::degenerate(
            format!("what row {} is mapped to exceeds the range of numbers", at / dim),
            "check the scale of the rows, and where the map comes from",
        )),
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

/// The images of a few rows.
struct Block<'a> {
    rows: &'a [f64],
    origin: &'a [f64],
    /// D × d by rows.
    matrix: &'a [f64],
    images: &'a mut [f64],
}

impl NullaryFnOnce for Block<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Self { rows, origin, matrix, images } = self;
        let d = matrix.len() / origin.len();
        let mut at = 0;
        while at < d {
            let columns = (matrix, d, at);
            at += match d - at {
                8.. => strip::<4, 8>(rows, origin, columns, images),
                4.. => strip::<4, 4>(rows, origin, columns, images),
                2.. => strip::<8, 2>(rows, origin, columns, images),
                _ => strip::<8, 1>(rows, origin, columns, images),
            };
        }
    }
}

/// Writes W columns of the images, for R rows at a time, and returns W. Every sum is in the order
/// of the columns of the row, whatever R and W are.
#[inline(always)]
fn strip<const R: usize, const W: usize>(
    rows: &[f64],
    origin: &[f64],
    columns @ (_, d, at): (&[f64], usize, usize),
    images: &mut [f64],
) -> usize {
    let width = origin.len();
    let whole = rows.len() / (R * width) * R;
    for first in (0..whole).step_by(R) {
        let sums = sums::<R, W>(&rows[first * width..][..R * width], origin, columns);
        for (r, sums) in sums.iter().enumerate() {
            images[(first + r) * d + at..][..W].copy_from_slice(sums);
        }
    }
    for row in whole..rows.len() / width {
        let [sums] = sums::<1, W>(&rows[row * width..][..width], origin, columns);
        images[row * d + at..][..W].copy_from_slice(&sums);
    }
    W
}

#[inline(always)]
fn sums<const R: usize, const W: usize>(
    rows: &[f64],
    origin: &[f64],
    (matrix, d, at): (&[f64], usize, usize),
) -> [[f64; W]; R] {
    let rows: [&[f64]; R] = std::array::from_fn(|r| &rows[r * origin.len()..][..origin.len()]);
    // Minus zero is the neutral element of the addition.
    let mut sums = [[-0.0; W]; R];
    for (c, (origin, weights)) in origin.iter().zip(matrix.chunks_exact(d)).enumerate() {
        let weights: &[f64; W] = weights[at..].first_chunk().expect("W columns from `at` on");
        for r in 0..R {
            let centered = rows[r][c] - origin;
            for w in 0..W {
                sums[r][w] += centered * weights[w];
            }
        }
    }
    sums
}

/// Implements [`embedding::Model`] and [`embedding::Transform`] for a fitted projection, which has its
/// coordinates as `embedding` and an [`AffineMap`] as `map`.
#[macro_export]
macro_rules! projection_model {
    ($fitted:ty) => {
        impl ::embedding::Model for $fitted {
            fn embedding(&self) -> &::embedding::Embedding {
                &self.embedding
            }
        }

        impl ::embedding::Transform for $fitted {
            /// Training rows reproduce to the bit, sparse ones to rounding.
            fn place(
                &self,
                rows: ::embedding::Rows<'_>,
                known: ::embedding::TrainingRows<'_>,
            ) -> Result<::embedding::Embedding, ::embedding::Error> {
                rows.place_dense(known, |new, _| self.map.apply(new))
            }

            fn invert(
                &self,
                places: ::embedding::Points<'_>,
            ) -> Result<Option<::embedding::Embedding>, ::embedding::Error> {
                self.map.invert(places).map(Some)
            }

            fn linear_map(&self) -> Option<::embedding::LinearMap> {
                Some(self.map.in_units_of_data())
            }
        }
    };
}
