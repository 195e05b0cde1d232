//! Geodesics from every point to every landmark.

use embedding::{Error, Observer, proceed};
use mds::Precision;
use neighbor_graph::Graph;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// Landmarks whose geodesics are held twice for a moment.
const BATCH: usize = 16;

/// n × l distances, one point per row.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct LandmarkGeodesics {
    landmarks: usize,
    store: Store,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
enum Store {
    Single(Vec<f32>),
    Double(Vec<f64>),
}

impl LandmarkGeodesics {
    /// Bytes while they are computed.
    pub(crate) fn bytes(n: usize, landmarks: usize, precision: Precision) -> u64 {
        let (n, l) = (n as u64, landmarks as u64);
        n * l * precision.bytes() + 8 * n * l.min(BATCH as u64)
    }

    /// One search per landmark, in parallel; reports steps of the stage that
    /// the caller has begun.
    pub(crate) fn new(
        graph: &Graph,
        rows: &[u32],
        precision: Precision,
        observer: &dyn Observer,
    ) -> Result<Self, Error> {
        let (n, l) = (graph.len(), rows.len());
        let mut store = match precision {
            Precision::Single => Store::Single(vec![0.0; n * l]),
            Precision::Double => Store::Double(vec![0.0; n * l]),
        };
        proceed(observer, 0, l)?;
        for (batch, sources) in rows.chunks(BATCH).enumerate() {
            let first = batch * BATCH;
            let found: Vec<Vec<f64>> =
                sources.par_iter().map(|&s| graph.geodesics_from(s as usize)).collect();
            match &mut store {
                Store::Single(values) => scatter(values, l, first, &found, |d| d as f32),
                Store::Double(values) => scatter(values, l, first, &found, |d| d),
            }
            proceed(observer, first + sources.len(), l)?;
        }
        Ok(Self { landmarks: l, store })
    }

    /// Writes the distances of training point `i` to the landmarks.
    pub(crate) fn copy(&self, i: usize, out: &mut [f64]) {
        let range = i * self.landmarks..(i + 1) * self.landmarks;
        match &self.store {
            Store::Single(values) => out.iter_mut().zip(&values[range]).for_each(|(o, v)| *o = f64::from(*v)),
            Store::Double(values) => out.copy_from_slice(&values[range][..out.len()]),
        }
    }

    /// Writes the distances of a point that enters the graph by the given edges.
    pub(crate) fn copy_from_outside(&self, edges: &[(u32, f64)], out: &mut [f64]) {
        let mut own = vec![0.0; self.landmarks];
        out.fill(f64::INFINITY);
        for &(j, w) in edges {
            self.copy(j as usize, &mut own);
            out.iter_mut().zip(&own).for_each(|(o, d)| *o = o.min(w + d));
        }
    }
}

fn scatter<T: Copy + Send>(
    values: &mut [T],
    landmarks: usize,
    first: usize,
    found: &[Vec<f64>],
    store: impl Fn(f64) -> T + Sync,
) {
    values.par_chunks_mut(landmarks).enumerate().for_each(|(i, row)| {
        row[first..].iter_mut().zip(found).for_each(|(v, distances)| *v = store(distances[i]));
    });
}
