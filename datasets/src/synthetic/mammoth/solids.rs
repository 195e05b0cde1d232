//! Ellipsoids and tubes: points on their surfaces, uniform by area, and points inside.

use std::f64::consts::{PI, TAU};

use crate::random::Random;

/// A solid body with a smooth surface, or one of three sheets.
pub(super) enum Solid {
    /// An ellipsoid along the axes, by its center and its semi-axes.
    Ellipsoid {
        center: [f64; 3],
        semi_axes: [f64; 3],
    },
    Tube(Tube),
}

/// A tube of circular cross-sections around a circular arc or a straight line, between two
/// discs. Its radius is linear in the arc length.
pub(super) struct Tube {
    start: [f64; 3],
    /// The unit vector of the center line at its start.
    tangent: [f64; 3],
    /// The unit vector from the start to the center of the arc.
    normal: [f64; 3],
    length: f64,
    /// 1 / radius of the arc; 0 for a straight line.
    curvature: f64,
    /// Radii of the cross-sections at both ends.
    radii: [f64; 2],
}

impl Solid {
    /// A straight tube between two points.
    pub(super) fn cone(start: [f64; 3], end: [f64; 3], radii: [f64; 2]) -> Self {
        let along = difference(end, start);
        let length = dot(along, along).sqrt();
        let tangent = along.map(|x| x / length);
        // Any unit vector across: the smallest component of the tangent is below 0.6.
        let smallest =
            (0..3).min_by(|&a, &b| tangent[a].abs().total_cmp(&tangent[b].abs())).expect("three components");
        let mut axis = [0.0; 3];
        axis[smallest] = 1.0;
        let across = cross(tangent, axis);
        let size = dot(across, across).sqrt();
        let normal = across.map(|x| x / size);
        Self::Tube(Tube { start, tangent, normal, length, curvature: 0.0, radii })
    }

    /// A tube along the arc that leaves `start` in the direction `tangent`, toward `normal`, with
    /// an arc of this radius and angle; both vectors are orthogonal unit vectors.
    pub(super) fn arc(
        start: [f64; 3],
        [tangent, normal]: [[f64; 3]; 2],
        radius: f64,
        angle: f64,
        radii: [f64; 2],
    ) -> Self {
        debug_assert!(dot(tangent, normal).abs() < 1e-12);
        Self::Tube(Tube { start, tangent, normal, length: radius * angle, curvature: 1.0 / radius, radii })
    }

    /// An upper bound of the area, in proportion to which [`Solid::propose`] accepts.
    pub(super) fn area_bound(&self) -> f64 {
        match self {
            Self::Ellipsoid { semi_axes, .. } => 2.0 * TAU * stretch_bound(*semi_axes),
            Self::Tube(tube) => tube.side_bound() + tube.disc(0) + tube.disc(1),
        }
    }

    /// Draws a point of the surface, or `None`: the expected number of points in a region is its area over
    /// [`Solid::area_bound`].
    pub(super) fn propose(&self, random: &mut Random) -> Option<[f64; 3]> {
        match self {
            Self::Ellipsoid { center, semi_axes: [a, b, c] } => {
                let z = random.between(-1.0, 1.0);
                let (sine, cosine) = (TAU * random.uniform()).sin_cos();
                let radius = (1.0 - z * z).sqrt();
                let [x, y] = [radius * cosine, radius * sine];
                // The map from the unit sphere to the ellipsoid scales areas by this factor.
                let stretch = ((b * c * x).powi(2) + (a * c * y).powi(2) + (a * b * z).powi(2)).sqrt();
                (random.uniform() * stretch_bound([*a, *b, *c]) < stretch)
                    .then(|| [center[0] + a * x, center[1] + b * y, center[2] + c * z])
            }
            Self::Tube(tube) => tube.propose(random, self.area_bound()),
        }
    }

