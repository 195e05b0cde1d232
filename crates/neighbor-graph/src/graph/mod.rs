//! Undirected weighted graphs.

mod batched_geodesics;
mod detour;
mod geodesics;
mod heap;
mod nearest;
mod path;
pub mod shortcuts;
mod tangent_angle;
pub(crate) mod view;

use embedding::{Error, Neighbors};
use petgraph::graph::{NodeIndex, UnGraph};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

pub use self::view::GraphView;

/// Fewest vertices of a parallel task.
const VERTICES: usize = 256;

/// The rule by which directed edges become undirected ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Symmetry {
    /// An edge i – j if either is in the other's list (union).
    #[default]
    Union,
    /// An edge i – j only if each is in the other's list.
    Mutual,
}

embedding::words!(Symmetry { Union = "union", Mutual = "mutual" });

/// An undirected graph with distances as weights.
///
/// Invariants: symmetric, no loops, neighbors of a vertex in ascending order, weights
/// finite and nonnegative. Deserialization checks them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "RawGraph")]
pub struct Graph {
    offsets: Vec<usize>,
    indices: Vec<u32>,
    weights: Vec<f64>,
}

impl Graph {
    /// Symmetrizes neighbor lists; where the two weights of an edge differ, the smaller
    /// is kept. O(edges log k) time.
    pub fn new(neighbors: &Neighbors, symmetry: Symmetry) -> Self {
        let arcs = (0..neighbors.len()).flat_map(|i| {
            let (js, ds) = neighbors.of(i);
            js.iter().zip(ds).map(move |(&j, &d)| (i as u32, j, d))
        });
        let needed = match symmetry {
            Symmetry::Union => 1,
            Symmetry::Mutual => 2,
        };
        Self::from_arcs(neighbors.len(), arcs, needed)
    }

    /// Creates a graph with `n` vertices. An edge may be given once or twice, in either
    /// direction; where its weights differ, the smaller is kept.
    ///
    /// Fails with [`Error::Parameter`] if an edge is a loop or refers to a nonexistent
    /// vertex, or if a weight is negative, NaN or infinite.
    ///
    /// ```
    /// use neighbor_graph::Graph;
    /// let path = Graph::from_edges(3, &[(0, 1, 2.0), (1, 2, 0.5)])?;
    /// assert_eq!(path.geodesics_from(0), vec![0.0, 2.0, 2.5]);
    /// assert!(Graph::from_edges(3, &[(1, 1, 0.0)]).is_err());
    /// # Ok::<(), embedding::Error>(())
    /// ```
    pub fn from_edges(n: usize, edges: &[(u32, u32, f64)]) -> Result<Self, Error> {
        if n == 0 {
            return Err(Error::TooFewPoints { what: "a graph", needed: 1, got: 0 });
        }
        if u32::try_from(n).is_err() {
            return Err(Error::parameter("the number of vertices", "below 2³²", n));
        }
        for &(i, j, w) in edges {
            if i == j || i as usize >= n || j as usize >= n {
                let requirement = format!("between two different vertices below {n}");
                return Err(Error::parameter("an edge", requirement, format!("{i} – {j}")));
            }
            if !(w.is_finite() && w >= 0.0) {
                let got = format!("{w} between {i} and {j}");
                return Err(Error::parameter("a weight", "finite and not negative", got));
            }
        }
        Ok(Self::from_arcs(n, edges.iter().map(|&(i, j, w)| (i, j, w + 0.0)), 1))
    }

