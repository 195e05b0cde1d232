//! Problems that need no generator of random numbers.

#![allow(dead_code, reason = "every test file uses a part")]

use embedding::{Error, PointSet, Points, Silent};
use faer::Mat;
use neighbor_graph::{Neighborhood, Neighbors};

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
        neighbors: Neighbors::from_distances(8, Neighborhood::Nearest { k: 4 }, &cyclic, &Silent)?,
        basis: Mat::from_fn(8, 3, |i, j| {
            let t = i as f64 - 3.5;
            [t, t * t - 5.25, t * t * t / 10.0][j]
        }),
    })
}

pub(crate) fn nearest(points: Points<'_>, k: usize) -> Result<Neighbors, Error> {
    Neighbors::find(points, Neighborhood::Nearest { k }, &Silent)
}

/// |a − b| ≤ tolerance · |b|.
pub(crate) fn close(a: f64, b: f64, tolerance: f64) -> bool {
    (a - b).abs() <= tolerance * b.abs()
}
