//! The nearest vertices along the edges.

use rayon::prelude::*;

use crate::Graph;
use crate::graph::heap::Heap;

impl Graph {
    /// The `count` other vertices with the shortest paths from each vertex, nearest first; fewer where
    /// its component has fewer. Vertices at equal distance have the order of the search, which depends on
    /// the graph alone.
    ///
    /// One search by Dijkstra's algorithm per vertex, which ends when the vertices are found:
    /// O(n count (degree + log count)) time, O(n) memory per thread in addition to the result.
    ///
    /// ```
    /// use neighbor_graph::Graph;
    /// let path = Graph::from_edges(4, &[(0, 1, 1.0), (1, 2, 3.0), (2, 3, 1.0)])?;
    /// assert_eq!(path.nearest_along_edges(2), [[1, 2], [0, 2], [3, 1], [2, 1]]);
    /// # Ok::<(), embedding::Error>(())
    /// ```
    pub fn nearest_along_edges(&self, count: usize) -> Vec<Vec<u32>> {
        let workspace = || (Heap::new(self.len()), vec![f64::INFINITY; self.len()], Vec::new());
        (0..self.len() as u32)
            .into_par_iter()
            .map_init(workspace, |(heap, distances, reached), source| {
                heap.clear();
                reached.drain(..).for_each(|vertex: u32| distances[vertex as usize] = f64::INFINITY);
                distances[source as usize] = 0.0;
                reached.push(source);
                heap.offer(source, 0.0);
                let mut nearest = Vec::with_capacity(count.min(self.len()));
                while let Some((distance, at)) = heap.pop() {
                    if at != source {
                        nearest.push(at);
                    }
                    if nearest.len() >= count {
                        break;
                    }
                    let (ends, lengths) = self.of(at as usize);
                    for (&end, &length) in ends.iter().zip(lengths) {
                        let known = &mut distances[end as usize];
                        if distance + length < *known {
                            if known.is_infinite() {
                                reached.push(end);
                            }
                            *known = distance + length;
                            heap.offer(end, *known);
                        }
                    }
                }
                nearest
            })
            .collect()
    }
}
