//! Rendered film of moving lips.

use std::f64::consts::TAU;

use embedding::{Error, PointSet};

use super::{PICTURES, draw, mix, shape, smooth_step};
use crate::random::Random;
use crate::{Dataset, Info, Request};

pub(crate) const LIPS: Info = Info {
    name: "lips",
    summary: "A film of lips in color, 144 × 152 pixels at full size.",
    shows: "Three degrees of freedom in very many dimensions (65,664 at full size).",
    default_n: 1500,
    largest_n: Some(15_960),
    ambient: 65_664,
    dimension: Some(3),
    default_scale: Some(0.25),
    make,
    ..PICTURES
};

/// The true coordinates are (opening, width, raise of the corners), opening and width
/// from 0 to 1, raise from −1 to 1, each a smooth random function of time. Frame i is at
/// time i for every n.
fn make(info: &Info, request: &Request) -> Result<Dataset, Error> {
    let walk = Walk::new(request.seed);
    let poses: Vec<[f64; 3]> = (0..info.points(request.n)?).map(|frame| walk.at(frame as f64)).collect();
    let shape = shape(info, request, 144, 152, 3);
    let points = draw(&poses, shape, |pose, picture| {
        for (i, pixel) in picture.chunks_exact_mut(3).enumerate() {
            // The image is 2.4 wide, in units of half the largest mouth width.
            let pitch = 2.4 / shape.width as f64;
            let x = ((i % shape.width) as f64 + 0.5) * pitch - 1.2;
            let y = (shape.height as f64 / 2.0 - (i / shape.width) as f64 - 0.5) * pitch;
            pixel.copy_from_slice(&color(*pose, x, y, pitch));
        }
    })?;
    let truth = PointSet::new(poses.concat(), 3)?;
    Ok(info
        .dataset(points)
        .with_truth(truth, &["opening", "width", "raise of the corners"])
        .with_images(shape))
}

/// Three smooth functions of time: sums of sine waves with random phases.
struct Walk([[[f64; 2]; 6]; 3]);

impl Walk {
    fn new(seed: u64) -> Self {
        let mut random = Random::new(seed);
        // Periods from 25 to 400 frames.
        let mut wave = || [TAU / (25.0 * 16.0_f64.powf(random.uniform())), TAU * random.uniform()];
        Self(std::array::from_fn(|_| std::array::from_fn(|_| wave())))
    }

    fn at(&self, time: f64) -> [f64; 3] {
        // A sum of six waves has standard deviation √3.
        let [opening, width, raise] = self
            .0
            .map(|waves| (waves.iter().map(|[w, phase]| (w * time + phase).sin()).sum::<f64>() / 1.7).tanh());
        [0.5 + 0.5 * opening, 0.5 + 0.5 * width, raise]
    }
}

/// Returns the color at a position: skin, lips, and the inside of the mouth with teeth,
/// with edges smoothed over one pixel.
fn color([opening, width, raise]: [f64; 3], x: f64, y: f64, pitch: f64) -> [f64; 3] {
    let half = 0.6 + 0.3 * width;
    let u = x / half;
    let arch = (1.0 - u * u).max(0.0);
    let corners = 0.18 * raise * (u * u).min(1.5);
    let y = y - corners;
    // The outer and inner contours, two each, relative to the line between the corners.
    let bow = 1.0 - 0.22 * (-(u / 0.16).powi(2)).exp();
    let upper = (0.2 + 0.12 * opening) * arch.sqrt() * (0.55 + 0.45 * arch) * bow;
    let lower = -(0.26 + 0.3 * opening) * arch.sqrt() * (0.5 + 0.5 * arch);
    let [upper_inner, lower_inner] = [0.13 * opening * arch, -0.3 * opening * arch];

    let below = |edge: f64| smooth_step(-pitch, pitch, edge - y);
    let between = |top: f64, bottom: f64| below(top) * (1.0 - below(bottom));
    let skin = mix([0.93, 0.76, 0.66], [0.8, 0.6, 0.5], smooth_step(-1.2, 1.3, 0.5 * x - y));
    let shade = smooth_step(lower, upper, y);
    let lip = mix([0.84, 0.42, 0.42], [0.66, 0.27, 0.3], shade);
    // The line between closed lips.
    let lip = mix(lip, [0.42, 0.14, 0.17], (-(y / 0.02).powi(2)).exp());
    let teeth = between(upper_inner, upper_inner - 0.13);
    let inside = mix([0.28, 0.07, 0.09], [0.95, 0.93, 0.88], teeth * smooth_step(1.0, 0.6, u.abs()));
    let with_lips = mix(skin, lip, if arch > 0.0 { between(upper, lower) } else { 0.0 });
    mix(with_lips, inside, if arch > 0.0 { between(upper_inner, lower_inner) } else { 0.0 })
}
