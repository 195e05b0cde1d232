//! Quality measures of the report.

use datasets::{Dataset, Geometry};
use embedding::{Embedding, Error, PointSet, Points, Silent};
use faer::Mat;
use neighbor_graph::{Graph, Neighbors, Symmetry};
use quality::{Matrix, Reflection, Rows, SharedRanks, Validation};

use crate::results::Score;

/// Stable names of the measures, each with its meaning.
pub static MEASURES: &[(&str, &str)] = &[
    ("trustworthiness", "whether neighbors in the embedding are neighbors in the data; 0 to 1, 1 is best"),
    ("continuity", "whether neighbors in the data are neighbors in the embedding; 0 to 1, 1 is best"),
    ("procrustes", "residual after the best similarity transformation to the true coordinates; 0 is best"),
    ("affine", "residual after the best affine map to the true coordinates; 0 is best"),
    (
        "residual_variance",
        "fraction of the variance of geodesic distances not explained by the embedding; 0 is best",
    ),
    ("angle_error", "mean change of the angles of small triangles, in degrees; 0 is best"),
    (
        "local_procrustes",
        "mean residual of neighborhoods after the best similarity transformation; 0 is best",
    ),
    ("knn_accuracy", "accuracy of leave-one-out k-nearest-neighbor classification; 1 is best"),
    (
        "silhouette",
        "distance to the own class compared with that to the nearest other class; -1 to 1, 1 is best",
    ),
];

/// Largest number of points for which every row is used.
const EXACT: usize = 3000;
/// Number of rows sampled by rank-based and local measures for more points.
const SAMPLE: usize = 500;

/// A data set with its known structure.
#[derive(Clone, Copy)]
pub struct Known<'a> {
    /// The data.
    pub points: Points<'a>,
    /// The true coordinates, if known.
    pub truth: Option<Points<'a>>,
    /// The class of each point, if known.
    pub labels: Option<&'a [u32]>,
}

impl<'a> Known<'a> {
    /// Returns what is known of a data set, with the first of several label sets.
    /// Parameters that start anew in every class are not global coordinates.
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

/// The reference of all measures of one data set, computed once.
pub struct Reference<'a> {
    known: Known<'a>,
    neighbors: Neighbors,
    k: usize,
    rows: Rows,
    ranks: SharedRanks,
    /// Geodesic distances, if the graph is connected and small enough.
    geodesics: Option<Mat<f64>>,
}

impl<'a> Reference<'a> {
    /// Prepares the measures. `neighbors` are the data's own lists; `k` is the
    /// neighborhood size of rank-based measures and classification.
    pub fn new(known: Known<'a>, neighbors: Neighbors, k: usize) -> Self {
        let n = known.points.len();
        let rows = if n > EXACT { Rows::Sample { count: SAMPLE, seed: 0 } } else { Rows::All };
        let ranks = SharedRanks::new(known.points, rows);
        let geodesics = if n > EXACT { None } else { geodesics(&neighbors) };
        Self { known, neighbors, k, rows, ranks, geodesics }
    }

    /// Returns the data set with its known structure.
    pub fn known(&self) -> Known<'a> {
        self.known
    }

    /// Returns every applicable measure, in the order of [`MEASURES`].
    pub fn score(&self, embedding: &Embedding) -> Result<Vec<Score>, Error> {
        let placed = PointSet::from_mat(embedding.coordinates.as_ref())?;
        let Some(rows) = &embedding.rows else {
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
        Reference::new(known, self.neighbors.restricted(rows), self.k).score_all(placed.view())
    }

    fn score_all(&self, embedding: Points<'_>) -> Result<Vec<Score>, Error> {
        let Known { points, truth, labels } = self.known;
        let (n, k) = (embedding.len(), self.k);
        let mut scores = Vec::new();
        let mut add = |measure: &str, value| scores.push(Score { measure: measure.to_owned(), value });
        if (1..n.div_ceil(2)).contains(&k) {
            let ranks = self.ranks.score(embedding, k)?;
            add("trustworthiness", ranks.trustworthiness.value);
            add("continuity", ranks.continuity.value);
        }
        // Undefined measures, such as a correlation of equal distances, are omitted.
        let mut add_defined = |measure: &str, value: Result<f64, Error>| match value {
            Ok(value) => {
                scores.push(Score { measure: measure.to_owned(), value });
                Ok(())
            }
            Err(Error::Degenerate { .. } | Error::TooFewPoints { .. }) => Ok(()),
            Err(error) => Err(error),
        };
        if let Some(truth) = truth {
            let alignment = quality::procrustes(truth, embedding, Reflection::Allowed);
            add_defined("procrustes", alignment.map(|alignment| alignment.residual))?;
            add_defined("affine", quality::affine_residual(truth, embedding))?;
        }
        if let Some(geodesics) = &self.geodesics {
            let variance = quality::residual_variance(&Matrix(geodesics.as_ref()), embedding);
            add_defined("residual_variance", variance)?;
        }
        let mean = |estimate: Result<quality::Estimate, Error>| estimate.map(|estimate| estimate.value);
        add_defined(
            "angle_error",
            mean(quality::angle_error(points, embedding, &self.neighbors, self.rows)),
        )?;
        add_defined(
            "local_procrustes",
            mean(quality::local_procrustes(points, embedding, &self.neighbors, self.rows)),
        )?;
        if let Some(labels) = labels {
            if k < n {
                let accuracy = quality::knn_accuracy(embedding, labels, k, Validation::LeaveOneOut);
                add_defined("knn_accuracy", accuracy)?;
            }
            if labels.iter().any(|label| *label != labels[0]) {
                add_defined("silhouette", quality::silhouette(embedding, labels))?;
            }
        }
        Ok(scores)
    }
}

fn geodesics(neighbors: &Neighbors) -> Option<Mat<f64>> {
    let graph = Graph::new(neighbors, Symmetry::Union);
    if graph.components().sizes.len() != 1 {
        return None;
    }
    let sources: Vec<u32> = (0..neighbors.len() as u32).collect();
    let rows = graph.geodesics(&sources, &Silent).ok()?;
    Some(Mat::from_fn(rows.len(), rows.len(), |i, j| rows[i][j]))
}
