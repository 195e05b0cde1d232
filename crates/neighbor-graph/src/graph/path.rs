//! Shortest paths between two vertices.

use crate::Graph;

/// No vertex.
const NONE: u32 = u32::MAX;

impl Graph {
    /// Returns the vertices of a shortest path, both ends included; `None` where no path
    /// connects them. Of several shortest paths the result is always the same one.
    ///
    /// Its length is the distance of [`Graph::geodesics_from`]. O(edges + n log n) time.
    ///
    /// Panics unless both are vertices.
    ///
    /// ```
    /// use neighbor_graph::Graph;
    /// let square = Graph::from_edges(4, &[(0, 1, 1.0), (1, 2, 1.0), (2, 3, 1.0), (0, 3, 2.5)])?;
    /// assert_eq!(square.shortest_path(0, 3), Some(vec![0, 3]));
    /// assert_eq!(square.shortest_path(0, 2), Some(vec![0, 1, 2]));
    /// # Ok::<(), embedding::Error>(())
    /// ```
    pub fn shortest_path(&self, from: usize, to: usize) -> Option<Vec<u32>> {
        let distances = self.geodesics_from(from);
        if distances[to].is_infinite() {
            return None;
        }
        // Backwards along edges whose length is the difference of the distances of their
        // ends, to the bit. Edges of length 0 have no direction: vertices are visited once.
        let mut next = vec![NONE; self.len()];
        let mut open = vec![to as u32];
        next[to] = to as u32;
        while let Some(i) = open.pop().filter(|&i| i as usize != from) {
            let (js, ws) = self.of(i as usize);
            for (&j, &w) in js.iter().zip(ws).rev() {
                if next[j as usize] == NONE && distances[j as usize] + w == distances[i as usize] {
                    next[j as usize] = i;
                    open.push(j);
                }
            }
        }
        let mut path = vec![from as u32];
        let mut last = from;
        while last != to {
            last = next[last] as usize;
            path.push(last as u32);
        }
        Some(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Length along the vertices, added in their order.
    fn length(graph: &Graph, path: &[u32]) -> f64 {
        path.windows(2).fold(0.0, |sum, ends| {
            let (js, ws) = graph.of(ends[0] as usize);
            sum + ws[js.binary_search(&ends[1]).expect("an edge")]
        })
    }

    #[test]
    fn the_path_is_as_long_as_the_distance() {
        // A grid whose edges have lengths without pattern, some of them 0.
        let (side, mut edges) = (8_u32, Vec::new());
        for i in 0..side * side {
            let length = |seed: u32| f64::from((i * 37 + seed * 11) % 10) * 0.1;
            if i % side + 1 < side {
                edges.push((i, i + 1, length(1)));
            }
            if i / side + 1 < side {
                edges.push((i, i + side, length(2)));
            }
        }
        let graph = Graph::from_edges(64, &edges).expect("legal");
        for from in 0..64 {
            let distances = graph.geodesics_from(from);
            for (to, distance) in distances.iter().enumerate() {
                let path = graph.shortest_path(from, to).expect("connected");
                assert_eq!((path[0], path[path.len() - 1]), (from as u32, to as u32));
                assert_eq!(length(&graph, &path), *distance, "{from} to {to}");
                let mut once = path.clone();
                once.sort_unstable();
                once.dedup();
                assert_eq!(once.len(), path.len(), "no vertex twice");
            }
        }
    }

    #[test]
    fn no_path_leads_to_another_component() {
        let graph = Graph::from_edges(4, &[(0, 1, 1.0), (2, 3, 0.0)]).expect("legal");
        assert_eq!(graph.shortest_path(0, 2), None);
        assert_eq!(graph.shortest_path(1, 1), Some(vec![1]));
        assert_eq!(graph.shortest_path(3, 2), Some(vec![3, 2]));
    }
}
