use embedding::Error;

/// The dimension at the elbow of a residual curve.
///
/// *Definition.* `curve[d − 1]` is what an embedding in d dimensions leaves
/// unexplained (a [`residual_variance`](crate::residual_variance), or 1 minus a
/// cumulative explained variance). With the point (0, 1) put in front, the
/// elbow is the d whose point lies farthest below the line from there to the
/// end of the curve; of equals the smallest.
///
/// *When it fails.* Any curve has an elbow, even a straight one; look at it.
/// Noise that fills D dimensions rounds the corner and pushes the answer up.
/// Fails for an empty curve or one that is not finite.
///
/// *Reference.* The elbow rule of Tenenbaum, de Silva and Langford (2000),
/// <https://doi.org/10.1126/science.290.5500.2319>, in the geometric form of
/// Satopää et al. (2011), <https://doi.org/10.1109/ICDCSW.2011.20>.
///
/// ```
/// assert_eq!(quality::dimension::elbow(&[0.243, 0.010, 0.009, 0.008])?, 2);
/// assert_eq!(quality::dimension::elbow(&[0.002, 0.001, 0.001])?, 1);
/// # Ok::<(), embedding::Error>(())
/// ```
pub fn elbow(curve: &[f64]) -> Result<usize, Error> {
    let Some(&last) = curve.last() else {
        return Err(Error::TooFewPoints { what: "an elbow", needed: 1, got: 0 });
    };
    if let Some(at) = curve.iter().position(|v| !v.is_finite()) {
        return Err(Error::NotFinite { row: at, column: 0, value: curve[at] });
    }
    let slope = (last - 1.0) / curve.len() as f64;
    let below = |d: usize| 1.0 + slope * d as f64 - curve[d - 1];
    Ok((1..=curve.len()).fold(1, |best, d| if below(d) > below(best) { d } else { best }))
}
