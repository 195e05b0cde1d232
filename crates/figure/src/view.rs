//! Transformations from coordinates to page positions: an isotropic scaling, and a
//! projection of three dimensions with depth.

use crate::scene::Area;

/// A similarity transformation from data to page.
#[derive(Clone, Copy)]
pub(crate) struct Fit {
    scale: f64,
    middle: [f64; 2],
    center: [f64; 2],
}

impl Fit {
    /// Centers the bounding box of `points` in `area` at the largest scale that fits,
    /// equal for both axes.
    pub(crate) fn new(points: &[[f64; 2]], area: Area) -> Self {
        let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for point in points {
            for axis in 0..2 {
                low[axis] = low[axis].min(point[axis]);
                high[axis] = high[axis].max(point[axis]);
            }
        }
        let extent = |axis: usize| if points.is_empty() { 0.0 } else { high[axis] - low[axis] };
        let available = [area.width, area.height];
        let fitting =
            |axis: usize| if extent(axis) > 0.0 { available[axis] / extent(axis) } else { f64::INFINITY };
        let scale = fitting(0).min(fitting(1));
        Self {
            scale: if scale.is_finite() { scale } else { 1.0 },
            middle: [0, 1].map(|axis| if points.is_empty() { 0.0 } else { low[axis] + 0.5 * extent(axis) }),
            center: area.center(),
        }
    }

    /// Returns the page position of a point; y points upward in the data.
    pub(crate) fn place(&self, point: [f64; 2]) -> [f64; 2] {
        [
            self.center[0] + self.scale * (point[0] - self.middle[0]),
            self.center[1] - self.scale * (point[1] - self.middle[1]),
        ]
    }
}

/// An orthographic view of three dimensions.
#[derive(Clone, Copy)]
pub(crate) struct Camera {
    /// Degrees about the third axis.
    pub azimuth: f64,
    /// Degrees above the plane of the first two.
    pub elevation: f64,
}

impl Camera {
    /// The view of the given points: almost along the plane of the first two axes, which shows
    /// rolls from their side. Points that are less than half as high as they are wide and long are
    /// seen from above.
    pub(crate) fn of(points: &[[f64; 3]]) -> Self {
        let extent = |axis: usize| {
            let values = || points.iter().map(|point| point[axis]);
            embedding::implement::maximum(values()) - embedding::implement::minimum(values())
        };
        let flat = extent(2) < 0.5 * extent(0).min(extent(1));
        Self { azimuth: -66.0, elevation: if flat { 52.0 } else { 12.0 } }
    }

    /// Returns the coordinates to the right, up and toward the viewer.
    pub(crate) fn see(&self, point: [f64; 3]) -> [f64; 3] {
        let (sin_a, cos_a) = self.azimuth.to_radians().sin_cos();
        let (sin_e, cos_e) = self.elevation.to_radians().sin_cos();
        let [x, y, z] = point;
        let toward = cos_a * x + sin_a * y;
        [-sin_a * x + cos_a * y, -sin_e * toward + cos_e * z, cos_e * toward + sin_e * z]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_box_is_centered_with_equal_scale() {
        let area = Area { x: 10.0, y: 20.0, width: 100.0, height: 50.0 };
        let fit = Fit::new(&[[0.0, 0.0], [4.0, 1.0]], area);
        assert_eq!(fit.place([0.0, 0.0]), [10.0, 57.5]);
        assert_eq!(fit.place([4.0, 1.0]), [110.0, 32.5]);
        assert_eq!(Fit::new(&[[3.0, 3.0]], area).place([3.0, 3.0]), area.center());
    }

    #[test]
    fn flat_data_are_seen_from_above() {
        let of = |name: &str| {
            let data = datasets::generate(name, 400, 0).expect("a generator");
            let rows: Vec<[f64; 3]> =
                data.points.view().rows().map(|row| row.try_into().expect("three columns")).collect();
            Camera::of(&rows).elevation
        };
        assert_eq!([of("torus"), of("bump"), of("swiss-roll"), of("s-curve")], [52.0, 52.0, 12.0, 12.0]);
    }

    #[test]
    fn the_camera_is_a_rotation() {
        let camera = Camera { azimuth: 33.0, elevation: -12.0 };
        let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(|axis| camera.see(axis));
        for a in 0..3 {
            for b in 0..3 {
                let dot: f64 = (0..3).map(|i| axes[a][i] * axes[b][i]).sum();
                assert!((dot - f64::from(u8::from(a == b))).abs() < 1e-12);
            }
        }
    }
}
