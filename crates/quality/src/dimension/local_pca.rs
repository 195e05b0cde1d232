use embedding::implement::{Division, Scale};
use embedding::{Error, Points};
use faer::Mat;
use neighbor_graph::Neighbors;
use rayon::prelude::*;
use spectral::dense;

use crate::reference_distances::same_length;
use crate::{Estimate, RowSample};

/// Estimates the intrinsic dimension by local principal component analysis.
///
/// *Definition.* For each point, the number of eigenvalues of the covariance of its
/// neighborhood (the point included) that exceed `threshold` times the largest, averaged
/// over the points. Neighborhoods whose points coincide are omitted.
///
/// *Cost.* O(rows · (k² D + k³)).
///
/// *When it fails.* It never exceeds k; `threshold` must lie between the squared relative
/// noise and the ratio of the smallest to the largest tangent variance (0.05 is usual);
/// the estimate grows if the curvature within neighborhoods exceeds the threshold.
/// `threshold` in (0, 1). Fails if the sizes differ or the points of every neighborhood
/// coincide.
///
/// *Reference.* Fukunaga and Olsen (1971),
/// <https://doi.org/10.1109/T-C.1971.223208>.
pub fn local_pca(
    points: Points<'_>,
    neighbors: &Neighbors,
    threshold: f64,
    rows: RowSample,
) -> Result<Estimate, Error> {
    rows.check()?;
    let counts = counts(points, neighbors, threshold, rows)?;
    let counts: Vec<f64> = counts.into_iter().flatten().collect();
    if counts.is_empty() {
        return Err(Error::degenerate(
            "the points of every neighborhood coincide",
            "remove duplicates or use more neighbors",
        ));
    }
    Ok(Estimate::mean(&counts, points.len()))
}

/// Estimates the intrinsic dimension around each point: the counts that [`local_pca`] averages. The value
/// is `None` where the points of a neighborhood coincide.
///
/// Fails if the sizes differ or `threshold` is not in (0, 1).
pub fn local_pca_of_rows(
    points: Points<'_>,
    neighbors: &Neighbors,
    threshold: f64,
) -> Result<Vec<Option<f64>>, Error> {
    counts(points, neighbors, threshold, RowSample::All)
}

/// The number of large variances of each neighborhood.
fn counts(
    points: Points<'_>,
    neighbors: &Neighbors,
    threshold: f64,
    rows: RowSample,
) -> Result<Vec<Option<f64>>, Error> {
    let n = points.len();
    same_length("the number of neighbor lists", n, neighbors.len())?;
    if !(threshold > 0.0 && threshold < 1.0) {
        return Err(Error::parameter("threshold", "between 0 and 1, both excluded", threshold));
    }
    Scale::of_points(points, Division::Least).divided(points, |points| {
        let of_row = |h: u32| {
            let members: Vec<u32> =
                std::iter::once(h).chain(neighbors.indices_of(h as usize).iter().copied()).collect();
            let values = variances(points, &members)?;
            let largest = values.last().copied().unwrap_or(0.0);
            let count = values.iter().filter(|v| **v > threshold * largest).count();
            Ok((largest > 0.0).then_some(count as f64))
        };
        rows.choose(n).into_par_iter().map(of_row).collect()
    })
}

/// Returns the eigenvalues of the smaller Gram matrix of the centered rows, in ascending
/// order; of rows divided by a power of two, where squares are no ordinary numbers.
pub(super) fn variances(points: Points<'_>, members: &[u32]) -> Result<Vec<f64>, Error> {
    let (m, width) = (members.len(), points.dim());
    let row = |i: usize| points.row(members[i] as usize);
    let mean: Vec<f64> = (0..width).map(|j| (0..m).map(|i| row(i)[j]).sum::<f64>() / m as f64).collect();
    let mut x = Mat::from_fn(m, width, |i, j| row(i)[j] - mean[j]);
    let unit = Scale::of_length(x.norm_max(), Division::SQUARES);
    if !unit.is_one() {
        x = Mat::from_fn(m, width, |i, j| unit.quotient(x[(i, j)]));
    }
    let gram = if m <= width {
        dense::product(x.as_ref(), x.transpose())
    } else {
        dense::product(x.transpose(), x.as_ref())
    };
    Ok(dense::symmetric_eigen(gram.as_ref())?.0)
}
