//! Shifts that put components side by side.

use embedding::Embedding;

/// Shifts along the first axis so that bounding boxes do not touch: the gap is
/// a tenth of the widest box.
pub(crate) fn side_by_side(embeddings: &[&Embedding]) -> Vec<Vec<f64>> {
    let extent = |e: &Embedding| {
        let first = e.rows().map(|row| row[0]);
        (first.clone().fold(f64::INFINITY, f64::min), first.fold(f64::NEG_INFINITY, f64::max))
    };
    let widest = embeddings.iter().map(|e| extent(e)).fold(0.0_f64, |m, (low, high)| m.max(high - low));
    let gap = if widest > 0.0 { 0.1 * widest } else { 1.0 };
    let mut edge = None;
    embeddings
        .iter()
        .map(|e| {
            let (low, high) = extent(e);
            let mut shift = vec![0.0; e.dim()];
            if let Some(right) = edge {
                shift[0] = right + gap - low;
            }
            edge = Some(high + shift[0]);
            shift
        })
        .collect()
}
