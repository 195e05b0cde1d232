//! Shortest-path distances in the graph.
//!
//! Every distance is the minimum over all paths of the edge weights summed in floating
//! point from the source on. Rounding is monotone, so the result does not depend on the
//! order of relaxation: single-source and 16-source searches agree bitwise.

use embedding::implement::proceed;
use embedding::{Error, Observer, Silent};
use rayon::prelude::*;

use crate::Graph;
use crate::graph::batched_geodesics::{Ordered, Workspace, batches};
use crate::graph::heap::Heap;

/// Batches between progress reports.
const GROUP: usize = 16;

impl Graph {
    /// Computes the distances from one vertex; infinite to other components.
    ///
    /// Dijkstra's algorithm with an indexed 4-ary heap: O(edges + n log n) time, O(n)
    /// memory.
    pub fn geodesics_from(&self, source: usize) -> Vec<f64> {
        self.geodesics_from_outside(&[(source as u32, 0.0)])
    }

    /// Computes the distances from a point outside the graph that is connected to it by
    /// the given edges (vertex, length); infinite to other components.
    pub fn geodesics_from_outside(&self, edges: &[(u32, f64)]) -> Vec<f64> {
        self.view().geodesics_from_outside(edges)
    }

    /// The source that is nearest to each vertex along the edges, by its position in
    /// `sources`; `None` in components without a source. A source is nearest to itself;
    /// among other sources at equal distance, the one that was reached first counts.
    ///
    /// One search by Dijkstra's algorithm: O(edges + n log n) time, O(n) memory. Fails with
    /// [`Error::Parameter`] if a source is not a vertex.
    ///
    /// ```
    /// use neighbor_graph::Graph;
    /// let path = Graph::from_edges(4, &[(0, 1, 1.0), (1, 2, 3.0), (2, 3, 1.0)])?;
    /// assert_eq!(path.nearest_sources(&[3, 0])?, [Some(1), Some(1), Some(0), Some(0)]);
    /// # Ok::<(), embedding::Error>(())
    /// ```
    pub fn nearest_sources(&self, sources: &[u32]) -> Result<Vec<Option<u32>>, Error> {
        self.check_sources(sources)?;
        let mut nearest = vec![None; self.len()];
        let mut distances = vec![f64::INFINITY; self.len()];
        let mut heap = Heap::new(self.len());
        for (&source, at) in sources.iter().zip(0..) {
            if distances[source as usize] > 0.0 {
                distances[source as usize] = 0.0;
                nearest[source as usize] = Some(at);
                heap.offer(source, 0.0);
            }
        }
        while let Some((d, i)) = heap.pop() {
            let (js, ws) = self.of(i as usize);
            for (&j, &w) in js.iter().zip(ws) {
                if d + w < distances[j as usize] {
                    distances[j as usize] = d + w;
                    nearest[j as usize] = nearest[i as usize];
                    heap.offer(j, d + w);
                }
            }
        }
        Ok(nearest)
    }

    fn check_sources(&self, sources: &[u32]) -> Result<(), Error> {
        match sources.iter().find(|&&s| s as usize >= self.len()) {
            None => Ok(()),
            Some(bad) => Err(Error::parameter("a source", format!("a vertex below {}", self.len()), bad)),
        }
    }

    /// Computes one row of distances per source, in parallel; stage `"geodesics"`.
    /// Returns `sources.len()` × n numbers; [`Graph::geodesics_map`] avoids storing them.
    pub fn geodesics(&self, sources: &[u32], observer: &dyn Observer) -> Result<Vec<Vec<f64>>, Error> {
        self.geodesics_map(sources, observer, |_, row| row.to_vec())
    }

