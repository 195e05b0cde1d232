//! Preservation of angles.

use std::f64::consts::PI;

use embedding::{Error, Points};
use neighbor_graph::Neighbors;
use rayon::prelude::*;

use crate::reference_distances::{at_any_scale, at_any_scales, check_sizes, same_length};
use crate::{Estimate, Original, RowSample};

/// Computes the mean angle error of neighborhood triangles, in degrees.
///
#[doc = include_str!("explanations/angle_error.md")]
///
/// The errors of a triangle whose corners coincide in the map alone are its angles in the data.
/// Their mean is 60°, more than the mean error of random coordinates.
///
/// If *distances* are given instead of points, the angles follow from the law of cosines.
///
/// *Cost.* O(rows · k² (D + d)) time; for sparse points D is the number of entries of a row.
///
/// *Fails* when the sizes differ, and when no triangle of the data has angles.
pub fn angle_error<'a>(
    data: impl Into<Original<'a>>,
    embedding: Points<'_>,
    neighbors: &Neighbors,
    rows: RowSample,
) -> Result<Estimate, Error> {
    rows.check()?;
    let data = data.into();
    mean(&sums(data, embedding, neighbors, rows)?, data.len())
}

/// Computes the angle error of each neighborhood, in degrees; `None` where no triangle of
/// the data has angles. Their mean, weighted by the number of such triangles, is
/// [`angle_error`]; range, cost and failures are the same.
pub fn angle_error_of_rows<'a>(
    data: impl Into<Original<'a>>,
    embedding: Points<'_>,
    neighbors: &Neighbors,
    rows: RowSample,
) -> Result<Vec<Option<f64>>, Error> {
    let data = data.into();
    let sums = sums(data, embedding, neighbors, rows)?;
    mean(&sums, data.len())?;
    let of_row = |&(sum, corners): &(f64, usize)| (corners > 0).then(|| (sum / corners as f64).to_degrees());
    Ok(sums.iter().map(of_row).collect())
}

/// The sum of the errors of each row in radians, and its number of corners.
fn sums(
    data: Original<'_>,
    embedding: Points<'_>,
    neighbors: &Neighbors,
    rows: RowSample,
) -> Result<Vec<(f64, usize)>, Error> {
    let n = data.len();
    check_sizes(n, neighbors, embedding)?;
    at_any_scales(data, embedding, |data, embedding| {
        let around = |(before, after): &mut (Patch, Patch), &h: &u32| {
            before.measure(data, h, neighbors);
            after.measure(embedding.into(), h, neighbors);
            errors(&before.triangles, &after.triangles)
        };
        Ok(rows.choose(n).par_iter().map_init(<(Patch, Patch)>::default, around).collect())
    })
}

/// The angles of neighborhood triangles in the data, computed once to compare
/// several embeddings by [`angle_error`].
///
/// *Memory.* 32 k²/2 bytes per row.
#[derive(Clone, Debug)]
pub struct Angles<'a> {
    neighbors: &'a Neighbors,
    rows: Vec<u32>,
    /// The triangles in the data, row by row.
    data: Vec<Vec<Option<Triangle>>>,
}

impl<'a> Angles<'a> {
    /// Measures the angles of the data, by the law of cosines.
    ///
    /// Fails when there is not one neighbor list per point.
    pub fn new<'g>(
        data: impl Into<Original<'g>>,
        neighbors: &'a Neighbors,
        rows: RowSample,
    ) -> Result<Self, Error> {
        let data = data.into();
        same_length("the number of neighbor lists", data.len(), neighbors.len())?;
        let rows = rows.choose(data.len());
        let data = data.divided(data.scale(), |data| {
            let around = |patch: &mut Patch, &h: &u32| {
                patch.measure(data, h, neighbors);
                patch.triangles.clone()
            };
            Ok(rows.par_iter().map_init(Patch::default, around).collect())
        })?;
        Ok(Self { neighbors, rows, data })
    }

    /// The [`angle_error`] of one embedding, and its failures.
    pub fn error(&self, embedding: Points<'_>) -> Result<Estimate, Error> {
        let n = self.neighbors.len();
        check_sizes(n, self.neighbors, embedding)?;
        at_any_scale(embedding, |embedding| {
            let around = |patch: &mut Patch, (&h, data): (&u32, &Vec<Option<Triangle>>)| {
                patch.measure(embedding.into(), h, self.neighbors);
                errors(data, &patch.triangles)
            };
            let both = self.rows.par_iter().zip(&self.data);
            let sums: Vec<(f64, usize)> = both.map_init(Patch::default, around).collect();
            mean(&sums, n)
        })
    }
}

