//! Rendered images of thirteen kinds of fruit on a turntable.

use std::f64::consts::TAU;

use embedding::{Error, PointSet};

use super::scene::{Vector, add, dot, pitch, unit, yaw};
use super::{PICTURES, draw, mix, shape, smooth_step};
use crate::random::Random;
use crate::sample::stratified;
use crate::{Dataset, Info, Labels, Request};

pub(crate) const FRUITS: Info = Info {
    name: "fruits",
    summary: "Thirteen kinds of fruit, each rendered in 100 views on a turntable, 100 × 100 color pixels.",
    shows: "Thirteen closed loops: whether each is embedded as a loop, and whether the kinds are separated.",
    default_n: 1300,
    largest_n: Some(1300),
    ambient: 30_000,
    dimension: Some(1),
    default_scale: Some(1.0),
    make,
    ..PICTURES
};

const VIEWS: usize = 100;

/// A solid of revolution with radius width · √(1 − h²) · (1 + taper h + pinch h²) at
/// height h from −1 to 1.
struct Kind {
    name: &'static str,
    size: f64,
    width: f64,
    taper: f64,
    pinch: f64,
    /// Inclination of the axis on the turntable, in radians.
    lean: f64,
    /// The two colors of the skin.
    skin: [Vector; 2],
    speckle: f64,
    gloss: f64,
}

const KINDS: [Kind; 13] = [
    kind("apple", 0.8, [0.98, 0.12, 0.1], 0.35, [[0.75, 0.1, 0.12], [0.86, 0.62, 0.25]], 0.1, 0.5),
    kind("green apple", 0.78, [0.95, 0.08, 0.12], 0.5, [[0.5, 0.72, 0.2], [0.68, 0.8, 0.32]], 0.2, 0.5),
    kind("pear", 0.92, [0.68, -0.38, 0.1], 0.45, [[0.72, 0.74, 0.28], [0.76, 0.55, 0.25]], 0.35, 0.25),
    kind("orange", 0.8, [1.0, 0.0, 0.03], 0.6, [[0.95, 0.52, 0.1], [0.8, 0.62, 0.2]], 0.5, 0.3),
    kind("lemon", 0.8, [0.68, 0.0, -0.25], 1.2, [[0.95, 0.86, 0.25], [0.85, 0.8, 0.3]], 0.3, 0.35),
    kind("lime", 0.66, [0.76, 0.0, -0.12], 1.0, [[0.32, 0.6, 0.15], [0.5, 0.7, 0.22]], 0.3, 0.4),
    kind("plum", 0.68, [0.84, 0.05, 0.0], 0.8, [[0.32, 0.12, 0.3], [0.5, 0.16, 0.24]], 0.1, 0.45),
    kind("peach", 0.76, [0.97, 0.04, 0.06], 0.5, [[0.93, 0.68, 0.4], [0.82, 0.3, 0.25]], 0.2, 0.05),
    kind("kiwi", 0.66, [0.76, 0.0, 0.15], 1.25, [[0.48, 0.36, 0.2], [0.4, 0.3, 0.16]], 0.6, 0.0),
    kind("strawberry", 0.62, [0.8, 0.42, 0.0], 0.9, [[0.82, 0.08, 0.1], [0.9, 0.25, 0.15]], 0.9, 0.35),
    kind("avocado", 0.88, [0.66, -0.28, 0.05], 1.1, [[0.2, 0.27, 0.12], [0.3, 0.36, 0.16]], 0.7, 0.2),
    kind("mango", 0.92, [0.7, 0.15, 0.1], 1.3, [[0.9, 0.6, 0.2], [0.55, 0.62, 0.22]], 0.15, 0.3),
    kind("apricot", 0.58, [0.94, 0.05, 0.05], 0.7, [[0.96, 0.7, 0.32], [0.9, 0.5, 0.25]], 0.25, 0.1),
];

const fn kind(
    name: &'static str,
    size: f64,
    [width, taper, pinch]: [f64; 3],
    lean: f64,
    skin: [Vector; 2],
    speckle: f64,
    gloss: f64,
) -> Kind {
    Kind { name, size, width, taper, pinch, lean, skin, speckle, gloss }
}

/// One rendered view.
struct View {
    kind: &'static Kind,
    /// Local axes in world coordinates; the second is the fruit's axis.
    axes: [Vector; 3],
    size: f64,
    light: Vector,
}

/// The true coordinates are (cos φ, sin φ) of the turntable's angle φ = 2π view / 100.
/// Size (± 1.5 %), light and inclination (± 0.03) vary randomly between images.
fn make(info: &Info, request: &Request) -> Result<Dataset, Error> {
    let all = (0..KINDS.len() * VIEWS).map(|i| (i / VIEWS) as u32).collect();
    let labels = Labels::new("fruit", KINDS.iter().map(|kind| kind.name), all);
    let rows = stratified(&labels, info.points(request.n)?, request.seed);
    let angle = |row: u32| TAU * (row as usize % VIEWS) as f64 / VIEWS as f64;
    let views: Vec<View> =
        rows.iter().map(|&row| View::new(row as usize / VIEWS, angle(row), request.seed, row)).collect();
    let shape = shape(info, request, 100, 100, 3);
    let points = draw(&views, shape, |view, picture| {
        let mut depth = None;
        for (i, pixel) in picture.chunks_exact_mut(3).enumerate() {
            let (row, column) = (i / shape.width, i % shape.width);
            let mut sum = [0.0; 3];
            for sample in 0..4 {
                let x = column as f64 + 0.25 + 0.5 * f64::from(sample % 2);
                let y = row as f64 + 0.25 + 0.5 * f64::from(sample / 2);
                let place = |at: f64, length: usize| 2.0 * at / length as f64 - 1.0;
                sum = add(sum, 0.25, view.color(place(x, shape.width), -place(y, shape.height), &mut depth));
            }
            pixel.copy_from_slice(&sum);
        }
    })?;
    let truth = rows.iter().flat_map(|&row| [angle(row).cos(), angle(row).sin()]).collect();
    Ok(info
        .dataset(points)
        .with_truth(PointSet::new(truth, 2)?, &["cosine of the viewing angle", "sine of the viewing angle"])
        .with_labels(labels.select(&rows))
        .with_images(shape))
}

