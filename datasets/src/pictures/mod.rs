//! Rendered image sets modeled on well-known ones, with known parameters and without files in the repository.
//!
//! Each image depends on its own parameters only and is rendered by one thread, so the
//! set is the same at any number of threads.

mod fruits;
mod hand;
mod head;
mod lines;
mod lips;
mod scene;

use embedding::{Error, PointSet};
use rayon::prelude::*;

use crate::{Geometry, ImageShape, Info, Request};

/// All rendered sets.
pub(crate) const LIST: [&Info; 5] = [&lines::LINES, &hand::HAND, &head::HEAD, &lips::LIPS, &fruits::FRUITS];

/// Defaults of rendered sets.
const PICTURES: Info = Info {
    name: "",
    summary: "",
    shows: "",
    failure: None,
    default_n: 1000,
    largest_n: None,
    ambient: 0,
    dimension: None,
    geometry: Geometry::Parameters,
    default_scale: None,
    source: "rendered",
    license: "MIT OR Apache-2.0, as this software",
    make: |info, _| unreachable!("{} has its own renderer", info.name),
};

/// Renders an image for each element of `of`, in parallel.
fn draw<T: Sync>(
    of: &[T],
    shape: ImageShape,
    paint: impl Fn(&T, &mut [f64]) + Sync,
) -> Result<PointSet, Error> {
    let mut values = vec![0.0; of.len() * shape.len()];
    values.par_chunks_exact_mut(shape.len()).zip(of).for_each(|(picture, of)| paint(of, picture));
    PointSet::new(values, shape.len())
}

/// Returns the shape of images at the requested scale, with white value 1.
fn shape(info: &Info, request: &Request, height: usize, width: usize, channels: usize) -> ImageShape {
    let scale = request.scale.or(info.default_scale).unwrap_or(1.0);
    let scaled = |length: usize| ((length as f64 * scale).round() as usize).max(1);
    ImageShape { height: scaled(height), width: scaled(width), channels, white: 1.0 }
}

/// Returns a smooth step from 0 to 1 as x increases from `low` to `high`.
fn smooth_step(low: f64, high: f64, x: f64) -> f64 {
    let t = ((x - low) / (high - low)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// Interpolates between two colors.
fn mix(a: [f64; 3], b: [f64; 3], fraction: f64) -> [f64; 3] {
    std::array::from_fn(|i| a[i] + (b[i] - a[i]) * fraction)
}
