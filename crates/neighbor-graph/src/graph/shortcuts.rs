//! Shortcut edges between different parts of a manifold.

use embedding::{Error, Neighbors, Observer, proceed};
use petgraph::unionfind::UnionFind;
use rayon::prelude::*;

use crate::graph::heap::Heap;
use crate::{Graph, Symmetry};

/// An edge between points that are far apart in the rest of the graph.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shortcut {
    /// Its lower vertex.
    pub from: u32,
    /// Its higher vertex.
    pub to: u32,
    /// Its weight.
    pub distance: f64,
}

/// Vertices between progress reports.
const GROUP: usize = 4096;

impl Graph {
    /// Finds edges that probably connect different layers of the manifold, in ascending
    /// order; stage `"shortcuts"`.
    ///
    /// On a manifold, the neighbors of a point are near each other also in the graph
    /// without that point. Two neighbors v, w of u are therefore put in one group if the
    /// shortest path from v to w that avoids u is at most `stretch` times as long as the
    /// path through u; groups are closed under transitivity. The edges from u to all
    /// groups but the largest (of equals, the one of its nearest neighbor) are shortcuts,
    /// except edges whose removal would disconnect the graph (bridges).
    ///
    /// `stretch` must be finite and above 1. In 13 Swiss rolls of 1,000 points with 10
    /// neighbors, the ratio was at most 1.9 for every point of a roll without shortcuts
    /// and at least 5.0 for every shortcut: 4 separates the two. Images (1,797 digits, 10
    /// neighbors) reach 4.4, so a removed edge need not connect different layers.
    ///
    /// Not detected: parallel shortcuts, where the neighbors of one end are neighbors of
    /// the other. In a graph so sparse that a point's neighbors are not connected without
    /// it (a curve with k = 2), every edge is a bridge or a shortcut.
    ///
    /// Cost per vertex: usually one bounded Dijkstra search, at most one per neighbor; n
    /// numbers per thread. On a surface a search visits a few neighborhoods; if distances
    /// concentrate it may visit the whole graph.
    ///
    /// On the instability of geodesic distances under a single such edge: Balasubramanian
    /// and Schwartz, *The Isomap algorithm and topological stability*, Science 295
    /// (2002),
    /// [doi:10.1126/science.295.5552.7a](https://doi.org/10.1126/science.295.5552.7a).
    pub fn shortcuts(&self, stretch: f64, observer: &dyn Observer) -> Result<Vec<Shortcut>, Error> {
        if !(stretch.is_finite() && stretch > 1.0) {
            return Err(Error::parameter("stretch", "finite and above 1", stretch));
        }
        observer.stage("shortcuts");
        proceed(observer, 0, self.len())?;
        let mut found: Vec<(u32, u32, f64)> = Vec::new();
        for start in (0..self.len()).step_by(GROUP) {
            let end = self.len().min(start + GROUP);
            let edges: Vec<Vec<(u32, u32, f64)>> = (start..end)
                .into_par_iter()
                .with_min_len(64)
                .map_init(|| LocalSearch::new(self), |search, u| search.other_group_edges(u, stretch))
                .collect();
            found.extend(edges.into_iter().flatten());
            proceed(observer, end, self.len())?;
        }
        found.sort_unstable_by_key(|e| (e.0, e.1));
        found.dedup();
        Ok(self.without_bridges(found))
    }

    /// Returns the edges whose joint removal does not disconnect the graph further; of
    /// the others, the shortest ones are kept in the graph.
    fn without_bridges(&self, edges: Vec<(u32, u32, f64)>) -> Vec<Shortcut> {
        let named = |i: u32, j: u32| edges.binary_search_by_key(&(i, j), |e| (e.0, e.1)).is_ok();
        let mut parts = UnionFind::<u32>::new(self.len());
        for i in 0..self.len() as u32 {
            let higher = self.of(i as usize).0.iter().filter(|&&j| j > i);
            higher.filter(|&&j| !named(i, j)).for_each(|&j| {
                parts.union(i, j);
            });
        }
        let mut by_length = edges.clone();
        by_length.sort_by(|a, b| a.2.total_cmp(&b.2));
        by_length.retain(|&(from, to, _)| !parts.union(from, to));
        by_length.sort_unstable_by_key(|e| (e.0, e.1));
        by_length.into_iter().map(|(from, to, distance)| Shortcut { from, to, distance }).collect()
    }
}

