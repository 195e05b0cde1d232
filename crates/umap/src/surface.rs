//! The surface that the map lies on.

use embedding::{Error, Points};
use serde::{Deserialize, Serialize};

use crate::curved::{Curved, Place};
use crate::loss;

/// The surface that the map lies on, and with it the distance x of the similarity 1/(1 + a x^(2b)).
///
/// The forces of the optimization are the gradient of the loss with x the length of the shortest path on the
/// surface, and points move along such paths, so that they stay on it to rounding. All but the plane have
/// a fixed size: a smaller `spread` makes the surface larger in units of the similarity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Surface {
    /// Flat space of d coordinates with Euclidean distances; the default.
    #[default]
    Plane,
    /// The unit sphere with great-circle distances, d = 3: unit vectors. Straight distances between them
    /// order neighbors as great-circle distances do.
    Sphere,
    /// The flat torus of two periods 2π, d = 4: cosine and sine of the first angle, then of the second.
    /// Straight distances between such rows order near neighbors nearly as distances on the torus, also
    /// across the ends of a period; [`Surface::angles`] are the two angles.
    Torus,
    /// The hyperbolic plane of curvature −1, d = 2: places in the Poincaré disk, of length below 1.
    /// Straight distances in the disk shrink toward its edge. Points stay within the hyperbolic distance 10 of
    /// its center.
    Hyperboloid,
}

embedding::words!(Surface {
    Plane = "plane",
    Sphere = "sphere",
    Torus = "torus",
    Hyperboloid = "hyperboloid"
});

/// Largest distance from the surface of coordinates that are used unchanged.
const OFF: f64 = 1e-5;

impl Surface {
    /// The curved or periodic surface; `None` for flat space.
    pub(crate) fn curved(self) -> Option<Curved> {
        match self {
            Self::Plane => None,
            Self::Sphere => Some(Curved::Sphere),
            Self::Torus => Some(Curved::Torus),
            Self::Hyperboloid => Some(Curved::Hyperboloid),
        }
    }

    /// Two coordinates of a row of a map, for drawings: longitude and latitude on the sphere, the two angles on the
    /// torus, each between −π and π, and hyperbolic polar coordinates, distance from the center and angle,
    /// on the hyperboloid. `None` for the plane, and for a row of another number of coordinates.
    ///
    /// ```
    /// use umap::Surface;
    /// assert_eq!(Surface::Torus.angles(&[1.0, 0.0, 0.0, 1.0]), Some([0.0, std::f64::consts::FRAC_PI_2]));
    /// assert_eq!(Surface::Sphere.angles(&[0.0, 0.0, 1.0]), Some([0.0, std::f64::consts::FRAC_PI_2]));
    /// assert_eq!(Surface::Plane.angles(&[1.0, 0.0]), None);
    /// ```
    pub fn angles(self, row: &[f64]) -> Option<[f64; 2]> {
        match (self, row) {
            (Self::Sphere, &[x, y, z]) => Some([y.atan2(x), z.atan2(x.hypot(y))]),
            (Self::Torus, &[c, s, e, t]) => Some([s.atan2(c), t.atan2(e)]),
            (Self::Hyperboloid, &[x, y]) => Some([2.0 * x.hypot(y).atanh(), y.atan2(x)]),
            _ => None,
        }
    }

    /// The squared distance of two positions.
    pub(crate) fn squared(self, a: &[f32], b: &[f32]) -> f32 {
        self.curved().map_or_else(|| loss::squared(a, b), |curved| curved.squared(a, b))
    }

    /// Fails unless the surface has this number of coordinates.
    pub(crate) fn check_dim(self, dim: usize) -> Result<(), Error> {
        match self.curved().map(Curved::columns) {
            Some(columns) if columns != dim => Err(Error::parameter(
                "dim",
                format!("{columns} with surface={self}, the coordinates of a point"),
                dim,
            )),
            _ => Ok(()),
        }
    }

    /// The start on the surface: rows that are on it unchanged, others moved onto it.
    pub(crate) fn start(self, y: &mut [f32]) {
        let Some(curved) = self.curved() else { return };
        let columns = curved.columns();
        let is_on = y.chunks_exact(columns).all(|row| curved.distance_from(&curved.read(row)) < OFF);
        for row in y.chunks_exact_mut(columns).filter(|_| !is_on) {
            curved.write(&curved.started(&curved.read(row)), row);
        }
    }

    /// Fails where a given row that is used unchanged is not on the surface.
    pub(crate) fn check_places(self, places: Points<'_>) -> Result<(), Error> {
        let Some(curved) = self.curved() else { return Ok(()) };
        let off = |row: &[f64]| curved.distance_from(&curved.place(row)) >= OFF;
        match places.rows().position(|row| row.len() == curved.columns() && off(row)) {
            Some(row) => Err(Error::degenerate(
                format!(
                    "row {row} of the start is not on the {self}: {:?} must be {}",
                    places.row(row),
                    curved.rows_are()
                ),
                "start at a map of the same surface, or without fixed or drawn rows",
            )),
            None => Ok(()),
        }
    }

    /// Values of a map, by rows, put onto the surface to the rounding of double precision.
    pub(crate) fn rounded(self, values: &mut [f64]) {
        let Some(curved) = self.curved() else { return };
        for row in values.chunks_exact_mut(curved.columns()) {
            let place: Place = curved.onto(&curved.place(row));
            row.copy_from_slice(&place[..row.len()]);
        }
    }
}
