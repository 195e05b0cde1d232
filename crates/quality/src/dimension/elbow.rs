use embedding::Error;

/// Finds the elbow of a residual curve, as an estimate of the dimension.
///
/// *Definition.* `curve[d − 1]` is the unexplained fraction of an embedding in d dimensions (a
/// [`residual_variance`](crate::distances::residual_variance), or 1 minus a cumulative explained
/// variance). The elbow is the smallest d such that all further dimensions together gain at most the
/// fraction `slack` of the variance that all dimensions explain: c(d) − min c ≤ slack · (1 − min c).
/// 0.05 is a usual slack.
///
/// *When it fails.* It cannot exceed the length of the curve: an elbow at the end means
/// that the curve is too short. Noise in all D dimensions smooths the elbow and raises
/// the estimate. `slack` in [0, 1). Fails if the curve is empty or not finite.
///
/// *Reference.* A quantitative form of the visual criterion of Tenenbaum, de Silva and
/// Langford (2000), <https://doi.org/10.1126/science.290.5500.2319>.
///
/// ```
/// assert_eq!(quality::dimension::elbow(&[0.243, 0.010, 0.009, 0.008], 0.05)?, 2);
/// assert_eq!(quality::dimension::elbow(&[0.002, 0.001, 0.001], 0.05)?, 1);
/// # Ok::<(), embedding::Error>(())
/// ```
pub fn elbow(curve: &[f64], slack: f64) -> Result<usize, Error> {
    if !(0.0..1.0).contains(&slack) {
        return Err(Error::parameter("slack", "at least 0 and below 1", slack));
    }
    if let Some(at) = curve.iter().position(|v| !v.is_finite()) {
        return Err(Error::NotFinite { row: at, column: 0, value: curve[at] });
    }
    let least = curve.iter().copied().fold(f64::INFINITY, f64::min);
    let enough = |c: &f64| c - least <= slack * (1.0 - least);
    let too_few = Error::TooFewPoints { what: "an elbow", needed: 1, got: 0 };
    // The minimum itself satisfies the criterion, unless it exceeds 1.
    curve.iter().position(|c| enough(c) || *c == least).map(|d| d + 1).ok_or(too_few)
}
