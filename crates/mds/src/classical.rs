//! Classical multidimensional scaling.

use embedding::{Embedder, Embedding, Error, Model, Observer, Points, Transform, matrix};
use faer::Mat;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use spectral::{CenteredSquares, Principal, Tolerance, canonical_signs, largest};

use crate::scaling::{ClassicalScaling, Means, too_flat, too_large};
use crate::squares::Squares;
use crate::{Distances, NegativeEigenvalues, residual_variances};

/// Turns distances into inner products and those into coordinates.
///
/// **Idea.** If the distances come from points, the matrix of inner products
/// about their mean follows by double centering; its leading eigenvectors,
/// scaled by the roots of their eigenvalues, are the points again, up to a
/// rotation, and the best approximation of the inner products in d dimensions.
///
/// **Definition.** With S = (δᵢⱼ²) and J = I − 1 1ᵀ/n, B = −½ J S J = V Λ Vᵀ;
/// Y = V_d Λ_d^½ for the d largest eigenvalues. Coordinates are centered and in
/// the units of the input; of each column the entry of largest magnitude is
/// positive. A new point with squared distances s to the training points goes
/// to ½ Λ_d^−½ V_dᵀ (s̄ − s), s̄ the column means of S (Gower); a training row
/// goes where it is.
///
/// **Steps.** Of a matrix ([`ClassicalMds::fit_distances`]): leading eigenpairs
/// of B as an operator, never formed, residuals proven; all eigenvalues where
/// n ≤ 1,000 to count the negative ones. Of points ([`ClassicalMds::fit`]):
/// B = (X − μ)(X − μ)ᵀ, so no distance is computed; the result is the same, and
/// is that of principal component analysis.
///
/// **Cost.** Matrix: O(n² d) per step, no memory beside the matrix and a few
/// n × d blocks. Points: O(n D min(n, D)) time and O(n D + min(n, D)²) memory.
///
/// **When it fails.** 1 ≤ d ≤ n − 1; [`Error::Degenerate`] when fewer than d
/// eigenvalues are positive beyond rounding. Distances that are not Euclidean
/// have negative eigenvalues, which no coordinates can show: see
/// [`ClassicalScaling::negative`]. Large distances dominate the result.
///
/// ```
/// use embedding::{Model, Silent};
/// use faer::mat;
/// use mds::{ClassicalMds, Distances, Precision};
/// // A right triangle with sides 3, 4, 5.
/// let distances = mat![[0.0, 3.0, 5.0], [3.0, 0.0, 4.0], [5.0, 4.0, 0.0]];
/// let distances = Distances::from_matrix(distances.as_ref(), Precision::Double)?;
/// let fitted = ClassicalMds::default().fit_distances(&distances, &Silent)?;
/// let y = &fitted.embedding().coordinates;
/// assert!(((y.row(0) - y.row(2)).norm_l2() - 5.0).abs() < 1e-12);
/// # Ok::<(), embedding::Error>(())
/// ```
///
/// **Reference.** Torgerson (1952), doi:10.1007/BF02288916; Gower (1966),
/// doi:10.1093/biomet/53.3-4.325; new points: Gower (1968),
/// doi:10.1093/biomet/55.3.582.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ClassicalMds {
    /// Target dimension d; default 2, 1 ≤ d ≤ n − 1.
    pub dim: usize,
    /// Residual demanded of the eigenvectors, relative to the largest eigenvalue.
    pub tolerance: Tolerance,
}

impl Default for ClassicalMds {
    fn default() -> Self {
        Self { dim: 2, tolerance: Tolerance::default() }
    }
}

