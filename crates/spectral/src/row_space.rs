//! Orthonormal bases of the space that centered data span.

use embedding::{Error, Observer, Points};
use faer::{Mat, MatRef};

use crate::dense::eigen_bytes;
use crate::principal::{scatter, scatter_bytes};
use crate::progress::Pulse;
use crate::{Centered, Principal, Tolerance, block, dense};

/// The centered data in an orthonormal basis of the space that their columns span.
///
/// A linear method that divides by variances, an eigenproblem A v = λ B v with the covariance
/// B or a whitening, is singular where columns are constant or dependent, or where there are
/// more columns than points. In this basis it is not: the basis has a column per dimension
/// that the data span. Directions shorter than √(max(n, D) eps) times the longest are left
/// out, since sums of squares do not distinguish them from rounding.
#[derive(Clone, Debug)]
pub struct RowSpace {
    /// Column means.
    pub mean: Vec<f64>,
    /// D × p: (x − mean) · `map` is the row of a point x in `coordinates`.
    pub map: Mat<f64>,
    /// n × p, centered, with orthonormal columns.
    pub coordinates: Mat<f64>,
}

impl RowSpace {
    /// Computes a basis of the whole space, or with `leading` below min(n, D) of at most that
    /// many principal directions, in descending order of variance.
    ///
    /// The whole space: the D × D scatter or the n × n Gram matrix is decomposed, with each
    /// column in units of its own deviation, so that columns in small units are not lost to
    /// rounding; O(n D min(n, D) + min(n, D)³). Leading directions: [`Principal`]. Data of any
    /// scale. Fails with [`Error::Degenerate`] where all points coincide to rounding.
    pub fn new(points: Points<'_>, leading: Option<usize>, observer: &dyn Observer) -> Result<Self, Error> {
        let centered = Centered::new(points)?;
        embedding::implement::proceed(observer, 0, 2)?;
        let (n, most) = (points.len(), points.len().min(points.dim()));
        let (mut map, sums) = match leading.filter(|&count| count < most) {
            None => whole(&centered)?,
            Some(count) => {
                let pulse = Pulse { observer, done: 0, total: 2 };
                let found = Principal::new(centered.rows.view(), count, Tolerance::default(), &pulse)?;
                (found.directions, found.sums)
            }
        };
        embedding::implement::proceed(observer, 1, 2)?;
        let floor = n.max(points.dim()) as f64 * f64::EPSILON * sums.iter().fold(0.0, |m: f64, s| m.max(*s));
        let kept: Vec<usize> = (0..sums.len()).filter(|&j| sums[j] > floor).collect();
        if kept.is_empty() {
            return Err(Error::degenerate(
                "all points coincide to rounding",
                "subtract a common offset from the data, or use others",
            ));
        }
        for (to, &from) in kept.iter().enumerate() {
            for i in 0..points.dim() {
                map[(i, to)] = map[(i, from)] / sums[from].sqrt();
            }
        }
        map.truncate(points.dim(), kept.len());
        let mut coordinates = block::product(centered.rows.view().as_mat(), map.as_ref());
        // Squares of short directions are sums of larger ones with rounding.
        let correction = inverse_root(block::cross(coordinates.as_ref(), coordinates.as_ref()).as_ref())?;
        block::rotate(coordinates.as_mut(), correction.as_ref());
        let mut map = block::product(map.as_ref(), correction.as_ref());
        map.col_iter_mut().for_each(|column| column.iter_mut().for_each(|v| *v *= 1.0 / centered.unit));
        if !map.norm_max().is_finite() {
            return Err(Error::degenerate(
                "the data vary by less than the smallest numbers with an inverse",
                "multiply all values by a common factor",
            ));
        }
        embedding::implement::proceed(observer, 2, 2)?;
        Ok(Self { mean: centered.mean, map, coordinates })
    }

    /// Estimates the memory of [`RowSpace::new`] in bytes for n points in D columns.
    pub fn bytes(n: usize, columns: usize, leading: Option<usize>) -> u64 {
        let most = n.min(columns);
        let few = leading.filter(|&count| count < most);
        let (n, d, p) = (n as u64, columns as u64, few.unwrap_or(most) as u64);
        let square = 8 * p * p;
        let basis = match few {
            Some(_) => Principal::bytes(n as usize, columns),
            // The scatter matrix, scaled by the deviations, and its decomposition.
            None if d <= n => scatter_bytes(n as usize, columns).max(2 * square + eigen_bytes(most)),
            // The scaled rows, their Gram matrix with its decomposition, or the images of its vectors.
            None => 8 * n * d + square + eigen_bytes(most).max(8 * n * d + square),
        };
        // The map and the coordinates, the correction by their Gram matrix, and the corrected map.
        let cross = block::cross_bytes(n as usize, p as usize);
        let correction = cross.max(2 * square + eigen_bytes(p as usize)).max(8 * d * p);
        let coordinates = 8 * (d + n) * p + correction;
        8 * n * d + basis.max(coordinates)
    }
}

