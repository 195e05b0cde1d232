//! Whether two vertices are connected within a given length.

use crate::Graph;
use crate::graph::heap::Heap;

/// State of bounded Dijkstra searches, one at a time.
pub(crate) struct Detours<'a> {
    graph: &'a Graph,
    distances: Vec<f64>,
    touched: Vec<u32>,
    heap: Heap,
}

impl<'a> Detours<'a> {
    pub(crate) fn new(graph: &'a Graph) -> Self {
        let n = graph.len();
        Self { graph, distances: vec![f64::INFINITY; n], touched: Vec::new(), heap: Heap::new(n) }
    }

    /// Returns whether a path of at most `limit` connects the vertices.
    pub(crate) fn within(&mut self, from: u32, to: u32, limit: f64) -> bool {
        self.reach(from, 0.0);
        let mut found = false;
        while let Some((d, i)) = self.heap.pop() {
            if i == to {
                found = true;
                break;
            }
            let (next, weights) = self.graph.of(i as usize);
            for (&j, &w) in next.iter().zip(weights) {
                if d + w <= limit {
                    self.reach(j, d + w);
                }
            }
        }
        self.heap.clear();
        for i in self.touched.drain(..) {
            self.distances[i as usize] = f64::INFINITY;
        }
        found
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
