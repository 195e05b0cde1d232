//! The length loss as a quadratic in P.

use embedding::implement::PairDistances;
use embedding::{Error, MemoryLimit, Observer, Points};
use faer::{Mat, MatRef};
use neighbor_graph::Neighbors;

use crate::PatchPairs;
use crate::angles::overflow;
use crate::patches::{Patches, Reading};
use crate::svec::{dot, packed_index, packed_len, unpacked_len};

/// E(P), the mean error of squared lengths under z = L y, with P = LᵀL in units of V.
///
/// **Idea.** An isometry preserves the distances between neighbors. The deviation from
/// isometry is Σ_e (|z_i − z_j|² − |x_i − x_j|²)² over the pairs e = (i, j) of all
/// patches: the angle loss with every scale s_h fixed at 1.
///
/// **Definition.** With V the variance of the points, their mean squared
/// distance from their mean, v_e = svec((y_i − y_j)(y_i − y_j)ᵀ),
/// g_e = |x_i − x_j|² / V and |z_i − z_j|² = V v_e · p for p = svec(P),
///
/// E(P) = Σ_e (v_e · p − g_e)² / Σ_e g_e² = pᵀ A p − 2 bᵀ p + 1.
///
/// √E is the root mean square error of squared lengths, relative to their root mean
/// square; E = 0 for an isometry, and E(0) = 1. E is dimensionless: it is invariant under
/// similarity transformations of the points, under rotations of the basis (with P), and
/// under permutations of the points. A pair is counted once for every patch that contains
/// it.
///
/// **Cost.** As for [`crate::Quadratic`]: O(n k² m⁴) time, in parallel, and
/// 17 q² numbers at most, q = m (m + 1) / 2.
#[derive(Clone, Debug)]
pub struct LengthLoss {
    order: usize,
    form: Mat<f64>,
    along: Vec<f64>,
    unit: f64,
}