impl ClassicalMds {
    /// Scales the Euclidean distances of points; stage `"eigenvectors"`.
    pub fn fit(&self, points: Points<'_>, observer: &dyn Observer) -> Result<FittedClassicalMds, Error> {
        check_dim(self.dim, points.len())?;
        observer.stage("eigenvectors");
        embedding::proceed(observer, 0, 1)?;
        let most = self.dim.min(points.dim());
        let Principal { mean, mut directions, sums, total } =
            Principal::new(points, most, self.tolerance, observer)?;
        if !total.is_finite() {
            return Err(too_large());
        }
        let noise = rounding(points, sums[0]);
        let positive = sums.iter().filter(|s| **s > noise).count();
        if positive < self.dim {
            return Err(too_flat(positive, self.dim));
        }
        let map = |directions: &Mat<f64>| project(points, &mean, directions);
        let mut coordinates = map(&directions);
        let unsigned = coordinates.clone();
        canonical_signs(coordinates.as_mut());
        for j in 0..self.dim {
            if (0..points.len()).any(|i| coordinates[(i, j)] != unsigned[(i, j)]) {
                directions.col_mut(j).iter_mut().for_each(|v| *v = -*v);
            }
        }
        let coordinates = map(&directions);
        embedding::proceed(observer, 1, 1)?;
        let embedding = Embedding::with_spectrum(coordinates, sums);
        Ok(FittedClassicalMds { embedding, trace: total, mean, directions })
    }

    /// Scales given distances; stage `"eigenvectors"`.
    pub fn fit_distances(
        &self,
        distances: &Distances,
        observer: &dyn Observer,
    ) -> Result<ClassicalScaling, Error> {
        observer.stage("eigenvectors");
        embedding::proceed(observer, 0, 1)?;
        let (scaling, _) = self.solve(distances, self.dim, observer)?;
        embedding::proceed(observer, 1, 1)?;
        Ok(scaling)
    }

    /// The same, with the curve of residual variances ([`residual_variances`])
    /// over 1, 2, … dimensions: the target dimension and at least `dims` of
    /// them, or as many as have positive eigenvalues. One eigenproblem for both;
    /// stages `"eigenvectors"`, `"residual variance"`.
    pub fn fit_distances_with_curve(
        &self,
        distances: &Distances,
        dims: usize,
        observer: &dyn Observer,
    ) -> Result<(ClassicalScaling, Vec<f64>), Error> {
        let most = distances.len().saturating_sub(1);
        observer.stage("eigenvectors");
        embedding::proceed(observer, 0, 1)?;
        let (scaling, coordinates) = self.solve(distances, self.dim.max(dims.min(most)), observer)?;
        embedding::proceed(observer, 1, 1)?;
        observer.stage("residual variance");
        embedding::proceed(observer, 0, 1)?;
        let curve = residual_variances(distances, coordinates.as_ref());
        embedding::proceed(observer, 1, 1)?;
        Ok((scaling, curve))
    }

    /// The scaling, and coordinates in `count` dimensions or as many as have
    /// positive eigenvalues, in units of the distances as stored.
    fn solve(
        &self,
        distances: &Distances,
        count: usize,
        observer: &dyn Observer,
    ) -> Result<(ClassicalScaling, Mat<f64>), Error> {
        let n = distances.len();
        check_dim(self.dim, n)?;
        let means = Means::of(distances);
        if means.grand == 0.0 {
            return Err(too_flat(0, self.dim));
        }
        let mut pairs = largest(&CenteredSquares(Squares(distances)), count, self.tolerance, observer)?;
        // Weyl: squares rounded to ½ ε of themselves move no eigenvalue of
        // B = −½ J S J by more than ¼ ε |S|_F; the eigensolver adds n ε λ₁.
        let stored = 0.25 * distances.packing().precision.epsilon() * frobenius(distances);
        let noise = stored + n as f64 * f64::EPSILON * pairs.values[0].abs();
        let positive = pairs.values.iter().take_while(|v| **v > noise).count();
        let coordinates = Mat::from_fn(n, positive, |i, j| pairs.vectors[(i, j)] * pairs.values[j].sqrt());
        pairs.values.truncate(self.dim);
        pairs.residuals.truncate(self.dim);
        pairs.vectors.resize_with(n, self.dim, |_, _| 0.0);
        Ok((ClassicalScaling::new(distances, pairs, noise, means)?, coordinates))
    }
}

