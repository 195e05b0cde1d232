//! The training points of a model that compares new points by a metric.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::implement::{Validate, require};
use crate::{Embedding, Error, Metric, PointSet, Points};

/// New points whose distances are stored together.
const BLOCK: usize = 256;

/// Training points with a metric, which a model of distances keeps if it was fitted to
/// points.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrainingPoints {
    points: PointSet,
    metric: Metric,
}

impl TrainingPoints {
    /// Keeps the points ([`Points::to_owned`]).
    pub fn new(points: Points<'_>, metric: Metric) -> Self {
        Self { points: points.to_owned(), metric }
    }

    /// The points.
    pub fn points(&self) -> Points<'_> {
        self.points.view()
    }

    /// The metric.
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// The number of points, n.
    pub fn len(&self) -> usize {
        self.points.len()
    }

    /// Always false: there is no empty data set.
    pub fn is_empty(&self) -> bool {
        self.points.is_empty()
    }

    /// Places new points by `place`, block by block, which takes distances of new points to these, one row of
    /// n columns per new point. O(m n D) time for m new points.
    ///
    /// Fails where the new points have another number of columns, where the metric does not
    /// apply to one of them ([`Metric::prepare`]), and as `place`.
    pub fn place(
        &self,
        new: Points<'_>,
        mut place: impl FnMut(Points<'_>) -> Result<Embedding, Error>,
    ) -> Result<Embedding, Error> {
        let n = self.len();
        new.check_columns(self.points.dim())?;
        let (known, new) = (self.metric.prepare(self.points.view())?, self.metric.prepare(new)?);
        known.check_new(&new)?;
        let (known, rows, new, dim) = (&known, known.rows(), new.rows(), new.rows().dim());
        let mut values = Vec::new();
        let mut columns = 0;
        for (number, block) in new.values().chunks(BLOCK * dim).enumerate() {
            let mut distances = vec![0.0; block.len() / dim * n];
            distances.par_chunks_mut(n).zip(block.par_chunks(dim)).for_each(|(row, from)| {
                row.iter_mut().zip(rows.rows()).for_each(|(d, to)| *d = known.between(from, to));
            });
            if let Some(at) = distances.iter().position(|distance| !distance.is_finite()) {
                let row = number * BLOCK + at / n;
                return Err(Error::degenerate(
                    format!(
                        "the distances of new point {row} from the training points exceed the range of numbers"
                    ),
                    "leave it out, or bring the new points to the units of the training data",
                ));
            }
            let placed = place(Points::new(&distances, n)?)?;
            columns = placed.dim();
            values.extend_from_slice(placed.values());
        }
        Ok(Embedding::from_rows(values, columns))
    }
}

impl Validate for TrainingPoints {
    fn validate(&self) -> Result<(), Error> {
        self.metric.validate()?;
        require(self.metric.prepare(self.points.view()).is_ok(), "its metric does not apply to its points")
    }
}
