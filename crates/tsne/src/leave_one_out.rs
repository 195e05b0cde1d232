//! Out-of-sample placement as if a training row did not exist.

use embedding::{Error, Points, Rows, TrainingRows};
use neighbor_graph::NeighborIndex;
use rayon::prelude::*;

use crate::kernel::Kernel;
use crate::perplexity::calibrate;
use crate::row_loss::RowLoss;

/// Rows whose candidates are held at a time.
const BLOCK: usize = 256;

/// Up to this number of training points each of them may list a new row as its neighbor; beyond it,
/// only the nearest `FACTOR` k of a new row.
const ALL_UP_TO: usize = 2000;

/// Candidates per neighbor of a new row.
const FACTOR: usize = 2;

/// Nearest training points at whose places the descent starts, in addition to the place of the row
/// that is left out and the mean of the neighbors.
const STARTS: usize = 1;

/// A map from which rows are left out: the probabilities of the training points, and the sums of the
/// map.
pub(crate) struct LeaveOneOut<'a> {
    training: &'a NeighborIndex,
    map: &'a [f64],
    dim: usize,
    kernel: Kernel,
    perplexity: f64,
    /// Neighbors searched of each row.
    k: usize,
    /// The Gaussian of each training point; `None` for a model of distances, where a new row's own
    /// probabilities serve in both directions.
    gaussians: Option<Vec<Gaussian>>,
    /// Σ w over all ordered pairs of points of the map.
    normalization: f64,
}

/// The conditional probabilities of one training point j: exp(−β s) / total within its reach, with
/// s = (d² − d₁²) / d_k² relative to its first and last neighbor.
struct Gaussian {
    beta: f64,
    first: f64,
    last: f64,
    total: f64,
    /// The neighbors with their distances, by index.
    neighbors: Vec<(u32, f64)>,
}

impl Gaussian {
    fn of(list: Vec<(u32, f64)>, perplexity: f64) -> Self {
        let distances: Vec<f64> = list.iter().map(|entry| entry.1).collect();
        let mut p = vec![0.0; distances.len()];
        calibrate(&distances, perplexity, &mut p);
        let (first, last) = (distances[0], distances[distances.len() - 1]);
        let mut neighbors = list;
        neighbors.sort_unstable_by_key(|entry| entry.0);
        let gaussian = Self { beta: 0.0, first, last, total: 1.0 / p[0], neighbors };
        let farthest = p.iter().rposition(|p| *p > 0.0).unwrap_or(0);
        let spread = gaussian.relative(distances[farthest]);
        let beta = match (p[0] / p[farthest]).ln() / spread {
            beta if beta.is_finite() => beta,
            _ if farthest + 1 < p.len() => f64::INFINITY,
            _ => 0.0,
        };
        Self { beta, ..gaussian }
    }

    fn relative(&self, d: f64) -> f64 {
        if self.last > 0.0 {
            (d / self.last - self.first / self.last) * (d / self.last + self.first / self.last)
        } else {
            0.0
        }
    }

    /// exp(β s), the inverse of the weight of a distance.
    fn inverse_weight(&self, d: f64) -> f64 {
        let s = self.relative(d);
        if s == 0.0 { 1.0 } else { (self.beta * s).exp() }
    }

    /// The probability of a new row at distance d that replaces training point `left_out`.
    fn probability(&self, d: f64, left_out: u32) -> f64 {
        if d > self.last {
            return 0.0;
        }
        let own = self.neighbors.binary_search_by_key(&left_out, |entry| entry.0);
        let own = own.map_or(0.0, |at| 1.0 / self.inverse_weight(self.neighbors[at].1));
        let others = (self.total - own).max(0.0);
        if others == 0.0 { 1.0 } else { 1.0 / (1.0 + others * self.inverse_weight(d)) }
    }
}

/// The number of neighbors that a fit searched, and its perplexity: a third of that number.
pub(crate) fn of_fit(training: &NeighborIndex) -> (usize, f64) {
    let others = training.len() - 1;
    let k = training.neighborhood().k().unwrap_or(others).min(others);
    (k, (k as f64 / 3.0).max(1.0))
}

