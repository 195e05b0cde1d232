//! Agreement of distances up to scale.

use embedding::implement::{Division, Scale};
use embedding::{Error, Points};
use rayon::prelude::*;

use crate::reference_distances::Distances;
use crate::reference_distances::{at_any_scale, same_length};

/// Computes Pearson's correlation r between the pairwise distances of a reference and of an
/// embedding (the pairs of a Shepard diagram).
///
/// *Definition.* r over all pairs i < j of (δᵢⱼ, dᵢⱼ); in [−1, 1], 1 is best.
///
/// *Cost.* Two passes over all pairs, O(n²) times the cost of a distance, rows
/// in parallel, O(n) memory per row.
///
/// *Fails* if the sizes differ, if a distance is not finite (disconnected graph), or if
/// all distances of one side are equal, where the correlation is undefined.
pub fn distance_correlation(reference: &dyn Distances, embedding: Points<'_>) -> Result<f64, Error> {
    let n = embedding.len();
    same_length("the number of embedded points", reference.len(), n)?;
    if n < 3 {
        return Err(Error::TooFewPoints { what: "a correlation of distances", needed: 3, got: n });
    }
    at_any_scale(embedding, |embedding| correlation(reference, embedding))
}

/// The correlation for an embedding of ordinary scale; the distances of the reference are of any scale.
fn correlation(reference: &dyn Distances, embedding: Points<'_>) -> Result<f64, Error> {
    let n = embedding.len();
    let pairs = (n * (n - 1) / 2) as f64;
    let mut first = vec![0.0; n];
    reference.write_row(0, &mut first);
    let longest = first.into_iter().filter(|d| d.is_finite()).fold(0.0, f64::max);
    let scale = Scale::of_length(longest, Division::SQUARES);
    let sums = over_rows(reference, embedding, |x, y| [scale.quotient(x), y, 0.0])?;
    let (mean_x, mean_y) = (sums[0] / pairs, sums[1] / pairs);
    let [xx, yy, xy] = over_rows(reference, embedding, |x, y| {
        let (x, y) = (scale.quotient(x) - mean_x, y - mean_y);
        [x * x, y * y, x * y]
    })?;
    let floor = |mean: f64| pairs * (8.0 * f64::EPSILON * mean).powi(2);
    for (variance, mean, what) in [(xx, mean_x, "the reference"), (yy, mean_y, "the embedding")] {
        if variance <= floor(mean) {
            return Err(Error::degenerate(
                format!("all distances of {what} are equal"),
                "a correlation needs at least two different distances",
            ));
        }
    }
    Ok((xy / (xx.sqrt() * yy.sqrt())).clamp(-1.0, 1.0))
}

/// Computes the residual variance: the fraction of the variance of distances that the
/// embedding does not explain.
///
#[doc = include_str!("explanations/residual_variance.md")]
///
/// The distances of `reference` need not be geodesic. Cost and failures are the same as for
/// [`distance_correlation`].
pub fn residual_variance(reference: &dyn Distances, embedding: Points<'_>) -> Result<f64, Error> {
    let r = distance_correlation(reference, embedding)?;
    Ok((1.0 - r) * (1.0 + r))
}

/// Sums `term` over all pairs i < j, rows in order.
pub(crate) fn over_rows(
    reference: &dyn Distances,
    embedding: Points<'_>,
    term: impl Fn(f64, f64) -> [f64; 3] + Sync,
) -> Result<[f64; 3], Error> {
    let n = embedding.len();
    let rows: Result<Vec<[f64; 3]>, Error> = (0..n)
        .into_par_iter()
        .map_init(
            || (vec![0.0; n], vec![0.0; n]),
            |(x, y), i| {
                reference.write_row(i, x);
                embedding.write_row(i, y);
                let mut sums = [0.0; 3];
                for j in i + 1..n {
                    let terms = term(x[j], y[j]);
                    (0..3).for_each(|t| sums[t] += terms[t]);
                }
                if !sums.iter().all(|s| s.is_finite()) {
                    return Err(Error::degenerate(
                        format!("a distance from point {i} is not finite"),
                        "connect the graph, or measure each component separately",
                    ));
                }
                Ok(sums)
            },
        )
        .collect();
    let mut total = [0.0; 3];
    for row in rows? {
        (0..3).for_each(|t| total[t] += row[t]);
    }
    Ok(total)
}
