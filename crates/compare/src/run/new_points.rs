//! How well a map places points that it was not made of.

use embedding::{Embedding, Error, MemoryLimit, PointSet, Rows, TrainingRows, Transform};
use quality::RowSample;
use quality::ranks::SharedRanks;

use crate::measures::EvaluationData;
use crate::results::NewPoints;

/// The number of points that are placed as new ones.
const SAMPLE: usize = 200;

/// Sampled points of a data set, and the ranks of all points by their distance from each.
pub(super) struct NewPointRanks<'a> {
    known: EvaluationData<'a>,
    ranks: SharedRanks,
    k: usize,
}

impl<'a> NewPointRanks<'a> {
    /// `None` where the points are too few for ranks of `k` neighbors, or the ranks take more than `memory`.
    pub(super) fn of(
        known: EvaluationData<'a>,
        k: usize,
        memory: MemoryLimit,
    ) -> Result<Option<Self>, Error> {
        let n = known.points.len();
        if 2 * k >= n || (8 * SAMPLE * n) as u64 > memory.bytes {
            return Ok(None);
        }
        let rows = RowSample::Sample { count: SAMPLE, seed: 0 };
        let ranks = SharedRanks::by_metric(known.original(), known.metric, rows)?;
        Ok(Some(Self { known, ranks, k }))
    }

    /// The score of a map that `model` made; `None` where the map leaves points out.
    pub(super) fn score(&self, model: &dyn Transform, map: &Embedding) -> Result<Option<NewPoints>, Error> {
        if map.placed_rows().is_some() {
            return Ok(None);
        }
        let rows = self.ranks.rows();
        let left_out: Vec<Option<u32>> = rows.iter().copied().map(Some).collect();
        let known = TrainingRows::LeftOut(&left_out);
        let places = match self.known.points {
            Rows::Dense(points) => model.place(Rows::from(points.select(rows).view()), known)?,
            Rows::Sparse(points) => model.place(Rows::from(points.select(rows).view()), known)?,
        };
        let (map, places) =
            (PointSet::from_mat(map.coordinates())?, PointSet::from_mat(places.coordinates())?);
        let found = self.ranks.trustworthiness_of_new(map.view(), places.view(), self.k)?;
        let error = found.standard_error;
        Ok(Some(NewPoints {
            trustworthiness: found.value,
            standard_error: (error > 0.0).then_some(error),
            points: rows.len(),
        }))
    }
}
