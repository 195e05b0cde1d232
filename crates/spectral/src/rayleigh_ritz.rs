//! Smallest values of a sparse quadratic form among the combinations of given columns.

use embedding::{Error, Observer};
use faer::{Mat, MatRef};

use crate::extra_eigenvalues::report_spectrum;
use crate::{Pairs, Solver, Sparse, Tolerance, block, dense};

/// Columns to which the matrix is applied at one time.
const BLOCK: usize = 64;

/// A symmetric positive semidefinite matrix M with M 1 = 0, or a factor B with M = BᵀB, which
/// keeps tiny values accurate.
#[derive(Clone, Copy, Debug)]
pub enum QuadraticForm<'a> {
    /// M, both triangles stored.
    Matrix(&'a Sparse),
    /// B.
    Factor(&'a Sparse),
}

impl QuadraticForm<'_> {
    /// The memory of the matrix, in bytes.
    pub fn bytes(&self) -> u64 {
        match self {
            Self::Matrix(matrix) | Self::Factor(matrix) => matrix.bytes(),
        }
    }
}

/// The problem of [`rayleigh_ritz`].
#[derive(Clone, Copy, Debug)]
pub struct RayleighRitz<'a> {
    /// yᵀ M y, which is minimized.
    pub form: QuadraticForm<'a>,
    /// U, n × p, of full rank together with the constant column.
    pub columns: MatRef<'a, f64>,
    /// The diagonal of D, positive; all ones by default.
    pub weights: Option<&'a [f64]>,
    /// Number of pairs, 1 to p.
    pub count: usize,
}

/// Computes the `count` smallest values of yᵀ M y / yᵀ D y, ascending, among y = U w − c 1 with
/// the number c for which yᵀ D 1 = 0: the eigenpairs
///
/// ```text
/// UᵀMU w = λ (UᵀDU − UᵀD1 1ᵀDU / 1ᵀD1) w
/// ```
///
/// The vectors of the pairs are the p × `count` coefficients w, with yᵀ D y = 1 and orthogonal
/// in that product. Each value is at least the value of the same number of M y = λ D y, the
/// constant left out, since the minimum is over fewer functions. Residuals are recomputed and
/// relative to |UᵀMU|; a residual above the default [`Tolerance`] is an error. O(stored p + n
/// p²) time, n p numbers where a factor is given and n · 64 otherwise. Does not begin a stage.
pub fn rayleigh_ritz(problem: RayleighRitz<'_>, observer: &dyn Observer) -> Result<Pairs, Error> {
    let RayleighRitz { form, columns, weights, count } = problem;
    let p = columns.ncols();
    if count == 0 || count > p {
        return Err(Error::parameter("the number of eigenpairs", format!("between 1 and {p}"), count));
    }
    let a = symmetric(&restricted(form, columns, observer)?);
    let b = symmetric(&products(columns, weights));
    let (scales, axes) = dense::symmetric_eigen(b.as_ref())?;
    if scales[0].is_nan() || scales[0] <= p as f64 * f64::EPSILON * scales[p - 1] {
        return Err(Error::degenerate(
            "the columns of an eigenproblem are linearly dependent",
            "remove constant and repeated columns",
        ));
    }
    let whitening = Mat::from_fn(p, p, |i, j| axes[(i, j)] / scales[j].sqrt());
    let inner = dense::product(a.as_ref(), whitening.as_ref());
    let inner = symmetric(&dense::product(whitening.transpose(), inner.as_ref()));
    let (mut values, vectors) = dense::symmetric_eigen(inner.as_ref())?;
    let behind = values.split_off(count);
    let vectors = dense::product(whitening.as_ref(), vectors.get(.., ..count));
    let residuals = residuals(&a, &b, &values, &vectors);
    let residual = embedding::implement::maximum(residuals.iter().copied());
    let tolerance = Tolerance::default().residual();
    if residual.is_nan() || residual > tolerance {
        return Err(Error::NoConvergence {
            factor: None,
            advice: "remove nearly constant and repeated columns, or use fewer dimensions",
            what: "the restricted eigenpairs",
            residual,
            tolerance,
            iterations: 1,
        });
    }
    embedding::implement::proceed(observer, p, p)?;
    report_spectrum(observer, &values, p, |_, _| Ok(behind))?;
    Ok(Pairs { values, vectors, residuals, solver: Solver::Dense, applications: 1 })
}

