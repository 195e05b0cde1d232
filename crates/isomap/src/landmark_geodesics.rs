//! Geodesic distances from landmarks to all points.

use embedding::implement::{Validate, require};
use embedding::{Error, Observer};
use mds::Precision;
use mds::steps::{Distances, Packing};
use neighbor_graph::Graph;
use serde::{Deserialize, Serialize};

/// l × n distances, one landmark per row. Like [`Distances`] they are stored as squares, in a unit that is a
/// power of two near the longest edge.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct LandmarkGeodesics {
    packing: Packing,
    squares: Squares,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
enum Squares {
    Single(Vec<Vec<f32>>),
    Double(Vec<Vec<f64>>),
}

/// Bytes per point of two concurrent searches: the distances from sixteen sources twice, and
/// the queue.
const SEARCHES: u64 = 2 * (2 * 16 * 8 + 25);

impl LandmarkGeodesics {
    /// Returns the memory of the distances and of their computation.
    pub(crate) fn bytes(n: usize, landmarks: usize, precision: Precision) -> u64 {
        n as u64 * (landmarks as u64 * precision.bytes() + SEARCHES)
    }

    /// Runs one search per landmark, in parallel; stage `"geodesics"`.
    pub(crate) fn new(
        graph: &Graph,
        rows: &[u32],
        precision: Precision,
        observer: &dyn Observer,
    ) -> Result<Self, Error> {
        let packing = Packing::new(graph.longest_edge(), precision);
        let square = |d: &f64| packing.square(*d);
        let squares = match precision {
            Precision::Single => Squares::Single(
                graph
                    .geodesics_map(rows, observer, |_, row| row.iter().map(|d| square(d) as f32).collect())?,
            ),
            Precision::Double => Squares::Double(
                graph.geodesics_map(rows, observer, |_, row| row.iter().map(square).collect())?,
            ),
        };
        Ok(Self { packing, squares })
    }

    /// The distances between the landmarks, which are the points `rows`.
    pub(crate) fn between(&self, rows: &[u32]) -> Result<Distances, Error> {
        let mut own = vec![0.0; rows.len()];
        Distances::from_slots(rows.len(), self.packing, |slots| {
            slots.iter().try_for_each(|slot| {
                self.copy(rows[slot.row()] as usize, &mut own);
                slot.fill(&own[..slot.row()])
            })
        })
    }

    /// Fails unless there are `landmarks` rows of `n` finite distances.
    pub(crate) fn require_shape(&self, landmarks: usize, n: usize) -> Result<(), Error> {
        fn holds<T: Copy + Into<f64>>(rows: &[Vec<T>], landmarks: usize, n: usize) -> bool {
            let legal = |d: f64| d.is_finite() && d >= 0.0;
            rows.len() == landmarks
                && rows.iter().all(|row| row.len() == n && row.iter().all(|d| legal((*d).into())))
        }
        self.packing.validate()?;
        let (complete, precision) = match &self.squares {
            Squares::Single(rows) => (holds(rows, landmarks, n), Precision::Single),
            Squares::Double(rows) => (holds(rows, landmarks, n), Precision::Double),
        };
        require(complete, "it does not have a distance from every landmark to every point")?;
        require(
            precision == self.packing.precision(),
            "its distances have another precision than the model states",
        )
    }

    /// Copies the distances from training point `i` to the landmarks.
    pub(crate) fn copy(&self, i: usize, out: &mut [f64]) {
        let distance = |square: f64| self.packing.distance(square);
        match &self.squares {
            Squares::Single(rows) => {
                out.iter_mut().zip(rows).for_each(|(o, row)| *o = distance(f64::from(row[i])));
            }
            Squares::Double(rows) => out.iter_mut().zip(rows).for_each(|(o, row)| *o = distance(row[i])),
        }
    }

    /// Computes the distances from a new point that is connected to the graph by the
    /// given edges.
    pub(crate) fn copy_from_outside(&self, edges: &[(u32, f64)], out: &mut [f64]) {
        let mut own = vec![0.0; out.len()];
        out.fill(f64::INFINITY);
        for &(j, w) in edges {
            self.copy(j as usize, &mut own);
            out.iter_mut().zip(&own).for_each(|(o, d)| *o = o.min(w + d));
        }
    }
}