/// The lists without the [shortcuts](Graph::shortcuts) of their union graph,
/// and these; lists get shorter, and connected parts stay connected.
///
/// ```
/// use embedding::{PointSet, Silent};
/// use neighbor_graph::{Neighborhood, find_neighbors, without_shortcuts};
/// // A long hairpin whose ends nearly touch.
/// let path = (0..40).map(|i| [f64::from(i.min(39 - i)), if i < 20 { 0.0 } else { 9.0 }]);
/// let points = PointSet::new(path.chain([[1.5, 4.5]]).flatten().collect(), 2)?;
/// let lists = find_neighbors(points.view(), Neighborhood::Nearest { k: 4 }, &Silent)?;
/// let (cut, shortcuts) = without_shortcuts(&lists, 4.0, &Silent)?;
/// assert!(!shortcuts.is_empty());
/// assert_eq!(cut.edges(), lists.edges() - shortcuts.len());
/// # Ok::<(), embedding::Error>(())
/// ```
pub fn without_shortcuts(
    neighbors: &Neighbors,
    stretch: f64,
    observer: &dyn Observer,
) -> Result<(Neighbors, Vec<Shortcut>), Error> {
    let shortcuts = Graph::new(neighbors, Symmetry::Union).shortcuts(stretch, observer)?;
    let named = |i: usize, j: usize| {
        let ends = (i.min(j) as u32, i.max(j) as u32);
        shortcuts.binary_search_by_key(&ends, |s| (s.from, s.to)).is_ok()
    };
    Ok((neighbors.filtered(|i, j| !named(i, j)), shortcuts))
}

/// State of the bounded searches around one vertex at a time.
struct LocalSearch<'a> {
    graph: &'a Graph,
    distances: Vec<f64>,
    touched: Vec<u32>,
    heap: Heap,
    /// The group of each neighbor.
    group: Vec<usize>,
}

impl<'a> LocalSearch<'a> {
    fn new(graph: &'a Graph) -> Self {
        Self {
            graph,
            distances: vec![f64::INFINITY; graph.len()],
            touched: Vec::new(),
            heap: Heap::new(graph.len()),
            group: Vec::new(),
        }
    }

    /// Returns the edges (lower, higher, weight) from `u` to all groups of its neighbors
    /// but one.
    fn other_group_edges(&mut self, u: usize, stretch: f64) -> Vec<(u32, u32, f64)> {
        let (js, ws) = self.graph.of(u);
        self.group.clear();
        self.group.extend(0..js.len());
        for a in 0..js.len() {
            if self.group.iter().all(|g| *g == self.group[0]) {
                return Vec::new();
            }
            self.gather(u, a, stretch);
        }
        let size = |g: usize| self.group.iter().filter(|other| **other == g).count();
        let better = |&a: &usize, &b: &usize| {
            size(self.group[a]).cmp(&size(self.group[b])).then(ws[b].total_cmp(&ws[a])).then(b.cmp(&a))
        };
        let Some(kept) = (0..js.len()).max_by(better) else { return Vec::new() };
        let u = u as u32;
        (0..js.len())
            .filter(|&a| self.group[a] != self.group[kept])
            .map(|a| (u.min(js[a]), u.max(js[a]), ws[a]))
            .collect()
    }

    /// Merges into the group of neighbor `a` those reached from it without passing `u`.
    fn gather(&mut self, u: usize, a: usize, stretch: f64) {
        let (js, ws) = self.graph.of(u);
        let mut missing = self.group.iter().filter(|g| **g != self.group[a]).count();
        let outside = (0..js.len()).filter(|&b| self.group[b] != self.group[a]);
        let farthest = outside.map(|b| ws[b]).fold(0.0, f64::max);
        let limit = stretch * (ws[a] + farthest);
        self.reach(js[a], 0.0);
        while let Some((d, i)) = self.heap.pop() {
            if let Ok(b) = js.binary_search(&i) {
                let (own, other) = (self.group[a], self.group[b]);
                if own != other && d <= stretch * (ws[a] + ws[b]) {
                    self.group.iter_mut().filter(|g| **g == other).for_each(|g| *g = own);
                    missing = self.group.iter().filter(|g| **g != own).count();
                }
            }
            if missing == 0 {
                break;
            }
            let (next, weights) = self.graph.of(i as usize);
            for (&j, &w) in next.iter().zip(weights) {
                if j as usize != u && d + w <= limit {
                    self.reach(j, d + w);
                }
            }
        }
        self.heap.clear();
        for i in self.touched.drain(..) {
            self.distances[i as usize] = f64::INFINITY;
        }
    }

    fn reach(&mut self, j: u32, distance: f64) {
        let known = &mut self.distances[j as usize];
        if distance < *known {
            if known.is_infinite() {
                self.touched.push(j);
            }
            *known = distance;
            self.heap.offer(j, distance);
        }
    }
}