/// Directions that make the rows orthogonal, not orthogonal themselves, and the sums of squares
/// along them: principal directions of the columns in units of their deviations.
fn whole(centered: &Centered) -> Result<(Mat<f64>, Vec<f64>), Error> {
    let rows = &centered.rows;
    let (n, d) = (rows.len(), rows.dim());
    let inverse: Vec<f64> =
        centered.deviations().iter().map(|s| if *s > 0.0 { s.recip() } else { 0.0 }).collect();
    if d <= n {
        let moments = scatter(rows.view(), &vec![0.0; d]);
        let scaled = Mat::from_fn(d, d, |i, j| moments[(i, j)] * inverse[i] * inverse[j]);
        let (sums, vectors) = dense::symmetric_eigen(scaled.as_ref())?;
        return Ok((Mat::from_fn(d, d, |i, j| inverse[i] * vectors[(i, j)]), sums));
    }
    let x = Mat::from_fn(n, d, |i, j| rows.view().row(i)[j] * inverse[j]);
    let gram = dense::product(x.as_ref(), x.transpose());
    let (sums, left) = dense::symmetric_eigen(gram.as_ref())?;
    let mut images = dense::product(x.transpose(), left.as_ref());
    for j in 0..n {
        // Xᵀu has length √λ; a direction below rounding is left out by the caller.
        let length = if sums[j] > 0.0 { sums[j].sqrt() } else { 1.0 };
        (0..d).for_each(|i| images[(i, j)] *= inverse[i] / length);
    }
    Ok((images, sums))
}

/// G^−½ of a Gram matrix G close to the identity.
fn inverse_root(gram: MatRef<'_, f64>) -> Result<Mat<f64>, Error> {
    let (values, vectors) = dense::symmetric_eigen(gram)?;
    let scaled = Mat::from_fn(values.len(), values.len(), |i, j| vectors[(i, j)] / values[j].sqrt());
    Ok(dense::product(scaled.as_ref(), vectors.transpose()))
}

#[cfg(test)]
mod tests {
    use embedding::{PointSet, Silent};
    use faer::Mat;

    use super::{RowSpace, whole};
    use crate::Centered;

    /// n rows of D numbers that depend on three random ones, and a constant column.
    fn flat(n: usize, d: usize, scale: f64) -> PointSet {
        let random = crate::block::random(n, 3, 7);
        let mixing = crate::block::random(3, d, 8);
        let value = |i: usize, j: usize| {
            if j == 1 { 0.1 } else { (0..3).map(|c| random[(i, c)] * mixing[(c, j)]).sum::<f64>() + 5.0 }
        };
        PointSet::new((0..n * d).map(|e| scale * value(e / d, e % d)).collect(), d).expect("finite")
    }

    /// Wide and tall, at any scale, whole and by principal directions.
    #[test]
    fn a_basis_has_a_column_per_dimension_that_the_data_span() {
        for (n, d) in [(60, 9), (20, 50), (3000, 4)] {
            for scale in [1.0, 1e150, 1e-150, 1e-300] {
                for leading in [None, Some(d - 1)] {
                    let points = flat(n, d, scale);
                    let space = RowSpace::new(points.view(), leading, &Silent).expect("it spans something");
                    let u = &space.coordinates;
                    assert_eq!(u.ncols(), 3, "{n} x {d}, {scale:e}, {leading:?}");
                    assert!((u.transpose() * u - Mat::<f64>::identity(3, 3)).norm_max() < 1e-9);
                    let image = Mat::from_fn(n, 3, |i, j| {
                        let row = points.view().row(i);
                        (0..d).map(|c| (row[c] - space.mean[c]) * space.map[(c, j)]).sum::<f64>()
                    });
                    assert!((image - u).norm_max() < 1e-9, "{n} x {d}, {scale:e}");
                }
            }
        }
    }

    /// A column in units a billion times as large does not hide another.
    #[test]
    fn columns_in_different_units_are_all_kept() {
        let random = crate::block::random(100, 3, 1);
        let values = (0..300).map(|e| random[(e / 3, e % 3)] * [1e12, 1.0, 1e-9][e % 3]).collect();
        let points = PointSet::new(values, 3).expect("finite");
        let space = RowSpace::new(points.view(), None, &Silent).expect("three dimensions");
        assert_eq!(space.coordinates.ncols(), 3);
    }

