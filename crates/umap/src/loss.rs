//! The cross entropy of graph and map.

use neighbor_graph::Graph;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use rayon::prelude::*;

use crate::Curve;
use crate::forces::Forces;

/// Smallest similarity, and smallest difference of it from 1, whose logarithm is taken.
const SMALLEST: f64 = 1e-4;

/// Number of points up to which the final loss is computed over all pairs.
pub(crate) const EXACT_UP_TO: usize = 10_000;

/// Pairs per point in estimates.
const SAMPLED: usize = 200;

/// Stream of the random pairs, beside those of the optimization.
const STREAM: u64 = 1 << 63;

/// The loss of a map: Σ over pairs of −v ln w − (1 − v) ln(1 − w), v the weight of the
/// graph and w the similarity in the map, both w and 1 − w taken as at least 1e-4.
pub(crate) struct Loss<'a> {
    pub(crate) graph: &'a Graph,
    pub(crate) curve: Curve,
    pub(crate) seed: u64,
}

impl Loss<'_> {
    /// Over all pairs.
    pub(crate) fn exact(&self, y: &[f32], dim: usize) -> f64 {
        self.sum(y, dim, |i, squares| {
            let here = &y[i * dim..(i + 1) * dim];
            squares.extend(y[..i * dim].chunks_exact(dim).map(|there| squared(here, there)));
            1.0
        })
    }

    /// With the pairs that are no edges estimated from 200 random points each, the same
    /// ones at every call.
    pub(crate) fn estimate(&self, y: &[f32], dim: usize) -> f64 {
        let n = self.graph.len();
        self.sum(y, dim, |i, squares| {
            let here = &y[i * dim..(i + 1) * dim];
            let mut random = ChaCha8Rng::seed_from_u64(self.seed);
            random.set_stream(STREAM | i as u64);
            for _ in 0..SAMPLED {
                // Any point but i.
                let j = ((u64::from(random.next_u32()) * (n as u64 - 1)) >> 32) as usize;
                let j = j + usize::from(j >= i);
                squares.push(squared(here, &y[j * dim..(j + 1) * dim]));
            }
            0.5 * (n - 1) as f64 / SAMPLED as f64
        })
    }

    /// The terms of all edges, and those of other pairs from the squared distances that
    /// `others` collects for each point, times the weight it returns.
    fn sum(&self, y: &[f32], dim: usize, others: impl Fn(usize, &mut Vec<f32>) -> f64 + Sync) -> f64 {
        let forces = Forces::new(self.curve, 1.0);
        let term = |i: usize, squares: &mut Vec<f32>| -> f64 {
            squares.clear();
            let weight = others(i, squares);
            forces.separate(squares, SMALLEST as f32);
            let apart = weight * squares.iter().map(|&t| f64::from(t)).sum::<f64>();
            apart + self.edges(i, y, dim)
        };
        let rows: Vec<f64> = (0..self.graph.len())
            .into_par_iter()
            .with_min_len(64)
            .map_init(Vec::new, |s, i| term(i, s))
            .collect();
        rows.iter().sum()
    }

    /// Σ over the edges to points before i of v (ln(1 − w) − ln w).
    fn edges(&self, i: usize, y: &[f32], dim: usize) -> f64 {
        let (js, vs) = self.graph.of(i);
        let place = |i: usize| &y[i * dim..(i + 1) * dim];
        js.iter()
            .zip(vs)
            .take_while(|(j, _)| (**j as usize) < i)
            .map(|(&j, v)| {
                let w = self.curve.similarity(f64::from(squared(place(i), place(j as usize))));
                v * ((1.0 - w).max(SMALLEST).ln() - w.max(SMALLEST).ln())
            })
            .sum()
    }
}

/// Squared distance of two places.
#[inline]
pub(crate) fn squared(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum()
}
