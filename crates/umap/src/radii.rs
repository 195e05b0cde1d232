//! Local radii of points, in the data and in the map.

use std::f64::consts::LN_2;

use embedding::implement::{Scale, require};
use embedding::{Error, Neighbors};
use neighbor_graph::Graph;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::{Curve, Surface};

/// Added to squared radii of the map, which have the unit of `min_dist` squared.
pub(crate) const SOFTENING: f64 = 1e-8;

/// Logarithms of the squared local radii of all points, which measure the density around
/// them: ln R_i with R_i the weighted mean of the squared lengths of the edges of i. Weights are the graph's
/// weights in the data, and similarities in the map, where 1e-8 is added to R_i.
///
/// Edges are those that the optimization visits. A point without one has no radius. A
/// point of the data that equals all its neighbors has the smallest radius above 0.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Radii {
    data: Vec<Option<f64>>,
    map: Vec<Option<f64>>,
}

impl Radii {
    /// Radii in the data and in the map `y`.
    pub(crate) fn new(
        data: OfData,
        graph: &Graph,
        (curve, surface): (Curve, Surface),
        y: &[f32],
        dim: usize,
    ) -> Self {
        let position = |i: usize| &y[i * dim..][..dim];
        let radius = |i: usize| {
            mean(graph.indices_of(i).iter().map(|&j| {
                let square = f64::from(surface.squared(position(i), position(j as usize)));
                (curve.similarity(square), square)
            }))
        };
        let map = (0..graph.len()).into_par_iter().map(|i| radius(i).map(|r| (SOFTENING + r).ln()));
        let shift = 2.0 * data.unit.ln();
        let data = data.relative.into_iter().map(|radius| radius.map(|r| r + shift)).collect();
        Self { data, map: map.collect() }
    }

    /// The radii after the distances in the data are multiplied by a power of two.
    pub(crate) fn multiplied(mut self, scale: Scale) -> Self {
        let shift = 2.0 * f64::from(scale.exponent()) * LN_2;
        self.data.iter_mut().flatten().for_each(|radius| *radius += shift);
        self
    }

    /// The radius of every point in the data.
    pub fn data(&self) -> &[Option<f64>] {
        &self.data
    }

    /// The radius of every point in the map.
    pub fn map(&self) -> &[Option<f64>] {
        &self.map
    }

    /// Pearson's correlation of the two; `None` where one of them is the same for all points.
    pub fn correlation(&self) -> Option<f64> {
        let (data, map) = (standardized(&self.data)?, standardized(&self.map)?);
        let counted = self.data.iter().flatten().count() as f64;
        let product = data.iter().zip(&map).map(|(a, b)| a * b).sum::<f64>();
        Some((product / counted).clamp(-1.0, 1.0))
    }

    /// Fails unless these are radii of `n` points.
    pub(crate) fn require(&self, n: usize) -> Result<(), Error> {
        let same = self.data.iter().map(Option::is_some).eq(self.map.iter().map(Option::is_some));
        require(self.data.len() == n && same, "it does not have two radii for every point with an edge")?;
        let finite = self.data.iter().chain(&self.map).flatten().all(|radius| radius.is_finite());
        require(finite, "a radius is not finite")
    }
}

/// Logarithms of the squared local radii in the data. Lengths are in a unit that scales with the data, so the
/// logarithms are the same at any scale, to the bit where the scale is a power of two.
pub(crate) struct OfData {
    pub(crate) relative: Vec<Option<f64>>,
    unit: f64,
}

/// Radii in the data. Edges come from `graph` and their lengths from `neighbors`, the larger one where the
/// two directions differ. O(n k log k).
pub(crate) fn of_data(graph: &Graph, neighbors: &Neighbors) -> OfData {
    // In the order of the neighbors' indices.
    let sorted: Vec<Vec<(u32, f64)>> = (0..neighbors.len())
        .into_par_iter()
        .map(|i| {
            let (js, ds) = neighbors.of(i);
            let mut list: Vec<(u32, f64)> = js.iter().copied().zip(ds.iter().copied()).collect();
            list.sort_unstable_by_key(|entry| entry.0);
            list
        })
        .collect();
    let listed = |i: usize, j: u32| {
        let list = &sorted[i];
        list.binary_search_by_key(&j, |entry| entry.0).map_or(0.0, |at| list[at].1)
    };
    let length = |i: usize, j: u32| listed(i, j).max(listed(j as usize, i as u32));
    let longest =
        (0..neighbors.len()).flat_map(|i| neighbors.distances_of(i)).fold(0.0, |m: f64, d| m.max(*d));
    let unit = if longest > 0.0 { longest } else { 1.0 };
    let radius = |i: usize| {
        let (js, vs) = graph.of(i);
        mean(js.iter().zip(vs).map(|(&j, &v)| (v, (length(i, j) / unit).powi(2))))
    };
    let squares: Vec<Option<f64>> = (0..graph.len()).into_par_iter().map(radius).collect();
    let positive = squares.iter().flatten().copied().filter(|r| *r > 0.0);
    let smallest = positive.fold(1.0, f64::min);
    OfData { relative: squares.into_iter().map(|r| r.map(|r| r.max(smallest).ln())).collect(), unit }
}

/// Values with mean 0 and variance 1, 0 for missing ones; `None` where they differ by
/// rounding alone.
pub(crate) fn standardized(values: &[Option<f64>]) -> Option<Vec<f64>> {
    let count = values.iter().flatten().count() as f64;
    let mean = values.iter().flatten().sum::<f64>() / count;
    let variance = values.iter().flatten().map(|v| (v - mean).powi(2)).sum::<f64>() / count;
    let magnitude = values.iter().flatten().fold(1.0, |m: f64, v| m.max(v.abs()));
    let deviation = variance.sqrt();
    // False where there is no value, too.
    let differ = deviation > 1e3 * f64::EPSILON * magnitude;
    differ.then(|| values.iter().map(|v| v.map_or(0.0, |v| (v - mean) / deviation)).collect())
}

/// The mean of pairs of weight and value; `None` where there is no weight.
fn mean(pairs: impl Iterator<Item = (f64, f64)>) -> Option<f64> {
    let (weights, sum) = pairs.fold((0.0, 0.0), |(weights, sum), (w, value)| (weights + w, sum + w * value));
    (weights > 0.0).then(|| sum / weights)
}
