//! Euclidean distances of points.

use embedding::Points;
use embedding::implement::squared_distance;
use pulp::NullaryFnOnce;

/// Euclidean distance.
pub(crate) fn euclidean(a: &[f64], b: &[f64]) -> f64 {
    squared_distance(a, b).sqrt()
}

/// Computes the Euclidean distances from one point to others.
pub(crate) fn euclidean_row<'a>(from: &[f64], to: impl ExactSizeIterator<Item = &'a [f64]>, out: &mut [f64]) {
    euclidean_rows(std::iter::once(from), to, out);
}

/// Computes the Euclidean distances from several points to others, by rows, as many rows
/// as `out` holds.
pub(crate) fn euclidean_rows<'a, 'b>(
    from: impl Iterator<Item = &'a [f64]>,
    to: impl ExactSizeIterator<Item = &'b [f64]>,
    out: &mut [f64],
) {
    let width = to.len().min(out.len());
    let rows = from.zip(out.chunks_exact_mut(width.max(1))).collect();
    pulp::Arch::new().dispatch(Rows { rows, to: to.take(width) });
}

/// Points, and the points to which distances are computed.
struct Rows<'a, 'o, T> {
    rows: Vec<(&'a [f64], &'o mut [f64])>,
    to: T,
}

impl<'b, T: Iterator<Item = &'b [f64]>> NullaryFnOnce for Rows<'_, '_, T> {
    type Output = ();

    #[inline(always)]
    fn call(mut self) {
        for (j, other) in self.to.enumerate() {
            for (from, row) in &mut self.rows {
                row[j] = squared_distance(from, other).sqrt();
            }
        }
    }
}

/// Returns the diagonal of the points' bounding box, an upper bound on their diameter.
pub(crate) fn diameter_bound(points: Points<'_>) -> f64 {
    let mut low = points.row(0).to_vec();
    let mut high = low.clone();
    for row in points.rows() {
        for (j, &v) in row.iter().enumerate() {
            low[j] = low[j].min(v);
            high[j] = high[j].max(v);
        }
    }
    euclidean(&low, &high)
}
