//! Ridge regressions of the coordinates of a map on the columns, over one neighborhood.

use embedding::{Error, Points};
use faer::{Mat, MatRef};
use spectral::dense::{gram, product, symmetric_eigen};

/// The penalties that are tried, in units of the mean variance of a direction of the neighborhood.
pub(crate) const PENALTIES: [f64; 9] = [1e-6, 1e-4, 1e-3, 1e-2, 0.03, 0.1, 0.3, 1.0, 3.0];

/// Fraction of the largest eigenvalue below which a direction of a neighborhood has no extent.
const FLAT: f64 = 1e-9;

/// The rows of one neighborhood in the eigenvectors of their scatter: a regression for each penalty costs
/// O(m² d) then.
pub(crate) struct LocalFit {
    /// Centered rows, m × D.
    x: Mat<f64>,
    /// Centered places, m × d.
    y: Mat<f64>,
    /// The rows in the eigenvectors, m × r.
    z: Mat<f64>,
    /// Eigenvalues above rounding, r.
    values: Vec<f64>,
    /// Their eigenvectors, of the scatter (D × r) or of the Gram matrix (m × r).
    vectors: Mat<f64>,
    /// Mean variance of a direction, times m.
    unit: f64,
}

impl LocalFit {
    /// The neighborhood of these rows. The smaller of scatter (D × D) and Gram matrix (m × m) is
    /// decomposed.
    pub(crate) fn new(data: Points<'_>, map: Points<'_>, rows: &[u32]) -> Result<Self, Error> {
        let (x, y) = (centered(data, rows), centered(map, rows));
        let (m, dim) = (x.nrows(), x.ncols());
        let wide = dim > m;
        let second = if wide { gram(x.as_ref()) } else { gram(x.transpose()) };
        let (values, vectors) = symmetric_eigen(second.as_ref())?;
        let total: f64 = values.iter().map(|value| value.max(0.0)).sum();
        let rounding = f64::EPSILON * (m * dim) as f64 * total;
        let first = values.partition_point(|value| *value <= rounding);
        let (values, vectors) = (&values[first..], vectors.subcols(first, values.len() - first));
        let z = if wide {
            Mat::from_fn(m, values.len(), |i, c| vectors[(i, c)] * values[c].sqrt())
        } else {
            product(x.as_ref(), vectors)
        };
        let unit = total / dim.min(m.saturating_sub(1)).max(1) as f64;
        Ok(Self { x, y, z, values: values.to_vec(), vectors: vectors.to_owned(), unit })
    }

    /// The sum of squared errors of left-out rows, relative to the errors of the mean of the other rows;
    /// `None` where the places coincide.
    pub(crate) fn relative_error(&self, penalty: f64) -> Option<f64> {
        let m = self.y.nrows() as f64;
        let total: f64 = self.y.col_iter().map(|y| y.squared_norm_l2()).sum();
        if self.y.nrows() < 3 || total <= 0.0 {
            return None;
        }
        let fitted = product(self.z.as_ref(), self.coefficients(penalty).as_ref());
        let mut error = 0.0;
        for i in 0..self.y.nrows() {
            let terms = self.values.iter().enumerate();
            let leverage: f64 =
                terms.map(|(c, value)| self.z[(i, c)].powi(2) / (value + penalty * self.unit)).sum();
            let others = (1.0 - 1.0 / m - leverage).max(f64::EPSILON);
            let residual: f64 = (0..self.y.ncols()).map(|a| (self.y[(i, a)] - fitted[(i, a)]).powi(2)).sum();
            error += residual / others.powi(2);
        }
        Some(error / (total * (m / (m - 1.0)).powi(2)))
    }

    /// The gradient: change of each coordinate per unit of each column, d × D in one row.
    pub(crate) fn gradient(&self, penalty: f64) -> Vec<f64> {
        let mut coefficients = self.coefficients(penalty);
        let directions = if self.x.ncols() > self.x.nrows() {
            for (c, value) in self.values.iter().enumerate() {
                coefficients.row_mut(c).iter_mut().for_each(|value_of| *value_of /= value.sqrt());
            }
            let weights = product(self.vectors.as_ref(), coefficients.as_ref());
            product(self.x.transpose(), weights.as_ref())
        } else {
            product(self.vectors.as_ref(), coefficients.as_ref())
        };
        directions.col_iter().flat_map(|column| column.iter().copied().collect::<Vec<_>>()).collect()
    }

    /// The dual metric of the map, d × d: J Jᵀ with J the slope of the map in the first d principal
    /// directions of the neighborhood, without a penalty.
    pub(crate) fn dual_metric(&self) -> Mat<f64> {
        let dim = self.y.ncols();
        let slopes = product(self.z.transpose(), self.y.as_ref());
        let largest = self.values.last().copied().unwrap_or(0.0);
        let mut metric = Mat::zeros(dim, dim);
        for (c, value) in self.values.iter().enumerate().rev().take(dim) {
            // A direction without extent has no slope.
            if *value > FLAT * largest {
                let slope = |a: usize| slopes[(c, a)] / value;
                for a in 0..dim {
                    (0..dim).for_each(|b| metric[(a, b)] += slope(a) * slope(b));
                }
            }
        }
        metric
    }

    /// The coefficients of the rows in the eigenvectors, r × d.
    fn coefficients(&self, penalty: f64) -> Mat<f64> {
        let mut found = product(self.z.transpose(), self.y.as_ref());
        for (c, value) in self.values.iter().enumerate() {
            found.row_mut(c).iter_mut().for_each(|entry| *entry /= value + penalty * self.unit);
        }
        found
    }
}

/// Some rows minus their mean. Columns that are the same in all of them are exactly 0, since the first row
/// is subtracted first.
fn centered(points: Points<'_>, rows: &[u32]) -> Mat<f64> {
    let all: MatRef<'_, f64> = points.as_mat();
    let difference = |i: usize, c: usize| all[(rows[i] as usize, c)] - all[(rows[0] as usize, c)];
    let mut chosen = Mat::from_fn(rows.len(), points.dim(), difference);
    for c in 0..chosen.ncols() {
        let mean = chosen.col(c).iter().sum::<f64>() / rows.len() as f64;
        chosen.col_mut(c).iter_mut().for_each(|value| *value -= mean);
    }
    chosen
}