impl LengthLoss {
    /// Computes A and b for a centered basis (n × m, usually from [`crate::whiten`]);
    /// stage `"quadratic form"`.
    ///
    /// Fails if the shapes differ, if A exceeds the memory limit, if all points or all
    /// neighbors coincide, or if squares overflow or underflow.
    pub fn build<'a>(
        distances: impl Into<PairDistances<'a>>,
        neighbors: &Neighbors,
        basis: MatRef<'_, f64>,
        pairs: PatchPairs,
        memory_limit: MemoryLimit,
        observer: &dyn Observer,
    ) -> Result<Self, Error> {
        let distances = distances.into();
        let unit = variance(distances)?;
        let reading = Reading::Lengths { unit };
        let gram = Patches { distances, neighbors, basis, pairs, reading }.gram(memory_limit, observer)?.0;
        Self::from_gram(gram.as_ref(), unit)
    }

    /// Creates the loss from Σ_e (v_e, g_e)(v_e, g_e)ᵀ, of order q + 1 (only the lower
    /// triangle is read), and V.
    ///
    /// Fails if q is not a triangular number, if a value is not finite, or if Σ g_e² or V
    /// is not positive.
    pub fn from_gram(gram: MatRef<'_, f64>, unit: f64) -> Result<Self, Error> {
        let q = gram.nrows().saturating_sub(1);
        let order = match unpacked_len(q) {
            Some(m) if m > 0 && gram.ncols() == q + 1 => m,
            _ => {
                return Err(Error::Shape {
                    what: "the sums over pairs",
                    expected: "square, of order m (m + 1) / 2 + 1".into(),
                    got: format!("{} × {}", gram.nrows(), gram.ncols()),
                });
            }
        };
        let at = |i: usize, j: usize| gram[(i.max(j), i.min(j))];
        if !(0..=q).all(|j| (j..=q).all(|i| gram[(i, j)].is_finite())) {
            return Err(overflow());
        }
        let total = at(q, q);
        // Division by a subnormal number could overflow.
        if total < f64::MIN_POSITIVE {
            return Err(Error::degenerate(
                "all points of every patch coincide, or nearly so",
                "remove duplicates, or use more neighbors",
            ));
        }
        if !(unit.is_finite() && unit > 0.0) {
            return Err(Error::parameter("the unit of squared length", "finite and positive", unit));
        }
        let form = Mat::from_fn(q, q, |i, j| at(i, j) / total);
        Ok(Self { order, form, along: (0..q).map(|i| at(q, i) / total).collect(), unit })
    }

    /// Returns the number m of basis vectors.
    pub fn order(&self) -> usize {
        self.order
    }

    /// Returns V, the squared length in whose units P is measured.
    pub fn unit(&self) -> f64 {
        self.unit
    }

    /// Returns A, q × q.
    pub fn matrix(&self) -> MatRef<'_, f64> {
        self.form.as_ref()
    }

    /// Returns b, of length q.
    pub fn along(&self) -> &[f64] {
        &self.along
    }

    /// Returns E(P) for p = svec(P), of length q; negative rounding errors are clipped to
    /// 0.
    pub fn value(&self, p: &[f64]) -> f64 {
        (dot(p, &self.image(p)) - 2.0 * dot(&self.along, p) + 1.0).max(0.0)
    }

    /// Returns the factor whose multiple of P minimizes E, and that minimum; 0 and 1 if no
    /// positive factor reduces E.
    pub fn scaled(&self, p: &[f64]) -> (f64, f64) {
        let (along, square) = (dot(&self.along, p), dot(p, &self.image(p)));
        if square > 0.0 && along > 0.0 {
            let factor = along / square;
            (factor, (1.0 - factor * along).max(0.0))
        } else {
            (0.0, 1.0)
        }
    }

    /// Returns A p.
    ///
    /// # Panics
    /// Like [`LengthLoss::value`] and [`LengthLoss::scaled`], if the length of p is not
    /// q, the length of [`crate::svec`] of an m × m matrix.
    pub fn image(&self, p: &[f64]) -> Vec<f64> {
        assert_eq!(p.len(), packed_len(self.order), "svec of a matrix of order {}", self.order);
        let mut out = vec![0.0; p.len()];
        for (j, &weight) in p.iter().enumerate() {
            out.iter_mut().zip(self.form.col(j).iter()).for_each(|(o, v)| *o += weight * v);
        }
        out
    }

    /// Returns svec of c I.
    pub(crate) fn multiple_of_identity(&self, c: f64) -> Vec<f64> {
        let mut p = vec![0.0; packed_len(self.order)];
        (0..self.order).for_each(|a| p[packed_index(self.order, a, a)] = c);
        p
    }
}

/// Returns the mean squared distance of the points from their mean; fails unless it is
/// positive and finite.
fn variance(distances: PairDistances<'_>) -> Result<f64, Error> {
    let total = match distances {
        PairDistances::Points(points) => variance_of_points(points),
        PairDistances::Distances(distances) => distances.variance(),
    };
    if !total.is_finite() {
        return Err(overflow());
    }
    if total < f64::MIN_POSITIVE {
        return Err(Error::degenerate(
            "the variance of the points is zero: all coincide, or their squared distances underflow",
            "use points that differ, or divide the coordinates by the largest of them",
        ));
    }
    Ok(total)
}

fn variance_of_points(points: Points<'_>) -> f64 {
    let n = points.len() as f64;
    let first = points.row(0);
    let column = |j: usize| -> f64 {
        // Relative to the first point, to avoid cancellation far from the origin.
        let apart = |i: usize| points.row(i)[j] - first[j];
        let mean = (0..points.len()).map(apart).sum::<f64>() / n;
        (0..points.len()).map(|i| (apart(i) - mean).powi(2)).sum::<f64>() / n
    };
    (0..points.dim()).map(column).sum()
}
