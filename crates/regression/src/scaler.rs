//! Standardization of columns, and its inverse.

use embedding::{Error, Validate, require, require_finite};
use faer::MatRef;
use serde::{Deserialize, Serialize};

/// How inputs are scaled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Standardization {
    /// Each column by its own standard deviation: for columns in different units.
    #[default]
    ByColumn,
    /// All columns by the root mean square of their standard deviations: for columns in
    /// one unit, such as pixels. A nearly constant column stays small, so an unusual
    /// value in it cannot dominate a new point.
    Common,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Scaler {
    means: Vec<f64>,
    scales: Vec<f64>,
}

impl Scaler {
    /// Computes means and standard deviations; a constant column is not scaled.
    pub(crate) fn new(values: MatRef<'_, f64>) -> Self {
        let n = values.nrows() as f64;
        let mean = |j: usize| values.col(j).iter().sum::<f64>() / n;
        let means: Vec<f64> = (0..values.ncols()).map(mean).collect();
        let deviation = |(j, m): (usize, &f64)| {
            let variance = values.col(j).iter().map(|v| (v - m).powi(2)).sum::<f64>() / n;
            if variance.sqrt() > 1e-12 * m.abs() { variance.sqrt() } else { 1.0 }
        };
        let scales = means.iter().enumerate().map(deviation).collect();
        Self { means, scales }
    }

    /// Computes means and scales of inputs.
    pub(crate) fn of_inputs(values: MatRef<'_, f64>, standardization: Standardization) -> Self {
        let mut scaler = Self::new(values);
        if standardization == Standardization::Common {
            let n = values.nrows() as f64;
            let variance =
                |(j, m): (usize, &f64)| values.col(j).iter().map(|v| (v - m).powi(2)).sum::<f64>() / n;
            let total: f64 = scaler.means.iter().enumerate().map(variance).sum();
            let common = (total / values.ncols() as f64).sqrt();
            let most = scaler.means.iter().fold(0.0_f64, |most, mean| most.max(mean.abs()));
            scaler.scales.fill(if common > 1e-12 * most { common } else { 1.0 });
        }
        scaler
    }

    pub(crate) fn len(&self) -> usize {
        self.means.len()
    }

    pub(crate) fn forward(&self, j: usize, value: f64) -> f64 {
        (value - self.means[j]) / self.scales[j]
    }

    pub(crate) fn backward(&self, j: usize, value: f64) -> f64 {
        self.means[j] + self.scales[j] * value
    }

    /// Returns the scale of a column.
    pub(crate) fn scale(&self, j: usize) -> f64 {
        self.scales[j]
    }
}

impl Validate for Scaler {
    fn validate(&self) -> Result<(), Error> {
        require(
            !self.means.is_empty() && self.means.len() == self.scales.len(),
            "it does not have a scale for every column",
        )?;
        require_finite(self.means.iter().chain(&self.scales), "the mean or scale of a column")?;
        require(self.scales.iter().all(|scale| *scale > 0.0), "the scale of a column is not positive")
    }
}
