//! How good is an embedding: the numbers under each picture.

use datasets::{Dataset, Geometry};
use embedding::{Embedding, Error, PointSet, Points};
use neighbor_graph::Neighbors;
use quality::{Context, Rows};

use crate::results::Score;

/// Points up to which every row is looked at.
const EXACT: usize = 3000;
/// Rows that rank measures and local measures sample beyond.
const SAMPLE: usize = 500;

/// What a data set knows.
#[derive(Clone, Copy)]
pub struct Known<'a> {
    /// The data.
    pub points: Points<'a>,
    /// The true coordinates, where they are known.
    pub truth: Option<Points<'a>>,
    /// A class per point, where there are classes.
    pub labels: Option<&'a [u32]>,
}

impl<'a> Known<'a> {
    /// Everything that is there; of several label sets the first. Parameters
    /// that begin again in every class are no coordinates of the whole.
    pub fn of(data: &'a Dataset) -> Self {
        let tells = match data.geometry {
            Geometry::Unknown => false,
            Geometry::Parameters => data.labels.is_empty(),
            Geometry::Isometric | Geometry::Conformal => true,
        };
        let truth = data.truth.as_ref().filter(|_| tells);
        Self {
            points: data.points.view(),
            truth: truth.map(PointSet::view),
            labels: data.labels.first().map(|labels| &labels.values[..]),
        }
    }
}

/// What embeddings of one data set are measured against, computed once.
pub struct Reference<'a> {
    known: Known<'a>,
    neighbors: &'a Neighbors,
    k: usize,
    context: Context<'a>,
}

impl<'a> Reference<'a> {
    /// Prepares the measures. `neighbors` are the data's own lists; `k` is the
    /// neighborhood size of rank measures and classification.
    pub fn new(known: Known<'a>, neighbors: &'a Neighbors, k: usize) -> Self {
        let n = known.points.len();
        let rows = if n > EXACT { Rows::Sample { count: SAMPLE, seed: 0 } } else { Rows::All };
        let mut context = Context::new(known.points, neighbors, k, rows);
        if let Some(truth) = known.truth {
            context = context.with_truth(truth);
        }
        if let Some(labels) = known.labels {
            context = context.with_labels(labels);
        }
        Self { known, neighbors, k, context }
    }

    /// What the data set knows.
    pub fn known(&self) -> Known<'a> {
        self.known
    }

    /// Every measure that applies, in the order of [`quality::measures`].
    pub fn score(&self, embedding: &Embedding) -> Result<Vec<Score>, Error> {
        let placed = PointSet::from_mat(embedding.coordinates())?;
        let Some(rows) = embedding.placed_rows() else {
            return self.score_all(placed.view());
        };
        let points = self.known.points.select(rows);
        let truth = self.known.truth.map(|truth| truth.select(rows));
        let labels: Option<Vec<u32>> =
            self.known.labels.map(|labels| rows.iter().map(|&row| labels[row as usize]).collect());
        let known = Known {
            points: points.view(),
            truth: truth.as_ref().map(PointSet::view),
            labels: labels.as_deref(),
        };
        Reference::new(known, &self.neighbors.restricted(rows), self.k).score_all(placed.view())
    }

    fn score_all(&self, embedding: Points<'_>) -> Result<Vec<Score>, Error> {
        let score =
            |(measure, value): (&quality::Measure, f64)| Score { measure: measure.name.to_owned(), value };
        Ok(self.context.score(embedding)?.into_iter().map(score).collect())
    }
}
