//! Manifolds with known true coordinates.
//!
//! Points are drawn one after the other, so a smaller sample is a prefix of a larger one
//! with the same seed. `u` and `v` are uniform in [0, 1). The geometric meaning of the
//! true coordinates is given by each set's [`Geometry`].

mod boxes;
mod clouds;
mod curves;
mod mammoth;
mod rolls;
mod spheres;
mod surfaces;
mod trees;

use embedding::{Error, PointSet};

pub use boxes::{curled_box, hypercube};
pub use clouds::clusters;
pub use curves::{helix, toroidal_helix, trefoil};
pub use mammoth::mammoth;
pub use rolls::{
    arc_length, broken_swiss_roll, noisy_swiss_roll, s_curve, skewed_swiss_roll, sparse_swiss_roll,
    swiss_roll, swiss_roll_hole, tight_swiss_roll, two_swiss_rolls,
};
pub use spheres::{fishbowl, punctured_sphere, severed_sphere, sphere, spherical_cap};
pub use surfaces::{bump, intersecting_sheets, torus, twin_peaks};
pub use trees::tree;

use crate::random::Random;
use crate::{Geometry, Info};

/// All synthetic manifolds.
pub(crate) const LIST: [&Info; 26] = [
    &rolls::SWISS_ROLL,
    &rolls::SWISS_ROLL_HOLE,
    &rolls::BROKEN_SWISS_ROLL,
    &rolls::SKEWED_SWISS_ROLL,
    &rolls::TWO_SWISS_ROLLS,
    &rolls::TIGHT_SWISS_ROLL,
    &rolls::NOISY_SWISS_ROLL,
    &rolls::SPARSE_SWISS_ROLL,
    &rolls::S_CURVE,
    &spheres::HEMISPHERE,
    &spheres::SEVERED_SPHERE,
    &spheres::FISHBOWL,
    &spheres::PUNCTURED_SPHERE,
    &spheres::SPHERE,
    &surfaces::TORUS,
    &surfaces::TWIN_PEAKS,
    &surfaces::BUMP,
    &surfaces::INTERSECTING_SHEETS,
    &mammoth::MAMMOTH,
    &curves::HELIX,
    &curves::TOROIDAL_HELIX,
    &curves::TREFOIL,
    &boxes::CURLED_BOX,
    &boxes::HYPERCUBE,
    &clouds::CLUSTERS,
    &trees::TREE,
];

/// Defaults of surfaces in space.
const SURFACE: Info = Info {
    name: "",
    summary: "",
    shows: "",
    failure: None,
    default_n: 1000,
    largest_n: None,
    ambient: 3,
    dimension: Some(2),
    geometry: Geometry::Isometric,
    default_scale: None,
    source: "synthetic",
    license: "MIT OR Apache-2.0, as this software",
    make: |info, _| unreachable!("{} has a generator of its own", info.name),
};

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
