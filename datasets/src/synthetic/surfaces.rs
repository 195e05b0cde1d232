//! Other surfaces in space.

use std::f64::consts::{FRAC_PI_3, PI, TAU};

use embedding::Error;

use super::{SURFACE, draw};
use crate::random::Rounds;
use crate::{Dataset, Geometry, Info, Labels};

pub(crate) const TORUS: Info = Info {
    name: "torus",
    summary: "A torus, uniform by area; true coordinates in space.",
    shows: "A closed surface with a hole: every map to the plane must cut it.",
    make: |info, request| torus(info.points(request.n)?, request.seed),
    ..SURFACE
};

pub(crate) const TWIN_PEAKS: Info = Info {
    name: "twin-peaks",
    summary: "A square with two peaks and two pits.",
    shows: "A sheet curved in two directions.",
    geometry: Geometry::Parameters,
    make: |info, request| twin_peaks(info.points(request.n)?, request.seed),
    ..SURFACE
};

pub(crate) const BUMP: Info = Info {
    name: "bump",
    summary: "A plane with a Gaussian bump in its middle.",
    shows: "The effect of local curvature on the surrounding flat part.",
    geometry: Geometry::Parameters,
    make: |info, request| bump(info.points(request.n)?, request.seed),
    ..SURFACE
};

pub(crate) const INTERSECTING_SHEETS: Info = Info {
    name: "intersecting-sheets",
    summary: "Two flat squares that cross at 60 degrees.",
    shows: "Data that is not a manifold.",
    failure: Some(
        "Neighborhoods at the crossing hold points of both sheets; PCA, Isomap and LTSA lay one sheet over the other.",
    ),
    geometry: Geometry::Parameters,
    make: |info, request| intersecting_sheets(info.points(request.n)?, request.seed),
    ..SURFACE
};

/// Generates the torus of radii 2 and 1, uniform by area: x = ((2 + cos θ) cos φ, (2 +
/// cos θ) sin φ, sin θ), with the density of θ proportional to 2 + cos θ. The true
/// coordinates are those in space.
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

/// Generates twin peaks: x and y uniform in [−1, 1), z = sin(πx) tanh(3y). The true
/// coordinates are (x, y).
pub fn twin_peaks(n: usize, seed: u64) -> Result<Dataset, Error> {
    let (points, truth) = draw(n, seed, |random| {
        let [x, y] = [random.between(-1.0, 1.0), random.between(-1.0, 1.0)];
        ([x, y, (PI * x).sin() * (3.0 * y).tanh()], [x, y])
    })?;
    Ok(TWIN_PEAKS.dataset(points).with_truth(truth, &["x", "y"]))
}

/// Generates a plane with a bump: x and y uniform in [−2.5, 2.5), z = 1.5 exp(−(x² +
/// y²)). The true coordinates are (x, y).
pub fn bump(n: usize, seed: u64) -> Result<Dataset, Error> {
    let (points, truth) = draw(n, seed, |random| {
        let [x, y] = [random.between(-2.5, 2.5), random.between(-2.5, 2.5)];
        ([x, y, 1.5 * (-x * x - y * y).exp()], [x, y])
    })?;
    Ok(BUMP.dataset(points).with_truth(truth, &["x", "y"]))
}

/// Generates two squares of side 2 that share the y axis, the second at 60° to the first,
/// labeled by
/// `sheet`. The true coordinates are (x, y) within each sheet, shifted by 3 for the
/// second one to avoid overlap.
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