    /// Calls `map(s, row)` with the distances from `sources[s]` to all vertices, in
    /// parallel, and returns the results in the order of the sources; stage
    /// `"geodesics"`.
    ///
    /// Up to sixteen nearby sources are searched together: they settle the vertices in
    /// nearly the same order, so they share one queue and one pass over the edges.
    /// Isolated sources are searched individually. O(sources · (edges + n log n)) time;
    /// 32 n numbers per thread in addition to the results of `map`.
    ///
    /// Fails with [`Error::Parameter`] if a source is not a vertex.
    pub fn geodesics_map<T: Send>(
        &self,
        sources: &[u32],
        observer: &dyn Observer,
        map: impl Fn(usize, &[f64]) -> T + Sync,
    ) -> Result<Vec<T>, Error> {
        self.check_sources(sources)?;
        observer.stage("geodesics");
        let edges: Vec<[(u32, f64); 1]> = sources.iter().map(|&source| [(source, 0.0)]).collect();
        self.map_sources(sources, &edges, observer, map)
    }

    /// Calls `map(s, row)` with the distances to all vertices from the `s`-th of several points outside
    /// the graph, each connected to it by the given edges (vertex, length), and returns the
    /// results in their order.
    ///
    /// As [`Graph::geodesics_map`], and the same distances as
    /// [`Graph::geodesics_from_outside`]; they are infinite without edges. Panics where an edge leads
    /// to no vertex.
    ///
    /// ```
    /// use neighbor_graph::Graph;
    /// let path = Graph::from_edges(3, &[(0, 1, 1.0), (1, 2, 3.0)])?;
    /// let points = [vec![(0, 0.5)], vec![(1, 2.0), (2, 0.25)]];
    /// let rows = path.geodesics_map_from_outside(&points, |_, row| row.to_vec());
    /// assert_eq!(rows, [[0.5, 1.5, 4.5], [3.0, 2.0, 0.25]]);
    /// # Ok::<(), embedding::Error>(())
    /// ```
    pub fn geodesics_map_from_outside<T: Send>(
        &self,
        edges: &[Vec<(u32, f64)>],
        map: impl Fn(usize, &[f64]) -> T + Sync,
    ) -> Vec<T> {
        if let [only] = edges {
            // Reordering the graph would take as long.
            return vec![map(0, &self.geodesics_from_outside(only))];
        }
        let nearest = |edges: &Vec<(u32, f64)>| {
            let edge = edges.iter().min_by(|a, b| a.1.total_cmp(&b.1));
            edge.map_or(0, |edge| edge.0)
        };
        let anchors: Vec<u32> = edges.iter().map(nearest).collect();
        self.map_sources(&anchors, edges, &Silent, map).expect("nothing cancels")
    }

    /// The search for sources that are connected to the graph by edges. Sources with nearby
    /// `anchors`, one vertex per source, are searched together.
    fn map_sources<E: AsRef<[(u32, f64)]> + Sync, T: Send>(
        &self,
        anchors: &[u32],
        edges: &[E],
        observer: &dyn Observer,
        map: impl Fn(usize, &[f64]) -> T + Sync,
    ) -> Result<Vec<T>, Error> {
        proceed(observer, 0, edges.len())?;
        let batches = batches(self, anchors);
        let ordered = Ordered::new(self);
        let mut results: Vec<Option<T>> = edges.iter().map(|_| None).collect();
        let mut done = 0;
        for group in batches.chunks(GROUP * rayon::current_num_threads()) {
            let found: Vec<Vec<T>> = group
                .par_iter()
                .map_init(
                    || Workspace::new(self.len()),
                    |workspace, batch| {
                        let sources: Vec<&[(u32, f64)]> =
                            batch.iter().map(|&s| edges[s as usize].as_ref()).collect();
                        let rows = workspace.run(&ordered, &sources);
                        batch.iter().zip(rows).map(|(&s, row)| map(s as usize, row)).collect()
                    },
                )
                .collect();
            for (batch, mapped) in group.iter().zip(found) {
                done += batch.len();
                for (&s, value) in batch.iter().zip(mapped) {
                    results[s as usize] = Some(value);
                }
            }
            proceed(observer, done, edges.len())?;
        }
        Ok(results.into_iter().map(|value| value.expect("every source is in one batch")).collect())
    }
}