impl View {
    fn new(kind: usize, angle: f64, seed: u64, row: u32) -> Self {
        let mut random = Random::of_row(seed, row);
        let mut jitter = |most: f64| random.between(-most, most);
        let kind = &KINDS[kind];
        let (sine, cosine) = (kind.lean + jitter(0.03)).sin_cos();
        let local = [[cosine, -sine, 0.0], [sine, cosine, 0.0], [0.0, 0.0, 1.0]];
        // Seen from slightly above.
        let axes = local.map(|axis| pitch(yaw(axis, angle), 0.45));
        let size = kind.size * (1.0 + jitter(0.015));
        let light = unit([-0.45 + jitter(0.03), 0.7 + jitter(0.03), 0.65 + jitter(0.03)]);
        Self { kind, axes, size, light }
    }

    /// Returns the color at a position of the image, from −1 to 1. `depth` is the depth of the last position
    /// that showed the fruit.
    fn color(&self, x: f64, y: f64, depth: &mut Option<f64>) -> Vector {
        const BACKGROUND: Vector = [0.97; 3];
        let [x, y] = [x / self.size, y / self.size];
        *depth = self.hit([x, y], *depth);
        let Some(z) = *depth else {
            return BACKGROUND;
        };
        let local = self.axes.map(|axis| dot(axis, [x, y, z]));
        let (_, gradient) = self.outside(local);
        let outward = (0..3).fold([0.0; 3], |sum, i| add(sum, gradient[i], self.axes[i]));
        let normal = unit(outward);
        let halfway = unit(add(self.light, 1.0, [0.0, 0.0, 1.0]));
        let matte = 0.4 + 0.6 * dot(normal, self.light).max(0.0);
        let shine = self.kind.gloss * dot(normal, halfway).max(0.0).powi(24);
        self.skin(local).map(|part| (part * matte + shine).min(1.0))
    }

    /// Returns the skin color: two colors along the longitude, speckles, and dark poles.
    fn skin(&self, [x, h, z]: Vector) -> Vector {
        let around = x / x.hypot(z).max(1e-9);
        let base = mix(self.kind.skin[0], self.kind.skin[1], smooth_step(-0.6, 0.8, around + 0.5 * h));
        let speckle = (21.0 * x + 1.0).sin() * (23.0 * h + 2.0).sin() * (19.0 * z + 3.0).sin();
        let speckled = mix(base, [0.25, 0.2, 0.1], 0.5 * self.kind.speckle * smooth_step(0.35, 0.7, speckle));
        mix(speckled, [0.3, 0.22, 0.12], 0.85 * smooth_step(0.965, 0.99, h.abs()))
    }

    /// Returns the squared radius r² at height h, and its derivative.
    fn squared_radius(&self, h: f64) -> [f64; 2] {
        let Kind { width, taper, pinch, .. } = self.kind;
        let (cap, shape, slope) = (1.0 - h * h, 1.0 + taper * h + pinch * h * h, taper + 2.0 * pinch * h);
        let squared = width * width;
        [squared * cap * shape * shape, 2.0 * squared * shape * (cap * slope - h * shape)]
    }

    /// Returns ρ² − r²(h) at a local position, positive outside, and its gradient.
    fn outside(&self, [x, h, z]: Vector) -> (f64, Vector) {
        let [squared, slope] = self.squared_radius(h);
        (x * x + z * z - squared, [2.0 * x, -slope, 2.0 * z])
    }

    /// Returns z of the nearest surface point at (x, y): by Newton's method from the
    /// neighboring pixel's depth if given, which finds the front of a convex body;
    /// otherwise by marching inward from the viewer, then bisection.
    fn hit(&self, [x, y]: [f64; 2], neighbor: Option<f64>) -> Option<f64> {
        const REACH: f64 = 1.25;
        const STEPS: u32 = 24;
        let start = self.axes.map(|axis| axis[0] * x + axis[1] * y);
        let along = self.axes.map(|axis| axis[2]);
        if let Some(mut z) = neighbor {
            for _ in 0..5 {
                let (value, gradient) = self.outside(add(start, z, along));
                let slope = dot(gradient, along);
                if slope < 0.1 {
                    break;
                }
                z -= value / slope;
                if value.abs() < 1e-7 {
                    return Some(z);
                }
            }
        }
        let is_outside = |z: f64| self.outside(add(start, z, along)).0 > 0.0;
        let deepest = (REACH * REACH - x * x - y * y).max(0.0).sqrt();
        let step = 2.0 * deepest / f64::from(STEPS);
        let inside = (1..STEPS).map(|i| deepest - step * f64::from(i)).find(|&z| !is_outside(z))?;
        let (mut far, mut near) = (inside, inside + step);
        for _ in 0..20 {
            let middle = 0.5 * (far + near);
            if is_outside(middle) { near = middle } else { far = middle }
        }
        Some(far)
    }
}
