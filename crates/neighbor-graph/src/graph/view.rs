//! Graphs whose arrays are owned elsewhere.

use embedding::Error;

use crate::graph::heap::Heap;

/// A graph in borrowed arrays, such as arrays of a file mapped into memory. For vertex i the
/// entries `offsets[i]..offsets[i + 1]` of `indices` and `weights` are its neighbors and the
/// weights of the edges to them.
///
/// Invariants: one offset more than vertices, ascending; neighbors below their number;
/// weights finite and not negative.
#[derive(Clone, Copy, Debug)]
pub struct GraphView<'a> {
    offsets: &'a [usize],
    indices: &'a [u32],
    weights: &'a [f64],
}

impl<'a> GraphView<'a> {
    /// Checks the invariants; O(n + edges) time, no memory.
    ///
    /// Fails with [`Error::Model`] where one does not hold.
    ///
    /// ```
    /// use neighbor_graph::GraphView;
    /// let path = GraphView::new(&[0, 1, 3, 4], &[1, 0, 2, 1], &[2.0, 2.0, 0.5, 0.5])?;
    /// assert_eq!(path.geodesics_from(0), vec![0.0, 2.0, 2.5]);
    /// assert!(GraphView::new(&[0, 1], &[1], &[2.0]).is_err());
    /// # Ok::<(), embedding::Error>(())
    /// ```
    pub fn new(offsets: &'a [usize], indices: &'a [u32], weights: &'a [f64]) -> Result<Self, Error> {
        let fits = offsets.first() == Some(&0)
            && offsets.last() == Some(&indices.len())
            && indices.len() == weights.len()
            && offsets.is_sorted()
            && offsets.len() <= u32::MAX as usize;
        if !fits {
            return Err(Error::damaged("the rows of a graph do not match its entries"));
        }
        let n = offsets.len() - 1;
        if let Some(bad) = indices.iter().find(|j| **j as usize >= n) {
            return Err(Error::damaged(format!("an edge of a graph of {n} vertices leads to vertex {bad}")));
        }
        if let Some(bad) = weights.iter().find(|w| !(w.is_finite() && **w >= 0.0)) {
            return Err(Error::damaged(format!("the weight {bad} of an edge is negative or not finite")));
        }
        Ok(Self::unchecked(offsets, indices, weights))
    }

    /// The arrays of a graph that was checked.
    pub(super) fn unchecked(offsets: &'a [usize], indices: &'a [u32], weights: &'a [f64]) -> Self {
        Self { offsets, indices, weights }
    }

    /// The number of vertices, n.
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Whether there are no vertices.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The offsets, n + 1.
    pub fn offsets(&self) -> &'a [usize] {
        self.offsets
    }

    /// The neighbors of all vertices, one vertex after the other.
    pub fn indices(&self) -> &'a [u32] {
        self.indices
    }

    /// The weights of the edges to these neighbors.
    pub fn weights(&self) -> &'a [f64] {
        self.weights
    }

    /// The neighbors of vertex `i`, and the weights of the edges to them.
    pub fn of(&self, i: usize) -> (&'a [u32], &'a [f64]) {
        let range = self.offsets[i]..self.offsets[i + 1];
        (&self.indices[range.clone()], &self.weights[range])
    }

    /// The distances from one vertex; infinite to other components.
    ///
    /// Dijkstra's algorithm with an indexed 4-ary heap: O(edges + n log n) time, O(n)
    /// memory.
    pub fn geodesics_from(&self, source: usize) -> Vec<f64> {
        self.geodesics_from_outside(&[(source as u32, 0.0)])
    }

    /// The distances from a point outside the graph that is connected to it by the given
    /// edges (vertex, length); infinite to other components.
    pub(super) fn geodesics_from_outside(&self, edges: &[(u32, f64)]) -> Vec<f64> {
        let mut distances = vec![f64::INFINITY; self.len()];
        let mut heap = Heap::new(self.len());
        for &(j, w) in edges {
            if w < distances[j as usize] {
                distances[j as usize] = w;
                heap.offer(j, w);
            }
        }
        while let Some((d, i)) = heap.pop() {
            let (js, ws) = self.of(i as usize);
            for (&j, &w) in js.iter().zip(ws) {
                let candidate = d + w;
                if candidate < distances[j as usize] {
                    distances[j as usize] = candidate;
                    heap.offer(j, candidate);
                }
            }
        }
        distances
    }
}
