//! Ranks of one data set, computed once for the comparison of several embeddings.

use embedding::implement::squared_distance;
use embedding::{Error, Metric, PointSet, Points};
use faer::traits::pulp::{Arch, NullaryFnOnce};
use rayon::prelude::*;

use crate::ranked_row::{RankedRow, check_k};
use crate::reference_distances::{at_any_scale, same_length};
use crate::row_sample::no_row;
use crate::trustworthiness::row_normalization;
use crate::{Estimate, Original, RowSample};

/// The distances of a data set used by trustworthiness and continuity.
///
/// *Idea.* In high dimensions the cost of a rank measure is dominated by the distances of
/// the data, which are the same for every embedding.
///
/// *Cost.* O(rows · n D) time once (O(rows · entries) for sparse points) and 8 · rows · n bytes,
/// then O(rows · n (d + k)) time per embedding.
///
/// ```
/// use embedding::Points;
/// let line: Vec<f64> = (0..20).map(f64::from).collect();
/// let line = Points::new(&line, 1)?;
/// let ranks = quality::ranks::SharedRanks::new(line, quality::RowSample::All);
/// assert_eq!(ranks.score(line, 5)?.trustworthiness.value, 1.0);
/// # Ok::<(), embedding::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct SharedRanks {
    n: usize,
    rows: Vec<u32>,
    /// Squared distances, or other numbers of the same order, n per sampled row.
    squared: Vec<f64>,
}

/// Trustworthiness and continuity of one embedding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RankScores {
    /// See [`crate::ranks::trustworthiness_over`].
    pub trustworthiness: Estimate,
    /// See [`crate::ranks::continuity_over`].
    pub continuity: Estimate,
}

