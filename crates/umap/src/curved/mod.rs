//! Curved and periodic surfaces: shortest paths between their points.

mod disk;
mod pairs;
mod sphere;
mod torus;

pub(crate) use pairs::{Pulled, Turn};

/// The coordinates of a point, or of a tangent vector; those that a surface does not have are 0.
pub(crate) type Place = [f64; 4];

/// A surface of two dimensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Curved {
    Sphere,
    Torus,
    Hyperboloid,
}

impl Curved {
    /// The number of coordinates of a point.
    pub(crate) fn columns(self) -> usize {
        match self {
            Self::Sphere => 3,
            Self::Torus => 4,
            Self::Hyperboloid => 2,
        }
    }

    /// What rows must be, in words.
    pub(crate) fn rows_are(self) -> &'static str {
        match self {
            Self::Sphere => "a vector of length 1",
            Self::Torus => "cosine and sine of two angles",
            Self::Hyperboloid => "a place in the Poincaré disk, within hyperbolic distance 10 of its center",
        }
    }

    /// The tangent vector at a point that leads to another one along the shortest path: its length is the
    /// distance. Vectors of the sphere are in space, of the torus they are two angles, and in the disk they are in
    /// an orthonormal frame. Between opposite points of the sphere there is no shortest path, and the vector is 0.
    pub(crate) fn toward(self, here: &Place, there: &Place) -> Place {
        match self {
            Self::Sphere => sphere::toward(here, there),
            Self::Torus => torus::toward(here, there),
            Self::Hyperboloid => disk::toward(here, there),
        }
    }

    /// The end of the path that begins at a point with this direction and length.
    pub(crate) fn moved(self, here: &Place, step: &Place) -> Place {
        match self {
            Self::Sphere => sphere::moved(here, step),
            Self::Torus => torus::moved(here, step),
            Self::Hyperboloid => disk::moved(here, step),
        }
    }

    /// The squared length of the shortest path.
    pub(crate) fn squared(self, here: &[f32], there: &[f32]) -> f32 {
        let (here, there) = (self.read(here), self.read(there));
        match self {
            Self::Sphere => sphere::distance(&here, &there).powi(2) as f32,
            Self::Torus | Self::Hyperboloid => squared_length(&self.toward(&here, &there)) as f32,
        }
    }

    /// The nearest point of the surface.
    pub(crate) fn onto(self, place: &Place) -> Place {
        match self {
            Self::Sphere => sphere::onto(place),
            Self::Torus => torus::onto(place),
            Self::Hyperboloid => disk::onto(place),
        }
    }

    /// The point for coordinates of a start with a largest magnitude of 5.
    pub(crate) fn started(self, place: &Place) -> Place {
        match self {
            Self::Sphere | Self::Torus => self.onto(place),
            Self::Hyperboloid => disk::started(place),
        }
    }

    /// Puts rows that were drawn to places onto the surface again.
    pub(crate) fn put(self, rows: &mut [f32]) {
        for row in rows.chunks_exact_mut(self.columns()) {
            let place = self.read(row);
            if self.distance_from(&place) > f64::from(f32::EPSILON) {
                self.write(&self.onto(&place), row);
            }
        }
    }

    /// How far coordinates are from the surface.
    pub(crate) fn distance_from(self, place: &Place) -> f64 {
        let on = self.onto(place);
        on.iter().zip(place).map(|(on, own)| (on - own).abs()).fold(0.0, f64::max)
    }

    pub(crate) fn place(self, row: &[f64]) -> Place {
        let mut place = [0.0; 4];
        place[..row.len()].copy_from_slice(row);
        place
    }

    pub(crate) fn read(self, row: &[f32]) -> Place {
        let mut place = [0.0; 4];
        place.iter_mut().zip(row).for_each(|(to, from)| *to = f64::from(*from));
        place
    }

    pub(crate) fn write(self, place: &Place, row: &mut [f32]) {
        row.iter_mut().zip(place).for_each(|(to, from)| *to = *from as f32);
    }
}

pub(crate) fn squared_length(vector: &Place) -> f64 {
    dot(vector, vector)
}

fn dot(a: &Place, b: &Place) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn times(factor: f64, vector: &Place) -> Place {
    vector.map(|v| factor * v)
}