/// Estimates the memory of [`rayleigh_ritz`] in bytes for p columns of n numbers, without the
/// columns and the form themselves.
pub fn rayleigh_ritz_bytes(form: QuadraticForm<'_>, n: usize, p: usize) -> u64 {
    let (column, square) = (8 * n as u64, 8 * (p as u64).pow(2));
    // Images by columns and by rows.
    let images = match form {
        QuadraticForm::Factor(factor) => 8 * p as u64 * (n + factor.nrows()) as u64,
        QuadraticForm::Matrix(_) => 2 * column * p.min(BLOCK) as u64,
    };
    let products = images.max(square + column * p as u64) + block::cross_bytes(n, p);
    // UᵀMU and UᵀDU, the whitening with the vectors that it is made of, the whitened form before
    // and after it is made symmetric, and its decomposition.
    products.max(6 * square + dense::eigen_bytes(p))
}

/// UᵀMU.
fn restricted(
    form: QuadraticForm<'_>,
    u: MatRef<'_, f64>,
    observer: &dyn Observer,
) -> Result<Mat<f64>, Error> {
    let (n, p) = u.shape();
    embedding::implement::proceed(observer, 0, p)?;
    match form {
        QuadraticForm::Factor(factor) => {
            let mut image = Mat::zeros(factor.nrows(), p);
            factor.apply(u, image.as_mut());
            Ok(block::cross(image.as_ref(), image.as_ref()))
        }
        QuadraticForm::Matrix(matrix) => {
            let mut out = Mat::zeros(p, p);
            for first in (0..p).step_by(BLOCK) {
                let width = BLOCK.min(p - first);
                let mut image = Mat::zeros(n, width);
                matrix.apply(u.subcols(first, width), image.as_mut());
                out.subcols_mut(first, width).copy_from(block::cross(u, image.as_ref()));
                embedding::implement::proceed(observer, first, p)?;
            }
            Ok(out)
        }
    }
}

/// UᵀDU − UᵀD1 1ᵀDU / 1ᵀD1.
fn products(u: MatRef<'_, f64>, weights: Option<&[f64]>) -> Mat<f64> {
    let (n, p) = u.shape();
    let weight = |i: usize| weights.map_or(1.0, |weights| weights[i]);
    let weighted = Mat::from_fn(n, p, |i, j| weight(i) * u[(i, j)]);
    let own = block::cross(u, weighted.as_ref());
    let sums: Vec<f64> = (0..p).map(|j| weighted.col(j).iter().sum()).collect();
    let total: f64 = (0..n).map(weight).sum();
    Mat::from_fn(p, p, |i, j| own[(i, j)] - sums[i] * sums[j] / total)
}

/// The mean of a matrix and its transpose, which removes rounding.
fn symmetric(a: &Mat<f64>) -> Mat<f64> {
    Mat::from_fn(a.nrows(), a.ncols(), |i, j| 0.5 * (a[(i, j)] + a[(j, i)]))
}

/// |A w − λ B w| / (|A| |w|) of each pair, |A| the Frobenius norm; 0 where A is 0.
fn residuals(a: &Mat<f64>, b: &Mat<f64>, values: &[f64], vectors: &Mat<f64>) -> Vec<f64> {
    let norm = a.norm_l2();
    let (left, right) =
        (dense::product(a.as_ref(), vectors.as_ref()), dense::product(b.as_ref(), vectors.as_ref()));
    let of = |j: usize| {
        let rest = left.col(j).iter().zip(right.col(j).iter()).map(|(l, r)| (l - values[j] * r).powi(2));
        let length = vectors.col(j).norm_l2();
        if norm > 0.0 { rest.sum::<f64>().sqrt() / (norm * length) } else { 0.0 }
    };
    (0..values.len()).map(of).collect()
}

#[cfg(test)]
mod tests {
    use embedding::Silent;
    use faer::Mat;

    use super::{QuadraticForm, RayleighRitz, rayleigh_ritz};
    use crate::Sparse;

