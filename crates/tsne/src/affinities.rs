//! Joint probabilities of pairs of points.

use embedding::implement::{N_LESS_1, Range, Sizes, proceed};
use embedding::{Error, Observer, Points};
use faer::MatRef;
use neighbor_graph::{NeighborSearch, Neighbors};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::perplexity::calibrate;

/// Symmetric joint probabilities p_ij ≥ 0 of pairs of neighbors, with sum one.
///
/// *Definition.* p_{j|i} ∝ exp(−β_i d_ij²) over the neighbors of i, with β_i such that
/// the entropy of the row is ln(perplexity), and p_ij = (p_{j|i} + p_{i|j}) / 2n. The
/// perplexity of every row is accurate to 1e-5, unless more of the nearest neighbors are
/// tied than the perplexity: the m tied ones then have probability 1/m each.
///
/// *Cost.* O(n k) time per step of the root finding (about five), rows in parallel; 12
/// bytes for each of at most 2 n k entries.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Affinities {
    starts: Vec<usize>,
    columns: Vec<u32>,
    values: Vec<f64>,
}

/// Rows per progress step.
pub(crate) const BATCH: usize = 4096;

impl Affinities {
    /// Computes the probabilities from the 3 · perplexity nearest neighbors, which are
    /// searched for here.
    pub fn of_points(points: Points<'_>, perplexity: f64, observer: &dyn Observer) -> Result<Self, Error> {
        let k = neighbors_for(perplexity, points.len())?;
        let neighbors = NeighborSearch::nearest(k).with_observer(observer).find(points)?;
        Self::of_neighbors(&neighbors, perplexity, observer)
    }

    /// Computes the probabilities from a symmetric n × n matrix of finite, nonnegative
    /// distances; its diagonal is not read.
    pub fn of_distances(
        distances: MatRef<'_, f64>,
        perplexity: f64,
        observer: &dyn Observer,
    ) -> Result<Self, Error> {
        let n = distances.nrows();
        if distances.ncols() != n {
            let got = format!("{n} × {}", distances.ncols());
            return Err(Error::Shape { what: "the distances", expected: "a square matrix".into(), got });
        }
        let finite = |i: usize, j: usize| distances[(i, j)].is_finite();
        if let Some((row, column)) = pairs(n).find(|&(i, j)| !finite(i, j)) {
            return Err(Error::NotFinite { row, column, value: distances[(row, column)] });
        }
        if let Some((i, j)) = pairs(n).find(|&(i, j)| distances[(i, j)] != distances[(j, i)]) {
            let got = format!("{} and {} between {i} and {j}", distances[(i, j)], distances[(j, i)]);
            return Err(Error::parameter("distances", "the same in both directions", got));
        }
        let k = neighbors_for(perplexity, n)?;
        let distance = |i: usize, j: usize| distances[(i, j)];
        let neighbors = NeighborSearch::nearest(k).with_observer(observer).find_by(n, distance)?;
        Self::of_neighbors(&neighbors, perplexity, observer)
    }

    /// Computes the probabilities from given neighbor lists, each at least as long as the
    /// perplexity; three times the perplexity is usual.
    pub fn of_neighbors(
        neighbors: &Neighbors,
        perplexity: f64,
        observer: &dyn Observer,
    ) -> Result<Self, Error> {
        let n = neighbors.len();
        check_perplexity(perplexity, n)?;
        let shortest = neighbors.degrees().0;
        if perplexity > shortest as f64 {
            let requirement = format!(
                "at most {shortest}, the length of the shortest neighbor list (more neighbors allow a larger one)"
            );
            return Err(Error::parameter("perplexity", requirement, perplexity));
        }
        observer.stage("affinities");
        let mut conditional: Vec<Vec<f64>> = Vec::with_capacity(n);
        for start in (0..n).step_by(BATCH) {
            proceed(observer, start, n)?;
            let rows = start..n.min(start + BATCH);
            conditional.par_extend(rows.into_par_iter().map(|i| {
                let distances = neighbors.distances_of(i);
                let mut p = vec![0.0; distances.len()];
                calibrate(distances, perplexity, &mut p);
                p
            }));
        }
        let joint = symmetrized(neighbors, &conditional);
        proceed(observer, n, n)?;
        Ok(joint)
    }

