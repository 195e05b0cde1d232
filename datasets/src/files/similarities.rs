//! Distances of similarities.

use embedding::PointSet;

use super::distances::ROUNDING;
use super::errors::Problem;

/// What was done, for a note.
pub(super) const NOTE: &str =
    "similarities s were converted to distances: the square root of s(i,i) + s(j,j) - 2 s(i,j)";

/// The distances √(s_ii + s_jj − 2 s_ij) of n × n similarities s, such as inner products, correlations or
/// kernels (Gower 1966, doi:10.1093/biomet/53.3-4.325). Of inner products they are the Euclidean distances.
///
/// Fails unless the matrix is square and symmetric, and no pair is more similar than its points are to
/// themselves on average; each up to rounding. O(n²).
pub(super) fn to_distances(similarities: PointSet) -> Result<PointSet, Problem> {
    let n = similarities.view().dim();
    let mut values = similarities.into_values();
    if values.len() != n * n {
        let what =
            format!("similarities must be a square matrix, but there are {} × {n} values", values.len() / n);
        return Err(what.into());
    }
    let tolerance = ROUNDING * values.iter().fold(0.0, |most: f64, value| most.max(value.abs()));
    let own: Vec<f64> = (0..n).map(|i| values[i * n + i]).collect();
    for i in 0..n {
        for j in 0..i {
            let (below, above) = (values[i * n + j], values[j * n + i]);
            if (below - above).abs() > tolerance {
                let what = format!(
                    "similarities must be symmetric, but rows {j} and {i} (counted from 0) have {above} and {below}"
                );
                return Err(Problem::new(what, "write the mean of both", None));
            }
            // Halves do not overflow.
            let half = 0.5 * own[i] + 0.5 * own[j] - below;
            if half < -tolerance {
                let what = format!(
                    "a similarity must be at most the mean of the similarities of both rows with themselves, but \
                     rows {j} and {i} (counted from 0) have {below} and {} with themselves",
                    0.5 * own[i] + 0.5 * own[j]
                );
                let advice = "convert such similarities yourself, for example to distances max - s with 0 on the \
                              diagonal, and read these as distances";
                return Err(Problem::new(what, advice, None));
            }
            let distance = match 2.0 * half.max(0.0) {
                square if square.is_finite() => square.sqrt(),
                _ => std::f64::consts::SQRT_2 * half.sqrt(),
            };
            (values[i * n + j], values[j * n + i]) = (distance, distance);
        }
    }
    (0..n).for_each(|i| values[i * n + i] = 0.0);
    PointSet::new(values, n).map_err(|error| error.to_string().into())
}