    /// The Laplacian of a cycle with a chord, and its incidence matrix.
    fn laplacian(n: u32) -> (Sparse, Sparse) {
        let edges: Vec<(u32, u32)> = (0..n).map(|i| (i, (i + 1) % n)).chain([(0, n / 2)]).collect();
        let rows = edges.iter().map(|&(i, j)| vec![(i, 1.0), (j, -1.0)]).collect();
        let incidence = Sparse::from_rows(n as usize, rows).expect("edges join vertices");
        (incidence.gram(), incidence)
    }

    /// Among all functions they are the eigenvalues of D^−½ M D^−½; among fewer, no smaller.
    #[test]
    fn values_within_a_subspace_are_bounded_by_those_of_the_whole() {
        let (n, count) = (90, 4);
        let (matrix, factor) = laplacian(n as u32);
        let weights: Vec<f64> = (0..n).map(|i| 1.0 + (i % 7) as f64).collect();
        let scaled = matrix.to_dense();
        let scaled = Mat::from_fn(n, n, |i, j| scaled[(i, j)] / (weights[i] * weights[j]).sqrt());
        let (whole, _) = crate::dense::symmetric_eigen(scaled.as_ref()).expect("symmetric");
        let all = Mat::from_fn(n, n - 1, |i, j| f64::from(u8::from(i == j)));
        let few = crate::block::random(n, 12, 3);
        for form in [QuadraticForm::Matrix(&matrix), QuadraticForm::Factor(&factor)] {
            let problem = |columns| RayleighRitz { form, columns, weights: Some(&weights), count };
            let pairs = rayleigh_ritz(problem(all.as_ref()), &Silent).expect("independent columns");
            for (a, b) in pairs.values.iter().zip(&whole[1..]) {
                assert!((a - b).abs() < 1e-12, "{form:?}: {a} and {b}");
            }
            let pairs = rayleigh_ritz(problem(few.as_ref()), &Silent).expect("independent columns");
            for (j, value) in pairs.values.iter().enumerate() {
                assert!(*value > whole[1 + j], "a minimum over fewer functions");
                let y = crate::dense::product(few.as_ref(), pairs.vectors.as_ref());
                let mean = (0..n).map(|i| weights[i] * y[(i, j)]).sum::<f64>() / weights.iter().sum::<f64>();
                let square: f64 = (0..n).map(|i| weights[i] * (y[(i, j)] - mean).powi(2)).sum();
                assert!((square - 1.0).abs() < 1e-12, "unit length");
            }
        }
    }

    /// Residuals are relative to the matrix: its multiples have the same residuals.
    #[test]
    fn residuals_have_no_unit() {
        let (matrix, _) = laplacian(60);
        let columns = crate::block::random(60, 9, 5);
        let residuals = |factor: f64| {
            let row = |i: usize| {
                let (js, values) = matrix.row(i);
                js.iter().zip(values).map(|(&j, v)| (j, v * factor)).collect()
            };
            let scaled = Sparse::from_rows(60, (0..60).map(row).collect()).expect("the same columns");
            let form = QuadraticForm::Matrix(&scaled);
            let problem = RayleighRitz { form, columns: columns.as_ref(), weights: None, count: 3 };
            rayleigh_ritz(problem, &Silent).expect("independent columns").residuals
        };
        let near = residuals(1.0);
        assert!(near.iter().any(|r| *r > 0.0), "{near:?}");
        for exponent in [-60, 60] {
            for (a, b) in residuals(2f64.powi(exponent)).iter().zip(&near) {
                assert!((a - b).abs() <= 1e-3 * b, "2^{exponent}: {a:e} and {b:e}");
            }
        }
    }

    #[test]
    fn dependent_columns_are_refused() {
        let (matrix, _) = laplacian(20);
        let columns = Mat::from_fn(20, 2, |i, j| (i * (1 + j)) as f64);
        let problem = RayleighRitz {
            form: QuadraticForm::Matrix(&matrix),
            columns: columns.as_ref(),
            weights: None,
            count: 1,
        };
        let refused = rayleigh_ritz(problem, &Silent).map(drop).expect_err("dependent columns");
        assert!(refused.to_string().contains("linearly dependent"), "{refused}");
    }
}
