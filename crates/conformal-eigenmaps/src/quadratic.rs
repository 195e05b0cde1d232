//! The angle loss as a quadratic form in P.

use embedding::implement::PairDistances;
use embedding::{Error, MemoryLimit, Observer};
use faer::{Mat, MatRef};
use neighbor_graph::Neighbors;
use serde::{Deserialize, Serialize};

use crate::pairs::{PatchPairs, PatchWeight};
use crate::patches::{Patches, Reading};
use crate::serde_form::SerdeForm;
use crate::svec::{HALF, dot, packed_index, unpacked_len};

/// Rounding errors of sums over Q, in units of eps times the largest possible loss.
const ROUNDING: f64 = 64.0;

/// D(P) = svec(P)ᵀ Q svec(P), the angle loss of z = L y with P = LᵀL.
///
/// **Idea.** A map preserves the angles around point h if it multiplies all distances
/// near h by the same factor √s_h. The deviation is C_h = Σ_e (|z_i − z_j|² − s_h |x_i −
/// x_j|²)² over the pairs e = (i, j) of the patch, and the optimal s_h has a closed form.
///
/// **Definition.** With v_e = svec((y_i − y_j)(y_i − y_j)ᵀ) and
/// g_e = |x_i − x_j|², |z_i − z_j|² = v_e · p for p = svec(P); stacking the
/// pairs of a patch into V_h and g_h,
///
/// s_h = g_hᵀ V_h p / |g_h|²,  R_h = (I − g_h g_hᵀ / |g_h|²) V_h,  Q = Σ_h w_h R_hᵀ R_h.
///
/// Patches whose points coincide (g_h = 0) are skipped. Q is divided by D(I/m), its value
/// for the unrefined basis, so that the unrefined basis scores 1 and penalties are
/// dimensionless. (If the basis already preserves every angle, so that D(I/m) is at
/// rounding level, Q is divided by Σ w_h |V_h svec(I/m)|² instead, and every loss is 0 up
/// to rounding.)
///
/// D is invariant under rotations of the basis, under similarity transformations of the
/// points and under permutations.
///
/// **Cost.** n k (k + 1) / 2 pairs, O(n k² m⁴) time in all, in parallel;
/// 17 q² numbers of memory at most, q = m (m + 1) / 2.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "SerdeForm", into = "SerdeForm")]
pub struct Quadratic {
    order: usize,
    form: Mat<f64>,
    columns: Mat<f64>,
    scale: f64,
}