    /// Returns the number of points, n.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Returns whether there are no points.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the points with a stored probability with point `i`, in ascending order,
    /// and these probabilities.
    pub fn of(&self, i: usize) -> (&[u32], &[f64]) {
        let range = self.starts[i]..self.starts[i + 1];
        (&self.columns[range.clone()], &self.values[range])
    }

    /// Returns Σ p ln p over all pairs: the part of the divergence that does not depend
    /// on the map.
    pub(crate) fn negative_entropy(&self) -> f64 {
        let row = |i: usize| self.of(i).1.iter().filter(|p| **p > 0.0).map(|p| p * p.ln()).sum::<f64>();
        (0..self.len()).map(row).sum()
    }
}

/// Iterates over all ordered pairs i ≠ j.
fn pairs(n: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..n).flat_map(move |j| (0..n).filter(move |&i| i != j).map(move |i| (i, j)))
}

/// Returns (C + Cᵀ)/2n as sorted rows.
fn symmetrized(neighbors: &Neighbors, conditional: &[Vec<f64>]) -> Affinities {
    let n = conditional.len();
    let mut incoming = vec![0_usize; n + 1];
    for i in 0..n {
        neighbors.indices_of(i).iter().for_each(|&j| incoming[j as usize + 1] += 1);
    }
    (0..n).for_each(|i| incoming[i + 1] += incoming[i]);
    let mut at = incoming.clone();
    let mut transposed = vec![(0_u32, 0.0_f64); incoming[n]];
    for (i, conditional) in conditional.iter().enumerate() {
        for (&j, &p) in neighbors.indices_of(i).iter().zip(conditional) {
            transposed[at[j as usize]] = (i as u32, p);
            at[j as usize] += 1;
        }
    }
    // An upper bound, as most neighbor pairs are mutual; unused capacity is never
    // touched.
    let most = 2 * incoming[n];
    let mut joint =
        Affinities { starts: vec![0], columns: Vec::with_capacity(most), values: Vec::with_capacity(most) };
    let scale = 0.5 / n as f64;
    for start in (0..n).step_by(BATCH) {
        let rows: Vec<Vec<(u32, f64)>> = (start..n.min(start + BATCH))
            .into_par_iter()
            .map(|i| {
                let outgoing = neighbors.indices_of(i).iter().copied().zip(conditional[i].iter().copied());
                let mut row: Vec<(u32, f64)> = outgoing.collect();
                row.extend_from_slice(&transposed[incoming[i]..incoming[i + 1]]);
                // Stable sort: of two entries for one pair, the row's own comes first.
                row.sort_by_key(|entry| entry.0);
                row.dedup_by(|second, first| {
                    let same = first.0 == second.0;
                    first.1 += if same { second.1 } else { 0.0 };
                    same
                });
                row
            })
            .collect();
        for row in rows {
            joint.columns.extend(row.iter().map(|e| e.0));
            joint.values.extend(row.iter().map(|e| e.1 * scale));
            joint.starts.push(joint.columns.len());
        }
    }
    joint.columns.shrink_to_fit();
    joint.values.shrink_to_fit();
    joint
}

/// The number of neighbors for a perplexity among n points.
pub(crate) fn neighbors_for(perplexity: f64, n: usize) -> Result<usize, Error> {
    check_perplexity(perplexity, n)?;
    Ok(((3.0 * perplexity) as usize).max(perplexity.ceil() as usize).min(n - 1))
}

fn check_perplexity(perplexity: f64, n: usize) -> Result<(), Error> {
    if n < 2 {
        return Err(Error::TooFewPoints { what: "t-SNE", needed: 2, got: n });
    }
    PERPLEXITY.check("perplexity", perplexity, &Sizes { points: Some(n), ..Sizes::default() }, &perplexity)
}

/// Legal perplexities.
pub(crate) const PERPLEXITY: Range = Range::from_one_to(N_LESS_1);
