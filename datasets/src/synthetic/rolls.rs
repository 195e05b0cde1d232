//! Sheets rolled up without stretching: Swiss roll and S-curve.

use std::f64::consts::PI;

use embedding::Error;

use super::{LICENSE, SOURCE, draw};
use crate::{Dataset, Geometry, Info};

pub(crate) const SWISS_ROLL: Info = Info {
    name: "swiss-roll",
    summary: "A rectangle rolled up along an Archimedean spiral.",
    shows: "Whether a method follows the sheet instead of jumping between its layers.",
    default_n: 1000,
    largest_n: None,
    ambient: 3,
    dimension: Some(2),
    geometry: Geometry::Isometric,
    scalable: false,
    source: SOURCE,
    license: LICENSE,
    make: |info, request| swiss_roll(info.points(request.n)?, request.seed),
};

pub(crate) const S_CURVE: Info = Info {
    name: "s-curve",
    summary: "A rectangle bent into the letter S.",
    shows: "The easiest unrolling: no layer comes near another.",
    make: |info, request| s_curve(info.points(request.n)?, request.seed),
    ..SWISS_ROLL
};

/// The height of the roll, as in the literature.
const HEIGHT: f64 = 21.0;
/// The spiral's first angle.
const START: f64 = 1.5 * PI;

/// The Swiss roll: t = 1.5π(1 + 2u), x = (t cos t, 21 v, t sin t) with u and v
/// uniform in [0, 1).
///
/// The truth is arc length along the spiral and height, not the angle t, so
/// that it is isometric: [`arc_length`].
pub fn swiss_roll(n: usize, seed: u64) -> Result<Dataset, Error> {
    let (points, truth) = draw(n, seed, |random| {
        let t = START * (1.0 + 2.0 * random.uniform());
        let height = HEIGHT * random.uniform();
        (roll(t, height), [arc_length(t), height])
    })?;
    Ok(SWISS_ROLL.dataset(points).with_truth(truth))
}

/// A point of the roll.
fn roll(t: f64, height: f64) -> [f64; 3] {
    [t * t.cos(), height, t * t.sin()]
}

/// The length of the spiral r = t from its first angle 1.5π to `t`:
/// s(t) − s(1.5π) with s(t) = (t √(1 + t²) + asinh t) / 2.
pub fn arc_length(t: f64) -> f64 {
    let from_center = |t: f64| 0.5 * (t * (1.0 + t * t).sqrt() + t.asinh());
    from_center(t) - from_center(START)
}

/// The S-curve: t = 3π(u − ½), x = (sin t, 2 v, sign(t)(cos t − 1)).
///
/// t is already the arc length; the truth is (t, 2v), isometric.
pub fn s_curve(n: usize, seed: u64) -> Result<Dataset, Error> {
    let (points, truth) = draw(n, seed, |random| {
        let t = 3.0 * PI * (random.uniform() - 0.5);
        let height = 2.0 * random.uniform();
        ([t.sin(), height, t.signum() * (t.cos() - 1.0)], [t, height])
    })?;
    Ok(S_CURVE.dataset(points).with_truth(truth))
}
