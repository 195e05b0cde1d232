//! Comparison of embeddings by pairwise distances, which a method can promise.

use embedding::{DistanceMatrix, Embedding};

/// A view of n × n distances that a check made.
pub(crate) fn given_distances(values: &[f64]) -> DistanceMatrix<'_> {
    DistanceMatrix::new(values, values.len().isqrt()).expect("distances between points")
}

/// Euclidean distances between all pairs i < j of rows.
pub fn pairwise_distances(embedding: &Embedding) -> Vec<f64> {
    let (y, n) = (embedding.coordinates(), embedding.len());
    let distance =
        |i: usize, j: usize| (0..y.ncols()).map(|c| (y[(i, c)] - y[(j, c)]).powi(2)).sum::<f64>().sqrt();
    (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j))).map(|(i, j)| distance(i, j)).collect()
}

/// The smallest distance between two rows.
pub fn smallest_distance(embedding: &Embedding) -> f64 {
    pairwise_distances(embedding).into_iter().fold(f64::INFINITY, f64::min)
}

/// The largest difference between two embeddings' pairwise distances, the
/// second divided by `factor`, relative to the largest distance of the first.
///
/// It is 0 exactly when the two agree up to translation, rotation, reflection and this factor.
pub fn distance_gap(first: &Embedding, second: &Embedding, factor: f64) -> f64 {
    assert_eq!(first.len(), second.len(), "embeddings of the same points");
    let (a, b) = (pairwise_distances(first), pairwise_distances(second));
    let largest = a.iter().copied().fold(0.0, f64::max);
    let gap = a.iter().zip(&b).map(|(x, y)| (x - y / factor).abs()).fold(0.0, f64::max);
    if largest > 0.0 { gap / largest } else { gap }
}

/// The rows of an embedding in another order: row `i` of the result is row
/// `order[i]`.
pub fn reordered(embedding: &Embedding, order: &[u32]) -> Embedding {
    Embedding::new(embedding::implement::matrix::select_rows(embedding.coordinates(), order))
}

/// All numbers of an embedding as bits, so that equality means the same bytes.
pub fn bits(embedding: &Embedding) -> Vec<u64> {
    embedding.values().iter().chain(embedding.spectrum()).map(|v| v.to_bits()).collect()
}