    /// Adds both directions of every arc; a pair is kept if it occurs at least `needed`
    /// times.
    fn from_arcs(n: usize, arcs: impl Iterator<Item = (u32, u32, f64)> + Clone, needed: usize) -> Self {
        let mut starts = vec![0_usize; n + 1];
        for (i, j, _) in arcs.clone() {
            starts[i as usize + 1] += 1;
            starts[j as usize + 1] += 1;
        }
        for i in 0..n {
            starts[i + 1] += starts[i];
        }
        let mut next = starts.clone();
        let mut all = vec![(0_u32, 0.0_f64); starts[n]];
        for (i, j, w) in arcs {
            for (at, to) in [(i, j), (j, i)] {
                all[next[at as usize]] = (to, w);
                next[at as usize] += 1;
            }
        }
        let mut rows: Vec<&mut [(u32, f64)]> = Vec::with_capacity(n);
        let mut rest = all.as_mut_slice();
        for w in starts.windows(2) {
            let (row, others) = rest.split_at_mut(w[1] - w[0]);
            rows.push(row);
            rest = others;
        }
        rows.par_iter_mut()
            .with_min_len(256)
            .for_each(|row| row.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))));
        let mut offsets = Vec::with_capacity(n + 1);
        offsets.push(0);
        let (mut indices, mut weights) = (Vec::with_capacity(starts[n]), Vec::with_capacity(starts[n]));
        for row in rows {
            for run in row.chunk_by(|a, b| a.0 == b.0).filter(|run| run.len() >= needed) {
                indices.push(run[0].0);
                weights.push(run[0].1);
            }
            offsets.push(indices.len());
        }
        indices.shrink_to_fit();
        weights.shrink_to_fit();
        Self { offsets, indices, weights }
    }

    /// Replaces the weights by `weight(i, j, w)` for every edge i – j of weight w, which
    /// must be symmetric in i and j, finite and nonnegative. Vertices in parallel.
    pub fn map_weights(mut self, weight: impl Fn(usize, usize, f64) -> f64 + Sync) -> Self {
        let Self { offsets, indices, weights } = &mut self;
        let (mut rows, mut rest) = (Vec::with_capacity(offsets.len() - 1), &mut weights[..]);
        for ends in offsets.windows(2) {
            let (row, others) = rest.split_at_mut(ends[1] - ends[0]);
            rows.push(row);
            rest = others;
        }
        rows.into_par_iter().enumerate().with_min_len(VERTICES).for_each(|(i, row)| {
            for (w, &j) in row.iter_mut().zip(&indices[offsets[i]..]) {
                *w = weight(i, j as usize, *w);
            }
        });
        self
    }

    /// Returns the number of vertices, n.
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Returns whether there are no vertices.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the number of undirected edges.
    pub fn edge_count(&self) -> usize {
        self.indices.len() / 2
    }

    /// Returns every edge i – j of weight w once, as (i, j, w) with i < j, in order of i and j.
    pub fn edges(&self) -> impl Iterator<Item = (u32, u32, f64)> + '_ {
        (0..self.len()).flat_map(move |i| {
            let (js, ws) = self.of(i);
            let later = js.partition_point(|j| (*j as usize) < i);
            js[later..].iter().zip(&ws[later..]).map(move |(&j, &w)| (i as u32, j, w))
        })
    }

    /// Returns the memory of the arrays, in bytes.
    pub fn bytes(&self) -> u64 {
        (self.offsets.len() * size_of::<usize>() + self.indices.len() * (size_of::<u32>() + size_of::<f64>()))
            as u64
    }

    /// Returns the largest weight; 0 without edges.
    pub fn longest_edge(&self) -> f64 {
        self.weights.iter().fold(0.0, |longest, w| w.max(longest))
    }

    /// Returns the neighbors of vertex `i` in ascending order, and the weights of the
    /// edges to them.
    pub fn of(&self, i: usize) -> (&[u32], &[f64]) {
        self.view().of(i)
    }

    /// Returns the neighbors of vertex `i` in ascending order.
    pub fn indices_of(&self, i: usize) -> &[u32] {
        self.of(i).0
    }

    /// Returns the weights of the edges to the neighbors of vertex `i`, in the same order.
    pub fn weights_of(&self, i: usize) -> &[f64] {
        self.of(i).1
    }

    /// The arrays of the graph.
    pub fn view(&self) -> GraphView<'_> {
        GraphView::unchecked(&self.offsets, &self.indices, &self.weights)
    }
}

/// Conversion to petgraph: vertex i becomes node i, and each edge appears once, from its
/// lower to its higher vertex.
impl From<&Graph> for UnGraph<(), f64> {
    fn from(graph: &Graph) -> Self {
        let mut out = Self::with_capacity(graph.len(), graph.edge_count());
        for _ in 0..graph.len() {
            out.add_node(());
        }
        for (i, j, w) in graph.edges() {
            out.add_edge(NodeIndex::new(i as usize), NodeIndex::new(j as usize), w);
        }
        out
    }
}

/// A deserialized [`Graph`] before validation.
#[derive(Deserialize)]
struct RawGraph {
    offsets: Vec<usize>,
    indices: Vec<u32>,
    weights: Vec<f64>,
}

impl TryFrom<RawGraph> for Graph {
    type Error = Error;
    fn try_from(raw: RawGraph) -> Result<Self, Error> {
        GraphView::new(&raw.offsets, &raw.indices, &raw.weights)?;
        let graph = Self { offsets: raw.offsets, indices: raw.indices, weights: raw.weights };
        for i in 0..graph.len() {
            let (js, ws) = graph.of(i);
            let ascending = js.windows(2).all(|w| w[0] < w[1]);
            let returned = js.iter().zip(ws).all(|(&j, w)| {
                j as usize != i
                    && graph
                        .indices_of(j as usize)
                        .binary_search(&(i as u32))
                        .is_ok_and(|at| graph.weights_of(j as usize)[at] == *w)
            });
            if !(ascending && returned) {
                return Err(Error::damaged(format!(
                    "vertex {i} must have sorted edges that are the same in both directions"
                )));
            }
        }
        Ok(graph)
    }
}
