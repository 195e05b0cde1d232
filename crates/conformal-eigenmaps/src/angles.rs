//! How much the angles of small triangles change.

use std::f64::consts::PI;

use embedding::{Error, Points, matrix};
use faer::MatRef;
use neighbor_graph::Neighbors;
use rayon::prelude::*;

use crate::quadratic::check_rows;

/// Patches that are measured at most, evenly spaced among all.
const PATCHES: usize = 1000;

/// The mean change of angle, in degrees, from the points to a map of them.
///
/// **Definition.** The mean of |angle in the data − angle in the map| over the
/// three corners of every triangle (h, i, j) with i and j among the neighbors of
/// h, for every h, or for 1,000 evenly spaced h of more points than that.
/// Corners at which a side of the data has no length are skipped; where a side
/// of the map has none, its angle counts as 0. Random angles differ by about 50.
///
/// **Cost.** O(k² D) per patch, in parallel; the result does not depend on the
/// number of threads.
#[derive(Clone, Debug)]
pub struct Angles<'a> {
    neighbors: &'a Neighbors,
    patches: Vec<u32>,
    /// The corners in the data, patch by patch; none where a side has no length.
    reference: Vec<Vec<Corners>>,
}

/// The three angles of a triangle, in radians.
type Corners = [Option<f64>; 3];

impl<'a> Angles<'a> {
    /// Measures the angles of the data.
    ///
    /// Fails when there is not one neighbor list per point, and when squared
    /// distances overflow.
    pub fn new(points: Points<'_>, neighbors: &'a Neighbors) -> Result<Self, Error> {
        let n = points.len();
        check_rows("the number of neighbor lists", n, neighbors.len())?;
        let count = n.min(PATCHES);
        let patches: Vec<u32> = (0..count).map(|c| (c * n / count) as u32).collect();
        let rows = Rows { values: points.values(), width: points.dim() };
        let corners = |patch: &mut Patch, &h: &u32| {
            patch.measure(rows, h, neighbors.of(h as usize).0);
            patch.corners.clone()
        };
        let reference: Vec<Vec<Corners>> = patches.par_iter().map_init(Patch::default, corners).collect();
        if reference.iter().flatten().flatten().flatten().any(|angle| !angle.is_finite()) {
            return Err(overflow());
        }
        Ok(Self { neighbors, patches, reference })
    }

    /// The mean change in degrees; 0 when no triangle has a corner to measure.
    ///
    /// Fails when there is not one row per point, at the first coordinate that
    /// is not finite, and when squared distances overflow.
    pub fn mean_change(&self, coordinates: MatRef<'_, f64>) -> Result<f64, Error> {
        check_rows("the number of rows of the map", self.neighbors.len(), coordinates.nrows())?;
        require_finite(coordinates)?;
        let values = matrix::to_rows(coordinates);
        let rows = Rows { values: &values, width: coordinates.ncols() };
        let change = |patch: &mut Patch, (&h, before): (&u32, &Vec<Corners>)| {
            patch.measure(rows, h, self.neighbors.of(h as usize).0);
            let corners = before.as_flattened().iter().zip(patch.corners.as_flattened());
            corners.fold((0.0, 0_usize), |(sum, count), (before, after)| match before {
                Some(before) => (sum + (before - after.unwrap_or(0.0)).abs(), count + 1),
                None => (sum, count),
            })
        };
        let both = self.patches.par_iter().zip(&self.reference);
        let sums: Vec<(f64, usize)> = both.map_init(Patch::default, change).collect();
        let (sum, count) = sums.iter().fold((0.0, 0), |(s, c), part| (s + part.0, c + part.1));
        if !sum.is_finite() {
            return Err(overflow());
        }
        Ok(if count > 0 { (sum / count as f64).to_degrees() } else { 0.0 })
    }
}

/// [`Angles::mean_change`] of one map.
pub fn angle_error(
    points: Points<'_>,
    neighbors: &Neighbors,
    coordinates: MatRef<'_, f64>,
) -> Result<f64, Error> {
    Angles::new(points, neighbors)?.mean_change(coordinates)
}

/// Refuses NaN and infinity, row by row.
pub(crate) fn require_finite(coordinates: MatRef<'_, f64>) -> Result<(), Error> {
    for row in 0..coordinates.nrows() {
        for column in 0..coordinates.ncols() {
            let value = coordinates[(row, column)];
            if !value.is_finite() {
                return Err(Error::NotFinite { row, column, value });
            }
        }
    }
    Ok(())
}

pub(crate) fn overflow() -> Error {
    Error::degenerate("the squares of distances overflow", "divide the coordinates by the largest of them")
}

/// Points or coordinates, one row after another.
#[derive(Clone, Copy)]
struct Rows<'a> {
    values: &'a [f64],
    width: usize,
}

impl<'a> Rows<'a> {
    fn of(self, i: u32) -> &'a [f64] {
        &self.values[i as usize * self.width..][..self.width]
    }
}

/// The triangles of a patch, with room that is used again for the next one.
#[derive(Default)]
struct Patch {
    /// Squared distances of members a and b, at a · members + b for a < b;
    /// member 0 is the center.
    squared: Vec<f64>,
    lengths: Vec<f64>,
    /// Those of (h, i, j) for i before j in the list of neighbors.
    corners: Vec<Corners>,
}

impl Patch {
    fn measure(&mut self, rows: Rows<'_>, h: u32, near: &[u32]) {
        let members = near.len() + 1;
        self.squared.clear();
        self.squared.resize(members * members, 0.0);
        let member = |a: usize| rows.of(if a == 0 { h } else { near[a - 1] });
        for a in 0..members {
            let own = member(a);
            for b in a + 1..members {
                let square = |(u, v): (&f64, &f64)| (u - v) * (u - v);
                self.squared[a * members + b] = own.iter().zip(member(b)).map(square).sum();
            }
        }
        self.lengths.clear();
        self.lengths.extend(self.squared.iter().map(|s| s.sqrt()));
        let side = |a: usize, b: usize| {
            let at = a * members + b;
            Side { squared: self.squared[at], length: self.lengths[at] }
        };
        self.corners.clear();
        for i in 1..members {
            let spoke = side(0, i);
            self.corners.extend((i + 1..members).map(|j| corners(spoke, side(0, j), side(i, j))));
        }
    }
}

#[derive(Clone, Copy)]
struct Side {
    squared: f64,
    length: f64,
}

/// The angles between a and b, a and c, b and c.
fn corners(a: Side, b: Side, c: Side) -> Corners {
    let (first, second) = (corner(a, b, c), corner(a, c, b));
    match (first, second) {
        // Where all sides have a length, the angles add up to a straight line.
        (Some(at), Some(other)) if b.length * c.length > 0.0 => {
            [first, second, Some((PI - at - other).max(0.0))]
        }
        _ => [first, second, corner(b, c, a)],
    }
}

/// The angle between two sides, from all three.
fn corner(a: Side, b: Side, opposite: Side) -> Option<f64> {
    let product = a.length * b.length;
    let cosine = (a.squared + b.squared - opposite.squared) / (2.0 * product);
    (product > 0.0).then(|| cosine.clamp(-1.0, 1.0).acos())
}
