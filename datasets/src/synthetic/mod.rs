//! Manifolds with known true coordinates.
//!
//! Points are drawn one after the other, so that a smaller sample is a prefix
//! of a larger one with the same seed.

mod rolls;

use embedding::{Error, PointSet};

pub(crate) use rolls::{S_CURVE, SWISS_ROLL};
pub use rolls::{arc_length, s_curve, swiss_roll};

use crate::random::Random;

const SOURCE: &str = "made by arithmetic";
const LICENSE: &str = "MIT OR Apache-2.0, as the program";

/// Draws `n` points with their true coordinates.
fn draw<const D: usize, const T: usize>(
    n: usize,
    seed: u64,
    mut one: impl FnMut(&mut Random) -> ([f64; D], [f64; T]),
) -> Result<(PointSet, PointSet), Error> {
    let mut random = Random::new(seed);
    let (mut points, mut truth) = (Vec::with_capacity(n * D), Vec::with_capacity(n * T));
    for _ in 0..n {
        let (point, coordinates) = one(&mut random);
        points.extend(point);
        truth.extend(coordinates);
    }
    Ok((PointSet::new(points, D)?, PointSet::new(truth, T)?))
}
