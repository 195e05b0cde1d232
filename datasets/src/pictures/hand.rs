//! Rendered images of a hand that rotates at the wrist and opens its fingers.

use embedding::{Error, PointSet};

use super::scene::{Ellipsoid, Vector, add, paint, unit, yaw};
use super::{PICTURES, draw, shape};
use crate::random::Random;
use crate::{Dataset, Info, Request};

pub(crate) const HAND: Info = Info {
    name: "hand",
    summary: "A hand that rotates at the wrist and opens its fingers, 64 × 64 grayscale pixels.",
    shows: "Recovery of two degrees of freedom from 4,096 pixels, as in the original Isomap paper.",
    default_n: 2000,
    ambient: 4096,
    dimension: Some(2),
    default_scale: Some(1.0),
    make,
    ..PICTURES
};

/// The largest rotation of the wrist, in radians.
const TURN: f64 = 1.75;

/// The true coordinates are (rotation in radians, extension), uniform in [0, 1.75) × [0,
/// 1).
fn make(info: &Info, request: &Request) -> Result<Dataset, Error> {
    let mut random = Random::new(request.seed);
    let poses: Vec<[f64; 2]> =
        (0..info.points(request.n)?).map(|_| [TURN * random.uniform(), random.uniform()]).collect();
    let shape = shape(info, request, 64, 64, 1);
    let points = draw(&poses, shape, |&[turn, extension], picture| {
        let scene: Vec<Ellipsoid> = hand(extension)
            .into_iter()
            .map(|part| part.turned(|at| yaw(at, turn)))
            .map(|part| part.turned(|at| at.map(|x| 1.2 * x)))
            .map(|part| Ellipsoid { center: add(part.center, -0.45, [0.0, 1.0, 0.0]), ..part })
            .collect();
        paint(&scene, [-0.3, 0.5, 0.8], shape.height, picture);
    })?;
    let truth = PointSet::new(poses.concat(), 2)?;
    Ok(info.dataset(points).with_truth(truth, &["turn", "extension"]).with_images(shape))
}

/// Returns the hand before rotation: wrist at the origin, fingers up, palm to the viewer.
fn hand(extension: f64) -> Vec<Ellipsoid> {
    let mut parts = Vec::with_capacity(200);
    chain(&mut parts, [0.0, -0.6, 0.0], [0.0, 0.05, 0.0], [0.18, 0.15], 14);
    for row in 0..5 {
        for column in 0..7 {
            let (across, up) = (f64::from(column) / 3.0 - 1.0, f64::from(row) / 4.0);
            let at = [across * (0.15 + 0.06 * up), 0.08 + 0.37 * up, 0.02 * across * across];
            parts.push(Ellipsoid::sphere(at, 0.095, BRIGHTNESS));
        }
    }
    let bend = 1.0 - extension;
    for (across, length) in [(-1.0, 0.78), (-0.34, 0.95), (0.34, 1.0), (1.0, 0.92)] {
        let mut at = [0.21 * across, 0.46, 0.02];
        let mut angle = 0.0;
        for (joint, (fraction, most)) in [(0.26, 1.35), (0.18, 1.6), (0.14, 1.0)].into_iter().enumerate() {
            angle += bend * most;
            let spread = 0.22 * across * extension;
            let direction = unit([spread * f64::cos(angle), f64::cos(angle), f64::sin(angle)]);
            let radius = |joint: usize| 0.078 - 0.008 * joint as f64;
            let end = add(at, length * fraction, direction);
            chain(&mut parts, at, end, [radius(joint), radius(joint + 1)], 10);
            at = end;
        }
    }
    let mut at = [0.19, 0.1, 0.06];
    for (fraction, [open, closed]) in
        [(0.2, [[0.85, 0.5, 0.15], [0.35, 0.6, 0.75]]), (0.17, [[0.6, 0.8, 0.1], [-0.65, 0.7, 0.3]])]
            as [(f64, [Vector; 2]); 2]
    {
        let direction = unit(add(open, bend, add(closed, -1.0, open)));
        let end = add(at, fraction, direction);
        chain(&mut parts, at, end, [0.085, 0.07], 8);
        at = end;
    }
    parts
}

const BRIGHTNESS: f64 = 0.95;

/// Adds spheres from one position to another, close enough to form a limb.
fn chain(parts: &mut Vec<Ellipsoid>, from: Vector, to: Vector, radii: [f64; 2], count: usize) {
    for i in 0..count {
        let fraction = i as f64 / (count - 1) as f64;
        let at = add(from, fraction, add(to, -1.0, from));
        parts.push(Ellipsoid::sphere(at, radii[0] + fraction * (radii[1] - radii[0]), BRIGHTNESS));
    }
}
