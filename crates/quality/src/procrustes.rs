//! How far is an embedding from a reference, up to what the method cannot know.

use embedding::{Error, Points};
use faer::Mat;
use spectral::dense;

use crate::distances::same_length;

/// Whether a mirror image counts as the same shape.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Reflection {
    /// Rotations and reflections: embeddings have no handedness.
    #[default]
    Allowed,
    /// Rotations only.
    Forbidden,
}

/// The best similarity from an embedding onto a reference.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Alignment {
    /// The embedding, moved onto the reference: n × max(d, reference dimension).
    #[serde(with = "embedding::matrix")]
    pub coordinates: Mat<f64>,
    /// The factor that was applied.
    pub scale: f64,
    /// What is left: 0 is the same shape, 1 has nothing in common with it.
    pub residual: f64,
}

/// Ordinary Procrustes analysis: the translation, rotation and scale that bring
/// an embedding nearest to a reference, and the residual.
///
/// *Definition.* With A (reference) and B (embedding) centered and scaled to
/// unit Frobenius norm, and Σ the singular values of AᵀB, the residual is
///
/// min over s, R of ‖A − s B R‖² = 1 − (Σ σ)²,
///
/// the disparity of scipy's `procrustes`. Without reflections the smallest
/// singular value counts negative when det(R) would be −1. Spaces of unequal
/// dimension are padded with zeros. It is computed as the explicit residual,
/// not as the difference, and so stays accurate near 0.
///
/// *Cost.* O(n d²) time, O(n d) memory.
///
/// *Fails* when the sizes differ or all points of one set coincide.
///
/// *Reference.* Gower, Generalized Procrustes analysis, Psychometrika 40
/// (1975), <https://doi.org/10.1007/BF02291478>.
pub fn procrustes(
    reference: Points<'_>,
    embedding: Points<'_>,
    reflection: Reflection,
) -> Result<Alignment, Error> {
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
    let factor: f64 = sigma.iter().zip(&signs).map(|(s, sign)| s * sign).sum();
    let turned = dense::product(moved.unit.as_ref(), rotation.as_ref());
    let mut residual = 0.0;
    for j in 0..width {
        for i in 0..turned.nrows() {
            residual += (target.unit[(i, j)] - factor * turned[(i, j)]).powi(2);
        }
    }
    let coordinates =
        Mat::from_fn(turned.nrows(), width, |i, j| target.norm * factor * turned[(i, j)] + target.mean[j]);
    Ok(Alignment { coordinates, scale: factor * target.norm / moved.norm, residual: residual.min(1.0) })
}

/// The residual of the best affine map from the embedding onto the reference.
///
/// *Idea.* Methods with unit covariance by construction (LLE, LTSA, Laplacian
/// eigenmaps) cannot know lengths along the axes; a similarity would punish a
/// perfect result of theirs. An affine map forgives stretch and shear, and
/// nothing else.
///
/// *Definition.* min over M, t of ‖A − B M − 1 tᵀ‖² / ‖A − mean‖², in [0, 1]:
/// the share of the reference's variance that no linear function of the
/// embedding explains.
///
/// *Cost.* O(n d²) time, O(n d) memory. *Fails* when the sizes differ or all
/// reference points coincide. An embedding that collapsed scores 1. Note that
/// n ≤ d + 1 points in general position always fit: the residual is 0.
pub fn affine_residual(reference: Points<'_>, embedding: Points<'_>) -> Result<f64, Error> {
    same_length("the number of embedded points", reference.len(), embedding.len())?;
    let target = Centered::new("the reference", reference, reference.dim())?;
    let Ok(moved) = Centered::new("the embedding", embedding, embedding.dim()) else {
        return Ok(1.0);
    };
    let (u, sigma, _) = dense::thin_svd(moved.unit.as_ref())?;
    // Directions below the rounding error of the decomposition do not exist.
    let cut = sigma[0] * f64::EPSILON * moved.unit.nrows().max(sigma.len()) as f64;
    let rank = sigma.iter().filter(|s| **s > cut).count();
    let basis = u.subcols(0, rank);
    let explained = dense::product(basis.transpose(), target.unit.as_ref());
    let left = &target.unit - dense::product(basis, explained.as_ref());
    Ok(left.squared_norm_l2().min(1.0))
}

/// The embedding moved onto a reference of at most its own dimension: the same
/// picture, turned the same way. Coordinates are n × d in the reference's units.
///
/// Fails as [`procrustes`] does, and when the reference has more dimensions
/// than the embedding.
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

/// A centered set of unit norm, padded with zeros to `width` columns.
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
        // What is left of coinciding points after centering is rounding.
        if norm <= 4.0 * f64::EPSILON * (n as f64 * dim as f64).sqrt() {
            return Err(Error::degenerate(
                format!("all {n} points of {what} coincide"),
                "a shape needs points that differ",
            ));
        }
        mat /= faer::Scale(norm);
        mean.iter_mut().for_each(|m| *m *= unit);
        Ok(Self { unit: mat, mean, norm: norm * unit })
    }
}

/// The sign of the determinant of an orthogonal matrix, by elimination.
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