    /// Directions a millionth as long as the longest have variance one, too; and all principal
    /// directions are the whole space.
    #[test]
    fn columns_of_short_directions_are_orthonormal() {
        let random = crate::block::random(10_000, 4, 3);
        let lengths = [1.0, 1e-3, 1e-5, 4e-6];
        // Along the columns of a Hadamard matrix, so that no column is short.
        let sign = |c: usize, j: usize| if (c & j).count_ones().is_multiple_of(2) { 0.5 } else { -0.5 };
        let value = |i: usize, j: usize| (0..4).map(|c| lengths[c] * random[(i, c)] * sign(c, j)).sum();
        let values = (0..40_000).map(|e| value(e / 4, e % 4)).collect();
        let points = PointSet::new(values, 4).expect("finite");
        for leading in [None, Some(4), Some(3)] {
            let u = RowSpace::new(points.view(), leading, &Silent).expect("it spans something").coordinates;
            assert_eq!(u.ncols(), leading.unwrap_or(4));
            let gram = u.transpose() * &u;
            assert!((gram - Mat::<f64>::identity(u.ncols(), u.ncols())).norm_max() < 1e-12, "{leading:?}");
        }
    }

    /// A row of the data and a row of the coordinates; with more columns than points, the
    /// centered column with its copy for the Gram matrix, and two rows of the map.
    #[test]
    fn the_estimate_grows_by_what_a_further_point_or_column_takes() {
        let bytes = |n, d| RowSpace::bytes(n, d, Some(3));
        assert_eq!(bytes(5001, 4) - bytes(5000, 4), 8 * (4 + 3));
        assert_eq!(bytes(20, 1001) - bytes(20, 1000), 8 * (20 + 20));
        assert_eq!(RowSpace::bytes(100, 20, None), RowSpace::bytes(100, 20, Some(50)));
        // The rows, the map, the coordinates, two squares and the decomposition of one.
        assert_eq!(RowSpace::bytes(5, 2, None), 8 * (10 + 4 + 10 + 2 * 4 + 4 * 4));
    }

    #[test]
    fn points_that_coincide_span_nothing() {
        for value in [0.0, 0.1, 1e300] {
            let points = PointSet::new(vec![value; 5000], 2).expect("finite");
            let refused = RowSpace::new(points.view(), None, &Silent).map(drop);
            assert!(refused.is_err_and(|e| e.to_string().contains("coincide")), "{value}");
        }
    }

    /// The scaled rows times the directions: orthogonal, of the sums of squares that are returned.
    #[test]
    fn directions_make_the_rows_orthogonal_with_the_sums_as_squares() {
        for (n, d) in [(40, 7), (7, 40)] {
            let random = crate::block::random(n, d, 4);
            let value = |i: usize, j: usize| random[(i, j)] * 10f64.powi(j as i32 % 5 - 2);
            let values = (0..n * d).map(|e| value(e / d, e % d)).collect();
            let points = PointSet::new(values, d).expect("finite");
            let centered = Centered::new(points.view()).expect("finite");
            let (map, sums) = whole(&centered).expect("finite");
            let rows = crate::block::product(centered.rows.view().as_mat(), map.as_ref());
            let gram = rows.transpose() * &rows;
            let most = sums.iter().fold(0.0, |most: f64, sum| most.max(*sum));
            // Centered rows have a dimension less; along it there is rounding alone.
            let above: Vec<usize> = (0..sums.len()).filter(|&j| sums[j] > 1e-10 * most).collect();
            assert_eq!(above.len(), d.min(n - 1));
            for &i in &above {
                for &j in &above {
                    let expected = if i == j { sums[i] } else { 0.0 };
                    assert!((gram[(i, j)] - expected).abs() < 1e-12 * most, "{n} x {d}: {i} {j}");
                }
            }
        }
    }

    /// Three cases: the whole space, where as many directions are requested as it has; few columns,
    /// without a second copy of the rows; almost all directions of wide data, with the corrected map.
    #[test]
    fn the_estimate_follows_the_path_to_the_basis() {
        assert_eq!(RowSpace::bytes(100, 20, Some(20)), RowSpace::bytes(100, 20, None));
        assert_eq!(RowSpace::bytes(5001, 40, None) - RowSpace::bytes(5000, 40, None), 8 * (40 + 40));
        let bytes = |d| RowSpace::bytes(20, d, Some(19));
        assert_eq!(bytes(5001) - bytes(5000), 8 * (20 + 19 + 19));
    }
}
