//! Problems that need no generator of random numbers.

#![allow(dead_code, reason = "every test file uses a part")]

use conformal_eigenmaps::settings::{PatchPairs, PatchWeight};
use conformal_eigenmaps::steps::{Quadratic, smat, svec, whiten};
use embedding::{Error, MemoryLimit, PointSet, Points, Silent};
use faer::{Mat, MatRef};
use neighbor_graph::{NeighborSearch, Neighbors};

pub(crate) fn frac(x: f64) -> f64 {
    x - x.floor()
}

/// The i-th point, from 1, of a low-discrepancy sequence in the unit square.
pub(crate) fn uv(i: usize) -> (f64, f64) {
    (frac(i as f64 * 0.754_877_666_246_692_7), frac(i as f64 * 0.569_840_290_998_053_2))
}

/// Eight points on a drifting circle, with neighbors by index and three
/// polynomials as a basis that is not white.
pub(crate) struct Octagon {
    pub(crate) points: PointSet,
    pub(crate) neighbors: Neighbors,
    pub(crate) basis: Mat<f64>,
}

pub(crate) fn octagon() -> Result<Octagon, Error> {
    let turn = std::f64::consts::TAU / 8.0;
    let rows = (0..8).flat_map(|i| {
        let t = f64::from(i);
        [(turn * t).cos() + 0.1 * t, (turn * t).sin(), 0.05 * t * t]
    });
    let cyclic = |i: usize, j: usize| {
        let gap = i.abs_diff(j);
        gap.min(8 - gap) as f64
    };
    Ok(Octagon {
        points: PointSet::new(rows.collect(), 3)?,
        neighbors: NeighborSearch::nearest(4).find_by(8, cyclic)?,
        basis: Mat::from_fn(8, 3, |i, j| {
            let t = i as f64 - 3.5;
            [t, t * t - 5.25, t * t * t / 10.0][j]
        }),
    })
}

pub(crate) fn nearest(points: Points<'_>, k: usize) -> Result<Neighbors, Error> {
    NeighborSearch::nearest(k).find(points)
}

/// |a − b| ≤ tolerance · |b|.
pub(crate) fn close(a: f64, b: f64, tolerance: f64) -> bool {
    (a - b).abs() <= tolerance * b.abs()
}

/// n × m independent normal numbers.
pub(crate) fn normal(n: usize, m: usize, seed: u64) -> Mat<f64> {
    faer::Scale(((n * m) as f64).sqrt()) * conformal_eigenmaps::steps::random_start(n, m, seed)
}

/// A sheet bent in space, unevenly sampled, and functions on it that nearly
/// hold its coordinates.
pub(crate) struct Sheet {
    pub(crate) points: PointSet,
    pub(crate) neighbors: Neighbors,
    pub(crate) basis: Mat<f64>,
}

pub(crate) fn sheet(n: usize, m: usize, seed: u64) -> Result<Sheet, Error> {
    let shift = normal(1, 2, seed);
    let at = |i: usize| {
        let (u, v) = uv(i + 1);
        (frac(u + shift[(0, 0)].abs()), frac(v + shift[(0, 1)].abs()))
    };
    let rows = (0..n).flat_map(|i| {
        let (u, v) = at(i);
        [(2.0 * u).cos(), (2.0 * u).sin(), 0.8 * v + 0.1 * u * v]
    });
    let points = PointSet::new(rows.collect(), 3)?;
    let neighbors = nearest(points.view(), 6)?;
    let noise = normal(n, m, seed + 1000);
    let basis = Mat::from_fn(n, m, |i, j| {
        let (u, v) = at(i);
        let own = match j {
            0 => u + 0.2 * v * v,
            1 => v,
            _ => (j as f64 * (u + 0.3 * v)).cos() + (j as f64 * v).sin(),
        };
        own + 0.01 * noise[(i, j)]
    });
    Ok(Sheet { points, neighbors, basis })
}

/// The loss of a basis, whitened first, over cliques that all count the same.
pub(crate) fn loss(
    points: Points<'_>,
    neighbors: &Neighbors,
    basis: MatRef<'_, f64>,
) -> Result<Quadratic, Error> {
    let y = whiten(basis)?.basis;
    let (pairs, weight, limit) = (PatchPairs::Clique, PatchWeight::Paper, MemoryLimit::default());
    Quadratic::build(points, neighbors, y.as_ref(), pairs, weight, limit, &Silent)
}

/// |a − b|² summed.
pub(crate) fn squared(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| (x - y) * (x - y)).sum()
}

/// 1 − (sum of singular values)² of centered sets of norm one: 0 for similar
/// shapes, mirrored or not.
pub(crate) fn procrustes(z: MatRef<'_, f64>, truth: Points<'_>) -> Result<f64, Error> {
    let unit = |a: MatRef<'_, f64>| {
        let n = a.nrows() as f64;
        let means: Vec<f64> = (0..a.ncols()).map(|j| a.col(j).iter().sum::<f64>() / n).collect();
        let centered = Mat::from_fn(a.nrows(), a.ncols(), |i, j| a[(i, j)] - means[j]);
        faer::Scale(1.0 / centered.norm_l2()) * centered
    };
    let cross = unit(z).transpose() * unit(truth.as_mat());
    let values = spectral::dense::thin_svd(cross.as_ref())?.1;
    Ok(1.0 - values.iter().sum::<f64>().powi(2))
}

pub(crate) fn form(n: usize, m: usize, seed: u64) -> Result<Quadratic, Error> {
    let sheet = sheet(n, m, seed)?;
    loss(sheet.points.view(), &sheet.neighbors, sheet.basis.as_ref())
}

pub(crate) fn gram(l: MatRef<'_, f64>) -> Vec<f64> {
    svec((l.transpose() * l).as_ref())
}

pub(crate) fn trace(p: &[f64], m: usize) -> f64 {
    (0..m).map(|a| smat(p, m)[(a, a)]).sum()
}

pub(crate) fn scalar(weight: f64, m: usize) -> Mat<f64> {
    faer::Scale(weight) * Mat::<f64>::identity(m, m)
}

/// The gradient of f at P.
pub(crate) fn gradient(q: &Quadratic, p: &[f64], lambda1: f64) -> Mat<f64> {
    let m = q.order();
    faer::Scale(2.0) * smat(&q.slope(p), m) + scalar(2.0 * lambda1 * (trace(p, m) - 1.0), m)
}

/// s² D + λ₁ (s t − 1)² is smallest at s = λ₁ t / (D + λ₁ t²).
pub(crate) fn best_multiple(q: &Quadratic, factor: &Mat<f64>, lambda1: f64) -> Mat<f64> {
    let p = gram(factor.as_ref());
    let t = trace(&p, q.order());
    faer::Scale((lambda1 * t / (q.value(&p) + lambda1 * t * t)).sqrt()) * factor
}
