//! Curves in space: d = 1.

use std::f64::consts::TAU;

use embedding::Error;

use super::{SURFACE, draw};
use crate::{Dataset, Info};

pub(crate) const HELIX: Info = Info {
    name: "helix",
    summary: "A helix of four turns.",
    shows: "Whether an open curve is embedded in one dimension.",
    dimension: Some(1),
    make: |info, request| helix(info.points(request.n)?, request.seed),
    ..SURFACE
};

pub(crate) const TOROIDAL_HELIX: Info = Info {
    name: "toroidal-helix",
    summary: "A closed curve wound eight times around a torus; true coordinates on a circle of the same length.",
    shows: "Whether a closed curve is embedded as a circle.",
    dimension: Some(1),
    make: |info, request| toroidal_helix(info.points(request.n)?, request.seed),
    ..SURFACE
};

pub(crate) const TREFOIL: Info = Info {
    name: "trefoil",
    summary: "The trefoil knot; true coordinates on a circle of the same length.",
    shows: "Whether a knotted closed curve is embedded as a circle.",
    dimension: Some(1),
    make: |info, request| trefoil(info.points(request.n)?, request.seed),
    ..SURFACE
};

/// Generates the helix x = (cos t, sin t, t / 8), t = 8π u. The true coordinate is the
/// arc length t √(1 + 1/64), isometric.
pub fn helix(n: usize, seed: u64) -> Result<Dataset, Error> {
    let (points, truth) = draw(n, seed, |random| {
        let t = 4.0 * TAU * random.uniform();
        ([t.cos(), t.sin(), t / 8.0], [t * (65.0_f64 / 64.0).sqrt()])
    })?;
    Ok(HELIX.dataset(points).with_truth(truth, &["arc length"]))
}

/// Generates the toroidal helix
/// x = ((2 + cos 8t) cos t, (2 + cos 8t) sin t, sin 8t), t = 2π u.
///
/// The true coordinates are on a circle of the same length, at equal arc length: two
/// columns, isometric.
pub fn toroidal_helix(n: usize, seed: u64) -> Result<Dataset, Error> {
    let speed = |t: f64| (64.0 + (2.0 + (8.0 * t).cos()).powi(2)).sqrt();
    closed(&TOROIDAL_HELIX, n, seed, speed, |t| {
        let radius = 2.0 + (8.0 * t).cos();
        [radius * t.cos(), radius * t.sin(), (8.0 * t).sin()]
    })
}

/// Generates the trefoil knot x = (sin t + 2 sin 2t, cos t − 2 cos 2t, −sin 3t), t = 2π
/// u; true coordinates as for [`toroidal_helix`].
pub fn trefoil(n: usize, seed: u64) -> Result<Dataset, Error> {
    // |x'|² = 1 + 16 + 8 cos 3t + 9 cos² 3t.
    let speed = |t: f64| {
        let c = (3.0 * t).cos();
        (17.0 + 8.0 * c + 9.0 * c * c).sqrt()
    };
    closed(&TREFOIL, n, seed, speed, |t| {
        [t.sin() + 2.0 * (2.0 * t).sin(), t.cos() - 2.0 * (2.0 * t).cos(), -(3.0 * t).sin()]
    })
}

/// Generates a closed curve over t in [0, 2π), with true coordinates on a circle of the
/// same length.
fn closed(
    info: &Info,
    n: usize,
    seed: u64,
    speed: impl Fn(f64) -> f64,
    curve: impl Fn(f64) -> [f64; 3],
) -> Result<Dataset, Error> {
    let length = integral(&speed, TAU);
    let radius = length / TAU;
    let (points, truth) = draw(n, seed, |random| {
        let t = TAU * random.uniform();
        let angle = integral(&speed, t) / radius;
        (curve(t), [radius * angle.cos(), radius * angle.sin()])
    })?;
    Ok(info.dataset(points).with_truth(truth, &["cosine of the arc", "sine of the arc"]))
}

/// Returns ∫ f from 0 to `end` ≤ 2π by Simpson's rule on 512 intervals. The speeds used
/// here have at most eight periods, so the error is below 1e-6 of the length.
fn integral(f: impl Fn(f64) -> f64, end: f64) -> f64 {
    let step = end / 512.0;
    let inner: f64 = (1..512).map(|i| if i % 2 == 1 { 4.0 } else { 2.0 } * f(step * f64::from(i))).sum();
    (f(0.0) + inner + f(end)) * step / 3.0
}
