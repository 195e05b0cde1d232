//! Manifolds from a low-discrepancy sequence: the same points in every language,
//! without a generator of random numbers.
#![allow(dead_code, reason = "each test file uses some of them")]
#![allow(clippy::unwrap_used, reason = "tests")]

use embedding::{PointSet, Points};
use faer::{Mat, MatRef};
use neighbor_graph::{NeighborSearch, Neighbors};

/// Point `i`, counted from 1, of a Weyl sequence that fills the unit square; quadratic
/// in one coordinate, because a lattice is full of distances tied up to rounding.
pub(crate) fn unit_square(i: usize) -> (f64, f64) {
    let i = i as f64;
    ((i * 0.7548776662466927).fract(), (i * i * 0.5698402909980532).fract())
}

/// A Swiss roll without noise: (t cos t, 21 v, t sin t), t = 1.5π (1 + 2u).
pub(crate) fn swiss_roll(n: usize) -> PointSet {
    let rows = (1..=n).flat_map(|i| {
        let (u, v) = unit_square(i);
        let t = 1.5 * std::f64::consts::PI * (1.0 + 2.0 * u);
        [t * t.cos(), 21.0 * v, t * t.sin()]
    });
    PointSet::new(rows.collect(), 3).unwrap()
}

/// An S-curve without noise: (sin t, 2v, sign(t) (cos t − 1)), t = 3π (u − ½).
pub(crate) fn s_curve(n: usize) -> PointSet {
    let rows = (1..=n).flat_map(|i| {
        let (u, v) = unit_square(i);
        let t = 3.0 * std::f64::consts::PI * (u - 0.5);
        [t.sin(), 2.0 * v, t.signum() * (t.cos() - 1.0)]
    });
    PointSet::new(rows.collect(), 3).unwrap()
}

/// The sine of the largest angle between the column spaces of `a` and `b`, each with
/// orthonormal columns.
pub(crate) fn subspace_gap(a: MatRef<'_, f64>, b: MatRef<'_, f64>) -> f64 {
    let outside = b - a * (a.transpose() * b);
    spectral::dense::thin_svd(outside.as_ref()).unwrap().1[0]
}

/// Returns the fraction of the variance of `truth` not explained by affine functions of
/// `y`.
pub(crate) fn affine_residual(truth: MatRef<'_, f64>, y: MatRef<'_, f64>) -> f64 {
    let n = y.nrows();
    let constant = Mat::full(n, 1, 1.0 / (n as f64).sqrt());
    let centered = truth - &constant * (constant.transpose() * truth);
    let design = Mat::from_fn(n, y.ncols() + 1, |i, j| if j == 0 { 1.0 } else { y[(i, j - 1)] });
    let q = spectral::dense::thin_q(design.as_ref());
    (&centered - &q * (q.transpose() * &centered)).squared_norm_l2() / centered.squared_norm_l2()
}

/// The k nearest neighbors.
pub(crate) fn nearest(points: Points<'_>, k: usize) -> Neighbors {
    NeighborSearch::nearest(k).find(points).unwrap()
}
