//! Surfaces in space that are neither rolled sheets nor spheres.

use std::f64::consts::{FRAC_PI_3, PI, TAU};

use embedding::Error;

use super::{SURFACE, draw};
use crate::random::Rounds;
use crate::{Dataset, Geometry, Info, Labels};

pub(crate) const TORUS: Info = Info {
    name: "torus",
    summary: "The surface of a ring, uniform by area; the truth is its place in space.",
    shows: "A closed surface with a hole: every flat map must cut it.",
    make: |info, request| torus(info.points(request.n)?, request.seed),
    ..SURFACE
};

pub(crate) const TWIN_PEAKS: Info = Info {
    name: "twin-peaks",
    summary: "A square with two peaks and two pits.",
    shows: "A sheet that is bent in two directions at once.",
    geometry: Geometry::Parameters,
    make: |info, request| twin_peaks(info.points(request.n)?, request.seed),
    ..SURFACE
};

pub(crate) const BUMP: Info = Info {
    name: "bump",
    summary: "A plane with a Gaussian bump in its middle.",
    shows: "How far a local bend disturbs the flat part around it.",
    geometry: Geometry::Parameters,
    make: |info, request| bump(info.points(request.n)?, request.seed),
    ..SURFACE
};

pub(crate) const INTERSECTING_SHEETS: Info = Info {
    name: "intersecting-sheets",
    summary: "Two flat squares that cross at 60 degrees.",
    shows: "What happens where the data is no manifold.",
    geometry: Geometry::Parameters,
    make: |info, request| intersecting_sheets(info.points(request.n)?, request.seed),
    ..SURFACE
};

/// The torus of radii 2 and 1, uniform by area:
/// x = ((2 + cos θ) cos φ, (2 + cos θ) sin φ, sin θ), θ drawn with density
/// proportional to 2 + cos θ. The truth is the place in space.
pub fn torus(n: usize, seed: u64) -> Result<Dataset, Error> {
    let (points, truth) = draw(n, seed, |random| {
        let mut around = TAU * random.uniform();
        while 3.0 * random.uniform() >= 2.0 + around.cos() {
            around = TAU * random.uniform();
        }
        let along = TAU * random.uniform();
        let radius = 2.0 + around.cos();
        let point = [radius * along.cos(), radius * along.sin(), around.sin()];
        (point, point)
    })?;
    Ok(TORUS.dataset(points).with_truth(truth, &["x", "y", "z"]))
}

/// Twin peaks: x and y uniform in [−1, 1), z = sin(πx) tanh(3y). The truth is
/// (x, y).
pub fn twin_peaks(n: usize, seed: u64) -> Result<Dataset, Error> {
    let (points, truth) = draw(n, seed, |random| {
        let [x, y] = [random.between(-1.0, 1.0), random.between(-1.0, 1.0)];
        ([x, y, (PI * x).sin() * (3.0 * y).tanh()], [x, y])
    })?;
    Ok(TWIN_PEAKS.dataset(points).with_truth(truth, &["x", "y"]))
}

/// A plane with a bump: x and y uniform in [−2.5, 2.5),
/// z = 1.5 exp(−(x² + y²)). The truth is (x, y).
pub fn bump(n: usize, seed: u64) -> Result<Dataset, Error> {
    let (points, truth) = draw(n, seed, |random| {
        let [x, y] = [random.between(-2.5, 2.5), random.between(-2.5, 2.5)];
        ([x, y, 1.5 * (-x * x - y * y).exp()], [x, y])
    })?;
    Ok(BUMP.dataset(points).with_truth(truth, &["x", "y"]))
}

/// Two squares of side 2 that share the y axis, the second turned by 60°; the
/// label `sheet` tells which. The truth is (x, y) within the sheet, the second
/// sheet's moved by 3 so that the two do not overlap.
pub fn intersecting_sheets(n: usize, seed: u64) -> Result<Dataset, Error> {
    let (mut rounds, mut sheets) = (Rounds::new(2), Vec::with_capacity(n));
    let (sine, cosine) = FRAC_PI_3.sin_cos();
    let (points, truth) = draw(n, seed, |random| {
        let sheet = rounds.next(random);
        sheets.push(sheet as u32);
        let [x, y] = [random.between(-1.0, 1.0), random.between(-1.0, 1.0)];
        if sheet == 0 { ([x, y, 0.0], [x, y]) } else { ([x * cosine, y, x * sine], [x + 3.0, y]) }
    })?;
    let labels = Labels::new("sheet", ["level", "tilted"], sheets);
    Ok(INTERSECTING_SHEETS.dataset(points).with_truth(truth, &["x", "y"]).with_labels(labels))
}
