//! Rendering of ellipsoids: orthographic projection, nearest surface, diffuse shading.

pub(super) type Vector = [f64; 3];

pub(super) fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(super) fn unit(a: Vector) -> Vector {
    a.map(|x| x / dot(a, a).sqrt())
}

/// Returns a + s b.
pub(super) fn add(a: Vector, s: f64, b: Vector) -> Vector {
    std::array::from_fn(|i| a[i] + s * b[i])
}

/// Rotates about the x axis: y toward z.
pub(super) fn pitch([x, y, z]: Vector, angle: f64) -> Vector {
    let (sine, cosine) = angle.sin_cos();
    [x, y * cosine - z * sine, y * sine + z * cosine]
}

/// Rotates about the vertical y axis: z toward x.
pub(super) fn yaw([x, y, z]: Vector, angle: f64) -> Vector {
    let (sine, cosine) = angle.sin_cos();
    [x * cosine + z * sine, y, z * cosine - x * sine]
}

/// An ellipsoid with three perpendicular half axes. x points to the right, y up, z to the
/// viewer; the image shows x and y from −1 to 1.
#[derive(Clone, Copy)]
pub(super) struct Ellipsoid {
    pub(super) center: Vector,
    pub(super) axes: [Vector; 3],
    /// Fraction of light that is reflected.
    pub(super) brightness: f64,
}

impl Ellipsoid {
    pub(super) fn upright(center: Vector, [x, y, z]: Vector, brightness: f64) -> Self {
        Self { center, axes: [[x, 0.0, 0.0], [0.0, y, 0.0], [0.0, 0.0, z]], brightness }
    }

    pub(super) fn sphere(center: Vector, radius: f64, brightness: f64) -> Self {
        Self::upright(center, [radius; 3], brightness)
    }

    /// Applies a rotation.
    pub(super) fn turned(self, turn: impl Fn(Vector) -> Vector) -> Self {
        Self { center: turn(self.center), axes: self.axes.map(turn), ..self }
    }

    /// Returns its extent from the center along an axis of the image.
    fn reach(&self, part: usize) -> f64 {
        self.axes.iter().map(|axis| axis[part] * axis[part]).sum::<f64>().sqrt()
    }
}

/// An ellipsoid prepared for rays along z.
///
/// With q_i = (p − c)·aᵢ / |aᵢ|², the surface is |q| = 1; q is linear in the position, so
/// z is the larger root of a quadratic equation whose coefficients are forms in (x, y).
struct Seen {
    center: Vector,
    brightness: f64,
    /// ∂q/∂x, ∂q/∂y, ∂q/∂z.
    slopes: [Vector; 3],
    /// The quadratic form |q|² after elimination of z: xx, xy, yy.
    form: Vector,
    /// The linear part of z in x and y.
    tilt: [f64; 2],
    /// 1 / |∂q/∂z|.
    depth: f64,
}

impl Seen {
    fn new(solid: &Ellipsoid) -> Self {
        let scaled = solid.axes.map(|axis| axis.map(|part| part / dot(axis, axis)));
        let slopes: [Vector; 3] = std::array::from_fn(|part| scaled.map(|axis| axis[part]));
        let [x, y, z] = slopes;
        let zz = dot(z, z);
        let (xz, yz) = (dot(x, z) / zz, dot(y, z) / zz);
        let form = [dot(x, x) - xz * xz * zz, dot(x, y) - xz * yz * zz, dot(y, y) - yz * yz * zz];
        Self {
            center: solid.center,
            brightness: solid.brightness,
            slopes,
            form,
            tilt: [-xz, -yz],
            depth: zz.sqrt().recip(),
        }
    }

    /// Returns z of the nearest surface point at (x, y), relative to its center.
    fn hit(&self, [x, y]: [f64; 2]) -> Option<f64> {
        let left = 1.0 - (self.form[0] * x * x + 2.0 * self.form[1] * x * y + self.form[2] * y * y);
        (left >= 0.0).then(|| self.tilt[0] * x + self.tilt[1] * y + self.depth * left.sqrt())
    }

    /// Returns the unit normal: ∇|q|², normalized.
    fn normal(&self, place: Vector) -> Vector {
        let q = (0..3).fold([0.0; 3], |q, part| add(q, place[part], self.slopes[part]));
        unit(self.slopes.map(|slope| dot(q, slope)))
    }
}

/// Samples per pixel and axis, averaged.
const SAMPLES: usize = 3;
/// Fraction of ambient light.
const AMBIENT: f64 = 0.25;

/// Renders a square grayscale image; `light` points to the source.
pub(super) fn paint(scene: &[Ellipsoid], light: Vector, side: usize, picture: &mut [f64]) {
    let light = unit(light);
    let fine = side * SAMPLES;
    let mut nearest = vec![(f64::NEG_INFINITY, 0.0); fine * fine];
    let place = |i: usize| 2.0 * (i as f64 + 0.5) / fine as f64 - 1.0;
    let range = |center: f64, reach: f64| {
        let index = |x: f64| ((x + 1.0) / 2.0 * fine as f64).clamp(0.0, fine as f64);
        index(center - reach).floor() as usize..index(center + reach).ceil() as usize
    };
    for solid in scene {
        let seen = Seen::new(solid);
        for row in range(-solid.center[1], solid.reach(1)) {
            for column in range(solid.center[0], solid.reach(0)) {
                let sample = &mut nearest[row * fine + column];
                let [x, y] = [place(column) - seen.center[0], -place(row) - seen.center[1]];
                let Some(z) = seen.hit([x, y]).filter(|z| seen.center[2] + z > sample.0) else {
                    continue;
                };
                let lit = AMBIENT + (1.0 - AMBIENT) * dot(seen.normal([x, y, z]), light).max(0.0);
                *sample = (seen.center[2] + z, seen.brightness * lit);
            }
        }
    }
    for (i, pixel) in picture.iter_mut().enumerate() {
        let corner = (i / side * fine + i % side) * SAMPLES;
        let samples = (0..SAMPLES).flat_map(|row| &nearest[corner + row * fine..][..SAMPLES]);
        *pixel = samples.map(|(_, value)| value).sum::<f64>() / (SAMPLES * SAMPLES) as f64;
    }
}
