//! The weighted graph of neighbors.

use embedding::implement::{Range, Sizes, ZERO, mean_distance, proceed};
use embedding::{Error, Neighbors, Observer};
use neighbor_graph::{Graph, Symmetry};
use rayon::prelude::*;

use crate::smooth::Scale;

/// Rows per progress step.
const BATCH: usize = 4096;

/// Legal connectivities.
pub(crate) const CONNECTIVITY: Range = Range::at_least(ZERO);

/// The undirected graph of neighbors with memberships between 0 and 1 as weights.
///
/// *Definition.* Neighbor j of i at distance d has the membership
/// a_ij = exp(−max(0, d − ρ_i)/σ_i). ρ_i is the distance to the nearest neighbor that is
/// no duplicate, and σ_i is such that the memberships of k neighbors sum to log₂(k + 1)
/// (to 1e-5, and at least 0.001 of the mean distance). An edge has the weight
/// m (a_ij + a_ji − a_ij a_ji) + (1 − m) a_ij a_ji with m the mix: 1 for the union of
/// the directed edges, 0 for their intersection.
///
/// *Cost.* O(n k) time per step of the bisection (at most 64), rows in parallel; 12 bytes
/// for each of at most 2 n k entries.
#[derive(Clone, Debug, PartialEq)]
pub struct FuzzyGraph {
    graph: Graph,
    scales: Vec<Scale>,
    /// Mean distance to neighbors, the point itself included.
    overall: f64,
}

impl FuzzyGraph {
    /// The graph of neighbor lists. `connectivity` is the number of nearest neighbors of
    /// full membership, a fraction interpolates; 1 is usual. `mix` is between 0 and 1.
    /// Stage `"memberships"`.
    ///
    /// Fails with [`Error::Parameter`] where one of them is outside its range.
    pub fn of_neighbors(
        neighbors: &Neighbors,
        connectivity: f64,
        mix: f64,
        observer: &dyn Observer,
    ) -> Result<Self, Error> {
        CONNECTIVITY.check("local-connectivity", connectivity, &Sizes::default(), &connectivity)?;
        if !(0.0..=1.0).contains(&mix) {
            return Err(Error::parameter("mix", "0 to 1", mix));
        }
        let n = neighbors.len();
        observer.stage("memberships");
        let rows: Vec<&[f64]> = (0..n).map(|i| neighbors.distances_of(i)).collect();
        let entries = n + rows.iter().map(|row| row.len()).sum::<usize>();
        let overall = mean_distance(&rows, entries);
        let mut scales: Vec<Scale> = Vec::with_capacity(n);
        for start in (0..n).step_by(BATCH) {
            proceed(observer, start, n)?;
            let rows = start..n.min(start + BATCH);
            scales.par_extend(
                rows.into_par_iter().map(|i| Scale::of(neighbors.distances_of(i), connectivity, overall)),
            );
        }
        let membership = |i: usize, j: usize| {
            let (js, ds) = neighbors.of(i);
            js.iter().position(|other| *other as usize == j).map_or(0.0, |at| scales[i].membership(ds[at]))
        };
        let graph = Graph::new(neighbors, Symmetry::Union).map_weights(|i, j, _| {
            let (there, back) = (membership(i.min(j), i.max(j)), membership(i.max(j), i.min(j)));
            let both = there * back;
            mix * (there + back - both) + (1.0 - mix) * both
        });
        proceed(observer, n, n)?;
        Ok(Self { graph, scales, overall })
    }

    /// The graph, with memberships as weights; some may be 0.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// ρ of every point: the distance up to which neighbors have membership 1.
    pub fn offsets(&self) -> impl ExactSizeIterator<Item = f64> {
        self.scales.iter().map(|scale| scale.rho)
    }

    /// σ of every point: the distance over which memberships decay.
    pub fn widths(&self) -> impl ExactSizeIterator<Item = f64> {
        self.scales.iter().map(|scale| scale.sigma)
    }

    pub(crate) fn overall(&self) -> f64 {
        self.overall
    }

    /// The graph alone.
    pub(crate) fn into_graph(self) -> Graph {
        self.graph
    }
}
