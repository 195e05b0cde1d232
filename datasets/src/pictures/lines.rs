//! Bright lines across a small image: a Möbius band.

use embedding::{Error, PointSet};

use super::{PICTURES, draw};
use crate::random::Random;
use crate::{Dataset, ImageShape, Info};

pub(crate) const LINES: Info = Info {
    name: "lines",
    summary: "A bright line between two of 64 border positions of a 24 × 24 image, for all pairs.",
    shows: "A Möbius band: two-dimensional, but every map to the plane is discontinuous.",
    default_n: 2016,
    largest_n: Some(2016),
    ambient: 576,
    dimension: Some(2),
    make: |info, request| lines(info, info.points(request.n)?, request.seed),
    ..PICTURES
};

const SIDE: usize = 24;
/// The number of border positions.
const PLACES: usize = 64;
/// Standard deviation of the line's profile, in pixels.
const WIDTH: f64 = 0.93;

/// All 2016 = 64 · 63 / 2 pairs in order, or the first n of them in a random order.
///
/// A pixel at distance r from the segment has the value exp(−r² / 2σ²). Lines are not
/// oriented, so angle and offset are not continuous coordinates; the true coordinates are
/// smooth on the band: (cos 2α, sin 2α, foot x, foot y), the doubled direction and the
/// point of the line nearest to the image center, in pixels.
fn lines(info: &Info, n: usize, seed: u64) -> Result<Dataset, Error> {
    let mut pairs: Vec<[usize; 2]> = (0..PLACES).flat_map(|a| (a + 1..PLACES).map(move |b| [a, b])).collect();
    if n < pairs.len() {
        Random::new(seed).shuffle(&mut pairs);
        pairs.truncate(n);
    }
    let segments: Vec<[[f64; 2]; 2]> = pairs.iter().map(|pair| pair.map(border)).collect();
    let shape = ImageShape { height: SIDE, width: SIDE, channels: 1, white: 1.0 };
    let points = draw(&segments, shape, |segment, picture| {
        for (i, pixel) in picture.iter_mut().enumerate() {
            let center = [(i % SIDE) as f64 + 0.5, (i / SIDE) as f64 + 0.5];
            *pixel = (-squared_distance(center, *segment) / (2.0 * WIDTH * WIDTH)).exp();
        }
    })?;
    let truth = segments.iter().flat_map(|segment| band(*segment)).collect();
    const NAMES: [&str; 4] =
        ["cosine of the doubled direction", "sine of the doubled direction", "foot x", "foot y"];
    Ok(info.dataset(points).with_truth(PointSet::new(truth, 4)?, &NAMES).with_images(shape))
}

/// Returns border position `i`, counted clockwise from the top left.
fn border(i: usize) -> [f64; 2] {
    let length = SIDE as f64;
    let along = (i % (PLACES / 4)) as f64 * 4.0 * length / PLACES as f64;
    match i / (PLACES / 4) {
        0 => [along, 0.0],
        1 => [length, along],
        2 => [length - along, length],
        _ => [0.0, length - along],
    }
}

fn squared_distance(p: [f64; 2], [a, b]: [[f64; 2]; 2]) -> f64 {
    let (along, to) = ([b[0] - a[0], b[1] - a[1]], [p[0] - a[0], p[1] - a[1]]);
    let fraction = (to[0] * along[0] + to[1] * along[1]) / (along[0].powi(2) + along[1].powi(2));
    let fraction = fraction.clamp(0.0, 1.0);
    (to[0] - fraction * along[0]).powi(2) + (to[1] - fraction * along[1]).powi(2)
}

fn band([a, b]: [[f64; 2]; 2]) -> [f64; 4] {
    let [x, y] = [b[0] - a[0], b[1] - a[1]];
    let squared = x * x + y * y;
    let middle = SIDE as f64 / 2.0;
    // The component along the normal of the vector from the center to the line.
    let offset = ((a[0] - middle) * -y + (a[1] - middle) * x) / squared;
    [(x * x - y * y) / squared, 2.0 * x * y / squared, -offset * y, offset * x]
}
