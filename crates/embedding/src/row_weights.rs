//! Weights of rows.

use crate::Error;

/// The largest weight: counts of rows are exact below 2⁵³.
const LARGEST: f64 = 9_007_199_254_740_992.0;

/// Fails with [`Error::Parameter`] unless each weight is above 0 and at most 2⁵³, and the sum of several is above
/// 1, so that variances, whose divisor is the sum less 1, exist.
pub(crate) fn check(weights: &[f64]) -> Result<(), Error> {
    if let Some((row, weight)) = weights.iter().enumerate().find(|(_, w)| !(**w > 0.0 && **w <= LARGEST)) {
        let requirement = "above 0 and at most 2^53 (leave out rows of weight 0)";
        return Err(Error::parameter("the weight of a row", requirement, format!("{weight} in row {row}")));
    }
    let sum: f64 = weights.iter().sum();
    if weights.len() > 1 && sum <= 1.0 {
        let requirement =
            "above 1, since a weight is a number of copies of its row; multiply all by a constant";
        return Err(Error::parameter("the sum of the weights of rows", requirement, sum));
    }
    Ok(())
}

/// Fails because the method has no weights of rows.
pub(crate) fn refused(title: &str) -> Error {
    Error::degenerate(
        format!("{title} has no weights of rows"),
        "leave them out, or choose a method that has them: pca, lda, kernel-pca or classical-mds",
    )
}
