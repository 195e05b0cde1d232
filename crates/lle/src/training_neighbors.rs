//! The training points near new ones.

use embedding::implement::{PairDistances, Validate, require, require_finite};
use embedding::{Embedding, Error, Points, TrainingRows};
use neighbor_graph::{Manifold, NeighborIndex, Neighborhood};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::chart::Chart;

/// The training points of a model, and the extension of its coordinates to new points.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct TrainingNeighbors {
    index: NeighborIndex,
    /// For a model of distances, the distances between training points: row i of the lower triangle has i
    /// numbers.
    triangle: Option<Vec<f64>>,
}

impl Validate for TrainingNeighbors {
    fn validate(&self) -> Result<(), Error> {
        self.index.validate()?;
        let Some(triangle) = &self.triangle else {
            return require(self.index.points().is_some(), "it lacks its training points");
        };
        let n = self.index.len();
        let complete = n.checked_mul(n - 1).is_some_and(|twice| triangle.len() == twice / 2);
        require(complete && self.index.points().is_none(), "it lacks distances between its training points")?;
        require_finite(triangle, "a distance")?;
        require(triangle.iter().all(|d| *d >= 0.0), "a distance is negative")
    }
}

/// Where row `i` of a lower triangle starts.
fn start(i: usize) -> usize {
    i * i.saturating_sub(1) / 2
}

impl TrainingNeighbors {
    /// The training points, of a model of points.
    pub(crate) fn points(&self) -> Option<Points<'_>> {
        self.index.points()
    }

    /// Keeps the training points, or copies the distances between them: 4 n² bytes.
    ///
    /// Fails when all points coincide, so that nothing can be unfolded, when these bytes
    /// exceed the memory limit, and when there are neighbor lists alone.
    pub(crate) fn of(manifold: &Manifold<'_>) -> Result<Self, Error> {
        let distances = manifold.pair_distances()?;
        distances.require_distinct()?;
        let index = NeighborIndex::of(manifold);
        let triangle = match distances {
            PairDistances::Distances(distances) => {
                let n = distances.len();
                let advice = "use fewer points, or allow more memory";
                let needed = 8 * start(n) as u64;
                manifold.memory_limit.allow("the distances that the model keeps", needed, advice)?;
                Some((0..n).flat_map(|i| (0..i).map(move |j| distances.get(i, j))).collect())
            }
            PairDistances::Points(_) => None,
        };
        Ok(Self { index, triangle })
    }

    /// Keeps points; the `k` nearest are the neighbors of a new point, or all where there are no more than k
    /// + 1.
    ///
    /// Fails where k is 0 and when all points coincide.
    pub(crate) fn of_points(points: Points<'_>, k: usize) -> Result<Self, Error> {
        if k == 0 {
            return Err(Error::parameter("k", "at least 1", k));
        }
        PairDistances::from(points).require_distinct()?;
        Ok(Self { index: NeighborIndex::new(points, Neighborhood::Nearest { k }), triangle: None })
    }

    /// Bytes that it copies from a manifold.
    pub(crate) fn bytes(&self, manifold: &Manifold<'_>) -> u64 {
        manifold.copied_bytes() + self.triangle.as_deref().map_or(0, size_of_val) as u64
    }

    /// The number of training points.
    pub(crate) fn len(&self) -> usize {
        self.index.len()
    }

    /// Places each row of `new` independently, in parallel. Where `known` requests it, a row equal to a
    /// training row (the first of several) gets the coordinates of the training row. For every other row
    /// `work(scratch, row, chart, near, out)` writes its coordinates to `out`, given the chart of its
    /// neighbors around it.
    pub(crate) fn place<S>(
        &self,
        new: Points<'_>,
        y: &Embedding,
        known: TrainingRows<'_>,
        scratch: impl Fn() -> S + Sync + Send,
        work: impl Fn(&mut S, usize, &Chart, &[u32], &mut [f64]) -> Result<(), Error> + Sync,
    ) -> Result<Embedding, Error> {
        let lists = self.index.lists_of(new, known)?;
        let mut placed = vec![0.0; new.len() * y.dim()];
        let failures: Vec<Error> = placed
            .par_chunks_exact_mut(y.dim())
            .zip(&lists)
            .with_min_len(16)
            .enumerate()
            .map_init(
                || (scratch(), Chart::default(), Vec::new()),
                |(memory, chart, near), (row, (out, list))| {
                    let x = new.row(row);
                    let twin = self.twin(x, list).filter(|_| known == TrainingRows::Stored);
                    if let Some(j) = twin {
                        out.copy_from_slice(y.row(j));
                        return None;
                    }
                    near.clear();
                    near.extend(list.iter().map(|e| e.0));
                    self.measure(chart, x, near);
                    let placed = work(memory, row, chart, near, out);
                    placed.and_then(|()| require_near(row, out)).err()
                },
            )
            .collect::<Vec<Option<Error>>>()
            .into_iter()
            .flatten()
            .collect();
        match failures.into_iter().next() {
            Some(error) => Err(error),
            None => Ok(Embedding::from_rows(placed, y.dim())),
        }
    }

    /// The first training point in a list that is equal to a new point.
    fn twin(&self, x: &[f64], list: &[(u32, f64)]) -> Option<usize> {
        // Squares of small differences underflow: a distance of 0 is not equality.
        let equal = |j: usize| self.index.points().is_none_or(|points| points.row(j) == x);
        list.iter().take_while(|e| e.1 == 0.0).map(|e| e.0 as usize).find(|&j| equal(j))
    }

    /// The chart of training points around a new one: its coordinates, or its distances
    /// to all training points.
    fn measure(&self, chart: &mut Chart, x: &[f64], near: &[u32]) {
        let Some(triangle) = &self.triangle else {
            let points = self.index.points().expect("made and read with its points or their distances");
            return chart.differences(points, x, near);
        };
        chart.scale(near.len() + 1, |a, b| match (a.min(b), a.max(b)) {
            (a, b) if a == b => 0.0,
            (0, b) => x[near[b - 1] as usize],
            (a, b) => {
                let (i, j) = (near[a - 1] as usize, near[b - 1] as usize);
                triangle[start(i.max(j)) + i.min(j)]
            }
        });
    }
}

fn require_near(row: usize, y: &[f64]) -> Result<(), Error> {
    if y.iter().all(|v| v.is_finite()) {
        return Ok(());
    }
    Err(Error::degenerate(
        format!("new point {row} lies too far from the training points for floating point"),
        "check the scale of the new points",
    ))
}
