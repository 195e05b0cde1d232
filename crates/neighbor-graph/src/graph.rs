//! The undirected graph.

use serde::{Deserialize, Serialize};

use crate::Neighbors;

/// Which directed edges make an undirected one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Symmetry {
    /// i – j when either is in the other's list.
    #[default]
    Union,
    /// i – j only when each is in the other's list.
    Mutual,
}

/// An undirected graph with distances as weights.
///
/// Invariants: symmetric, no loops, neighbors of a vertex ascending by index,
/// weights finite and not negative.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Graph {
    pub(crate) offsets: Vec<usize>,
    pub(crate) indices: Vec<u32>,
    pub(crate) weights: Vec<f64>,
}

impl Graph {
    /// Symmetrizes neighbor lists; of two differing weights the smaller stays.
    pub fn new(neighbors: &Neighbors, symmetry: Symmetry) -> Self {
        let n = neighbors.len();
        let mut arcs = Vec::with_capacity(2 * neighbors.edges());
        for i in 0..n {
            let (js, ds) = neighbors.of(i);
            for (&j, &d) in js.iter().zip(ds) {
                arcs.push((i as u32, j, d));
                arcs.push((j, i as u32, d));
            }
        }
        arcs.sort_unstable_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)).then(a.2.total_cmp(&b.2)));
        let mut rows: Vec<Vec<(u32, f64)>> = vec![Vec::new(); n];
        for run in arcs.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            if symmetry == Symmetry::Union || run.len() > 1 {
                rows[run[0].0 as usize].push((run[0].1, run[0].2));
            }
        }
        Self::from_symmetric_rows(rows)
    }

    pub(crate) fn from_symmetric_rows(rows: Vec<Vec<(u32, f64)>>) -> Self {
        let mut offsets = vec![0];
        let (mut indices, mut weights) = (Vec::new(), Vec::new());
        for row in rows {
            for (j, w) in row {
                indices.push(j);
                weights.push(w);
            }
            offsets.push(indices.len());
        }
        Self { offsets, indices, weights }
    }

    /// The number of vertices, n.
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Whether there is no vertex.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of undirected edges.
    pub fn edges(&self) -> usize {
        self.indices.len() / 2
    }

    /// Neighbors of vertex `i`, ascending, and the weights of the edges to them.
    pub fn of(&self, i: usize) -> (&[u32], &[f64]) {
        let range = self.offsets[i]..self.offsets[i + 1];
        (&self.indices[range.clone()], &self.weights[range])
    }
}