/// The neighbors of the training points, whose points are given.
pub(crate) fn own_neighbors(
    training: &NeighborIndex,
    points: Points<'_>,
) -> Result<Vec<Vec<(u32, f64)>>, Error> {
    let own: Vec<Option<u32>> = (0..training.len() as u32).map(Some).collect();
    training.nearest_of(points, of_fit(training).0, TrainingRows::LeftOut(&own))
}

impl<'a> LeaveOneOut<'a> {
    /// Prepares a map with its normalization. The perplexity is a third of the number of neighbors
    /// that the fit searched, as the fit chose it.
    ///
    /// O(n) searches of neighbors.
    pub(crate) fn new(
        training: &'a NeighborIndex,
        (map, dim): (&'a [f64], usize),
        kernel: Kernel,
        normalization: f64,
    ) -> Result<Self, Error> {
        let (k, perplexity) = of_fit(training);
        let lists = training.points().map(|points| own_neighbors(training, points)).transpose()?;
        let gaussians = lists.map(|lists| {
            lists.into_par_iter().map(|list| Gaussian::of(list, perplexity)).collect::<Vec<_>>()
        });
        Ok(Self { training, map, dim, kernel, perplexity, k, gaussians, normalization })
    }

    /// The places of rows, each without one training row.
    pub(crate) fn place(&self, rows: Rows<'_>, left_out: &[u32]) -> Result<Vec<f64>, Error> {
        let n = self.training.len();
        let candidates = if n <= ALL_UP_TO { n } else { (FACTOR * self.k).min(n) };
        let mut places = Vec::with_capacity(left_out.len() * self.dim);
        for start in (0..left_out.len()).step_by(BLOCK) {
            let block: Vec<u32> = (start..left_out.len().min(start + BLOCK)).map(|row| row as u32).collect();
            let without = &left_out[start..start + block.len()];
            let known: Vec<Option<u32>> = without.iter().copied().map(Some).collect();
            let known = TrainingRows::LeftOut(&known);
            let lists = rows.selected(&block, |rows| self.training.nearest_of(rows, candidates, known))?;
            let placed: Vec<Vec<f64>> =
                lists.par_iter().zip(without).map(|(list, &row)| self.place_one(list, row)).collect();
            places.extend(placed.into_iter().flatten());
        }
        Ok(places)
    }

    fn place_one(&self, list: &[(u32, f64)], left_out: u32) -> Vec<f64> {
        let dim = self.dim;
        let at = |j: u32| &self.map[j as usize * dim..][..dim];
        let k = self.k.min(list.len());
        let distances: Vec<f64> = list[..k].iter().map(|entry| entry.1).collect();
        let mut own = vec![0.0; k];
        calibrate(&distances, self.perplexity, &mut own);
        let scale = 0.5 / self.training.len() as f64;
        let attraction: Vec<(u32, f64)> = list
            .iter()
            .enumerate()
            .map(|(rank, &(j, d))| {
                let own = own.get(rank).copied().unwrap_or(0.0);
                let other =
                    self.gaussians.as_ref().map_or(own, |all| all[j as usize].probability(d, left_out));
                (j, scale * (own + other))
            })
            .filter(|pair| pair.1 > 0.0)
            .collect();
        let mut mean = vec![0.0; dim];
        for (entry, p) in list.iter().zip(&own) {
            mean.iter_mut().zip(at(entry.0)).for_each(|(mean, y)| *mean += p * y);
        }
        let sum = RowLoss::own_sum(self.kernel, dim, self.map, left_out as usize);
        let loss = RowLoss {
            kernel: self.kernel,
            dim,
            map: self.map,
            point: left_out as usize,
            attraction: &attraction,
            rest: (self.normalization - 2.0 * sum).max(0.0),
        };
        let nearest = list.iter().take(STARTS).map(|entry| at(entry.0));
        let starts = [at(left_out), &mean[..]].into_iter().chain(nearest);
        loss.minimize(starts).map_or_else(|| at(left_out).to_vec(), |(_, y)| y)
    }
}