/// Fitted classical scaling of points.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FittedClassicalMds {
    embedding: Embedding,
    trace: f64,
    mean: Vec<f64>,
    #[serde(with = "matrix")]
    directions: Mat<f64>,
}

impl FittedClassicalMds {
    /// The d largest eigenvalues of the doubly centered matrix, descending.
    pub fn eigenvalues(&self) -> &[f64] {
        self.embedding.spectrum.as_deref().unwrap_or_default()
    }

    /// The sum of all eigenvalues.
    pub fn trace(&self) -> f64 {
        self.trace
    }

    /// None: Euclidean distances of points have no negative eigenvalue.
    pub fn negative(&self) -> NegativeEigenvalues {
        NegativeEigenvalues::NONE
    }
}

impl Embedder for ClassicalMds {
    fn name(&self) -> &'static str {
        "classical-mds"
    }

    fn embed(&self, points: Points<'_>, observer: &dyn Observer) -> Result<Embedding, Error> {
        Ok(self.fit(points, observer)?.embedding)
    }
}

impl Model for FittedClassicalMds {
    fn embedding(&self) -> &Embedding {
        &self.embedding
    }
}

impl Transform for FittedClassicalMds {
    /// Gower's formula, which for Euclidean distances is the projection on the
    /// principal directions; training rows reproduce to the bit.
    fn transform(&self, new: Points<'_>) -> Result<Mat<f64>, Error> {
        check_width(new, self.mean.len())?;
        Ok(project(new, &self.mean, &self.directions))
    }
}

/// What rounding can do to an eigenvalue: of the decomposition, relative to the
/// largest; and of the mean, which every centered entry inherits.
fn rounding(points: Points<'_>, largest: f64) -> f64 {
    let (n, width) = (points.len() as f64, points.dim() as f64);
    let magnitude = points.values().iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    n.max(width) * f64::EPSILON * largest + n * width * (n * f64::EPSILON * magnitude).powi(2)
}

/// (x − mean)ᵀ directions of every row, each by itself.
fn project(points: Points<'_>, mean: &[f64], directions: &Mat<f64>) -> Mat<f64> {
    let dim = directions.ncols();
    let mut rows = vec![0.0; points.len() * dim];
    rows.par_chunks_mut(dim).zip(points.values().par_chunks(points.dim())).for_each(|(image, row)| {
        for (j, value) in image.iter_mut().enumerate() {
            let column = directions.col(j);
            *value = row.iter().zip(mean).zip(column.iter()).map(|((x, m), a)| (x - m) * a).sum();
        }
    });
    Mat::from_fn(points.len(), dim, |i, j| rows[i * dim + j])
}

/// |S|_F, in stored units.
fn frobenius(distances: &Distances) -> f64 {
    let parts =
        distances.by_strip(|| 0.0, |sum, _, squares| *sum += squares.iter().map(|s| s * s).sum::<f64>());
    (2.0 * parts.iter().sum::<f64>()).sqrt()
}

/// Fails unless n points can span `dim` dimensions.
pub(crate) fn check_dim(dim: usize, n: usize) -> Result<(), Error> {
    if n < 2 {
        return Err(Error::TooFewPoints { what: "multidimensional scaling", needed: 2, got: n });
    }
    if (1..n).contains(&dim) {
        return Ok(());
    }
    let requirement = format!("between 1 and {}, one less than the number of points", n - 1);
    Err(Error::parameter("the target dimension", requirement, dim))
}

/// Fails unless new points have the columns of the training data.
pub(crate) fn check_width(points: Points<'_>, dim: usize) -> Result<(), Error> {
    if points.dim() == dim {
        return Ok(());
    }
    Err(Error::Shape {
        what: "the number of columns of the new points",
        expected: format!("{dim} as in the training data"),
        got: points.dim().to_string(),
    })
}
