//! Isometrically bent sheets: Swiss rolls and the S-curve.

use std::f64::consts::PI;

use embedding::Error;

use super::{SURFACE, draw};
use crate::random::Rounds;
use crate::{Dataset, Info, Labels};

pub(crate) const SWISS_ROLL: Info = Info {
    name: "swiss-roll",
    summary: "A rectangle rolled up along an Archimedean spiral.",
    shows: "Whether a method unrolls the sheet, without shortcuts between its layers.",
    make: |info, request| swiss_roll(info.points(request.n)?, request.seed),
    ..SURFACE
};

pub(crate) const SWISS_ROLL_HOLE: Info = Info {
    name: "swiss-roll-hole",
    summary: "A Swiss roll with a rectangular hole in the middle of the sheet.",
    shows: "The effect of a hole on geodesic distances around it: Isomap enlarges it, local methods do not.",
    failure: Some(
        "Shortest paths go around the hole, so Isomap enlarges it; LTSA keeps the sheet up to an affine map.",
    ),
    make: |info, request| swiss_roll_hole(info.points(request.n)?, request.seed),
    ..SURFACE
};

pub(crate) const BROKEN_SWISS_ROLL: Info = Info {
    name: "broken-swiss-roll",
    summary: "A Swiss roll without its middle fifth: two components on one spiral.",
    shows: "A disconnected neighbor graph.",
    make: |info, request| broken_swiss_roll(info.points(request.n)?, request.seed),
    ..SURFACE
};

pub(crate) const SKEWED_SWISS_ROLL: Info = Info {
    name: "skewed-swiss-roll",
    summary: "A Swiss roll with the highest sampling density at its inner end.",
    shows: "The influence of the sampling density on a method.",
    failure: Some(
        "The outer end is sampled so thinly that a neighborhood reaches the next layer: one such edge bends the map of Isomap.",
    ),
    make: |info, request| skewed_swiss_roll(info.points(request.n)?, request.seed),
    ..SURFACE
};

pub(crate) const TWO_SWISS_ROLLS: Info = Info {
    name: "two-swiss-rolls",
    summary: "Two separate Swiss rolls on one axis.",
    shows: "Whether two components remain two-dimensional instead of collapsing to two points.",
    failure: Some(
        "The neighbor graph has two components, so methods on one connected graph refuse it until a policy for components is chosen.",
    ),
    make: |info, request| two_swiss_rolls(info.points(request.n)?, request.seed),
    ..SURFACE
};

pub(crate) const TIGHT_SWISS_ROLL: Info = Info {
    name: "tight-swiss-roll",
    summary: "A Swiss roll wound so tightly that neighboring layers are as close as neighbors.",
    shows: "Edges of the neighbor graph that jump between layers.",
    failure: Some(
        "Edges jump from layer to layer, so paths leave the sheet and Isomap does not unroll it; 6 neighbors instead of 10 leave a tenth of these edges.",
    ),
    make: |info, request| tight_swiss_roll(info.points(request.n)?, request.seed),
    ..SURFACE
};

pub(crate) const NOISY_SWISS_ROLL: Info = Info {
    name: "noisy-swiss-roll",
    summary: "A Swiss roll with Gaussian noise of standard deviation 1 in space.",
    shows: "Noise that is as large as the distance between neighbors.",
    failure: Some(
        "The sheet is as thick as its neighborhoods are wide: edges jump between layers, and the paths around them are too short for distances to reveal them.",
    ),
    make: |info, request| noisy_swiss_roll(info.points(request.n)?, request.seed),
    ..SURFACE
};

pub(crate) const SPARSE_SWISS_ROLL: Info = Info {
    name: "sparse-swiss-roll",
    summary: "A Swiss roll of 100 points.",
    shows: "A surface that is not determined by its sample.",
    failure: Some(
        "A hundred points are too few: their 10 neighbors reach the next layer, and distances alone do not reveal which edges do.",
    ),
    default_n: 100,
    make: |info, request| sparse_swiss_roll(info.points(request.n)?, request.seed),
    ..SURFACE
};

