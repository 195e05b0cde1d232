//! Out-of-sample placement of new points in a fixed map.

use embedding::implement::{Bound, ONE, Range, Scale, Sizes, Validate, require};
use embedding::{Embedding, Error, Points, TrainingRows};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::{ReducedPoints, ScaledNeighbors, Scales, Training};

/// What a model stores to place new points by their neighbors.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Placing {
    /// The training points.
    pub training: Training,
    /// The scales of the training points.
    pub scales: Scales,
    /// Number of neighbors of a new point that are selected.
    pub selected: usize,
    /// Most steps of a new point.
    pub steps: usize,
}

/// Legal numbers of steps of a new point.
const STEPS: Range = Range::between(ONE, Bound::new("1000000", |_| Some(1e6)));

impl Placing {
    /// Prepares to place new points in a map of `points`; each gets `selected` neighbors and at most `steps`
    /// steps.
    pub fn new(points: ReducedPoints<'_>, neighbors: ScaledNeighbors, selected: usize, steps: usize) -> Self {
        Self { training: points.into_training(), scales: neighbors.into_scales(), selected, steps }
    }

    /// Coordinates of the rows of `new` in the map of the training points. `find(row, candidates)` returns
    /// the coordinates of one row, independently of the others; the candidates are from
    /// [`Training::candidates`]. A row that equals a training row takes its coordinates, where `known`
    /// requests it.
    pub fn place(
        &self,
        new: Points<'_>,
        map: &Embedding,
        known: TrainingRows<'_>,
        find: impl Fn(usize, &[(u32, f64)]) -> Vec<f64> + Sync,
    ) -> Result<Embedding, Error> {
        let lists = self.training.candidates(new, known)?;
        let rows: Vec<Vec<f64>> = lists
            .par_iter()
            .enumerate()
            .map(|(row, list)| match list[0] {
                (nearest, 0.0) if known == TrainingRows::Stored => map.row(nearest as usize).to_vec(),
                _ => find(row, list),
            })
            .collect();
        Ok(Embedding::from_rows(rows.concat(), map.dim()))
    }

    /// The same after the points are multiplied by a power of two.
    pub fn multiplied(self, scale: Scale) -> Self {
        Self { training: self.training.multiplied(scale), ..self }
    }

    /// The neighbors (training point, distance) that are selected among candidates, by
    /// scaled distance.
    pub fn neighbors(&self, candidates: &[(u32, f64)]) -> Vec<(u32, f64)> {
        self.scales.nearest(candidates.iter().copied(), self.selected)
    }

    /// Fails unless new points can be placed in a map of `n` points.
    pub fn require(&self, n: usize) -> Result<(), Error> {
        self.training.validate()?;
        self.scales.validate()?;
        let whole = self.training.len() == n && self.scales.len() == n;
        require(whole, "it does not have a training point and a scale for every row")?;
        require(self.selected >= 1, "its number of neighbors is 0")?;
        let steps = STEPS.at(&Sizes::default()).contain(self.steps as f64);
        require(steps, "it takes too many steps for a new point")
    }
}