/// The three angles of a triangle, in radians.
type Triangle = [f64; 3];

/// The sum of the errors of one row in radians, and the number of corners.
fn errors(data: &[Option<Triangle>], embedding: &[Option<Triangle>]) -> (f64, usize) {
    let (mut sum, mut corners) = (0.0, 0);
    for (before, after) in data.iter().zip(embedding) {
        let Some(before) = before else { continue };
        let after = after.unwrap_or([0.0; 3]);
        sum += before.iter().zip(after).map(|(x, y)| (x - y).abs()).sum::<f64>();
        corners += 3;
    }
    (sum, corners)
}

/// Every triangle has the same weight; for the standard error, rows are the
/// sampled units.
fn mean(sums: &[(f64, usize)], n: usize) -> Result<Estimate, Error> {
    let corners: usize = sums.iter().map(|s| s.1).sum();
    if corners == 0 {
        return Err(Error::degenerate(
            "no neighborhood contains a triangle with angles",
            "give every point at least two neighbors that do not coincide",
        ));
    }
    let total = sums.iter().map(|s| s.0).sum::<f64>();
    if !total.is_finite() {
        return Err(Error::degenerate(
            "the squares of distances overflow",
            "divide the coordinates by the largest of them",
        ));
    }
    let means: Vec<f64> = sums.iter().filter(|s| s.1 > 0).map(|s| (s.0 / s.1 as f64).to_degrees()).collect();
    Ok(Estimate { value: (total / corners as f64).to_degrees(), ..Estimate::mean(&means, n) })
}

/// The triangles of one neighborhood; its memory is reused for the next one.
#[derive(Default)]
struct Patch {
    /// Sides between members a and b, at a · members + b for a < b; member 0 is
    /// the center.
    sides: Vec<Side>,
    /// Triangles (h, i, j) for i before j in the list of neighbors; none where
    /// two corners coincide.
    triangles: Vec<Option<Triangle>>,
}

#[derive(Clone, Copy, Default)]
struct Side {
    squared: f64,
    length: f64,
}

impl Patch {
    fn measure(&mut self, data: Original<'_>, h: u32, neighbors: &Neighbors) {
        let near = neighbors.indices_of(h as usize);
        let members = near.len() + 1;
        let member = |a: usize| (if a == 0 { h } else { near[a - 1] }) as usize;
        self.sides.clear();
        self.sides.resize(members * members, Side::default());
        for a in 0..members {
            for b in a + 1..members {
                let squared = data.squared_distance(member(a), member(b));
                self.sides[a * members + b] = Side { squared, length: squared.sqrt() };
            }
        }
        let side = |a: usize, b: usize| self.sides[a * members + b];
        self.triangles.clear();
        for i in 1..members {
            let of = |j: usize| angles(side(0, i), side(0, j), side(i, j));
            self.triangles.extend((i + 1..members).map(of));
        }
    }
}

/// The angles between a and b, a and c, b and c; none if a side has no length.
fn angles(a: Side, b: Side, c: Side) -> Option<Triangle> {
    if a.squared == 0.0 || b.squared == 0.0 || c.squared == 0.0 {
        return None;
    }
    let (first, second) = (angle(a, b, c), angle(a, c, b));
    // The angles of a triangle add up to π. NaN passes through the subtraction
    // and the comparison.
    let third = PI - first - second;
    Some([first, second, if third < 0.0 { 0.0 } else { third }])
}

/// The angle between two sides by the law of cosines; NaN if a square overflowed.
fn angle(a: Side, b: Side, opposite: Side) -> f64 {
    let cosine = (a.squared + b.squared - opposite.squared) / (2.0 * a.length * b.length);
    cosine.clamp(-1.0, 1.0).acos()
}