impl SharedRanks {
    /// Computes the Euclidean or given distances from the sampled rows to all points.
    pub fn new<'a>(data: impl Into<Original<'a>>, rows: RowSample) -> Self {
        let data = data.into();
        let rows = rows.choose(data.len());
        let measure = |data: Original<'_>| {
            Ok(of_pairs(
                data.len(),
                &rows,
                #[inline(always)]
                |i, j| data.squared_distance(i, j),
            ))
        };
        let squared = data.divided(data.scale(), measure);
        let squared = squared.expect("divided by their scale, points are finite");
        Self { n: data.len(), rows, squared }
    }

    /// The same by a metric of points. Given distances have their own.
    ///
    /// Fails as [`Metric::prepare`] and [`Metric::prepare_sparse`].
    pub fn by_metric<'a>(
        data: impl Into<Original<'a>>,
        metric: Metric,
        rows: RowSample,
    ) -> Result<Self, Error> {
        let data = data.into();
        let (n, chosen) = (data.len(), rows.choose(data.len()));
        let squared = match data {
            Original::Distances(_) => return Ok(Self::new(data, rows)),
            _ if metric.is_euclidean() => return Ok(Self::new(data, rows)),
            Original::Points(points) => {
                let points = metric.prepare(points)?;
                of_pairs(
                    n,
                    &chosen,
                    #[inline(always)]
                    |i, j| points.distance(i, j),
                )
            }
            Original::Sparse(points) => {
                let points = metric.prepare_sparse(points)?;
                of_pairs(n, &chosen, |i, j| points.distance(i, j))
            }
        };
        Ok(Self { n, rows: chosen, squared })
    }

    /// The bytes that [`SharedRanks::by_metric`] allocates.
    pub(crate) fn bytes(data: Original<'_>, metric: Metric, rows: RowSample) -> u64 {
        let n = data.len();
        8 * (n as u64) * rows.count(n) as u64 + data.prepared_bytes(metric)
    }

    /// Scores an embedding; same values and failures as [`crate::ranks::trustworthiness_over`]
    /// and [`crate::ranks::continuity_over`].
    pub fn score(&self, embedding: Points<'_>, k: usize) -> Result<RankScores, Error> {
        Ok(RankScores {
            trustworthiness: self.trustworthiness(embedding, k)?,
            continuity: self.continuity(embedding, k)?,
        })
    }

    /// As [`crate::ranks::trustworthiness_over`].
    pub fn trustworthiness(&self, embedding: Points<'_>, k: usize) -> Result<Estimate, Error> {
        self.mean(&self.trustworthiness_of_rows(embedding, k)?)
    }

    /// As [`crate::ranks::continuity_over`].
    pub fn continuity(&self, embedding: Points<'_>, k: usize) -> Result<Estimate, Error> {
        self.mean(&self.continuity_of_rows(embedding, k)?)
    }

    fn mean(&self, of_rows: &[f64]) -> Result<Estimate, Error> {
        if of_rows.is_empty() {
            return Err(no_row());
        }
        Ok(Estimate::mean(of_rows, self.n))
    }

    /// The term of each sampled row in [`SharedRanks::trustworthiness`], which is their mean:
    /// 1 where all neighbors in the embedding are neighbors in the data.
    pub fn trustworthiness_of_rows(&self, embedding: Points<'_>, k: usize) -> Result<Vec<f64>, Error> {
        self.shares(embedding, k, |data, image| self.share(data, image, k))
    }

    /// The term of each sampled row in [`SharedRanks::continuity`], which is their mean:
    /// 1 where all neighbors in the data are neighbors in the embedding.
    pub fn continuity_of_rows(&self, embedding: Points<'_>, k: usize) -> Result<Vec<f64>, Error> {
        self.shares(embedding, k, |data, image| self.share(image, data, k))
    }

    /// The trustworthiness of sampled rows as new ones: row i of `places`, one row per sampled row, takes the place of
    /// the i-th of them in the embedding. With places by a model without the row
    /// ([`embedding::TrainingRows::LeftOut`]) it says how well the map places rows that it was not made of.
    ///
    /// Fails as [`SharedRanks::trustworthiness`], and unless there is a place for every sampled row.
    pub fn trustworthiness_of_new(
        &self,
        embedding: Points<'_>,
        places: Points<'_>,
        k: usize,
    ) -> Result<Estimate, Error> {
        let n = self.n;
        same_length("the number of embedded points", n, embedding.len())?;
        same_length("the number of places of sampled rows", self.rows.len(), places.len())?;
        check_k(k, n)?;
        let all = PointSet::new([embedding.values(), places.values()].concat(), embedding.dim())?;
        let shares = at_any_scale(all.view(), |all| {
            let both = self.rows.par_iter().zip(self.squared.par_chunks(n)).enumerate();
            let of_row = |(at, (&i, squared)): (usize, (&u32, &[f64]))| {
                let data = RankedRow { i: i as usize, squared: squared.to_vec() };
                let place = all.row(n + at);
                let squared = (0..n).map(|j| squared_distance(all.row(j), place)).collect();
                self.share(&data, &RankedRow { i: i as usize, squared }, k)
            };
            Ok(both.map(of_row).collect::<Vec<f64>>())
        })?;
        self.mean(&shares)
    }

    /// The sampled rows, ascending.
    pub fn rows(&self) -> &[u32] {
        &self.rows
    }

    /// One value per sampled row, from its distances in the data and in the embedding.
    fn shares(
        &self,
        embedding: Points<'_>,
        k: usize,
        share: impl Fn(&RankedRow, &RankedRow) -> f64 + Sync,
    ) -> Result<Vec<f64>, Error> {
        same_length("the number of embedded points", self.n, embedding.len())?;
        check_k(k, self.n)?;
        at_any_scale(embedding, |embedding| {
            let both = self.rows.par_iter().zip(self.squared.par_chunks(self.n));
            let of_row = |(&i, squared): (&u32, &[f64])| {
                let data = RankedRow { i: i as usize, squared: squared.to_vec() };
                share(&data, &RankedRow::of(embedding, i as usize))
            };
            Ok(both.map(of_row).collect())
        })
    }

    /// Returns 1 − the normalized penalty of the points near in `chosen` but far in
    /// `judge`.
    fn share(&self, judge: &RankedRow, chosen: &RankedRow, k: usize) -> f64 {
        let penalty: usize = chosen.nearest(k).into_iter().map(|j| judge.rank(j).saturating_sub(k)).sum();
        1.0 - penalty as f64 * row_normalization(self.n, k)
    }
}

/// Sampled rows whose distances to a point are computed together while the point is in the cache;
/// otherwise the bandwidth of the memory limits the speed.
const TOGETHER: usize = 16;

/// The values of `distance` for each of some rows and all n points, n numbers per row.
fn of_pairs(n: usize, rows: &[u32], distance: impl Fn(usize, usize) -> f64 + Sync) -> Vec<f64> {
    let mut all = vec![0.0; rows.len() * n];
    let tiles = all.par_chunks_mut(TOGETHER * n).zip(rows.par_chunks(TOGETHER));
    tiles.for_each(|(out, rows)| Arch::new().dispatch(Tile { n, rows, distance: &distance, out }));
    all
}

struct Tile<'a, F> {
    n: usize,
    rows: &'a [u32],
    distance: &'a F,
    out: &'a mut [f64],
}

impl<F: Fn(usize, usize) -> f64> NullaryFnOnce for Tile<'_, F> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Self { n, rows, distance, out } = self;
        for j in 0..n {
            for (q, &i) in rows.iter().enumerate() {
                out[q * n + j] = distance(i as usize, j);
            }
        }
    }
}