pub(crate) const S_CURVE: Info = Info {
    name: "s-curve",
    summary: "A rectangle bent into the letter S.",
    shows: "An easy sheet: no two layers are near each other.",
    make: |info, request| s_curve(info.points(request.n)?, request.seed),
    ..SURFACE
};

/// The height of the roll, as usual in the literature.
const HEIGHT: f64 = 21.0;
/// The factor by which the spiral of the tight roll is smaller.
const TIGHTNESS: f64 = 3.0;
/// The first and last angle of the spiral.
const START: f64 = 1.5 * PI;
const END: f64 = 4.5 * PI;

/// Generates the Swiss roll: t = 1.5π(1 + 2u), x = (t cos t, 21 v, t sin t) with u and v
/// uniform in [0, 1).
///
/// The true coordinates are arc length along the spiral (not the angle t) and height, and
/// therefore isometric: [`arc_length`].
pub fn swiss_roll(n: usize, seed: u64) -> Result<Dataset, Error> {
    let (points, truth) = draw(n, seed, |random| {
        let t = START * (1.0 + 2.0 * random.uniform());
        roll(t, HEIGHT * random.uniform())
    })?;
    Ok(SWISS_ROLL.dataset(points).with_truth(truth, &["arc length", "height"]))
}

/// Generates a Swiss roll of the same height whose spiral is a third as large: x = (t/3 cos t,
/// 21 v, t/3 sin t), with layers 2π/3 apart. The true coordinates are arc length and height.
pub fn tight_swiss_roll(n: usize, seed: u64) -> Result<Dataset, Error> {
    let (points, truth) = draw(n, seed, |random| {
        let t = START * (1.0 + 2.0 * random.uniform());
        let ([x, y, z], [length, height]) = roll(t, HEIGHT * random.uniform());
        ([x / TIGHTNESS, y, z / TIGHTNESS], [length / TIGHTNESS, height])
    })?;
    Ok(TIGHT_SWISS_ROLL.dataset(points).with_truth(truth, &["arc length", "height"]))
}

/// Generates the [`swiss_roll`] with Gaussian noise of standard deviation 1 added to every
/// coordinate in space; the true coordinates are the same as without noise.
pub fn noisy_swiss_roll(n: usize, seed: u64) -> Result<Dataset, Error> {
    let (points, truth) = draw(n, seed, |random| {
        let t = START * (1.0 + 2.0 * random.uniform());
        let (point, place) = roll(t, HEIGHT * random.uniform());
        (point.map(|value| value + random.normal()), place)
    })?;
    Ok(NOISY_SWISS_ROLL.dataset(points).with_truth(truth, &["arc length", "height"]))
}

/// Generates the [`swiss_roll`] under the name of a data set that has 100 points by default.
pub fn sparse_swiss_roll(n: usize, seed: u64) -> Result<Dataset, Error> {
    let Dataset { points, truth, truth_names, .. } = swiss_roll(n, seed)?;
    Ok(Dataset { truth, truth_names, ..SPARSE_SWISS_ROLL.dataset(points) })
}

/// Generates the [`swiss_roll`] without the middle ninth of the sheet, where both u and v
/// are between ⅓ and ⅔.
pub fn swiss_roll_hole(n: usize, seed: u64) -> Result<Dataset, Error> {
    let middle = |x: f64| (1.0 / 3.0..2.0 / 3.0).contains(&x);
    let (points, truth) = draw(n, seed, |random| {
        let [mut u, mut v] = [random.uniform(), random.uniform()];
        while middle(u) && middle(v) {
            [u, v] = [random.uniform(), random.uniform()];
        }
        roll(START * (1.0 + 2.0 * u), HEIGHT * v)
    })?;
    Ok(SWISS_ROLL_HOLE.dataset(points).with_truth(truth, &["arc length", "height"]))
}