    /// Whether a point is inside.
    pub(super) fn contains(&self, point: [f64; 3]) -> bool {
        match self {
            Self::Ellipsoid { center, semi_axes } => {
                let scaled: f64 = (0..3).map(|c| ((point[c] - center[c]) / semi_axes[c]).powi(2)).sum();
                scaled < 1.0
            }
            Self::Tube(tube) => tube.contains(point),
        }
    }
}

impl Tube {
    /// The center of the cross-section at arc length s, and the unit vector from it to the
    /// center of the arc.
    fn section(&self, s: f64) -> ([f64; 3], [f64; 3]) {
        let Self { start, tangent, normal, curvature, .. } = self;
        let (sine, cosine) = (curvature * s).sin_cos();
        let [forward, aside] =
            if *curvature == 0.0 { [s, 0.0] } else { [sine / curvature, (1.0 - cosine) / curvature] };
        let center = std::array::from_fn(|c| start[c] + forward * tangent[c] + aside * normal[c]);
        let inward = std::array::from_fn(|c| cosine * normal[c] - sine * tangent[c]);
        (center, inward)
    }

    fn radius(&self, s: f64) -> f64 {
        self.radii[0] + self.slope() * s
    }

    fn slope(&self) -> f64 {
        (self.radii[1] - self.radii[0]) / self.length
    }

    /// The point at arc length s and angle θ, at distance r from the center line.
    fn at(&self, s: f64, angle: f64, r: f64) -> [f64; 3] {
        let (center, inward) = self.section(s);
        let across = cross(self.tangent, self.normal);
        let (sine, cosine) = angle.sin_cos();
        std::array::from_fn(|c| center[c] + r * (cosine * inward[c] + sine * across[c]))
    }

    /// The area of the disc at an end.
    fn disc(&self, end: usize) -> f64 {
        PI * self.radii[end].powi(2)
    }

    /// An upper bound of the area of the side: 2π · length · the largest density.
    fn side_bound(&self) -> f64 {
        TAU * self.length * self.density_bound()
    }

    fn density_bound(&self) -> f64 {
        let radius = self.radii[0].max(self.radii[1]);
        radius * (1.0 + self.curvature * radius).hypot(self.slope())
    }

    /// Draws a point of the side or of a disc, or `None`; see [`Solid::propose`].
    fn propose(&self, random: &mut Random, bound: f64) -> Option<[f64; 3]> {
        let drawn = random.uniform() * bound - self.side_bound();
        let angle = TAU * random.uniform();
        if drawn >= 0.0 {
            let end = usize::from(drawn >= self.disc(0));
            let r = self.radii[end] * random.uniform().sqrt();
            return Some(self.at(self.length * end as f64, angle, r));
        }
        let s = self.length * random.uniform();
        let r = self.radius(s);
        // The area of ds dθ: |∂x/∂s| |∂x/∂θ|, since the derivatives are orthogonal.
        let density = r * (1.0 - self.curvature * r * angle.cos()).hypot(self.slope());
        (random.uniform() * self.density_bound() < density).then(|| self.at(s, angle, r))
    }

    fn contains(&self, point: [f64; 3]) -> bool {
        let from_start = difference(point, self.start);
        let (forward, aside) = (dot(from_start, self.tangent), dot(from_start, self.normal));
        // The cross-section that contains the point is in a plane through the center of the arc.
        let s = if self.curvature == 0.0 {
            forward
        } else {
            forward.atan2(1.0 / self.curvature - aside) / self.curvature
        };
        if !(0.0..=self.length).contains(&s) {
            return false;
        }
        let from_center = difference(point, self.section(s).0);
        dot(from_center, from_center) < self.radius(s).powi(2)
    }
}

/// The largest factor by which the map from the unit sphere scales areas.
fn stretch_bound([a, b, c]: [f64; 3]) -> f64 {
    (a * b).max(a * c).max(b * c)
}

fn difference(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|c| a[c] - b[c])
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
