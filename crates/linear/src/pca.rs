//! Principal component analysis.

use embedding::{Embedder, Embedding, Error, Model, Observer, Points, Transform};
use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, MatMut, MatRef, Par};
use serde::{Deserialize, Serialize};
use spectral::{Operator, Tolerance, dense};

use crate::affine::{Affine, check_dim};
use crate::covariance;

/// Projects on the directions of largest variance.
///
/// **Idea.** Among all linear maps to d dimensions, keep the one whose image
/// has the largest variance; equivalently, the best rank-d approximation of the
/// centered data.
///
/// **Definition.** With column means μ and C = (X − μ)ᵀ(X − μ)/(n − 1), the
/// rows of the result are (x − μ)ᵀ[v₁ … v_d], C vⱼ = λⱼ vⱼ, λ₁ ≥ λ₂ ≥ ….
///
/// **Steps.** Mean, leading eigenvectors of C, projection. Where D and n both
/// exceed 1,500, C is never formed: a block Krylov method applies the centered
/// data twice per step, and every residual is recomputed.
/// Each direction's entry of largest magnitude is positive.
///
/// **Cost.** Time O(n D min(n, D)) and memory O(min(n, D)²) while the smaller
/// side is at most 1,500; O(n D d) per step and O((n + D) d) beyond.
/// The scatter matrix squares the condition number: variances below about
/// 1e-16 of the largest are rounding noise.
///
/// **When it fails.** `dim` must lie in 1 ..= min(n, D). Curved manifolds are
/// projected, not unrolled: far ends of a roll come to lie on each other.
///
/// ```
/// use embedding::{Points, Silent, Transform};
/// use linear::Pca;
/// let line = [0.0, 0.0, 1.0, 2.0, 2.0, 4.0, 3.0, 6.0];
/// let points = Points::new(&line, 2)?;
/// let fitted = Pca { dim: 1, ..Pca::default() }.fit(points, &Silent)?;
/// assert!((fitted.explained_variance_ratio()[0] - 1.0).abs() < 1e-12);
/// let back = fitted.inverse_transform(fitted.transform(points)?.as_ref())?;
/// assert!((back[(3, 1)] - 6.0).abs() < 1e-12);
/// # Ok::<(), embedding::Error>(())
/// ```
///
/// **Reference.** Pearson (1901), doi:10.1080/14786440109462720; Hotelling
/// (1933), doi:10.1037/h0071325.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Pca {
    /// Target dimension d; default 2, 1 ≤ d ≤ min(n, D).
    pub dim: usize,
    /// Residual demanded of the eigenvectors, relative to the largest variance.
    pub tolerance: Tolerance,
}

impl Default for Pca {
    fn default() -> Self {
        Self { dim: 2, tolerance: Tolerance::default() }
    }
}

/// Beyond this the smaller Gram matrix is not formed.
const DENSE_LIMIT: usize = 1500;

impl Pca {
    /// Fits the projection; stages `"mean"`, `"components"`, `"projection"`.
    pub fn fit(&self, points: Points<'_>, observer: &dyn Observer) -> Result<FittedPca, Error> {
        let (n, width) = (points.len(), points.dim());
        check_dim(self.dim, n.min(width), "at most n points and D columns")?;
        observer.stage("mean");
        let mean = covariance::mean(points);
        embedding::proceed(observer, 1, 1)?;
        observer.stage("components");
        let (sums, directions, total) = self.leading(points, &mean, observer)?;
        embedding::proceed(observer, 1, 1)?;
        let freedom = n.saturating_sub(1).max(1) as f64;
        let variances: Vec<f64> = sums.iter().map(|s| s.max(0.0) / freedom).collect();
        observer.stage("projection");
        let map = Affine::new(mean, directions);
        let coordinates = map.apply(points)?;
        embedding::proceed(observer, 1, 1)?;
        Ok(FittedPca {
            embedding: Embedding::with_spectrum(coordinates, variances),
            total_variance: total / freedom,
            map,
        })
    }

