//! How good is an embedding: the numbers under each picture.

use datasets::{Dataset, Geometry};
use embedding::{Embedding, Error, PointSet, Points};
use quality::{Reflection, Rows, Validation};

use crate::results::Score;

/// The stable names of measures, each with its meaning.
pub static MEASURES: &[(&str, &str)] = &[
    ("trustworthiness", "are neighbors in the embedding neighbors in the data; 0 to 1, 1 is best"),
    ("continuity", "are neighbors in the data neighbors in the embedding; 0 to 1, 1 is best"),
    ("procrustes", "what a rotation, a shift and one scale leave of the difference to the truth; 0 is best"),
    ("affine", "what an affine map leaves of the difference to the truth; 0 is best"),
    ("knn_accuracy", "share of points whose class is that of most of their k nearest others; 1 is best"),
];

/// Points beyond which rank measures look at a sample of the rows.
const EXACT: usize = 1500;

/// What an embedding is measured against.
#[derive(Clone, Copy)]
pub struct Reference<'a> {
    /// The data.
    pub points: Points<'a>,
    /// The true coordinates, where they are known.
    pub truth: Option<Points<'a>>,
    /// A class per point, where there are classes.
    pub labels: Option<&'a [u32]>,
    /// The neighborhood size of rank measures and classification.
    pub k: usize,
}

impl<'a> Reference<'a> {
    /// Everything that a data set knows.
    pub fn of(data: &'a Dataset, k: usize) -> Self {
        let truth = data.truth.as_ref().filter(|_| data.geometry != Geometry::Unknown);
        Self {
            points: data.points.view(),
            truth: truth.map(PointSet::view),
            labels: data.labels.first().map(|labels| &labels.values[..]),
            k,
        }
    }
}

/// Every measure that applies, in the order of [`MEASURES`].
pub fn score(reference: Reference<'_>, embedding: &Embedding) -> Result<Vec<Score>, Error> {
    let placed = PointSet::from_mat(embedding.coordinates.as_ref())?;
    let Some(rows) = &embedding.rows else {
        return score_all(reference, placed.view());
    };
    let points = reference.points.select(rows);
    let truth = reference.truth.map(|truth| truth.select(rows));
    let labels: Option<Vec<u32>> =
        reference.labels.map(|labels| rows.iter().map(|&row| labels[row as usize]).collect());
    let reference = Reference {
        points: points.view(),
        truth: truth.as_ref().map(PointSet::view),
        labels: labels.as_deref(),
        k: reference.k,
    };
    score_all(reference, placed.view())
}

fn score_all(reference: Reference<'_>, embedding: Points<'_>) -> Result<Vec<Score>, Error> {
    let Reference { points, truth, labels, k } = reference;
    let n = embedding.len();
    let mut scores = Vec::new();
    let mut add = |measure: &str, value| scores.push(Score { measure: measure.to_owned(), value });
    if (1..n.div_ceil(2)).contains(&k) {
        let rows = if n > EXACT { Rows::Sample { count: EXACT / 5, seed: 0 } } else { Rows::All };
        add("trustworthiness", quality::trustworthiness_over(points, embedding, k, rows)?.value);
        add("continuity", quality::continuity_over(points, embedding, k, rows)?.value);
    }
    if let Some(truth) = truth {
        add("procrustes", quality::procrustes(truth, embedding, Reflection::Allowed)?.residual);
        add("affine", quality::affine_residual(truth, embedding)?);
    }
    if let Some(labels) = labels {
        add("knn_accuracy", quality::knn_accuracy(embedding, labels, k, Validation::LeaveOneOut)?);
    }
    Ok(scores)
}
