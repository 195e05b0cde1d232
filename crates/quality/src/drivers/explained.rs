//! The reverse direction: how much of each column a map explains.

use embedding::{Embedding, Error, Input, PointSet, Points};
use faer::Mat;
use neighbor_graph::{NeighborSearch, Neighbors};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use spectral::Centered;
use spectral::dense::{gram, product, solve_spd};

use crate::map_rows::map_rows;

/// Number of neighbors in the map that predict a row.
const NEAR: usize = 10;
/// The penalty of these predictions, relative to the mean variance of a coordinate.
const PENALTY: f64 = 0.1;
/// Rows per partial sum.
const CHUNK: usize = 512;

/// How much of each column a map explains, and the arrows of a biplot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExplainedColumns {
    arrows: Vec<f64>,
    linear: Vec<f64>,
    local: Vec<f64>,
}

impl ExplainedColumns {
    /// The arrow of a column, d numbers: the direction in the map in which the column increases, with
    /// the length √R² of its linear regression on the coordinates. 0 for a constant column.
    ///
    /// # Panics
    /// If the data do not have this column.
    pub fn arrow(&self, column: usize) -> &[f64] {
        let dim = self.arrows.len() / self.linear.len();
        &self.arrows[column * dim..][..dim]
    }

    /// The fraction R² of the variance of each column that a linear function of the coordinates explains,
    /// 0 to 1; 0 for constant columns.
    pub fn linear(&self) -> &[f64] {
        &self.linear
    }

    /// The fraction of the variance of each column that the neighbors of a point in the map predict, by
    /// a linear regression without the point; at most 1, and 0 where the mean of the column predicts as
    /// well. 0 for constant columns.
    pub fn local(&self) -> &[f64] {
        &self.local
    }
}

/// The fraction of each column of the points of `input` that a map of them explains.
///
/// *When it misleads.* A map that mixes two columns along one axis explains each in part. The local
/// fraction is high for every column that varies smoothly over the map, whether the map was made of it
/// or not.
///
/// *Cost.* A search of 10 neighbors in the map, and O(n (D d + d³)) time; 16 n (D + d) bytes.
///
/// *Fails* as [`Drivers::of_map`](crate::drivers::Drivers::of_map).
pub fn explained_columns(map: &Embedding, input: &Input<'_>) -> Result<ExplainedColumns, Error> {
    let (_, data) = map_rows(map, input)?;
    if data.len() < 3 {
        return Err(Error::TooFewPoints { what: "local regressions", needed: 3, got: data.len() });
    }
    let places = PointSet::new(map.values().to_vec(), map.dim())?;
    // Columns without variance are exactly 0 here, and no fraction depends on a unit.
    let [data, places] = [Centered::new(data.view())?.rows, Centered::new(places.view())?.rows];
    let (data, places) = (data.view(), places.view());
    let near = NeighborSearch::nearest(NEAR.min(data.len() - 1)).find(places)?;
    let total = sums(data, &|row, sums| {
        sums.iter_mut().zip(data.row(row)).for_each(|(sum, x)| *sum += x * x);
    });
    let missed = sums(data, &|row, sums| {
        let weights = prediction(places, &near, row);
        let mut residual = data.row(row).to_vec();
        for (weight, j) in weights.iter().zip(near.indices_of(row)) {
            let other = data.row(*j as usize);
            residual.iter_mut().zip(other).for_each(|(rest, x)| *rest -= weight * x);
        }
        sums.iter_mut().zip(&residual).for_each(|(sum, rest)| *sum += rest * rest);
    });
    let fraction = |(total, missed): (&f64, &f64)| match *total > 0.0 {
        true => (1.0 - missed / total).max(0.0),
        false => 0.0,
    };
    let local = total.iter().zip(&missed).map(fraction).collect();
    let (arrows, linear) = linear(data, places, &total);
    Ok(ExplainedColumns { arrows, linear, local })
}

/// The weights of the neighbors of a place in its prediction by a local linear regression.
fn prediction(places: Points<'_>, near: &Neighbors, row: usize) -> Vec<f64> {
    let near = near.indices_of(row);
    let (k, dim) = (near.len() as f64, places.dim());
    let of = |j: &u32, c: usize| places.row(*j as usize)[c];
    let mean: Vec<f64> = (0..dim).map(|c| near.iter().map(|j| of(j, c)).sum::<f64>() / k).collect();
    let y = Mat::from_fn(dim, near.len(), |c, j| of(&near[j], c) - mean[c]);
    let mut second = gram(y.as_ref());
    let penalty = PENALTY * (0..dim).map(|c| second[(c, c)]).sum::<f64>() / dim as f64;
    (0..dim).for_each(|c| second[(c, c)] += penalty);
    let own = Mat::from_fn(dim, 1, |c, _| places.row(row)[c] - mean[c]);
    // Neighbors at a single place predict their mean.
    let slopes = solve_spd(second.as_ref(), own.as_ref()).unwrap_or_else(|| Mat::zeros(dim, 1));
    let slopes = product(y.transpose(), slopes.as_ref());
    (0..near.len()).map(|j| 1.0 / k + slopes[(j, 0)]).collect()
}

/// Arrows and R² of linear regressions of all columns on the coordinates, both centered.
fn linear(data: Points<'_>, places: Points<'_>, total: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let (n, dim) = (places.len(), places.dim());
    let y = Mat::from_fn(dim, n, |c, i| places.row(i)[c]);
    let mut second = gram(y.as_ref());
    let trace: f64 = (0..dim).map(|c| second[(c, c)]).sum();
    // Coordinates that are combinations of others stay solvable.
    (0..dim).for_each(|c| second[(c, c)] += f64::EPSILON * n as f64 * trace);
    let moments = product(y.as_ref(), data.as_mat());
    let slopes = solve_spd(second.as_ref(), moments.as_ref()).unwrap_or_else(|| Mat::zeros(dim, data.dim()));
    let mut arrows = Vec::with_capacity(dim * data.dim());
    let mut fractions = Vec::with_capacity(data.dim());
    for (column, total) in total.iter().enumerate() {
        let (slope, moment) = (slopes.col(column), moments.col(column));
        let explained: f64 = slope.iter().zip(moment.iter()).map(|(a, b)| a * b).sum();
        let fraction = if *total > 0.0 { (explained / total).clamp(0.0, 1.0) } else { 0.0 };
        let length = slope.norm_l2();
        let factor = if length > 0.0 { fraction.sqrt() / length } else { 0.0 };
        arrows.extend(slope.iter().map(|value| factor * value));
        fractions.push(fraction);
    }
    (arrows, fractions)
}

/// Sums over all rows, of a number per column, in an order that does not depend on the threads.
fn sums(points: Points<'_>, add: &(dyn Fn(usize, &mut [f64]) + Sync)) -> Vec<f64> {
    let n = points.len();
    let parts: Vec<Vec<f64>> = (0..n.div_ceil(CHUNK))
        .into_par_iter()
        .map(|part| {
            let mut sums = vec![0.0; points.dim()];
            (part * CHUNK..n.min((part + 1) * CHUNK)).for_each(|row| add(row, &mut sums));
            sums
        })
        .collect();
    parts.iter().fold(vec![0.0; points.dim()], |mut sums, part| {
        sums.iter_mut().zip(part).for_each(|(sum, value)| *sum += value);
        sums
    })
}
