//! From any basis to one with zero mean and unit covariance.

use embedding::Error;
use faer::{Mat, MatRef};

/// What remains of a column beside the earlier ones must exceed this share of
/// it, or the column counts as their combination: √eps, below which the
/// remainder has lost half of its digits.
const INDEPENDENT: f64 = 1.5e-8;

/// Centers the columns of `basis` (n × m) and makes them orthonormal in order,
/// times √n: 1ᵀY = 0 and YᵀY = n I.
///
/// Gram–Schmidt, twice, so that the first j columns span what the first j
/// centered columns spanned: eigenvectors keep their meaning and their sign.
/// O(n m²) time, one n × m matrix.
///
/// Fails when m is 0 or at least n, at the first value that is not finite, and
/// when a column is constant or a combination of the columns before it.
///
/// ```
/// use conformal_eigenmaps::whiten;
/// use faer::mat;
/// let y = whiten(mat![[0.0, 1.0], [1.0, 0.0], [2.0, 0.0], [3.0, 7.0]].as_ref())?;
/// let covariance = y.transpose() * &y;
/// assert!((covariance - 4.0 * faer::Mat::<f64>::identity(2, 2)).norm_max() < 1e-13);
/// # Ok::<(), embedding::Error>(())
/// ```
pub fn whiten(basis: MatRef<'_, f64>) -> Result<Mat<f64>, Error> {
    let (n, m) = (basis.nrows(), basis.ncols());
    if m == 0 || m >= n {
        return Err(Error::parameter("the number of basis vectors", format!("between 1 and {}", n.max(2) - 1), m));
    }
    let mut columns: Vec<Vec<f64>> = Vec::with_capacity(m);
    for j in 0..m {
        let mut column: Vec<f64> = (0..n).map(|i| basis[(i, j)]).collect();
        if let Some(row) = column.iter().position(|v| !v.is_finite()) {
            return Err(Error::NotFinite { row, column: j, value: column[row] });
        }
        let largest = column.iter().fold(0.0_f64, |most, v| most.max(v.abs()));
        if largest > 0.0 {
            column.iter_mut().for_each(|v| *v /= largest);
        }
        let before = norm(&column);
        for _ in 0..2 {
            let mean = column.iter().sum::<f64>() / n as f64;
            column.iter_mut().for_each(|v| *v -= mean);
            for earlier in &columns {
                let along = earlier.iter().zip(&column).map(|(e, v)| e * v).sum::<f64>();
                column.iter_mut().zip(earlier).for_each(|(v, e)| *v -= along * e);
            }
        }
        let after = norm(&column);
        if after <= INDEPENDENT * before {
            return Err(Error::degenerate(
                format!("column {j} of the basis (counted from 0) is constant or a combination of those before it"),
                "use fewer basis vectors, or drop that column",
            ));
        }
        column.iter_mut().for_each(|v| *v /= after);
        columns.push(column);
    }
    let scale = (n as f64).sqrt();
    Ok(Mat::from_fn(n, m, |i, j| columns[j][i] * scale))
}

fn norm(column: &[f64]) -> f64 {
    column.iter().map(|v| v * v).sum::<f64>().sqrt()
}
