use embedding::{Error, Points};
use faer::Mat;
use neighbor_graph::Neighbors;
use rayon::prelude::*;
use spectral::dense;

use crate::distances::same_length;
use crate::{Estimate, Rows};

/// Dimension by local principal components.
///
/// *Definition.* For each point, the number of eigenvalues of its
/// neighborhood's covariance (the point included) that exceed `threshold` times
/// the largest; averaged over the points. Neighborhoods without extent are left
/// out.
///
/// *Cost.* O(rows · (k² D + k³)).
///
/// *When it fails.* It never exceeds k, needs a threshold between the squared
/// relative noise and the evenness of the neighborhoods (0.05 is the usual one),
/// and grows where curvature bends a neighborhood by more than that. `threshold`
/// in (0, 1). Fails when the sizes differ or no neighborhood has an extent.
///
/// *Reference.* Fukunaga and Olsen (1971),
/// <https://doi.org/10.1109/T-C.1971.223208>.
pub fn local_pca(
    points: Points<'_>,
    neighbors: &Neighbors,
    threshold: f64,
    rows: Rows,
) -> Result<Estimate, Error> {
    let n = points.len();
    same_length("the number of neighbor lists", n, neighbors.len())?;
    if !(threshold > 0.0 && threshold < 1.0) {
        return Err(Error::parameter("threshold", "between 0 and 1, both excluded", threshold));
    }
    let counts: Vec<Option<f64>> = rows
        .choose(n)
        .into_par_iter()
        .map(|h| {
            let members: Vec<u32> =
                std::iter::once(h).chain(neighbors.of(h as usize).0.iter().copied()).collect();
            let values = variances(points, &members)?;
            let largest = values.last().copied().unwrap_or(0.0);
            let count = values.iter().filter(|v| **v > threshold * largest).count();
            Ok((largest > 0.0).then_some(count as f64))
        })
        .collect::<Result<_, Error>>()?;
    let counts: Vec<f64> = counts.into_iter().flatten().collect();
    if counts.is_empty() {
        return Err(Error::degenerate(
            "no neighborhood has an extent",
            "remove duplicates or use more neighbors",
        ));
    }
    Ok(Estimate::mean(&counts, n))
}

/// Eigenvalues of the smaller Gram matrix of centered rows, ascending.
fn variances(points: Points<'_>, members: &[u32]) -> Result<Vec<f64>, Error> {
    let (m, width) = (members.len(), points.dim());
    let row = |i: usize| points.row(members[i] as usize);
    let mean: Vec<f64> = (0..width).map(|j| (0..m).map(|i| row(i)[j]).sum::<f64>() / m as f64).collect();
    let x = Mat::from_fn(m, width, |i, j| row(i)[j] - mean[j]);
    let gram = if m <= width {
        dense::product(x.as_ref(), x.transpose())
    } else {
        dense::product(x.transpose(), x.as_ref())
    };
    Ok(dense::symmetric_eigen(gram.as_ref())?.0)
}