/// Generates the [`swiss_roll`] with u in [0, 0.4) and [0.6, 1), labeled by `piece`.
pub fn broken_swiss_roll(n: usize, seed: u64) -> Result<Dataset, Error> {
    let mut pieces = Vec::with_capacity(n);
    let (points, truth) = draw(n, seed, |random| {
        let u = random.uniform();
        let outer = u >= 0.5;
        pieces.push(u32::from(outer));
        let u = 0.8 * u + if outer { 0.2 } else { 0.0 };
        roll(START * (1.0 + 2.0 * u), HEIGHT * random.uniform())
    })?;
    let labels = Labels::new("piece", ["inner", "outer"], pieces);
    Ok(BROKEN_SWISS_ROLL.dataset(points).with_truth(truth, &["arc length", "height"]).with_labels(labels))
}

/// Generates the Swiss roll with arc length s = L u², so that the density along the spiral
/// decreases as s^(−½).
pub fn skewed_swiss_roll(n: usize, seed: u64) -> Result<Dataset, Error> {
    let length = arc_length(END);
    let (points, truth) = draw(n, seed, |random| {
        let s = length * random.uniform().powi(2);
        let (point, [_, height]) = roll(angle_at(s), HEIGHT * random.uniform());
        (point, [s, height])
    })?;
    Ok(SKEWED_SWISS_ROLL.dataset(points).with_truth(truth, &["arc length", "height"]))
}

/// Generates two [`swiss_roll`]s, the second shifted by 42 along the axis, labeled by
/// `roll`. With 2 m points each has m.
pub fn two_swiss_rolls(n: usize, seed: u64) -> Result<Dataset, Error> {
    let (mut rounds, mut rolls) = (Rounds::new(2), Vec::with_capacity(n));
    let (points, truth) = draw(n, seed, |random| {
        let which = rounds.next(random);
        rolls.push(which as u32);
        let t = START * (1.0 + 2.0 * random.uniform());
        roll(t, HEIGHT * (random.uniform() + 2.0 * which as f64))
    })?;
    let labels = Labels::new("roll", ["first", "second"], rolls);
    Ok(TWO_SWISS_ROLLS.dataset(points).with_truth(truth, &["arc length", "height"]).with_labels(labels))
}

/// Returns a point of the roll with its true coordinates.
fn roll(t: f64, height: f64) -> ([f64; 3], [f64; 2]) {
    ([t * t.cos(), height, t * t.sin()], [arc_length(t), height])
}

/// Returns the length of the spiral r = t from its first angle 1.5π to `t`: s(t) −
/// s(1.5π) with s(t) = (t √(1 + t²) + asinh t) / 2.
pub fn arc_length(t: f64) -> f64 {
    let from_center = |t: f64| 0.5 * (t * (1.0 + t * t).sqrt() + t.asinh());
    from_center(t) - from_center(START)
}

/// Returns the angle at which the arc length of the spiral is `s`, by Newton's method,
/// which decreases monotonically to the solution because the function is convex.
fn angle_at(s: f64) -> f64 {
    let mut t = END;
    loop {
        let next = t - (arc_length(t) - s) / (1.0 + t * t).sqrt();
        if next >= t {
            return t;
        }
        t = next;
    }
}

/// Generates the S-curve: t = 3π(u − ½), x = (sin t, 2 v, sign(t)(cos t − 1)).
///
/// t is the arc length; the true coordinates are (t, 2v), isometric.
pub fn s_curve(n: usize, seed: u64) -> Result<Dataset, Error> {
    let (points, truth) = draw(n, seed, |random| {
        let t = 3.0 * PI * (random.uniform() - 0.5);
        let height = 2.0 * random.uniform();
        ([t.sin(), height, t.signum() * (t.cos() - 1.0)], [t, height])
    })?;
    Ok(S_CURVE.dataset(points).with_truth(truth, &["arc length", "height"]))
}
