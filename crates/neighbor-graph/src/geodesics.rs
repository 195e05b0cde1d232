//! Shortest paths along the graph.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use embedding::{Error, Observer, proceed};
use rayon::prelude::*;

use crate::Graph;

impl Graph {
    /// Distances along the graph from one vertex; infinite where there is no way.
    pub fn geodesics_from(&self, source: usize) -> Vec<f64> {
        self.geodesics_from_outside(&[(source as u32, 0.0)])
    }

    /// Distances along the graph from a point outside it that has the given
    /// edges (vertex, length) into it; infinite where there is no way.
    pub fn geodesics_from_outside(&self, edges: &[(u32, f64)]) -> Vec<f64> {
        let mut distances = vec![f64::INFINITY; self.len()];
        // Distances are not negative, so their bits order as they do.
        let mut heap = BinaryHeap::new();
        for &(j, w) in edges {
            if w < distances[j as usize] {
                distances[j as usize] = w;
                heap.push(Reverse((w.to_bits(), j)));
            }
        }
        while let Some(Reverse((bits, i))) = heap.pop() {
            let d = f64::from_bits(bits);
            if d > distances[i as usize] {
                continue;
            }
            let (js, ws) = self.of(i as usize);
            for (&j, &w) in js.iter().zip(ws) {
                let candidate = d + w;
                if candidate < distances[j as usize] {
                    distances[j as usize] = candidate;
                    heap.push(Reverse((candidate.to_bits(), j)));
                }
            }
        }
        distances
    }

    /// One row of distances per source, in parallel; stage `"geodesics"`.
    /// `sources.len()` × n numbers.
    pub fn geodesics(&self, sources: &[u32], observer: &dyn Observer) -> Result<Vec<Vec<f64>>, Error> {
        observer.stage("geodesics");
        let total = sources.len();
        let mut rows = Vec::with_capacity(total);
        for chunk in sources.chunks(64) {
            rows.par_extend(chunk.par_iter().map(|&s| self.geodesics_from(s as usize)));
            proceed(observer, rows.len(), total)?;
        }
        Ok(rows)
    }
}