    /// Leading eigenvalues of the scatter matrix, their D-vectors, its trace.
    fn leading(
        &self,
        points: Points<'_>,
        mean: &[f64],
        observer: &dyn Observer,
    ) -> Result<(Vec<f64>, Mat<f64>, f64), Error> {
        let (n, width) = (points.len(), points.dim());
        if width <= n.min(DENSE_LIMIT) {
            let scatter = covariance::scatter(points, mean);
            let (values, mut vectors) = top(scatter.as_ref(), self.dim)?;
            spectral::canonical_signs(vectors.as_mut());
            return Ok((values, vectors, trace(&scatter)));
        }
        if n <= DENSE_LIMIT {
            let gram = covariance::gram(points, mean);
            let (values, left) = top(gram.as_ref(), self.dim)?;
            let x = covariance::centered(points.values(), mean);
            let directions = orthonormal(dense::product(x.transpose(), left.as_ref()));
            return Ok((values, directions, trace(&gram)));
        }
        let x = covariance::centered(points.values(), mean);
        let total = (0..x.ncols()).map(|j| x.col(j).squared_norm_l2()).sum();
        let pairs = spectral::largest(&Scatter(x.as_ref()), self.dim, self.tolerance, observer)?;
        Ok((pairs.values, pairs.vectors, total))
    }
}

/// The `count` largest eigenpairs of a dense symmetric matrix, descending.
fn top(a: MatRef<'_, f64>, count: usize) -> Result<(Vec<f64>, Mat<f64>), Error> {
    let n = a.nrows();
    let (values, vectors) = dense::symmetric_eigen(a)?;
    let values = (0..count).map(|j| values[n - 1 - j]).collect();
    Ok((values, Mat::from_fn(n, count, |i, j| vectors[(i, n - 1 - j)])))
}

/// Orthonormal columns that span the leading ones first, with canonical signs.
/// Directions without variance (rank-deficient data) become arbitrary but
/// orthonormal, as the QR decomposition completes them.
fn orthonormal(directions: Mat<f64>) -> Mat<f64> {
    let mut q = dense::thin_q(directions.as_ref());
    spectral::canonical_signs(q.as_mut());
    q
}

fn trace(a: &Mat<f64>) -> f64 {
    (0..a.nrows()).map(|i| a[(i, i)]).sum()
}

/// v ↦ Xᵀ(X v).
struct Scatter<'a>(MatRef<'a, f64>);

impl Operator for Scatter<'_> {
    fn order(&self) -> usize {
        self.0.ncols()
    }

    fn apply(&self, x: MatRef<'_, f64>, out: MatMut<'_, f64>) {
        let image = dense::product(self.0, x);
        matmul(out, Accum::Replace, self.0.transpose(), image.as_ref(), 1.0, Par::Seq);
    }
}

/// A fitted projection on principal directions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FittedPca {
    embedding: Embedding,
    total_variance: f64,
    map: Affine,
}

impl FittedPca {
    /// Variance along each direction, descending; divisor n − 1.
    pub fn explained_variance(&self) -> &[f64] {
        self.embedding.spectrum.as_deref().unwrap_or_default()
    }

    /// The same as shares of the total variance; zero for constant data.
    pub fn explained_variance_ratio(&self) -> Vec<f64> {
        let total = self.total_variance;
        self.explained_variance().iter().map(|v| if total > 0.0 { v / total } else { 0.0 }).collect()
    }

    /// The variance of the data, all directions together.
    pub fn total_variance(&self) -> f64 {
        self.total_variance
    }

    /// The principal directions, one per column, D × d, orthonormal.
    pub fn directions(&self) -> MatRef<'_, f64> {
        self.map.matrix().as_ref()
    }

    /// The column means of the training data.
    pub fn mean(&self) -> &[f64] {
        self.map.origin()
    }

    /// The points of the data space that lie at the given coordinates (m × d):
    /// μ + [v₁ … v_d] y, m × D.
    pub fn inverse_transform(&self, coordinates: MatRef<'_, f64>) -> Result<Mat<f64>, Error> {
        let directions = self.directions();
        if coordinates.ncols() != directions.ncols() {
            return Err(Error::Shape {
                what: "the number of coordinates",
                expected: directions.ncols().to_string(),
                got: coordinates.ncols().to_string(),
            });
        }
        let mut points = dense::product(coordinates, directions.transpose());
        for (j, mean) in self.mean().iter().enumerate() {
            points.col_mut(j).iter_mut().for_each(|x| *x += mean);
        }
        Ok(points)
    }
}

impl Embedder for Pca {
    fn name(&self) -> &'static str {
        "pca"
    }

    fn embed(&self, points: Points<'_>, observer: &dyn Observer) -> Result<Embedding, Error> {
        Ok(self.fit(points, observer)?.embedding)
    }
}

impl Model for FittedPca {
    fn embedding(&self) -> &Embedding {
        &self.embedding
    }
}

impl Transform for FittedPca {
    /// Training rows reproduce to the bit.
    fn transform(&self, new: Points<'_>) -> Result<Mat<f64>, Error> {
        self.map.apply(new)
    }
}
