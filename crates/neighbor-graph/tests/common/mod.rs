//! Data sets, and the search too obvious to be wrong.
#![allow(dead_code, reason = "each test file uses some of them")]
#![allow(clippy::unwrap_used, reason = "tests")]

use embedding::{PointSet, Points};
use neighbor_graph::Neighborhood;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// n points, each coordinate a sum of uniform numbers.
pub(crate) fn gaussian(n: usize, dim: usize, seed: u64) -> PointSet {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut normal = || (0..6).map(|_| rng.random::<f64>() - 0.5).sum::<f64>();
    PointSet::new((0..n * dim).map(|_| normal()).collect(), dim).unwrap()
}

/// All points with integer coordinates below `side`.
pub(crate) fn grid(side: usize, dim: usize) -> PointSet {
    let n = side.pow(dim as u32);
    let digit = |i: usize, j: usize| (i / side.pow(j as u32) % side) as f64;
    PointSet::new((0..n).flat_map(|i| (0..dim).map(move |j| digit(i, j))).collect(), dim).unwrap()
}

/// The whole set again and again.
pub(crate) fn copies(set: &PointSet, times: usize) -> PointSet {
    PointSet::new(set.view().values().repeat(times), set.dim()).unwrap()
}

/// Points along a circle, n of them, with a radius.
pub(crate) fn circle(n: usize, radius: f64, center: f64) -> Vec<f64> {
    let at = |i: usize| std::f64::consts::TAU * i as f64 / n as f64;
    (0..n).flat_map(|i| [center + radius * at(i).cos(), radius * at(i).sin()]).collect()
}

pub(crate) fn obvious(points: Points<'_>, neighborhood: Neighborhood) -> Vec<Vec<(u32, f64)>> {
    (0..points.len()).map(|i| list(points, points.row(i), i, neighborhood)).collect()
}

pub(crate) fn obvious_queries(
    points: Points<'_>,
    new: Points<'_>,
    neighborhood: Neighborhood,
) -> Vec<Vec<(u32, f64)>> {
    new.rows().map(|row| list(points, row, usize::MAX, neighborhood)).collect()
}

fn list(points: Points<'_>, row: &[f64], skip: usize, neighborhood: Neighborhood) -> Vec<(u32, f64)> {
    let mut all: Vec<(u32, f64)> = points
        .rows()
        .enumerate()
        .filter(|(j, _)| *j != skip)
        .map(|(j, other)| (j as u32, eight_lanes(row, other).sqrt()))
        .collect();
    all.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
    match neighborhood {
        Neighborhood::Nearest { k } => all.truncate(k),
        Neighborhood::Within { radius } => all.retain(|e| e.1 <= radius),
    }
    all
}

/// The documented order of additions: coordinate j of the whole eights goes to
/// lane j mod 8, the lanes are halved three times, the rest comes before them.
fn eight_lanes(a: &[f64], b: &[f64]) -> f64 {
    let whole = a.len() / 8 * 8;
    let square = |j: usize| (a[j] - b[j]) * (a[j] - b[j]);
    let lane = |l: usize| (l..whole).step_by(8).fold(0.0, |sum, j| sum + square(j));
    let rest = (whole..a.len()).fold(0.0, |sum, j| sum + square(j));
    let four = |l: usize| lane(l) + lane(l + 4);
    let two = |l: usize| four(l) + four(l + 2);
    if whole == 0 { rest } else { rest + (two(0) + two(1)) }
}