impl Quadratic {
    /// Computes Q for a centered basis (n × m, usually from [`crate::whiten`]); stage
    /// `"quadratic form"`.
    ///
    /// Fails if the shapes differ, if Q exceeds the memory limit, if it is not finite
    /// (squared distances overflow, or their squares by other weights than the published one), or if the points of every patch coincide.
    pub fn build<'a>(
        distances: impl Into<PairDistances<'a>>,
        neighbors: &Neighbors,
        basis: MatRef<'_, f64>,
        pairs: PatchPairs,
        weight: PatchWeight,
        memory_limit: MemoryLimit,
        observer: &dyn Observer,
    ) -> Result<Self, Error> {
        let reading = Reading::Angles(weight);
        let distances = distances.into();
        let (total, energy) =
            Patches { distances, neighbors, basis, pairs, reading }.gram(memory_limit, observer)?;
        Self::normalized(total.as_ref(), ROUNDING * f64::EPSILON * energy, energy)
    }

    /// Normalizes a symmetric positive semidefinite q × q matrix; only its lower triangle
    /// is read.
    ///
    /// Fails if q is not a triangular number, if a value is not finite, or if D(I/m) is
    /// not positive.
    pub fn from_matrix(raw: MatRef<'_, f64>) -> Result<Self, Error> {
        Self::normalized(raw, 0.0, 0.0)
    }

    /// Divides by D(I/m), or by `energy` if D(I/m) is at most `floor`.
    fn normalized(raw: MatRef<'_, f64>, floor: f64, energy: f64) -> Result<Self, Error> {
        let q = raw.nrows();
        let m = match unpacked_len(q) {
            Some(m) if m > 0 && raw.ncols() == q => m,
            _ => {
                return Err(Error::Shape {
                    what: "the quadratic form",
                    expected: "square, of order m (m + 1) / 2".into(),
                    got: format!("{q} × {}", raw.ncols()),
                });
            }
        };
        let at = |i: usize, j: usize| raw[(i.max(j), i.min(j))];
        let diagonal: Vec<usize> = (0..m).map(|a| packed_index(m, a, a)).collect();
        let unrefined = diagonal.iter().flat_map(|&i| diagonal.iter().map(move |&j| at(i, j))).sum::<f64>()
            / (m * m) as f64;
        let finite = (0..q).all(|j| (j..q).all(|i| raw[(i, j)].is_finite()));
        let scale = if unrefined <= floor { energy } else { unrefined };
        if !finite || !scale.is_finite() {
            return Err(Error::degenerate(
                "the fourth powers of the distances overflow",
                "divide the data by their largest distance",
            ));
        }
        if scale <= 0.0 {
            return Err(Error::degenerate(
                "all points of every patch coincide, so that no angle is defined",
                "remove duplicates, or use more neighbors",
            ));
        }
        Ok(Self::from_normalized(m, Mat::from_fn(q, q, |i, j| at(i, j) / scale), scale))
    }

    /// Creates the loss from a form that is already divided by its scale.
    pub(crate) fn from_normalized(order: usize, form: Mat<f64>, scale: f64) -> Self {
        let columns = Mat::from_fn(form.nrows(), order * order, |i, column| {
            let (a, b) = (column % order, column / order);
            form[(i, packed_index(order, a.min(b), a.max(b)))] * if a == b { 1.0 } else { HALF }
        });
        Self { order, form, columns, scale }
    }

    /// Returns the number m of basis vectors.
    pub fn order(&self) -> usize {
        self.order
    }

    /// Returns the normalized Q, q × q.
    pub fn matrix(&self) -> MatRef<'_, f64> {
        self.form.as_ref()
    }

    /// Returns D(I/m) before normalization. Multiply D by it to compare bases.
    pub fn raw_scale(&self) -> f64 {
        self.scale
    }

    /// Returns D(P) for p = svec(P), of length q; rounding may make it slightly negative
    /// near 0.
    pub fn value(&self, p: &[f64]) -> f64 {
        dot(p, &self.slope(p))
    }

    /// Returns Q p, half the gradient of D.
    ///
    /// # Panics
    /// Like [`Quadratic::value`] and [`Quadratic::rounding`], if the length of p is not
    /// q, the length of [`crate::svec`] of an m × m matrix.
    pub fn slope(&self, p: &[f64]) -> Vec<f64> {
        assert_eq!(p.len(), self.form.nrows(), "svec of a matrix of order {}", self.order);
        let mut out = vec![0.0; p.len()];
        for (j, &weight) in p.iter().enumerate() {
            out.iter_mut().zip(self.form.col(j).iter()).for_each(|(o, v)| *o += weight * v);
        }
        out
    }

    /// Returns a bound on the rounding error of D(P): 16 eps |p|ᵀ |Q| |p|, for the sums
    /// in Q and in the form itself.
    pub fn rounding(&self, p: &[f64]) -> f64 {
        assert_eq!(p.len(), self.form.nrows(), "svec of a matrix of order {}", self.order);
        let row = |j: usize| self.form.col(j).iter().zip(p).map(|(v, x)| (v * x).abs()).sum::<f64>();
        16.0 * f64::EPSILON * p.iter().enumerate().map(|(j, x)| x.abs() * row(j)).sum::<f64>()
    }

    /// Returns the q × m² matrix with Q svec(sym A) = columns · vec(A) for every square
    /// A, with entry (a, b) of A at index a + m b.
    pub(crate) fn columns(&self) -> MatRef<'_, f64> {
        self.columns.as_ref()
    }
}
