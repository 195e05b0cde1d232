//! The factor model of largest likelihood, for columns of variance one.

use embedding::implement::{multiply, proceed};
use embedding::{Error, Observer, PointSet, Status};
use faer::{Accum, Mat, MatMut, MatRef};
use spectral::{DenseOperator, Operator, Tolerance, dense, largest, principal};

/// The smallest noise variance, as a fraction of a column's variance.
pub(crate) const LOWEST: f64 = 1e-6;

/// Residual of the eigenpairs, relative to the largest, which may be 1 / [`LOWEST`].
const RESIDUAL: f64 = 1e-12;

/// The correlation matrix R of the columns.
pub(crate) enum Moments {
    /// R, with at least as many points as columns.
    Matrix(Mat<f64>),
    /// Z with R = ZᵀZ, with more columns than points.
    Rows(Mat<f64>),
}

impl Moments {
    /// The moments of some columns of centered rows, divided by their deviations.
    pub(crate) fn new(rows: &PointSet, deviations: &[f64], columns: &[usize]) -> Self {
        let (n, m) = (rows.len(), columns.len());
        if m > n {
            let root = (n as f64).sqrt();
            let value = |i: usize, j: usize| rows.view().row(i)[columns[j]] / (root * deviations[columns[j]]);
            return Self::Rows(Mat::from_fn(n, m, value));
        }
        let moments = principal::scatter(rows.view(), &vec![0.0; rows.dim()]);
        Self::Matrix(Mat::from_fn(m, m, |i, j| {
            let (i, j) = (columns[i], columns[j]);
            moments[(i, j)] / (n as f64 * deviations[i] * deviations[j])
        }))
    }
}

/// Ψ^(−½) R Ψ^(−½).
struct Scaled<'a> {
    moments: &'a Moments,
    /// The diagonal of Ψ^(−½).
    roots: Vec<f64>,
}

impl Operator for Scaled<'_> {
    fn order(&self) -> usize {
        self.roots.len()
    }

    fn apply(&self, x: MatRef<'_, f64>, mut out: MatMut<'_, f64>) {
        let scaled = Mat::from_fn(x.nrows(), x.ncols(), |i, j| self.roots[i] * x[(i, j)]);
        match self.moments {
            Moments::Matrix(matrix) => DenseOperator(matrix.as_ref()).apply(scaled.as_ref(), out.as_mut()),
            Moments::Rows(rows) => {
                let image = dense::product(rows.as_ref(), scaled.as_ref());
                multiply(out.as_mut(), Accum::Replace, rows.transpose(), image.as_ref(), 1.0);
            }
        }
        for column in out.col_iter_mut() {
            column.iter_mut().zip(&self.roots).for_each(|(v, root)| *v *= root);
        }
    }
}

/// The model of largest likelihood.
pub(crate) struct Likelihood {
    /// W, one row per column of the data.
    pub(crate) loadings: Mat<f64>,
    /// ψ.
    pub(crate) noise: Vec<f64>,
    /// Factors that explain more than noise.
    pub(crate) factors: usize,
    /// −n/2 (log det C + tr(C⁻¹ R)) before each update of ψ.
    pub(crate) history: Vec<f64>,
    pub(crate) status: Status,
}

impl Likelihood {
    /// Alternates between the best loadings for given noise variances and the noise variances that make the
    /// diagonals of C and R equal; each step increases the likelihood.
    pub(crate) fn maximize(
        moments: &Moments,
        n: usize,
        dim: usize,
        tolerance: f64,
        max_iterations: usize,
        observer: &dyn Observer,
    ) -> Result<Self, Error> {
        let m = match moments {
            Moments::Matrix(matrix) | Moments::Rows(matrix) => matrix.ncols(),
        };
        let mut noise: Vec<f64> = vec![1.0; m];
        let mut history: Vec<f64> = Vec::new();
        proceed(observer, 0, max_iterations)?;
        loop {
            let roots: Vec<f64> = noise.iter().map(|psi| psi.sqrt().recip()).collect();
            let operator = Scaled { moments, roots };
            let pairs = largest(&operator, dim, Tolerance::new(RESIDUAL)?, &embedding::Silent)?;
            let trace: f64 = noise.iter().map(|psi| psi.recip()).sum();
            let own: f64 = pairs.values.iter().map(|s| s.max(1.0).ln() + s / s.max(1.0) - s).sum();
            let logarithms: f64 = noise.iter().map(|psi| psi.ln()).sum();
            let likelihood = -0.5 * n as f64 * (own + trace + logarithms);
            let gain = history.last().map_or(f64::INFINITY, |last| likelihood - last);
            // The rounding of the sum; a step that maximizes loses no more.
            let noise_of_sum = n as f64 * m as f64 * f64::EPSILON * (own.abs() + trace + logarithms.abs());
            let converged = gain < tolerance && gain >= -noise_of_sum.max(tolerance);
            history.push(likelihood);
            let iterations = history.len();
            // The excess of an eigenvalue over 1, beyond the eigensolver's rounding, belongs to a factor.
            let rounding = 8.0 * RESIDUAL * pairs.values[0].max(1.0);
            let excess = |s: f64| if s > 1.0 + rounding { s - 1.0 } else { 0.0 };
            let length = |c: usize| excess(pairs.values[c]).sqrt();
            let loadings = Mat::from_fn(m, dim, |j, c| noise[j].sqrt() * pairs.vectors[(j, c)] * length(c));
            if converged || iterations == max_iterations {
                let status = if converged {
                    Status::Converged { iterations }
                } else {
                    Status::IterationLimit { iterations }
                };
                proceed(observer, max_iterations, max_iterations)?;
                let factors = pairs.values.iter().filter(|s| excess(**s) > 0.0).count();
                return Ok(Self { loadings, noise, factors, history, status });
            }
            noise = (0..m).map(|j| f64::max(1.0 - loadings.row(j).squared_norm_l2(), LOWEST)).collect();
            proceed(observer, iterations, max_iterations)?;
        }
    }

    /// WᵀW: the part of the columns' variances that the factors explain.
    pub(crate) fn explained(&self) -> Mat<f64> {
        dense::product(self.loadings.transpose(), self.loadings.as_ref())
    }

    /// Ψ⁻¹ W (I + Wᵀ Ψ⁻¹ W)⁻¹, whose middle matrix is diagonal.
    pub(crate) fn scores(&self) -> Mat<f64> {
        let squares = |c: usize| {
            let column = self.loadings.col(c).iter().zip(&self.noise);
            column.map(|(w, psi)| w * w / psi).sum::<f64>()
        };
        let squares: Vec<f64> = (0..self.loadings.ncols()).map(squares).collect();
        Mat::from_fn(self.loadings.nrows(), self.loadings.ncols(), |j, c| {
            self.loadings[(j, c)] / (self.noise[j] * (1.0 + squares[c]))
        })
    }
}
