//! The surface of an animal: d = 2, with thin parts that are close to curves.

mod solids;

use embedding::Error;

use self::solids::Solid;
use super::{SURFACE, draw};
use crate::random::Random;
use crate::{Dataset, Info, Labels};

pub(crate) const MAMMOTH: Info = Info {
    name: "mammoth",
    summary: "The surface of a mammoth made of ellipsoids and tubes, uniform by area; true coordinates in space.",
    shows: "Whether a known shape is recognized in the plane: thin parts at their positions, left next to right.",
    failure: Some(
        "No map to the plane shows a closed surface whole: PCA and Isomap lay the left legs over the right ones; t-SNE, UMAP and LocalMAP cut the body into pieces.",
    ),
    default_n: 2000,
    make: |info, request| mammoth(info.points(request.n)?, request.seed),
    ..SURFACE
};

/// The parts, which are the classes of the labels.
const PARTS: [&str; 10] = [
    "body",
    "head",
    "trunk",
    "left tusk",
    "right tusk",
    "left front leg",
    "right front leg",
    "left hind leg",
    "right hind leg",
    "tail",
];

/// Generates the outer surface of a mammoth, uniform by area: x is forward, y to the left, z
/// upward, and the soles of the feet are at z = 0. Labeled by `part`. The true coordinates are the positions
/// in space.
///
/// The animal is the union of these solids. Ellipsoids are given by center and semi-axes, and straight tubes
/// by the centers and radii of both ends. Curved tubes are given by the start of their center line, its
/// direction there and the direction toward the center of the arc; then by radius and angle of the arc, and
/// the radii of the tube at both ends. Tubes end in flat discs. Solids on the left have mirror images on the
/// right.
///
/// | part | solid |
/// |---|---|
/// | body | ellipsoid (0, 0, 2.1), (1.5, 0.9, 0.95) |
/// | body | ellipsoid (0.7, 0, 2.6), (0.75, 0.6, 0.75) |
/// | head | ellipsoid (1.85, 0, 2.9), (0.6, 0.55, 0.75) |
/// | trunk | arc from (2.25, 0, 2.7), (0, 0, −1), (1, 0, 0); 1.2, 100°; 0.26, 0.12 |
/// | left tusk | arc from (2, 0.35, 2.5), (sin 25° f, −cos 25°), (cos 25° f, sin 25°); 1, 150°; 0.14, 0.05 |
/// | left front leg | straight (0.75, 0.36, 1.9), (0.85, 0.5, 0.1); 0.3, 0.24 |
/// | left front leg | straight (0.85, 0.5, 0.25), (0.85, 0.5, 0); 0.27, 0.33 |
/// | left hind leg | straight (−0.85, 0.36, 1.9), (−0.95, 0.5, 0.1); 0.3, 0.24 |
/// | left hind leg | straight (−0.95, 0.5, 0.25), (−0.95, 0.5, 0); 0.27, 0.33 |
/// | tail | arc from (−1.35, 0, 2.3), (−1, 0, 0), (0, 0, −1); 0.9, 90°; 0.13, 0.07 |
/// | tail | ellipsoid (−2.25, 0, 1.3), (0.13, 0.13, 0.26) |
///
/// The tusks leave the head by 30° to the side: f = (cos 30°, sin 30°), the direction in the plane
/// of x and y.
pub fn mammoth(n: usize, seed: u64) -> Result<Dataset, Error> {
    let solids = solids();
    let mut parts = Vec::with_capacity(n);
    let (points, truth) = draw(n, seed, |random| {
        let (part, point) = one(&solids, random);
        parts.push(part as u32);
        (point, point)
    })?;
    let labels = Labels::new("part", PARTS, parts);
    Ok(MAMMOTH.dataset(points).with_truth(truth, &["x", "y", "z"]).with_labels(labels))
}

/// The solids, each with the index of its part.
fn solids() -> Vec<(usize, Solid)> {
    let ellipsoid = |center, semi_axes| Solid::Ellipsoid { center, semi_axes };
    let trunk = [[0.0, 0.0, -1.0], [1.0, 0.0, 0.0]];
    let tail = [[-1.0, 0.0, 0.0], [0.0, 0.0, -1.0]];
    let mut solids = vec![
        (0, ellipsoid([0.0, 0.0, 2.1], [1.5, 0.9, 0.95])),
        (0, ellipsoid([0.7, 0.0, 2.6], [0.75, 0.6, 0.75])),
        (1, ellipsoid([1.85, 0.0, 2.9], [0.6, 0.55, 0.75])),
        (2, Solid::arc([2.25, 0.0, 2.7], trunk, 1.2, 100_f64.to_radians(), [0.26, 0.12])),
        (9, Solid::arc([-1.35, 0.0, 2.3], tail, 0.9, 90_f64.to_radians(), [0.13, 0.07])),
        (9, ellipsoid([-2.25, 0.0, 1.3], [0.13, 0.13, 0.26])),
    ];
    for (side, left) in [(0, 1.0), (1, -1.0)] {
        let (aside, forward) = 30_f64.to_radians().sin_cos();
        let (sine, cosine) = 25_f64.to_radians().sin_cos();
        let tusk = [[sine, -cosine], [cosine, sine]].map(|[f, z]| [f * forward, f * left * aside, z]);
        solids.push((
            3 + side,
            Solid::arc([2.0, 0.35 * left, 2.5], tusk, 1.0, 150_f64.to_radians(), [0.14, 0.05]),
        ));
        for (leg, hip, foot) in [(5, 0.75, 0.85), (7, -0.85, -0.95)] {
            let at = |x: f64, y: f64, z: f64| [x, left * y, z];
            solids.push((leg + side, Solid::cone(at(hip, 0.36, 1.9), at(foot, 0.5, 0.1), [0.3, 0.24])));
            solids.push((leg + side, Solid::cone(at(foot, 0.5, 0.25), at(foot, 0.5, 0.0), [0.27, 0.33])));
        }
    }
    solids
}

/// Draws a point of the outer surface with its part. Points inside another solid are rejected.
fn one(solids: &[(usize, Solid)], random: &mut Random) -> (usize, [f64; 3]) {
    let total: f64 = solids.iter().map(|(_, solid)| solid.area_bound()).sum();
    loop {
        let mut drawn = total * random.uniform();
        let chosen = solids.iter().position(|(_, solid)| {
            drawn -= solid.area_bound();
            drawn < 0.0
        });
        // Rounding can leave the sum of the bounds below the number drawn.
        let chosen = chosen.unwrap_or(solids.len() - 1);
        let (part, solid) = &solids[chosen];
        let Some(point) = solid.propose(random) else { continue };
        let others = solids.iter().enumerate().filter(|(other, _)| *other != chosen);
        if !others.into_iter().any(|(_, (_, other))| other.contains(point)) {
            return (*part, point);
        }
    }
}
