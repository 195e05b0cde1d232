//! The component of every vertex.

use embedding::Error;
use petgraph::unionfind::UnionFind;

/// The component of every vertex.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComponentLabels {
    /// Component of vertex i; components are numbered by their first vertex.
    pub of: Vec<u32>,
    /// Vertices per component.
    pub sizes: Vec<usize>,
}

impl ComponentLabels {
    /// Labels the graph of `n` vertices with edges from each vertex i to the vertices `named(i)`.
    pub(super) fn new<'a>(n: usize, named: impl Fn(usize) -> &'a [u32]) -> Self {
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

    /// The error for a graph that must be connected.
    pub fn error(&self) -> Error {
        let mut sizes = self.sizes.clone();
        sizes.sort_unstable_by(|a, b| b.cmp(a));
        sizes.truncate(10);
        Error::Disconnected { components: self.sizes.len(), sizes }
    }
}
