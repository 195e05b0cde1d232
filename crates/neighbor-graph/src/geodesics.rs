//! Shortest paths along the graph.
//!
//! Every value is the least, over all paths, of the edge weights added in
//! floating point from the source on. Rounding is monotone, so relaxing edges
//! in any order until nothing improves ends at the same bits: one source at a
//! time and sixteen at once agree exactly.

use embedding::{Error, Observer, proceed};
use rayon::prelude::*;

use crate::Graph;
use crate::heap::Heap;
use crate::sweep::{Ordered, Sweep, batches};

/// Batches between two reports to the observer.
const GROUP: usize = 16;

impl Graph {
    /// Distances along the graph from one vertex; infinite where there is no way.
    ///
    /// Dijkstra's algorithm on an indexed 4-ary heap:
    /// O(edges + n log n) time, O(n) memory.
    pub fn geodesics_from(&self, source: usize) -> Vec<f64> {
        self.geodesics_from_outside(&[(source as u32, 0.0)])
    }

    /// Distances along the graph from a point outside it that has the given
    /// edges (vertex, length) into it; infinite where there is no way.
    pub fn geodesics_from_outside(&self, edges: &[(u32, f64)]) -> Vec<f64> {
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

    /// One row of distances per source, in parallel; stage `"geodesics"`.
    /// `sources.len()` × n numbers; [`Graph::geodesics_map`] need keep none.
    pub fn geodesics(&self, sources: &[u32], observer: &dyn Observer) -> Result<Vec<Vec<f64>>, Error> {
        self.geodesics_map(sources, observer, |_, row| row.to_vec())
    }

    /// Calls `map(s, row)` with the distances from `sources[s]` to all
    /// vertices, in parallel, and returns the results in the order of the
    /// sources; stage `"geodesics"`.
    ///
    /// Sources close to each other travel together, sixteen at a time: they
    /// reach the vertices in nearly the same order, so one queue and one pass
    /// over the edges serve all of them. A source with no other nearby goes
    /// alone. O(sources · (edges + n log n)) time; 32 n numbers per thread
    /// beside what `map` returns.
    ///
    /// Fails with [`Error::Parameter`] when a source is not a vertex.
    pub fn geodesics_map<T: Send>(
        &self,
        sources: &[u32],
        observer: &dyn Observer,
        map: impl Fn(usize, &[f64]) -> T + Sync,
    ) -> Result<Vec<T>, Error> {
        if let Some(&bad) = sources.iter().find(|&&s| s as usize >= self.len()) {
            return Err(Error::parameter("a source", format!("a vertex below {}", self.len()), bad));
        }
        observer.stage("geodesics");
        proceed(observer, 0, sources.len())?;
        let batches = batches(self, sources);
        let ordered = Ordered::new(self);
        let mut results: Vec<Option<T>> = sources.iter().map(|_| None).collect();
        let mut done = 0;
        for group in batches.chunks(GROUP * rayon::current_num_threads()) {
            let found: Vec<Vec<T>> = group
                .par_iter()
                .map_init(
                    || Sweep::new(self.len()),
                    |sweep, batch| {
                        let starts: Vec<u32> = batch.iter().map(|&s| sources[s as usize]).collect();
                        let rows = sweep.run(&ordered, &starts);
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
            proceed(observer, done, sources.len())?;
        }
        Ok(results.into_iter().map(|value| value.expect("every source is in one batch")).collect())
    }
}
