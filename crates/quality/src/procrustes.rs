//! Procrustes analysis: comparison with a reference up to similarity or affine maps.

use embedding::{Error, Points};
use faer::Mat;
use spectral::dense;

use crate::reference_distances::same_length;

/// Whether reflections are allowed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Reflection {
    /// Rotations and reflections: embeddings have no orientation.
    #[default]
    Allowed,
    /// Rotations only.
    Forbidden,
}

/// The best similarity transformation of an embedding onto a reference.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Alignment {
    /// The transformed embedding: n × max(d, reference dimension).
    #[serde(with = "embedding::implement::matrix")]
    pub coordinates: Mat<f64>,
    /// The scale factor applied.
    pub scale: f64,
    /// The residual: 0 for the same shape, 1 for unrelated shapes.
    pub residual: f64,
}

/// Performs ordinary Procrustes analysis: finds the translation, rotation and scale that
/// best match an embedding to a reference, and the residual.
///
#[doc = include_str!("explanations/procrustes.md")]
///
/// P is the disparity of scipy's `procrustes`. Without reflections the smallest singular value
/// is taken negative if det(R) would be −1. The residual is computed from the aligned points, not
/// from the difference, so it is accurate near 0.
///
/// *Cost.* O(n d²) time, O(n d) memory.
///
/// *Fails* if the sizes differ or all points of one set coincide.
pub fn procrustes(
    reference: Points<'_>,
    embedding: Points<'_>,
    reflection: Reflection,
) -> Result<Alignment, Error> {
    let found = Match::new(reference, embedding, reflection)?;
    let (turned, residual) = found.rotated();
    let Match { target, moved, rotation, factor } = found;
    let width = rotation.nrows();
    let coordinates =
        Mat::from_fn(turned.nrows(), width, |i, j| target.norm * factor * turned[(i, j)] + target.mean[j]);
    Ok(Alignment { coordinates, scale: factor * target.norm / moved.norm, residual })
}

/// Two centered point sets, and the rotation and the factor between them at unit norm.
struct Match {
    target: Centered,
    moved: Centered,
    rotation: Mat<f64>,
    factor: f64,
}

impl Match {
    fn new(reference: Points<'_>, embedding: Points<'_>, reflection: Reflection) -> Result<Self, Error> {
        same_length("the number of embedded points", reference.len(), embedding.len())?;
        let width = reference.dim().max(embedding.dim());
        let target = Centered::new("the reference", reference, width)?;
        let moved = Centered::new("the embedding", embedding, width)?;
        let (u, sigma, v) =
            dense::thin_svd(dense::product(target.unit.transpose(), moved.unit.as_ref()).as_ref())?;
        let mut signs = vec![1.0; width];
        if reflection == Reflection::Forbidden && determinant_sign(&u) * determinant_sign(&v) < 0.0 {
            signs[width - 1] = -1.0;
        }
        let rotation =
            Mat::from_fn(width, width, |a, b| (0..width).map(|l| v[(a, l)] * signs[l] * u[(b, l)]).sum());
        let factor = sigma.iter().zip(&signs).map(|(s, sign)| s * sign).sum();
        Ok(Self { target, moved, rotation, factor })
    }

    /// The rotated embedding at unit norm, and the residual.
    fn rotated(&self) -> (Mat<f64>, f64) {
        let turned = dense::product(self.moved.unit.as_ref(), self.rotation.as_ref());
        let mut residual = 0.0;
        for j in 0..turned.ncols() {
            for i in 0..turned.nrows() {
                residual += (self.target.unit[(i, j)] - self.factor * turned[(i, j)]).powi(2);
            }
        }
        (turned, f64::min(residual, 1.0))
    }
}

/// The similarity transformation found by [`procrustes`], to be applied to other points.
///
/// ```
/// use embedding::Points;
/// use quality::shape::{Reflection, Similarity};
/// let (reference, map) = ([0.0, 2.0], [5.0, 4.0]);
/// let (reference, map) = (Points::new(&reference, 1)?, Points::new(&map, 1)?);
/// let found = Similarity::between(reference, map, Reflection::Allowed)?;
/// let moved = found.apply(Points::new(&[3.0], 1)?)?;
/// assert!((moved[(0, 0)] - 4.0).abs() < 1e-12);
/// # Ok::<(), embedding::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Similarity {
    /// The factor on lengths; set it to 1 to keep the size.
    pub scale: f64,
    /// The residual: 0 for the same shape, 1 for unrelated shapes.
    pub residual: f64,
    rotation: Mat<f64>,
    from: Vec<f64>,
    to: Vec<f64>,
}

impl Similarity {
    /// The transformation of the embedding onto the reference; definition and failures as
    /// [`procrustes`].
    pub fn between(
        reference: Points<'_>,
        embedding: Points<'_>,
        reflection: Reflection,
    ) -> Result<Self, Error> {
        let found = Match::new(reference, embedding, reflection)?;
        let (_, residual) = found.rotated();
        let Match { target, moved, rotation, factor } = found;
        let scale = factor * target.norm / moved.norm;
        Ok(Self { scale, residual, rotation, from: moved.mean, to: target.mean })
    }

