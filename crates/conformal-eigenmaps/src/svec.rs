//! Symmetric matrices as vectors.

use faer::{Mat, MatRef};

/// √½, the factor of one of two equal off-diagonal entries.
pub(crate) const HALF: f64 = std::f64::consts::FRAC_1_SQRT_2;

/// Returns the length q = m (m + 1) / 2 of a packed symmetric m × m matrix.
pub fn packed_len(m: usize) -> usize {
    m * (m + 1) / 2
}

/// Returns the order m of a packed matrix of length q, if q is triangular.
pub(crate) fn unpacked_len(q: usize) -> Option<usize> {
    let m = (((8.0 * q as f64 + 1.0).sqrt() - 1.0) / 2.0).round() as usize;
    (packed_len(m) == q).then_some(m)
}

/// Returns the index of entry (a, b), a ≤ b, in the row-major upper triangle.
pub(crate) fn packed_index(m: usize, a: usize, b: usize) -> usize {
    debug_assert!(a <= b && b < m);
    a * (2 * m - a + 1) / 2 + b - a
}

/// Returns svec(A): the row-major upper triangle of the symmetric part of A, with
/// off-diagonal entries times √2, so that ⟨A, B⟩ = svec(A) · svec(B) for symmetric A and
/// B.
///
/// ```
/// use conformal_eigenmaps::steps::{smat, svec};
/// use faer::mat;
/// let a = mat![[1.0, 2.0], [2.0, 5.0]];
/// assert_eq!(svec(a.as_ref()), vec![1.0, 2.0 * 2f64.sqrt(), 5.0]);
/// assert!((smat(&svec(a.as_ref()), 2) - a).norm_max() < 1e-15);
/// ```
pub fn svec(a: MatRef<'_, f64>) -> Vec<f64> {
    let m = a.nrows();
    let mut packed = Vec::with_capacity(packed_len(m));
    for i in 0..m {
        packed.push(a[(i, i)]);
        packed.extend((i + 1..m).map(|j| (a[(i, j)] + a[(j, i)]) * HALF));
    }
    packed
}

/// Returns the symmetric m × m matrix with the given [`svec`].
pub fn smat(packed: &[f64], m: usize) -> Mat<f64> {
    debug_assert_eq!(packed.len(), packed_len(m));
    Mat::from_fn(m, m, |i, j| {
        let value = packed[packed_index(m, i.min(j), i.max(j))];
        if i == j { value } else { value * HALF }
    })
}

/// Returns svec(sym(BᵀC)).
pub(crate) fn svec_product(b: MatRef<'_, f64>, c: MatRef<'_, f64>) -> Vec<f64> {
    svec(spectral::dense::product(b.transpose(), c).as_ref())
}

/// Returns the trace of a packed matrix.
pub(crate) fn packed_trace(packed: &[f64], m: usize) -> f64 {
    (0..m).map(|a| packed[packed_index(m, a, a)]).sum()
}

/// Returns x · y, summed in order.
pub(crate) fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(a, b)| a * b).sum()
}

/// Returns ⟨A, B⟩ of two matrices of equal shape.
pub(crate) fn inner(a: MatRef<'_, f64>, b: MatRef<'_, f64>) -> f64 {
    (0..a.ncols()).map(|j| a.col(j).iter().zip(b.col(j).iter()).map(|(x, y)| x * y).sum::<f64>()).sum()
}
