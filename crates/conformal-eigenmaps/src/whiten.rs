//! Whitening: transformation of a basis to zero mean and unit covariance.

use embedding::Error;
use faer::{Mat, MatRef};

/// A column is considered linearly dependent on the earlier ones unless its remainder
/// exceeds this fraction of it: √eps, below which the remainder has lost half of its
/// digits.
const INDEPENDENT: f64 = 1.5e-8;

/// A basis with zero mean and unit covariance, and the transformation to it.
#[derive(Clone, Debug)]
pub struct Whitened {
    /// Y with 1ᵀY = 0 and YᵀY = n I, n × m.
    pub basis: Mat<f64>,
    /// The column means of the original basis.
    pub mean: Vec<f64>,
    /// Upper triangular T with Y = (basis − mean) T, m × m.
    pub transform: Mat<f64>,
}

/// Centers the columns of `basis` (n × m), orthonormalizes them in order, and multiplies
/// them by √n.
///
/// Gram–Schmidt, twice, so that the first j columns span the same space as the first j
/// centered columns: the order and signs of eigenvectors are preserved. O(n m²) time, one
/// n × m matrix.
///
/// Fails if m is 0 or at least n, if a value is not finite, or if a column is constant or
/// a linear combination of earlier columns.
///
/// ```
/// use conformal_eigenmaps::steps::whiten;
/// use faer::mat;
/// let y = whiten(mat![[0.0, 1.0], [1.0, 0.0], [2.0, 0.0], [3.0, 7.0]].as_ref())?.basis;
/// let covariance = y.transpose() * &y;
/// assert!((covariance - 4.0 * faer::Mat::<f64>::identity(2, 2)).norm_max() < 1e-13);
/// # Ok::<(), embedding::Error>(())
/// ```
pub fn whiten(basis: MatRef<'_, f64>) -> Result<Whitened, Error> {
    let (n, m) = (basis.nrows(), basis.ncols());
    if m == 0 || m >= n {
        let range = format!("between 1 and {} for {n} points", n.saturating_sub(1));
        return Err(Error::parameter("the number of basis vectors", range, m));
    }
    let mut columns: Vec<Vec<f64>> = Vec::with_capacity(m);
    let mut means = Vec::with_capacity(m);
    let mut transform = Mat::zeros(m, m);
    for j in 0..m {
        let (column, mean, coefficients) = orthonormal(basis, j, &columns, &transform)?;
        for (i, value) in coefficients.into_iter().enumerate() {
            transform[(i, j)] = value;
        }
        columns.push(column);
        means.push(mean);
    }
    let scale = (n as f64).sqrt();
    Ok(Whitened {
        basis: Mat::from_fn(n, m, |i, j| columns[j][i] * scale),
        mean: means,
        transform: faer::Scale(scale) * transform,
    })
}

/// Returns the normalized remainder of column j after projection onto the earlier ones,
/// its mean, and its coefficients in the centered columns 0..=j.
fn orthonormal(
    basis: MatRef<'_, f64>,
    j: usize,
    earlier: &[Vec<f64>],
    transform: &Mat<f64>,
) -> Result<(Vec<f64>, f64, Vec<f64>), Error> {
    let n = basis.nrows();
    let mut column: Vec<f64> = (0..n).map(|i| basis[(i, j)]).collect();
    if let Some(row) = column.iter().position(|v| !v.is_finite()) {
        return Err(Error::NotFinite { row, column: j, value: column[row] });
    }
    let largest = column.iter().fold(0.0_f64, |most, v| most.max(v.abs()));
    let unit = if largest > 0.0 { largest } else { 1.0 };
    column.iter_mut().for_each(|v| *v /= unit);
    let before = norm(&column);
    let mut coefficients = vec![0.0; j + 1];
    coefficients[j] = 1.0 / unit;
    let mut mean = 0.0;
    for _ in 0..2 {
        let shift = column.iter().sum::<f64>() / n as f64;
        mean += shift;
        column.iter_mut().for_each(|v| *v -= shift);
        if column.iter().all(|v| v.abs() <= f64::EPSILON) {
            column.fill(0.0);
        }
        for (e, other) in earlier.iter().enumerate() {
            let along = other.iter().zip(&column).map(|(e, v)| e * v).sum::<f64>();
            column.iter_mut().zip(other).for_each(|(v, e)| *v -= along * e);
            (0..=e).for_each(|i| coefficients[i] -= along * transform[(i, e)]);
        }
    }
    let after = norm(&column);
    if after <= INDEPENDENT * before {
        return Err(Error::degenerate(
            format!(
                "column {j} of the basis (counted from 0) is constant or a linear combination of earlier columns"
            ),
            "use fewer basis vectors, or remove that column",
        ));
    }
    column.iter_mut().for_each(|v| *v /= after);
    coefficients.iter_mut().for_each(|v| *v /= after);
    Ok((column, mean * unit, coefficients))
}

fn norm(column: &[f64]) -> f64 {
    column.iter().map(|v| v * v).sum::<f64>().sqrt()
}
