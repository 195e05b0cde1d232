//! Separation of classes.

use datasets::{Dataset, Labels};
use embedding::{Embedding, Error, PointSet, Points};
use quality::classes::Validation;

use crate::results::{DatasetResults, MethodResults, Separation};

/// Number of coordinate differences above which the original data is not measured, since
/// that takes longer than the maps.
const MOST: f64 = 3e10;

/// Measures every label set of a data set, in the data and in every map. Undefined
/// measures, such as the accuracy for fewer than k points, are omitted.
pub(crate) fn separation(results: &DatasetResults, k: usize) -> Result<Vec<Separation>, Error> {
    let mut rows = Vec::new();
    for labels in &results.data.labels {
        rows.push(of_data(&results.data, labels, k)?);
        for method in &results.methods {
            if let Some(embedding) = &method.embedding {
                rows.push(of_map(method, embedding, &results.data.name, labels, k)?);
            }
        }
    }
    Ok(rows)
}

fn of_data(data: &Dataset, labels: &Labels, k: usize) -> Result<Separation, Error> {
    let points = data.points.view();
    let n = points.len();
    let small = (n as f64).powi(2) * points.dim() as f64 <= MOST;
    let [knn_accuracy, silhouette] = if small { classes(points, &labels.values, k)? } else { [None, None] };
    Ok(Separation {
        dataset: data.name.clone(),
        labels: labels.name.clone(),
        method: None,
        n,
        k,
        knn_accuracy,
        silhouette,
        trustworthiness: None,
    })
}

fn of_map(
    method: &MethodResults,
    embedding: &Embedding,
    dataset: &str,
    labels: &Labels,
    k: usize,
) -> Result<Separation, Error> {
    let points = PointSet::from_mat(embedding.coordinates())?;
    let values: Vec<u32> = match embedding.placed_rows() {
        None => labels.values.clone(),
        Some(rows) => rows.iter().map(|&row| labels.values[row as usize]).collect(),
    };
    let [knn_accuracy, silhouette] = classes(points.view(), &values, k)?;
    Ok(Separation {
        dataset: dataset.to_owned(),
        labels: labels.name.clone(),
        method: Some(method.method.clone()),
        n: embedding.len(),
        k,
        knn_accuracy,
        silhouette,
        trustworthiness: method.score("trustworthiness"),
    })
}

/// Returns accuracy and silhouette, if defined.
fn classes(points: Points<'_>, labels: &[u32], k: usize) -> Result<[Option<f64>; 2], Error> {
    let accuracy = (k < points.len())
        .then(|| quality::classes::knn_accuracy(points, labels, k, Validation::LeaveOneOut))
        .transpose()?;
    let several = labels.iter().any(|label| *label != labels[0]);
    let silhouette = match several.then(|| quality::classes::silhouette(points, labels)).transpose() {
        Err(Error::Degenerate { .. } | Error::TooFewPoints { .. }) => None,
        other => other?,
    };
    Ok([accuracy, silhouette])
}
