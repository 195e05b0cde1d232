//! Shortest-path distances in the graph.
//!
//! Every distance is the minimum over all paths of the edge weights summed in floating
//! point from the source on. Rounding is monotone, so the result does not depend on the
//! order of relaxation: single-source and 16-source searches agree bitwise.

use embedding::{Error, Observer, proceed};
use rayon::prelude::*;

use crate::Graph;
use crate::graph::sweep::{Ordered, Sweep, batches};

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
