//! Centered data in a unit of their own.

use embedding::implement::unit;
use embedding::{Error, PointSet, Points};

use crate::principal::column_means;

/// Rounding errors of a centered value, in units of eps times the largest magnitude of its
/// column.
const ROUNDING: f64 = 8.0;

/// The data minus their column means, in a unit in which squares neither overflow nor
/// underflow.
#[derive(Clone, Debug)]
pub struct Centered {
    /// Column means, in units of the data.
    pub mean: Vec<f64>,
    /// (x − mean) / unit, row by row; columns that vary by no more than rounding are zero.
    pub rows: PointSet,
    /// A power of two.
    pub unit: f64,
}

impl Centered {
    /// Centers data of any scale. O(n D).
    pub fn new(points: Points<'_>) -> Result<Self, Error> {
        let d = points.dim();
        let outer = unit(points.values());
        let mut rows: Vec<f64> = points.values().iter().map(|v| v / outer).collect();
        let mut magnitudes = vec![0.0_f64; d];
        for row in rows.chunks_exact(d) {
            magnitudes.iter_mut().zip(row).for_each(|(m, v)| *m = m.max(v.abs()));
        }
        // The mean of the remainders corrects the rounding of the first sum.
        let mut mean = vec![0.0; d];
        for _ in 0..2 {
            let shift = column_means(Points::new(&rows, d)?);
            for row in rows.chunks_exact_mut(d) {
                row.iter_mut().zip(&shift).for_each(|(v, s)| *v -= s);
            }
            mean.iter_mut().zip(&shift).for_each(|(m, s)| *m += s);
        }
        let floors: Vec<f64> = magnitudes.iter().map(|m| ROUNDING * f64::EPSILON * m).collect();
        let mut varies = vec![false; d];
        for row in rows.chunks_exact(d) {
            for ((varies, v), floor) in varies.iter_mut().zip(row).zip(&floors) {
                *varies |= v.abs() > *floor;
            }
        }
        for row in rows.chunks_exact_mut(d) {
            row.iter_mut().zip(&varies).filter(|(_, varies)| !**varies).for_each(|(v, _)| *v = 0.0);
        }
        let inner = unit(&rows);
        rows.iter_mut().for_each(|v| *v /= inner);
        mean.iter_mut().for_each(|m| *m *= outer);
        Ok(Self { mean, rows: PointSet::new(rows, d)?, unit: outer * inner })
    }

    /// The standard deviation of each column of `rows`, divisor n.
    pub fn deviations(&self) -> Vec<f64> {
        let mut squares = vec![0.0; self.rows.dim()];
        for row in self.rows.view().rows() {
            squares.iter_mut().zip(row).for_each(|(sum, v)| *sum += v * v);
        }
        squares.iter().map(|sum| (sum / self.rows.len() as f64).sqrt()).collect()
    }
}
