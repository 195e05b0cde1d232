//! Parts of the unit sphere. No part has an isometric map to the plane; all except the whole sphere have a
//! conformal one.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_8, PI, TAU};

use embedding::Error;

use super::{SURFACE, draw};
use crate::{Dataset, Geometry, Info};

pub(crate) const HEMISPHERE: Info = Info {
    name: "hemisphere",
    summary: "Half a sphere, uniform by area; true coordinates by stereographic projection.",
    shows: "The advantage of conformal maps for a surface without an isometric map to the plane.",
    geometry: Geometry::Conformal,
    make: |info, request| cap(info, info.points(request.n)?, FRAC_PI_2, request.seed),
    ..SURFACE
};

pub(crate) const SEVERED_SPHERE: Info = Info {
    name: "severed-sphere",
    summary: "A sphere without its poles and a slice; true coordinates by Mercator's projection.",
    shows: "How methods flatten a curved surface with a cut.",
    geometry: Geometry::Conformal,
    make: |info, request| severed_sphere(info.points(request.n)?, request.seed),
    ..SURFACE
};

pub(crate) const FISHBOWL: Info = Info {
    name: "fishbowl",
    summary: "A disc mapped to a bowl by inverse stereographic projection, uniform in the disc.",
    shows: "Conformal methods recover the disc, isometric ones cannot.",
    geometry: Geometry::Conformal,
    make: |info, request| fishbowl(info.points(request.n)?, request.seed),
    ..SURFACE
};

pub(crate) const PUNCTURED_SPHERE: Info = Info {
    name: "punctured-sphere",
    summary: "A sphere with a small hole at one pole, uniform by area; true coordinates by stereographic projection.",
    shows: "An extreme variation of scale: the rim of the hole is mapped to the outer boundary.",
    geometry: Geometry::Conformal,
    make: |info, request| punctured_sphere(info.points(request.n)?, request.seed),
    ..SURFACE
};

pub(crate) const SPHERE: Info = Info {
    name: "sphere",
    summary: "A whole sphere, uniform by area; true coordinates in space.",
    shows: "A surface that cannot be embedded in two dimensions.",
    failure: Some(
        "No chart covers a sphere: a map to the plane lays one half over the other or tears it open, whatever the method.",
    ),
    make: |info, request| sphere(info.points(request.n)?, request.seed),
    ..SURFACE
};

/// The radius of the disc that is mapped to the fishbowl; its rim is 127° from the pole.
const DISC_RADIUS: f64 = 4.0;
/// Polar angle at which the punctured sphere ends: 160°.
const PUNCTURE: f64 = 8.0 / 9.0 * PI;

/// Generates the cap of the unit sphere within `angle` of the pole (0, 0, 1), uniform by
/// area: cos θ = 1 − u (1 − cos angle), φ = 2π v.
///
/// The true coordinates are the stereographic projection 2 tan(θ/2) (cos φ, sin φ),
/// conformal. `hemisphere` is the cap of angle π/2. Fails unless 0 < `angle` < π.
pub fn spherical_cap(n: usize, angle: f64, seed: u64) -> Result<Dataset, Error> {
    if !(angle > 0.0 && angle < PI) {
        return Err(Error::parameter("angle", "above 0 and below π", angle));
    }
    let mut set = cap(&HEMISPHERE, n, angle, seed)?;
    set.name = "spherical-cap".to_owned();
    set.notes = format!("The cap of the unit sphere within {angle} of the pole, uniform by area.");
    Ok(set)
}

fn cap(info: &Info, n: usize, angle: f64, seed: u64) -> Result<Dataset, Error> {
    let (points, truth) = draw(n, seed, |random| {
        let z = 1.0 - random.uniform() * (1.0 - angle.cos());
        let longitude = TAU * random.uniform();
        (on_sphere(z, longitude), stereographic(z, longitude))
    })?;
    Ok(info.dataset(points).with_truth(truth, &["stereographic x", "stereographic y"]))
}

/// Generates the sphere up to 160° from one pole, uniform by area; true coordinates as for
/// [`spherical_cap`].
pub fn punctured_sphere(n: usize, seed: u64) -> Result<Dataset, Error> {
    cap(&PUNCTURED_SPHERE, n, PUNCTURE, seed)
}

/// Generates a disc of radius 4, uniform by area, mapped to the unit sphere by inverse
/// stereographic projection: θ = 2 atan(ρ / 2). The true coordinates are those in the
/// disc, conformal.
pub fn fishbowl(n: usize, seed: u64) -> Result<Dataset, Error> {
    let (points, truth) = draw(n, seed, |random| {
        let radius = DISC_RADIUS * random.uniform().sqrt();
        let longitude = TAU * random.uniform();
        let z = (2.0 * (radius / 2.0).atan()).cos();
        (on_sphere(z, longitude), [radius * longitude.cos(), radius * longitude.sin()])
    })?;
    Ok(FISHBOWL.dataset(points).with_truth(truth, &["x of the disc", "y of the disc"]))
}

/// Generates the sphere without its poles and a slice: polar angle θ uniform in [π/8,
/// 7π/8), longitude φ in [0, 2π − 0.55).
///
/// The true coordinates are Mercator's projection (φ, atanh cos θ), conformal.
pub fn severed_sphere(n: usize, seed: u64) -> Result<Dataset, Error> {
    let (points, truth) = draw(n, seed, |random| {
        let longitude = random.between(0.0, TAU - 0.55);
        let z = random.between(FRAC_PI_8, PI - FRAC_PI_8).cos();
        (on_sphere(z, longitude), [longitude, z.atanh()])
    })?;
    Ok(SEVERED_SPHERE.dataset(points).with_truth(truth, &["longitude", "Mercator latitude"]))
}

/// Generates the unit sphere, uniform by area. As no chart covers it, the true
/// coordinates are those in space.
pub fn sphere(n: usize, seed: u64) -> Result<Dataset, Error> {
    let (points, truth) = draw(n, seed, |random| {
        let point = on_sphere(random.between(-1.0, 1.0), TAU * random.uniform());
        (point, point)
    })?;
    Ok(SPHERE.dataset(points).with_truth(truth, &["x", "y", "z"]))
}

fn on_sphere(z: f64, longitude: f64) -> [f64; 3] {
    let radius = (1.0 - z * z).sqrt();
    [radius * longitude.cos(), radius * longitude.sin(), z]
}

/// Returns 2 tan(θ/2) = 2 sin θ / (1 + cos θ), in the direction of the longitude.
fn stereographic(z: f64, longitude: f64) -> [f64; 2] {
    let radius = 2.0 * (1.0 - z * z).sqrt() / (1.0 + z);
    [radius * longitude.cos(), radius * longitude.sin()]
}