fn plus(a: &Place, b: &Place) -> Place {
    std::array::from_fn(|c| a[c] + b[c])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Curve;
    use crate::forces::Forces;

    const ALL: [Curved; 3] = [Curved::Sphere, Curved::Torus, Curved::Hyperboloid];

    /// A point of the surface, for each number.
    fn point(curved: Curved, i: usize) -> Place {
        let t = i as f64;
        let free = [(1.7 * t + 0.3).sin(), (2.9 * t + 1.1).cos(), (0.7 * t + 2.0).sin(), (4.1 * t).cos()];
        match curved {
            Curved::Hyperboloid => [0.69 * free[0], 0.69 * free[1], 0.0, 0.0],
            Curved::Sphere => curved.onto(&[free[0], free[1], free[2], 0.0]),
            Curved::Torus => curved.onto(&free),
        }
    }

    /// Orthonormal tangent vectors at a point.
    fn frame(curved: Curved, at: &Place) -> [Place; 2] {
        if curved != Curved::Sphere {
            return [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]];
        }
        let helper = if at[0].abs() < 0.8 { [1.0, 0.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0, 0.0] };
        let first = plus(&helper, &times(-dot(&helper, at), at));
        let first = times(1.0 / squared_length(&first).sqrt(), &first);
        let cross = [
            at[1] * first[2] - at[2] * first[1],
            at[2] * first[0] - at[0] * first[2],
            at[0] * first[1] - at[1] * first[0],
            0.0,
        ];
        [first, cross]
    }

    /// The vector toward a point leads to it, has the length of the path back, and paths end on the surface.
    #[test]
    fn paths_lead_to_their_ends() {
        for curved in ALL {
            for (i, j) in (0..12).flat_map(|i| (0..12).map(move |j| (i, j))) {
                let (a, b) = (point(curved, i), point(curved, j));
                let step = curved.toward(&a, &b);
                let end = curved.moved(&a, &step);
                let gap = end.iter().zip(&b).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max);
                assert!(gap < 1e-9, "{curved:?}: {i} to {j} misses by {gap}");
                let back = curved.toward(&b, &a);
                assert!((squared_length(&step) - squared_length(&back)).abs() < 1e-9, "{curved:?}");
                assert!(curved.distance_from(&end) < 1e-12, "{curved:?}");
            }
        }
    }

    /// Distances that are known: a quarter of a circle, across the end of a period, and ln 3 from the center.
    #[test]
    fn lengths_are_those_of_the_surface() {
        let quarter = std::f64::consts::FRAC_PI_2;
        let length = |curved: Curved, a: Place, b: Place| squared_length(&curved.toward(&a, &b)).sqrt();
        let along = length(Curved::Sphere, [1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]);
        assert!((along - quarter).abs() < 1e-12, "{along}");
        let angle = |t: f64| [t.cos(), t.sin(), 1.0, 0.0];
        let along = length(Curved::Torus, angle(3.1), angle(-3.1));
        assert!((along - (std::f64::consts::TAU - 6.2)).abs() < 1e-12, "{along}");
        let along = length(Curved::Hyperboloid, [0.0; 4], [0.5, 0.0, 0.0, 0.0]);
        assert!((along - 3.0_f64.ln()).abs() < 1e-12, "{along}");
    }

    /// Attraction and repulsion times the vector toward the other point are the gradient of the terms of the loss
    /// along the surface, by finite differences.
    #[test]
    fn forces_are_derivatives_of_the_loss() {
        let curve = Curve { a: 1.5769, b: 0.8951 };
        let forces = Forces::new(curve, 1.0);
        for curved in ALL {
            for (i, j) in [(0, 1), (2, 5), (3, 8), (7, 4)] {
                let (a, b) = (point(curved, i), point(curved, j));
                let toward = curved.toward(&a, &b);
                let square = squared_length(&toward);
                let factor = |change: &dyn Fn(&mut [f32])| {
                    let mut one = [square as f32];
                    change(&mut one);
                    f64::from(one[0])
                };
                let pull = factor(&|s| forces.attract(s));
                let hard = (square + f64::from(crate::forces::SOFTENING)) / square;
                let push = factor(&|s| forces.repel(s)) * hard;
                for direction in frame(curved, &a) {
                    let h = 1e-5;
                    let similarity = |t: f64| {
                        let moved = curved.moved(&a, &times(t, &direction));
                        curve.similarity(squared_length(&curved.toward(&moved, &b)))
                    };
                    let slope = |energy: &dyn Fn(f64) -> f64| {
                        (energy(similarity(h)) - energy(similarity(-h))) / (2.0 * h)
                    };
                    let along = dot(&toward, &direction);
                    let (attraction, repulsion) = (slope(&|w| -w.ln()), slope(&|w| -(1.0 - w).ln()));
                    let size = squared_length(&toward).sqrt();
                    assert!((pull * along + attraction).abs() < 1e-4 * pull * size, "{curved:?}: pull");
                    assert!((push * along - repulsion).abs() < 1e-4 * push * size, "{curved:?}: push");
                }
            }
        }
    }

    /// Coordinates off the surface, opposite and equal points give finite places on it.
    #[test]
    fn degenerate_places_are_finite() {
        for curved in ALL {
            for place in [[0.0; 4], [5.0; 4], [-1e30, 1e30, 0.0, 1.0], [1.0, 0.0, 0.0, 0.0]] {
                let on = curved.onto(&place);
                assert!(on.iter().all(|v| v.is_finite()) && curved.distance_from(&on) < 1e-12, "{curved:?}");
                for step in [[0.0; 4], [1e3, -1e3, 0.0, 0.0]] {
                    let end = curved.moved(&on, &step);
                    assert!(end.iter().all(|v| v.is_finite()) && curved.distance_from(&end) < 1e-12);
                }
            }
        }
        let opposite = Curved::Sphere.toward(&[1.0, 0.0, 0.0, 0.0], &[-1.0, 0.0, 0.0, 0.0]);
        assert_eq!(opposite, [0.0; 4]);
        let square = Curved::Sphere.squared(&[1.0, 0.0, 0.0], &[-1.0, 0.0, 0.0]);
        assert!((square - std::f32::consts::PI.powi(2)).abs() < 1e-5);
    }
}
