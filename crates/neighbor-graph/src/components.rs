//! Connected components, and what to do with more than one.

use embedding::{Error, Points};
use petgraph::unionfind::UnionFind;
use serde::{Deserialize, Serialize};

use crate::bridges::{Bridge, spanning_tree};
use crate::lists::{self, List, Lists};
use crate::{Graph, Neighbors};

/// What to do when the neighbor graph falls apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Components {
    /// Refuse, naming the number of components and their sizes.
    #[default]
    Reject,
    /// Add the shortest edges that join the components, along a minimum
    /// spanning tree over them.
    Bridge,
    /// Keep the largest component only, with a map of its rows.
    Largest,
    /// Embed every component by itself and set them side by side.
    PerComponent,
}

/// The component of every vertex.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Labels {
    /// Component of vertex i; components are numbered by their first vertex.
    pub of: Vec<u32>,
    /// Vertices per component.
    pub sizes: Vec<usize>,
}

impl Graph {
    /// Labels the connected components, by union-find. O(n + edges) but for a
    /// factor that never exceeds five.
    pub fn components(&self) -> Labels {
        Labels::new(self.len(), |i| self.of(i).0)
    }

    /// Fails with [`Error::Disconnected`] unless the graph is one component.
    pub fn require_connected(&self) -> Result<(), Error> {
        let labels = self.components();
        if labels.sizes.len() > 1 { Err(labels.error()) } else { Ok(()) }
    }
}

impl Labels {
    /// Of the graph with an edge between each of `n` vertices and those that it names.
    fn new<'a>(n: usize, named: impl Fn(usize) -> &'a [u32]) -> Self {
        let mut union = UnionFind::<u32>::new(n);
        for i in 0..n {
            for &j in named(i) {
                union.union(i as u32, j);
            }
        }
        let mut label = vec![u32::MAX; n];
        let mut sizes = Vec::new();
        let of = (0..n as u32)
            .map(|i| {
                let root = union.find_mut(i) as usize;
                if label[root] == u32::MAX {
                    label[root] = sizes.len() as u32;
                    sizes.push(0);
                }
                sizes[label[root] as usize] += 1;
                label[root]
            })
            .collect();
        Self { of, sizes }
    }

    /// The component with the most vertices; the first of equals.
    pub fn largest(&self) -> usize {
        (0..self.sizes.len()).rev().max_by_key(|&c| self.sizes[c]).unwrap_or(0)
    }

    /// The vertices of a component, ascending.
    pub fn members(&self, component: usize) -> Vec<u32> {
        (0..self.of.len() as u32).filter(|&i| self.of[i as usize] == component as u32).collect()
    }

    /// The refusal that names them.
    pub fn error(&self) -> Error {
        let mut sizes = self.sizes.clone();
        sizes.sort_unstable_by(|a, b| b.cmp(a));
        sizes.truncate(10);
        Error::Disconnected { components: self.sizes.len(), sizes }
    }
}

impl Neighbors {
    /// The connected components of the union graph, without making it.
    pub fn components(&self) -> Labels {
        Labels::new(self.len(), |i| self.of(i).0)
    }

    /// The lists of the given rows (ascending), renumbered; entries that lead
    /// outside are dropped.
    pub fn restricted(&self, rows: &[u32]) -> Self {
        let mut lists = Lists::with_capacity(rows.len(), 0);
        let mut list = List::new();
        for &row in rows {
            let (js, ds) = self.of(row as usize);
            list.clear();
            list.extend(
                js.iter()
                    .zip(ds)
                    .filter_map(|(j, &d)| rows.binary_search(j).ok().map(|local| (local as u32, d))),
            );
            lists.push(&list);
        }
        Self { found_by: self.found_by, ..Self::from_parts(lists, self.neighborhood()) }
    }

    /// Joins the components by the shortest edges between them, along a minimum
    /// spanning tree.
    pub(crate) fn bridged(&self, points: Points<'_>, labels: &Labels) -> (Self, Vec<Bridge>) {
        let bridges = spanning_tree(points, labels);
        let mut added: Vec<(u32, u32, f64)> =
            bridges.iter().flat_map(|b| [(b.from, b.to, b.distance), (b.to, b.from, b.distance)]).collect();
        added.sort_unstable_by_key(|e| (e.0, e.1));
        let joined = self.map_lists(|i, list| {
            let first = added.partition_point(|e| (e.0 as usize) < i);
            let own = added[first..].iter().take_while(|e| e.0 as usize == i);
            let before = list.len();
            list.extend(own.map(|e| (e.1, e.2)));
            if list.len() > before {
                lists::sort(list);
            }
        });
        (joined, bridges)
    }
}
