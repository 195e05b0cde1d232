//! Connected components, and what to do with more than one.

use embedding::{Error, Points};
use serde::{Deserialize, Serialize};

use crate::metric::squared_distance;
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

/// An edge that joins two components.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bridge {
    /// One end.
    pub from: u32,
    /// The other end.
    pub to: u32,
    /// Its length.
    pub distance: f64,
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
    /// Labels the connected components. O(n + edges).
    pub fn components(&self) -> Labels {
        let mut of = vec![u32::MAX; self.len()];
        let mut sizes = Vec::new();
        for start in 0..self.len() {
            if of[start] != u32::MAX {
                continue;
            }
            let label = sizes.len() as u32;
            let mut stack = vec![start as u32];
            of[start] = label;
            let mut size = 0;
            while let Some(i) = stack.pop() {
                size += 1;
                for &j in self.of(i as usize).0 {
                    if of[j as usize] == u32::MAX {
                        of[j as usize] = label;
                        stack.push(j);
                    }
                }
            }
            sizes.push(size);
        }
        Labels { of, sizes }
    }

    /// Fails with [`Error::Disconnected`] unless the graph is one component.
    pub fn require_connected(&self) -> Result<(), Error> {
        let labels = self.components();
        if labels.sizes.len() > 1 { Err(labels.error()) } else { Ok(()) }
    }
}

impl Labels {
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
    /// The lists of the given rows (ascending), renumbered; entries that lead
    /// outside are dropped.
    pub fn restricted(&self, rows: &[u32]) -> Self {
        let lists = rows
            .iter()
            .map(|&row| {
                let (js, ds) = self.of(row as usize);
                js.iter()
                    .zip(ds)
                    .filter_map(|(j, &d)| rows.binary_search(j).ok().map(|local| (local as u32, d)))
                    .collect()
            })
            .collect();
        Self::from_sorted(lists, self.neighborhood())
    }

    /// Joins the components by the shortest edges between them, along a minimum
    /// spanning tree (Kruskal) over the closest pairs.
    pub(crate) fn bridged(&self, points: Points<'_>, labels: &Labels) -> (Self, Vec<Bridge>) {
        let count = labels.sizes.len();
        let mut candidates: Vec<Bridge> = Vec::new();
        for a in 0..count {
            for b in a + 1..count {
                let (from, to) = (labels.members(a), labels.members(b));
                let closest = from
                    .iter()
                    .flat_map(|&i| to.iter().map(move |&j| (i, j)))
                    .map(|(i, j)| (squared_distance(points.row(i as usize), points.row(j as usize)), i, j))
                    .min_by(|x, y| x.0.total_cmp(&y.0).then((x.1, x.2).cmp(&(y.1, y.2))));
                if let Some((squared, from, to)) = closest {
                    candidates.push(Bridge { from, to, distance: squared.sqrt() });
                }
            }
        }
        candidates
            .sort_by(|x, y| x.distance.total_cmp(&y.distance).then((x.from, x.to).cmp(&(y.from, y.to))));
        let mut group: Vec<u32> = (0..count as u32).collect();
        let mut bridges = Vec::new();
        for bridge in candidates {
            let (a, b) = (
                group[labels.of[bridge.from as usize] as usize],
                group[labels.of[bridge.to as usize] as usize],
            );
            if a != b {
                group.iter_mut().filter(|g| **g == b).for_each(|g| *g = a);
                bridges.push(bridge);
            }
        }
        let joined = self.map_lists(self.neighborhood(), |i, mut list| {
            for bridge in &bridges {
                if bridge.from as usize == i {
                    list.push((bridge.to, bridge.distance));
                } else if bridge.to as usize == i {
                    list.push((bridge.from, bridge.distance));
                }
            }
            list.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
            list
        });
        (joined, bridges)
    }
}