    /// The transformed points, in max(d, reference dimension) columns.
    ///
    /// Fails with [`Error::Shape`] when the points have more columns than that.
    pub fn apply(&self, points: Points<'_>) -> Result<Mat<f64>, Error> {
        let width = self.rotation.nrows();
        if points.dim() > width {
            return Err(Error::Shape {
                what: "the number of columns",
                expected: format!("at most {width}"),
                got: points.dim().to_string(),
            });
        }
        let centered = Mat::from_fn(points.len(), width, |i, j| {
            if j < points.dim() { points.row(i)[j] - self.from[j] } else { 0.0 }
        });
        let rotated = dense::product(centered.as_ref(), self.rotation.as_ref());
        Ok(Mat::from_fn(points.len(), width, |i, j| self.scale * rotated[(i, j)] + self.to[j]))
    }
}

/// Computes the residual of the best affine map from the embedding onto the reference.
///
#[doc = include_str!("explanations/affine.md")]
///
/// *Cost.* O(n d²) time, O(n d) memory. *Fails* if the sizes differ or all reference
/// points coincide. An embedding whose points coincide scores 1. Any n ≤ d + 1 points in
/// general position fit exactly.
pub fn affine_residual(reference: Points<'_>, embedding: Points<'_>) -> Result<f64, Error> {
    same_length("the number of embedded points", reference.len(), embedding.len())?;
    let target = Centered::new("the reference", reference, reference.dim())?;
    let Ok(moved) = Centered::new("the embedding", embedding, embedding.dim()) else {
        return Ok(1.0);
    };
    let (u, sigma, _) = dense::thin_svd(moved.unit.as_ref())?;
    // Singular values below the rounding error of the decomposition are treated as zero.
    let cut = sigma[0] * f64::EPSILON * moved.unit.nrows().max(sigma.len()) as f64;
    let rank = sigma.iter().filter(|s| **s > cut).count();
    let basis = u.subcols(0, rank);
    let explained = dense::product(basis.transpose(), target.unit.as_ref());
    let left = &target.unit - dense::product(basis, explained.as_ref());
    Ok(left.squared_norm_l2().min(1.0))
}

/// Returns the embedding aligned with a reference of at most its own dimension, for
/// comparison of plots; n × d, in the units of the reference.
///
/// Fails as [`procrustes`], and if the reference has more dimensions than the embedding.
pub fn align_to(
    reference: Points<'_>,
    embedding: Points<'_>,
    reflection: Reflection,
) -> Result<Mat<f64>, Error> {
    if reference.dim() > embedding.dim() {
        return Err(Error::Shape {
            what: "the dimension of the reference",
            expected: format!("at most {} as the embedding's", embedding.dim()),
            got: reference.dim().to_string(),
        });
    }
    Ok(procrustes(reference, embedding, reflection)?.coordinates)
}

/// A centered point set of unit norm, padded with zeros to `width` columns.
struct Centered {
    unit: Mat<f64>,
    mean: Vec<f64>,
    norm: f64,
}

impl Centered {
    fn new(what: &str, points: Points<'_>, width: usize) -> Result<Self, Error> {
        let (n, dim) = (points.len(), points.dim());
        let largest = points.values().iter().fold(0.0_f64, |m, v| m.max(v.abs()));
        // Divided by the largest magnitude first, so that no square overflows.
        let unit = if largest > 0.0 { largest } else { 1.0 };
        let mut mean = vec![0.0; width];
        for row in points.rows() {
            row.iter().zip(&mut mean).for_each(|(v, m)| *m += v / unit / n as f64);
        }
        let mut mat =
            Mat::from_fn(n, width, |i, j| if j < dim { points.row(i)[j] / unit - mean[j] } else { 0.0 });
        let norm = mat.norm_l2();
        // After centering, coinciding points leave only rounding errors.
        if norm <= 4.0 * f64::EPSILON * (n as f64 * dim as f64).sqrt() {
            return Err(Error::degenerate(
                format!("all {n} points of {what} coincide"),
                "at least two points must differ",
            ));
        }
        mat /= faer::Scale(norm);
        mean.iter_mut().for_each(|m| *m *= unit);
        Ok(Self { unit: mat, mean, norm: norm * unit })
    }
}

/// Returns the sign of the determinant of an orthogonal matrix, by elimination.
fn determinant_sign(orthogonal: &Mat<f64>) -> f64 {
    let n = orthogonal.nrows();
    let mut a = orthogonal.clone();
    let mut sign = 1.0;
    for c in 0..n {
        let pivot = (c..n).max_by(|&x, &y| a[(x, c)].abs().total_cmp(&a[(y, c)].abs())).unwrap_or(c);
        if pivot != c {
            sign = -sign;
            for j in 0..n {
                (a[(c, j)], a[(pivot, j)]) = (a[(pivot, j)], a[(c, j)]);
            }
        }
        if a[(c, c)] < 0.0 {
            sign = -sign;
        }
        for i in c + 1..n {
            let factor = a[(i, c)] / a[(c, c)];
            for j in c..n {
                let above = a[(c, j)];
                a[(i, j)] -= factor * above;
            }
        }
    }
    sign
}
