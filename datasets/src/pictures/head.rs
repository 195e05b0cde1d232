//! Rendered images of a head under a moving light.

use embedding::{Error, PointSet};

use super::scene::{Ellipsoid, paint, pitch, yaw};
use super::{PICTURES, draw, shape};
use crate::random::Random;
use crate::{Dataset, Info, Request};

pub(crate) const HEAD: Info = Info {
    name: "head",
    summary: "A head that turns and nods under a light moving from side to side, 64 × 64 grayscale pixels.",
    shows: "Recovery of three degrees of freedom, as for the faces of the original Isomap paper.",
    default_n: 698,
    ambient: 4096,
    dimension: Some(3),
    default_scale: Some(1.0),
    make,
    ..PICTURES
};

/// The largest turn, nod and angle of the light to either side, in radians.
const LARGEST: [f64; 3] = [1.1, 0.6, 1.0];

/// The true coordinates are (turn, nod, direction of the light) in radians, uniform in
/// [−1.1, 1.1) × [−0.6, 0.6) × [−1, 1).
fn make(info: &Info, request: &Request) -> Result<Dataset, Error> {
    let mut random = Random::new(request.seed);
    let poses: Vec<[f64; 3]> = (0..info.points(request.n)?)
        .map(|_| LARGEST.map(|largest| random.between(-largest, largest)))
        .collect();
    let shape = shape(info, request, 64, 64, 1);
    let head = head();
    let points = draw(&poses, shape, |&[turn, nod, light], picture| {
        let scene: Vec<Ellipsoid> =
            head.iter().map(|part| part.turned(|at| pitch(yaw(at, turn), nod))).collect();
        paint(&scene, [light.sin(), 0.35, light.cos()], shape.height, picture);
    })?;
    let truth = PointSet::new(poses.concat(), 3)?;
    Ok(info.dataset(points).with_truth(truth, &["turn", "nod", "direction of the light"]).with_images(shape))
}

/// Returns the head facing the viewer.
fn head() -> Vec<Ellipsoid> {
    let part = Ellipsoid::upright;
    let mut parts = vec![
        part([0.0, 0.12, 0.0], [0.5, 0.62, 0.58], 0.85),
        part([0.0, -0.2, 0.08], [0.43, 0.5, 0.49], 0.85),
        part([0.0, -0.9, -0.12], [0.27, 0.6, 0.28], 0.8),
        // The hair covers the skull above and behind.
        part([0.0, 0.3, -0.17], [0.53, 0.54, 0.56], 0.25),
        part([0.0, -0.02, 0.58], [0.075, 0.16, 0.1], 0.9),
        part([0.0, -0.12, 0.62], [0.09, 0.08, 0.11], 0.9),
        part([0.0, -0.36, 0.51], [0.17, 0.035, 0.075], 0.45),
    ];
    for side in [-1.0, 1.0] {
        parts.extend([
            part([side * 0.51, 0.02, -0.05], [0.07, 0.15, 0.1], 0.8),
            part([side * 0.19, 0.08, 0.49], [0.1, 0.07, 0.07], 1.0),
            part([side * 0.19, 0.08, 0.54], [0.045, 0.055, 0.035], 0.1),
            part([side * 0.19, 0.2, 0.52], [0.13, 0.03, 0.05], 0.2),
        ]);
    }
    parts
}
