use embedding::Error;
use neighbor_graph::Neighbors;
use serde::{Deserialize, Serialize};

/// How the estimates of single points are combined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Averaging {
    /// The inverse of the mean of the inverses: the maximum likelihood estimate for all
    /// points jointly (MacKay and Ghahramani 2005). The default; nearly unbiased even for
    /// few neighbors.
    #[default]
    MacKayGhahramani,
    /// The mean of the estimates, each with the factor k − 2 that makes it unbiased
    /// (Levina and Bickel 2005).
    LevinaBickel,
}

/// Estimates the intrinsic dimension by maximum likelihood.
///
/// *Idea.* In d dimensions the number of points within distance t grows as t^d, so the
/// logarithms of ratios of neighbor distances are exponentially distributed with mean
/// 1/d.
///
/// *Definition.* With T₁ ≤ … ≤ T_k the distances of a point to its neighbors, s = Σ_{j<k}
/// ln(T_k / T_j); Levina and Bickel average (k − 2)/s, MacKay and Ghahramani invert the
/// average of s/(k − 1). Neighbors at distance 0 (duplicates) are not counted; nor, for
/// Levina and Bickel, points whose distances are all equal, for which the estimate would
/// be infinite.
///
/// *Cost.* O(n k).
///
/// *When it fails.* The estimate is low by some 10 % in 5 dimensions and more above,
/// because of boundary effects; integer data have ties. Fails if no point has enough
/// neighbors at different distances (2, or 3 for Levina and Bickel).
///
/// *Reference.* Levina and Bickel, NIPS 17 (2005); MacKay and Ghahramani,
/// Comments on "Maximum likelihood estimation of intrinsic dimension" (2005).
pub fn maximum_likelihood(neighbors: &Neighbors, averaging: Averaging) -> Result<f64, Error> {
    let (mut sum, mut weight) = (0.0, 0.0);
    for (s, count) in (0..neighbors.len()).filter_map(|i| logarithms(neighbors, i)) {
        match averaging {
            Averaging::MacKayGhahramani => (sum, weight) = (sum + s, weight + count),
            Averaging::LevinaBickel if s > 0.0 && count >= 2.0 => {
                (sum, weight) = (sum + (count - 1.0) / s, weight + 1.0);
            }
            Averaging::LevinaBickel => {}
        }
    }
    let estimate = match averaging {
        Averaging::MacKayGhahramani => weight / sum,
        Averaging::LevinaBickel => sum / weight,
    };
    if estimate.is_finite() && weight > 0.0 {
        return Ok(estimate);
    }
    Err(Error::degenerate(
        "no point has enough neighbors at different positive distances",
        "use more neighbors, or remove duplicates",
    ))
}

/// Estimates the intrinsic dimension around each point by maximum likelihood: (k − 2)/s in the notation
/// of [`maximum_likelihood`], the unbiased estimate of Levina and Bickel.
///
/// The value is `None` for a point with fewer than three neighbors at positive distances, or with all of
/// them at one distance. The standard deviation of a value is about d/√(k − 3).
pub fn maximum_likelihood_of_rows(neighbors: &Neighbors) -> Vec<Option<f64>> {
    let of_row = |i| {
        let (s, count) = logarithms(neighbors, i)?;
        let estimate = (count - 1.0) / s;
        (count >= 2.0 && estimate.is_finite()).then_some(estimate)
    };
    (0..neighbors.len()).map(of_row).collect()
}

/// The sum over the neighbors of point `i` at positive distances of the logarithm of the largest distance
/// over theirs, and the number of summands; `None` without such a neighbor.
fn logarithms(neighbors: &Neighbors, i: usize) -> Option<(f64, f64)> {
    let distances = neighbors.distances_of(i);
    let positive = &distances[distances.partition_point(|d| *d <= 0.0)..];
    let (last, nearer) = positive.split_last()?;
    Some((nearer.iter().map(|t| (last / t).ln()).sum(), nearer.len() as f64))
}
