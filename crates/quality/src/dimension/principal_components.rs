use embedding::implement::{Division, Scale};
use embedding::{Error, Points};

use super::elbow::elbow;
use super::local_pca::variances;
use crate::RowSample;

/// The rows whose principal components are computed.
const ROWS: RowSample = RowSample::Sample { count: 1000, seed: 0 };

/// Counts the principal components that explain all but the fraction `slack` of the variance.
///
/// *Definition.* The [`elbow`] of the unexplained fractions of variance in 1, 2, … dimensions, of all
/// rows or, above 1,000 rows, of 1,000 rows chosen at random.
///
/// *Cost.* O(m² D + m³) with m rows and D columns (the smaller Gram matrix is used).
///
/// *When it fails.* A curved surface needs as many components as the space it is curved in, so that the
/// count is an upper bound. It depends on the units of the columns. `slack` in [0, 1). Fails if all
/// points coincide.
///
/// *Reference.* Jolliffe, Principal Component Analysis (2002), section 6.1.1,
/// <https://doi.org/10.1007/b98835>.
pub fn principal_components(points: Points<'_>, slack: f64) -> Result<f64, Error> {
    let rows = ROWS.choose(points.len());
    let variances = Scale::of_points(points, Division::Least).divided(points, |p| variances(p, &rows))?;
    let total: f64 = variances.iter().map(|v| v.max(0.0)).sum();
    if total <= 0.0 {
        return Err(Error::degenerate("all points coincide", "give points that differ"));
    }
    let mut explained = 0.0;
    let unexplained = |v: &f64| {
        explained += v.max(0.0);
        1.0 - explained / total
    };
    Ok(elbow(&variances.iter().rev().map(unexplained).collect::<Vec<_>>(), slack)? as f64)
}
